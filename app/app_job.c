#include "config.h"

#include "app/app_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app_child.h"
#include "app/app_parts.h"
#include "app/app_places.h"
#include "app/app_raster.h"
#include "app/compat.h"
#include "app/web.h"

/* What becomes of a document: PDF, in one more step if it is none, then pages in the order and the
 * number that the job asks for, then dots in the printer's language. */
static const struct format {
	const char *type, *to_pdf;
} formats[] = {
	{ "application/pdf", NULL },
	{ "image/jpeg", "imagetopdf" },
	{ "image/png", "imagetopdf" },
};

/* Prints a document.  dpi: of its raster, whose pages PAPPL counts; or NULL. */
static bool print(pappl_job_t *job, pappl_device_t *device, const struct format *format,
		  const char *file, const unsigned dpi[2])
{
	const char *filters[RIP_APP_FILTERS_MAX];
	struct rip_app_picture picture;
	struct rip_app_parts parts;
	unsigned count = 0;
	int i, pages = 0;
	const bool made = rip_app_parts_make(&parts, job, dpi);
	bool ok = made;

	if (format->to_pdf)
		filters[count++] = format->to_pdf;
	filters[count++] = "pdftopdf";
	filters[count++] = "pdftoriptide";
	if (made)
		rip_app_web_picture_begin(&picture, job, file, format->type);
	for (i = 0; ok && i < parts.count * parts.rounds; i++) {
		struct rip_app_child child = {
			.said = { .job = job, .counts = !dpi }, .device = device,
		};

		ok = rip_app_child_run(&child, filters, count, parts.options[i % parts.count],
				       parts.copies, file);
		pages += child.said.pages;
	}
	rip_app_parts_free(&parts);
	if (!dpi && pages > papplJobGetImpressions(job))
		papplJobSetImpressions(job, pages);
	if (made)
		rip_app_web_picture_end(&picture, ok && !papplJobIsCanceled(job));
	return ok;
}

/* ---- documents in files ---- */

static bool print_file(pappl_job_t *job, RIP_APP_FILTER pappl_device_t *device, void *data)
{
	return RIP_APP_IS_REPEATED(job) ||
	       print(job, device, data, papplJobGetFilename(job), NULL);
}

void rip_app_job_formats(pappl_system_t *system)
{
	unsigned i;

	for (i = 0; i < sizeof formats / sizeof formats[0]; i++)
		papplSystemAddMIMEFilter(system, formats[i].type, RIP_APP_OWN_FORMAT, print_file,
					 (void *)&formats[i]);
}

/* PAPPL has no filter for it: what the client calls the printer's own language. */
static bool refuse_file(pappl_job_t *job, RIP_APP_DOCUMENT pappl_pr_options_t *options,
			pappl_device_t *device)
{
	papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s is not printed: send PDF, JPEG, PNG or raster.",
		    papplJobGetFormat(job));
	papplJobSetMessage(job, "Send PDF, JPEG, PNG or raster.");
	return false;
}

/* ---- raster that PAPPL reads while it comes: it is printed when all of it is here ---- */

static bool fail(pappl_job_t *job, const char *why)
{
	papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s", why);
	papplJobSetMessage(job, "%s", why);
	return false;
}

/* Whether r is 0; if not, the job says why. */
static bool written(pappl_job_t *job, int r)
{
	char why[256];

	if (r == 0)
		return true;
	snprintf(why, sizeof why, "The pages do not fit into %s: %s", rip_app_places.spool,
		 strerror(-r));
	return fail(job, why);
}

static bool start_raster_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	struct rip_app_raster *raster;
	const int r = rip_app_raster_new(rip_app_places.spool, &raster);

	papplJobSetData(job, raster);
	return written(job, r);
}

static bool start_raster_page(pappl_job_t *job, pappl_pr_options_t *options,
			      pappl_device_t *device, unsigned page)
{
	char why[256];
	int r;

	if (RIP_APP_IS_REPEATED(job))
		return true;
	r = rip_app_raster_page(papplJobGetData(job), &options->header, why, sizeof why);
	return r == -EINVAL ? fail(job, why) : written(job, r);
}

static bool write_raster_line(pappl_job_t *job, pappl_pr_options_t *options,
			      pappl_device_t *device, unsigned y, const unsigned char *line)
{
	struct rip_app_raster *raster = papplJobGetData(job);

	return RIP_APP_IS_REPEATED(job) ||
	       rip_image_pdf_row(&raster->pdf, line, raster->line) == 0;
}

static bool end_raster_page(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device,
			    unsigned page)
{
	struct rip_app_raster *raster = papplJobGetData(job);

	return RIP_APP_IS_REPEATED(job) || written(job, rip_image_pdf_end_page(&raster->pdf));
}

/* Also of a job that failed. */
static bool end_raster_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	struct rip_app_raster *raster = papplJobGetData(job);
	bool ok = false;

	papplJobSetData(job, NULL);
	if (RIP_APP_EMPTY_RASTER && (!raster || raster->pdf.pages == 0))
		ok = true;
	else if (raster && !papplJobIsCanceled(job))
		ok = written(job, rip_image_pdf_end(&raster->pdf)) &&
		     print(job, device, &formats[0], raster->path, options->header.HWResolution);
	rip_app_raster_free(raster);
	return ok;
}

void rip_app_job_callbacks(pappl_pr_driver_data_t *data)
{
	data->format = RIP_APP_OWN_FORMAT;
	data->printfile_cb = refuse_file;
	data->rstartjob_cb = start_raster_job;
	data->rstartpage_cb = start_raster_page;
	data->rwriteline_cb = write_raster_line;
	data->rendpage_cb = end_raster_page;
	data->rendjob_cb = end_raster_job;
}
