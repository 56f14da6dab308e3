/*
 * The PPD of a queue, fetched and set by IPP.  libcups asks for a password where the server wants
 * one, as it does for lpadmin.  Used by one thread.
 *
 * Errors are reported on standard error, and returned as a negative errno.
 */
#ifndef RIP_ADOPT_QUEUE_H
#define RIP_ADOPT_QUEUE_H

#include "adopt/adoption.h"
#include "adopt_options.h"
#include "command/ppd_file.h"
#include "tone/cal.h"

/* -ENODATA, which is not reported: the queue has no PPD. */
int rip_adopt_queue_read(const char *queue, struct rip_ppd_file *file);

/* Gives the queue another PPD, and reads it back: if the server kept anything else, the queue gets
 * the PPD of before. */
int rip_adopt_queue_write(const char *queue, const struct rip_ppd_file *before, const char *text,
			  size_t size);

/* A queue remembers how it was adopted as a default of its own, which stays when it gets
 * another PPD, and ends with the queue: riptide-adopted-default.  The options must not be
 * those of riptide release. */
int rip_adopt_queue_remember(const char *queue, const struct rip_adopt_options *options);

/* Takes those options.  words: the memory that they point into.  1; 0: the queue was not
 * adopted, or was released. */
int rip_adopt_queue_recall(const char *queue, struct rip_adopt_options *options,
			   char words[RIP_ADOPT_WORDS_MAX]);

/* Ends what only an adopted queue has: that default, and its calibration.  calibration: gets the
 * name of the one that is no longer on, or "".  1: there was anything; 0. */
int rip_adopt_queue_forget(const char *queue, char calibration[RIP_CAL_NAME_MAX + 1]);

#endif
