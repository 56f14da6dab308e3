/*
 * rastertofoomatic job user title copies options [file]
 *
 * A CUPS filter: raster of dots goes in, and to the encoder of a driver for foomatic-rip, which
 * gets it in place of Ghostscript's pages.  See rastertofoomatic(8).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/pdf/device_page.h"
#include "filter/pdf/foomatic_command.h"
#include "filter/pdf/gs_stand_in.h"
#include "filter/page/header.h"
#include "filter/chain/next_filter.h"
#include "queue.h"
#include "filter/report.h"
#include "filter/page/sink.h"
#include "filter/page/source.h"
#include "filter/start.h"
#include "system/child.h"

#define NAME   "rastertofoomatic"
#define BUFFER (256u << 10) /* bytes of output */

struct foomatic_job {
	struct rip_queue       queue;
	const char            *options;
	struct rip_source      source;
	struct rip_next_filter next;    /* the shell with the driver's command */
	struct rip_gs_request  request;
	struct rip_device_page page;
	struct rip_sink        sink;    /* for a driver that takes raster */
};

static const char usage[] =
	"Usage: " NAME " job user title copies options [file]\n"
	"       " NAME " --help | --version\n"
	"A CUPS filter: passes dots to the encoder of a driver for foomatic-rip.\n"
	"See " NAME "(8).\n";

/* ---- the command ---- */

/* The environment of the command: this program in the place of Ghostscript, and CUPS's filters as
 * programs, as under foomatic-rip. */
static int set_environment(int request)
{
	const char *path = getenv("PATH"), *folder = getenv("CUPS_SERVERBIN");
	char program[PATH_MAX], number[16], *paths;
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	int r;

	if (length < 0)
		return -errno;
	program[length] = '\0';
	snprintf(number, sizeof number, "%d", request);
	if (asprintf(&paths, "%s:%s/filter", path && *path ? path : "/usr/bin:/bin",
		     folder && *folder ? folder : RIP_CUPS_SERVERBIN) < 0)
		return -ENOMEM;
	r = setenv("GSBIN", program, 1) < 0 || setenv(RIP_GS_REQUEST, number, 1) < 0 ||
	    setenv("PATH", paths, 1) < 0 || unsetenv("DEVICE_URI") < 0 ? -errno : 0;
	free(paths);
	return r;
}

/* A pipe for the request; its write end is above the descriptor that the script opens. */
static int request_pipe(int ends[2])
{
	int low, r = rip_child_pipe(ends);

	if (r < 0)
		return r;
	low = ends[1];
	ends[1] = fcntl(low, F_DUPFD, RIP_GS_DATA + 1);
	r = ends[1] < 0 ? -errno : 0;
	close(low);
	if (r < 0)
		close(ends[0]);
	return r;
}

/* Starts the driver's command for the job, and reads what it asks for. */
static int start_command(struct foomatic_job *job, const cups_page_header2_t *header)
{
	static char shell[] = "/bin/sh", run[] = "-c";
	char *command = NULL, *script = NULL, why[256];
	int ends[2], r;

	r = rip_foomatic_command(&job->queue, job->options, header, &command, why, sizeof why);
	if (r < 0) {
		rip_error("%s", why);
		return r;
	}
	rip_debug("the driver's command: %s", command);
	/* Its standard input is empty: the data come as another descriptor, past whatever the
	 * command has before Ghostscript, which it may also call by its usual name. */
	if (asprintf(&script, "exec %d<&0 </dev/null; gs() { \"$GSBIN\" \"$@\"; }; %s", RIP_GS_DATA,
		     command) < 0)
		script = NULL;
	r = script ? request_pipe(ends) : -ENOMEM;
	if (r == 0) {
		r = set_environment(ends[1]);
		if (r == 0)
			r = rip_next_program_start(&job->next,
						   (char *[]){ shell, run, script, NULL },
						   "the driver's command");
		close(ends[1]);
		if (r == 0) {
			r = rip_gs_request_read(ends[0], &job->request, why, sizeof why);
			if (r < 0)
				rip_error("%s", why);
		}
		close(ends[0]);
	} else {
		rip_error("cannot run the driver's command: %s", strerror(-r));
	}
	free(script);
	free(command);
	return r;
}

/* ---- pages ---- */

