/*
 * The wedge in a scan.
 *
 * A line through the middle of a mark crosses black, paper, black, paper and black with the
 * lengths 1:1:3:1:1, at any scale; so rows are searched for such runs, and columns confirm them.
 * Of all places found, the four that lie as the wedge's marks do are the marks.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"
#include "calibrate.h"

#define PLACES_MAX   64
#define MODULE_LEAST 3.0 /* pixels */
#define STEPS (RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS)

struct place {
	double x, y, module; /* means */
	unsigned count;      /* of rows that found it */
};

struct search {
	const struct rip_scan *scan;
	uint8_t  threshold; /* black is below */
	unsigned count;
	struct place place[PLACES_MAX];
};

/* Pixels of the frame's unit vectors, and of its origin. */
struct frame {
	double x, y, ux, uy, vx, vy;
};

static bool is_black(const struct search *search, double x, double y)
{
	const struct rip_scan *scan = search->scan;

	return x >= 0 && y >= 0 && x < scan->width && y < scan->height &&
	       scan->grey[(size_t)y * scan->width + (size_t)x] < search->threshold;
}

/* Half of what 95 % of the pixels are darker than: paper. */
static uint8_t find_threshold(const struct rip_scan *scan)
{
	const size_t pixels = (size_t)scan->width * scan->height;
	size_t histogram[256] = { 0 }, sum = 0;
	int paper = 255;

	for (size_t i = 0; i < pixels; i++)
		histogram[scan->grey[i]]++;
	while (paper > 0 && sum < pixels / 20)
		sum += histogram[paper--];
	return (uint8_t)(paper / 2 + 1);
}

/* Whether five runs are 1:1:3:1:1; the module's length. */
static bool fits(const double runs[5], double *module)
{
	static const double parts[5] = { 1, 1, 3, 1, 1 };
	double total = 0;

	for (int i = 0; i < 5; i++)
		total += runs[i];
	*module = total / 7;
	if (*module < MODULE_LEAST)
		return false;
	for (int i = 0; i < 5; i++)
		if (fabs(runs[i] - parts[i] * *module) > .6 * *module)
			return false;
	return true;
}

/* Follows a line (dx or dy is 1) from the middle of a mark to both of its edges.  Returns whether
 * it is one, with the middle of the line and the module. */
static bool cross(const struct search *search, double *x, double *y, int dx, int dy, double most,
		  double *module)
{
	double runs[5] = { 0 }, ends[2] = { 0 };

	for (int side = 0; side < 2; side++) {
		const int sign = side ? 1 : -1;
		double at = side ? 1 : 0; /* the middle counts once */

		for (int run = 0; run < 3; run++) {
			const bool black = run != 1;
			double length = 0;

			while (length <= 4 * most && black ==
			       is_black(search, *x + sign * at * dx, *y + sign * at * dy)) {
				length++;
				at++;
			}
			runs[2 + sign * run] += length;
		}
		ends[side] = at;
	}
	*x += dx * (ends[1] - ends[0]) / 2;
	*y += dy * (ends[1] - ends[0]) / 2;
	return fits(runs, module) && *module < 2 * most;
}

static void add_place(struct search *search, double x, double y, double module)
{
	struct place *place;

	for (unsigned i = 0; i < search->count; i++) {
		place = &search->place[i];
		if (hypot(place->x - x, place->y - y) < 2 * module) {
			place->x += (x - place->x) / (place->count + 1);
			place->y += (y - place->y) / (place->count + 1);
			place->module += (module - place->module) / (place->count + 1);
			place->count++;
			return;
		}
	}
	if (search->count < PLACES_MAX)
		search->place[search->count++] = (struct place){ x, y, module, 1 };
}

/* Five runs that end before column x of a row fit: asks the columns and the row again. */
static void confirm(struct search *search, const double runs[5], double x, double y)
{
	double module, column_module, row_module;
	double middle = x - runs[4] - runs[3] - runs[2] / 2;

	if (!fits(runs, &module) || !cross(search, &middle, &y, 0, 1, module, &column_module) ||
	    !cross(search, &middle, &y, 1, 0, module, &row_module))
		return;
	if (column_module < 1.4 * row_module && row_module < 1.4 * column_module)
		add_place(search, middle, y, (column_module + row_module) / 2);
}

static void search_row(struct search *search, uint32_t y)
{
	double runs[5] = { 0 };
	bool black = false;

	for (uint32_t x = 0; x <= search->scan->width; x++) {
		const bool now = x < search->scan->width && is_black(search, x, y);

		if (now != black) {
			if (black)
				confirm(search, runs, x, y);
			memmove(runs, runs + 1, 4 * sizeof *runs);
			runs[4] = 0;
			black = now;
		}
		runs[4]++;
	}
}

