/* Rows of samples with AVX-512, also against thresholds.  Masks of the instructions leave out what
 * is past the end of a row: no byte there is touched, and none can fault. */
#include "halftone/cpu.h"
#include "halftone/mask_rows.h"
#include "halftone/page/rows.h"
#include "halftone/simd/isa_code.h"
#include "system/inline.h"

#if RIP_CPU_HAS_AVX512
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define INLINE_TARGET RIP_INLINE TARGET

/* The first n of 64. */
static inline uint64_t first(size_t n)
{
	return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

/* Writes the first n of 64 bits. */
INLINE_TARGET void put(uint8_t *dots, uint64_t bits, uint32_t n)
{
	if (n >= 64)
		__builtin_memcpy(dots, &bits, 8);
	else
		_mm_mask_storeu_epi8(dots, (__mmask16)first((n + 7) / 8),
				     _mm_cvtsi64_si128((long long)bits));
}

#define TARGET_VBMI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))

/* ---- AVX-512 BW ---- */

TARGET static bool solid8_avx512bw(const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi,
			       uint8_t *dots)
{
	/* Eight samples in the order in which a byte has their bits. */
	const __m512i turn = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
	const __m512i low = _mm512_set1_epi8((char)lo), high = _mm512_set1_epi8((char)hi);

	for (uint32_t j = 0; j < width; j += 64) {
		/* What is past the end is 0, and so low. */
		const __m512i v = _mm512_shuffle_epi8(
			_mm512_maskz_loadu_epi8(first(width - j), row + j), turn);
		const __mmask64 is_high = _mm512_cmpge_epu8_mask(v, high);

		if (~(is_high | _mm512_cmple_epu8_mask(v, low)))
			return false;
		put(dots + j / 8, is_high, width - j);
	}
	return true;
}

TARGET static bool solid16_avx512bw(const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi,
				uint8_t *dots)
{
	const __m512i turn = _mm512_set4_epi32(0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e);
	const __m512i low = _mm512_set1_epi16((short)lo), high = _mm512_set1_epi16((short)hi);

	for (uint32_t j = 0; j < width; j += 64) {
		const uint64_t here = first(width - j);
		const __m512i a = _mm512_shuffle_epi8(
			_mm512_maskz_loadu_epi16((__mmask32)here, row + j), turn);
		const __m512i b = _mm512_shuffle_epi8(
			_mm512_maskz_loadu_epi16((__mmask32)(here >> 32), row + j + 32), turn);
		const __mmask64 is_high = _mm512_kunpackd(_mm512_cmpge_epu16_mask(b, high),
							  _mm512_cmpge_epu16_mask(a, high));
		const __mmask64 is_low = _mm512_kunpackd(_mm512_cmple_epu16_mask(b, low),
							 _mm512_cmple_epu16_mask(a, low));

		if (~(is_high | is_low))
			return false;
		put(dots + j / 8, is_high, width - j);
	}
	return true;
}

/* The whole curve is in eight registers.  The low six bits of a sample choose one of 64 values in
 * each pair of them, and the high two bits the pair. */
TARGET static void curve8_avx512bw(const uint8_t *row, uint32_t width, const uint16_t curve[256],
				      uint16_t *x)
{
	const __m512i bit6 = _mm512_set1_epi16(64), bit7 = _mm512_set1_epi16(128);
	__m512i part[8];

	for (int i = 0; i < 8; i++)
		part[i] = _mm512_loadu_si512(curve + 32 * i);
	for (uint32_t j = 0; j < width; j += 32) {
		const __mmask32 here = (__mmask32)first(width - j);
		const __m512i v = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(here, row + j));
		const __mmask32 odd = _mm512_test_epi16_mask(v, bit6);
		const __m512i low = _mm512_mask_blend_epi16(
			odd, _mm512_permutex2var_epi16(part[0], v, part[1]),
			_mm512_permutex2var_epi16(part[2], v, part[3]));
		const __m512i high = _mm512_mask_blend_epi16(
			odd, _mm512_permutex2var_epi16(part[4], v, part[5]),
			_mm512_permutex2var_epi16(part[6], v, part[7]));

		_mm512_mask_storeu_epi16(x + j, here, _mm512_mask_blend_epi16(
			_mm512_test_epi16_mask(v, bit7), low, high));
	}
}

/* Where samples are apart, of those of a mask. */
INLINE_TARGET __mmask64 are_apart(__mmask64 of, __m512i a, __m512i b, __m512i step)
{
	return _mm512_mask_cmpgt_epu8_mask(of, _mm512_or_si512(_mm512_subs_epu8(a, b),
							       _mm512_subs_epu8(b, a)), step);
}

