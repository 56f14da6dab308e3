#include "rip.h"

#include <string.h>

#include "rip/page_workers.h"
#include "system/ascii.h"
#include "command/terminal.h"

#define COMMAND "rip"

static const char *const models[] = {
	[RIP_CONTONE_GREY] = "grey", [RIP_CONTONE_RGB] = "rgb", [RIP_CONTONE_CMYK] = "cmyk", NULL
};
static const char *const inks[] = {
	[RIP_PLATES_PROCESS] = "process", [RIP_PLATES_SEPARATIONS] = "separations", NULL
};
static const char *const blacks[] = {
	[RIP_BLACK_FULL] = "full", [RIP_BLACK_PROFILE] = "profile", NULL
};
static const char *const keep_blacks[] = {
	[RIP_KEEP_BLACK_NONE] = "none", [RIP_KEEP_BLACK_TEXT] = "text",
	[RIP_KEEP_BLACK_TEXT_AND_GRAPHICS] = "text-and-graphics", NULL
};
static const char *const overprints[] = {
	[RIP_OVERPRINT_NONE] = "none", [RIP_OVERPRINT_TEXT] = "text", NULL
};
static const char *const formats[] = {
	[RIP_FORMAT_PNM] = "pnm", [RIP_FORMAT_CUPS] = "cups", [RIP_FORMAT_PWG] = "pwg",
	[RIP_FORMAT_TIFF] = "tiff", [RIP_FORMAT_PNG] = "png", NULL
};

static int find_model(const char *value)
{
	if (rip_same_name(value, "gray"))
		return RIP_CONTONE_GREY;
	for (int i = 0; models[i]; i++)
		if (rip_same_name(models[i], value))
			return i;
	return -1;
}

#define AT(member) offsetof(struct rip_rip_options, member)

static const struct rip_option_row page_rows[] = {
	RIP_RESOLUTION_ROW(AT(image.dpi), 'r', "2 to 100000",
			   "dots an inch: 600, 600x1200 (600)"),
	{ RIP_FOUND("model", "MODEL", AT(model), find_model, "grey, rgb, cmyk",
		    "the colours: grey, rgb, cmyk (grey)"), .basic = true,
	  .proposed = "grey rgb cmyk" },
	{ RIP_NAME("inks", "INKS", AT(inks), inks,
		   "planes of TIFF: those of the model, or cyan, magenta, yellow, black and a plane"
		   " for each spot colour: process, separations (process)") },
	{ RIP_NAME("black", "BLACK", AT(black), blacks,
		   "100 % K in grey: full ink, or as the profile of CMYK says: full, profile"
		   " (full)"), .job = "halftone-black" },
	{ RIP_NAME("black-preservation", "OBJECTS", AT(keep_black), keep_blacks,
		   "black and grey with black ink alone, in CMYK: none, text,"
		   " text-and-graphics (none)"), .job = "black-preservation" },
	{ RIP_NAME("black-overprint", "OBJECTS", AT(black_overprint), overprints,
		   "black that leaves the inks below it, in CMYK: none, text (none)"),
	  .job = "black-overprint" },
	{ RIP_FLAG("auto-monochrome", AT(auto_monochrome),
		   "pages without colour with black ink alone, in CMYK") },
	RIP_REGISTRATION_ROW(AT(tone.registration)),
	RIP_PAGES_ROW(AT(pages)),
	{ .name = NULL }
};

static const struct rip_option_row format_rows[] = {
	{ RIP_NAME("format", "FORMAT", AT(format), formats,
		   "pnm, cups, pwg, tiff or png, whatever OUT is called") },
	RIP_COMPRESSION_ROW(AT(compression), "of TIFF: lzw, packbits, g4, deflate, none (lzw)"),
	{ .name = NULL }
};

static const struct rip_option_row speed_rows[] = {
	{ RIP_NUMBER("workers", "N", AT(workers), 1, RIP_WORKERS_MAX,
		     "pages that are drawn at once (one for each processor that may be used)") },
	RIP_DEVICE_ROW(AT(image.common.device)),
	RIP_ISA_ROW(AT(image.common.isa)),
	RIP_THREADS_ROW(AT(image.common.threads),
			"threads that halftone a page (1 with several workers)"),
	{ .name = NULL }
};

