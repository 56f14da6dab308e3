/* The sizes of a printer's drops. */
#include "tone/drops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system/ascii.h"

#include "tone/cgats.h"

#define LEAST 0.001 /* of the largest */

bool rip_drops_parse(struct rip_drops *drops, const char *text)
{
	struct rip_drops parsed = { .count = 0 };
	bool percent = false, first = true;
	double largest;

	memset(drops, 0, sizeof *drops);
	if (rip_same_name(text, "none"))
		return true;
	for (;; text++) {
		double *value = &parsed.share[parsed.count];

		if (parsed.count == RIP_DROPS_MAX || !rip_cgats_digits(&text, value))
			return false;
		if (!first && (*value <= value[-1] || percent != (*text == '%')))
			return false;
		percent = *text == '%';
		first = false;
		text += percent;
		parsed.count++;
		if (!*text)
			break;
		if (*text != ',' && *text != '/')
			return false;
	}
	largest = parsed.share[parsed.count - 1];
	if (percent && largest != 100)
		return false;
	for (uint32_t i = 0; i < parsed.count; i++) {
		const double part = parsed.share[i] / largest;

		parsed.share[i] = percent ? part : cbrt(part * part);
	}
	if (!(parsed.share[0] >= LEAST)) /* not NaN */
		return false;
	*drops = parsed;
	return true;
}

bool rip_drops_known(const struct rip_drops *drops, unsigned levels)
{
	return levels > 2 && drops->count == levels - 1;
}

void rip_drops_needed(unsigned levels, char text[RIP_DROPS_NEEDED_MAX])
{
	if (levels < 3)
		snprintf(text, RIP_DROPS_NEEDED_MAX, "none");
	else
		snprintf(text, RIP_DROPS_NEEDED_MAX, "%u", levels - 1);
}

double rip_drops_share(const struct rip_drops *drops, unsigned levels, unsigned level)
{
	if (level == 0 || !rip_drops_known(drops, levels))
		return level / (levels - 1.0);
	return drops->share[level - 1];
}
