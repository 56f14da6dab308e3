/*
 * What the filter says to the scheduler, on stderr: one line a message, behind
 * a word that CUPS knows.  Text from outside (names, options, headers) is made
 * printable ASCII.  May be called from any thread.
 */
#ifndef RIP_MESSAGE_H
#define RIP_MESSAGE_H

#include "lib/halftoner.h"

/* One line.  ERROR stays in the printer's state and in the eye of the user, so
 * there is only one, the first; what follows from it is at DEBUG level.  INFO
 * would stay there too: it goes out as DEBUG. */
void rip_message_write(enum rip_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define rip_error(...)   rip_message_write(RIP_LOG_ERROR, __VA_ARGS__)
#define rip_warning(...) rip_message_write(RIP_LOG_WARNING, __VA_ARGS__)
#define rip_debug(...)   rip_message_write(RIP_LOG_DEBUG, __VA_ARGS__)

/* Who listens instead of the scheduler: another program than a filter. */
struct rip_message_listener {
	void (*tell)(void *context, enum rip_log_level level, const char *text);
	void (*progress)(void *context, unsigned percent); /* of a page */
	void *context;
};

/* From now on messages go there, and nothing to the scheduler; before any other
 * thread is started.  NULL: to the scheduler again. */
void rip_message_listen(const struct rip_message_listener *listener);

/* The same as a rip_halftoner_config's log function. */
void rip_message_log(void *context, enum rip_log_level level, const char *text);

/* Lines of data for the scheduler. */
void rip_message_page(unsigned page, unsigned copies); /* PAGE: for the page log */
void rip_message_progress(unsigned percent);           /* ATTR: job-media-progress */

#endif
