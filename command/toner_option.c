#include "toner_option.h"

#include "filter/tone_choice.h"
#include "option.h"
#include "terminal.h"

int rip_option_toner_save(const char *command, const char *value, unsigned *percent)
{
	const int parsed = rip_tone_parse_toner_save(value);

	if (parsed < 0)
		return rip_wrong_usage(command, "--toner-save \"%s\" is not valid: choose "
				       RIP_TONE_TONER_SAVES, value);
	*percent = (unsigned)parsed;
	return RIP_GO_ON;
}
