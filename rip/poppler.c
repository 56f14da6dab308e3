/*
 * Pages that pdftoppm draws, each with a process of its own; pdfinfo tells their sizes.  pdftoppm
 * makes a whole page in memory and writes it row by row, without antialiasing.
 *
 * It can shift a page by whole pixels and scale it, but not turn or mirror it, and it draws in grey
 * and RGB.  What it cannot do is refused, or warned of once in a job.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "gs.h"
#include "system/draw_settings.h"
#include "system/number.h"
#include "system/refuse.h"

#define DOCUMENT  DOCUMENT_(RIP_GS_DOCUMENT)
#define DOCUMENT_(number) DOCUMENT_OF(number)
#define DOCUMENT_OF(number) "/dev/fd/" #number

#define WHITE 255

#define fail(gs, error, ...) rip_refuse_as(error, (gs)->why, sizeof (gs)->why, __VA_ARGS__)

/* ---- processes ---- */

static int start(struct rip_gs *gs, const char *const argv[])
{
	const struct rip_gs_config *config = &gs->config;
	int r;

	rip_gs_process_stop(&gs->process); /* of a page that was given up */
	r = rip_gs_process_start(&gs->process, config->jail, (char *const *)argv,
				     config->document, config->document);

	if (r == -EOPNOTSUPP)
		return rip_gs_jail_refuse(gs->why, sizeof gs->why);
	return r < 0 ? fail(gs, r, "cannot start %s: %s", argv[0], strerror(-r)) : 0;
}

/* A program has ended early, or failed.  error: if it did not fail by itself. */
static int broken(struct rip_gs *gs, const char *name, int error)
{
	struct rip_gs_process *p = &gs->process;

	rip_gs_process_stop(p);
	if (error == -ETIMEDOUT)
		return fail(gs, error, "%s takes longer than the limit of %u second%s (%s)", name,
			    gs->config.page_seconds, gs->config.page_seconds == 1 ? "" : "s",
			    gs->config.page_option);
	if (WIFSIGNALED(p->status))
		return fail(gs, -EPIPE, "%s was ended by signal %d (%s)", name,
			    WTERMSIG(p->status), strsignal(WTERMSIG(p->status)));
	if (strstr(p->complaint, "emory"))
		return fail(gs, -EPIPE, "%s has run out of memory: %s", name, p->complaint);
	if (p->complaint[0])
		return fail(gs, -EBADMSG, "%s: %s", name, p->complaint);
	return fail(gs, error == -EPIPE ? -EBADMSG : error, "%s has ended with status %d", name,
		    WEXITSTATUS(p->status));
}

/* ---- the document ---- */

/* The boxes of a page as pdfinfo tells them: left, bottom, right, top, in points. */
struct boxes {
	unsigned pages;
	int      turn; /* degrees, clockwise */
	double   media[4], crop[4];
	bool     has_media, has_crop;
};

static bool read_box(const char *text, double box[4])
{
	return rip_number_scan(text, "%lf %lf %lf %lf", &box[0], &box[1], &box[2], &box[3]) == 4;
}

/* A line of pdfinfo's.  Those of a page begin with its number. */
static void take_line(struct boxes *boxes, const char *line)
{
	char key[16];
	unsigned page;
	int end = 0;

	if (sscanf(line, "Pages: %u", &boxes->pages) == 1)
		return;
	if (sscanf(line, "Page %u %15[A-Za-z]: %n", &page, key, &end) != 2 || !end)
		return;
	if (!strcmp(key, "rot"))
		sscanf(line + end, "%d", &boxes->turn);
	else if (!strcmp(key, "MediaBox"))
		boxes->has_media = read_box(line + end, boxes->media);
	else if (!strcmp(key, "CropBox"))
		boxes->has_crop = read_box(line + end, boxes->crop);
}

