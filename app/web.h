/*
 * The pages that the printer application adds to PAPPL's web interface: of a printer, each with a
 * link in its navigation.
 */
#ifndef RIP_APP_WEB_H
#define RIP_APP_WEB_H

#include <pappl/pappl.h>

/* Adds the pages of a printer.  Called once for each printer, when it is created or loaded. */
void rip_app_web_add(pappl_system_t *system, pappl_printer_t *printer);

/* A message of a job's filter: notes how much ink the job took. */
void rip_app_web_message(pappl_job_t *job, const char *text);

#endif
