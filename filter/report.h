/*
 * The filter's messages to the scheduler, on stderr: one line each, after a prefix that
 * CUPS knows.  Text from outside (names, options, headers) is made printable ASCII.  May be
 * called from any thread.
 */
#ifndef RIP_REPORT_H
#define RIP_REPORT_H

#include <stdbool.h>

#include "lib/riptide.h"

/* Writes one line.  An ERROR stays visible in the printer's state, so only the first one is
 * an ERROR; later ones, which follow from it, are written as DEBUG.  INFO would stay
 * visible too, and is written as DEBUG. */
void rip_report_write(enum riptide_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes the INFO line of a job, its last line: what it took, which stays visible in the printer's
 * state until the next job.  Nothing to a listener. */
void rip_report_job(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define rip_error(...)   rip_report_write(RIPTIDE_LOG_ERROR, __VA_ARGS__)
#define rip_warning(...) rip_report_write(RIPTIDE_LOG_WARNING, __VA_ARGS__)
#define rip_debug(...)   rip_report_write(RIPTIDE_LOG_DEBUG, __VA_ARGS__)

/* Receives the messages instead of the scheduler, in a program that is not a filter. */
struct rip_report_listener {
	void (*log)(void *context, enum riptide_log_level level, const char *text);
	void (*progress)(void *context, unsigned percent); /* of a page; or NULL */
	void *context;
};

/* From now on messages go to the listener and not to the scheduler; NULL: to the scheduler
 * again.  The first ERROR from then on is one.  To be called before any other thread is started. */
void rip_report_listen(const struct rip_report_listener *listener);

/* Whether messages go to the scheduler. */
bool rip_report_to_scheduler(void);

/* rip_report_write() as the log function of a riptide_config.  The scheduler gets a WARNING once:
 * the same words again, as from several workers' sessions that leave the daemon, are DEBUG. */
void rip_report_log(void *context, enum riptide_log_level level, const char *text);

/* Lines of data for the scheduler. */
void rip_report_page(unsigned page, unsigned copies); /* PAGE: for the page log */
void rip_report_progress(unsigned percent);           /* ATTR: job-media-progress */
/* The same for `done` of `all` rows of a page or a job, in steps of 5 percent.  *reported: the last
 * step, the caller's; done = 0 begins the page or job. */
void rip_report_rows(uint64_t done, uint64_t all, unsigned *reported);

#endif
