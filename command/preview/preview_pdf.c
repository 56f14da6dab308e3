#include "config.h"

#include "preview.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/pdf/pdf_job.h"
#include "filter/report.h"
#include "image/complain.h"
#include "command/queue_request.h"
#include "command/queue_ppd.h"
#include "rip/document.h"
#include "system/private_folder.h"
#include "system/temporary_space.h"
#include "command/terminal.h"

#define AHEAD 1024 /* bytes, in which a PDF file says what it is */

/* What must be free beside the copies of the document, and when a page is there. */
#define SPACE_BYTES  (64u << 10)
#define LISTED_BYTES 4000000u /* samples of a page: Ghostscript needs no files for fewer */

int rip_preview_is_pdf(struct rip_input *input)
{
	const uint8_t *bytes;
	const ssize_t n = rip_input_peek(input, AHEAD, &bytes);

	if (n < 0)
		return (int)n;
	return memmem(bytes, n < AHEAD ? (size_t)n : AHEAD, "%PDF-", 5) != NULL;
}

static int check(const struct rip_input *input, const struct rip_preview_options *options)
{
	const struct rip_image_options *image = &options->halftone.image;
	const char *unwanted = image->curve ? "--curve" : image->dpi.x ? "--resolution" :
			       *options->inks ? "--inks" : NULL;

	if (!options->queue && !options->ppd)
		return rip_complain(-EINVAL, "%s is PDF: name the queue that"
				    " prints it with --queue, or its PPD with --ppd", input->name);
	if (unwanted)
		return rip_complain(-EINVAL, "%s is PDF: %s is not for it,"
				    " because the queue decides", input->name, unwanted);
	if (lseek(input->fd, 0, SEEK_SET) < 0)
		return rip_complain(-errno, "%s is PDF, which must be a file and not a pipe",
				    input->name);
	return 0;
}

/* Adds what the command line sets to the queue's defaults. */
static int add_job(const struct rip_preview_options *options, char *text, size_t size)
{
	const size_t used = strlen(text);

	if ((size_t)snprintf(text + used, size - used, " %s", options->job) < size - used)
		return 0;
	return rip_complain(-E2BIG, "the options of the queue"
			    " and of the command line are longer than %zu bytes", size - 1);
}

/* A receiver between the job and the caller's: tells how dots look before each page begins, and
 * passes the wanted pages only. */
struct late {
	const struct rip_pdf_job      *job;
	const struct rip_preview_options *options;
	struct rip_shown              *shown;
	const struct rip_dot_receiver *receiver;
	bool                           all;   /* the job makes all pages */
	unsigned                       pages; /* that have begun */
	bool                           full;  /* so is the folder for temporary files */
};

static bool is_wanted(const struct late *late)
{
	return !late->all || rip_page_list_has(late->options->pages, late->pages);
}

/* Ghostscript does not notice if there is no space for its list of what a page shows, which is
 * complete when the page begins. */
static bool lacks_space(const struct rip_dot_page *page)
{
	char why[8];
	const int r = (uint64_t)page->width * page->height * page->planes <= LISTED_BYTES ? 0 :
		      rip_temporary_space_check(SPACE_BYTES, why, sizeof why);

	return r == -ENOSPC || r == -EDQUOT;
}

static int begin(void *context, const struct rip_dot_page *page)
{
	struct late *late = context;

	late->pages++;
	late->full = late->all && lacks_space(page);
	if (late->full)
		return -ENOSPC; /* reported when gstoraster has ended */
	*late->shown = late->job->shown;
	return is_wanted(late) ? late->receiver->begin(late->receiver->context, page) : 0;
}

static int row(void *context, const uint8_t *const planes[])
{
	struct late *late = context;

	return is_wanted(late) ? late->receiver->row(late->receiver->context, planes) : 0;
}

static int end(void *context)
{
	struct late *late = context;

	return is_wanted(late) ? late->receiver->end(late->receiver->context) : 0;
}

/* Sets what the contone filter takes from the environment, which may be that of another queue. */
static void set_environment(const struct late *late)
{
	setenv("PPD", "/dev/fd/3", 1);
	unsetenv("FINAL_CONTENT_TYPE");
	if (late->options->queue)
		setenv("PRINTER", late->options->queue, 1);
	else
		unsetenv("PRINTER");
}

/* Whether gstoraster can copy the document, and its Ghostscript again;
 * they would not say why they cannot. */
static int check_space(const struct rip_pdf_job *job)
{
	struct stat info;
	char why[320];
	const size_t size = fstat(job->document, &info) == 0 ? (size_t)info.st_size : 0;
	const int r = rip_temporary_space_check(2 * size + SPACE_BYTES, why, sizeof why);

	return r < 0 ? rip_complain(r, "%s", why) : 0;
}

