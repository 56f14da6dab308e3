/*
 * Edits a PPD so that its printer gets our dots, and only what that needs: each byte of all other
 * statements stays.  What was there before is recorded in the PPD (below).
 */
#ifndef RIP_EDIT_H
#define RIP_EDIT_H

#include <stdio.h>

#include "ppd_text.h"
#include "option_group.h"
#include "adoption.h"

/*
 * The record of an edit, kept in the edited text itself, so that the original can be restored
 * byte for byte without a copy of it.
 *
 * What was added stands between two comment lines, and what was removed follows as comments:
 *
 *	*%riptide{ added by riptide adopt, removed by riptide release
 *	*Resolution 600dpi: "<</HWResolution[600 600]/cupsBitsPerColor 8>>setpagedevice"
 *	*%riptide}
 *	*%riptide- *Resolution 600dpi: "<</HWResolution[600 600]/cupsBitsPerColor 1>>setpagedevice"
 *
 * A line of more than 200 bytes is divided, because a PPD's lines have at most 255: the rest
 * follows behind "*%riptide. ".  All other bytes stay, so that what others change there
 * meanwhile, such as the default of an option, is kept.  A program that rewrites all line ends
 * changes those of the record too: what is restored then is what that program would have made
 * of the original.
 */

/* What is written before and behind added lines. */
void rip_record_begin(struct rip_growing_text *out, const char *eol);
void rip_record_end(struct rip_growing_text *out, const char *eol);

/* Writes a removed text, which ends with a line end or is the last of its file, as comments.
 * eol: to divide long lines with. */
void rip_record_removed(struct rip_growing_text *out, struct rip_slice removed, const char *eol);

/* Whether a text has such a record. */
bool rip_record_found(const char *text, size_t size);

/* Restores the original.  0; -ENOENT and why: there is no record; -EBADMSG and why: the record is
 * damaged; -ENOMEM and why. */
int rip_record_restore(struct rip_growing_text *out, const char *text, size_t size, char *why,
		       size_t why_size);

/* Writes the difference between a text with a record that can be restored and its original, in the
 * form of diff -U0, which patch(1) takes: what the edit changed, or what undoing it changes.  name:
 * of both files.  0 or -EIO. */
int rip_record_diff(FILE *out, const char *name, const char *edited, size_t size, bool undo);

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
