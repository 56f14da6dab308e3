#include "target.h"

#include <stdio.h>
#include <string.h>

#include "system/ascii.h"
#include "system/refuse.h"

/* The chart by eye, in millimetres.  A row has lines above and below its tints. */
#define ROW        21.5
#define ROW_LABEL  3.2
#define ROW_LINES  4.0
#define ROW_TINTS  5.5
#define ROW_NUMBER 0.8 /* below the lines */
#define HEADER     18.0
#define TINT       6.0 /* width, where there is room */
#define TINT_LEAST 2.4
#define TEXT       2.1 /* height */

const unsigned rip_target_lines[RIP_TARGET_LINES] = { 125, 250, 500, 750, 875 };

/* The tints beside each, in percent, in steps of 2: around what printers without a curve need,
 * which gain more in tints than in lines. */
const struct rip_target_tints rip_target_tints[RIP_TARGET_LINES] = {
	{ 2, 24 }, { 4, 40 }, { 10, 68 }, { 26, 86 }, { 38, 98 },
};

#define TINTS_MAX 31

static uint32_t pixels(const struct rip_target_plan *plan, double mm)
{
	return (uint32_t)(mm * plan->dpi / 25.4 + .5);
}

int rip_target_screen(const char *name, uint32_t dpi, char ink, struct rip_mask_screen *mask,
		      const struct rip_screen **screen, char *why, size_t size)
{
	const struct rip_mask_use use = {
		.x_dpi = dpi, .y_dpi = dpi, .planes = 1, .inks = { rip_ink_of_letter(ink) },
	};
	const int id = rip_screen_find(name);
	int r;

	if (id >= 0) {
		*screen = &rip_screens[id];
		return 0;
	}
	r = rip_mask_screen_init(mask, name, &use, why, size);
	*screen = &mask->base;
	return r;
}

static uint32_t usable(const struct rip_target_plan *plan)
{
	return plan->width > 2 * plan->margin ? plan->width - 2 * plan->margin : 0;
}

/* The width of a tint. */
static uint32_t tint_width(const struct rip_target_plan *plan)
{
	const uint32_t wide = pixels(plan, TINT), fits = usable(plan) / TINTS_MAX;

	return fits < wide ? fits : wide;
}

/* Pixels below the header. */
static uint32_t below(const struct rip_target_plan *plan)
{
	const uint32_t taken = 2 * plan->margin + pixels(plan, HEADER);

	return plan->height > taken ? plan->height - taken : 0;
}

/* Pixels of a unit of the wedge's frame, with its marks. */
static double wedge_unit(const struct rip_target_plan *plan)
{
	const double wide = usable(plan) / (RIP_WEDGE_WIDTH + 7 * RIP_WEDGE_MODULE);
	const double high = below(plan) / (RIP_WEDGE_HEIGHT + 7 * RIP_WEDGE_MODULE);
	const double fits = wide < high ? wide : high, unit = plan->dpi / 25.4;

	return fits < unit ? fits : unit;
}

static int too_small(const struct rip_target_plan *plan, char *why, size_t size, const char *chart)
{
	return rip_refuse(why, size, "the paper is too small for %s: %s", chart, plan->larger);
}

int rip_target_prepare(struct rip_target_plan *plan, char *why, size_t size)
{
	for (unsigned i = 0; i < plan->screens; i++)
		for (const char *ink = plan->inks; *ink; ink++) {
			struct rip_mask_screen mask;
			const struct rip_screen *screen;
			int r = rip_target_screen(plan->screen[i], plan->dpi, *ink, &mask, &screen,
						  why, size);

			if (r < 0)
				return r;
		}
	if (plan->chart == RIP_TARGET_PATCHES) {
		const uint32_t top = plan->margin + pixels(plan, HEADER);

		plan->pages_of_ink = 1;
		return plan->height > top + plan->margin &&
		       rip_patch_layout_make(&plan->patches, plan->dpi, plan->margin, top,
					     usable(plan), plan->height - top - plan->margin) ? 0 :
		       too_small(plan, why, size, "the patches");
	}
	if (plan->chart == RIP_TARGET_WEDGE) {
		/* Half of its size is the least: a step is then 5 mm wide. */
		if (wedge_unit(plan) < plan->dpi / 50.8)
			return too_small(plan, why, size, "the wedge");
		plan->pages_of_ink = 1;
		return 0;
	}
	if (tint_width(plan) < pixels(plan, TINT_LEAST) || below(plan) < pixels(plan, ROW))
		return too_small(plan, why, size, "tints beside lines");
	plan->rows_on_page = below(plan) / pixels(plan, ROW);
	plan->pages_of_ink = (plan->screens * RIP_TARGET_LINES + plan->rows_on_page - 1) /
			     plan->rows_on_page;
	return 0;
}