/* Runs the job with a folder for temporary files of its own: Ghostscript leaves its copy of the
 * document when it is ended early. */
static int run_contone(struct rip_pdf_job *job, const struct late *late,
		       const struct rip_contone_files *files)
{
	const char *set = getenv("TMPDIR");
	char *usual = set ? strdup(set) : NULL, why[320];
	struct rip_private_folder folder;
	int r;

	if (set && !usual)
		r = rip_complain(-ENOMEM, "cannot start %s: out of memory", job->drawn_by);
	else
		r = check_space(job);
	if (r == 0 && (r = rip_private_folder_make(&folder, NULL)) < 0) {
		rip_temporary_space_refuse(-r, why, sizeof why);
		rip_complain(r, "%s", why);
	}
	if (r == 0) {
		setenv("TMPDIR", folder.path, 1);
		r = rip_contone_job_run(job, files);
		rip_private_folder_remove(&folder);
		if (usual)
			setenv("TMPDIR", usual, 1);
		else
			unsetenv("TMPDIR");
		if (late->full)
			r = rip_complain(rip_temporary_space_refuse(ENOSPC, why, sizeof why),
					 "page %u: %s", late->pages, why);
	}
	free(usual);
	return r;
}

/* Has the contone filter of the queue draw the pages.  ppd: a descriptor. */
static int draw_contone(struct rip_pdf_job *job, struct late *late, int ppd)
{
	const struct rip_contone_files files = {
		.messages = memfd_create("messages", MFD_CLOEXEC), .ppd = ppd,
	};
	unsigned missing;
	int r;

	if (files.messages < 0)
		return rip_complain(-errno, "cannot start %s: %s", job->drawn_by, strerror(errno));
	set_environment(late);
	late->all = true;
	r = run_contone(job, late, &files);
	close(files.messages);
	missing = rip_page_list_missing(late->options->pages, late->pages);
	if (r == 0 && missing)
		r = rip_complain(-ERANGE, "there is no page %u: the last one is %u", missing,
				 late->pages);
	return r;
}

/* Runs a job whose queue is open. */
static int run(struct rip_pdf_job *job, struct late *late, int document, int ppd)
{
	char *argv[] = { (char *)"riptide", (char *)"1", (char *)cupsUser(), (char *)"preview",
			 (char *)"1", (char *)job->text, NULL };
	int r;

	job->argv = argv;
	rip_pdf_job_begin(job);
	r = rip_pdf_job_run(job, document);
	if (r == RIP_PDF_JOB_CONTONE)
		r = draw_contone(job, late, ppd);
	rip_pdf_job_finish(job);
	return r;
}

int rip_preview_pdf(struct rip_input *input, const struct rip_preview_options *options,
		    struct rip_shown *shown, const struct rip_dot_receiver *receiver)
{
	char name[256], text[2048], advice[512];
	const struct rip_report_listener listener = { rip_complain_log, NULL, name };
	struct rip_pdf_job *job = calloc(1, sizeof *job);
	struct late late = { .job = job, .options = options, .shown = shown, .receiver = receiver };
	const struct rip_dot_receiver mine = { begin, row, end, &late };
	int r = check(input, options), ppd = -1;

	if (r == 0 && !job)
		r = rip_complain(-ENOMEM, "%s: out of memory", input->name);
	*text = '\0';
	if (r == 0 && options->queue)
		r = rip_queue_options(options->queue, text, sizeof text);
	if (r == 0)
		r = rip_queue_ppd_open(options->queue, options->ppd, &job->queue, &ppd);
	if (r == 0) {
		snprintf(name, sizeof name, "%s", input->name);
		rip_report_listen(&listener);
		if (!rip_queue_starts_us(&job->queue)) {
			const char *called = options->queue ? options->queue : options->ppd;

			rip_queue_ppd_advise(ppd, called, advice, sizeof advice);
			rip_complain(0, "%s prints without riptide, with other dots than these: %s",
				     called, advice);
		}
		if (options->queue)
			rip_queue_ppd_compare(&job->queue, text, options->queue);
		r = add_job(options, text, sizeof text);
		job->text = text;
		job->printer = options->queue;
		job->socket = "none";
		job->receiver = &mine;
		job->wanted = options->pages;
		if (r == 0)
			r = run(job, &late, input->fd, ppd);
		rip_report_listen(NULL);
	}
	if (ppd >= 0)
		close(ppd);
	free(job);
	return r;
}
