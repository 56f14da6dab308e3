/* Rows of samples against thresholds with AVX-512 BW.  Masks of the instructions leave out what
 * is past the end of a row: no byte there is touched, and none can fault. */
#include "halftone/simd/isa_code.h"
#include "halftone/mask_rows.h"
#include "dots_avx512.h"

#if defined(__x86_64__)

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

/* ---- more levels: 32 at a time ---- */

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