/* Writes the sums of eight columns' counts. */
INLINE_TARGET void put_sums(uint8_t *sums, __mmask8 cells, __m512i counts)
{
	const __m512i v = _mm512_sad_epu8(counts, _mm512_setzero_si512());

	_mm512_mask_cvtepi64_storeu_epi8(sums, cells, v);
}

TARGET static void edges8_avx512bw(const uint8_t *const rows[], uint32_t lines, uint32_t width,
				   uint8_t step, uint8_t *across, uint8_t *down)
{
	const __m512i steps = _mm512_set1_epi8((char)step), one = _mm512_set1_epi8(1);

	for (uint32_t j = 0; j + 8 <= width; j += 64) {
		/* those that are there, and those with one to the right of them */
		const __mmask64 all = first(width - j), of = first(width - j - 1);
		const __mmask8 cells = (__mmask8)first((width - j) / 8);
		__m512i here = _mm512_maskz_loadu_epi8(all, rows[0] + j);
		__m512i right = _mm512_setzero_si512(), below = right, differ = right;

		for (uint32_t k = 1; k <= lines; k++)
			differ = _mm512_or_si512(differ, _mm512_xor_si512(here,
						 _mm512_maskz_loadu_epi8(all, rows[k] + j)));
		if (!_mm512_test_epi8_mask(differ, differ)) {
			right = _mm512_maskz_set1_epi8(
				are_apart(of, here, _mm512_maskz_loadu_epi8(of, rows[0] + j + 1),
					  steps), (char)lines);
		} else {
			for (uint32_t k = 0; k < lines; k++) {
				const __m512i next = _mm512_maskz_loadu_epi8(all, rows[k + 1] + j);
				const __m512i beside =
					_mm512_maskz_loadu_epi8(of, rows[k] + j + 1);

				right = _mm512_mask_add_epi8(right,
					are_apart(of, here, beside, steps), right, one);
				below = _mm512_mask_add_epi8(below,
					are_apart(of, here, next, steps), below, one);
				here = next;
			}
		}
		put_sums(across + j / 8, cells, right);
		put_sums(down + j / 8, cells, below);
	}
}

void rip_row_ops_avx512bw(struct rip_row_ops *ops)
{
	ops->curve8 = curve8_avx512bw;
	ops->solid8 = solid8_avx512bw;
	ops->solid16 = solid16_avx512bw;
	ops->edges8 = edges8_avx512bw;
}

/* ---- VBMI: 64 bytes of each plane at a time ---- */

#define ALWAYS RIP_INLINE TARGET_VBMI

/* Where in chunked pixels byte i of plane 0 is. */
#define SAMPLE_AT(i, size, stride) (uint8_t)((i) / (size) * (size) * (stride) + (i) % (size))
#define SAMPLES8_AT(i, s, t) \
	SAMPLE_AT(i, s, t), SAMPLE_AT(i + 1, s, t), \
	SAMPLE_AT(i + 2, s, t), SAMPLE_AT(i + 3, s, t), \
	SAMPLE_AT(i + 4, s, t), SAMPLE_AT(i + 5, s, t), \
	SAMPLE_AT(i + 6, s, t), SAMPLE_AT(i + 7, s, t)
#define SAMPLES64_AT(s, t) { \
	SAMPLES8_AT(0, s, t), SAMPLES8_AT(8, s, t), SAMPLES8_AT(16, s, t), SAMPLES8_AT(24, s, t), \
	SAMPLES8_AT(32, s, t), SAMPLES8_AT(40, s, t), SAMPLES8_AT(48, s, t), SAMPLES8_AT(56, s, t) }

/* Vector i of n bytes. */
ALWAYS __m512i part(const uint8_t *in, size_t n, unsigned i)
{
	return _mm512_maskz_loadu_epi8(n > 64 * i ? first(n - 64 * i) : 0, in + 64 * i);
}

/* n: bytes of a row of a plane; size: of a sample. */
ALWAYS void split3(const uint8_t *in, size_t n, const uint8_t from[64], unsigned size,
		   void *const planes[], uint32_t count)
{
	const __m512i next = _mm512_set1_epi8((char)size);

	for (size_t j = 0; j < n; j += 64) {
		const size_t left = 3 * (n - j);
		const __m512i a = part(in + 3 * j, left, 0), b = part(in + 3 * j, left, 1);
		const __m512i c = part(in + 3 * j, left, 2);
		__m512i at = _mm512_loadu_si512(from);

		for (uint32_t p = 0; p < 3 && p < count; p++, at = _mm512_add_epi8(at, next)) {
			/* Places from 128 on, whose highest bit is 1, are in c. */
			const __m512i v = _mm512_mask_permutexvar_epi8(
				_mm512_permutex2var_epi8(a, at, b), _mm512_movepi8_mask(at), at, c);

			_mm512_mask_storeu_epi8((uint8_t *)planes[p] + j, first(n - j), v);
		}
	}
}

