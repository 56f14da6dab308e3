/*
 * A PDF document as a descriptor that Ghostscript can read at any place: the file itself, or a
 * copy without a name of what comes through a pipe or from a file that this user may not open.
 * Any thread.
 */
#ifndef RIP_DOCUMENT_H
#define RIP_DOCUMENT_H

#include <stddef.h>

/* Makes such a descriptor from one; the caller keeps that one.  Copies lie in the folder TMPDIR, or
 * /tmp.  Returns the descriptor; -ENODATA: the input is empty; -EBADMSG: it is no PDF; other
 * -errno.  After an error, why (size bytes) has the reason. */
int rip_document_open(int fd, char *why, size_t size);

#endif