unsigned rip_target_pages(const struct rip_target_plan *plan)
{
	return (unsigned)strlen(plan->inks) * plan->pages_of_ink;
}

char rip_target_page_ink(const struct rip_target_plan *plan, unsigned page)
{
	return plan->inks[page / plan->pages_of_ink];
}

/* A text of at most this height that fits the width of the page. */
static void put_text(const struct rip_target_plan *plan, struct rip_chart *chart, uint32_t y,
		     double mm, const char *text)
{
	const uint32_t tall = pixels(plan, mm) / 7;
	const uint32_t wide = usable(plan) / (6 * (uint32_t)strlen(text));
	const uint32_t scale = tall < wide ? tall : wide;

	rip_chart_text(chart, plan->margin, y, scale ? scale : 1, text);
}

static void put_header(const struct rip_target_plan *plan, struct rip_chart *chart, char ink,
		       const char *const lines[3])
{
	const char *name = rip_ink_full_name(rip_ink_of_letter(ink));
	char title[120], levels[24] = "";

	if (plan->levels > 2)
		snprintf(levels, sizeof levels, ", %u levels", plan->levels);
	snprintf(title, sizeof title, "riptide target: %c%s, %u dpi%s", rip_lower(*name), name + 1,
		 plan->dpi, levels);
	put_text(plan, chart, plan->margin, 3, title);
	/* Curves would change what is neither paper nor full ink. */
	for (unsigned i = 0; i < 3; i++)
		put_text(plan, chart, plan->margin + pixels(plan, 4.5 + 4 * i), TEXT,
			 i < 2 || plan->levels == 2 ? lines[i] :
			 "Print with halftone-calibration, -dot-gain, -drops, -light-inks = none");
}

static int put_row(const struct rip_target_plan *plan, struct rip_chart *chart, char ink,
		   unsigned screen_number, unsigned line, uint32_t y)
{
	const uint32_t width = tint_width(plan), x = plan->margin;
	const uint32_t lines = RIP_TARGET_PERIOD * rip_target_lines[line] / 1000;
	const uint32_t high = pixels(plan, ROW_LINES), tint = pixels(plan, ROW_TINTS);
	const char *name = plan->screen[screen_number];
	struct rip_mask_screen mask;
	const struct rip_screen *screen;
	uint16_t tones[TINTS_MAX];
	unsigned count = 0;
	uint32_t scale;
	char text[80];
	int r = rip_target_screen(name, plan->dpi, ink, &mask, &screen, text, sizeof text);

	if (r < 0)
		return r;
	for (unsigned t = rip_target_tints[line].first; t <= rip_target_tints[line].last; t += 2)
		tones[count++] = (uint16_t)((65535 * t + 50) / 100);
	snprintf(text, sizeof text, "%s%s%s:%u%s=", ink == 'K' ? "" : (char[]){ ink, 0 },
		 ink == 'K' ? "" : ":", name, rip_target_lines[line] / 10,
		 rip_target_lines[line] % 10 ? ".5" : "");
	put_text(plan, chart, y, TEXT, text);
	y += pixels(plan, ROW_LABEL);
	rip_chart_lines(chart, x, y, width * count, high, RIP_TARGET_PERIOD, lines, true);
	r = rip_chart_tints(chart, plan->engine, screen, x, y + high, width, tint, count, tones);
	rip_chart_lines(chart, x, y + high + tint, width * count, high, RIP_TARGET_PERIOD, lines,
			false);
	scale = width / 14 < pixels(plan, TEXT) / 7 ? width / 14 : pixels(plan, TEXT) / 7;
	for (unsigned i = 0; i < count; i++) {
		const int n = snprintf(text, sizeof text, "%u",
				       rip_target_tints[line].first + 2 * i);

		rip_chart_text(chart, x + i * width + (width - 6 * scale * (uint32_t)n) / 2,
			       y + 2 * high + tint + pixels(plan, ROW_NUMBER),
			       scale ? scale : 1, text);
	}
	return r;
}

