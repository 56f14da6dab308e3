/*
 * What the command shows beside its faults (image/complain.h): how to use it, and the
 * progress of a long job while somebody watches.  Used by the main thread.
 */
#ifndef RIP_TERMINAL_H
#define RIP_TERMINAL_H

#include <stdint.h>

/* Says that the command line is wrong, where to read on, and returns 2, the
 * exit status for that.  command: "halftone", or NULL for riptide itself. */
__attribute__((format(printf, 2, 3))) int rip_wrong_usage(const char *command, const char *format,
							  ...);

/* Shows how far a job is: `done` of `total` rows (0: not known) of page `page`.
 * Silent unless standard error is a terminal and the job has run for a second;
 * drawn five times a second at most. */
void rip_progress(const char *name, uint32_t page, uint64_t done, uint64_t total);

/* Takes the progress line away again. */
void rip_progress_clear(void);

/* Milliseconds of a clock that only goes forward. */
int64_t rip_clock_ms(void);

#endif
