/*
 * Opens standard streams that are closed at the start of a program.
 *
 * open() and socket() take the lowest free number.  So in a program started with `>&-` the
 * next file or socket would become standard output, and receive what the program writes
 * there.
 */
#ifndef RIP_STANDARD_STREAMS_H
#define RIP_STANDARD_STREAMS_H

/* Opens those of the descriptors 0, 1 and 2 that are closed, for the wrong direction: using
 * one fails with EBADF, as if it were closed.  To be called first in main().  0 or -errno. */
int rip_standard_streams_guard(void);

#endif
