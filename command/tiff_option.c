#include "tiff_option.h"


#include "option.h"
#include "system/ascii.h"
#include "terminal.h"

int rip_option_compression(const char *command, const char *value, enum rip_tiff_compression *compression)
{
	for (int i = 0; i < RIP_TIFF_COMPRESSIONS; i++)
		if (rip_same_name(value, rip_tiff_compressions[i])) {
			*compression = (enum rip_tiff_compression)i;
			return RIP_GO_ON;
		}
	return rip_wrong_usage(command, "--compression \"%s\" is none of lzw, packbits, g4, deflate, none",
			       value);
}

int rip_option_compression_check(const char *command, enum rip_tiff_compression compression, unsigned levels)
{
	if (compression == RIP_TIFF_G4 && levels > 2)
		return rip_wrong_usage(command, "--compression g4 is for 2 levels, not %u", levels);
	return RIP_GO_ON;
}
