/* The patterns of dots that screens make. */
#include "tone/pattern.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "halftone/screen/mask.h"

/* From this family on, a cell is so large that its first pixels, whether they come one by one or
 * four at once, do not change its pattern. */
#define LARGE_CELL 10

static bool same_cells(const struct rip_cell_table *a, const struct rip_cell_table *b)
{
	return a->a == b->a && a->b == b->b && a->n == b->n;
}

const struct rip_pattern *rip_pattern_find(const char *name)
{
	for (const struct rip_pattern *pattern = rip_patterns; pattern->name[0]; pattern++)
		if (!strcmp(pattern->name, name))
			return pattern;
	return NULL;
}

static const struct rip_pattern *find_cells(const struct rip_mask_recipe *recipe)
{
	char name[sizeof rip_patterns->name];

	for (int s = 0; s < RIP_CELL_SETS; s++) {
		const struct rip_cell_inks *inks = &rip_cell_sets[s];
		const char *ink = same_cells(recipe->cells, &inks->black) ? "black" :
				  same_cells(recipe->cells, &inks->cyan) ? "cyan" :
				  same_cells(recipe->cells, &inks->yellow) ? "yellow" : NULL;

		if (!ink)
			continue;
		snprintf(name, sizeof name, "%s-%d-%s%s",
			 s < RIP_CELL_FAMILIES ? "cells" : "rosette", inks->black.a, ink,
			 recipe->first > 1 && inks->black.a < LARGE_CELL ? "-fours" : "");
		return rip_pattern_find(name);
	}
	return NULL;
}

const struct rip_pattern *rip_pattern_of(const struct rip_screen *screen, uint32_t plane)
{
	const struct rip_mask_recipe *recipe;

	if (screen->kind == RIP_SCREEN_BI_LEVEL)
		return NULL;
	if (screen->kind != RIP_SCREEN_MASK)
		return rip_pattern_find(rip_screen_couples(screen) ?
					rip_screens[RIP_BLUE_NOISE].name : screen->name);
	recipe = rip_mask_recipe_of(screen->masks[plane]);
	switch (recipe->kind) {
	case RIP_MASK_CELLS:
		return find_cells(recipe);
	case RIP_MASK_BAYER:
		return rip_pattern_find("bayer");
	default:
		return rip_pattern_find("blue-noise-mask");
	}
}

const struct rip_pattern *rip_pattern_reference(void)
{
	return rip_pattern_find("cells-4-black");
}