/* Asks pdfinfo for the pages of the document and for a page; 0: for none.  0 or -errno. */
static int ask(struct rip_gs *gs, unsigned number, struct boxes *boxes)
{
	char text[16], line[160];
	const char *const all[] = { "pdfinfo", DOCUMENT, NULL };
	const char *const one[] = { "pdfinfo", "-f", text, "-l", text, "-box", DOCUMENT, NULL };
	struct rip_gs_process *p = &gs->process;
	size_t used = 0;
	int r;

	memset(boxes, 0, sizeof *boxes);
	snprintf(text, sizeof text, "%u", number);
	r = start(gs, number ? one : all);
	while (r == 0 && (r = rip_gs_process_read(p, line + used, 1)) == 0) {
		if (line[used] != '\n') {
			used += used + 2 < sizeof line;
			continue;
		}
		line[used] = '\0';
		used = 0;
		take_line(boxes, line);
	}
	if (p->pid <= 0)
		return r; /* it was not started */
	rip_gs_process_stop(p);
	if (r != -EPIPE || !WIFEXITED(p->status) || WEXITSTATUS(p->status) != 0)
		return broken(gs, "pdfinfo", r);
	return 0;
}

static void warn(const struct rip_gs *gs, const char *text)
{
	if (gs->config.warn)
		gs->config.warn(gs->config.context, text);
}

/* Whether the intent of all objects is among Ghostscript's arguments. */
static bool has_intent(const char *const *arguments)
{
	for (; arguments && *arguments; arguments++)
		if (!strncmp(*arguments, "-dRenderIntent=", 15))
			return true;
	return false;
}

/* What the job wants and this renderer lacks.  0, or -EOPNOTSUPP with the reason. */
static int check(struct rip_gs *gs)
{
	const struct rip_gs_config *config = &gs->config;

	if (config->contone != RIP_CONTONE_GREY && config->contone != RIP_CONTONE_RGB)
		return fail(gs, -EOPNOTSUPP, "pdftoppm draws grey and RGB, and not %s: set "
			    "riptide-renderer = ghostscript in %s",
			    config->contone == RIP_CONTONE_CMYK ? "CMYK" : "separations",
			    rip_draw_settings_path());
	if (atomic_exchange(&config->jail->warned, true))
		return 0;
	if (config->profiled)
		warn(gs, "pdftoppm does not use the printer's profile");
	if (config->by_kind || has_intent(config->arguments))
		warn(gs, "pdftoppm does not use rendering intents, nor profiles of text, graphics "
			 "and images");
	if (config->contone == RIP_CONTONE_GREY && !config->pure_black)
		warn(gs, "pdftoppm does not know the profile of CMYK: 100 % K is full ink");
	if (config->prologue && config->prologue[0])
		warn(gs, "pdftoppm does not smooth images, fill by the centres of pixels, or turn "
			 "colour management off");
	return 0;
}

static int open_document(struct rip_gs *gs)
{
	struct boxes boxes;
	int r;

	gs->process.waited_us = 0;
	if (gs->pages)
		return 0;
	r = check(gs);
	if (r == 0)
		r = ask(gs, 0, &boxes);
	if (r == 0)
		gs->pages = boxes.pages;
	return r;
}

/* ---- a page ---- */

static void swap_if_less(double *low, double *high)
{
	const double keep = *low;

	if (*high < keep) {
		*low = *high;
		*high = keep;
	}
}

/* A point of the document in the page, from its upper left corner. */
static void place_point(const struct boxes *boxes, double x, double y, double at[2])
{
	const double *media = boxes->media;
	const double left = x - media[0], right = media[2] - x;
	const double below = y - media[1], above = media[3] - y;

	switch (boxes->turn) {
	case 90:
		at[0] = below, at[1] = left;
		break;
	case 180:
		at[0] = right, at[1] = below;
		break;
	case 270:
		at[0] = above, at[1] = right;
		break;
	default:
		at[0] = left, at[1] = above;
	}
}

