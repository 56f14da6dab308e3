#include "command/option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"
#include "command/halftone_options.h"
#include "image/complain.h"
#include "image/input.h"
#include "image/out_file.h"
#include "command/queue_request.h"
#include "command/queue_ppd.h"
#include "system/ascii.h"
#include "target.h"
#include "tone/preset.h"

#define COMMAND "calibrate"
#define AHEAD   512 /* bytes, in which a picture has a NUL */

struct calibrate {
	struct rip_calibrate_options options;
	struct rip_calibration calibration;
	struct rip_cal cal;
	bool finished; /* cal was read from a file */
	char defaults[2048];           /* the queue's own, see queue_request.h */
	struct rip_queue_page page;    /* as the queue prints */
};

/* The resolution, screen, levels, drops and class of the queue where the command line does not say.
 * 0, -errno or RIP_CALIBRATION_WRONG (reported). */
static int ask_queue(struct calibrate *run)
{
	const struct rip_calibrate_options *options = &run->options;
	struct rip_calibration *calibration = &run->calibration;
	struct rip_queue_page *page = &run->page;
	int r = 0;

	*page = (struct rip_queue_page){
		.x_dpi = 600, .y_dpi = 600, .levels = 2, .screen = "clustered", .printer = "laser",
	};
	if (options->queue)
		r = rip_queue_page(options->queue, NULL, run->defaults, page);
	if (r == 0 && options->queue && options->levels)
		r = rip_queue_page_check_levels(page, options->queue, options->levels);
	if (r < 0)
		return r;
	if (!options->dpi.x && (page->x_dpi != page->y_dpi || page->x_dpi == 0))
		return rip_complain(-EINVAL, "the queue %s prints %u x %u dpi; name the chart's"
				    " with --resolution", options->queue, page->x_dpi, page->y_dpi);
	calibration->dpi = options->dpi.x ? options->dpi.x : page->x_dpi;
	calibration->levels = options->levels ? options->levels : page->levels;
	calibration->drops = options->has_drops ? options->drops : page->drops;
	if (rip_option_drops(COMMAND, &options->drops, calibration->levels) != RIP_GO_ON)
		return RIP_CALIBRATION_WRONG;
	calibration->screen = options->screen ? options->screen : page->screen;
	calibration->preset = options->printer >= 0 ? rip_printer_names[options->printer] :
						     page->printer;
	return 0;
}

static int no_text(const char *name)
{
	return rip_complain(-EBADMSG, "%s is no text: it must be a scan (PNG, TIFF, JPEG or PGM),"
			    " a .cal or .ti3 file, or lines of a tone and a value", name);
}

/* The whole of a text, to be freed, with a NUL.  0 or -errno (reported). */
static int read_text(struct rip_input *input, char **text, size_t *bytes)
{
	char *all = malloc(RIP_CGATS_BYTES_MAX + 1);
	ssize_t n;
	int r = 0;

	if (!all)
		return rip_complain(-ENOMEM, "%s: out of memory", input->name);
	n = rip_input_read(input, all, RIP_CGATS_BYTES_MAX + 1);
	if (n < 0)
		r = (int)n;
	else if ((size_t)n > RIP_CGATS_BYTES_MAX)
		r = rip_complain(-EFBIG, "%s is larger than 8 MiB", input->name);
	else
		all[n] = '\0';
	if (r < 0) {
		free(all);
		return r;
	}
	*text = all;
	*bytes = (size_t)n;
	return 0;
}