static const struct rip_option_row output_rows[] = {
	{ RIP_NUMBER("page-timeout", "SECONDS", AT(page_seconds), 1, RIP_GS_SECONDS_MAX,
		     "fail if Ghostscript takes longer for a page (no limit)"),
	  .proposed = "10 60 600" },
	{ RIP_FLAG("json", AT(json), "write an object for each page to standard output"),
	  .basic = true },
	RIP_OUTPUT_ROW(AT(image.out), "write to OUT"),
	{ .name = NULL }
};

/* Chooses the format by the suffix of the output, or by the model if there is none. */
static int choose_format(struct rip_rip_options *options)
{
	static const enum rip_format of_kind[] = {
		[RIP_FILE_UNKNOWN] = RIP_FORMATS, [RIP_FILE_PBM] = RIP_FORMAT_PNM,
		[RIP_FILE_PGM] = RIP_FORMAT_PNM, [RIP_FILE_PPM] = RIP_FORMAT_PNM,
		[RIP_FILE_PNM] = RIP_FORMAT_PNM, [RIP_FILE_RASTER] = RIP_FORMAT_CUPS,
		[RIP_FILE_PWG] = RIP_FORMAT_PWG, [RIP_FILE_URF] = RIP_FORMATS,
		[RIP_FILE_TIFF] = RIP_FORMAT_TIFF, [RIP_FILE_PNG] = RIP_FORMAT_PNG,
		[RIP_FILE_JPEG] = RIP_FORMATS, [RIP_FILE_PDF] = RIP_FORMATS,
	};
	const enum rip_file_kind kind = rip_suffix_kind(options->image.out);

	options->format = of_kind[kind];
	if (options->format != RIP_FORMATS)
		return rip_suffix_check_levels(COMMAND, kind, options->image.common.levels,
					       false);
	options->format = options->model == RIP_CONTONE_GREY ? RIP_FORMAT_PNM : RIP_FORMAT_CUPS;
	return rip_suffix_check(COMMAND, options->image.out, 0,
				".pbm, .pgm, .png, .ras, .pwg or .tif", ", or add --format");
}

