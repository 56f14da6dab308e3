/*
 * The pages that the printer application adds to PAPPL's web interface: of a printer, each with a
 * link in its navigation.
 */
#ifndef RIP_APP_WEB_H
#define RIP_APP_WEB_H

#include <pappl/pappl.h>

/* Adds the pages of a printer.  Called once for each printer, when it is created or loaded. */
void rip_app_web_add(pappl_system_t *system, pappl_printer_t *printer);

/* The options of a job that a page has made; NULL: it is another job.  (PAPPL 1 drops those that
 * papplJobCreateWithFile() gets.) */
const char *rip_app_web_options(pappl_job_t *job);

/* A message of a job's filter: notes how much ink the job took. */
void rip_app_web_message(pappl_job_t *job, const char *text);

#endif
