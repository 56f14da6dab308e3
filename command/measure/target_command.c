#include "command/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "command/halftone_options.h"
#include "command/paper_size.h"
#include "command/queue_request.h"
#include "command/queue_ppd.h"
#include "system/ascii.h"
#include "command/terminal.h"

#define COMMAND "target"

#define DPI_LEAST 90u  /* fewer make texts that nobody can read */
#define MARGIN_MM 10.0 /* of a PDF: what printers leave free, and some more */

static const char *const format_names[] = {
	[RIP_TARGET_PDF] = "pdf", [RIP_TARGET_RASTER] = "raster",
	[RIP_TARGET_PBM] = "pbm", [RIP_TARGET_PGM] = "pgm", NULL
};
static const enum rip_file_kind format_kinds[] = {
	[RIP_TARGET_PDF] = RIP_FILE_PDF, [RIP_TARGET_RASTER] = RIP_FILE_RASTER,
	[RIP_TARGET_PBM] = RIP_FILE_PBM, [RIP_TARGET_PGM] = RIP_FILE_PGM,
};

struct target {
	const char *queue, *ppd, *screens, *paper, *out;
	struct rip_dpi dpi;
	bool        wedge, patches; /* the chart, if not the one that is read by eye */
	struct rip_target_plan plan;
	struct rip_target_file file;
	struct rip_out_file    outputs[1 + RIP_ARGYLL_FILES_MAX]; /* first the chart */
	struct rip_argyll_files argyll;
	char                  *names; /* the screens, which the plan points into */
	struct rip_queue_page  page;  /* as the queue prints, without options of a job */
	struct rip_geometry    geometry;
	char                   command[RIP_TARGET_COMMAND_MAX]; /* that calibrates */
};

#define AT(member) offsetof(struct target, member)

static const struct rip_option_row rows[] = {
	{ RIP_FLAG("wedge", AT(wedge),
		   "steps for a scanner; without it: lines and tints to compare by eye"),
	  .basic = true },
	{ RIP_FLAG("argyll", AT(patches),
		   "patches for ArgyllCMS, with OUT.ti1, OUT.ti2 and OUT.cht beside OUT"),
	  .basic = true },
	{ RIP_ARGUMENT(TEXT, "screens", "LIST", AT(screens),
		       "one or two screens (blue-noise-mask,clustered; of --argyll, one: the"
		       " queue's, or clustered)"),
	  .list = rip_screen_choice, .many = true },
	{ RIP_NUMBER("levels", "N", AT(plan.levels), RIP_LEVELS_MIN, RIP_LEVELS_MAX,
		     "levels of the dots: 2, 4 or 16 (the queue's, or 2)"),
	  .proposed = "2 4 16" },
	RIP_PROCESS_INKS_ROW("inks", AT(plan.inks), "inks, a page or more for each: C, M, Y, K, or"
			     " names (the queue's, or K)"),
	{ RIP_ARGUMENT(TEXT, "queue", "QUEUE", AT(queue),
		       "a raster file for this queue, to print with lp"), .basic = true,
	  .proposed = RIP_QUEUES },
	{ RIP_ARGUMENT(FILE, "ppd", "FILE", AT(ppd), "the same for a queue with this PPD") },
	RIP_RESOLUTION_ROW(AT(dpi), 0, "90 to 4800",
			   "dots an inch, of a PDF or PBM (600)"),
	{ RIP_ARGUMENT(TEXT, "paper", "NAME", AT(paper), "paper, of a PDF or PBM (A4)"),
	  .basic = true, .proposed = "A4 Letter A5 A3" },
	{ RIP_NAME("format", "FORMAT", AT(file.format), format_names,
		   "pdf, raster, pbm or pgm (by the suffix of OUT; else raster with --queue or"
		   " --ppd, or pdf)") },
	{ RIP_ARGUMENT(OUTPUT, "output", "OUT", AT(out), "write to OUT"), .letter = 'o',
	  .basic = true },
	{ .name = NULL }
};

/* Each of --screens. */
static const struct rip_option_row screen_row = {
	RIP_VALUE("screens", "LIST", 0, rip_set_screen, NULL, NULL), .list = rip_screen_choice
};

