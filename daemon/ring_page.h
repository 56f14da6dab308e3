/*
 * A page whose bands lie in a ring: the daemon's side of a page.  An engine halftones it, and
 * the CPU engine goes on where that one fails.
 *
 * It holds the last good carry of every plane.  When an engine fails in mid-page, another
 * one, at last the CPU engine, replaces it and does the band again from that carry.  The client,
 * which keeps its input until the band is done, never notices.
 *
 * Several bands may be on their way through a device.  A thread of the engine says when each is
 * done, while a worker submits the next ones.  If one fails, so do those after it.  All of them are
 * run again, in order, when none is on its way any more.
 *
 * An engine may also leave a page to the CPU engine without having failed.  It is tried
 * again with the next page.
 *
 * A band is halftoned in pieces of a bounded cost.  Between them the owner hears that
 * there is progress, and can stop the rest.
 *
 * A client may change the ring's input area at any time.  So curves, carries and the numbers of
 * lines are copied before they are checked, and a sample is only ever an index into a table of its
 * own size.
 *
 * What the bands of a longer session use of the ring is page-locked for a GPU, which then copies
 * samples and dots itself: each sample once, into memory that the client does not have.  A client
 * can punch holes into the input area; the GPU then reads what was there before, and that memory
 * stays in use until the session ends.
 *
 * Used by one thread at a time: by a worker while a work item of the session runs,
 * otherwise by the event loop.  Threads of engines only report bands that are done.
 */
#ifndef RIP_RING_PAGE_H
#define RIP_RING_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "halftone/engine.h"
#include "wire/page_limit.h"
#include "wire/ring.h"

#define RIP_FAILURES_MAX 16 /* engines that can fail, one after the other, in one call */

/* An engine that failed, and its error. */
struct rip_engine_failure {
	struct rip_engine *engine;
	int                error;  /* -errno */
};

struct rip_ring_page {
	struct rip_engine   *engine;   /* that new pages open in */
	struct rip_engine   *fallback; /* a CPU engine */
	struct rip_ring      ring;
	struct rip_page_spec spec;     /* of the open page; its curve is `curve` */
	struct rip_page     *page;     /* NULL: none is open */
	size_t               in_used, out_used;     /* of the ring: bytes that bands have taken */
	size_t               in_pinned, out_pinned; /* of them are page-locked, or 0 */
	uint64_t             copied;   /* bytes of samples that came from elsewhere in the ring */
	bool                 unpinnable; /* the system or the driver has refused that */
	atomic_uint          on_their_way; /* bands */
	atomic_int           failure;  /* of the first of them that failed: -errno, or 0 */
	uint16_t            *curve;
	struct rip_page_limit limit;   /* that its pixels go through */
	int16_t             *carry;    /* planes * rip_carry_values(): after the last good band */
	/* Another engine for a page whose engine has failed, or NULL: the fallback.  May be NULL.
	 * replaced: the engine that it has returned last. */
	struct rip_engine *(*replace)(void *context, struct rip_engine *failed);
	void                *replace_context;
	struct rip_engine   *replaced;
	/* the engines that failed, until the caller has noted them and sets the count to 0 */
	struct rip_engine_failure failures[RIP_FAILURES_MAX];
	unsigned             failure_count;
	/* called between the pieces of a band: false, and the rest is not done; or NULL */
	bool               (*goes_on)(void *context);
	void                *context;
	/* why the engine declined this page: -ENOTSUP (it cannot do such pages), -ENOMEM (its
	 * memory is full), or 0 */
	int                  declined;
};

/* A band that may be on its way.  Belongs to the caller, until done() is called. */
struct rip_band_way {
	struct rip_submission submission; /* first */
	struct rip_ring_page *ring_page;
	const struct rip_band_message *band;
	/* again: it has to be run once more, because it or one before it has failed */
	void (*done)(struct rip_band_way *way, bool again);
};

/* The memory for a page of this spec, in bytes. */
uint64_t rip_ring_page_memory(const struct rip_page_spec *spec,
			      const struct rip_page_message *page);

/* What any work costs at least. */
#define RIP_WORK_COST (UINT64_C(1) << 16)

/* The time that it takes to open a page, or to halftone a band that rip_check_band()
 * found good.  The unit is the time that one sample of a wide page takes. */
uint64_t rip_ring_page_page_cost(const struct rip_page_message *page);
uint64_t rip_ring_page_band_cost(const struct rip_band_message *band, uint32_t width);

/* Opens a page that rip_check_page() found good, with this spec; the previous page is
 * closed.  0; -ERANGE if a start carry is out of range, or a curve falls that must not;
 * -ENOMEM. */
int rip_ring_page_begin(struct rip_ring_page *ring_page, const struct rip_page_message *message,
		    const struct rip_page_spec *spec);

/* Halftones a band that rip_check_band() found good, and writes its dots and
 * carries into the ring.  0; RIP_BAND_ON_ITS_WAY: way->done() is called when it is done;
 * -EAGAIN: it has to be run once more, as above; -ECANCELED if goes_on() said no, after which the
 * page can only be closed; other -errno: no engine can do it.  again: it is run once more, and
 * none is on its way.  way: NULL if the caller waits. */
int rip_ring_page_band(struct rip_ring_page *ring_page, const struct rip_band_message *band,
		       struct rip_band_way *way, bool again);

#define RIP_BAND_ON_ITS_WAY 1

/* Closes the page and unlocks the ring's memory.  That waits for the GPU, so a worker calls this
 * before rip_ring_page_finish(), which would do it too.  May be called twice. */
void rip_ring_page_let_go(struct rip_ring_page *ring_page);

/* Closes the page and frees the ring.  May be called twice. */
void rip_ring_page_finish(struct rip_ring_page *ring_page);

#endif
