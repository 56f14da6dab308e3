/*
 * Checks everything in PAGE and BAND before any of it is used.  Pure functions, without I/O
 * and state.
 */
#ifndef RIP_CHECK_H
#define RIP_CHECK_H

#include "protocol.h"

/* The sizes of the ring's areas in bytes. */
struct rip_ring_sizes {
	uint64_t in;
	uint64_t out;
};

enum rip_verdict {
	RIP_VERDICT_GOOD,
	RIP_VERDICT_REFUSED, /* legal, but one row does not fit into the ring, or the screen is
				not known */
	RIP_VERDICT_BREACH   /* breaks the protocol */
};

/* PAGE.  GOOD: spec is filled (its curve is NULL); otherwise reason says why. */
enum rip_verdict rip_check_page(const struct rip_page_message *page,
				const struct rip_ring_sizes *room,
				struct rip_page_spec *spec, char reason[RIP_REASON_MAX + 1]);

/* The bits of a sample in the bands of pixels of a page. */
uint32_t rip_page_message_pixel_bits(const struct rip_page_message *page);

/* BAND of a page with this spec, and with such pixels.  *samples: rows * width of all its strips,
 * at most the bytes of the input area. */
enum rip_verdict rip_check_band(const struct rip_band_message *band,
				const struct rip_page_spec *spec, uint32_t pixel_bits,
				const struct rip_ring_sizes *room, uint64_t *samples,
				char reason[RIP_REASON_MAX + 1]);

#endif
