/*
 * What is done to every row of samples on its way to an engine, as fast as this
 * processor can: is it made of ends only (and if so, its dots), and chunked pixels
 * into planes.  The plain C functions define the results; the others give the same.
 *
 * Pure functions, for any thread.  They touch not one byte outside of the buffers
 * that they are given; buffers have any address (16-bit samples are aligned to 2)
 * and do not overlap.  width: samples of a row, or pixels; 1 or more.
 */
#ifndef RIP_ROWS_H
#define RIP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rip_row_ops {
	/* Whether each sample is at most lo or at least hi (lo < hi).  Then `dots` has
	 * a bit for each, (width + 7) / 8 bytes: the first highest, 1 for the large
	 * ones, unused bits 0; otherwise it has anything. */
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
};

/* The fastest functions with these features (cpu.h). */
void rip_row_ops_init(struct rip_row_ops *ops, unsigned features);

/* Those of this processor. */
const struct rip_row_ops *rip_row_ops(void);

/* Each puts its functions in the place of slower ones. */
void rip_row_ops_avx2(struct rip_row_ops *ops);
void rip_row_ops_avx512bw(struct rip_row_ops *ops);
void rip_row_ops_avx512icl(struct rip_row_ops *ops);
void rip_row_ops_neon(struct rip_row_ops *ops);

/* The plain C functions from sample or pixel j on, for what is left over of whole
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
