/*
 * Memory that clients keep: the out parts of rings whose sessions have ended, for as
 * long as anybody holds them.
 *
 * Linux lets nobody punch holes into what is sealed against writing, so a client that
 * keeps a descriptor or a mapping keeps what was written there, in memory that is the
 * daemon's by all accounts.  But it tells when a file without a name, as a memfd is, is
 * gone for good (IN_DELETE_SELF of inotify(7)): after the last description, mapping and
 * O_PATH descriptor of it, in whatever process they are.  So each out part is watched
 * from when it is made, and what is left of it is charged until then.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_KEPT_H
#define RIP_KEPT_H

#include <stdint.h>
#include <sys/types.h>

/* More than so many are not let happen: the kernel's queue of events has room for them
 * all. */
#define RIP_KEPT_MAX 4096

struct rip_kept;

/* 0; -ENOTSUP if this kernel does not tell; other -errno. */
int rip_kept_new(struct rip_kept **kept);
void rip_kept_free(struct rip_kept *kept); /* NULL is allowed */

/* Readable when something was let go of: call rip_kept_collect(). */
int  rip_kept_fd(const struct rip_kept *kept);
void rip_kept_collect(struct rip_kept *kept);

/* Watches memory that was just made, through a descriptor that is still open.  A number
 * for it, above 0, or -errno. */
int rip_kept_watch(struct rip_kept *kept, int fd);

/* We hold it no more, and it had so many bytes.  pid: whose session it was. */
void rip_kept_leave(struct rip_kept *kept, int number, uint64_t bytes, pid_t pid);

/* What is kept by others: how many, of all or of one process's sessions, and bytes. */
unsigned rip_kept_count(const struct rip_kept *kept);
unsigned rip_kept_count_of(const struct rip_kept *kept, pid_t pid);
uint64_t rip_kept_bytes(const struct rip_kept *kept);

#endif
