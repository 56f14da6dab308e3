/*
 * Who gets a page halftoned, whatever happens.
 *
 * Bands go to the daemon if there is one that is faster than this process, and
 * otherwise to an engine in a thread of this process.  A daemon that says
 * nothing for RIP_SILENCE_MS, goes away, or says nonsense is left for good, and
 * the page goes on in-process from the last good carry: the band that was with
 * the daemon still has its input.  The dots are the same in every case.
 *
 *	begin page; per band: submit, and when a band is needed again: collect;
 *	end page.
 *
 * Reading and halftoning overlap: up to rip_halftoner_depth() bands may be
 * submitted and not collected.
 *
 * What is reported through log(), each once for a halftoner:
 *	DEBUG    no daemon there; it is busy, or has no accelerator; a page does not
 *	         fit its ring; a GPU method without a GPU, or a page's screen that the
 *	         GPU does not do (WARNING with want_gpu); a session that ended while
 *	         the caller was blocked
 *	WARNING  a daemon that is silent, gone, of another version, turns us away or
 *	         talks nonsense; a GPU of this process that fails in mid-page
 *	ERROR    what makes a function fail
 *
 * Used by one thread, which is also the one that log() is called in.  It makes
 * one more, for the engine, with all signals blocked.  A signal does not end a
 * wait (at most RIP_SILENCE_MS for the daemon, a band's time in-process): who
 * must end at once on SIGTERM leaves from the handler.
 */
#ifndef RIP_HALFTONER_H
#define RIP_HALFTONER_H

#include <stdbool.h>

#include "halftone/band.h"

enum rip_log_level { RIP_LOG_DEBUG, RIP_LOG_INFO, RIP_LOG_WARNING, RIP_LOG_ERROR };

struct rip_halftoner_config {
	const char *socket;    /* the daemon's, or NULL: in-process */
	bool        required;  /* no daemon on `socket` is an error, not a reason to do
				  it here; what is lost later still goes on here */
	uint32_t    job;       /* 0: none */
	const char *queue;     /* for the daemon's log; may be NULL */
	enum rip_method method;
	const char *isa;       /* as in rip_cpu_config */
	unsigned    threads;   /* as in rip_cpu_config */
	bool        want_gpu;  /* in-process on the GPU, or fail */
	int         device;    /* with want_gpu: its number, or -1 */
	void      (*log)(void *context, enum rip_log_level level, const char *text);
	void       *context;
};

struct rip_halftoner;

/* 0; -errno, after the reason was logged at RIP_LOG_ERROR.  The strings must
 * live as long as the halftoner. */
int  rip_halftoner_new(const struct rip_halftoner_config *config, struct rip_halftoner **halftoner);
void rip_halftoner_free(struct rip_halftoner *halftoner); /* NULL is allowed */

/* What halftones now, for people: "CPU (c), ec", "riptided: NVIDIA H200, bwec". */
const char *rip_halftoner_device(const struct rip_halftoner *halftoner);

/* Whether a daemon was left for good: then another halftoner of the same job must
 * not go to it either. */
bool rip_halftoner_left_daemon(const struct rip_halftoner *halftoner);

/* Begins a page; height is for the daemon's status (0: not known).  All bands
 * of the page before must have been collected.  0 or -errno (logged). */
int rip_halftoner_begin(struct rip_halftoner *halftoner, const struct rip_page_spec *spec,
			uint32_t height, enum rip_start start);

/* How many bands may be in flight (at least 1), and how many rows a band of this
 * page may have at most (at least 1; what the daemon's ring holds, UINT32_MAX
 * in-process).  They stay as they are until the next begin. */
unsigned rip_halftoner_depth(const struct rip_halftoner *halftoner);
uint32_t rip_halftoner_band_rows(const struct rip_halftoner *halftoner);

/* Gives a full band away, until it comes back from collect. */
int rip_halftoner_submit(struct rip_halftoner *halftoner, struct rip_band *band);

/* The oldest band that was submitted, its dots ready.  0 or -errno (logged). */
int rip_halftoner_collect(struct rip_halftoner *halftoner, struct rip_band **band);

/* Tells that the caller was blocked, or has been busy, for reasons of its own
 * (a slow printer) since it last called: a session that ended meanwhile is gone
 * on with in-process and without a warning. */
void rip_halftoner_was_blocked(struct rip_halftoner *halftoner);

#endif