/* Whether a text begins like CGATS: with a word, and not with a number. */
static bool is_cgats(const char *text)
{
	while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
		text++;
	return (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z');
}

static int read_cgats(struct calibrate *run, const char *path, const char *text, size_t bytes)
{
	const struct rip_cgats_table *table;
	struct rip_cgats file;
	char why[200];
	int r = rip_cgats_parse(&file, text, bytes, why, sizeof why);

	if (r < 0)
		return rip_complain(r, "%s: %s", path, why);
	table = rip_cgats_table(&file, "CTI3");
	if (table) {
		r = rip_ti3_read(&run->calibration, table, run->calibration.screen, path);
	} else {
		r = rip_cal_parse(&run->cal, text, bytes, why, sizeof why);
		run->finished = r == 0;
		if (r < 0)
			rip_complain(r, "%s: %s", path, why);
	}
	rip_cgats_finish(&file);
	return r;
}

/* The screens of the chart. */
static unsigned chart_screens(const struct rip_calibrate_options *options, char names[2][32])
{
	const char *list = options->chart_screens ? options->chart_screens : RIP_TARGET_SCREENS;
	const size_t first = strcspn(list, ",");

	snprintf(names[0], sizeof names[0], "%.*s", (int)first, list);
	snprintf(names[1], sizeof names[1], "%s", list[first] ? list + first + 1 : names[0]);
	return list[first] ? 2 : 1;
}

/* The steps of a scanned wedge.  One of one screen has it twice. */
static int read_scan(struct calibrate *run, struct rip_input *input)
{
	double light[RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS];
	struct rip_steps *patches = malloc(sizeof *patches);
	char screens[RIP_WEDGE_SCREENS][32];
	struct rip_scan scan;
	int r = patches ? rip_scan_read(&scan, input, *run->options.ink) :
			  rip_complain(-ENOMEM, "out of memory");

	if (r == 0) {
		r = rip_scan_wedge(&scan, light);
		rip_scan_finish(&scan);
	}
	chart_screens(&run->options, screens);
	for (unsigned s = 0; r == 0 && s < RIP_WEDGE_SCREENS; s++) {
		patches->count = 0;
		for (unsigned i = 0; i < RIP_WEDGE_STEPS; i++)
			rip_steps_add(patches, i / (RIP_WEDGE_STEPS - 1.),
					light[s * RIP_WEDGE_STEPS + i]);
		r = rip_patches_to_steps(patches, &run->calibration, run->options.ink, screens[s],
					 input->name);
	}
	free(patches);
	return r;
}

/* Whether a file begins as another picture of netpbm's than PGM. */
static bool is_other_pnm(const uint8_t *bytes, size_t n)
{
	return n > 2 && bytes[0] == 'P' && strchr("123467fF", bytes[1]) &&
	       rip_is_space((char)bytes[2]);
}

/* Refuses what is no text, however large it is.  0 or -errno (reported). */
static int check_text(struct rip_input *input)
{
	const uint8_t *bytes;
	const ssize_t n = rip_input_peek(input, AHEAD, &bytes);

	if (n < 0)
		return (int)n;
	if (n == 0)
		return rip_complain(-EBADMSG, "%s is empty", input->name);
	if (is_other_pnm(bytes, (size_t)n))
		return rip_complain(-EBADMSG, "%s is a picture, but not PNG,"
				    " TIFF, JPEG or PGM (P5): convert it to PNG", input->name);
	return memchr(bytes, 0, (size_t)n) ? no_text(input->name) : 0;
}

/* Numbers, or a file of ArgyllCMS's. */
static int read_measurements(struct calibrate *run, struct rip_input *input)
{
	const struct rip_calibrate_options *options = &run->options;
	const char *name = input->name;
	char *text = NULL;
	size_t bytes = 0;
	int r = check_text(input);

	if (r == 0)
		r = read_text(input, &text, &bytes);
	if (r < 0)
		return r;
	if (strlen(text) < bytes)
		r = no_text(name);
	else if (is_cgats(text))
		r = read_cgats(run, name, text, bytes);
	else
		r = rip_numbers_read(&run->calibration, text, options->unit, options->ink,
				     run->calibration.screen, name);
	free(text);
	return r;
}

static int read_file(struct calibrate *run, const char *path)
{
	struct rip_input input;
	int r = rip_input_open(&input, path);

	if (r == 0)
		r = rip_out_name_check_input(run->options.output, input.fd);
	if (r == 0)
		r = rip_out_name_check_input(run->options.picture, input.fd);
	if (r == 0 && run->finished)
		r = rip_complain(-EINVAL, "%s: a .cal file is a calibration already,"
				 " and stands alone", path);
	if (r == 0)
		r = rip_scan_is_picture(&input);
	if (r >= 0)
		r = r > 0 ? read_scan(run, &input) : read_measurements(run, &input);
	rip_input_close(&input);
	return r;
}

/* A line that the user types, without blanks around it.  false: the input has ended. */
static bool read_answer(char *answer, size_t size, const char **word)
{
	size_t length;

	if (!fgets(answer, (int)size, stdin))
		return false;
	*word = answer + strspn(answer, " \t");
	length = strcspn(*word, "\r\n");
	while (length > 0 && ((*word)[length - 1] == ' ' || (*word)[length - 1] == '\t'))
		length--;
	answer[(size_t)(*word - answer) + length] = '\0';
	return true;
}

/* Asks for a row until the answer is valid.  0; ENDED: the input has; or -errno. */
#define ENDED 1
static int ask_row(struct calibrate *run, FILE *out, char ink, const char *screen, unsigned line)
{
	const char name[2] = { ink, '\0' }, *word;
	char lines[16], answer[160], why[80];
	int r = RIP_CALIBRATION_WRONG;

	snprintf(lines, sizeof lines, "%u%s", rip_target_lines[line] / 10,
		 rip_target_lines[line] % 10 ? ".5" : "");
	while (r == RIP_CALIBRATION_WRONG) {
		fprintf(out, "%s%s%s:%s= ", ink == 'K' ? "" : name, ink == 'K' ? "" : ":",
			screen, lines);
		fflush(out);
		if (!read_answer(answer, sizeof answer, &word))
			return ENDED;
		if (rip_same_name(word, "q") || rip_same_name(word, "quit"))
			return rip_complain(-ECANCELED, "ended by %s: nothing was changed", word);
		r = *word ? rip_calibration_add_reading(&run->calibration, name, screen, lines,
							word, why, sizeof why) : 0;
		if (r == RIP_CALIBRATION_WRONG)
			fprintf(out, "\"%s\": %s\n", word, why);
	}
	return r;
}

/* Asks for the chart's rows, one after the other.  An empty answer leaves a row out; the end of
 * the input ends it. */
static int ask_user(struct calibrate *run)
{
	char screens[2][32];
	const unsigned count = chart_screens(&run->options, screens);
	int r = 0;

	/* Standard output may be for the calibration. */
	FILE *const out = run->options.to_standard ? stderr : stdout;

	fprintf(out,
		"For each row of the chart: the number of the tint that looks like its lines.\n"
		"Press Enter to leave a row out; q quits and changes nothing.\n");
	for (const char *ink = run->options.ink; *ink; ink++)
		for (unsigned s = 0; s < count; s++)
			for (unsigned i = 0; r == 0 && i < RIP_TARGET_LINES; i++)
				r = ask_row(run, out, *ink, screens[s], i);
	return r < 0 ? r : 0;
}

/* All readings.  0, -errno or RIP_CALIBRATION_WRONG (reported). */
static int take_readings(struct calibrate *run)
{
	const struct rip_calibrate_options *options = &run->options;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < options->lists; i++)
		r = rip_calibration_add_matches(&run->calibration, options->match[i]);
	for (unsigned i = 0; r == 0 && i < options->files; i++)
		r = read_file(run, options->file[i]);
	if (r == 0 && !options->lists && !options->files) {
		if (!isatty(STDIN_FILENO))
			return rip_complain(-EINVAL, "nothing was read from the chart:"
					    " say --match, or name a file");
		r = ask_user(run);
	}
	if (r == 0 && run->finished && run->calibration.inks)
		return rip_complain(-EINVAL, "a .cal file is a calibration already,"
				    " and stands alone");
	if (r == 0 && run->finished && options->picture)
		return rip_complain(-EINVAL, "--picture draws what was fitted to readings,"
				    " and %s is a finished calibration", options->file[0]);
	if (r == 0 && !run->finished && !run->calibration.inks)
		return rip_complain(-EINVAL, "there are no readings: nothing was changed");
	return r;
}

