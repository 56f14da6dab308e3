#include "config.h"

#include "command/option.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "adopt/edit.h"
#include "adopt.h"
#include "halftone/screen/mask_screen.h"
#include "image/complain.h"
#include "command/json.h"
#include "command/common_options.h"
#include "command/queue_ppd.h"
#include "command/queue_request.h"

#define RESOLUTION "/HWResolution"

/* A PPD from a file or a queue, and what becomes of it. */
struct subject {
	const char              *name;
	bool                     queue;
	char                     queues[300]; /* of a class */
	char                     calibration[RIP_CAL_NAME_MAX + 1]; /* that is now off, or "" */
	struct rip_ppd_file      before;
	struct rip_ppd_text      ppd;
	struct rip_adoption       verdict;
	struct rip_growing_text  after;
};

/* Not reported: -ENODATA, a queue without a PPD, and -ENOTUNIQ, a class, whose queues then are in
 * s->queues. */
static int read_subject(struct subject *s, const char *name)
{
	char why[200];
	int r;

	*s = (struct subject){ .name = name, .queue = !rip_adopt_is_file(name) };
	r = s->queue ? rip_adopt_queue_read(name, &s->before) : rip_ppd_file_read(&s->before, name);
	if (s->queue && (r == 0 || r == -ENODATA) &&
	    rip_queue_is_class(name, s->queues, sizeof s->queues))
		return -ENOTUNIQ;
	if (r < 0)
		return r;
	r = rip_ppd_text_parse(&s->ppd, s->before.text, s->before.size, why, sizeof why);
	return r < 0 ? rip_complain(r, "%s: %s", name, why) : 0;
}

static void finish_subject(struct subject *s)
{
	rip_text_free(&s->after);
	rip_adoption_finish(&s->verdict);
	rip_ppd_text_finish(&s->ppd);
	rip_ppd_file_free(&s->before);
}

/* Prints one verdict. */
static void print_verdict(const struct subject *s, bool json)
{
	const struct rip_adoption *v = &s->verdict;
	char name[512];

	if (!json) {
		snprintf(name, sizeof name, "%s", s->name);
		rip_make_printable(name);
		printf("%-8s %s: %s.\n", rip_adoption_name(v->kind), name, v->reason);
		return;
	}
	putchar('{');
	rip_json_string(s->queue ? "queue" : "file", s->name);
	rip_json_string("verdict", rip_adoption_name(v->kind));
	rip_json_string("driver", v->driver);
	rip_json_string("printer", v->printer ? v->printer : "");
	rip_json_string("reason", v->reason);
	printf("\"statements\":%zu}\n", s->ppd.count);
}

/* The verdict on what read_subject() returned r for. */
static int judge(struct subject *s, int r, bool chain)
{
	if (r == 0)
		r = rip_adoption_judge(&s->verdict, &s->ppd, chain);
	else if (r == -ENODATA)
		rip_adoption_refuse(&s->verdict, "the queue has no PPD", "");
	else if (r == -ENOTUNIQ)
		rip_adoption_refuse(&s->verdict, "it is a class; what counts are its queues: ",
				    s->queues);
	r = r == -ENODATA || r == -ENOTUNIQ ? 0 : r;
	return r == -ENOMEM ? rip_complain(r, "%s: out of memory", s->name) : r;
}

/* Verdicts of all names.  0, or the first error. */
static int check_all(const struct rip_adopt_options *options)
{
	int result = 0;

	for (int i = 0; i < options->count; i++) {
		struct subject s;
		int r = read_subject(&s, options->names[i]);

		r = judge(&s, r, options->chain);
		if (r == 0)
			print_verdict(&s, options->json);
		finish_subject(&s);
		result = result ? result : r;
	}
	return result;
}

/* Reads "[600 600]" behind the key. */
static bool read_resolution(const char *at, const char *end, struct rip_mask_use *use)
{
	char text[64];

	snprintf(text, sizeof text, "%.*s", (int)(end - at < 63 ? end - at : 63), at);
	return sscanf(text, " [ %u %u", &use->x_dpi, &use->y_dpi) == 2 && use->x_dpi && use->y_dpi;
}

/* Whether a resolution (HWResolution) in the text of a PPD has the screen; a PPD without any is
 * accepted.  name: of the queue or the file.  0, or -ENOENT (reported). */
