/*
 * Rows of samples against rows of thresholds: the dots of a mask (screen.h).  The plain C
 * functions define the results; the faster ones give the same.
 *
 * 8-bit samples v without a curve.  The target of x = 257*v with n levels is
 * A = 65536*h + 257*r with h = floor(v*(n-1) / 255) and r = v*(n-1) modulo 255.  So the level
 * is h + (257*r > T), and 257*r > T exactly if r > floor(T / 257): a mask of bytes does, for
 * any n.  With two levels r is v except for v = 255, which is a dot also without h, since
 * floor(T / 257) is 254 at most (T is 65534 at most: mask_planes.c makes
 * the rows of thresholds so).
 *
 * 16-bit x: A = x*(n-1) + h with h = floor(x*(n-1) / 65535), and the level is h + (l > T).
 *
 * Pure functions, for any thread.  They touch no byte outside of their buffers, which do not
 * overlap.
 */
#ifndef RIP_MASK_ROWS_H
#define RIP_MASK_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* A mask's row is repeated, so that it can be read from any column of the mask on. */
#define RIP_MASK_REPEAT 64

/* A row, or columns of it. */
struct rip_mask_row {
	const void *in;    /* width samples: bytes, or 16-bit x, aligned to 2 */
	/* Thresholds: bytes or 16-bit values at most 65534; period + RIP_MASK_REPEAT of them. */
	const void *mask;
	uint32_t    width;  /* 1 or more */
	uint32_t    period; /* columns of the mask */
	uint32_t    phase;  /* the mask's column for the first sample: less than period */
	uint32_t    levels; /* 2..16 */
	/* The levels, most significant bit first, rip_dot_bytes(); unused bits are 0. */
	uint8_t    *out;
};

struct rip_mask_ops {
	/* Two levels: one bit for each sample. */
	void (*bytes)(const struct rip_mask_row *row);
	void (*words)(const struct rip_mask_row *row);
	/* 3 to 16 levels. */
	void (*bytes_levels)(const struct rip_mask_row *row);
	void (*words_levels)(const struct rip_mask_row *row);
};

/* The fastest functions with these features (cpu.h). */
void rip_mask_ops_init(struct rip_mask_ops *ops, unsigned features);

/* The plain C functions from sample j on, for what remains after the whole vectors; j is a
 * multiple of 8. */
void rip_mask_bytes_from(const struct rip_mask_row *row, uint32_t j);
void rip_mask_words_from(const struct rip_mask_row *row, uint32_t j);
void rip_mask_bytes_levels_from(const struct rip_mask_row *row, uint32_t j);
void rip_mask_words_levels_from(const struct rip_mask_row *row, uint32_t j);

/* The phase `step` columns later, where step is modulo the period. */
static inline uint32_t rip_mask_phase(const struct rip_mask_row *row, uint32_t phase, uint32_t step)
{
	phase += step;
	return phase >= row->period ? phase - row->period : phase;
}

#endif
