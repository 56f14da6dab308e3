/*
 * Retained memory: rings whose sessions have ended, as long as a client holds them.
 *
 * Linux lets nobody punch holes into a file that is sealed against writing.  So a client that
 * retains a descriptor or a mapping of the output area retains what was written there, in memory
 * that counts as the daemon's.  The input area is left to a client that may still need it (ring.h).
 * But Linux reports when a file without a name, such as a memfd, is gone (IN_DELETE_SELF of
 * inotify(7)): after its last open description, mapping and O_PATH descriptor in any process.  So
 * both areas are watched from their creation, and charged until both are gone.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_RETAINED_H
#define RIP_RETAINED_H

#include <stdint.h>
#include <sys/types.h>

#include "peer.h"

/* The limit, so that the kernel's event queue has room for two events of each of their areas. */
#define RIP_RETAINED_MAX 2048

struct rip_retained;

/* 0; -ENOTSUP if this kernel does not report it; other -errno. */
int rip_retained_new(struct rip_retained **retained);
void rip_retained_free(struct rip_retained *retained); /* NULL is allowed */

/* Readable when something was let go of: call rip_retained_collect(). */
int  rip_retained_fd(const struct rip_retained *retained);
void rip_retained_collect(struct rip_retained *retained);

/* Watches a ring that was just made, through descriptors that are still open.  A number
 * for it, above 0, or -errno. */
int rip_retained_watch(struct rip_retained *retained, int in_fd, int out_fd);

/* We hold it no more, and it had so many bytes.  process: whose session it was. */
void rip_retained_leave(struct rip_retained *retained, int number, uint64_t bytes,
			const struct rip_process_id *process);

/* What is retained by others: how many, of all or of one process's sessions, and bytes. */
unsigned rip_retained_count(const struct rip_retained *retained);
unsigned rip_retained_count_of(const struct rip_retained *retained,
			       const struct rip_process_id *process);
uint64_t rip_retained_bytes(const struct rip_retained *retained);

#endif
