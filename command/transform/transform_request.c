/* The call: command line and environment, as libcups 3's ipptransform has them. */
#include "config.h"

#include "transform.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/pwg.h>

#include "image/complain.h"
#include "system/ascii.h"
#include "system/refuse.h"

#define COPIES_MAX 9999
#define SIDE_MAX   1000000 /* of a sheet, 1/100 mm: 10 m */
#define DPI_MAX    9600

static const struct rip_transform_type types[] = {
	{ "black_1", RIP_CONTONE_GREY, CUPS_CSPACE_K, 1 },
	{ "black_8", RIP_CONTONE_GREY, CUPS_CSPACE_K, 8 },
	{ "sgray_1", RIP_CONTONE_GREY, CUPS_CSPACE_SW, 1 },
	{ "sgray_8", RIP_CONTONE_GREY, CUPS_CSPACE_SW, 8 },
	{ "srgb_8", RIP_CONTONE_RGB, CUPS_CSPACE_SRGB, 8 },
	{ "cmyk_8", RIP_CONTONE_CMYK, CUPS_CSPACE_CMYK, 8 },
};

/* The command line, before it is understood; NULL: not said. */
struct call {
	const char *device, *output, *input_type, *output_type, *resolutions, *back, *types;
	bool        version;
	int         files;
};

static const char usage[] =
	"Usage: riptide-transform [OPTION]... FILE\n"
	"       riptide-transform --help | --version\n"
	"Makes pages for printers of a PDF document, a JPEG or a PNG image, as ipptransform does.\n"
	"\n"
	"  -f OUT          write to a file (standard output)\n"
	"  -i TYPE         of FILE: application/pdf, image/jpeg, image/png (from its suffix)\n"
	"  -m TYPE         of the output: image/pwg-raster, image/urf, application/vnd.hp-pcl\n"
	"  -o NAME=VALUE   an attribute of IPP, or an option of rastertoriptide(8)\n"
	"  -r RES,RES...   resolutions of the printer, ascending: 600dpi, 600x1200dpi (300dpi)\n"
	"  -s BACK         how the back must be drawn: normal, flipped, rotated, manual-tumble\n"
	"  -t TYPE,TYPE... pages that the printer takes: black_1, black_8, sgray_1, sgray_8,\n"
	"                  srgb_8, cmyk_8 (sgray_8)\n"
	"  -v              say more\n"
	"\n"
	"Everything else goes to the next ipptransform in PATH.  See riptide-transform(1).\n";

/* ---- small things ---- */

/* Reports that the call is wrong; returns the exit status. */
#define wrong(format, ...) \
	rip_complain(EXIT_FAILURE, format " (riptide-transform --help)", ##__VA_ARGS__)

#define leave(request, ...) \
	rip_refuse_as(RIP_TRANSFORM_NEXT, (request)->why, sizeof (request)->why, __VA_ARGS__)

static void copy(char to[64], const char *from)
{
	snprintf(to, 64, "%s", from);
}

/* A number of an IPP attribute, at least `least` and at most `most`.  False: it is none. */
static bool number(const char *text, long least, long most, int *value)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	*value = (int)n;
	return !errno && end != text && !*end && n >= least && n <= most;
}

/* An option of the job, or of the printer: its default. */
static const char *option_of(const struct rip_transform_request *request, const char *name,
			     bool printer)
{
	const char *value = printer ? NULL : cupsGetOption(name, request->count, request->options);
	char variable[128];

	snprintf(variable, sizeof variable, "IPP_%s%s", name, printer ? "_DEFAULT" : "");
	for (char *at = variable; *at; at++)
		*at = *at == '-' ? '_' : rip_upper(*at);
	return value ? value : getenv(variable);
}

const char *rip_transform_option(const struct rip_transform_request *request, const char *name)
{
	const char *value = option_of(request, name, false);

	return value ? value : option_of(request, name, true);
}

