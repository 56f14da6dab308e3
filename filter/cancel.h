/*
 * Input and output that end when the job is canceled: for a filter that runs inside of another
 * program.  A filter that is a process of its own ends by SIGTERM.
 */
#ifndef RIP_CANCEL_H
#define RIP_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

struct rip_cancel {
	bool (*canceled)(void *context); /* asked some times a second while the job waits */
	void *context;
};

/* Waits until a descriptor can be read from or written to (events: of poll()), or is at its end.
 * cancel: may be NULL, which does not wait.  0, -ECANCELED or -errno. */
int rip_cancel_wait(const struct rip_cancel *cancel, int fd, short events);

/* Writes n bytes.  0, -ECANCELED or -errno. */
int rip_cancel_write(const struct rip_cancel *cancel, int fd, const void *bytes, size_t n);

#endif
