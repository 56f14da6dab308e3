/*
 * The PPD of a queue, fetched and set by IPP.  libcups asks for a password where the server wants
 * one, as it does for lpadmin.  Used by one thread.
 *
 * Errors are reported on standard error, and returned as a negative errno.
 */
#ifndef RIP_ADOPT_QUEUE_H
#define RIP_ADOPT_QUEUE_H

#include "adopt/adoption.h"
#include "ppd_file.h"

/* -ENODATA, which is not reported: the queue has no PPD. */
int rip_adopt_queue_read(const char *queue, struct rip_ppd_file *file);

/* Gives the queue another PPD, and reads it back: if the server kept anything else, the queue gets
 * the PPD of before. */
int rip_adopt_queue_write(const char *queue, const struct rip_ppd_file *before, const char *text,
			  size_t size);

#endif
