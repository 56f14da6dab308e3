/*
 * The memory that belongs to one connection: DESIGN "The ring".
 *
 * Two memfds.  in: pixels; made by the daemon and sealed against shrinking,
 * growing and further seals; the client writes, the daemon maps it read-only
 * and lives with whatever is or changes there (holes read as 0).  out: dots and
 * carries; the daemon maps it for writing and then seals it against every later
 * writable mapping, so that the client can only read.  One connection has them
 * for ever: no second one ever gets them.  At the end the daemon punches them
 * out, so that a client that keeps a descriptor holds no pixels.
 *
 * Linux lets nobody punch memory that is sealed with FUTURE_WRITE, not even who
 * maps it for writing (EPERM, also from MADV_REMOVE).  So a client that keeps the
 * out descriptor keeps what was written there, its own dots, at most out_size
 * bytes.  The daemon learns when that ends, and charges it until then
 * (daemon/retained.h).  The punch is tried all the same, for a kernel that knows better.
 */
#ifndef RIP_RING_H
#define RIP_RING_H

#include <stddef.h>
#include <stdint.h>

struct rip_ring {
	uint8_t *in;       /* client: writable; daemon: const by its mapping */
	uint8_t *out;      /* daemon: writable; client: const by its mapping */
	size_t   in_size;  /* bytes, whole pages of memory */
	size_t   out_size;
	int      in_fd;    /* -1 in a client, which needs only the mappings */
	int      out_fd;
};

/* The daemon's side: makes, maps and seals.  0 or -errno. */
int rip_ring_create(struct rip_ring *ring, size_t in_size, size_t out_size);

/* The client's side: checks seals and sizes of what READY brought, maps, and
 * closes both descriptors in every case.  0, -EPROTO if they are not as
 * promised, or -errno. */
int rip_ring_map(struct rip_ring *ring, int in_fd, int out_fd, size_t in_size, size_t out_size);

/* Client: lets go of the memory that its mappings have touched; what is in it stays.
 * For while the process needs all it may have for something else. */
void rip_ring_rest(struct rip_ring *ring);

/* Daemon: unmaps, punches out and closes; only after the connection was closed,
 * since a client believes the dots that it has copied while it was open.
 * Client: unmaps.  May be called twice, and on a ring of zeros with descriptors
 * -1. */
void rip_ring_finish(struct rip_ring *ring);

#endif
