#include "preview_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/ink/dot_inks.h"
#include "command/terminal.h"

#define COMMAND "preview"

static const char help[] =
	"Usage: riptide preview [OPTION]... [-o OUT.png] [IN]\n"
	"Shows what the eye will see of a page's dots on paper, and the ink that it takes.\n"
	"\n"
	"IN   PGM (P5), JPEG, PNG, TIFF, or CUPS or PWG raster, which are halftoned; dots as PBM (P4),\n"
	"     TIFF or raster; a PDF file; - or nothing: standard input.\n"
	"OUT  a picture of the first page; the others are OUT-2.png and so on.  Without -o only\n"
	"     the figures are printed.\n"
	"\n"
	"The picture:\n"
	"  --ppi N               pixels an inch, 10 to 2400 (100)\n"
	"  --zoom N              N pixels for each pixel of the page, 1 to 32, instead of --ppi\n"
	"  --crop WxH+X+Y        only this part of the page, in its pixels\n"
	"  --page N              only this page\n"
	"  --printer PRINTER     how large dots get on paper: as --dot-gain (that of --dot-gain, or\n"
	"                        laser)\n"
	"  --calibration NAME    how large they get by this calibration of riptide calibrate; the\n"
	"                        queue of a PDF prints with it, too\n"
	"  --inks LETTERS        of raster that does not name its inks, such as CMYKcm; small ones\n"
	"                        are light inks\n"
	"\n"
	"A PDF document is printed on paper of a queue:\n"
	"  --queue QUEUE         this queue\n"
	"  --ppd FILE            a queue with this PPD\n"
	"\n"
	"The figures:\n"
	"  --ink-per-m2 AMOUNT   what a square metre of full ink takes:\n"
	"                        " RIP_INK_AMOUNTS_HELP "\n"
	"  --json                an object a line for each page, and one for all of them\n"
	"\n"
	RIP_HALFTONE_DOTS_HELP
	"\n"
	RIP_HALFTONE_SPEED_HELP
	"\n"
	"  -o, --output OUT      write the picture to OUT\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-preview(1).\n";

enum { PPI = RIP_HALFTONE_OWN, ZOOM, CROP, PAGE, PRINTER, INKS, INK, JSON, QUEUE, PPD, CALIBRATION };

static const struct option long_options[] = {
	RIP_HALFTONE_LONG_OPTIONS,
	{ "ppi", required_argument, NULL, PPI },
	{ "zoom", required_argument, NULL, ZOOM },
	{ "crop", required_argument, NULL, CROP },
	{ "page", required_argument, NULL, PAGE },
	{ "printer", required_argument, NULL, PRINTER },
	{ "calibration", required_argument, NULL, CALIBRATION },
	{ "inks", required_argument, NULL, INKS },
	{ "ink-per-m2", required_argument, NULL, INK },
	{ "json", no_argument, NULL, JSON },
	{ "queue", required_argument, NULL, QUEUE },
	{ "ppd", required_argument, NULL, PPD },
	{ NULL, 0, NULL, 0 }
};

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

static int parse_crop(const char *value, struct rip_preview_crop *crop)
{
	const char *at = value;

	if (read_extent(&at, 'x', &crop->width) && read_extent(&at, '+', &crop->height) &&
	    read_extent(&at, '+', &crop->x) && read_extent(&at, '\0', &crop->y) && crop->width &&
	    crop->height)
		return RIP_GO_ON;
	return rip_wrong_usage(COMMAND, "--crop \"%s\" is no part of a page such as 320x240+100+50",
			       value);
}

static int parse_printer(const char *value, int *printer)
{
	char known[256];

	*printer = rip_tone_parse_gain(value);
	if (*printer >= 0)
		return RIP_GO_ON;
	rip_tone_list_gains(known, sizeof known);
	if (!strcmp(value, "help")) {
		puts(known);
		return 0;
	}
	return rip_wrong_usage(COMMAND, "--printer \"%s\": choose %s", value, known);
}

static int parse_inks(const char *value)
{
	enum rip_ink inks[RIP_PLANES_MAX];

	return rip_dot_inks_parse(value, inks) ? RIP_GO_ON :
	       rip_wrong_usage(COMMAND, "--inks \"%s\" is not valid; valid are " RIP_DOT_INKS_VALUES, value);
}

/* The options of a job that options of the command line stand for. */
static const struct {
	int         option;
	const char *name;
} job_options[] = {
	{ RIP_OPTION_LEVELS, "halftone-levels" }, { RIP_OPTION_SCREEN, "halftone-screen" },
	{ RIP_HALFTONE_METHOD, "halftone" }, { RIP_HALFTONE_DOT_GAIN, "halftone-dot-gain" },
	{ RIP_HALFTONE_TARGET, "halftone-target" }, { RIP_HALFTONE_DENSITY, "halftone-density" },
	{ RIP_HALFTONE_GAMMA, "halftone-gamma" },
	{ RIP_HALFTONE_INK_LIMIT, "halftone-ink-limit" },
	{ RIP_HALFTONE_TONER_SAVE, "toner-save" }, { RIP_HALFTONE_DROPS, "halftone-drops" },
	{ RIP_HALFTONE_LIGHT_INKS, "halftone-light-inks" },
	{ RIP_HALFTONE_LIGHT_STRENGTH, "halftone-light-strength" },
	{ CALIBRATION, "halftone-calibration" },
};

