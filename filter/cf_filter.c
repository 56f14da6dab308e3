/* rastertoriptide as a filter function of libcupsfilters 2. */
#include "config.h"

#include "filter/riptide-cupsfilters.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cupsfilters/ipp.h>

#include "filter/cancel.h"
#include "filter/options.h"
#include "queue.h"
#include "filter/page/raster_job.h"
#include "filter/report.h"
#include "system/ascii.h"

#define NAME "cfFilterRiptide"

/* What libppd adds to a job, under the name "libppd"; more fields follow. */
struct libppd_data {
	char *ppdfile;
};

struct call {
	struct rip_raster_job      job;
	struct rip_queue           queue;
	struct rip_options         options;
	struct rip_report_listener listener;
	struct rip_cancel          cancel;
	cf_filter_data_t          *data;
	bool                       canceled;
};

/* ---- messages and cancel ---- */

/* What is said after the job was canceled follows from that, and is no error. */
static void log_line(void *context, enum riptide_log_level level, const char *text)
{
	const struct call *call = context;
	const cf_loglevel_t cf =
		level == RIPTIDE_LOG_ERROR && !call->canceled ? CF_LOGLEVEL_ERROR :
		level == RIPTIDE_LOG_WARNING ? CF_LOGLEVEL_WARN : CF_LOGLEVEL_DEBUG;

	if (call->data->logfunc)
		call->data->logfunc(call->data->logdata, cf, "%s: %s", NAME, text);
}

static void log_progress(void *context, unsigned percent)
{
	const struct call *call = context;

	if (call->data->logfunc)
		call->data->logfunc(call->data->logdata, CF_LOGLEVEL_CONTROL,
				    "ATTR: job-media-progress=%u", percent);
}

static bool is_canceled(void *context)
{
	struct call *call = context;

	if (!call->canceled && call->data->iscanceledfunc(call->data->iscanceleddata)) {
		call->canceled = true;
		rip_debug("the job is canceled");
	}
	return call->canceled;
}

/* ---- options ---- */

/* Adds options of ours that only the printer has: NAME-default. */
static int add_defaults(ipp_t *printer, int count, cups_option_t **options)
{
	char name[64], value[256];

	for (int option = 0; printer && option < RIP_OPTION_COUNT; option++) {
		ipp_attribute_t *attribute;

		snprintf(name, sizeof name, "%s-default", rip_option_name(option));
		attribute = ippFindAttribute(printer, name, IPP_TAG_ZERO);
		if (!attribute || cupsGetOption(rip_option_name(option), count, *options) ||
		    ippAttributeString(attribute, value, sizeof value) >= sizeof value)
			continue;
		count = cupsAddOption(rip_option_name(option), value, count, options);
	}
	return count;
}

/* 0 or -errno (reported).  The options are there in any case. */
static int open_options(struct call *call)
{
	const struct libppd_data *libppd = cfFilterDataGetExt(call->data, "libppd");
	cups_option_t *options = NULL;
	int count = cfJoinJobOptionsAndAttrs(call->data, 0, &options);
	int r;

	count = add_defaults(call->data->printer_attrs, count, &options);
	r = rip_queue_open(&call->queue, libppd ? libppd->ppdfile : NULL);
	rip_options_init_parsed(&call->options, count, options, &call->queue);
	return r;
}

/* Whether to write PWG raster; 0 or -EINVAL (reported). */
static int choose_format(const cf_filter_data_t *data, const cf_filter_out_format_t *format,
			 bool *pwg)
{
	*pwg = format ? *format == CF_FILTER_OUT_FORMAT_PWG_RASTER :
			data->final_content_type &&
			rip_same_name(data->final_content_type, "image/pwg-raster");
	if (!format || *pwg || *format == CF_FILTER_OUT_FORMAT_CUPS_RASTER)
		return 0;
	rip_error("the output format %d is not possible: only CUPS raster and PWG raster are",
		  (int)*format);
	return -EINVAL;
}

/* ---- what belongs to the process ---- */

/* What the calling thread has while the filter works. */
struct borrowed {
	sigset_t signals, mask, pending;
	locale_t c, locale;
};

/* A write to a closed pipe must fail and not end the process, and numbers have a point. */
static void borrow(struct borrowed *thread)
{
	sigemptyset(&thread->signals);
	sigaddset(&thread->signals, SIGPIPE);
	sigaddset(&thread->signals, SIGXFSZ);
	sigpending(&thread->pending);
	pthread_sigmask(SIG_BLOCK, &thread->signals, &thread->mask);
	thread->c = newlocale(LC_ALL_MASK, "C", NULL);
	thread->locale = thread->c ? uselocale(thread->c) : NULL;
}

static void restore(const struct borrowed *thread)
{
	static const int numbers[] = { SIGPIPE, SIGXFSZ };
	static const struct timespec now;

	/* Those that this thread got from its own writes. */
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		sigset_t one;

		sigemptyset(&one);
		sigaddset(&one, numbers[i]);
		if (!sigismember(&thread->pending, numbers[i]))
			sigtimedwait(&one, NULL, &now);
	}
	pthread_sigmask(SIG_SETMASK, &thread->mask, NULL);
	if (thread->c) {
		uselocale(thread->locale);
		freelocale(thread->c);
	}
}

/* 0 or -errno (reported). */
static int run(struct call *call, int inputfd, int outputfd, void *parameters)
{
	struct rip_raster_job *job = &call->job;
	const int opened = open_options(call);
	int r = choose_format(call->data, parameters, &job->place.pwg);

	job->number = (uint32_t)call->data->job_id;
	job->printer = call->data->printer;
	/* Unlike a filter, this does not make the process one that others of its user cannot read:
	 * that is for the program to decide. */
	job->socket = cfFilterDataGetExt(call->data, "riptide-socket");
	job->queue = &call->queue;
	job->options = &call->options;
	job->output = outputfd;
	job->cancel = call->data->iscanceledfunc ? &call->cancel : NULL;
	r = r == 0 ? opened : r;
	if (r == 0)
		r = rip_raster_job_run(job, inputfd);
	rip_raster_job_finish(job);
	rip_options_finish(&call->options);
	rip_queue_close(&call->queue);
	return r;
}

int cfFilterRiptide(int inputfd, int outputfd, int inputseekable, cf_filter_data_t *data,
		    void *parameters)
{
	struct call *call = calloc(1, sizeof *call);
	struct borrowed thread;
	int r = -ENOMEM;

	(void)inputseekable;
	if (call) {
		borrow(&thread);
		call->data = data;
		call->listener = (struct rip_report_listener){ log_line, log_progress, call };
		call->cancel = (struct rip_cancel){ is_canceled, call };
		rip_report_listen_here(&call->listener);
		r = run(call, inputfd, outputfd, parameters);
		/* Some file systems report a full disk only here. */
		if (close(outputfd) < 0 && r == 0) {
			r = -errno;
			rip_error("cannot write the raster: %s", strerror(errno));
		}
		rip_report_listen_here(NULL);
		restore(&thread);
		free(call);
	} else {
		close(outputfd);
		if (data->logfunc)
			data->logfunc(data->logdata, CF_LOGLEVEL_ERROR, "%s: %s",
				      NAME, strerror(ENOMEM));
	}
	close(inputfd);
	return r < 0 ? 1 : 0;
}
