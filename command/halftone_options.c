#include "halftone_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "terminal.h"

#define COMMAND "halftone"

static const char help[] =
	"Usage: riptide halftone [OPTION]... [-o OUT] [IN]\n"
	"Halftones an image: turns its tones into dots.\n"
	"\n"
	"IN   PGM (P5), JPEG or CUPS raster; - or nothing: standard input.\n"
	"OUT  PBM for 2 levels, PGM for more, CUPS raster for CUPS raster; - or nothing:\n"
	"     standard output.  A file appears when it is complete.\n"
	"\n"
	"Options that change the dots:\n"
	"  --levels N            output levels, 2 to 16 (2)\n"
	"  --screen NAME         how dots are placed (floyd-steinberg); help lists the screens\n"
	"  --error-filter NAME   the same, only for the screens that diffuse errors\n"
	"  --resolution DPI      dots an inch, for masks: 600, 600x1200 (the image's, or 600)\n"
	"  --curve FILE          a tone curve: 256 or 65536 numbers from 0 to 65535\n"
	"  --start noise|zero    the errors that a page starts with (noise)\n"
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

enum { METHOD = RIP_OPTION_OWN, RESOLUTION, BAND, CURVE, START, SOCKET };

static const struct option long_options[] = {
	RIP_COMMON_LONG_OPTIONS,
	{ "method", required_argument, NULL, METHOD },
	{ "resolution", required_argument, NULL, RESOLUTION },
	{ "band", required_argument, NULL, BAND },
	{ "curve", required_argument, NULL, CURVE },
	{ "start", required_argument, NULL, START },
	{ "socket", required_argument, NULL, SOCKET },
	{ "output", required_argument, NULL, 'o' },
	{ NULL, 0, NULL, 0 }
};

static int parse_socket(const char *value, const char **path)
{
	if (!*value)
		return rip_wrong_usage(COMMAND, "--socket \"\" is not a path; none means in-process");
	*path = strcmp(value, "none") ? value : NULL;
	return RIP_GO_ON;
}

static int parse_option(struct rip_halftone_options *options, int option, const char *value,
			char **argv)
{
	switch (option) {
	case METHOD:
		return rip_option_method(COMMAND, value, &options->method);
	case RESOLUTION:
		return rip_option_resolution(COMMAND, value, &options->x_dpi, &options->y_dpi);
	case BAND:
		return rip_option_number(COMMAND, "--band", value, 1, RIP_WIDTH_MAX,
					 &options->band_rows);
	case CURVE:
		options->curve = value;
		return RIP_GO_ON;
	case START:
		return rip_option_start(COMMAND, value, &options->start);
	case SOCKET:
		return parse_socket(value, &options->socket);
	case 'o':
		options->out = value;
		return RIP_GO_ON;
	default:
		return rip_option_common(COMMAND, option, value, argv, help, &options->common);
	}
}

int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct rip_halftone_options){ .common = RIP_COMMON_DEFAULTS };
	while ((option = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
		status = parse_option(options, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
	}
	if (optind < argc)
		options->in = argv[optind++];
	if (optind < argc)
		return rip_wrong_usage(COMMAND, "one image at a time: unexpected argument \"%s\"",
				       argv[optind]);
	if (options->socket && options->common.device.choice == RIP_CHOOSE_GPU)
		return rip_wrong_usage(COMMAND, "with --socket the daemon chooses the device:"
				       " riptided --device gpu");
	if (options->curve && !strcmp(options->curve, "-") &&
	    (!options->in || !strcmp(options->in, "-")))
		return rip_wrong_usage(COMMAND, "curve and image cannot both be standard input");
	return RIP_GO_ON;
}
