#include "target_command.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/complain.h"
#include "option.h"
#include "paper_size.h"
#include "queue_ppd.h"
#include "target_file.h"
#include "target_pages.h"
#include "terminal.h"

#define COMMAND "target"

#define MARGIN_MM 10.0 /* of a PDF: what printers leave free, and some more */

static const char help[] =
	"Usage: riptide target [OPTION]... [-o OUT]\n"
	"Makes a chart to print, from which riptide calibrate learns how a printer prints.\n"
	"\n"
	"  --wedge               steps for a scanner; without it: lines and tints to compare by eye\n"
	"  --screens LIST        one or two screens (blue-noise-mask,clustered)\n"
	"  --inks LETTERS        inks, a page or more for each: C, M, Y, K (the queue's, or K)\n"
	"  --queue QUEUE         a raster file for this queue, to print with lp\n"
	"  --ppd FILE            the same for a queue with this PPD\n"
	"  --resolution DPI      dots an inch, of a PDF or PBM (600)\n"
	"  --paper NAME          paper, of a PDF or PBM (A4)\n"
	"  --format FORMAT       pdf, raster or pbm (raster with --queue or --ppd, else pdf)\n"
	"  -o, --output OUT      write to OUT\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide(1).\n";

enum { WEDGE = RIP_OPTION_OWN, SCREENS, INKS, QUEUE, PPD, RESOLUTION, PAPER, FORMAT };

