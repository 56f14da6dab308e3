/*
 * Writes to a blocking descriptor until everything is written.  Any thread.
 */
#ifndef RIP_WRITE_ALL_H
#define RIP_WRITE_ALL_H

#include <stddef.h>

/* Continues after a signal and after a write that was only partly done.  0 or -errno. */
int rip_write_all(int fd, const void *bytes, size_t n);

#endif