/* The screens of the list; the names' memory is the target's. */
static int parse_screens(struct target *target)
{
	struct rip_target_plan *plan = &target->plan;
	const bool one = plan->chart == RIP_TARGET_PATCHES;
	char *rest;

	target->names = strdup(target->screens ? target->screens : one ? target->page.screen :
			       RIP_TARGET_SCREENS);
	if (!target->names)
		return rip_complain(1, "out of memory");
	for (char *c = target->names; *c; c++)
		*c = rip_lower(*c); /* as the chart prints them */
	rest = target->names;
	for (char *name; (name = strsep(&rest, ","));) {
		struct rip_screen_option screen;
		int status = rip_option_set(COMMAND, &screen_row, name, &screen);

		if (status != RIP_GO_ON)
			return status;
		if (plan->screens == RIP_TARGET_SCREENS_MAX)
			return rip_wrong_usage(COMMAND, "--screens takes one or two screens");
		if (one && plan->screens == 1)
			return rip_wrong_usage(COMMAND,
					       "the patches of --argyll are of one screen");
		if (screen.mask && rip_same_name(screen.mask, "bi-level"))
			return rip_wrong_usage(COMMAND, "bi-level has no tints to calibrate");
		plan->screen[plan->screens++] = name;
	}
	return RIP_GO_ON;
}

static int parse_inks(struct target *target, const char *possible)
{
	char *inks = target->plan.inks;

	if (!*inks)
		strcpy(inks, possible ? possible : "K");
	for (const char *c = inks; possible && *c; c++)
		if (!strchr(possible, *c) && *c != 'K')
			return rip_wrong_usage(COMMAND, "the queue prints %s, and no %c",
					       possible, *c);
	return RIP_GO_ON;
}

static int parse_format(struct target *target)
{
	const bool queue = target->queue || target->ppd;
	enum rip_target_format *format = &target->file.format;
	int status = RIP_GO_ON;

	for (unsigned i = 0; *format == RIP_TARGET_BY_SUFFIX && i < RIP_TARGET_BY_SUFFIX; i++)
		if (format_kinds[i] == rip_suffix_kind(target->out))
			*format = (enum rip_target_format)i;
	if (*format == RIP_TARGET_BY_SUFFIX) {
		*format = queue ? RIP_TARGET_RASTER : RIP_TARGET_PDF;
		status = rip_suffix_check(COMMAND, target->out, 0, ".pdf, .ras, .pbm or .pgm",
					  ", or add --format");
	}
	if (status != RIP_GO_ON)
		return status;
	if (target->queue && target->ppd)
		return rip_wrong_usage(COMMAND, "--queue and --ppd exclude each other");
	if (*format == RIP_TARGET_RASTER && !queue)
		return rip_wrong_usage(COMMAND, "raster is made for a queue:"
				       " name it with --queue, or its PPD with --ppd");
	if (queue && (target->dpi.x || target->paper))
		return rip_wrong_usage(COMMAND, "the queue has its own resolution and paper");
	return RIP_GO_ON;
}

/* The files for ArgyllCMS are called as the chart. */
static int parse_argyll_name(const struct target *target)
{
	const char *dot = target->out ? strrchr(target->out, '.') : NULL;

	if (!target->out || !strcmp(target->out, "-"))
		return rip_wrong_usage(COMMAND, "--argyll makes several files:"
				       " name the chart's with -o");
	if (dot && (!strcmp(dot, ".ti1") || !strcmp(dot, ".ti2") || !strcmp(dot, ".cht")))
		return rip_wrong_usage(COMMAND, "-o %s: the chart cannot"
				       " have the name of a file for ArgyllCMS", target->out);
	return RIP_GO_ON;
}

static const char before[] =
	"Usage: riptide target [OPTION]... [-o OUT]\n"
	"Makes a chart to print, from which riptide calibrate learns how a printer prints.\n";

static int parse(struct target *target, int argc, char **argv)
{
	const struct rip_command_group groups[] = { { rows, target, NULL }, { 0 } };
	const struct rip_command_line line = {
		.command = COMMAND, .groups = groups,
		.before = before,
	};
	int status;

	target->file.format = RIP_TARGET_BY_SUFFIX;
	status = rip_options_parse(&line, argc, argv);
	if (status != RIP_GO_ON)
		return status;
	if (target->wedge && target->patches)
		return rip_wrong_usage(COMMAND, "--wedge and --argyll are different charts:"
				       " choose one");
	target->plan.chart = target->wedge ? RIP_TARGET_WEDGE :
			     target->patches ? RIP_TARGET_PATCHES : RIP_TARGET_EYE;
	if (optind < argc)
		return rip_wrong_usage(COMMAND, "unexpected argument \"%s\"", argv[optind]);
	status = parse_format(target);
	if (status == RIP_GO_ON && target->plan.chart == RIP_TARGET_PATCHES)
		status = parse_argyll_name(target);
	if (status == RIP_GO_ON && (!target->out || !strcmp(target->out, "-")) &&
	    isatty(STDOUT_FILENO))
		return rip_wrong_usage(COMMAND, "the chart would go to the terminal:"
				       " name a file with -o, or redirect standard output");
	return status;
}

