/*
 * What rows of samples go through before they reach an engine: whether they have only extreme
 * samples (and then their dots), the separation of chunked pixels into planes, and a tone curve
 * where an engine cannot apply it.
 * The plain C functions define the results; the faster ones give the same.
 *
 * Pure functions, for any thread.  They touch no byte outside of their buffers.  Buffers
 * have any address (16-bit samples are aligned to 2) and do not overlap.  width: samples
 * of a row, or pixels; 1 or more.
 */
#ifndef RIP_ROWS_H
#define RIP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rip_row_ops {
	/* Whether each sample is at most lo or at least hi (lo < hi).  If so, `dots` gets
	 * one bit for each, most significant bit first, (width + 7) / 8 bytes: 1 for at
	 * least hi; unused bits are 0.  If not, its contents are undefined. */
	bool (*solid8)(const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi, uint8_t *dots);
	bool (*solid16)(const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi,
			uint8_t *dots);
	/* Sample c of each pixel of 3 or 4 samples goes to planes[c], for c < count. */
	void (*split8x3)(const uint8_t *chunked, uint32_t width, void *const planes[],
			 uint32_t count);
	void (*split8x4)(const uint8_t *chunked, uint32_t width, void *const planes[],
			 uint32_t count);
	void (*split16x3)(const uint16_t *chunked, uint32_t width, void *const planes[],
			  uint32_t count);
	void (*split16x4)(const uint16_t *chunked, uint32_t width, void *const planes[],
			  uint32_t count);
	/* x of each sample: curve[row[j]]. */
	void (*curve8)(const uint8_t *row, uint32_t width, const uint16_t curve[256], uint16_t *x);
};

/* The fastest functions with these features (cpu.h). */
void rip_row_ops_init(struct rip_row_ops *ops, unsigned features);

/* Those of this processor. */
const struct rip_row_ops *rip_row_ops(void);

/* Separates `width` pixels of `stride` samples each: sample c of each pixel goes to
 * planes[c], for c < count.  count <= stride; samples past count are skipped.
 * sample_bits: 8 or 16. */
void rip_split(const void *chunked, uint32_t width, uint32_t stride, uint32_t sample_bits,
	       void *const planes[], uint32_t count);

/* The plain C functions from sample or pixel j on, for what remains after the whole
 * vectors; j is a multiple of 8. */
bool rip_solid8_from(uint32_t j, const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi,
		     uint8_t *dots);
bool rip_solid16_from(uint32_t j, const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi,
		      uint8_t *dots);
void rip_split8_from(uint32_t j, const uint8_t *chunked, uint32_t width, uint32_t stride,
		     void *const planes[], uint32_t count);
void rip_split16_from(uint32_t j, const uint16_t *chunked, uint32_t width, uint32_t stride,
		      void *const planes[], uint32_t count);

#endif