static int check_screen(const char *name, const char *screen, const char *text, size_t size)
{
	const char *at = text, *end = text + size;
	char why[200] = "", other[200];

	if (!rip_mask_screen_known(screen))
		return 0; /* it diffuses errors, at any resolution */
	while ((at = memmem(at, (size_t)(end - at), RESOLUTION, strlen(RESOLUTION))) != NULL) {
		struct rip_mask_use use = { .planes = 0 }; /* no masks are made */
		struct rip_mask_screen made;

		at += strlen(RESOLUTION);
		if (!read_resolution(at, end, &use))
			continue;
		if (rip_mask_screen_init(&made, screen, &use, *why ? other : why, sizeof why) == 0)
			return 0;
	}
	return *why ? rip_complain(-ENOENT, "%s: %s", name, why) : 0;
}

/* Makes the edited PPD of one that was judged. */
static int edit(struct subject *s, const struct rip_adopt_options *options)
{
	struct rip_edit_plan plan = {
		.verdict = &s->verdict, .chain = options->chain, .rip = options->rip,
		.group = { .screen = options->screen, .rip = options->rip,
			   .preset = options->printer < 0 ? NULL :
				     rip_printer_names[options->printer] },
	};
	char why[400];
	int r;

	if (s->verdict.kind == RIP_ADOPTION_UNKNOWN && !options->force)
		return rip_complain(-ENOTSUP, "%s: %s: see --force", s->name, s->verdict.reason);
	if (s->verdict.kind == RIP_ADOPTION_DONE)
		return rip_complain(-EEXIST, "%s: %s: run riptide release %s first", s->name,
				    s->verdict.reason, s->name);
	plan.group.printer = s->verdict.printer;
	r = rip_edit_write(&s->after, &s->ppd, &plan, why, sizeof why);
	if (r < 0)
		return rip_complain(r, "%s: %s", s->name, why);
	return options->screen ?
	       check_screen(s->name, options->screen, s->after.bytes, s->after.size) : 0;
}

/* A queue that has got another PPD since is not adopted, but remembers it. */
static int release_other(const struct subject *s)
{
	char words[RIP_ADOPT_WORDS_MAX], calibration[RIP_CAL_NAME_MAX + 1];
	struct rip_adopt_options options = { .undo = true };
	int r = rip_adopt_queue_recall(s->name, &options, words);

	if (r > 0)
		r = rip_adopt_queue_forget(s->name, calibration);
	if (r > 0)
		printf("%s has another PPD already; riptide adopt --again will leave it so.\n",
		       s->name);
	return r;
}

static int restore(struct subject *s)
{
	char why[200];
	int r = rip_record_restore(&s->after, s->before.text, s->before.size, why, sizeof why);

	return r < 0 ? rip_complain(r, "%s: %s", s->name, why) : 0;
}

/* A queue that could not print with the new PPD keeps the one it has. */
static int deliver_to_queue(struct subject *s, const struct rip_adopt_options *options)
{
	const char *option = *s->verdict.try_option ? s->verdict.try_option : NULL;
	int r = 0;

	if (!options->undo)
		r = rip_adopt_trial(s->name, s->after.bytes, s->after.size, option,
				    options->rip ? "pdftoriptide" : "rastertoriptide");
	if (r < 0) {
		if (r == -EIO)
			rip_adopt_trial_vendor(s->name, s->before.text, s->before.size, option);
		return rip_complain(r, "the queue %s was not changed", s->name);
	}
	r = rip_adopt_queue_write(s->name, &s->before, s->after.bytes, s->after.size);
	if (r < 0)
		return r;
	if (!options->undo)
		return rip_adopt_queue_remember(s->name, options);
	r = rip_adopt_queue_forget(s->name, s->calibration);
	return r < 0 ? r : 0;
}

/* Puts the new PPD where it belongs. */
static int deliver(struct subject *s, const struct rip_adopt_options *options)
{
	const struct rip_growing_text *after = &s->after;
	const char *out = options->out ? options->out : s->name;

	if (options->diff && options->undo)
		return rip_record_diff(stdout, s->name, s->before.text, s->before.size, true);
	if (options->diff)
		return rip_record_diff(stdout, s->name, after->bytes, after->size, false);
	if (s->queue && !options->out)
		return deliver_to_queue(s, options);
	return rip_ppd_file_write(after->bytes, after->size, s->before.compressed, out);
}

