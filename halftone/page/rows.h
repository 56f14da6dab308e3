/*
 * What rows of samples go through before they reach an engine: whether they have only extreme
 * samples (and then their dots), the separation of chunked pixels into planes, a tone curve where
 * an engine cannot apply it, and the edges in them.
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
#include <string.h>

#if defined __SSE2__
#include <emmintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

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
	/* Counts the edges of `lines` rows, at most 8, in cells of 8 columns, of which there are
	 * width / 8: neighbours in a row, and in a column, that differ by more than `step`.
	 * rows: these and the one below them.  The last column has no edges. */
	void (*edges8)(const uint8_t *const rows[], uint32_t lines, uint32_t width, uint8_t step,
		       uint8_t *across, uint8_t *down);
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
void rip_edges8_from(uint32_t j, const uint8_t *const rows[], uint32_t lines, uint32_t width,
		     uint8_t step, uint8_t *across, uint8_t *down);

/* ---- vectors ---- */

/* One that every 64-bit processor has. */
typedef uint8_t rip_bytes __attribute__((vector_size(16)));

static inline rip_bytes rip_load(const uint8_t *from)
{
	rip_bytes v;

	memcpy(&v, from, sizeof v);
	return v;
}

static inline rip_bytes rip_all_bytes(uint8_t byte)
{
	rip_bytes v;

	memset(&v, byte, sizeof v);
	return v;
}

/* The more, and the less, of each two.  Compilers do not find these instructions. */
static inline rip_bytes rip_more_of(rip_bytes a, rip_bytes b)
{
#if defined __SSE2__
	return (rip_bytes)_mm_max_epu8((__m128i)a, (__m128i)b);
#elif defined __aarch64__
	return (rip_bytes)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
	const rip_bytes less = (rip_bytes)(a <= b);

	return (b & less) | (a & ~less);
#endif
}

static inline rip_bytes rip_less_of(rip_bytes a, rip_bytes b)
{
#if defined __SSE2__
	return (rip_bytes)_mm_min_epu8((__m128i)a, (__m128i)b);
#elif defined __aarch64__
	return (rip_bytes)vminq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
	return ~rip_more_of(~a, ~b);
#endif
}

static inline int32_t rip_sum_of(rip_bytes v)
{
	uint64_t words[sizeof v / 8];
	int32_t sum = 0;

	memcpy(words, &v, sizeof v);
	for (size_t i = 0; i < sizeof v / 8; i++) {
		const uint64_t pairs = (words[i] & 0x00ff00ff00ff00ffu) +
				       (words[i] >> 8 & 0x00ff00ff00ff00ffu);

		sum += (int32_t)(pairs * 0x0001000100010001u >> 48);
	}
	return sum;
}

static inline bool rip_has_any(rip_bytes v)
{
#if defined __SSE2__
	return _mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)v, _mm_setzero_si128())) != 0xffff;
#else
	uint64_t words[sizeof v / 8], any = 0;

	memcpy(words, &v, sizeof v);
	for (size_t i = 0; i < sizeof v / 8; i++)
		any |= words[i];
	return any != 0;
#endif
}

#endif