/* The levels of the dots, and the screens: those of the command line, or of the queue.
 * An exit status or RIP_GO_ON. */
static int choose_dots(struct target *target)
{
	const char *name = target->queue ? target->queue : target->ppd;
	char defaults[2048] = "";
	uint32_t *levels = &target->plan.levels;
	int status;

	target->page = (struct rip_queue_page){ .screen = "clustered", .levels = 2 };
	if (name &&
	    ((target->queue && rip_queue_options(target->queue, defaults, sizeof defaults) < 0) ||
	     rip_queue_page(target->queue, target->ppd, defaults, &target->page) < 0))
		return 1;
	if (!*levels)
		*levels = target->page.levels;
	if (name && rip_queue_page_check_levels(&target->page, name, *levels) < 0)
		return 1;
	/* Samples of 8 bits have all levels of these, so that no screen changes them. */
	if (*levels != 2 && *levels != 4 && *levels != 16)
		return rip_wrong_usage(COMMAND, "a chart has 2, 4 or 16 levels,"
				       " and not %u: choose with --levels", *levels);
	status = rip_suffix_check_levels(COMMAND, format_kinds[target->file.format], *levels, true);
	return status == RIP_GO_ON ? parse_screens(target) : status;
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
	const cups_page_header2_t *header = &target->page.header;
	const char *name = target->queue ? target->queue : target->ppd;
	const bool raster = target->file.format == RIP_TARGET_RASTER;
	const char *inks;
	char why[256];

	if (rip_header_check(header, &target->geometry, why, sizeof why) < 0) {
		rip_complain(0, "%s: %s", name, why);
		return 1;
	}
	inks = rip_color_space_inks(header->cupsColorSpace);
	if (raster && target->geometry.sample_bits == 1 && plan->levels > 2) {
		rip_complain(0, "%s: its raster of 1 bit has no %u levels", name, plan->levels);
		return 1;
	}
	if (raster &&
	    (!inks || (target->geometry.sample_bits == 1 && target->geometry.planes > 1))) {
		rip_complain(0,
			     "%s: its raster of %u bits in the colour space %s cannot be written;"
			     " print a PDF (--format pdf)", name, target->geometry.sample_bits,
			     rip_color_space_name(header->cupsColorSpace));
		return 1;
	}
	if (header->HWResolution[0] != header->HWResolution[1] || header->HWResolution[0] == 0) {
		rip_complain(0, "%s: a chart needs square pixels, and the queue prints %u x %u dpi",
			     name, header->HWResolution[0], header->HWResolution[1]);
		return 1;
	}
	plan->dpi = header->HWResolution[0];
	plan->margin = plan->dpi / 12; /* 2 mm */
	plan->larger = target->queue ?
		       "give the queue a larger one with lpadmin -p QUEUE -o PageSize=SIZE" :
		       "set a larger *DefaultPageSize in the PPD";
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

	if (target->dpi.x != target->dpi.y)
		return rip_wrong_usage(COMMAND, "a chart needs square pixels:"
				       " --resolution %u or %u", target->dpi.x, target->dpi.y);
	if (!rip_paper_find(paper, strlen(paper), &width, &height))
		return rip_wrong_usage(COMMAND, "--paper \"%s\" is no paper that CUPS knows",
				       paper);
	plan->dpi = target->dpi.x ? target->dpi.x : 600;
	if (plan->dpi < DPI_LEAST)
		return rip_wrong_usage(COMMAND, "--resolution %u is less than %u:"
				       " nobody could read the chart", plan->dpi, DPI_LEAST);
	if (plan->dpi > 4800)
		return rip_wrong_usage(COMMAND, "--resolution %u is more than 4800", plan->dpi);
	plan->width = (uint32_t)rip_paper_pixels(width, plan->dpi);
	plan->height = (uint32_t)rip_paper_pixels(height, plan->dpi);
	plan->margin = (uint32_t)(MARGIN_MM * plan->dpi / 25.4);
	plan->larger = "choose a larger one with --paper, such as A5";
	return parse_inks(target, NULL);
}

/* A word as a shell takes it, or what stands for it. */
static const char *shell_word(const char *word, const char *instead)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-+@:/,=";

	return word && *word && *word != '-' && !word[strspn(word, plain)] ? word : instead;
}

