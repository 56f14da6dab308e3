/*
 * Makes the dots of many pages of a PDF file, several at once, and gives them to the caller in
 * order.
 *
 * Each worker is a thread with a halftoner and a Ghostscript of its own, which draws page after
 * page and is replaced after RIP_WORKERS_GS_PAGES.  Pages are dealt to the workers one by one,
 * because some take ten times as long as others.  What waits for its turn is compressed dots
 * (below), at most RIP_WORKERS_ROOM bytes; a worker for whose dots there is no room
 * waits, and so does its Ghostscript.  Where there are more workers than pages, each Ghostscript
 * draws with several threads.  All workers but the first one need slots (slots.h); without one, a
 * worker waits, and has no Ghostscript.
 *
 * Where jobs share slots, and the caller has been busy with one line for long, its output is
 * stalled: the printer is out of paper, or off.  Then workers without a page end their
 * Ghostscripts, and all give their slots back.  Those that wait with a page keep the Ghostscript
 * that draws it, which takes memory but no processor, and go on without a slot when the output
 * does, up to the end of the page.
 *
 * If a Ghostscript ends by itself, or runs out of memory, its work is tried once more: the document
 * is opened, or the page drawn with one thread when no other worker draws; lines that were already
 * given out are skipped, because they are the same again.
 *
 *	rip_workers_open(); it knows the number of pages
 *	rip_workers_run(): place() in any thread, one at a time; log() and warn() in any thread,
 *		also in several at once; begin(), line() and end() in the caller's thread, in the
 *		order of the pages
 *	rip_workers_close();
 *
 * Functions return 0 or -errno.  After an error `why` has the reason; it is empty only if begin(),
 * line(), end() or a halftoner failed, which report that themselves.
 */
#ifndef RIP_PAGE_WORKERS_H
#define RIP_PAGE_WORKERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gs.h"
#include "lib/riptide.h"
#include "page_reader.h"
#include "slots.h"

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

struct rip_line_block;

/* What the queues of a job share. */
struct rip_line_room {
	pthread_mutex_t lock;
	pthread_cond_t  changed; /* something about any of the queues */
	size_t          used, limit; /* bytes */
	size_t          peak;    /* the most that was used */
	unsigned        waiting; /* how many putters wait for room, or for their turn */
	bool            stopped; /* nobody waits any more: -ECANCELED */
	int64_t         stalled_us; /* after which the output counts as stalled; 0: never */
	_Atomic int64_t writing_us; /* since when a line is being written; 0: none is */
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
	bool     patient;  /* it waits for room even if the output is stalled */
	int64_t flushed_ns; /* when the taker last got a block early */
	/* the taker's */
	struct rip_line_block *emptying;
	size_t   at;       /* in that block */
	uint8_t *line;     /* decoded */
};

void rip_line_room_init(struct rip_line_room *room, size_t limit);
void rip_line_room_finish(struct rip_line_room *room);

/* The output of the job begins or ends to take something. */
void rip_line_room_writes(struct rip_line_room *room, bool begins);

/* Whether it has been at it for too long. */
bool rip_line_room_is_stalled(const struct rip_line_room *room);

/* Waits until something about the queues has changed, or for a while; under the lock. */
void rip_line_room_wait(struct rip_line_room *room);

/* An empty queue for lines of this many planes, each with row_bytes bytes.  0 or -ENOMEM. */
int rip_line_queue_init(struct rip_line_queue *queue, struct rip_line_room *room, uint32_t planes,
			uint32_t row_bytes);

/* Frees what it holds.  May be called twice, and on zeros. */
void rip_line_queue_finish(struct rip_line_queue *queue);

/* The page is being written from now on. */
void rip_line_queue_urge(struct rip_line_queue *queue);

/* Puts the next line: a row of each plane.  Waits for room.  0; -ECANCELED: the room was stopped;
 * -EBUSY: the line was not put, because the output is stalled and the queue is not patient;
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

#define RIP_WORKERS_MAX  64
#define RIP_WORKERS_ROOM (24u << 20) /* bytes of compressed dots */

/* Bytes of pixels that all workers together keep of pages whose colours they look for. */
#define RIP_WORKERS_KEPT (32u << 20)

/* Pages after which a worker starts a new Ghostscript: each page leaves some 18 kB in memory. */
#define RIP_WORKERS_GS_PAGES 250

/* A page of the job. */
struct rip_worked_page {
	unsigned               index;    /* in the job, from 0 */
	unsigned               number;   /* in the document, from 1 */
	struct rip_gs_page     paper;
	struct rip_placed_page placed;
	/* known at its end */
	char                   device[96]; /* that halftoned it, in words */
	unsigned               attempts; /* 1, or 2: Ghostscript ended at the first */
	double                 ms;       /* from its dealing to its last line */
	char                   warning[320]; /* what Ghostscript complained about, or empty */
};

struct rip_workers_config {
	struct rip_gs_config         gs;        /* its jail is the workers' */
	const char                  *program;   /* a Ghostscript; NULL: the renderer's */
	/* Of each worker.  threads 0: one each if several workers have pages, else one for each
	 * processor. */
	struct riptide_config        riptide;
	unsigned                     workers;   /* 1..RIP_WORKERS_MAX */
	unsigned                     gs_pages;  /* 0: RIP_WORKERS_GS_PAGES */
	/* Places a page whose index, number and paper are set.  worker: 0..  0, or -errno and
	 * why (size bytes). */
	int (*place)(void *context, unsigned worker, const struct rip_worked_page *page,
		     struct rip_placed_page *placed, char *why, size_t size);
	int (*begin)(void *context, const struct rip_worked_page *page);
	int (*line)(void *context, const uint8_t *const planes[]);
	int (*end)(void *context, const struct rip_worked_page *page);
	void *context;
};

struct rip_page_worker;
struct rip_page_job;

struct rip_workers {
	struct rip_workers_config config;
	unsigned                  pages;   /* of the document */
	char                      why[400];
	struct rip_gs_jail        jail;    /* of all Ghostscripts */
	struct rip_slots          slots;   /* beside those of other jobs */
	struct rip_page_worker   *workers;
	struct rip_page_job      *jobs;    /* a ring: those that are dealt and not yet written */
	unsigned                  job_count;
	struct rip_line_room      room;    /* its lock protects what follows, too */
	const unsigned           *list;
	unsigned                  count;   /* of the list */
	unsigned                  dealt, written; /* pages */
	unsigned                  gs_threads; /* of each Ghostscript, at the first attempt */
	unsigned                  drawing; /* workers that have a page */
	unsigned                  most;    /* that had one at once, so far */
	atomic_uint               working; /* workers' threads */
	bool                      alone;   /* a page is drawn once more, without others */
	pthread_mutex_t           calls;   /* of place() */
	atomic_bool               no_daemon; /* a worker has given it up */
};

/* Starts the first Ghostscript and opens the document.  The config's pointers must live as long as
 * the workers.  Also after an error they are to be closed. */
int rip_workers_open(struct rip_workers *workers, const struct rip_workers_config *config);

/* Does the pages of a list, numbers from 1 to workers->pages.  Once. */
int rip_workers_run(struct rip_workers *workers, const unsigned *list, unsigned count);

/* Ends all processes.  May be called twice. */
void rip_workers_close(struct rip_workers *workers);

#endif
