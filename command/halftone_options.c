#include "halftone_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "terminal.h"

#define COMMAND "halftone"

static const char help[] =
	"Usage: riptide halftone [OPTION]... [-o OUT] [IN]\n"
	"Halftones an image: turns its tones into dots.\n"
	"\n"
	"IN   PGM (P5), JPEG, TIFF or CUPS raster; - or nothing: standard input.\n"
	"OUT  PBM for 2 levels, PGM for more, CUPS raster for CUPS raster, TIFF for TIFF;\n"
	"     - or nothing: standard output.  A file appears when it is complete.\n"
	"\n"
	RIP_IMAGE_HELP
	"  --dot-gain GAIN       the printer: its dot gain in points, or laser, inkjet, thermal,\n"
	"                        or none (none); help lists the printers\n"
	"  --target TARGET       what paper shows with --dot-gain: print, linear (print)\n"
	"  --density PERCENT     how dark to print, 50 to 200 (100)\n"
	"  --gamma GAMMA         above 1 lightens, 0.2 to 5 (1)\n"
	"  --ink-limit PERCENT   the most ink in a place, 100 for one full ink (none)\n"
	"  --ink NAME            the ink of an image with one plane: cyan, magenta, yellow, black,\n"
	"                        or any other (black); inks have masks at different angles\n"
	"\n"
	"Options for TIFF:\n"
	"  --compression NAME    lzw, packbits, g4, deflate, none (lzw)\n"
	"  --composite           all inks in one file, instead of a file for each\n"
	"  --plane-names LIST    what the files of the inks are called: c,m,y,k\n"
	"\n"
	"Options that change only the speed:\n"
	"  --method NAME         who computes the dots (auto); help lists the methods\n"
	"  --device DEVICE       auto, cpu, gpu or a GPU's number (auto)\n"
	"  --isa NAME            the CPU's instruction set; help lists them\n"
	"  --threads N           threads (one for each processor that may be used)\n"
	"  --band LINES          rows that are halftoned at a time\n"
	"  --socket PATH         use the riptided that listens on PATH; none: in-process\n"
	"\n"
	"  -o, --output OUT      write to OUT\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide(1).\n";

enum { METHOD = RIP_OPTION_PROGRAM, BAND, SOCKET, DOT_GAIN, TARGET, DENSITY, GAMMA, INK_LIMIT, INK,
       COMPRESSION, COMPOSITE, PLANE_NAMES };

static const struct option long_options[] = {
	RIP_IMAGE_LONG_OPTIONS,
	{ "method", required_argument, NULL, METHOD },
	{ "band", required_argument, NULL, BAND },
	{ "dot-gain", required_argument, NULL, DOT_GAIN },
	{ "target", required_argument, NULL, TARGET },
	{ "density", required_argument, NULL, DENSITY },
	{ "gamma", required_argument, NULL, GAMMA },
	{ "ink-limit", required_argument, NULL, INK_LIMIT },
	{ "ink", required_argument, NULL, INK },
	{ "compression", required_argument, NULL, COMPRESSION },
	{ "composite", no_argument, NULL, COMPOSITE },
	{ "plane-names", required_argument, NULL, PLANE_NAMES },
	{ "socket", required_argument, NULL, SOCKET },
	{ NULL, 0, NULL, 0 }
};

static int parse_socket(const char *value, const char **path)
{
	if (!*value)
		return rip_wrong_usage(COMMAND, "--socket \"\" is not a path; none means in-process");
	*path = strcmp(value, "none") ? value : NULL;
	return RIP_GO_ON;
}

/* Takes the number that a value was parsed to; negative: it is not one of the choices. */
static int take_number(const char *option, const char *value, int parsed, const char *choices,
		       unsigned *number)
{
	if (parsed < 0)
		return rip_wrong_usage(COMMAND, "%s \"%s\" is not valid: choose %s", option, value,
				       choices);
	*number = (unsigned)parsed;
	return RIP_GO_ON;
}

