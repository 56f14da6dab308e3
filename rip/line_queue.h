/*
 * The dots of a page on their way from the worker that makes them to the thread that writes them:
 * a queue of lines, each with a row of every plane, compressed.
 *
 * White takes next to no room: runs of zeros are stored as their length, everything else as it
 * is.  All queues of a job share one limit of memory (struct rip_line_room).  Only the page that
 * is being written may always go on: it gets the room that it needs, and is emptied meanwhile.
 *
 * One thread puts, another takes; the room's lock protects what they share.
 */
#ifndef RIP_LINE_QUEUE_H
#define RIP_LINE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rip_line_block;

/* What the queues of a job share. */
struct rip_line_room {
	pthread_mutex_t lock;
	pthread_cond_t  changed; /* something about any of the queues */
	size_t          used, limit; /* bytes */
	size_t          peak;    /* the most that was used */
	unsigned        waiting; /* how many putters wait for room, or for their turn */
	bool            stopped; /* nobody waits any more: -ECANCELED */
	struct rip_line_block *spare; /* blocks to be used again, not counted in `used` */
	unsigned        spares;
};

struct rip_line_queue {
	struct rip_line_room *room;
	uint32_t row_bytes, planes;  /* of a line */
	/* under the lock */
	struct rip_line_block *first, *last;
	bool     urgent;   /* the page is being written: it does not wait for room */
	bool     ended;    /* no more lines will come */
	/* the putter's */
	struct rip_line_block *filling;
	uint64_t put;      /* lines */
	int64_t flushed_ns; /* when the taker last got a block early */
	/* the taker's */
	struct rip_line_block *emptying;
	size_t   at;       /* in that block */
	uint8_t *line;     /* decoded */
};

void rip_line_room_init(struct rip_line_room *room, size_t limit);
void rip_line_room_finish(struct rip_line_room *room);

/* An empty queue for lines of this many planes, each with row_bytes bytes.  0 or -ENOMEM. */
int rip_line_queue_init(struct rip_line_queue *queue, struct rip_line_room *room, uint32_t planes,
			uint32_t row_bytes);

/* Frees what it holds.  May be called twice, and on zeros. */
void rip_line_queue_finish(struct rip_line_queue *queue);

/* The page is being written from now on. */
void rip_line_queue_urge(struct rip_line_queue *queue);

/* Puts the next line: a row of each plane.  Waits for room.  0; -ECANCELED: the room was stopped;
 * -ENOMEM. */
int rip_line_queue_put(struct rip_line_queue *queue, const uint8_t *const rows[]);

/* If the page is being written, lets the taker have all lines that were put, unless it got some a
 * few milliseconds ago: to wake it for a few lines costs more than they do.  The taker of another
 * page gets many lines at a time. */
void rip_line_queue_flush(struct rip_line_queue *queue);

/* No more lines will come. */
void rip_line_queue_end(struct rip_line_queue *queue);

/* Takes the next line; rows[] get a row of each plane, valid until the next call.  Waits for it.
 * 0; 1: the queue has ended; -ECANCELED. */
int rip_line_queue_take(struct rip_line_queue *queue, const uint8_t *rows[]);

#endif
