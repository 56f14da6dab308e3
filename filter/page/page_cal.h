/*
 * The calibration that a page asks for (tone/cal.h), read when it is first asked for.  Used by
 * one thread.
 */
#ifndef RIP_PAGE_CAL_H
#define RIP_PAGE_CAL_H

#include "tone/cal.h"

/* The calibration of a job's last page; zeros to begin with. */
struct rip_page_cals {
	char           name[RIP_CAL_NAME_MAX + 1];
	bool           usable;
	struct rip_cal cal;
};

/* The calibration NAME of this system; empty: none.  NULL: there is none, or it cannot be used,
 * which is a WARNING each time that the name changes.  Valid until the next call. */
const struct rip_cal *rip_page_cal(struct rip_page_cals *cals, const char *name);

#endif