/* Whether a queue may print by the readings.  Nobody would notice one wrong number among them. */
static int confirm(const struct calibrate *run)
{
	const struct rip_calibrate_options *options = &run->options;
	const struct rip_calibration_ink *doubtful = NULL;
	const char *what, *word;
	char answer[160];

	for (unsigned i = 0; i < run->calibration.inks && !doubtful; i++)
		if (rip_calibration_is_doubtful(run->calibration.ink[i]))
			doubtful = run->calibration.ink[i];
	if (!doubtful || options->force)
		return 0;
	what = doubtful->matches == 1 && doubtful->screens == 0 ?
	       "one reading alone may be an error" : "the readings do not agree";
	if (!isatty(STDIN_FILENO))
		return rip_complain(-EPERM, "%s: %s, so the queue %s prints as before:"
				    " check the readings, read more rows, or add --force",
				    doubtful->name, what, options->queue);
	printf("%s: %s.  Change the queue %s all the same (y, n)? ",
	       doubtful->name, what, options->queue);
	fflush(stdout);
	return read_answer(answer, sizeof answer, &word) && (*word == 'y' || *word == 'Y') ? 0 :
	       rip_complain(-ECANCELED, "the queue %s prints as before", options->queue);
}

/* Tells what was found. */
static void show(const struct calibrate *run)
{
	static const unsigned percents[] = { 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95 };
	const struct rip_calibration *calibration = &run->calibration;

	for (unsigned i = 0; i < calibration->inks; i++) {
		const struct rip_calibration_ink *ink = calibration->ink[i];
		unsigned steps = 0;

		for (unsigned s = 0; s < ink->screens; s++)
			steps += ink->measured[s].steps.count;
		printf("%s: %s, dot gain %.0f points, from ", ink->name, calibration->preset,
		       round(rip_printer_gain(&ink->printer)) + 0.); /* not -0 */
		if (ink->matches)
			printf("%u reading%s by eye%s", ink->matches, ink->matches == 1 ? "" : "s",
			       steps ? " and " : "");
		if (steps)
			printf("%u steps", steps); /* at least three */
		printf(", %s.\n", rip_calibration_agreement(ink));
		printf("50 %% printed as %.0f %%, and will be sent as %.0f %%.\n",
		       100 * rip_response_area(&ink->response, .5),
		       run->cal.ink[i].curve[128] / 655.35);
		printf("  %-22s", "asked for, %");
		for (unsigned p = 0; p < sizeof percents / sizeof *percents; p++)
			printf("%4u", percents[p]);
		printf("\n  %-22s", "printed as");
		for (unsigned p = 0; p < sizeof percents / sizeof *percents; p++)
			printf("%4.0f",
			       100 * rip_response_area(&ink->response, percents[p] / 100.));
		printf("   on %s\n  %-22s", calibration->screen, "will be sent as");
		for (unsigned p = 0; p < sizeof percents / sizeof *percents; p++)
			printf("%4.0f",
			       run->cal.ink[i].curve[(255 * percents[p] + 50) / 100] / 655.35);
		putchar('\n');
	}
	if (run->finished)
		printf("A finished calibration of %u ink%s: used as it is.\n", run->cal.inks,
		       run->cal.inks == 1 ? "" : "s");
}