static const struct option long_options[] = {
	{ "wedge", no_argument, NULL, WEDGE },
	{ "screens", required_argument, NULL, SCREENS },
	{ "inks", required_argument, NULL, INKS },
	{ "queue", required_argument, NULL, QUEUE },
	{ "ppd", required_argument, NULL, PPD },
	{ "resolution", required_argument, NULL, RESOLUTION },
	{ "paper", required_argument, NULL, PAPER },
	{ "format", required_argument, NULL, FORMAT },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

struct target {
	const char *queue, *ppd, *inks, *screens, *paper, *format, *out;
	unsigned    x_dpi, y_dpi; /* 0: not given */
	struct rip_target_plan plan;
	struct rip_target_file file;
	struct rip_out_file    output;
	char                  *names; /* the screens, which the plan points into */
	cups_page_header2_t    header;
	struct rip_geometry    geometry;
};

static int parse_option(struct target *target, int option, const char *value, char **argv)
{
	switch (option) {
	case WEDGE:
		target->plan.chart = RIP_TARGET_WEDGE;
		return RIP_GO_ON;
	case SCREENS:
		target->screens = value;
		return RIP_GO_ON;
	case INKS:
		target->inks = value;
		return RIP_GO_ON;
	case QUEUE:
		target->queue = value;
		return RIP_GO_ON;
	case PPD:
		target->ppd = value;
		return RIP_GO_ON;
	case RESOLUTION:
		return rip_option_resolution(COMMAND, value, &target->x_dpi, &target->y_dpi);
	case PAPER:
		target->paper = value;
		return RIP_GO_ON;
	case FORMAT:
		target->format = value;
		return RIP_GO_ON;
	case 'o':
		target->out = value;
		return RIP_GO_ON;
	case 'h':
		fputs(help, stdout);
		return 0;
	default:
		return rip_option_bad(COMMAND, option, argv);
	}
}

/* The screens of the list; the names' memory is the target's. */
static int parse_screens(struct target *target)
{
	struct rip_target_plan *plan = &target->plan;
	char *rest;

	target->names = strdup(target->screens ? target->screens : RIP_TARGET_SCREENS);
	if (!target->names)
		return rip_complain(1, "out of memory");
	rest = target->names;
	for (char *name; (name = strsep(&rest, ","));) {
		struct rip_screen_option screen;
		int status = rip_option_screen(COMMAND, name, &screen);

		if (status != RIP_GO_ON)
			return status;
		if (plan->screens == RIP_TARGET_SCREENS_MAX)
			return rip_wrong_usage(COMMAND, "--screens takes one or two screens");
		if (screen.mask && !strcasecmp(screen.mask, "bi-level"))
			return rip_wrong_usage(COMMAND, "bi-level has no tints to calibrate");
		plan->screen[plan->screens++] = name;
	}
	return RIP_GO_ON;
}

static int parse_inks(struct target *target, const char *possible)
{
	const char *inks = target->inks ? target->inks : possible ? possible : "K";
	const size_t length = strlen(inks);

	if (length < 1 || length > RIP_TARGET_INKS_MAX || strspn(inks, "CMYK") != length)
		return rip_wrong_usage(COMMAND, "--inks \"%s\": it takes letters of C, M, Y and K", inks);
	for (const char *c = inks; *c; c++)
		if (strchr(c + 1, *c))
			return rip_wrong_usage(COMMAND, "--inks \"%s\" has %c twice", inks, *c);
	for (const char *c = inks; possible && *c; c++)
		if (!strchr(possible, *c) && *c != 'K')
			return rip_wrong_usage(COMMAND, "the queue prints %s, and no %c", possible, *c);
	strcpy(target->plan.inks, inks);
	return RIP_GO_ON;
}

static int parse_format(struct target *target)
{
	static const char *const names[] = { "pdf", "raster", "pbm" };
	const bool queue = target->queue || target->ppd;

	target->file.format = queue ? RIP_TARGET_RASTER : RIP_TARGET_PDF;
	for (unsigned i = 0; target->format && i < 3; i++)
		if (!strcmp(target->format, names[i])) {
			target->file.format = (enum rip_target_format)i;
			target->format = NULL;
		}
	if (target->format)
		return rip_wrong_usage(COMMAND, "--format %s: there is pdf, raster and pbm",
				       target->format);
	if (target->queue && target->ppd)
		return rip_wrong_usage(COMMAND, "--queue and --ppd exclude each other");
	if (target->file.format == RIP_TARGET_RASTER && !queue)
		return rip_wrong_usage(COMMAND, "raster is made for a queue: name it with --queue, or"
				       " its PPD with --ppd");
	if (queue && (target->x_dpi || target->paper))
		return rip_wrong_usage(COMMAND, "the queue has its own resolution and paper");
	return RIP_GO_ON;
}

static int parse(struct target *target, int argc, char **argv)
{
	int option, status;

	while ((option = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
		status = parse_option(target, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
	}
	if (optind < argc)
		return rip_wrong_usage(COMMAND, "unexpected argument \"%s\"", argv[optind]);
	status = parse_format(target);
	if (status == RIP_GO_ON)
		status = parse_screens(target);
	if (status == RIP_GO_ON && (!target->out || !strcmp(target->out, "-")) && isatty(STDOUT_FILENO))
		return rip_wrong_usage(COMMAND, "the chart would go to the terminal: name a file with"
				       " -o, or redirect standard output");
	return status;
}

/* The whole sheet of a queue, and the largest of its margins at each edge. */
static void measure_sheet(struct rip_target_plan *plan, const cups_page_header2_t *header)
{
	const unsigned *sheet = header->PageSize, *area = header->ImagingBoundingBox;
	unsigned margin = 0;

	for (unsigned i = 0; i < 2; i++) {
		margin = area[i] > margin ? area[i] : margin;
		if (area[2 + i] > 0 && area[2 + i] < sheet[i] && sheet[i] - area[2 + i] > margin)
			margin = sheet[i] - area[2 + i];
	}
	plan->width = (uint32_t)((uint64_t)sheet[0] * plan->dpi / 72);
	plan->height = (uint32_t)((uint64_t)sheet[1] * plan->dpi / 72);
	plan->margin += margin * plan->dpi / 72;
}

/* The page of a queue: its sheet for a PDF, else the part that its printer can print on.  An exit
 * status or RIP_GO_ON. */
static int measure_queue(struct target *target)
{
	struct rip_target_plan *plan = &target->plan;
	const cups_page_header2_t *header = &target->header;
	const char *name = target->queue ? target->queue : target->ppd;
	const bool raster = target->file.format == RIP_TARGET_RASTER;
	const char *inks;
	char why[256];

	if (rip_queue_ppd_header(target->queue, target->ppd, &target->header) < 0)
		return 1;
	if (rip_header_check(header, &target->geometry, why, sizeof why) < 0) {
		rip_complain(0, "%s: %s", name, why);
		return 1;
	}
	inks = rip_color_space_inks(header->cupsColorSpace);
	if (raster && (!inks || (target->geometry.sample_bits == 1 && target->geometry.planes > 1))) {
		rip_complain(0, "%s: its raster of %u bits in the colour space %s cannot be written; print"
			     " a PDF (--format pdf)", name, target->geometry.sample_bits,
			     rip_color_space_name(header->cupsColorSpace));
		return 1;
	}
	if (header->HWResolution[0] != header->HWResolution[1] || header->HWResolution[0] == 0) {
		rip_complain(0, "%s: a chart needs square pixels, and the queue prints %u x %u dpi", name,
			     header->HWResolution[0], header->HWResolution[1]);
		return 1;
	}
	plan->dpi = header->HWResolution[0];
	plan->margin = plan->dpi / 12; /* 2 mm */
	if (target->file.format == RIP_TARGET_PDF) {
		measure_sheet(plan, header);
	} else {
		/* What the printer leaves free is not part of the raster. */
		plan->width = header->cupsWidth;
		plan->height = header->cupsHeight;
	}
	return parse_inks(target, inks);
}

static int measure_paper(struct target *target)
{
	struct rip_target_plan *plan = &target->plan;
	const char *paper = target->paper ? target->paper : "A4";
	uint32_t width, height;

	if (target->x_dpi != target->y_dpi)
		return rip_wrong_usage(COMMAND, "a chart needs square pixels: --resolution %u or %u",
				       target->x_dpi, target->y_dpi);
	if (!rip_paper_find(paper, strlen(paper), &width, &height))
		return rip_wrong_usage(COMMAND, "--paper \"%s\" is no paper that CUPS knows", paper);
	plan->dpi = target->x_dpi ? target->x_dpi : 600;
	if (plan->dpi > 4800)
		return rip_wrong_usage(COMMAND, "--resolution %u is more than 4800", plan->dpi);
	plan->width = (uint32_t)rip_paper_pixels(width, plan->dpi);
	plan->height = (uint32_t)rip_paper_pixels(height, plan->dpi);
	plan->margin = (uint32_t)(MARGIN_MM * plan->dpi / 25.4);
	return parse_inks(target, NULL);
}

/* Writes all pages.  0 or -errno (reported). */
static int write_pages(struct target *target)
{
	struct rip_target_plan *plan = &target->plan;
	int r = rip_target_file_begin(&target->file);

	for (unsigned page = 0; r == 0 && page < rip_target_pages(plan); page++) {
		struct rip_chart chart;

		r = rip_target_page(plan, page, &chart);
		if (r < 0)
			rip_complain(r, "cannot draw the chart: %s", strerror(-r));
		else
			r = rip_target_file_page(&target->file, &chart, rip_target_page_ink(plan, page));
		rip_chart_finish(&chart);
	}
	return r < 0 ? r : rip_target_file_end(&target->file);
}

static int run(struct target *target)
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED };
	char why[256];
	int r = rip_target_prepare(&target->plan, why, sizeof why);

	if (r < 0)
		return rip_complain(r, "%s", why);
	r = rip_engine_cpu_new(&config, &target->plan.engine);
	if (r < 0)
		return rip_complain(r, "cannot halftone: %s", strerror(-r));
	target->file.out = &target->output;
	target->file.dpi = target->plan.dpi;
	target->file.header = &target->header;
	target->file.geometry = &target->geometry;
	r = rip_out_file_open(&target->output, target->out);
	if (r == 0)
		r = write_pages(target);
	rip_target_file_abandon(&target->file);
	return r < 0 ? r : rip_out_file_commit(&target->output);
}

int rip_target_command(int argc, char **argv)
{
	struct target target = { .output = { .fd = -1 } };
	int status = parse(&target, argc, argv);

	if (status == RIP_GO_ON)
		status = target.queue || target.ppd ? measure_queue(&target) : measure_paper(&target);
	if (status == RIP_GO_ON)
		status = run(&target) < 0 ? 1 : 0;
	if (target.plan.engine)
		target.plan.engine->ops->free(target.plan.engine);
	rip_out_file_abandon(&target.output);
	free(target.names);
	return status;
}
