#include "command/option.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "command/halftone/halftone_job.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "preview.h"
#include "rip/document.h"
#include "tone/calibrated.h"
#include "tone/ink_name.h"
#include "tone/preset.h"

/* One run of the command. */
struct preview {
	struct rip_preview_options options;
	struct rip_halftone_job    job;
	struct rip_preview_report  report;
	struct rip_preview_picture picture;
	struct rip_dot_page        page;
	struct rip_ink_count       count;
	unsigned                   number;  /* of the page */
	bool                       drawn;   /* it has a picture */
	bool                       is_pdf;  /* whose pages come without those that are not wanted */
	bool                       ended;   /* no later page is wanted */
	char                      *path;    /* of its picture */
	struct rip_shown           shown;   /* by the queue of a PDF; printer -1: not known */
	struct rip_cal             cal;     /* of --calibration, not for PDF; without notes: none */
};

static const char *input_name(const struct preview *preview)
{
	const char *in = preview->options.halftone.image.in;

	return rip_is_standard(in) ? "standard input" : in;
}

static bool is_wanted(const struct preview *preview)
{
	return rip_page_list_has(preview->options.pages, preview->number);
}

/* The file of this page: OUT.png, or OUT-2.png from the second picture on. */
static int name_picture(struct preview *preview)
{
	const char *out = preview->options.halftone.image.out;

	if (preview->report.pages > 0 && rip_is_standard(out))
		return rip_complain(-EINVAL, "%s: standard output takes one picture: choose a page"
				    " with --pages, or name a file with -o", input_name(preview));
	if (preview->report.pages > 0 && rip_out_name_check_regular(out) < 0)
		return -EINVAL;
	free(preview->path);
	preview->path = preview->report.pages > 0 ? rip_out_name_numbered(out, preview->number) :
			strdup(out);
	return preview->path ? 0 : rip_complain(-ENOMEM, "%s: out of memory", input_name(preview));
}

/* Refuses to replace what is read.  0 or -errno (reported). */
static int check_picture(const struct preview *preview)
{
	const struct rip_preview_options *options = &preview->options;
	char cal[PATH_MAX] = "", why[200];
	int r = rip_out_name_check_input(preview->path, preview->job.input.fd);

	if (r == 0)
		r = rip_out_name_check_file(preview->path, options->halftone.image.curve, "curve");
	if (r == 0)
		r = rip_out_name_check_file(preview->path, options->ppd, "PPD");
	if (r == 0 && *options->calibration &&
	    rip_cal_path(rip_cal_folder(), options->calibration, cal, sizeof cal, why,
			 sizeof why) == 0)
		r = rip_out_name_check_file(preview->path, cal, "calibration");
	return r;
}

/* How strong light inks are: as the queue's curves say, or as the command line does. */
static void choose_strengths(const struct preview *preview, double strengths[RIP_PLANES_MAX])
{
	const unsigned percent = preview->options.halftone.tone.light_strength;

	for (unsigned p = 0; p < RIP_PLANES_MAX; p++) {
		strengths[p] = preview->shown.strengths[p];
		if (!(strengths[p] > 0))
			strengths[p] = percent ? percent / 100. : RIP_LIGHT_STRENGTH;
	}
}

/* The printer whose dots are shown: the one that is named, or the queue's, or a laser.  It is shown
 * also if --dot-gain none says that it is not corrected. */
static void choose_class(const struct preview *preview, struct rip_printer *printer)
{
	const struct rip_tone_choice *corrected = &preview->options.halftone.tone;
	struct rip_tone_choice shown = *corrected;
	const unsigned x = preview->page.x_dpi, y = preview->page.y_dpi;
	const struct rip_printer_option *named = &preview->options.halftone.printer;
	const int queue = preview->shown.printer;

	if (named->printer >= 0 || queue >= 0) {
		shown = rip_tone_choice_nothing();
		rip_tone_choose_gain(&shown, named->printer >= 0 ? named->printer : queue);
		if (named->printer >= 0 && named->dot_gain >= RIP_GAIN_POINTS)
			rip_tone_choose_gain(&shown, named->dot_gain);
	} else if (!strcmp(rip_printer_names[corrected->preset], "none")) {
		shown.preset = 0;
	}
	rip_printer_preset(printer, rip_printer_names[shown.preset], x < y ? x : y);
	if (shown.gain >= 0)
		rip_printer_set_gain(printer, shown.gain);
	printer->drops = preview->shown.printer >= 0 ? preview->shown.drops :
			 corrected->drops;
}