/* The calibration may not replace its picture.  0 or -errno (reported). */
/* 0, -errno or RIP_CALIBRATION_WRONG (reported). */
static int calibrate(struct calibrate *run)
{
	const struct rip_calibrate_options *options = &run->options;
	const char *name = options->name ? options->name : options->queue;
	int r = options->queue && !options->undo ? rip_queue_calibration_check(name) : 0;

	if (r == 0)
		r = rip_out_name_check_file(options->output, options->picture, "picture");
	if (r == 0 && options->queue)
		r = rip_queue_calibration_may_write();
	if (r == 0 && options->queue)
		r = rip_queue_options(options->queue, run->defaults, sizeof run->defaults);
	if (r == 0 && options->queue)
		r = rip_queue_refuse_class(options->queue);
	if (r == 0 && options->undo)
		return rip_queue_calibration_undo(options->queue, run->defaults);
	if (r == 0)
		r = ask_queue(run);
	if (r == 0)
		r = take_readings(run);
	if (r == 0 && !run->finished)
		r = rip_calibration_fit(&run->calibration, &run->cal);
	/* A calibration that is only installed has the note, if it is riptide's. */
	if (r == 0 && !rip_cal_note(&run->cal, RIP_CAL_SCREEN) &&
	    rip_cal_set_note(&run->cal, RIP_CAL_SCREEN, run->calibration.screen) < 0)
		r = rip_complain(-ENOSPC, "the calibration has too many keywords that begin with"
				 " RIPTIDE_");
	if (r == 0 && !options->to_standard)
		show(run);
	if (r == 0 && options->picture && !run->finished)
		r = rip_curve_picture_write(&run->calibration, &run->cal, options->picture);
	/* Two names of one file may lead there only now. */
	if (r == 0)
		r = rip_out_name_check_file(options->output, options->picture, "picture");
	if (r == 0 && options->queue)
		r = confirm(run);
	if (r == 0)
		r = options->output ? rip_calibration_write(&run->cal, options->output, false) :
		    rip_queue_calibration_install(options->queue, run->defaults, name, &run->cal);
	return r;
}

int rip_calibrate_command(int argc, char **argv)
{
	static struct calibrate run;
	int status = rip_calibrate_options_parse(&run.options, argc, argv);

	if (status != RIP_GO_ON)
		return status;
	status = calibrate(&run);
	status = status < 0 ? 1 : status > 0 ? 2 : 0;
	rip_calibration_finish(&run.calibration);
	return status;
}