ALWAYS void split4(const uint8_t *in, size_t n, const uint8_t from[64], unsigned size,
		   void *const planes[], uint32_t count)
{
	const __m512i next = _mm512_set1_epi8((char)size);

	for (size_t j = 0; j < n; j += 64) {
		const size_t left = 4 * (n - j);
		const __m512i a = part(in + 4 * j, left, 0), b = part(in + 4 * j, left, 1);
		const __m512i c = part(in + 4 * j, left, 2), d = part(in + 4 * j, left, 3);
		__m512i at = _mm512_loadu_si512(from); /* modulo 128 */

		for (uint32_t p = 0; p < 4 && p < count; p++, at = _mm512_add_epi8(at, next)) {
			const __m512i v = _mm512_mask_blend_epi8(
				0xffffffff00000000, _mm512_permutex2var_epi8(a, at, b),
				_mm512_permutex2var_epi8(c, at, d));

			_mm512_mask_storeu_epi8((uint8_t *)planes[p] + j, first(n - j), v);
		}
	}
}

#define SPLIT(BITS, STRIDE) \
	TARGET_VBMI static void split##BITS##x##STRIDE##_avx512icl( \
		const uint##BITS##_t *chunked, uint32_t width, void *const planes[], \
		uint32_t count) \
	{ \
		static const uint8_t from[64] = SAMPLES64_AT(BITS / 8, STRIDE); \
		\
		split##STRIDE((const uint8_t *)chunked, (size_t)width * (BITS / 8), from, \
			      BITS / 8, planes, count); \
	}

SPLIT(8, 3)
SPLIT(8, 4)
SPLIT(16, 3)
SPLIT(16, 4)

void rip_row_ops_avx512icl(struct rip_row_ops *ops)
{
	ops->split8x3 = split8x3_avx512icl;
	ops->split8x4 = split8x4_avx512icl;
	ops->split16x3 = split16x3_avx512icl;
	ops->split16x4 = split16x4_avx512icl;
}

/* ---- against thresholds ---- */

/* The first n samples of a vector, then 0.  Whole vectors are loaded without a mask, which
 * takes a third of the time. */
INLINE_TARGET __m512i bytes_here(const uint8_t *in, uint32_t n)
{
	return n >= 64 ? _mm512_loadu_si512(in) : _mm512_maskz_loadu_epi8(first(n), in);
}

INLINE_TARGET __m256i half_here(const uint8_t *in, uint32_t n)
{
	return n >= 32 ? _mm256_loadu_si256((const void *)in)
		       : _mm256_maskz_loadu_epi8((__mmask32)first(n), in);
}

INLINE_TARGET __m512i words_here(const uint16_t *in, uint32_t n)
{
	return n >= 32 ? _mm512_loadu_si512(in) : _mm512_maskz_loadu_epi16((__mmask32)first(n), in);
}

TARGET static void bytes_avx512bw(const struct rip_mask_row *row)
{
	/* Eight samples in the order in which a byte has their bits. */
	const __m512i turn = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 64 % row->period;
	uint32_t phase = row->phase;

	for (uint32_t j = 0; j < row->width; j += 64) {
		/* What is past the end is 0, and no dot. */
		const __m512i v = _mm512_shuffle_epi8(bytes_here(in + j, row->width - j), turn);
		const __m512i m = _mm512_shuffle_epi8(_mm512_loadu_si512(mask + phase), turn);

		put(row->out + j / 8, _mm512_cmpgt_epu8_mask(v, m), row->width - j);
		phase = rip_mask_phase(row, phase, step);
	}
}

/* The dots of the first n of 32 samples. */
INLINE_TARGET uint64_t dots_of(uint32_t n, const uint16_t *in, const uint16_t *mask)
{
	const __m512i turn = _mm512_set4_epi32(0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e);
	const __m512i v = _mm512_shuffle_epi8(words_here(in, n), turn);

	return _mm512_cmpgt_epu16_mask(v, _mm512_shuffle_epi8(_mm512_loadu_si512(mask), turn));
}