/* The command that calibrates by this chart: options say what it would not take for granted. */
static void make_command(struct target *target)
{
	struct rip_target_plan *plan = &target->plan;
	const bool eye = plan->chart == RIP_TARGET_EYE, patches = plan->chart == RIP_TARGET_PATCHES;
	char levels[24] = "", screens[160] = "";

	if (plan->levels != target->page.levels)
		snprintf(levels, sizeof levels, " --levels %u", plan->levels);
	if (target->screens)
		snprintf(screens, sizeof screens, patches ? " --screen %s" : " --screens %s%s%s",
			 plan->screen[0], plan->screens > 1 ? "," : "",
			 plan->screens > 1 ? plan->screen[1] : "");
	snprintf(target->command, sizeof target->command, "sudo riptide calibrate %s%s%s%s%s",
		 shell_word(target->queue, "QUEUE"),
		 eye && strcmp(plan->inks, "K") ? " --ink " : "",
		 eye && strcmp(plan->inks, "K") ? plan->inks : "", levels, screens);
	plan->command = target->command;
}

/* Tells what comes next. */
static void tell(const struct target *target)
{
	const struct rip_target_plan *plan = &target->plan;
	const bool pdf = target->file.format == RIP_TARGET_PDF;
	const char *file = shell_word(target->out, "CHART"), *dot = strrchr(file, '.');
	const int stem = dot && !strchr(dot, '/') ? (int)(dot - file) : (int)strlen(file);

	if (target->file.format <= RIP_TARGET_RASTER)
		fprintf(stderr, "Print it: lp -d %s%s%s %s\n", shell_word(target->queue, "QUEUE"),
			pdf ? " -o print-scaling=none -o cm-calibration" : "",
			plan->levels == 2 ? "" :
			" -o halftone-calibration=none -o halftone-dot-gain=none"
			" -o halftone-drops=none -o halftone-light-inks=none", file);
	if (plan->chart == RIP_TARGET_EYE)
		fprintf(stderr, "Then: %s\n", plan->command);
	else if (plan->chart == RIP_TARGET_WEDGE)
		fprintf(stderr, "Scan it, then: %s%s%s SCAN\n", plan->command,
			strcmp(plan->inks, "K") ? " --ink " : "",
			!strcmp(plan->inks, "K") ? "" : plan->inks[1] ? "INK" : plan->inks);
	else
		fprintf(stderr, "Measure it: chartread %.*s\nThen: %s %.*s.ti3\n",
			stem, file, plan->command, stem, file);
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
			r = rip_target_file_page(&target->file, &chart,
						 rip_target_page_ink(plan, page));
		rip_chart_finish(&chart);
	}
	return r < 0 ? r : rip_target_file_end(&target->file);
}

static int run(struct target *target)
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED };
	char why[256];
	int r;

	make_command(target);
	r = rip_target_prepare(&target->plan, why, sizeof why);

	if (r < 0)
		return rip_complain(r, "%s", why);
	r = rip_engine_cpu_new(&config, &target->plan.engine);
	if (r < 0)
		return rip_complain(r, "cannot halftone: %s", strerror(-r));
	target->file.out = target->outputs;
	target->file.dpi = target->plan.dpi;
	target->file.header = &target->page.header;
	target->file.geometry = &target->geometry;
	r = rip_out_name_check_file(target->out, target->ppd, "PPD");
	if (r == 0)
		r = rip_out_file_open(target->outputs, target->out);
	if (r == 0 && target->plan.chart == RIP_TARGET_PATCHES)
		r = rip_argyll_files_open(&target->argyll, &target->plan, target->out, target->ppd,
					  target->outputs + 1);
	if (r == 0)
		r = write_pages(target);
	rip_target_file_abandon(&target->file);
	if (r == 0)
		r = rip_out_files_commit(target->outputs, 1 + target->argyll.count);
	if (r == 0)
		tell(target);
	return r;
}

int rip_target_command(int argc, char **argv)
{
	struct target target = { .queue = NULL };
	int status;

	for (unsigned i = 0; i <= RIP_ARGYLL_FILES_MAX; i++)
		target.outputs[i].fd = -1;
	status = parse(&target, argc, argv);
	if (status == RIP_GO_ON)
		status = choose_dots(&target);
	if (status == RIP_GO_ON)
		status = target.queue || target.ppd ? measure_queue(&target) :
			 measure_paper(&target);
	if (status == RIP_GO_ON)
		status = run(&target) < 0 ? 1 : 0;
	if (target.plan.engine)
		target.plan.engine->ops->free(target.plan.engine);
	for (unsigned i = 0; i <= RIP_ARGYLL_FILES_MAX; i++)
		rip_out_file_abandon(&target.outputs[i]);
	rip_argyll_files_finish(&target.argyll);
	free(target.names);
	return status;
}