/* Attributes whose values are numbers; `otherwise` if they are not said. */
static int number_of(const struct rip_transform_request *request, const char *name, int least,
		     int most, int otherwise, unsigned *value)
{
	const char *text = rip_transform_option(request, name);
	int n = otherwise;

	if (text && *text && !number(text, least, most, &n))
		return wrong("%s=%.64s: it must be %d to %d", name, text, least, most);
	*value = (unsigned)n;
	return RIP_TRANSFORM_GO_ON;
}

/* Attributes whose values are keywords.  *value: the place in the list; 0 if it is not said. */
static int keyword_of(const struct rip_transform_request *request, const char *name,
		      const char *const list[], unsigned *value)
{
	const char *text = rip_transform_option(request, name);
	char known[160] = "";

	*value = 0;
	for (unsigned i = 0; text && *text && list[i]; i++) {
		if (!strcmp(text, list[i])) {
			*value = i;
			return RIP_TRANSFORM_GO_ON;
		}
		snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
			 i ? ", " : "", list[i]);
	}
	return text && *text ? wrong("%s=%.64s: it must be one of %s", name, text, known) :
			       RIP_TRANSFORM_GO_ON;
}

/* ---- what others do ---- */

/* Attributes that change pages in ways that are not done here, and their values that change
 * nothing. */
static const struct {
	const char *name, *nothing;
} others[] = {
	{ "force-front-side", NULL }, { "imposition-template", "none" },
	{ "job-error-sheet", NULL }, { "job-sheets", "none" }, { "job-sheets-col", NULL },
	{ "number-up", "1" }, { "output-bin", NULL }, { "overrides", NULL },
	{ "page-delivery", "same-order-face-down" }, { "separator-sheets", NULL },
	{ "x-image-position", "none" }, { "x-image-shift", "0" }, { "x-side1-image-shift", "0" },
	{ "x-side2-image-shift", "0" }, { "y-image-position", "none" }, { "y-image-shift", "0" },
	{ "y-side1-image-shift", "0" }, { "y-side2-image-shift", "0" },
};

static int check_others(struct rip_transform_request *request)
{
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		const char *name = others[i].name, *value = rip_transform_option(request, name);

		/* Of output bins, only one with pages face up has them in another order. */
		if (!value || !*value || (others[i].nothing && !strcmp(value, others[i].nothing)) ||
		    (!strcmp(name, "output-bin") && strcmp(value, "face-up")))
			continue;
		return leave(request, "%s=%.64s is not supported", name, value);
	}
	if (getenv("IPP_DOCUMENT_PASSWORD"))
		return leave(request, "documents with a password are not supported");
	return RIP_TRANSFORM_GO_ON;
}

/* ---- formats ---- */

static const char *suffix_of(const char *name)
{
	const char *dot = name ? strrchr(name, '.') : NULL;

	return dot && !strchr(dot, '/') ? dot : "";
}

static int choose_input(struct rip_transform_request *request, const struct call *call)
{
	static const struct {
		const char *type, *suffix;
		enum rip_image_kind kind;
	} known[] = {
		{ "application/pdf", ".pdf", RIP_IMAGE_UNKNOWN },
		{ "image/jpeg", ".jpg", RIP_IMAGE_JPEG }, { "image/jpeg", ".jpeg", RIP_IMAGE_JPEG },
		{ "image/png", ".png", RIP_IMAGE_PNG },
	};
	const char *type = call->input_type, *suffix = suffix_of(request->file);

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		request->image = known[i].kind;
		if (type ? rip_same_name(type, known[i].type) :
			   rip_same_name(suffix, known[i].suffix))
			return RIP_TRANSFORM_GO_ON;
	}
	return type ? leave(request, "%.64s cannot be read", type) :
		      leave(request, "the format of %.128s is not known: name it with -i",
			    request->file);
}

