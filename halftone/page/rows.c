/* What is done to every row of samples: plain C, and the choice of the fastest. */
#include "rows.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>

#include "halftone/simd/isa.h"

/* Eight samples of 0 or 255 at once.  A byte is 0 or 255 if each of its bits equals the
 * next one.  One bit of each byte is kept; the multiplication moves that of byte i to bit
 * 63 - i, without carries. */
static uint32_t solid8_words(const uint8_t *row, uint32_t width, uint8_t *dots)
{
	uint32_t j;

	for (j = 0; width - j >= 8; j += 8) {
		uint64_t v;

		memcpy(&v, row + j, sizeof v);
		v = le64toh(v);
		if ((v ^ v >> 1) & 0x7f7f7f7f7f7f7f7f)
			break;
		dots[j / 8] = (uint8_t)((v & 0x0101010101010101) * 0x8040201008040201 >> 56);
	}
	return j;
}

#define SOLID_FROM                                                         \
	for (; j < width; j += 8) {                                        \
		const uint32_t n = width - j < 8 ? width - j : 8;          \
		unsigned bits = 0, grey = 0;                               \
									   \
		for (uint32_t i = 0; i < n; i++) {                         \
			grey |= row[j + i] > lo && row[j + i] < hi;        \
			bits |= (unsigned)(row[j + i] >= hi) << (7 - i);   \
		}                                                          \
		if (grey)                                                  \
			return false;                                      \
		dots[j / 8] = (uint8_t)bits;                               \
	}                                                                  \
	return true

bool rip_solid8_from(uint32_t j, const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi,
		     uint8_t *dots)
{
	SOLID_FROM;
}

bool rip_solid16_from(uint32_t j, const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi,
		      uint8_t *dots)
{
	SOLID_FROM;
}

static bool solid8_c(const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi, uint8_t *dots)
{
	const uint32_t j = lo == 0 && hi == 255 ? solid8_words(row, width, dots) : 0;

	return rip_solid8_from(j, row, width, lo, hi, dots);
}

static bool solid16_c(const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi, uint8_t *dots)
{
	return rip_solid16_from(0, row, width, lo, hi, dots);
}

#define SPLIT_FROM(TYPE, STRIDE)                                   \
	for (uint32_t c = 0; c < count; c++) {                     \
		TYPE *out = planes[c];                             \
								   \
		for (size_t i = j; i < width; i++)                 \
			out[i] = chunked[i * (STRIDE) + c];        \
	}

void rip_split8_from(uint32_t j, const uint8_t *chunked, uint32_t width, uint32_t stride,
		     void *const planes[], uint32_t count)
{
	SPLIT_FROM(uint8_t, stride)
}

void rip_split16_from(uint32_t j, const uint16_t *chunked, uint32_t width, uint32_t stride,
		      void *const planes[], uint32_t count)
{
	SPLIT_FROM(uint16_t, stride)
}

