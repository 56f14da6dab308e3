#include "drops_option.h"

#include "option.h"
#include "terminal.h"

int rip_option_drops(const char *command, const struct rip_drops *drops, unsigned levels)
{
	char needed[RIP_DROPS_NEEDED_MAX];

	if (!drops->count || rip_drops_known(drops, levels))
		return RIP_GO_ON;
	rip_drops_needed(levels, needed);
	return rip_wrong_usage(command, "--drops has %u, and %u levels need %s: one for each level above 0, with 3"
			       " levels or more", drops->count, levels, needed);
}
