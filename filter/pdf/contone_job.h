/*
 * A PDF document that a contone filter draws (contone_filter.h), while its raster is halftoned
 * here: where rip_pdf_job_run() returns RIP_PDF_JOB_CONTONE.
 *
 * Used by the main thread.
 */
#ifndef RIP_CONTONE_JOB_H
#define RIP_CONTONE_JOB_H

#include "filter/chain/contone_filter.h"
#include "filter/pdf/pdf_job.h"

/* Does all pages.  Dots and messages go where those of the PDF job go, but the receiver gets every
 * page, whatever pdf->page is.  files: those of the contone filter that are not this process's;
 * NULL: none.  0 or -errno (reported). */
int rip_contone_job_run(struct rip_pdf_job *pdf, const struct rip_contone_files *files);

#endif
