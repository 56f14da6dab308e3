/*
 * Separates chunked pixels into planes.
 */
#ifndef RIP_SPLIT_H
#define RIP_SPLIT_H

#include <stddef.h>
#include <stdint.h>

/* Separates `width` pixels of `stride` samples each: sample c of each pixel
 * goes to planes[c], for c < count.  count <= stride; samples past count are
 * skipped.  Samples have 8 or 16 bits (aligned to 2); buffers do not overlap. */
void rip_split(const void *chunked, uint32_t width, uint32_t stride, uint32_t sample_bits,
	       void *const planes[], uint32_t count);

#endif
