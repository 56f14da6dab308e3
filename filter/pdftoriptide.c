/*
 * pdftoriptide job user title copies options [file]
 *
 * A CUPS filter: PDF comes in, raster of dots goes out, page by page.  Ghostscript draws the
 * pages, several at once.  See pdftoriptide(8).
 */
#include "config.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "filter/ink/ink_tally.h"
#include "filter/pdf/pdf_job.h"
#include "filter/report.h"
#include "filter/start.h"

static const char usage[] =
	"Usage: " RIP_PDF_FILTER_NAME " job user title copies options [file]\n"
	"       " RIP_PDF_FILTER_NAME " --help | --version\n"
	"A CUPS filter: draws PDF with Ghostscript and halftones it.\n"
	"See pdftoriptide(8).\n";

/* The processor time of this process, or of its children that have ended. */
static double processor_ms(int who)
{
	struct rusage used;

	if (getrusage(who, &used) < 0)
		return 0;
	return 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       1e-3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Ends the next filter, if there is one, and returns the exit status.  Logs the processor time of
 * each stage: what has drawn the pages has ended. */
static int finish(struct rip_next_filter *next, int r)
{
	const double drawing = processor_ms(RUSAGE_CHILDREN);
	const double halftoning = processor_ms(RUSAGE_SELF);
	const int status = rip_next_filter_end(next, r);

	rip_debug("processor time: drawing %.0f ms, halftoning here %.0f ms, next filter %.0f ms",
		  drawing, halftoning, processor_ms(RUSAGE_CHILDREN) - drawing);
	return status;
}

int main(int argc, char *argv[])
{
	static struct rip_pdf_job job;
	int r = rip_filter_start(RIP_PDF_FILTER_NAME, usage, argc, argv);

	if (r != RIP_FILTER_GO_ON)
		return r;
	job.text = argv[5];
	job.final = getenv("FINAL_CONTENT_TYPE");
	job.socket = rip_filter_socket();
	job.printer = getenv("PRINTER");
	job.number = (unsigned)strtoul(argv[1], NULL, 10);
	job.argv = argv;
	if (rip_queue_open(&job.queue, getenv("PPD")) < 0)
		return 1;
	rip_pdf_job_begin(&job);
	r = rip_filter_input(argc, argv);
	if (r >= 0)
		r = rip_pdf_job_run(&job, r);
	if (r == RIP_PDF_JOB_CONTONE)
		r = rip_contone_job_run(&job, NULL);
	else
		rip_ink_tally_job(&job.ink);
	rip_pdf_job_finish(&job);
	return finish(&job.next, r);
}
