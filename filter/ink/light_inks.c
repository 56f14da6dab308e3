/* The planes of light inks. */
#include "light_inks.h"
#include "system/ascii.h"


/* In the order of their planes. */
static const struct {
	unsigned     in_set;
	enum rip_ink dark, light;
} pairs[] = {
	{ RIP_LIGHT_C, RIP_INK_CYAN, RIP_INK_LIGHT_CYAN },
	{ RIP_LIGHT_M, RIP_INK_MAGENTA, RIP_INK_LIGHT_MAGENTA },
	{ RIP_LIGHT_K, RIP_INK_BLACK, RIP_INK_LIGHT_BLACK },
};

int rip_light_inks_parse(const char *value)
{
	return rip_same_name(value, "none") ? 0 :
	       rip_same_name(value, "cm") ? RIP_LIGHT_C | RIP_LIGHT_M :
	       rip_same_name(value, "k") ? RIP_LIGHT_K :
	       rip_same_name(value, "cmk") ? RIP_LIGHT_C | RIP_LIGHT_M | RIP_LIGHT_K : -1;
}

uint32_t rip_light_inks_find(unsigned set, const enum rip_ink inks[], uint32_t planes,
			     struct rip_light_plane found[RIP_LIGHT_PLANES_MAX])
{
	uint32_t count = 0;

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		for (uint32_t p = 0; p < planes; p++)
			if (set & pairs[i].in_set && inks[p] == pairs[i].dark &&
			    count < RIP_LIGHT_PLANES_MAX)
				found[count++] = (struct rip_light_plane){ p, pairs[i].light };
	return count;
}
