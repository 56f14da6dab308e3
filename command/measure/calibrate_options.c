#include "calibrate_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tone/tone_choice.h"
#include "image/out_name.h"
#include "command/image_options.h"
#include "command/terminal.h"
#include "tone/preset.h"

#define COMMAND "calibrate"

static const char help[] =
	"Usage: riptide calibrate [OPTION]... QUEUE [FILE]...\n"
	"       riptide calibrate [OPTION]... -o OUT.cal [FILE]...\n"
	"       riptide calibrate --undo QUEUE\n"
	"Makes a printer's calibration, from a chart that riptide target made.\n"
	"\n"
	"FILE  a scan of the wedge (PNG, TIFF, JPEG or PGM); a .cal file, which is taken as it is;\n"
	"      a .ti3 file; or lines of a tone and a measured value.  Without FILE and --match,\n"
	"      riptide asks for what is read by eye.\n"
	"\n"
	"  --match LIST          tints that look like lines: [INK:][SCREEN:]LINES=TINT,...\n"
	"  --screen NAME         the screen of readings that name none (the queue's; with -o, clustered)\n"
	"  --screens LIST        the screens of the chart (blue-noise-mask,clustered)\n"
	"  --resolution DPI      dots an inch of the chart (the queue's, or 600)\n"
	"  --levels N            levels of the chart's dots (the queue's, or 2)\n"
	"  --drops SIZES         the drops of the levels: 3,7,14 picolitres, or 40%,70%,100% of the\n"
	"                        largest one's area (the queue's, or none)\n"
	"  --ink LETTER          the ink of scans and of lines of numbers, or the inks that riptide asks\n"
	"                        for (K)\n"
	"  --unit UNIT           their values: density (default), lightness, reflectance, area\n"
	"  --preset NAME         the class of printer (the queue's, or laser)\n"
	"  --name NAME           the calibration's name (QUEUE)\n"
	"  -p, --picture FILE    draw the curves, as PNG or PGM\n"
	"  --force               use readings that do not agree, or one alone, without asking\n"
	"  --undo                go back to what was before the last calibration\n"
	"  -o, --output OUT      write OUT, and change no queue\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-calibrate(1).\n";

enum { MATCH = RIP_OPTION_OWN, SCREEN, SCREENS, RESOLUTION, LEVELS, DROPS, INK, UNIT, PRESET, NAME, FORCE, UNDO };

static const struct option long_options[] = {
	{ "match", required_argument, NULL, MATCH },
	{ "screen", required_argument, NULL, SCREEN },
	{ "screens", required_argument, NULL, SCREENS },
	{ "resolution", required_argument, NULL, RESOLUTION },
	{ "levels", required_argument, NULL, LEVELS },
	{ "drops", required_argument, NULL, DROPS },
	{ "ink", required_argument, NULL, INK },
	{ "unit", required_argument, NULL, UNIT },
	{ "preset", required_argument, NULL, PRESET },
	{ "name", required_argument, NULL, NAME },
	{ "force", no_argument, NULL, FORCE },
	{ "undo", no_argument, NULL, UNDO },
	{ "picture", required_argument, NULL, 'p' },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static int parse_unit(const char *value, enum rip_unit *unit)
{
	static const char *const names[] = { "density", "lightness", "reflectance", "area" };

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(value, names[i])) {
			*unit = (enum rip_unit)i;
			return RIP_GO_ON;
		}
	return rip_wrong_usage(COMMAND, "--unit %s: there is density, lightness, reflectance and area",
			       value);
}

static int parse_preset(const char *value, const char **preset)
{
	struct rip_printer printer;

	if (!rip_printer_preset(&printer, value, 600) || printer.kind == RIP_PRINTER_NONE)
		return rip_wrong_usage(COMMAND, "--preset %s: there is laser, thermal and inkjet", value);
	*preset = value;
	return RIP_GO_ON;
}

