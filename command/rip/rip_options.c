#include "rip_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "command/halftone_options.h"
#include "rip/page_list.h"
#include "rip/page_workers.h"
#include "system/ascii.h"
#include "command/terminal.h"

#define COMMAND "rip"

static const char help[] =
	"Usage: riptide rip [OPTION]... [-o OUT] [IN.pdf]\n"
	"Makes the dots of a PDF document's pages: Ghostscript draws them, riptide halftones.\n"
	"\n"
	"IN   a PDF file; - or nothing: standard input.\n"
	"OUT  PBM or PGM, CUPS raster (.ras), PWG raster (.pwg), TIFF (.tif) or PNG (.png: several\n"
	"     pages are OUT-1.png, OUT-2.png and so on); - or nothing: standard output.  A file\n"
	"     appears when it is complete.\n"
	"\n"
	"Options that change the dots:\n"
	"  -r, --resolution DPI  dots an inch: 600, 600x1200 (600)\n"
	"  --model MODEL         the colours: grey, rgb, cmyk (grey)\n"
	"  --pages LIST          only these pages: 3, 1-4,8, 5-\n"
	RIP_DOTS_HELP
	RIP_TONER_SAVE_HELP
	"  --format FORMAT       pnm, cups, pwg, tiff or png, whatever OUT is called\n"
	"  --compression NAME    of TIFF: lzw, packbits, g4, deflate, none (lzw)\n"
	"\n"
	"Options that change only the speed:\n"
	"  --workers N           pages that are drawn at once (one for each processor that may\n"
	"                        be used)\n"
	"  --device DEVICE       auto, cpu, gpu or a GPU's number (auto)\n"
	"  --isa NAME            the CPU's instruction set; help lists them\n"
	"  --threads N           threads that halftone a page (1 with several workers)\n"
	"\n"
	"  --page-timeout SECONDS\n"
	"                        fail if Ghostscript takes longer for a page (no limit)\n"
	"  --json                write an object for each page to standard output\n"
	"  -o, --output OUT      write to OUT\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-rip(1).\n";

enum { MODEL = RIP_OPTION_PROGRAM, PAGES, FORMAT, WORKERS, JSON, TONER_SAVE, COMPRESSION, PAGE_TIMEOUT };

static const struct option long_options[] = {
	RIP_IMAGE_LONG_OPTIONS,
	{ "model", required_argument, NULL, MODEL },
	{ "pages", required_argument, NULL, PAGES },
	{ "format", required_argument, NULL, FORMAT },
	{ "compression", required_argument, NULL, COMPRESSION },
	{ "workers", required_argument, NULL, WORKERS },
	{ "page-timeout", required_argument, NULL, PAGE_TIMEOUT },
	{ "json", no_argument, NULL, JSON },
	{ "toner-save", required_argument, NULL, TONER_SAVE },
	{ NULL, 0, NULL, 0 }
};

static const char *const models[] = {
	[RIP_CONTONE_GREY] = "grey", [RIP_CONTONE_RGB] = "rgb", [RIP_CONTONE_CMYK] = "cmyk",
};
static const char *const formats[] = {
	[RIP_FORMAT_PNM] = "pnm", [RIP_FORMAT_CUPS] = "cups", [RIP_FORMAT_PWG] = "pwg",
	[RIP_FORMAT_TIFF] = "tiff", [RIP_FORMAT_PNG] = "png",
};
static const struct {
	const char     *suffix;
	enum rip_format format;
} suffixes[] = {
	{ ".pbm", RIP_FORMAT_PNM }, { ".pgm", RIP_FORMAT_PNM }, { ".pnm", RIP_FORMAT_PNM },
	{ ".ras", RIP_FORMAT_CUPS }, { ".raster", RIP_FORMAT_CUPS }, { ".pwg", RIP_FORMAT_PWG },
	{ ".tif", RIP_FORMAT_TIFF }, { ".tiff", RIP_FORMAT_TIFF },
	{ ".png", RIP_FORMAT_PNG },
};

static int find_name(const char *const names[], int count, const char *value)
{
	for (int i = 0; i < count; i++)
		if (rip_same_name(names[i], value))
			return i;
	return -1;
}