static int find_page(struct rip_gs *gs, unsigned number, struct rip_gs_page *page)
{
	struct boxes boxes;
	double corner[2], other[2];
	int r = ask(gs, number, &boxes);

	page->spots.count = 0;
	gs->transparency = false;
	gs->number = number;
	if (r < 0)
		return r;
	for (int i = 0; i < 2; i++) {
		swap_if_less(&boxes.media[i], &boxes.media[i + 2]);
		swap_if_less(&boxes.crop[i], &boxes.crop[i + 2]);
	}
	if (!boxes.has_media || !(boxes.media[2] > boxes.media[0]) ||
	    !(boxes.media[3] > boxes.media[1]))
		return fail(gs, -EBADMSG, "pdfinfo: the page cannot be found");
	for (int i = 0; i < 4; i++) /* what pages show outside of them is nobody's */
		boxes.crop[i] = i < 2 ? fmax(boxes.crop[i], boxes.media[i]) :
					fmin(boxes.crop[i], boxes.media[i]);
	if (!boxes.has_crop || !(boxes.crop[2] > boxes.crop[0]) ||
	    !(boxes.crop[3] > boxes.crop[1]))
		memcpy(boxes.crop, boxes.media, sizeof boxes.crop);
	boxes.turn = (boxes.turn % 360 + 360) % 360;
	page->width = boxes.media[2] - boxes.media[0];
	page->height = boxes.media[3] - boxes.media[1];
	if (boxes.turn % 180) {
		const double width = page->width;

		page->width = page->height;
		page->height = width;
	}
	if (page->width > RIP_GS_PAGE_MAX || page->height > RIP_GS_PAGE_MAX)
		return fail(gs, -ERANGE, "its size is %g x %g points: at most %.0f are possible",
			    page->width, page->height, RIP_GS_PAGE_MAX);
	place_point(&boxes, boxes.crop[0], boxes.crop[1], corner);
	place_point(&boxes, boxes.crop[2], boxes.crop[3], other);
	for (int i = 0; i < 2; i++) {
		gs->crop[i] = fmin(corner[i], other[i]);
		gs->crop[i + 2] = fmax(corner[i], other[i]);
	}
	gs->height = page->height;
	return 0;
}

/* Reads the header of the picture.  0 or -errno. */
static int read_header(struct rip_gs *gs, uint32_t columns, uint32_t rows)
{
	const char magic = gs->config.contone == RIP_CONTONE_GREY ? '5' : '6';
	char text[64] = "", kind = 0;
	unsigned width = 0, height = 0, most = 0, lines = 0;

	for (size_t i = 0; lines < 3; i++) {
		const int r = rip_gs_process_read(&gs->process, text + i, 1);

		if (r < 0)
			return broken(gs, "pdftoppm", r);
		lines += text[i] == '\n';
		if (i + 2 == sizeof text)
			break;
	}
	if (sscanf(text, "P%c %u %u %u", &kind, &width, &height, &most) == 4 && kind == magic &&
	    width == columns && height == rows && most == 255)
		return 0;
	rip_gs_process_stop(&gs->process);
	return fail(gs, -EPROTO, "pdftoppm has not drawn %" PRIu32 " x %" PRIu32 " pixels, but "
		    "%u x %u", columns, rows, width, height);
}

/* The part of the sheet that the crop box covers, which is what pdftoppm draws. */
static void place_box(struct rip_gs *gs, const int64_t origin[2], const double scale[2],
		      const uint32_t size[2])
{
	for (int i = 0; i < 2; i++) {
		const double most = size[i], low = floor(gs->crop[i] * scale[i]) + origin[i];
		const double high = ceil(gs->crop[i + 2] * scale[i] - 1e-6) + origin[i];

		gs->box[i] = (uint32_t)fmin(fmax(low, 0), most);
		gs->box[i + 2] = (uint32_t)fmin(fmax(high, gs->box[i]), most);
	}
}

