#include "calibrate.h"

#include <stdio.h>
#include <string.h>

#include "tone/tone_choice.h"
#include "command/halftone_options.h"
#include "command/terminal.h"
#include "tone/preset.h"

#define COMMAND "calibrate"

/* One or two screens. */
static int set_screens(const char *value, void *screens)
{
	const char *comma = strchr(value, ',');
	struct rip_screen_option screen;
	char first[32];
	int status;

	snprintf(first, sizeof first, "%.*s",
		 comma ? (int)(comma - value) : (int)strlen(value), value);
	*(const char **)screens = value;
	status = rip_set_screen(first, &screen);
	return status != RIP_GO_ON || !comma ? status : rip_set_screen(comma + 1, &screen);
}

static int set_drops(const char *value, void *options)
{
	struct rip_calibrate_options *o = options;

	o->has_drops = true;
	return rip_drops_parse(&o->drops, value) ? RIP_GO_ON : RIP_OPTION_INVALID;
}

static int add_match(const char *value, void *options)
{
	struct rip_calibrate_options *o = options;

	if (o->lists == RIP_CALIBRATE_LISTS)
		return rip_wrong_usage(COMMAND, "--match is given too often: put commas between the"
				       " readings");
	o->match[o->lists++] = value;
	return RIP_GO_ON;
}

static const char *const units[] = { "density", "lightness", "reflectance", "area", NULL };

#define AT(member) offsetof(struct rip_calibrate_options, member)

static const struct rip_option_row rows[] = {
	{ RIP_VALUE("match", "LIST", 0, add_match, NULL,
		    "tints that look like lines: [INK:][SCREEN:]LINES=TINT,..."), .basic = true },
	{ RIP_VALUE("screen", "NAME", AT(screen), rip_set_screen_name, NULL,
		    "the screen of readings that name none (the queue's; with -o, clustered)"),
	  .list = rip_screen_choice },
	{ RIP_VALUE("screens", "LIST", AT(chart_screens), set_screens, NULL,
		    "the screens of the chart (blue-noise-mask,clustered)"),
	  .list = rip_screen_choice, .many = true },
	RIP_RESOLUTION_ROW(AT(dpi), 0, "1 to 100000",
			   "dots an inch of the chart (the queue's, or 600)"),
	{ RIP_NUMBER("levels", "N", AT(levels), RIP_LEVELS_MIN, RIP_LEVELS_MAX,
		     "levels of the chart's dots (the queue's, or 2)") },
	{ RIP_VALUE("drops", "SIZES", 0, set_drops, RIP_TONE_DROPS,
		    "the drops of the levels: 3,7,14 picolitres, or 40%,70%,100% of the largest"
		    " one's area (the queue's, or none)"),
	  .proposed = "none" },
	RIP_PROCESS_INKS_ROW("ink", AT(ink), "the ink of scans and of lines of numbers, or the inks"
			     " that riptide asks for: C, M, Y, K, or names (K)"),
	{ RIP_NAME("unit", "UNIT", AT(unit), units,
		   "their values: density (default), lightness, reflectance, area") },
	RIP_PRINTER_ROW(AT(printer), "the printer: laser, inkjet, thermal (the queue's, or laser);"
			" help lists all"),
	{ RIP_ARGUMENT(TEXT, "name", "NAME", AT(name), "the calibration's name (QUEUE)") },
	{ RIP_ARGUMENT(OUTPUT, "picture", "FILE", AT(picture), "draw the curves, as PNG or PGM"),
	  .letter = 'p', .basic = true },
	{ RIP_FLAG("force", AT(force),
		   "use readings that do not agree, or one alone, without asking") },
	{ RIP_FLAG("undo", AT(undo), "go back to what was before the last calibration"),
	  .basic = true },
	{ RIP_ARGUMENT(OUTPUT, "output", "OUT", AT(output), "write OUT, and change no queue"),
	  .letter = 'o', .basic = true },
	{ .name = NULL }
};

static const char before[] =
	"Usage: riptide calibrate [OPTION]... QUEUE [FILE]...\n"
	"       riptide calibrate [OPTION]... -o OUT.cal [FILE]...\n"
	"       riptide calibrate --undo QUEUE\n"
	"Makes a printer's calibration, from a chart that riptide target made.\n"
	"\n"
	"FILE  a scan of the wedge (PNG, TIFF, JPEG or PGM); a .cal file, which is taken as it"
	" is;\n"
	"      a .ti3 file; or lines of a tone and a measured value.  Without FILE and --match,\n"
	"      riptide asks for what is read by eye.\n";

int rip_calibrate_options_parse(struct rip_calibrate_options *options, int argc, char **argv)
{
	const struct rip_command_group groups[] = { { rows, options, NULL }, { 0 } };
	const struct rip_command_line line = {
		.command = COMMAND, .groups = groups,
		.before = before,
	};
	int status;

	*options = (struct rip_calibrate_options){ .ink = "K", .printer = -1 };
	status = rip_options_parse(&line, argc, argv);
	if (status != RIP_GO_ON)
		return status;
	if (!options->output) {
		if (optind == argc)
			return rip_wrong_usage(COMMAND, "name a queue, or a file with -o");
		options->queue = argv[optind++];
	}
	for (; optind < argc; optind++) {
		if (options->files == RIP_CALIBRATE_FILES)
			return rip_wrong_usage(COMMAND, "there are too many files");
		options->file[options->files++] = argv[optind];
	}
	if (options->undo && (options->output || options->files || options->lists))
		return rip_wrong_usage(COMMAND, "--undo takes a queue and nothing else");
	if (options->files && strlen(options->ink) > 1)
		return rip_wrong_usage(COMMAND, "--ink %s: a file is of one ink", options->ink);
	if (options->undo && options->name)
		return rip_wrong_usage(COMMAND,
				       "--undo finds the queue's calibration without --name");
	options->to_standard = (options->output && rip_is_standard(options->output)) ||
			       (options->picture && rip_is_standard(options->picture));
	if (options->output && options->picture && rip_is_standard(options->output) &&
	    rip_is_standard(options->picture))
		return rip_wrong_usage(COMMAND, "-o and --picture cannot both be standard output");
	if (options->to_standard && !options->output)
		return rip_wrong_usage(COMMAND, "standard output tells what the queue prints with:"
				       " name a file for --picture");
	if (options->output && options->name)
		return rip_wrong_usage(COMMAND, "--name and -o exclude each other");
	if (options->printer >= 0 && !strcmp(rip_printer_names[options->printer], "none"))
		return rip_wrong_usage(COMMAND, "--printer none has no dot gain to calibrate:"
				       " choose laser, inkjet or thermal");
	if (options->dpi.x != options->dpi.y)
		return rip_wrong_usage(COMMAND, "a chart has square pixels: --resolution %u or %u",
				       options->dpi.x, options->dpi.y);
	return RIP_GO_ON;
}