#define JOB_OPTIONS (sizeof job_options / sizeof *job_options)

/* Makes the text of the job's options; values: by number in job_options[], or NULL. */
static int make_job(struct rip_preview_options *options, const char *const values[JOB_OPTIONS])
{
	size_t used = 0;

	for (size_t i = 0; i < JOB_OPTIONS; i++)
		if (values[i] && used < sizeof options->job)
			used += (size_t)snprintf(options->job + used, sizeof options->job - used, "%s=%s ",
						 job_options[i].name, values[i]);
	return used < sizeof options->job ? RIP_GO_ON :
	       rip_wrong_usage(COMMAND, "the options are longer than the %zu bytes of a job's",
			       sizeof options->job - 1);
}

static int parse_calibration(const char *value, char name[RIP_CAL_NAME_MAX + 1])
{
	return rip_tone_parse_calibration(value, name) ? RIP_GO_ON :
	       rip_wrong_usage(COMMAND, "--calibration \"%s\" is not valid: choose %s", value,
			       RIP_TONE_CALIBRATIONS);
}

static int parse_halftone(struct rip_preview_options *options, int option, const char *value,
			  char **argv)
{
	const int status = rip_option_halftone(COMMAND, option, value, argv, help, &options->halftone);

	if (option == RIP_OPTION_LEVELS)
		options->levels = options->halftone.image.common.levels;
	return status;
}

static int parse_option(struct rip_preview_options *options, int option, const char *value,
			char **argv)
{
	switch (option) {
	case PPI:
		return rip_option_number(COMMAND, "--ppi", value, 10, 2400, &options->ppi);
	case ZOOM:
		return rip_option_number(COMMAND, "--zoom", value, 1, RIP_PREVIEW_ZOOM_MAX,
					 &options->zoom);
	case CROP:
		return parse_crop(value, &options->crop);
	case PAGE:
		return rip_option_number(COMMAND, "--page", value, 1, 10000000, &options->page);
	case PRINTER:
		return parse_printer(value, &options->printer);
	case CALIBRATION:
		return parse_calibration(value, options->calibration);
	case INKS:
		options->inks = value;
		return parse_inks(value);
	case INK:
		return rip_ink_amounts_parse(COMMAND, value, &options->amounts);
	case JSON:
		options->json = true;
		return RIP_GO_ON;
	case QUEUE:
		options->queue = value;
		return RIP_GO_ON;
	case PPD:
		options->ppd = value;
		return RIP_GO_ON;
	default:
		return parse_halftone(options, option, value, argv);
	}
}

/* Without a picture, the figures may go to a terminal. */
static int check_terminals(const struct rip_image_options *image)
{
	struct rip_image_options copy = *image;

	if (!copy.out)
		copy.out = "figures";
	return rip_option_image_terminals(COMMAND, "page", "picture", &copy);
}

int rip_preview_options_parse(struct rip_preview_options *options, int argc, char **argv)
{
	const char *values[JOB_OPTIONS] = { NULL };
	int option, status;

	*options = (struct rip_preview_options){ .halftone = RIP_HALFTONE_DEFAULTS, .printer = -1 };
	while ((option = getopt_long(argc, argv, RIP_IMAGE_SHORT_OPTIONS, long_options, NULL)) != -1) {
		status = parse_option(options, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
		for (size_t i = 0; i < JOB_OPTIONS; i++)
			if (job_options[i].option == option)
				values[i] = optarg;
	}
	status = make_job(options, values);
	if (status != RIP_GO_ON)
		return status;
	if (options->queue && options->ppd)
		return rip_wrong_usage(COMMAND, "--queue and --ppd are two queues: choose one");
	if (options->ppi && options->zoom)
		return rip_wrong_usage(COMMAND, "--ppi and --zoom are two sizes of the picture: choose one");
	if (!options->ppi)
		options->ppi = RIP_PREVIEW_PPI;
	status = rip_suffix_check(COMMAND, options->halftone.image.out, RIP_SUFFIX(PNG), ".png",
				  ", because the picture is PNG");
	if (status != RIP_GO_ON)
		return status;
	if (options->json && options->halftone.image.out &&
	    rip_is_standard(options->halftone.image.out))
		return rip_wrong_usage(COMMAND, "--json writes to standard output, so the picture needs a"
				       " file: -o OUT");
	status = rip_halftone_options_check(COMMAND, "page", argc, argv, &options->halftone);
	/* The levels of a queue are not known yet. */
	if (status == RIP_GO_ON && !options->queue && !options->ppd)
		status = rip_halftone_options_check_drops(COMMAND, &options->halftone);
	return status == RIP_GO_ON ? check_terminals(&options->halftone.image) : status;
}
