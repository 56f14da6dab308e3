/*
 * Edits a PPD so that its printer gets our dots, and only what that needs: each byte of all other
 * statements stays.  What was there before is recorded in the PPD (record.h).
 */
#ifndef RIP_EDIT_H
#define RIP_EDIT_H

#include "option_group.h"
#include "adoption.h"

struct rip_edit_plan {
	const struct rip_adoption *verdict; /* of this PPD: yes, partly or unknown */
	bool chain;              /* rastertoriptide as the only filter, which starts the driver */
	bool rip;                /* documents go through pdftoriptide, which starts the driver */
	struct rip_option_group group;
};

/* Writes the edited PPD.  0; -ENOMEM; -EINVAL and why: the verdict or the PPD allows no such edit;
 * -EPROTO and why: the edit does not undo itself, a fault of this program. */
int rip_edit_write(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
		   const struct rip_edit_plan *plan, char *why, size_t size);

#endif
