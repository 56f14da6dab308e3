/*
 * The jobs of a printer, with small pictures of their first pages.
 */
#ifndef RIP_WEB_JOBS_H
#define RIP_WEB_JOBS_H

#include "web_page.h"

/* Puts the jobs from the first-th newest on, `count` at most.  manage: with names, users,
 * pictures and buttons; only for those who may administer.  How many jobs were put. */
int rip_web_put_jobs(struct rip_web *web, int first, int count, bool manage);

/* The file of a job's picture; it may not be there. */
void rip_web_job_file(pappl_printer_t *printer, int id, char path[PATH_MAX]);

#endif
