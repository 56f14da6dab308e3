/*
 * Standard input, output and error that a program was started without.
 *
 * open() and socket() take the lowest free number.  So in a program that was started with
 * `>&-` the next file or socket would become standard output, and receive what the program
 * writes there.
 */
#ifndef RIP_STANDARD_STREAMS_H
#define RIP_STANDARD_STREAMS_H

/* Opens those of the descriptors 0, 1 and 2 that are closed, for the wrong direction:
 * whoever uses one gets -EBADF, as from a closed one.  To be called first in main().
 * 0 or -errno. */
int rip_standard_streams_guard(void);

#endif
