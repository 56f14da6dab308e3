#include "preview.h"

#include "command/terminal.h"

#define COMMAND "preview"

/* A number up to RIP_WIDTH_MAX and the sign that must follow. */
static bool read_extent(const char **text, char sign, uint32_t *value)
{
	uint64_t n = 0;
	const char *at = *text;

	for (; *at >= '0' && *at <= '9' && n <= RIP_WIDTH_MAX; at++)
		n = n * 10 + (uint64_t)(*at - '0');
	if (at == *text || n > RIP_WIDTH_MAX || *at != sign)
		return false;
	*value = (uint32_t)n;
	*text = at + (sign != '\0');
	return true;
}

static int set_crop(const char *value, void *at_crop)
{
	struct rip_preview_crop *crop = at_crop;
	const char *at = value;

	return read_extent(&at, 'x', &crop->width) && read_extent(&at, '+', &crop->height) &&
	       read_extent(&at, '+', &crop->x) && read_extent(&at, '\0', &crop->y) && crop->width &&
	       crop->height ? RIP_GO_ON : RIP_OPTION_INVALID;
}

static int set_inks(const char *value, void *letters)
{
	return rip_ink_list(value, letters) ? RIP_GO_ON : RIP_OPTION_INVALID;
}

static int set_calibration(const char *value, void *name)
{
	return rip_tone_parse_calibration(value, name) ? RIP_GO_ON : RIP_OPTION_INVALID;
}

#define AT(member) offsetof(struct rip_preview_options, member)

static const struct rip_option_row picture_rows[] = {
	{ RIP_NUMBER("ppi", "N", AT(ppi), 10, 2400, "pixels an inch, 10 to 2400 (100)"),
	  .basic = true, .proposed = "72 100 150 300" },
	{ RIP_NUMBER("zoom", "N", AT(zoom), 1, RIP_PREVIEW_ZOOM_MAX,
		     "N pixels for each pixel of the page, 1 to 32, instead of --ppi"),
	  .proposed = "1 2 4 8 16" },
	{ RIP_VALUE("crop", "WxH+X+Y", AT(crop), set_crop,
		    "a part of a page such as 320x240+100+50",
		    "only this part of the page, in its pixels") },
	RIP_PAGES_ROW(AT(pages)),
	{ RIP_VALUE("calibration", "NAME", AT(calibration), set_calibration, RIP_TONE_CALIBRATIONS,
		    "how large they get by this calibration of riptide calibrate; the queue of a"
		    " PDF prints with it, too"), .job = "halftone-calibration" },
	{ RIP_VALUE("inks", "INKS", AT(inks), set_inks,
		    "letters of C, M, Y, K, c, m and k, or names such as cyan,black, each once",
		    "of raster that does not name its inks, such as CMYKcm; small letters are light"
		    " inks"), .meant = rip_ink_meant,
	  .proposed = "CMYKcm KCMYcm CMYKcmk KCMYcmk CMYKk Kk" },
	{ .name = NULL }
};

static const struct rip_option_row queue_rows[] = {
	{ RIP_ARGUMENT(TEXT, "queue", "QUEUE", AT(queue), "this queue"), .basic = true,
	  .proposed = RIP_QUEUES },
	{ RIP_ARGUMENT(FILE, "ppd", "FILE", AT(ppd), "a queue with this PPD") },
	{ .name = NULL }
};

static const struct rip_option_row figure_rows[] = {
	RIP_INK_AMOUNTS_ROW(AT(amounts)),
	{ RIP_FLAG("json", AT(json), "an object a line for each page, and one for all of them") },
	{ .name = NULL }
};

static const struct rip_option_row output_rows[] = {
	RIP_OUTPUT_ROW(AT(halftone.image.out), "write the picture to OUT"),
	{ .name = NULL }
};

/* Without a picture, the figures may go to a terminal. */
static int check_terminals(const struct rip_image_options *image)
{
	struct rip_image_options copy = *image;

	if (!copy.out)
		copy.out = "figures";
	return rip_option_image_terminals(COMMAND, "page", "picture", &copy);
}

static const char before[] =
	"Usage: riptide preview [OPTION]... [-o OUT.png] [IN]\n"
	"Shows what the eye will see of a page's dots on paper, and the ink that it takes.\n"
	"\n"
	"IN   PGM (P5), JPEG, PNG, TIFF, or CUPS or PWG raster, which are halftoned; dots as PBM"
	" (P4),\n"
	"     TIFF or raster; a PDF file; - or nothing: standard input.\n"
	"OUT  a picture of the first page; the others are OUT-2.png and so on.  Without -o only\n"
	"     the figures are printed.\n";

int rip_preview_options_parse(struct rip_preview_options *options, int argc, char **argv)
{
	const struct rip_command_group groups[] = {
		{ picture_rows, options, "The picture:\n" },
		{ queue_rows, options, "A PDF document is printed on paper of a queue:\n" },
		{ figure_rows, options, "The figures:\n" },
		RIP_HALFTONE_DOTS_GROUPS(&options->halftone),
		RIP_HALFTONE_SPEED_GROUP(&options->halftone), { output_rows, options, "" }, { 0 }
	};
	const struct rip_command_line line = {
		.command = COMMAND, .groups = groups,
		.job = options->job, .job_size = sizeof options->job,
		.before = before,
	};
	unsigned *levels = &options->halftone.image.common.levels;
	int status;

	*options = (struct rip_preview_options){ .halftone = RIP_HALFTONE_DEFAULTS };
	*levels = 0;
	status = rip_options_parse(&line, argc, argv);
	if (status != RIP_GO_ON)
		return status;
	options->levels = *levels;
	if (!*levels)
		*levels = RIP_LEVELS_MIN;
	if (options->queue && options->ppd)
		return rip_wrong_usage(COMMAND, "--queue and --ppd are two queues: choose one");
	if (options->ppi && options->zoom)
		return rip_wrong_usage(COMMAND, "--ppi and --zoom are two sizes of the picture:"
				       " choose one");
	if (!options->ppi)
		options->ppi = RIP_PREVIEW_PPI;
	status = rip_suffix_check(COMMAND, options->halftone.image.out, RIP_SUFFIX(PNG), ".png",
				  ", because the picture is PNG");
	if (status != RIP_GO_ON)
		return status;
	if (options->json && options->halftone.image.out &&
	    rip_is_standard(options->halftone.image.out))
		return rip_wrong_usage(COMMAND, "--json writes to standard output,"
				       " so the picture needs a file: -o OUT");
	status = rip_halftone_options_check(COMMAND, "page", argc, argv, &options->halftone);
	/* The levels of a queue are not known yet. */
	if (status == RIP_GO_ON && !options->queue && !options->ppd)
		status = rip_option_drops(COMMAND, &options->halftone.tone.drops, *levels);
	return status == RIP_GO_ON ? check_terminals(&options->halftone.image) : status;
}