/* The same for each plane.
 * A calibration knows the printer better than its class, unless it is another program's. */
static void choose_printers(const struct preview *preview, struct rip_soft_proof_config *paper)
{
	const struct rip_dot_page *page = &preview->page;
	const struct rip_cal *cal = preview->options.halftone.printer.printer >= 0 ? NULL :
				    preview->shown.printer >= 0 ? preview->shown.cal :
				    &preview->cal;
	const double dpi = page->x_dpi < page->y_dpi ? page->x_dpi : page->y_dpi;
	uint32_t black = 0;

	choose_class(preview, &paper->printer);
	for (uint32_t p = 0; p < page->planes; p++) {
		struct rip_printer *dots = &paper->dots[p];

		if (!cal || !rip_cal_printer(cal, rip_ink_letter(page->inks[p]), dpi, dots))
			*dots = paper->printer;
		dots->drops = paper->printer.drops;
		black = page->inks[p] == RIP_INK_BLACK ? p : black;
	}
	paper->printer = paper->dots[black];
}

/* ---- the dots ---- */

/* Dots of some bits have one of so many levels, which raster does not tell. */
static const char *levels_of(unsigned bits)
{
	return bits == 1 ? "2 levels" : bits == 2 ? "3 or 4 levels" : "5 to 16 levels";
}

/* Whether the page has the levels that --levels says.
 * Those of a queue's pages are the queue's to choose. */
static int check_levels(const struct preview *preview)
{
	const unsigned asked = preview->options.levels, levels = preview->page.levels;

	if (!asked || asked == levels || preview->options.queue || preview->options.ppd)
		return 0;
	return rip_complain(-EINVAL, "%s: page %u has dots of %s, and not the %u of --levels:"
			    " leave that option out", input_name(preview), preview->number,
			    levels_of(rip_dot_bits(levels)), asked);
}

/* The same for the dots of a row, which may have levels that --levels does not know. */
static int check_row(const struct preview *preview, const uint8_t *const planes[])
{
	const struct rip_dot_page *page = &preview->page;
	const unsigned bits = rip_dot_bits(page->levels);

	if (page->levels == 1u << bits)
		return 0;
	for (uint32_t p = 0; p < page->planes; p++) {
		const unsigned highest = rip_ink_count_highest(planes[p], page->width, bits);

		if (highest >= page->levels)
			return rip_complain(-EINVAL, "%s: page %u has dots of level %u,"
					    " which --levels %u does not have: choose %u or more",
					    input_name(preview), preview->number, highest,
					    page->levels, highest + 1);
	}
	return 0;
}

static int begin(void *context, const struct rip_dot_page *page)
{
	struct preview *preview = context;
	struct rip_dot_page *mine = &preview->page;
	struct rip_soft_proof_config paper;
	int r;

	do
		preview->number++;
	while (preview->is_pdf && !is_wanted(preview));
	preview->drawn = false;
	*mine = *page;
	rip_image_options_resolution(&preview->options.halftone.image, &mine->x_dpi, &mine->y_dpi);
	mine->x_dpi = mine->x_dpi ? mine->x_dpi : 600;
	mine->y_dpi = mine->y_dpi ? mine->y_dpi : 600;
	memset(&preview->count, 0, sizeof preview->count);
	if (mine->x_dpi > RIP_PREVIEW_DPI_MAX || mine->y_dpi > RIP_PREVIEW_DPI_MAX)
		return rip_complain(-EBADMSG, "%s: page %u has %u x %u dpi:"
				    " at most %d can be shown", input_name(preview),
				    preview->number, mine->x_dpi, mine->y_dpi, RIP_PREVIEW_DPI_MAX);
	if (!is_wanted(preview))
		return 0;
	r = check_levels(preview);
	if (r < 0 || !preview->options.halftone.image.out)
		return r;
	choose_printers(preview, &paper);
	choose_strengths(preview, paper.strengths);
	r = name_picture(preview);
	if (r == 0)
		r = check_picture(preview);
	if (r == 0) {
		preview->drawn = true;
		r = rip_preview_picture_begin(&preview->picture, &preview->options, mine, &paper,
					      input_name(preview), preview->path);
	}
	return r;
}