/* One or two screens. */
static int parse_screens(const char *value)
{
	const char *comma = strchr(value, ',');
	struct rip_screen_option screen;
	char first[32];
	int status;

	snprintf(first, sizeof first, "%.*s", comma ? (int)(comma - value) : (int)strlen(value), value);
	status = rip_option_screen(COMMAND, first, &screen);
	return status != RIP_GO_ON || !comma ? status : rip_option_screen(COMMAND, comma + 1, &screen);
}

static int parse_ink(const char *value, const char **ink)
{
	if (!*value || value[strspn(value, "CMYK")])
		return rip_wrong_usage(COMMAND, "--ink %s: an ink is C, M, Y or K", value);
	*ink = value;
	return RIP_GO_ON;
}

static int parse_drops(struct rip_calibrate_options *options, const char *value)
{
	options->has_drops = true;
	return rip_drops_parse(&options->drops, value) ? RIP_GO_ON :
	       rip_wrong_usage(COMMAND, "--drops \"%s\" is not valid: choose %s", value, RIP_TONE_DROPS);
}

/* Standard output by whatever name is "-". */
static const char *standard(const char *name)
{
	return rip_out_name_descriptor(name) == STDOUT_FILENO ? "-" : name;
}

static int parse_option(struct rip_calibrate_options *options, int option, const char *value,
			char **argv)
{
	struct rip_screen_option screen;

	switch (option) {
	case MATCH:
		if (options->lists == RIP_CALIBRATE_LISTS)
			return rip_wrong_usage(COMMAND, "--match is given too often: put commas between"
					       " the readings");
		options->match[options->lists++] = value;
		return RIP_GO_ON;
	case SCREEN:
		options->screen = value;
		return rip_option_screen(COMMAND, value, &screen);
	case SCREENS:
		options->chart_screens = value;
		return parse_screens(value);
	case RESOLUTION:
		return rip_option_resolution(COMMAND, value, &options->x_dpi, &options->y_dpi);
	case LEVELS:
		return rip_option_number(COMMAND, "--levels", value, 2, 16, &options->levels);
	case DROPS:
		return parse_drops(options, value);
	case INK:
		return parse_ink(value, &options->ink);
	case UNIT:
		return parse_unit(value, &options->unit);
	case PRESET:
		return parse_preset(value, &options->preset);
	case NAME:
		options->name = value;
		return RIP_GO_ON;
	case FORCE:
		options->force = true;
		return RIP_GO_ON;
	case UNDO:
		options->undo = true;
		return RIP_GO_ON;
	case 'p':
		options->picture = standard(value);
		return RIP_GO_ON;
	case 'o':
		options->output = standard(value);
		return RIP_GO_ON;
	case 'h':
		fputs(help, stdout);
		return 0;
	default:
		return rip_option_bad(COMMAND, option, argv);
	}
}

int rip_calibrate_options_parse(struct rip_calibrate_options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct rip_calibrate_options){ .ink = "K" };
	while ((option = getopt_long(argc, argv, ":o:p:h", long_options, NULL)) != -1) {
		status = parse_option(options, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
	}
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
		return rip_wrong_usage(COMMAND, "--undo finds the queue's calibration without --name");
	options->to_standard = (options->output && rip_is_standard(options->output)) ||
			       (options->picture && rip_is_standard(options->picture));
	if (options->output && options->picture && rip_is_standard(options->output) &&
	    rip_is_standard(options->picture))
		return rip_wrong_usage(COMMAND, "-o and --picture cannot both be standard output");
	if (options->to_standard && !options->output)
		return rip_wrong_usage(COMMAND, "standard output tells what the queue prints with: name a file for"
				       " --picture");
	if (options->output && options->name)
		return rip_wrong_usage(COMMAND, "--name and -o exclude each other");
	if (options->x_dpi != options->y_dpi)
		return rip_wrong_usage(COMMAND, "a chart has square pixels: --resolution %u or %u",
				       options->x_dpi, options->y_dpi);
	return RIP_GO_ON;
}
