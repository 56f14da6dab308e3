/*
 * The parts of a job: runs of pages with the same options.  A job has several if it sets options
 * for some pages only (overrides of PWG 5100.6).  The filters run once for each part.
 */
#ifndef RIP_APP_PARTS_H
#define RIP_APP_PARTS_H

#include <pappl/pappl.h>
#include <stdbool.h>

#define RIP_APP_PARTS_MAX 64

struct rip_app_parts {
	int   count;
	char *options[RIP_APP_PARTS_MAX]; /* of each, as filters get them */
	int   copies;                     /* for the filters */
	int   rounds;                     /* how often all parts are printed */
};

/* Attributes that the pages of a job may have of their own. */
#define RIP_APP_OVERRIDES_COUNT 8
extern const char *const rip_app_overrides[RIP_APP_OVERRIDES_COUNT];

/* dpi: of the job's raster, or NULL.  False: the job says why not.  Either way to be freed. */
bool rip_app_parts_make(struct rip_app_parts *parts, pappl_job_t *job, const unsigned dpi[2]);

void rip_app_parts_free(struct rip_app_parts *parts);

#endif
