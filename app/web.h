/*
 * The pages that the printer application adds to PAPPL's web interface, or has in place of PAPPL's.
 */
#ifndef RIP_APP_WEB_H
#define RIP_APP_WEB_H

#include <limits.h>
#include <stdbool.h>

#include <pappl/pappl.h>

#include "app/app_run.h"

/* Adds the pages of the server, before it runs. */
void rip_app_web_start(pappl_system_t *system);

/* Adds the pages of a printer.  Called once for each printer, when it is created or loaded. */
void rip_app_web_add(pappl_system_t *system, pappl_printer_t *printer);

/* The options of a job that a page has made; NULL: it is another job.  (PAPPL 1 drops those that
 * papplJobCreateWithFile() gets.) */
const char *rip_app_web_options(pappl_job_t *job);

/* A small picture of a document, drawn by a child process while the document is printed.  Begun and
 * ended by the thread that prints.  file: the document, or what was made of it, of this type. */
struct rip_app_picture {
	pappl_job_t *job;
	struct rip_app_running run;
	char path[PATH_MAX], drawn[PATH_MAX];
};
void rip_app_web_picture_begin(struct rip_app_picture *picture, pappl_job_t *job, const char *file,
			       const char *type);

/* Keeps the picture, if the document was printed, and removes those of jobs that PAPPL has
 * forgotten.  One that is not done yet has RIP_APP_PICTURE_SECONDS more. */
#define RIP_APP_PICTURE_SECONDS 10
void rip_app_web_picture_end(struct rip_app_picture *picture, bool printed);

/* Forgets the pictures of a printer, which is deleted. */
void rip_app_web_forget(pappl_printer_t *printer);

/* A message of a job's filter: notes how much ink the job took. */
void rip_app_web_message(pappl_job_t *job, const char *text);

#endif