static int parse_option(struct rip_rip_options *options, int *format, int option, const char *value,
			char **argv)
{
	int found;

	switch (option) {
	case MODEL:
		found = find_name(models, 3, value);
		if (found < 0 && rip_same_name(value, "gray"))
			found = RIP_CONTONE_GREY;
		if (found < 0)
			return rip_wrong_usage(COMMAND, "--model \"%s\" is none of grey, rgb, cmyk", value);
		options->model = (enum rip_contone)found;
		return RIP_GO_ON;
	case PAGES:
		if (!rip_page_list_valid(value))
			return rip_wrong_usage(COMMAND, "--pages \"%s\" is no list of pages such as 3 or"
					       " 1-4,8", value);
		options->pages = value;
		return RIP_GO_ON;
	case FORMAT:
		*format = find_name(formats, 5, value);
		return *format >= 0 ? RIP_GO_ON :
			rip_wrong_usage(COMMAND, "--format \"%s\" is none of pnm, cups, pwg, tiff, png",
					value);
	case COMPRESSION:
		options->compressed = true;
		return rip_option_compression(COMMAND, value, &options->compression);
	case WORKERS:
		return rip_option_number(COMMAND, "--workers", value, 1, RIP_WORKERS_MAX,
					 &options->workers);
	case PAGE_TIMEOUT:
		return rip_option_number(COMMAND, "--page-timeout", value, 1, RIP_GS_SECONDS_MAX,
					 &options->page_seconds);
	case TONER_SAVE:
		return rip_option_toner_save(COMMAND, value, &options->toner_save);
	case JSON:
		options->json = true;
		return RIP_GO_ON;
	default:
		return rip_option_image(COMMAND, option == 'r' ? RIP_OPTION_RESOLUTION : option, value,
					argv, help, &options->image);
	}
}

/* The format that a file's name stands for, or -1. */
static int format_of(const char *name)
{
	const char *suffix = name ? strrchr(name, '.') : NULL;

	for (size_t i = 0; suffix && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (rip_same_name(suffix, suffixes[i].suffix))
			return (int)suffixes[i].format;
	return -1;
}

static int check(struct rip_rip_options *options, int format)
{
	const struct rip_image_options *image = &options->image;
	int status;

	if (image->x_dpi == 1 || image->y_dpi == 1)
		return rip_wrong_usage(COMMAND, "--resolution must be 2 or more: Ghostscript cannot draw at 1"
				       " dot an inch");
	if (format < 0)
		format = format_of(image->out);
	status = format >= 0 ? RIP_GO_ON :
		 rip_suffix_check(COMMAND, image->out,
				  options->model == RIP_CONTONE_GREY ? RIP_SUFFIX(PNM) : RIP_SUFFIX(RASTER),
				  ".pbm, .pgm, .png, .ras, .pwg or .tif", ", or add --format");
	if (status != RIP_GO_ON)
		return status;
	if (format < 0)
		format = options->model == RIP_CONTONE_GREY ? RIP_FORMAT_PNM : RIP_FORMAT_CUPS;
	options->format = (enum rip_format)format;
	if ((options->format == RIP_FORMAT_PNM || options->format == RIP_FORMAT_PNG) &&
	    options->model != RIP_CONTONE_GREY)
		return rip_wrong_usage(COMMAND, "%s one colour: for --model %s write to a file .ras or .pwg,"
				       " or add --format",
				       options->format == RIP_FORMAT_PNG ? "PNG has" : "PBM and PGM have",
				       models[options->model]);
	if (options->format == RIP_FORMAT_TIFF && options->model == RIP_CONTONE_RGB)
		return rip_wrong_usage(COMMAND, "TIFF gets ink: choose --model grey or cmyk");
	if (options->format == RIP_FORMAT_TIFF && rip_is_standard(image->out))
		return rip_wrong_usage(COMMAND, "TIFF needs a file: -o OUT");
	if (options->compressed && options->format != RIP_FORMAT_TIFF)
		return rip_wrong_usage(COMMAND, "--compression is for TIFF: write to a file .tif, or add"
				       " --format tiff");
	if (options->json && rip_is_standard(image->out))
		return rip_wrong_usage(COMMAND, "--json writes to standard output, so the dots need a"
				       " file: -o OUT");
	if (image->curve && rip_is_standard(image->curve) && rip_is_standard(image->in))
		return rip_wrong_usage(COMMAND, "curve and document cannot both be standard input");
	return RIP_GO_ON;
}

int rip_rip_options_parse(struct rip_rip_options *options, int argc, char **argv)
{
	int option, status, format = -1;

	*options = (struct rip_rip_options){ .image = RIP_IMAGE_DEFAULTS };
	options->image.x_dpi = options->image.y_dpi = 600;
	while ((option = getopt_long(argc, argv, ":r:o:h", long_options, NULL)) != -1) {
		status = parse_option(options, &format, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
	}
	status = rip_option_image_name(COMMAND, "document", argc, argv, &options->image);
	if (status == RIP_GO_ON)
		status = rip_option_compression_check(COMMAND, options->compression,
						      options->image.common.levels);
	return status == RIP_GO_ON ? check(options, format) : status;
}
