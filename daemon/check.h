/*
 * Whether what a client asks for may be done: everything in PAGE and BAND is
 * checked here, before any of it is used.  No I/O and no state: pure functions.
 */
#ifndef RIP_CHECK_H
#define RIP_CHECK_H

#include "wire/protocol.h"

/* The memory of a session, as far as checks need it: bytes of the ring's parts. */
struct rip_room {
	uint64_t in;
	uint64_t out;
};

enum rip_verdict {
	RIP_VERDICT_GOOD,
	RIP_VERDICT_TOO_LARGE, /* legal, but one row of it does not fit the ring */
	RIP_VERDICT_BREACH     /* no client that follows the protocol says this */
};

/* PAGE.  GOOD: spec is filled (its curve is NULL); otherwise reason says why. */
enum rip_verdict rip_check_page(const struct rip_page_message *page, const struct rip_room *room,
				struct rip_page_spec *spec, char reason[RIP_REASON_MAX + 1]);

/* BAND of a page with this spec.  *samples: rows * width of all its strips, at most the
 * bytes of the in part. */
enum rip_verdict rip_check_band(const struct rip_band_message *band,
				const struct rip_page_spec *spec, const struct rip_room *room,
				uint64_t *samples, char reason[RIP_REASON_MAX + 1]);

#endif
