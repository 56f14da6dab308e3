/*
 * The ring: the shared memory of one connection.  riptide-protocol(7), "THE RING".
 *
 * It consists of two memfds.
 *
 * in, the input area: pixels.  The daemon creates it and seals it against shrinking, growing and
 * further seals.  The client writes it.  The daemon maps it read-only and copes with any contents,
 * even if they change meanwhile (holes read as 0).
 *
 * out, the output area: dots and carries.  The daemon maps it for writing and then seals it against
 * every later writable mapping, so that the client can only read it.
 *
 * They belong to one connection; no other one ever gets them.  When the client has closed its end
 * or said END, the daemon punches holes into them, so that a client that retains a descriptor holds
 * no pixels.  Until then the client may need its pixels, to go on without the daemon: a daemon that
 * ends the session itself leaves it the ring, and charges it.
 *
 * Linux lets nobody punch holes into memory sealed with FUTURE_WRITE, not even the process
 * that has mapped it for writing (EPERM, also from MADV_REMOVE).  So a client that retains
 * the out descriptor retains what was written there: its own dots, at most out_size bytes.
 * The daemon is notified when the client releases the ring, and charges it until then
 * (wire/retained.h).  It tries to punch anyway, for kernels that allow it.
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

/* The client's side: checks seals and sizes of the descriptors from READY, maps them, and
 * closes both in every case.  0, -EPROTO if seals or sizes are wrong, or -errno. */
int rip_ring_map(struct rip_ring *ring, int in_fd, int out_fd, size_t in_size, size_t out_size);

/* Client: releases the memory that its mappings have touched; the contents stay.  For
 * times when the process needs its memory for something else. */
void rip_ring_rest(struct rip_ring *ring);

/* Daemon: unmaps and closes, and leaves the memory to the client. */
void rip_ring_leave(struct rip_ring *ring);

/* Daemon: punches holes, unmaps and closes.  Only after the client has left, because it relies
 * on pixels and dots that it has copied while the connection was open.
 * Client: unmaps.  May be called twice, and on a ring of zeros with descriptors -1. */
void rip_ring_finish(struct rip_ring *ring);

#endif