static int check(struct rip_rip_options *options)
{
	const struct rip_image_options *image = &options->image;
	const char *of_black = options->keep_black ? "--black-preservation" :
			       options->black_overprint ? "--black-overprint" :
			       options->auto_monochrome ? "--auto-monochrome" : NULL;
	const bool has_model = options->model != RIP_CONTONE_SEPARATIONS;
	int status = RIP_GO_ON;

	if (!has_model)
		options->model = RIP_CONTONE_GREY;
	rip_printer_option_choose(&options->printer, &options->tone);
	if (image->dpi.x == 1 || image->dpi.y == 1)
		return rip_wrong_usage(COMMAND, "--resolution must be 2 or more:"
				       " Ghostscript cannot draw at 1 dot an inch");
	if (options->format == RIP_FORMATS)
		status = choose_format(options);
	if (status != RIP_GO_ON)
		return status;
	if (of_black && options->inks != RIP_PLATES_SEPARATIONS &&
	    options->model != RIP_CONTONE_CMYK)
		return rip_wrong_usage(COMMAND, "%s is about black ink among others:"
				       " add --model cmyk, or leave it out", of_black);
	if (options->black == RIP_BLACK_PROFILE && options->model != RIP_CONTONE_GREY)
		return rip_wrong_usage(COMMAND, "--black is about grey: leave it out for"
				       " --model %s", models[options->model]);
	if (options->inks == RIP_PLATES_SEPARATIONS) {
		if (options->black == RIP_BLACK_PROFILE)
			of_black = "--black";
		if ((has_model && options->model != RIP_CONTONE_CMYK) || of_black)
			return rip_wrong_usage(COMMAND, "--inks separations gives the document's"
					       " own inks: leave out %s%s",
					       of_black ? of_black : "--model ",
					       of_black ? "" : models[options->model]);
		if (options->format != RIP_FORMAT_TIFF)
			return rip_wrong_usage(COMMAND, "--inks separations is for TIFF:"
					       " write to a file .tif, or add --format tiff");
		options->model = RIP_CONTONE_SEPARATIONS;
	}
	if ((options->format == RIP_FORMAT_PNM || options->format == RIP_FORMAT_PNG) &&
	    options->model != RIP_CONTONE_GREY)
		return rip_wrong_usage(COMMAND, "%s one colour: for --model %s write to a file"
				       " .ras or .pwg, or add --format",
				       options->format == RIP_FORMAT_PNG ? "PNG has" :
									   "PBM and PGM have",
				       models[options->model]);
	if (options->format == RIP_FORMAT_TIFF && options->model == RIP_CONTONE_RGB)
		return rip_wrong_usage(COMMAND, "TIFF gets ink: choose --model grey or cmyk");
	if (options->format == RIP_FORMAT_TIFF && rip_is_standard(image->out))
		return rip_wrong_usage(COMMAND, "TIFF needs a file: -o OUT");
	if (options->compression != RIP_TIFF_COMPRESSIONS && options->format != RIP_FORMAT_TIFF)
		return rip_wrong_usage(COMMAND, "--compression is for TIFF:"
				       " write to a file .tif, or add --format tiff");
	if (options->json && rip_is_standard(image->out))
		return rip_wrong_usage(COMMAND, "--json writes to standard output,"
				       " so the dots need a file: -o OUT");
	if (image->curve && rip_is_standard(image->curve) && rip_is_standard(image->in))
		return rip_wrong_usage(COMMAND, "curve and document cannot both be standard input");
	return RIP_GO_ON;
}

static const char before[] =
	"Usage: riptide rip [OPTION]... [-o OUT] [IN.pdf]\n"
	"Makes the dots of a PDF document's pages: Ghostscript draws them, riptide halftones.\n"
	"\n"
	"IN   a PDF file; - or nothing: standard input.\n"
	"OUT  PBM or PGM, CUPS raster (.ras), PWG raster (.pwg), TIFF (.tif) or PNG (.png:"
	" several\n"
	"     pages are OUT-1.png, OUT-2.png and so on); - or nothing: standard output.  A file\n"
	"     appears when it is complete.\n";

int rip_rip_options_parse(struct rip_rip_options *options, int argc, char **argv)
{
	const struct rip_command_group groups[] = {
		{ page_rows, options, "Options that change the dots:\n" },
		{ rip_dots_rows, &options->image, NULL },
		{ rip_printer_rows, &options->printer, NULL },
		{ rip_tone_rows, &options->tone, NULL }, { format_rows, options, NULL },
		{ speed_rows, options, "Options that change only the speed:\n" },
		{ output_rows, options, "" }, { 0 }
	};
	const struct rip_command_line line = {
		.command = COMMAND, .groups = groups,
		.before = before,
	};
	int status;

	*options = (struct rip_rip_options){ .image = RIP_IMAGE_DEFAULTS, .format = RIP_FORMATS,
					     .model = RIP_CONTONE_SEPARATIONS, /* none */
					     .printer = RIP_PRINTER_DEFAULTS,
					     .tone = rip_tone_choice_nothing(),
					     .compression = RIP_TIFF_COMPRESSIONS };
	options->image.dpi = (struct rip_dpi){ 600, 600 };
	status = rip_options_parse(&line, argc, argv);
	if (status == RIP_GO_ON)
		status = rip_option_image_name(COMMAND, "document", argc, argv, &options->image);
	if (status == RIP_GO_ON)
		status = check(options);
	if (status == RIP_GO_ON)
		status = rip_option_drops(COMMAND, &options->tone.drops,
					  options->image.common.levels);
	if (status == RIP_GO_ON)
		status = rip_option_compression_check(COMMAND, &options->compression,
						      options->image.common.levels);
	return status;
}
