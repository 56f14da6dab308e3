/*
 * The charts of `riptide target`, page by page.
 *
 * All tints are halftoned here, at the resolution of the printer, so that a page consists of
 * dots and paper only.  Such samples pass through every filter and curve unchanged.
 */
#ifndef RIP_TARGET_PAGES_H
#define RIP_TARGET_PAGES_H

#include "chart.h"
#include "halftone/screen/mask_screen.h"
#include "tone/ink_name.h"
#include "patch_layout.h"

#define RIP_TARGET_SCREENS_MAX 2
#define RIP_TARGET_SCREENS "blue-noise-mask,clustered" /* of a chart, unless others are asked for */
#define RIP_TARGET_INKS_MAX 4

/* Lines of this many pixels, in which the ink has 2, 4, 8, 12 or 14. */
#define RIP_TARGET_PERIOD 16

/* Tints beside lines; steps for a scanner; patches for ArgyllCMS. */
enum rip_target_chart { RIP_TARGET_EYE, RIP_TARGET_WEDGE, RIP_TARGET_PATCHES };

#define RIP_TARGET_COMMAND_MAX 400 /* bytes */

struct rip_target_plan {
	enum rip_target_chart chart;
	uint32_t      dpi;
	uint32_t      levels;        /* of the dots: 2, 4 or 16 */
	uint32_t      width, height; /* of the page, pixels */
	uint32_t      margin;        /* that the printer leaves free, pixels */
	const char   *larger;        /* how the user gets larger paper, for messages */
	const char   *command;       /* that calibrates by the chart, without FILE */
	char          inks[RIP_INK_LETTERS]; /* such as "CMYK" */
	unsigned      screens;
	const char   *screen[RIP_TARGET_SCREENS_MAX]; /* names */
	unsigned      rows_on_page;  /* of the chart by eye */
	unsigned      pages_of_ink;
	struct rip_patch_layout patches; /* of the chart for ArgyllCMS */
	struct rip_engine *engine;
};

/* How many lines are read by eye, and how much of each is ink, in thousandths. */
#define RIP_TARGET_LINES 5
extern const unsigned rip_target_lines[RIP_TARGET_LINES];

/* The first and the last tint beside each of these lines, in percent. */
struct rip_target_tints {
	unsigned first, last;
};
extern const struct rip_target_tints rip_target_tints[RIP_TARGET_LINES];

/* The screen of a name at the plan's resolution for an ink.  mask: memory for it.  0, or
 * -errno and why. */
int rip_target_screen(const char *name, uint32_t dpi, char ink, struct rip_mask_screen *mask,
		      const struct rip_screen **screen, char *why, size_t size);

/* Completes a plan, whose pages then are counted, and tries its screens.  0, or -errno and why
 * (size bytes). */
int rip_target_prepare(struct rip_target_plan *plan, char *why, size_t size);

/* Pages of the whole target. */
unsigned rip_target_pages(const struct rip_target_plan *plan);

/* The letter of the ink of a page, 0 to rip_target_pages() - 1. */
char rip_target_page_ink(const struct rip_target_plan *plan, unsigned page);

/* Draws a page, which is to be finished.  0 or -errno. */
int rip_target_page(const struct rip_target_plan *plan, unsigned page, struct rip_chart *chart);

#endif