static int draw_eye(const struct rip_target_plan *plan, struct rip_chart *chart, unsigned page)
{
	char command[RIP_TARGET_COMMAND_MAX + 40];
	const char *const lines[3] = {
		"Step back until the lines melt."
		" In each row, find the tint that vanishes between them.",
		command,
		"Keep this sheet flat, and look at it in daylight.",
	};
	const char ink = rip_target_page_ink(plan, page);
	const unsigned first = page % plan->pages_of_ink * plan->rows_on_page;
	int r = 0;

	snprintf(command, sizeof command, "This command asks for its number: %s", plan->command);
	put_header(plan, chart, ink, lines);
	for (unsigned i = 0; r == 0 && i < plan->rows_on_page; i++) {
		const unsigned row = first + i;

		if (row / RIP_TARGET_LINES < plan->screens)
			r = put_row(plan, chart, ink,
				    row / RIP_TARGET_LINES, row % RIP_TARGET_LINES,
				    plan->margin + pixels(plan, HEADER) + i * pixels(plan, ROW));
	}
	return r;
}

static void put_square(struct rip_chart *chart, double x, double y, double side, bool black)
{
	const int64_t left = (int64_t)(x - side / 2 + .5), right = (int64_t)(x + side / 2 + .5);
	const int64_t top = (int64_t)(y - side / 2 + .5), bottom = (int64_t)(y + side / 2 + .5);

	rip_chart_mark(chart, left, top, (uint32_t)(right - left), (uint32_t)(bottom - top), black);
}

static int draw_wedge(const struct rip_target_plan *plan, struct rip_chart *chart, unsigned page)
{
	const char ink = rip_target_page_ink(plan, page);
	char command[RIP_TARGET_COMMAND_MAX + 40];
	const char *const lines[3] = {
		ink == 'K' ?
		"Scan this sheet with 200 to 600 dpi, in colour or grey, without corrections." :
		"Scan this sheet with 200 to 600 dpi, in colour, without corrections.",
		command,
		"Nothing may cover the four marks.",
	};
	const double unit = wedge_unit(plan), module = RIP_WEDGE_MODULE * unit;
	const double left = plan->margin + 3.5 * module;
	const double top = plan->margin + pixels(plan, HEADER) + 3.5 * module;
	int r = 0;

	snprintf(command, sizeof command, "Then: %s%s%.1s FILE",
		 plan->command, ink == 'K' ? "" : " --ink ", ink == 'K' ? "" : &ink);
	put_header(plan, chart, ink, lines);
	for (unsigned i = 0; i < RIP_WEDGE_MARKS; i++) {
		const double x = left + rip_wedge_marks[i].x * unit;
		const double y = top + rip_wedge_marks[i].y * unit;

		put_square(chart, x, y, 7 * module, true);
		put_square(chart, x, y, 5 * module, false);
		put_square(chart, x, y, 3 * module, true);
	}
	for (unsigned i = 0; r == 0 && i < RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS; i++) {
		const char *name = plan->screen[i / RIP_WEDGE_STEPS % plan->screens];
		const uint16_t tone = (uint16_t)rip_wedge_tone(i);
		const double x = rip_wedge_x(i) - RIP_WEDGE_PATCH_WIDTH / 2;
		const double y = rip_wedge_y(i) - RIP_WEDGE_PATCH_HEIGHT / 2;
		struct rip_mask_screen mask;
		const struct rip_screen *screen;
		char why[80];

		r = rip_target_screen(name, plan->dpi, ink, &mask, &screen, why, sizeof why);
		if (r == 0)
			r = rip_chart_tints(chart, plan->engine, screen,
					    (int64_t)(left + x * unit), (int64_t)(top + y * unit),
					    (uint32_t)(RIP_WEDGE_PATCH_WIDTH * unit),
					    (uint32_t)(RIP_WEDGE_PATCH_HEIGHT * unit), 1, &tone);
	}
	return r;
}

