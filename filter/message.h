/*
 * What the filter says to the scheduler, on stderr: one line a message, behind
 * a word that CUPS knows.  Text from outside (names, options, headers) is made
 * printable ASCII.  May be called from any thread.
 */
#ifndef RIP_MESSAGE_H
#define RIP_MESSAGE_H

#include "wire/halftoner.h"

/* One line.  ERROR stays in the printer's state and in the eye of the user, so
 * there is only one, the first; what follows from it is at DEBUG level.  INFO
 * would stay there too: it goes out as DEBUG. */
void rip_message(enum rip_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define rip_error(...)   rip_message(RIP_LOG_ERROR, __VA_ARGS__)
#define rip_warning(...) rip_message(RIP_LOG_WARNING, __VA_ARGS__)
#define rip_debug(...)   rip_message(RIP_LOG_DEBUG, __VA_ARGS__)

/* The same as a rip_halftoner_config's log function. */
void rip_message_log(void *context, enum rip_log_level level, const char *text);

/* Lines of data for the scheduler. */
void rip_message_page(unsigned page, unsigned copies); /* PAGE: for the page log */
void rip_message_progress(unsigned percent);           /* ATTR: job-media-progress */

#endif
