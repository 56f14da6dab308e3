/*
 * The options of a job as CUPS's filters get them: one text, in words of the printer's PPD.
 */
#ifndef RIP_APP_OPTIONS_H
#define RIP_APP_OPTIONS_H

#include <pappl/pappl.h>

/* The text (to be freed); NULL without memory.  dpi: of the job's raster, or NULL; it counts if the
 * printer has it. */
char *rip_app_options(pappl_job_t *job, const pappl_pr_options_t *options, const unsigned dpi[2]);

#endif
