/*
 * A queue's own defaults of riptide's options, as `lpadmin -o NAME-default=VALUE` sets them.
 * Errors are reported on standard error, and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_QUEUE_OPTION_H
#define RIP_QUEUE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

/* The defaults of toner-save and of all options whose names begin with halftone, cupsHalftone or
 * riptide, as the text of a job's options: "NAME=VALUE NAME=VALUE", at most size bytes with its
 * NUL.  -ENOENT: there is no such queue; -ENOSPC: they do not fit. */
int rip_queue_options(const char *queue, char *text, size_t size);

/* Whether the server says that there is no such queue.  Reports nothing. */
bool rip_queue_is_gone(const char *queue);

/* The value of an option in such a text.  Empty: it is not there. */
void rip_queue_option_find(const char *text, const char *option, char *value, size_t size);

/* Sets the default of a queue's option; value NULL or empty: removes it.  The queue must exist:
 * CUPS would create it. */
int rip_queue_option_set(const char *queue, const char *option, const char *value);

#endif
