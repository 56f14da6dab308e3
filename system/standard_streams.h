/*
 * Standard streams at the start and at the end of a program.  Used by the main thread.
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

/* Flushes standard output.  Returns the exit status: that of before, or 1 instead of 0 if not all
 * could be written, which is reported as the program's. */
int rip_standard_output_finish(const char *program, int status);

#endif
