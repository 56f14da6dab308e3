/*
 * The calibration that a queue prints with: NAME.cal in the folder of calibrations, and NAME as the
 * queue's default of halftone-calibration.
 *
 * The file has notes of its queue and of what the queue had before; a file of another queue is
 * refused with -EPERM.  An older NAME.cal is kept as NAME.cal.old.
 * Errors are reported on standard error, and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_QUEUE_CALIBRATION_H
#define RIP_QUEUE_CALIBRATION_H

#include "tone/cal.h"

/* Writes a calibration.  shared: everybody may read it, whatever the umask. */
int rip_calibration_write(const struct rip_cal *cal, const char *path, bool shared);

/* Whether a calibration may have this name.  0 or -EINVAL. */
int rip_queue_calibration_check(const char *name);

/* Whether this user may write calibrations.  0 or -EACCES: most often only root may. */
int rip_queue_calibration_may_write(void);

/* Makes a queue print with a calibration, which gets the note.  After an error the queue prints as
 * before.  defaults: the queue's (queue_option.h). */
int rip_queue_calibration_install(const char *queue, const char *defaults, const char *name,
				  struct rip_cal *cal);

/* Goes back to what the queue had before the last installation.  -ENOENT: it has none. */
int rip_queue_calibration_undo(const char *queue, const char *defaults);

#endif
