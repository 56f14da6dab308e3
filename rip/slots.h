/*
 * The Ghostscripts of all jobs of a print server: how many may run at once.
 *
 * Every job may have one.  What it may have beside it takes a slot, a byte of a file on which it
 * holds a lock (F_OFD_SETLK), as long as slots are free, the job has less than its share, and
 * memory is not short.  Where two draw each page, each such pair takes two bytes.  Each job holds
 * one more byte, from which the others learn how many jobs there are: they share the limit, and
 * give back what is more than their share when a page ends.
 * A job whose printer takes nothing for long gives up all of that (page_workers.h).
 * The kernel releases the locks of a process, however it ends.  Nobody waits for a lock, and
 * nothing is written.
 *
 * The file is in a folder of CUPS_CACHEDIR, which cupsd sets and which only root and filters may
 * use: whoever can open the file can take all slots.  Programs without it do not take part.
 *
 * rip_slots_open() and rip_slots_close() in one thread while no other uses the object; the other
 * functions in any thread.
 */
#ifndef RIP_SLOTS_H
#define RIP_SLOTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "system/draw_settings.h"

#define RIP_SLOTS_MAX RIP_ALL_WORKERS_MAX

/* What a Ghostscript and its worker may take, and what shall be left when one more is started. */
#define RIP_SLOTS_MEMORY (256u << 20)

#define RIP_SLOTS_EACH_MAX 2 /* Ghostscripts of a worker */

/* Of a worker.  Zeros to begin with. */
struct rip_slot {
	unsigned bytes[RIP_SLOTS_EACH_MAX]; /* 1: the first one; 0: it has none */
	bool     is_old;  /* the memory that its Ghostscript takes is taken */
	bool     leaves;  /* it is to be given back */
};

struct rip_slots {
	int             fd;      /* of the file; -1: this job does not share with others */
	unsigned        limit;   /* of all jobs */
	unsigned        each;    /* Ghostscripts of a worker of this job, 1 or 2; the caller's, once
				    it is open */
	const char     *root;    /* as in halftone/quota.h */
	pthread_mutex_t lock;    /* of the rest */
	unsigned        job;     /* the byte of this job; 0: none was free */
	unsigned        held;    /* workers that have slots and keep them */
	unsigned        young;   /* of those, the ones whose slots are not old */
	bool            mine[RIP_SLOTS_MAX]; /* slots whose bytes this job has */
	char            why[320]; /* it does not share; or empty */
};

/* Finds the file, makes it if there is none, and counts this job.  limit: of all jobs, 1 to
 * RIP_SLOTS_MAX; 0: a Ghostscript for each processor that this process may use, as far as memory
 * allows.  cache: CUPS_CACHEDIR, or NULL.  Where that fails, jobs do as they like, and slots->why
 * says so. */
void rip_slots_open(struct rip_slots *slots, unsigned limit, const char *cache, const char *root);

/* Asks, before each page, for a slot, or whether the worker may keep it.  False: it may not have a
 * Ghostscript; one that it has is to be ended, and then the slot to be given back. */
bool rip_slots_ask(struct rip_slots *slots, struct rip_slot *slot);

/* Whether this job is one of those that share.  One without Ghostscripts that draw shall not be,
 * and has given its slots back.  Returns whether that is new. */
bool rip_slots_take_part(struct rip_slots *slots, bool does);

/* Gives a slot back, if there is one. */
void rip_slots_give(struct rip_slots *slots, struct rip_slot *slot);

/* May be called twice, and on an object of zeros. */
void rip_slots_close(struct rip_slots *slots);

#endif