/* Passes the lines of a page on: to an encoder, or as raster. */
static int pass_lines(struct foomatic_job *job, const struct rip_geometry *g)
{
	const bool raster = job->request.device == RIP_GS_CUPS;
	const uint32_t bytes = g->line_bytes / g->planes;
	uint8_t *line = malloc(g->line_bytes);
	const uint8_t *planes[4];
	int r = 0;

	if (!line) {
		rip_error("%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	for (uint32_t p = 0; p < g->planes && p < 4; p++)
		planes[p] = line + (size_t)p * bytes;
	for (uint32_t y = 0; r == 0 && y < g->height; y++) {
		r = rip_source_read(&job->source, line, g->line_bytes);
		if (r < 0)
			rip_error("page %u: %s", job->source.page, job->source.why);
		else
			r = raster ? rip_sink_row(&job->sink, planes) :
				     rip_device_page_row(&job->page, line, bytes);
	}
	free(line);
	if (r == 0)
		r = raster ? rip_sink_end(&job->sink) : rip_device_page_end(&job->page);
	return r;
}

/* Begins a page of dots as raster. */
static int begin_raster(struct foomatic_job *job, const cups_page_header2_t *header,
			const struct rip_geometry *g, char *why, size_t size)
{
	cups_page_header2_t out;
	struct rip_output output;
	int r;

	if (g->sample_bits != 1 || g->planes != 1)
		return rip_refuse(why, size,
				  "it has %u colours of %u bits, but the driver takes black dots",
				  g->planes, g->sample_bits);
	r = rip_header_rewrite(header, g, 2, false, job->source.pwg, &out, &output, why, size);
	if (r == 0)
		r = rip_sink_begin(&job->sink, &out, &output);
	return r;
}

static int do_page(struct foomatic_job *job, const cups_page_header2_t *header)
{
	static char buffer[BUFFER]; /* of stdout, as long as that */
	const unsigned page = job->source.page;
	struct rip_geometry g;
	char why[256] = "";
	int r = rip_header_check(header, &g, why, sizeof why);

	if (r == 0 && page == 1) {
		r = start_command(job, header);
		if (r < 0)
			return r;
		job->page.request = job->request;
		job->page.to = stdout;
		setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	}
	if (r == 0)
		r = job->request.device == RIP_GS_CUPS ?
		    begin_raster(job, header, &g, why, sizeof why) :
		    rip_device_page_begin(&job->page, header, &g, why, sizeof why);
	if (r == 0) {
		r = rip_source_begin(&job->source, header, g.lines);
		if (r < 0)
			snprintf(why, sizeof why, "%s", job->source.why);
	}
	if (r < 0) {
		if (why[0])
			rip_error("page %u: %s", page, why);
		return r;
	}
	r = pass_lines(job, &g);
	/* rastertoptch logs its pages; encoders would, too, with DEVICE_URI in the environment. */
	if (r == 0 && job->request.device != RIP_GS_CUPS)
		rip_report_page(page, header->NumCopies ? header->NumCopies : 1);
	return r;
}

static int do_pages(struct foomatic_job *job, int fd)
{
	cups_page_header2_t header;
	int r = rip_source_open(&job->source, fd);

	while (r == 0) {
		r = rip_source_header(&job->source, &header);
		if (r == 0)
			r = do_page(job, &header);
		else if (r < 0)
			rip_error("page %u: %s", job->source.page, job->source.why);
	}
	if (r < 0 && job->source.page == 0)
		rip_error("%s", job->source.why);
	return r == RIP_SOURCE_END ? 0 : r;
}

int main(int argc, char *argv[])
{
	static struct foomatic_job job;
	int status, fd, r;

	if (rip_gs_is_stand_in())
		return rip_gs_stand_in(argc, argv);
	status = rip_filter_start(NAME, usage, argc, argv);
	if (status != RIP_FILTER_GO_ON)
		return status;
	job.options = argv[5];
	if (rip_queue_open(&job.queue, getenv("PPD")) < 0)
		return 1;
	rip_sink_init(&job.sink, STDOUT_FILENO, false, true);
	fd = rip_filter_input(argc, argv);
	r = fd < 0 ? fd : do_pages(&job, fd);
	rip_sink_finish(&job.sink);
	rip_device_page_finish(&job.page);
	rip_source_close(&job.source);
	rip_queue_close(&job.queue);
	return rip_next_filter_end(&job.next, r);
}
