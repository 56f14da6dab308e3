/*
 * Jobs: each is a pipe of child processes, CUPS's filters and ours.
 */
#ifndef RIP_APP_JOB_H
#define RIP_APP_JOB_H

#include <pappl/pappl.h>

/* Gives a printer the callbacks of jobs that PAPPL reads as raster, and of others. */
void rip_app_job_callbacks(pappl_pr_driver_data_t *data);

/* Tells PAPPL which documents we print ourselves. */
void rip_app_job_formats(pappl_system_t *system);

/* The format that stands for the printer's own: the one that PAPPL does not announce. */
#define RIP_APP_OWN_FORMAT "application/octet-stream"

#endif
