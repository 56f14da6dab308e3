/* A PDF document that a contone filter draws. */
#include "contone_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/ink/ink_tally.h"
#include "filter/page/raster_job.h"
#include "filter/report.h"

int rip_contone_job_run(struct rip_pdf_job *pdf, const struct rip_contone_files *files)
{
	struct rip_raster_job *job = calloc(1, sizeof *job);
	struct rip_contone_filter filter = { .pid = 0 };
	int r;

	if (!job) {
		rip_error("%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	job->number = pdf->number;
	job->printer = pdf->printer;
	job->socket = pdf->socket;
	job->queue = &pdf->queue;
	job->options = &pdf->options;
	job->output = STDOUT_FILENO;
	job->place = pdf->place;
	job->receiver = pdf->receiver;
	job->shown = &pdf->shown;
	r = rip_contone_filter_start(&filter, pdf->drawn_by, pdf->argv, pdf->document, files);
	if (r == 0 && job->place.next)
		r = rip_next_filter_start(&pdf->next, job->place.next, pdf->argv);
	if (r == 0)
		r = rip_raster_job_run(job, filter.raster);
	if (!job->receiver)
		rip_ink_tally_job(&job->ink);
	rip_raster_job_finish(job);
	free(job);
	return rip_contone_filter_end(&filter, r);
}