static int choose_output(struct rip_transform_request *request, const struct call *call,
			 const char *program)
{
	static const struct {
		const char *type, *suffix, *program;
		enum rip_transform_format format;
	} known[] = {
		{ "image/pwg-raster", ".pwg", "", RIP_TRANSFORM_PWG },
		{ "image/urf", ".urf", "", RIP_TRANSFORM_APPLE },
		{ "application/vnd.hp-pcl", ".pcl", "ippevepcl", RIP_TRANSFORM_PCL },
	};
	const char *suffix = suffix_of(call->output), *slash = strrchr(program, '/');

	program = slash ? slash + 1 : program;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		request->format = known[i].format;
		if (call->output_type ? rip_same_name(call->output_type, known[i].type) :
		    *suffix ? rip_same_name(suffix, known[i].suffix) :
			      !strcmp(program, known[i].program))
			return RIP_TRANSFORM_GO_ON;
	}
	return call->output_type ? leave(request, "%.64s cannot be made", call->output_type) :
				   leave(request, "the output's format is not known:"
					 " name it with -m");
}

/* ---- type and resolution ---- */

static const struct rip_transform_type *find_type(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
		if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ','))
			for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
				if (!strcmp(types[i].name, name))
					return &types[i];
	return NULL;
}

/* The first of some types that the printer takes, or NULL. */
#define FIRST(list, ...) first_type(list, (const char *const[]){ __VA_ARGS__, NULL })
static const struct rip_transform_type *first_type(const char *list, const char *const names[])
{
	const struct rip_transform_type *type = NULL;

	for (; *names && !type; names++)
		type = find_type(list, *names);
	return type;
}

/* The rule of ipptransform.  print-color-mode and print-quality decide. */
static int choose_type(struct rip_transform_request *request, const char *list)
{
	const char *mode = rip_transform_option(request, "print-color-mode");
	bool colour = true;

	if (mode && (!strcmp(mode, "bi-level") || !strcmp(mode, "process-bi-level"))) {
		request->bi_level = true;
		request->quality = 3;
		colour = false;
	} else if (mode && strstr(mode, "monochrome")) {
		colour = false;
	}
	if (request->format == RIP_TRANSFORM_PCL)
		list = "black_1";
	if (colour)
		request->type = FIRST(list, "srgb_8", "cmyk_8");
	if (!request->type && request->quality == 3)
		request->type = FIRST(list, "black_1", "sgray_1");
	if (!request->type)
		request->type = FIRST(list, "black_8", "sgray_8", "black_1", "sgray_1", "srgb_8",
				      "cmyk_8");
	return request->type ? RIP_TRANSFORM_GO_ON :
	       leave(request, "none of the types %.128s can be made", list);
}

/* "600dpi", "600x1200dpi"; a comma may follow. */
static bool read_resolution(const char *text, struct rip_transform_request *request)
{
	unsigned *x = &request->x_dpi, *y = &request->y_dpi;
	int n = 0;

	if (sscanf(text, "%5ux%5udpi%n", x, y, &n) != 2 || !n) {
		n = 0;
		if (sscanf(text, "%5udpi%n", x, &n) != 1 || !n)
			return false;
		*y = *x;
	}
	return (!text[n] || text[n] == ',') && *x >= 2 && *x <= DPI_MAX && *y >= 2 &&
	       *y <= DPI_MAX;
}

/* The printer's lowest resolution for drafts, its highest for high quality, or one between. */
static int choose_resolution(struct rip_transform_request *request, const char *list)
{
	const char *asked = rip_transform_option(request, "printer-resolution");
	unsigned count = 1, wanted;

	if (!asked || !*asked) {
		for (const char *at = list; *at; at++)
			count += *at == ',';
		wanted = request->quality == 3 ? 0 : request->quality == 5 ? count - 1 : count / 2;
		for (asked = list; wanted > 0; wanted--)
			asked = strchr(asked, ',') + 1;
	}
	return read_resolution(asked, request) ? RIP_TRANSFORM_GO_ON :
	       wrong("the resolution %.64s is none such as 600dpi or 600x1200dpi", asked);
}

/* ---- media ---- */

/* Sheets that are printed to their edges unless margins are said. */
static bool is_photo(const char *name)
{
	static const char *const names[] = { "iso_a6_105x148mm", "na_index-4x6_4x6in",
					     "na_5x7_5x7in", "na_govt-letter_8x10in" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(name, names[i]))
			return true;
	return strstr(name, "photo") != NULL;
}