/* The steps of an ink and the bars between them. */
static int draw_strips(const struct rip_target_plan *plan, struct rip_chart *chart,
		       const struct rip_screen *screen)
{
	const struct rip_patch_layout *layout = &plan->patches;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < rip_patch_count(layout); i++) {
		const int step = rip_patch_step(i);
		const struct rip_patch_box box = rip_patch_box(layout, i);
		const uint16_t tone = (uint16_t)(65535 * step / (RIP_PATCH_STEPS - 1));

		if (step > 0)
			r = rip_chart_tints(chart, plan->engine, screen, box.x, box.y, box.width,
					    box.height, 1, &tone);
	}
	for (unsigned strip = 0; strip < layout->strips; strip++)
		for (unsigned row = 0; row <= layout->rows; row++) {
			const struct rip_patch_box box = rip_patch_bar(layout, strip, row);

			if (rip_patch_bar_is_black(layout, strip, row))
				rip_chart_mark(chart, box.x, box.y, box.width, box.height, true);
		}
	return r;
}

/* A cross, whose middle scanin is told. */
static void put_cross(const struct rip_target_plan *plan, struct rip_chart *chart,
		      uint32_t x, uint32_t y)
{
	const uint32_t arm = pixels(plan, 1.5), half = pixels(plan, .15);

	rip_chart_mark(chart, (int64_t)x - arm, (int64_t)y - half, 2 * arm, 2 * half, true);
	rip_chart_mark(chart, (int64_t)x - half, (int64_t)y - arm, 2 * half, 2 * arm, true);
}

static int draw_patches(const struct rip_target_plan *plan, struct rip_chart *chart, unsigned page)
{
	const struct rip_patch_layout *layout = &plan->patches;
	const char ink = rip_target_page_ink(plan, page);
	const uint32_t scale = pixels(plan, TEXT) / 7 ? pixels(plan, TEXT) / 7 : 1;
	char why[80], command[RIP_TARGET_COMMAND_MAX + 40];
	const char *const lines[3] = {
		"Measure the strips with ArgyllCMS:"
		" chartread, with the name of this chart's files.",
		command,
		"The crosses are for scanin.",
	};
	struct rip_mask_screen mask;
	const struct rip_screen *screen;
	int r = rip_target_screen(plan->screen[0], plan->dpi, ink, &mask, &screen, why, sizeof why);

	snprintf(command, sizeof command, "Then: %s FILE.ti3, or printcal.", plan->command);
	put_header(plan, chart, ink, lines);
	if (r == 0)
		r = draw_strips(plan, chart, screen);
	for (unsigned strip = 0; strip < layout->strips; strip++) {
		char name[RIP_PATCH_NAME_MAX];

		rip_patch_strip_name(page * layout->strips + strip, name);
		rip_chart_text(chart, layout->x + strip * layout->pitch + pixels(plan, 3),
			       layout->y - pixels(plan, 5), scale, name);
	}
	for (unsigned row = 0; row < layout->rows; row++) {
		char number[12];

		snprintf(number, sizeof number, "%u", row + 1);
		rip_chart_text(chart, layout->x - pixels(plan, 6), rip_patch_box(layout, row).y +
			       pixels(plan, 4), scale, number);
	}
	put_cross(plan, chart, layout->left, layout->top);
	put_cross(plan, chart, layout->right, layout->top);
	put_cross(plan, chart, layout->right, layout->bottom);
	put_cross(plan, chart, layout->left, layout->bottom);
	return r;
}

int rip_target_page(const struct rip_target_plan *plan, unsigned page, struct rip_chart *chart)
{
	int r = rip_chart_new(chart, plan->width, plan->height, plan->levels,
			      rip_target_page_ink(plan, page) != 'K');

	if (r < 0)
		return r;
	switch (plan->chart) {
	case RIP_TARGET_EYE:
		return draw_eye(plan, chart, page);
	case RIP_TARGET_WEDGE:
		return draw_wedge(plan, chart, page);
	default:
		return draw_patches(plan, chart, page);
	}
}
