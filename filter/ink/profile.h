/*
 * The colour profile of the printer for a job, as gstoraster finds it: colord's for the queue, else
 * the PPD's (cupsICCProfile).  Used by one thread.
 */
#ifndef RIP_PROFILE_H
#define RIP_PROFILE_H

#include <stdbool.h>

#include <cups/cups.h>

#include "filter/queue.h"

struct rip_profile {
	bool managed;    /* false: colours stay as they are: the job or colord wants to measure */
	char path[1024]; /* of the profile; "": Ghostscript's own */
};

/* Finds the profile.  The PPD's choices must be marked for the job's options.  printer: the queue's
 * name, by which colord knows it, or NULL. */
void rip_profile_find(const struct rip_queue *queue, const char *printer, int count,
		      cups_option_t *options, struct rip_profile *profile);

#endif
