/*
 * Messages about wrong usage, and the progress of a long job on a terminal.  Other errors:
 * image/complain.h.  Used by the main thread.
 */
#ifndef RIP_TERMINAL_H
#define RIP_TERMINAL_H

#include <stdint.h>

#include "lib/riptide.h"

/* The program that messages about wrong usage name: riptide, unless it says otherwise. */
void rip_usage_program(const char *program);

/* Reports a wrong command line, points to --help, and returns 2, the exit status for
 * that.  command: "halftone", or NULL for the program itself. */
__attribute__((format(printf, 2, 3))) int rip_wrong_usage(const char *command, const char *format,
							  ...);

/* Reports the warnings and errors of the filter's code and of halftoners, for a rip_report_listener
 * or a riptide_config.  name: what they are about, a text. */
void rip_complain_log(void *name, enum riptide_log_level level, const char *text);

/* Shows progress although standard error is not a terminal: mpirun passes it on to one. */
void rip_progress_show(void);

/* Shows the progress of a job: `done` of `total` rows (0: unknown) of page `page`.
 * Only if standard error is a terminal and the job has run for a second; at most five
 * times a second. */
void rip_progress(const char *name, uint32_t page, uint64_t done, uint64_t total);

/* Shows a text about the progress instead, as often. */
void rip_progress_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Clears the progress line. */
void rip_progress_clear(void);

#endif