/* One of the options about tones. */
static int parse_tone(struct rip_tone_choice *tone, int option, const char *value)
{
	char known[256];
	int n;

	switch (option) {
	case DOT_GAIN:
		n = rip_tone_parse_gain(value);
		rip_tone_list_gains(known, sizeof known);
		if (!strcmp(value, "help")) {
			puts(known);
			return 0;
		}
		if (n < 0)
			return rip_wrong_usage(COMMAND, "--dot-gain \"%s\": choose %s", value, known);
		rip_tone_choose_gain(tone, n);
		return RIP_GO_ON;
	case TARGET:
		n = rip_tone_parse_target(value);
		if (n < 0)
			return rip_wrong_usage(COMMAND, "--target \"%s\": choose " RIP_TONE_TARGETS,
					       value);
		tone->target = (enum rip_target)n;
		return RIP_GO_ON;
	case DENSITY:
		return take_number("--density", value, rip_tone_parse_density(value),
				   RIP_TONE_DENSITIES, &tone->density);
	case GAMMA:
		return take_number("--gamma", value, rip_tone_parse_gamma(value), RIP_TONE_GAMMAS,
				   &tone->gamma);
	default:
		return take_number("--ink-limit", value, rip_tone_parse_ink_limit(value),
				   RIP_TONE_INK_LIMITS, &tone->ink_limit);
	}
}

/* One of the options for TIFF. */
static int parse_tiff(struct rip_halftone_options *options, int option, const char *value)
{
	static const char *const names[] = { "--compression", "--composite", "--plane-names" };

	if (!options->tiff_option)
		options->tiff_option = names[option - COMPRESSION];
	switch (option) {
	case COMPRESSION:
		for (int i = 0; i < RIP_TIFF_COMPRESSIONS; i++)
			if (!strcasecmp(value, rip_tiff_compressions[i])) {
				options->compression = (enum rip_tiff_compression)i;
				return RIP_GO_ON;
			}
		return rip_wrong_usage(COMMAND, "--compression \"%s\" is none of lzw, packbits, g4,"
				       " deflate, none", value);
	case COMPOSITE:
		options->composite = true;
		return RIP_GO_ON;
	default:
		options->plane_names = value;
		return RIP_GO_ON;
	}
}

static int parse_option(struct rip_halftone_options *options, int option, const char *value,
			char **argv)
{
	switch (option) {
	case METHOD:
		return rip_option_method(COMMAND, value, &options->method);
	case BAND:
		return rip_option_number(COMMAND, "--band", value, 1, RIP_WIDTH_MAX,
					 &options->band_rows);
	case DOT_GAIN:
	case TARGET:
	case DENSITY:
	case GAMMA:
	case INK_LIMIT:
		return parse_tone(&options->tone, option, value);
	case INK:
		options->ink = rip_ink_of_name(value);
		return RIP_GO_ON;
	case COMPRESSION:
	case COMPOSITE:
	case PLANE_NAMES:
		return parse_tiff(options, option, value);
	case SOCKET:
		return parse_socket(value, &options->socket);
	default:
		return rip_option_image(COMMAND, option, value, argv, help, &options->image);
	}
}

int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct rip_halftone_options){
		.image = RIP_IMAGE_DEFAULTS, .tone = rip_tone_choice_nothing(), .ink = RIP_INK_BLACK,
	};
	while ((option = getopt_long(argc, argv, RIP_IMAGE_SHORT_OPTIONS, long_options, NULL)) != -1) {
		status = parse_option(options, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
	}
	status = rip_option_image_name(COMMAND, "image", argc, argv, &options->image);
	if (status != RIP_GO_ON)
		return status;
	if (options->socket && options->image.common.device.choice == RIP_CHOOSE_GPU)
		return rip_wrong_usage(COMMAND, "with --socket the daemon chooses the device:"
				       " riptided --device gpu");
	if (options->compression == RIP_TIFF_G4 && options->image.common.levels > 2)
		return rip_wrong_usage(COMMAND, "--compression g4 is for 2 levels, not %u",
				       options->image.common.levels);
	if (options->composite && options->plane_names)
		return rip_wrong_usage(COMMAND, "--composite makes one file, --plane-names several: choose"
				       " one of them");
	if (options->image.curve && rip_is_standard(options->image.curve) &&
	    rip_is_standard(options->image.in))
		return rip_wrong_usage(COMMAND, "curve and image cannot both be standard input");
	return RIP_GO_ON;
}