/* Says what was done, unless standard output is the PPD or the difference. */
static void tell(const struct subject *s, const struct rip_adopt_options *options)
{
	if (options->diff || (options->out && !strcmp(options->out, "-")))
		return;
	if (options->undo && options->out)
		printf("%s has the PPD of %s as it was before riptide adopt.\n",
		       options->out, s->name);
	else if (options->undo)
		printf("%s is as it was before riptide adopt%s%s%s.\n", s->name,
		       *s->calibration ? ", and no longer has the default"
		       " halftone-calibration=" : "", s->calibration,
		       *s->calibration ? "; the calibration itself stays" : "");
	else
		printf("%s is adopted: %s; riptide release %s goes back.\n",
		       options->out ? options->out : s->name, s->verdict.reason,
		       options->out ? options->out : s->name);
}

/* One queue of all: what cannot be adopted is only mentioned, and what is adopted stays. */
static int adopt_of_all(const char *queue, const struct rip_adopt_options *options)
{
	struct rip_adopt_options own = *options;
	char words[RIP_ADOPT_WORDS_MAX];
	enum rip_adoption_kind kind;
	struct subject s;
	int r = options->again ? rip_adopt_queue_recall(queue, &own, words) : 1;

	if (r <= 0)
		return r;
	r = read_subject(&s, queue);
	r = judge(&s, r, own.chain);
	kind = s.verdict.kind;
	if (r == 0 && (kind == RIP_ADOPTION_NO || (kind == RIP_ADOPTION_UNKNOWN && !own.force))) {
		if (options->again)
			r = rip_complain(-ENOTSUP, "%s cannot be adopted again: %s;"
					 " riptide release %s forgets it",
					 queue, s.verdict.reason, queue);
		else
			print_verdict(&s, false);
	} else if (r == 0 && kind != RIP_ADOPTION_DONE) {
		r = edit(&s, &own);
		if (r == 0)
			r = deliver(&s, &own);
		if (r == 0)
			tell(&s, &own);
	}
	finish_subject(&s);
	return r;
}

/* Adopts or checks all queues.  0, or the first error. */
static int run_all(const struct rip_adopt_options *options)
{
	struct rip_adopt_options one = *options;
	ipp_t *answer = rip_queue_all();
	ipp_attribute_t *name = ippFindAttribute(answer, "printer-name", IPP_TAG_NAME);
	int result = answer ? 0 : -EIO, r;

	for (; name; name = ippFindNextAttribute(answer, "printer-name", IPP_TAG_NAME)) {
		char *queue = (char *)ippGetString(name, 0, NULL);

		one.names = &queue;
		one.count = 1;
		r = options->check ? check_all(&one) : adopt_of_all(queue, &one);
		result = result ? result : r;
	}
	ippDelete(answer);
	return result;
}

static int run(bool undo, int argc, char **argv)
{
	struct rip_adopt_options options;
	struct subject s;
	int status = rip_adopt_options_parse(&options, undo, argc, argv), r;

	if (status != RIP_GO_ON)
		return status;
	if (options.all || options.again)
		return run_all(&options) < 0 ? 1 : 0;
	if (options.check)
		return check_all(&options) < 0 ? 1 : 0;
	r = read_subject(&s, options.names[0]);
	if (r == -ENODATA)
		rip_complain(r, "the queue %s has no PPD", s.name);
	if (r == -ENOTUNIQ)
		rip_complain(r, "%s is a class; what counts are its queues: %s", s.name, s.queues);
	if (r == 0 && options.undo && s.queue && !options.diff && !options.out &&
	    !rip_record_found(s.before.text, s.before.size) && (r = release_other(&s)) > 0) {
		finish_subject(&s);
		return 0;
	}
	if (r == 0 && !options.undo)
		r = judge(&s, r, options.chain);
	if (r == 0)
		r = options.undo ? restore(&s) : edit(&s, &options);
	if (r == 0)
		r = deliver(&s, &options);
	if (r == 0)
		tell(&s, &options);
	finish_subject(&s);
	return r < 0 ? 1 : 0;
}

int rip_adopt_command(int argc, char **argv)
{
	return run(false, argc, argv);
}

int rip_release_command(int argc, char **argv)
{
	return run(true, argc, argv);
}