static int take_name(struct rip_transform_media *media, const char *name)
{
	pwg_media_t *known = pwgMediaForPWG(name);

	if (!known)
		known = pwgMediaForLegacy(name);
	if (!known)
		return wrong("the media %.64s is not known", name);
	copy(media->name, known->pwg);
	media->width = known->width;
	media->length = known->length;
	return RIP_TRANSFORM_GO_ON;
}

/* media-size={x-dimension=21000 y-dimension=29700}.  The dimensions count, also where they are some
 * tenths of a millimetre off those of the size that they are known by. */
static int take_size(struct rip_transform_media *media, const char *text)
{
	cups_option_t *size = NULL;
	const int count = cupsParseOptions(text, 0, &size);
	const char *x = cupsGetOption("x-dimension", count, size);
	const char *y = cupsGetOption("y-dimension", count, size);
	const bool valid = x && y && number(x, 1, SIDE_MAX, &media->width) &&
			   number(y, 1, SIDE_MAX, &media->length);
	pwg_media_t *known = valid ? pwgMediaForSize(media->width, media->length) : NULL;

	cupsFreeOptions(count, size);
	if (!valid)
		return wrong("media-size=%.64s: x-dimension and y-dimension must be 1 to %d", text,
			     SIDE_MAX);
	if (known && known->pwg)
		copy(media->name, known->pwg);
	return RIP_TRANSFORM_GO_ON;
}

static int take_margins(struct rip_transform_media *media, int count, cups_option_t *col,
			bool *said)
{
	const struct {
		const char *name;
		int *margin;
		const int *side;
	} all[] = {
		{ "media-left-margin", &media->left, &media->width },
		{ "media-right-margin", &media->right, &media->width },
		{ "media-bottom-margin", &media->bottom, &media->length },
		{ "media-top-margin", &media->top, &media->length },
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		const char *value = cupsGetOption(all[i].name, count, col);

		*said |= value != NULL;
		if (value && !number(value, 0, *all[i].side - 1, all[i].margin))
			return wrong("%s=%.64s: it must be 0 to %d", all[i].name, value,
				     *all[i].side - 1);
	}
	return media->left + media->right < media->width &&
	       media->bottom + media->top < media->length ? RIP_TRANSFORM_GO_ON :
	       wrong("the margins leave nothing of the media");
}

static int take_collection(struct rip_transform_media *media, const char *text, bool *has_margins)
{
	cups_option_t *col = NULL;
	const int count = cupsParseOptions(text, 0, &col);
	const char *name = cupsGetOption("media-size-name", count, col);
	const char *size = cupsGetOption("media-size", count, col), *value;
	int status = name ? take_name(media, name) : size ? take_size(media, size) :
		     RIP_TRANSFORM_GO_ON;

	if (status == RIP_TRANSFORM_GO_ON)
		status = take_margins(media, count, col, has_margins);
	if ((value = cupsGetOption("media-color", count, col)) != NULL)
		copy(media->color, value);
	if ((value = cupsGetOption("media-source", count, col)) != NULL)
		copy(media->source, value);
	if ((value = cupsGetOption("media-type", count, col)) != NULL)
		copy(media->type, value);
	cupsFreeOptions(count, col);
	return status;
}

static int choose_media(struct rip_transform_request *request)
{
	struct rip_transform_media *media = &request->media;
	const char *text = NULL;
	bool has_margins = false, borderless;
	int status;

	/* The job's, by either name, before the printer's. */
	for (unsigned i = 0; i < 4 && (!text || !*text); i++)
		text = option_of(request, i % 2 ? "media" : "media-col", i > 1);
	status = take_name(media, "iso_a4_210x297mm");
	copy(media->color, "white");
	copy(media->source, "auto");
	if (text && *text == '{')
		status = take_collection(media, text, &has_margins);
	else if (text && *text)
		status = take_name(media, text);
	if (!has_margins && !is_photo(media->name) && media->width > 2 * 625 &&
	    media->length > 2 * 1250) {
		media->bottom = media->top = 1250;
		media->left = media->right = 625;
	}
	borderless = !media->left && !media->right && !media->top && !media->bottom;
	if (!media->type[0])
		copy(media->type, borderless ? "photographic" : "stationery");
	return status;
}

/* ---- pages ---- */