static int row(void *context, const uint8_t *const planes[])
{
	struct preview *preview = context;
	const struct rip_dot_page *page = &preview->page;
	const int r = is_wanted(preview) ? check_row(preview, planes) : 0;

	if (r < 0)
		return r;
	for (uint32_t p = 0; p < page->planes; p++)
		preview->count.levels[p] +=
			rip_ink_count_row(planes[p], page->width, rip_dot_bits(page->levels));
	return preview->drawn ? rip_preview_picture_row(&preview->picture, planes) : 0;
}

static int end(void *context)
{
	struct preview *preview = context;
	int r = preview->drawn ? rip_preview_picture_end(&preview->picture) : 0;

	if (preview->drawn)
		rip_preview_picture_finish(&preview->picture);
	if (r < 0 || !is_wanted(preview))
		return r;
	rip_preview_report_page(&preview->report, preview->number, &preview->page, &preview->count,
				preview->drawn ? preview->path : NULL);
	preview->ended = preview->number == rip_page_list_last(preview->options.pages);
	return preview->ended ? -ECANCELED : 0;
}

/* ---- the command ---- */

/* Reads the calibration that is asked for by name. */
static int load_calibration(struct preview *preview)
{
	const char *name = preview->options.calibration;
	char path[PATH_MAX] = "", why[200];
	int r;

	if (!*name)
		return 0;
	r = rip_cal_path(rip_cal_folder(), name, path, sizeof path, why, sizeof why);
	if (r == 0)
		r = rip_cal_load(&preview->cal, path, why, sizeof why);
	if (r < 0)
		return rip_complain(r, "--calibration %s: %s: %s", name, path, why);
	return rip_cal_is_ours(&preview->cal) ? 0 :
	       rip_complain(-EINVAL, "--calibration %s: %s is by another program,"
			    " and does not say how large dots get", name, path);
}

/* Dots as they are, or what is halftoned first. */
static int do_input(struct preview *preview, const struct rip_dot_receiver *receiver)
{
	struct rip_halftone_job *job = &preview->job;
	int r = rip_input_open(&job->input, job->options.image.in);

	if (r == 0)
		r = rip_preview_is_pdf(&job->input);
	preview->is_pdf = r > 0;
	if (r > 0)
		return rip_preview_pdf(&job->input, &preview->options, &preview->shown, receiver);
	if (r == 0)
		r = load_calibration(preview);
	if (r == 0 && (preview->options.queue || preview->options.ppd))
		return rip_complain(-EINVAL, "%s is no PDF, and --queue and --ppd are only for PDF",
				    input_name(preview));
	if (r == 0)
		r = rip_preview_is_dots(&job->input);
	if (r > 0 && *preview->options.inks)
		return rip_complain(-EINVAL, "%s is not raster, and --inks is only for that",
				    input_name(preview));
	if (r != 0)
		return r < 0 ? r : rip_preview_dots(&job->input, job->options.ink, receiver);
	return rip_halftone_run(job);
}

static int run(struct preview *preview)
{
	const struct rip_dot_receiver receiver = { begin, row, end, preview };
	unsigned missing;
	int r;

	preview->report.options = &preview->options;
	preview->report.quiet = preview->options.halftone.image.out &&
				rip_is_standard(preview->options.halftone.image.out);
	preview->job.options = preview->options.halftone;
	preview->job.inks = *preview->options.inks ? preview->options.inks : NULL;
	preview->shown.printer = -1;
	preview->job.receiver = &receiver;
	r = do_input(preview, &receiver);
	if (preview->ended)
		r = 0;
	missing = rip_page_list_missing(preview->options.pages, preview->number);
	if (r == 0 && missing)
		r = rip_complain(-ERANGE, "%s: there is no page %u: the last one is %u",
				 input_name(preview), missing, preview->number);
	if (r == 0 && preview->report.pages == 0)
		r = rip_complain(-ENODATA, "%s has no pages", input_name(preview));
	if (r == 0)
		rip_preview_report_end(&preview->report);
	rip_halftone_finish(&preview->job);
	return r;
}

int rip_preview_command(int argc, char **argv)
{
	struct preview *preview = calloc(1, sizeof *preview);
	int status;

	if (!preview)
		return rip_complain(1, "out of memory");
	preview->picture.file.fd = preview->job.input.fd = preview->job.output.fd = -1;
	status = rip_preview_options_parse(&preview->options, argc, argv);
	if (status == RIP_GO_ON)
		status = run(preview) < 0 ? 1 : 0;
	rip_preview_picture_finish(&preview->picture);
	free(preview->path);
	free(preview);
	return status;
}