static int draw_page(struct rip_gs *gs, uint32_t columns, uint32_t rows, const double m[6],
		     unsigned threads)
{
	const double scale[2] = { m[0], -m[3] };
	const int64_t origin[2] = { llround(m[4]), llround(m[3] * gs->height + m[5]) };
	char number[16], dpi[2][32], box[4][24];
	const char *argv[] = { "pdftoppm", "-f", number, "-l", number, "-rx", dpi[0], "-ry", dpi[1],
			       "-x", box[0], "-y", box[1], "-W", box[2], "-H", box[3], "-aa", "no",
			       "-aaVector", "no", DOCUMENT, NULL, NULL };
	int r;

	(void)threads;
	if (m[1] != 0 || m[2] != 0 || !(m[0] > 0) || !(m[3] < 0))
		return fail(gs, -EOPNOTSUPP, "pdftoppm can neither turn nor mirror pages: set "
			    "riptide-renderer = ghostscript in %s", rip_draw_settings_path());
	place_box(gs, origin, scale, (const uint32_t[2]){ columns, rows });
	gs->columns = columns;
	gs->row = 0;
	gs->drawn++;
	if (gs->box[0] == gs->box[2] || gs->box[1] == gs->box[3])
		return 0; /* nothing of it is on the sheet */
	snprintf(number, sizeof number, "%u", gs->number);
	for (int i = 0; i < 2; i++) {
		rip_number_print(dpi[i], sizeof dpi[i], "%.9g", 72 * scale[i]);
		snprintf(box[i], sizeof box[i], "%lld", (long long)(gs->box[i] - origin[i]));
		snprintf(box[i + 2], sizeof box[i + 2], "%u", gs->box[i + 2] - gs->box[i]);
	}
	if (gs->config.contone == RIP_CONTONE_GREY) {
		argv[21] = "-gray";
		argv[22] = DOCUMENT;
	}
	r = start(gs, argv);
	return r < 0 ? r : read_header(gs, gs->box[2] - gs->box[0], gs->box[3] - gs->box[1]);
}

/* The next row of the sheet. */
static int read_row(struct rip_gs *gs, uint8_t *row)
{
	const size_t samples = gs->samples, size = gs->columns * samples;
	const size_t left = gs->box[0] * samples, right = gs->box[2] * samples;
	const bool is_drawn = gs->row >= gs->box[1] && gs->row < gs->box[3] && right > left;
	int r;

	gs->row++;
	memset(row, WHITE, is_drawn ? left : size);
	if (!is_drawn)
		return 0;
	memset(row + right, WHITE, size - right);
	r = rip_gs_process_read(&gs->process, row + left, right - left);
	return r < 0 ? broken(gs, "pdftoppm", r) : 0;
}

static int read_rows(struct rip_gs *gs, void *to, size_t n)
{
	const size_t size = (size_t)gs->columns * gs->samples;
	uint8_t *row = to;
	int r = 0;

	for (; r == 0 && n >= size; n -= size, row += size)
		r = read_row(gs, row);
	return r;
}

static int end_page(struct rip_gs *gs)
{
	struct rip_gs_process *p = &gs->process;
	char byte;
	int r;

	if (p->pid <= 0)
		return 0;
	r = rip_gs_process_read(p, &byte, 1);
	rip_gs_process_stop(p);
	if (r == 0)
		return fail(gs, -EPROTO, "pdftoppm has drawn more than a page");
	if (r != -EPIPE || !WIFEXITED(p->status) || WEXITSTATUS(p->status) != 0)
		return broken(gs, "pdftoppm", r);
	if (p->complaint[0])
		return fail(gs, 1, "pdftoppm: %s", p->complaint);
	return 0;
}

const struct rip_renderer rip_poppler = {
	.title = "Poppler", .program = "pdftoppm", .second = "pdfinfo", .package = "poppler-utils",
	.open = open_document, .page = find_page, .draw = draw_page, .read = read_rows,
	.end = end_page,
};