static double nearest(const struct search *search, double x, double y)
{
	double best = HUGE_VAL;

	for (unsigned i = 0; i < search->count; i++)
		best = fmin(best, hypot(search->place[i].x - x, search->place[i].y - y));
	return best;
}

/* Takes two places as the marks at the top, and looks for the others where they must be.  Returns
 * how far, in units, they are off. */
static double try_frame(const struct search *search, const struct place *left,
			const struct place *right, struct frame *frame)
{
	double unit, off = 0;

	*frame = (struct frame){
		.x = left->x, .y = left->y,
		.ux = (right->x - left->x) / RIP_WEDGE_WIDTH,
		.uy = (right->y - left->y) / RIP_WEDGE_WIDTH,
	};
	frame->vx = -frame->uy;
	frame->vy = frame->ux;
	unit = hypot(frame->ux, frame->uy);
	if (left->module < .7 * unit || left->module > 1.4 * unit)
		return HUGE_VAL;
	for (int i = 2; i < RIP_WEDGE_MARKS; i++)
		off = fmax(off, nearest(search, frame->x + rip_wedge_marks[i].x * frame->ux +
						rip_wedge_marks[i].y * frame->vx,
					frame->y + rip_wedge_marks[i].x * frame->uy +
						rip_wedge_marks[i].y * frame->vy) / unit);
	return off;
}

static double light_of(uint8_t value)
{
	const double v = value / 255.0;

	return v <= .04045 ? v / 12.92 : pow((v + .055) / 1.055, 2.4);
}

/* The mean light of a box around a place in the frame. */
static double mean_light(const struct rip_scan *scan, const struct frame *frame,
			 const double table[256], double x, double y, double width, double height)
{
	const double unit = hypot(frame->ux, frame->uy);
	const int columns = (int)(width * unit) + 1, rows = (int)(height * unit) + 1;
	double sum = 0;
	size_t count = 0;

	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++) {
			const double a = x + ((j + .5) / columns - .5) * width;
			const double b = y + ((i + .5) / rows - .5) * height;
			const double px = frame->x + a * frame->ux + b * frame->vx;
			const double py = frame->y + a * frame->uy + b * frame->vy;

			if (px < 0 || py < 0 || px >= scan->width || py >= scan->height)
				continue;
			sum += table[scan->grey[(size_t)py * scan->width + (size_t)px]];
			count++;
		}
	return count ? sum / count : 0;
}

static void read_steps(const struct rip_scan *scan, const struct frame *frame, double light[STEPS])
{
	double table[256];

	for (int i = 0; i < 256; i++)
		table[i] = light_of((uint8_t)i);
	for (unsigned i = 0; i < STEPS; i++) {
		const double x = rip_wedge_x(i), y = rip_wedge_y(i);
		const double side = (RIP_WEDGE_DX - RIP_WEDGE_PATCH_WIDTH) / 2; /* half of a gap */
		double paper = 0;

		paper += mean_light(scan, frame, table, x - RIP_WEDGE_DX / 2, y, side, side);
		paper += mean_light(scan, frame, table, x + RIP_WEDGE_DX / 2, y, side, side);
		paper += mean_light(scan, frame, table, x, y - RIP_WEDGE_DY / 2, side, side);
		paper += mean_light(scan, frame, table, x, y + RIP_WEDGE_DY / 2, side, side);
		light[i] = mean_light(scan, frame, table, x, y, .7 * RIP_WEDGE_PATCH_WIDTH,
				      .7 * RIP_WEDGE_PATCH_HEIGHT) / fmax(paper / 4, 1e-3);
	}
}

int rip_scan_wedge(const struct rip_scan *scan, double light[STEPS])
{
	struct search *search = calloc(1, sizeof *search);
	struct frame frame, best = { 0 };
	double least = 1.5; /* units */
	unsigned places;

	if (!search)
		return rip_complain(-ENOMEM, "%s: out of memory", scan->name);
	search->scan = scan;
	search->threshold = find_threshold(scan);
	for (uint32_t y = 0; y < scan->height; y++)
		search_row(search, y);
	for (unsigned i = 0; i < search->count; i++)
		for (unsigned j = 0; j < search->count; j++) {
			const double off = i == j ? HUGE_VAL :
				try_frame(search, &search->place[i], &search->place[j], &frame);

			if (off < least) {
				least = off;
				best = frame;
			}
		}
	places = search->count;
	free(search);
	if (best.ux == 0 && best.uy == 0)
		return rip_complain(-EBADMSG, "%s: the wedge's four marks are not there"
				    " (%u places look like one): scan the whole chart, flat,"
				    " with 200 to 600 dpi", scan->name, places);
	read_steps(scan, &best, light);
	return 0;
}