TARGET static void words_avx512bw(const struct rip_mask_row *row)
{
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 64 % row->period;
	uint32_t phase = row->phase;

	for (uint32_t j = 0; j < row->width; j += 64) {
		const uint32_t n = row->width - j;
		uint64_t bits = dots_of(n, in + j, mask + phase);

		if (n > 32)
			bits |= dots_of(n - 32, in + j + 32, mask + phase + 32) << 32;
		put(row->out + j / 8, bits, n);
		phase = rip_mask_phase(row, phase, step);
	}
}

/* ---- against thresholds, more levels: 32 at a time ---- */

/* Stores the first n of 32 levels of 16 bits each as dots of `size` bits. */
INLINE_TARGET void put_levels(uint8_t *out, __m512i levels, int size, uint32_t n)
{
	const __m512i twos = _mm512_madd_epi16(
		levels, _mm512_set1_epi32(size == 4 ? 0x00010010 : 0x00010004));
	const __mmask16 here = (__mmask16)first((n * (uint32_t)size + 7) / 8);

	if (size == 4) {
		_mm_mask_storeu_epi8(out, here, _mm512_cvtepi32_epi8(twos));
	} else {
		const __m512i fours =
			_mm512_or_si512(_mm512_slli_epi64(twos, 4), _mm512_srli_epi64(twos, 32));

		_mm_mask_storeu_epi8(out, here & 0xff, _mm512_cvtepi64_epi8(fours));
	}
}

INLINE_TARGET void bytes_levels(const struct rip_mask_row *row, int size)
{
	const __m512i steps = _mm512_set1_epi16((short)(row->levels - 1));
	const __m512i one = _mm512_set1_epi16(1), low = _mm512_set1_epi16(255);
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase;

	for (uint32_t j = 0; j < row->width; j += 32) {
		const __m256i v = half_here(in + j, row->width - j);
		const __m512i m = _mm512_cvtepu8_epi16(
			_mm256_loadu_si256((const void *)(mask + phase)));
		const __m512i p = _mm512_mullo_epi16(_mm512_cvtepu8_epi16(v), steps);
		/* p = 255 * h + r, so that r is the lowest byte of p + h. */
		const __m512i h = _mm512_srli_epi16(
			_mm512_add_epi16(_mm512_add_epi16(p, _mm512_srli_epi16(p, 8)), one), 8);
		const __m512i r = _mm512_and_si512(_mm512_add_epi16(p, h), low);

		put_levels(row->out + j * (uint32_t)size / 8,
			   _mm512_mask_add_epi16(h, _mm512_cmpgt_epu16_mask(r, m), h, one), size,
			   row->width - j);
		phase = rip_mask_phase(row, phase, step);
	}
}

TARGET static void bytes_levels_avx512bw(const struct rip_mask_row *row)
{
	if (row->levels <= 4)
		bytes_levels(row, 2);
	else
		bytes_levels(row, 4);
}

INLINE_TARGET void words_levels(const struct rip_mask_row *row, int size)
{
	const __m512i steps = _mm512_set1_epi16((short)(row->levels - 1));
	const __m512i one = _mm512_set1_epi16(1);
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase;

	for (uint32_t j = 0; j < row->width; j += 32) {
		const __m512i x = words_here(in + j, row->width - j);
		/* x * steps = 65536 * high + low = 65535 * high + sum.  If the sum reaches 65535,
		 * there is one more level, and 65535 less remain: one more modulo 65536. */
		const __m512i high = _mm512_mulhi_epu16(x, steps);
		const __m512i sum = _mm512_add_epi16(high, _mm512_mullo_epi16(x, steps));
		const __m512i next = _mm512_add_epi16(sum, one);
		const __mmask32 more = _mm512_cmple_epu16_mask(next, high);
		const __m512i h = _mm512_mask_add_epi16(high, more, high, one);
		const __m512i l = _mm512_mask_mov_epi16(sum, more, next);
		const __mmask32 dot =
			_mm512_cmpgt_epu16_mask(l, _mm512_loadu_si512(mask + phase));

		put_levels(row->out + j * (uint32_t)size / 8, _mm512_mask_add_epi16(h, dot, h, one),
			   size, row->width - j);
		phase = rip_mask_phase(row, phase, step);
	}
}

TARGET static void words_levels_avx512bw(const struct rip_mask_row *row)
{
	if (row->levels <= 4)
		words_levels(row, 2);
	else
		words_levels(row, 4);
}

void rip_mask_ops_avx512bw(struct rip_mask_ops *ops)
{
	*ops = (struct rip_mask_ops){ bytes_avx512bw, words_avx512bw, bytes_levels_avx512bw,
				      words_levels_avx512bw };
}
#endif
