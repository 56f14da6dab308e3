/*
 * IPP requests about a queue of the local server.  Used by one thread.
 */
#ifndef RIP_QUEUE_REQUEST_H
#define RIP_QUEUE_REQUEST_H

#include <cups/cups.h>
#include <stdbool.h>
#include <stddef.h>

/* A request of the current user, to be sent by cupsDoRequest(), which frees it. */
ipp_t *rip_queue_request(ipp_op_t operation, const char *queue);

/* Reports why the last request changed nothing, and what helps a user who may not.  Returns -EIO,
 * or -EACCES for such a user. */
int rip_queue_unchanged(const char *queue);

/* Fetches the PPD of a queue into a file in TMPDIR, which the caller removes.  0; -ENODATA, not
 * reported: the queue has none; other -errno (reported). */
#define RIP_QUEUE_PPD_PATH 1024
int rip_queue_ppd_fetch(const char *queue, char path[RIP_QUEUE_PPD_PATH]);

/* Whether a name is that of a class, which prints on any of its queues and has no PPD of its own:
 * libcups gives that of its first queue.  queues: gets their names, with ", " between; size: of it,
 * at least 1.  Reports nothing. */
bool rip_queue_is_class(const char *name, char *queues, size_t size);

/* 0, or, for a class, -ENOTUNIQ: reported, with the names of its queues. */
int rip_queue_refuse_class(const char *name);

/* The server's answer with the names of all its queues, without classes: attributes printer-name.
 * The caller deletes it.  NULL: it cannot be had (reported). */
ipp_t *rip_queue_all(void);

/*
 * A queue's own defaults of riptide's options, as `lpadmin -o NAME-default=VALUE` sets them.
 * Errors are reported on standard error, and returned as a negative errno.  Used by one thread.
 */

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