/* The next range of "1-3,5,8-"; *text is left behind it.  Numbers too large are the largest. */
static bool next_range(const char **text, unsigned long *first, unsigned long *last)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*first = *last = strtoul(*text, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*last = strtoul(end + 1, &end, 10);
	*text = end;
	return *first > 0 && *last >= *first;
}

static int check_ranges(struct rip_transform_request *request)
{
	const char *text = rip_transform_option(request, "page-ranges"), *at = text;
	unsigned long first, last;

	if (!text || !*text)
		return RIP_TRANSFORM_GO_ON;
	request->ranges = text;
	while (next_range(&at, &first, &last)) {
		if (!*at)
			return RIP_TRANSFORM_GO_ON;
		if (*at++ != ',')
			break;
	}
	return wrong("page-ranges=%.64s: it must be a list such as 1-4,8", text);
}

bool rip_transform_has_page(const struct rip_transform_request *request, unsigned page)
{
	const char *at = request->ranges;
	unsigned long first, last;

	for (; at && next_range(&at, &first, &last); at += *at == ',')
		if (page >= first && page <= last)
			return true;
	return !request->ranges;
}

static int choose_orientation(struct rip_transform_request *request)
{
	unsigned of_image = 7;
	int status = number_of(request, "orientation-requested", 3, 7, 7, &request->orientation);

	if (status == RIP_TRANSFORM_GO_ON && request->image != RIP_IMAGE_UNKNOWN)
		status = number_of(request, "image-orientation", 3, 7, 7, &of_image);
	if (of_image != 7) {
		request->orientation = of_image;
		request->is_exact = true;
	}
	return status;
}

static int choose_sides(struct rip_transform_request *request, const char *back)
{
	static const char *const sides[] = { "one-sided", "two-sided-long-edge",
					     "two-sided-short-edge", NULL };
	static const char *const backs[] = { "normal", "flipped", "rotated", "manual-tumble" };
	unsigned side;
	const int status = keyword_of(request, "sides", sides, &side);

	request->duplex = side > 0;
	request->tumble = side == 2;
	for (unsigned i = 0; i < sizeof backs / sizeof backs[0]; i++)
		if (!strcmp(back, backs[i])) {
			request->back = (enum rip_transform_back)i;
			return status;
		}
	return wrong("-s %.64s: it must be normal, flipped, rotated or manual-tumble", back);
}

static int choose_pages(struct rip_transform_request *request, const char *back)
{
	static const char *const scalings[] = {
		[RIP_SCALING_AUTO] = "auto", [RIP_SCALING_AUTO_FIT] = "auto-fit",
		[RIP_SCALING_FILL] = "fill", [RIP_SCALING_FIT] = "fit",
		[RIP_SCALING_NONE] = "none", NULL
	};
	const char *handling = rip_transform_option(request, "multiple-document-handling");
	unsigned scaling = 0;
	int status = number_of(request, "copies", 1, COPIES_MAX, 1, &request->copies);

	request->uncollated = handling && !strcmp(handling, "separate-documents-uncollated-copies");
	if (status == RIP_TRANSFORM_GO_ON)
		status = keyword_of(request, "print-scaling", scalings, &scaling);
	request->scaling = (enum rip_transform_scaling)scaling;
	if (status == RIP_TRANSFORM_GO_ON)
		status = choose_orientation(request);
	if (status == RIP_TRANSFORM_GO_ON)
		status = choose_sides(request, back);
	return status == RIP_TRANSFORM_GO_ON ? check_ranges(request) : status;
}

/* ---- all of it ---- */