/* A compiler does better with a constant stride. */
#define SPLIT(BITS, STRIDE)                                                                   \
	static void split##BITS##x##STRIDE##_c(const uint##BITS##_t *chunked, uint32_t width, \
					       void *const planes[], uint32_t count)          \
	{                                                                                     \
		const uint32_t j = 0;                                                         \
											      \
		SPLIT_FROM(uint##BITS##_t, STRIDE)                                            \
	}

SPLIT(8, 3)
SPLIT(8, 4)
SPLIT(16, 3)
SPLIT(16, 4)

static void curve8_c(const uint8_t *row, uint32_t width, const uint16_t curve[256], uint16_t *x)
{
	for (uint32_t j = 0; j < width; j++)
		x[j] = curve[row[j]];
}

static bool apart(uint8_t a, uint8_t b, uint8_t step)
{
	return (a > b ? a - b : b - a) > step;
}

void rip_edges8_from(uint32_t j, const uint8_t *const rows[], uint32_t lines, uint32_t width,
		     uint8_t step, uint8_t *across, uint8_t *down)
{
	for (; j + 8 <= width; j += 8) {
		across[j / 8] = down[j / 8] = 0;
		for (uint32_t i = j; i < j + 8 && i + 1 < width; i++)
			for (uint32_t k = 0; k < lines; k++) {
				across[j / 8] += apart(rows[k][i], rows[k][i + 1], step);
				down[j / 8] += apart(rows[k][i], rows[k + 1][i], step);
			}
	}
}

/* 1 where samples are apart. */
static inline rip_bytes are_apart(rip_bytes a, rip_bytes b, rip_bytes step)
{
	return (rip_bytes)(rip_more_of(a, b) - rip_less_of(a, b) > step) & rip_all_bytes(1);
}

/* Sixteen columns at once. */
static void edges8_c(const uint8_t *const rows[], uint32_t lines, uint32_t width, uint8_t step,
		     uint8_t *across, uint8_t *down)
{
	const rip_bytes steps = rip_all_bytes(step);
	uint32_t j;

	for (j = 0; j + sizeof(rip_bytes) < width; j += sizeof(rip_bytes)) {
		const rip_bytes first = rip_load(rows[0] + j);
		rip_bytes right = rip_all_bytes(0), below = right, differ = right, here = first;
		uint64_t counts[2][sizeof(rip_bytes) / 8];

		/* Where there is paper, or bars are upright, rows are alike. */
		for (uint32_t k = 1; k <= lines; k++)
			differ |= rip_load(rows[k] + j) ^ first;
		if (!rip_has_any(differ))
			right = are_apart(first, rip_load(rows[0] + j + 1), steps) * (uint8_t)lines;
		else
			for (uint32_t k = 0; k < lines; k++) {
				const rip_bytes next = rip_load(rows[k + 1] + j);

				right += are_apart(here, rip_load(rows[k] + j + 1), steps);
				below += are_apart(here, next, steps);
				here = next;
			}
		memcpy(counts[0], &right, sizeof right);
		memcpy(counts[1], &below, sizeof below);
		for (uint32_t k = 0; k < sizeof(rip_bytes) / 8; k++) {
			across[j / 8 + k] = (uint8_t)(counts[0][k] * 0x0101010101010101u >> 56);
			down[j / 8 + k] = (uint8_t)(counts[1][k] * 0x0101010101010101u >> 56);
		}
	}
	rip_edges8_from(j, rows, lines, width, step, across, down);
}

void rip_row_ops_init(struct rip_row_ops *ops, unsigned features)
{
	*ops = (struct rip_row_ops){
		.solid8 = solid8_c,
		.solid16 = solid16_c,
		.split8x3 = split8x3_c,
		.split8x4 = split8x4_c,
		.split16x3 = split16x3_c,
		.split16x4 = split16x4_c,
		.curve8 = curve8_c,
		.edges8 = edges8_c,
	};
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		if (isa->row_ops && !(isa->features & ~features))
			isa->row_ops(ops);
}

static struct rip_row_ops here;
static pthread_once_t     once = PTHREAD_ONCE_INIT;

static void choose(void)
{
	rip_row_ops_init(&here, rip_isa_features());
}

const struct rip_row_ops *rip_row_ops(void)
{
	pthread_once(&once, choose);
	return &here;
}

void rip_split(const void *chunked, uint32_t width, uint32_t stride, uint32_t sample_bits,
	       void *const planes[], uint32_t count)
{
	const struct rip_row_ops *ops = rip_row_ops();

	if (sample_bits == 8 && stride == 3)
		ops->split8x3(chunked, width, planes, count);
	else if (sample_bits == 8 && stride == 4)
		ops->split8x4(chunked, width, planes, count);
	else if (sample_bits == 8)
		rip_split8_from(0, chunked, width, stride, planes, count);
	else if (stride == 3)
		ops->split16x3(chunked, width, planes, count);
	else if (stride == 4)
		ops->split16x4(chunked, width, planes, count);
	else
		rip_split16_from(0, chunked, width, stride, planes, count);
}
