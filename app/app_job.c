#include "config.h"

#include "app/app_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app_child.h"
#include "app/app_options.h"

/* What becomes of a document: PDF, in one more step if it is none, then pages in the order and the
 * number that the job asks for, then dots in the printer's language. */
static const struct format {
	const char *type, *to_pdf;
} formats[] = {
	{ "application/pdf", NULL },
	{ "image/jpeg", "imagetopdf" },
	{ "image/png", "imagetopdf" },
	{ "image/pwg-raster", "rastertopdf" },
	{ "image/urf", "rastertopdf" },
};

/* file: or NULL for a job whose document comes as we write it. */
static bool start(struct rip_app_child *child, pappl_job_t *job, pappl_device_t *device,
		  const char *to_pdf, const char *file)
{
	const char *filters[RIP_APP_FILTERS_MAX];
	unsigned count = 0;
	int copies;
	char *options = rip_app_options(job, &copies);
	bool ok;

	if (!options)
		return false;
	if (to_pdf)
		filters[count++] = to_pdf;
	filters[count++] = "pdftopdf";
	filters[count++] = "pdftoriptide";
	ok = rip_app_child_start(child, job, device, filters, count, options, copies, file);
	free(options);
	return ok;
}

/* ---- documents in files ---- */

static bool print_file(pappl_job_t *job, pappl_device_t *device, void *data)
{
	const struct format *format = data;
	struct rip_app_child child;
	bool ok = start(&child, job, device, format->to_pdf, papplJobGetFilename(job)) &&
		  rip_app_child_finish(&child);

	if (child.said.pages > papplJobGetImpressions(job))
		papplJobSetImpressions(job, child.said.pages);
	return ok;
}

void rip_app_job_formats(pappl_system_t *system)
{
	unsigned i;

	for (i = 0; i < sizeof formats / sizeof formats[0]; i++)
		papplSystemAddMIMEFilter(system, formats[i].type, RIP_APP_OWN_FORMAT, print_file,
					 (void *)&formats[i]);
}

/* PAPPL has no filter for it: what the client calls the printer's own language. */
static bool refuse_file(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	(void)options, (void)device;
	papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s is not printed: send PDF, JPEG, PNG or raster.",
		    papplJobGetFormat(job));
	papplJobSetMessage(job, "Send PDF, JPEG, PNG or raster.");
	return false;
}

/* ---- raster that PAPPL reads while it comes ---- */

struct raster_job {
	struct rip_app_child child;
	cups_raster_t *raster;
};

static bool start_raster_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	struct raster_job *own = calloc(1, sizeof *own);

	(void)options;
	if (!own)
		return false;
	if (!start(&own->child, job, device, "rastertopdf", NULL)) {
		free(own);
		return false;
	}
	own->raster = cupsRasterOpen(own->child.input, CUPS_RASTER_WRITE_PWG);
	papplJobSetData(job, own);
	return own->raster != NULL;
}

static bool start_raster_page(pappl_job_t *job, pappl_pr_options_t *options,
			      pappl_device_t *device, unsigned page)
{
	struct raster_job *own = papplJobGetData(job);

	(void)device, (void)page;
	return cupsRasterWriteHeader2(own->raster, &options->header) != 0;
}

static bool write_raster_line(pappl_job_t *job, pappl_pr_options_t *options,
			      pappl_device_t *device, unsigned y, const unsigned char *line)
{
	struct raster_job *own = papplJobGetData(job);
	const unsigned bytes = options->header.cupsBytesPerLine;

	(void)device, (void)y;
	return cupsRasterWritePixels(own->raster, (unsigned char *)line, bytes) == bytes;
}

static bool end_raster_page(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device,
			    unsigned page)
{
	(void)job, (void)options, (void)device, (void)page;
	return true;
}

static bool end_raster_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	struct raster_job *own = papplJobGetData(job);
	bool ok;

	(void)options, (void)device;
	papplJobSetData(job, NULL);
	cupsRasterClose(own->raster);
	ok = rip_app_child_finish(&own->child);
	free(own);
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