/* RIP_TRANSFORM_GO_ON or the exit status. */
static int read_arguments(struct rip_transform_request *request, struct call *call, int argc,
			  char **argv)
{
	enum { LONG_HELP = UCHAR_MAX + 1, LONG_VERSION };
	static const struct option options[] = {
		{ "help", no_argument, NULL, LONG_HELP },
		{ "version", no_argument, NULL, LONG_VERSION }, { 0 }
	};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":d:f:i:m:o:r:s:t:v", options, NULL)) >= 0)
		switch (letter) {
		case 'd': call->device = optarg; break;
		case 'f': call->output = optarg; break;
		case 'i': call->input_type = optarg; break;
		case 'm': call->output_type = optarg; break;
		case 'r': call->resolutions = optarg; break;
		case 's': call->back = optarg; break;
		case 't': call->types = optarg; break;
		case 'v': request->debug = true; break;
		case LONG_VERSION: call->version = true; break;
		case 'o':
			request->count = cupsParseOptions(optarg, request->count,
							  &request->options);
			break;
		case LONG_HELP:
			fputs(usage, stdout);
			return EXIT_SUCCESS;
		case ':':
			return wrong("the option -%c needs a value", optopt);
		default:
			return optopt > 0 && optopt < LONG_HELP ?
			       wrong("-%c is not an option", optopt) :
			       wrong("%.64s is not an option", argv[optind - 1]);
		}
	call->files = argc - optind;
	request->file = argv[optind];
	request->output = call->output;
	if (call->version)
		puts("riptide-transform " PACKAGE_VERSION);
	if (call->output && !*call->output)
		return wrong("the name behind -f is empty");
	if (call->files == 1 && !*request->file)
		return wrong("the name of the document is empty");
	if (call->files == 0)
		return call->version ? EXIT_SUCCESS : wrong("no file is named");
	return RIP_TRANSFORM_GO_ON;
}

/* What the environment says; the command line replaces it. */
static void read_environment(struct rip_transform_request *request, struct call *call)
{
	const char *level = getenv("SERVER_LOGLEVEL");

	request->debug = level && !strcmp(level, "debug");
	call->device = getenv("DEVICE_URI");
	call->input_type = getenv("CONTENT_TYPE");
	call->output_type = getenv("OUTPUT_TYPE");
	call->resolutions = getenv("IPP_PWG_RASTER_DOCUMENT_RESOLUTION_SUPPORTED");
	call->back = getenv("IPP_PWG_RASTER_DOCUMENT_SHEET_BACK");
	call->types = getenv("IPP_PWG_RASTER_DOCUMENT_TYPE_SUPPORTED");
}

int rip_transform_request_read(struct rip_transform_request *request, int argc, char **argv)
{
	struct call call;
	const char *text;
	int status;

	memset(request, 0, sizeof *request);
	memset(&call, 0, sizeof call);
	read_environment(request, &call);
	status = read_arguments(request, &call, argc, argv);
	if (status != RIP_TRANSFORM_GO_ON)
		return status;
	if (call.files > 1)
		return leave(request, "only one file at a time can be read");
	if (call.device && *call.device)
		return leave(request, "nothing is sent to %.64s", call.device);
	status = choose_input(request, &call);
	if (status == RIP_TRANSFORM_GO_ON)
		status = choose_output(request, &call, argv[0]);
	if (status == RIP_TRANSFORM_GO_ON)
		status = check_others(request);
	if (status == RIP_TRANSFORM_GO_ON)
		status = number_of(request, "print-quality", 3, 5, 0, &request->quality);
	if (status == RIP_TRANSFORM_GO_ON)
		status = choose_resolution(request, call.resolutions ? call.resolutions : "300dpi");
	if (status == RIP_TRANSFORM_GO_ON)
		status = choose_type(request, call.types ? call.types : "sgray_8");
	if (status == RIP_TRANSFORM_GO_ON)
		status = choose_media(request);
	if (status == RIP_TRANSFORM_GO_ON)
		status = choose_pages(request, call.back ? call.back : "normal");
	if (status == RIP_TRANSFORM_GO_ON && request->format == RIP_TRANSFORM_PCL &&
	    request->x_dpi != request->y_dpi)
		return wrong("PCL has one resolution, not %ux%udpi", request->x_dpi,
			     request->y_dpi);
	text = rip_transform_option(request, "print-content-optimize");
	copy(request->optimize, text ? text : "");
	text = rip_transform_option(request, "print-rendering-intent");
	copy(request->intent, text ? text : "");
	return status;
}

void rip_transform_request_finish(struct rip_transform_request *request)
{
	cupsFreeOptions(request->count, request->options);
	request->count = 0;
	request->options = NULL;
}
