/*
 * Where a chart for ArgyllCMS has its patches: strips of an ink, one under the other, with bars of
 * black or paper between the patches, as printtarg lays them out for an i1 Pro.
 *
 * An ink has RIP_PATCH_STEPS even steps, from paper to solid ink.  They are mixed, so that
 * neighbours differ; what is left of the last strip is paper.  Strips are called A, B ... Z, AA,
 * those of the second ink follow those of the first; patches are counted from 1.
 *
 * Plain values, in pixels from the top left of the page; pure functions.
 */
#ifndef RIP_PATCH_LAYOUT_H
#define RIP_PATCH_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define RIP_PATCH_STEPS 33

struct rip_patch_layout {
	unsigned rows;          /* patches of a strip */
	unsigned strips;        /* of an ink */
	uint32_t x, y;          /* the first patch */
	uint32_t width, height; /* of a patch */
	uint32_t bar;           /* height of a bar */
	uint32_t pitch;         /* from strip to strip */
	uint32_t left, top, right, bottom; /* what the marks in the corners span */
};

struct rip_patch_box {
	uint32_t x, y, width, height;
};

/* Lays out the patches of an ink in this box of the page.  false: it is too small. */
bool rip_patch_layout_make(struct rip_patch_layout *layout, uint32_t dpi, uint32_t left,
			   uint32_t top, uint32_t width, uint32_t height);

/* The patches of an ink are rows * strips, one strip after the other. */
static inline unsigned rip_patch_count(const struct rip_patch_layout *layout)
{
	return layout->rows * layout->strips;
}

/* A patch's step, 0 to RIP_PATCH_STEPS - 1; -1: paper behind the last step. */
int rip_patch_step(unsigned patch);

/* The place of a patch, and of the bar above a row of a strip (row `rows`: below the last one). */
struct rip_patch_box rip_patch_box(const struct rip_patch_layout *layout, unsigned patch);
struct rip_patch_box rip_patch_bar(const struct rip_patch_layout *layout, unsigned strip,
				   unsigned row);

/* Whether that bar is black: whichever differs most from its neighbours. */
bool rip_patch_bar_is_black(const struct rip_patch_layout *layout, unsigned strip, unsigned row);

/* The name of a strip, counted over all inks. */
#define RIP_PATCH_NAME_MAX 4
void rip_patch_strip_name(unsigned strip, char name[RIP_PATCH_NAME_MAX]);

#endif
