/* Rows of samples against rows of thresholds: plain C, and the choice of the fastest. */
#include "mask_rows.h"

#include "engine.h"
#include "halftone/simd/isa.h"

/* Eight samples from j on, or what is left of them, become a byte. */
#define DOTS_FROM(TYPE)                                                                    \
	const TYPE *in = row->in, *mask = row->mask;                                       \
	const uint32_t step = 8 % row->period;                                             \
	uint32_t phase = (row->phase + j) % row->period;                                   \
											   \
	for (; j < row->width; j += 8) {                                                   \
		const uint32_t n = row->width - j < 8 ? row->width - j : 8;                \
		unsigned bits = 0;                                                         \
											   \
		for (uint32_t i = 0; i < n; i++)                                           \
			bits |= (unsigned)(in[j + i] > mask[phase + i]) << (7 - i);        \
		row->out[j / 8] = (uint8_t)bits;                                           \
		phase = rip_mask_phase(row, phase, step);                                  \
	}

void rip_mask_bytes_from(const struct rip_mask_row *row, uint32_t j)
{
	DOTS_FROM(uint8_t)
}

void rip_mask_words_from(const struct rip_mask_row *row, uint32_t j)
{
	DOTS_FROM(uint16_t)
}

/* product: a sample times the number of levels less one. */
static inline uint32_t level(uint32_t product, uint32_t full, uint32_t threshold)
{
	return product / full + (product % full > threshold);
}

/* The same with levels of 2 or 4 bits: 2 or 4 bytes at a time. */
#define LEVELS_FROM(TYPE, FULL)                                                            \
	const TYPE *in = row->in, *mask = row->mask;                                       \
	const uint32_t step = 8 % row->period, steps = row->levels - 1;                    \
	const uint32_t size = rip_dot_bits(row->levels), each = 8 / size;                  \
	uint32_t phase = (row->phase + j) % row->period;                                   \
											   \
	for (; j < row->width; j += 8) {                                                   \
		const uint32_t n = row->width - j < 8 ? row->width - j : 8;                \
		uint32_t bits = 0;                                                         \
											   \
		for (uint32_t i = 0; i < n; i++)                                           \
			bits |= level(in[j + i] * steps, FULL, mask[phase + i])            \
				<< (size * (7 - i));                                       \
		for (uint32_t i = 0; i < n; i += each)                                     \
			row->out[(j + i) / each] = (uint8_t)(bits >> size * (8 - each - i));\
		phase = rip_mask_phase(row, phase, step);                                  \
	}

void rip_mask_bytes_levels_from(const struct rip_mask_row *row, uint32_t j)
{
	LEVELS_FROM(uint8_t, 255)
}

void rip_mask_words_levels_from(const struct rip_mask_row *row, uint32_t j)
{
	LEVELS_FROM(uint16_t, RIP_FULL)
}

static void bytes_c(const struct rip_mask_row *row)
{
	rip_mask_bytes_from(row, 0);
}

static void words_c(const struct rip_mask_row *row)
{
	rip_mask_words_from(row, 0);
}

static void bytes_levels_c(const struct rip_mask_row *row)
{
	rip_mask_bytes_levels_from(row, 0);
}

static void words_levels_c(const struct rip_mask_row *row)
{
	rip_mask_words_levels_from(row, 0);
}

void rip_mask_ops_init(struct rip_mask_ops *ops, unsigned features)
{
	*ops = (struct rip_mask_ops){ bytes_c, words_c, bytes_levels_c, words_levels_c };
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		if (isa->mask_ops && !(isa->features & ~features))
			isa->mask_ops(ops);
}
