/*
 * rastertoriptide job user title copies options [file]
 *
 * A CUPS filter: raster of 8 or 16 bits a colour comes in, raster of dots goes
 * out, page by page.  See rastertoriptide(8).
 */
#include "config.h"

#include <stdlib.h>

#include "filter/ink/ink_tally.h"
#include "filter/chain/next_filter.h"
#include "filter/page/raster_job.h"
#include "filter/pdf/object_colours.h"
#include "filter/start.h"

static const char usage[] =
	"Usage: " RIP_FILTER_NAME " job user title copies options [file]\n"
	"       " RIP_FILTER_NAME " --help | --version\n"
	"A CUPS filter: halftones CUPS, PWG or Apple raster of 8 or 16 bits a colour.\n"
	"See rastertoriptide(8).\n";

int main(int argc, char *argv[])
{
	static struct rip_raster_job job;
	static struct rip_next_filter next;
	struct rip_options options;
	struct rip_queue queue;
	int r = rip_filter_start(RIP_FILTER_NAME, usage, argc, argv);

	if (r != RIP_FILTER_GO_ON)
		return r;
	job.number = strtoul(argv[1], NULL, 10);
	job.printer = getenv("PRINTER");
	job.socket = rip_filter_socket();
	job.queue = &queue;
	job.options = &options;
	if (rip_queue_open(&queue, getenv("PPD")) < 0)
		return 1;
	rip_options_init(&options, argv[5], &queue);
	rip_object_colours_unused("only pdftoriptide draws pages itself", false, options.count,
				  options.job);
	rip_queue_place(&queue, RIP_RASTER_FILTER, getenv("FINAL_CONTENT_TYPE"), &job.place);
	r = job.place.next ? rip_next_filter_start(&next, job.place.next, argv) : 0;
	if (r == 0)
		r = rip_filter_input(argc, argv);
	if (r >= 0)
		r = rip_raster_job_run(&job, r);
	rip_ink_tally_job(&job.ink);
	rip_raster_job_finish(&job);
	rip_options_finish(&options);
	rip_queue_close(&queue);
	return rip_next_filter_end(&next, r);
}
