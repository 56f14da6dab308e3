/* Rows of samples against thresholds with AVX2: whole vectors here, what is left over in plain
 * C. */
#include "halftone/simd/isa_code.h"
#include "halftone/mask_rows.h"
#include "dots_avx2.h"

#if defined(__x86_64__)

/* 255 where v <= m, which is no dot. */
INLINE_TARGET __m256i none8(__m256i v, __m256i m)
{
	return _mm256_cmpeq_epi8(_mm256_min_epu8(v, m), v);
}

INLINE_TARGET __m256i none16(__m256i v, __m256i m)
{
	return _mm256_cmpeq_epi16(_mm256_min_epu16(v, m), v);
}

TARGET static void bytes_avx2(const struct rip_mask_row *row)
{
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 64 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 64; j += 64) {
		const uint8_t *m = mask + phase;
		const uint64_t low = ~dots_of(none8(load(in + j), load(m)));
		const uint64_t high = ~dots_of(none8(load(in + j + 32), load(m + 32)));
		const uint64_t bits = (low & 0xffffffff) | high << 32;

		__builtin_memcpy(row->out + j / 8, &bits, sizeof bits);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_bytes_from(row, j);
}

TARGET static void words_avx2(const struct rip_mask_row *row)
{
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 32; j += 32) {
		const uint16_t *m = mask + phase;
		const __m256i a = none16(load(in + j), load(m));
		const __m256i b = none16(load(in + j + 16), load(m + 16));
		/* The halves of a and b are packed in turn: 0, 2, 1, 3. */
		const uint32_t bits =
			~dots_of(_mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xd8));

		__builtin_memcpy(row->out + j / 8, &bits, sizeof bits);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_words_from(row, j);
}

/* ---- more levels: 32 at a time ---- */

/* Stores 32 levels of one byte each as 16 bytes of 4 bits, or 8 bytes of 2. */
INLINE_TARGET void put_levels(uint8_t *out, __m256i levels, int size)
{
	/* Of each pair, the first one is the higher part. */
	const __m256i weights = _mm256_set1_epi16(size == 4 ? 0x0110 : 0x0104);
	const __m256i fours = _mm256_maddubs_epi16(levels, weights);

	if (size == 4) {
		const __m256i packed = _mm256_packus_epi16(fours, fours);

		_mm_storeu_si128((void *)out,
				 _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08)));
	} else {
		const __m256i twos = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x00010010));
		const __m256i words = _mm256_packs_epi32(twos, twos);
		const __m256i packed =
			_mm256_packus_epi16(_mm256_permute4x64_epi64(words, 0x08), words);

		_mm_storel_epi64((void *)out, _mm256_castsi256_si128(packed));
	}
}

/* v * steps = 255 * h + r, for 16 values of 16 bits.  Returns h + 256 * r. */
INLINE_TARGET __m256i divide255(__m256i v, __m256i steps)
{
	const __m256i p = _mm256_mullo_epi16(v, steps);
	const __m256i sum = _mm256_add_epi16(p, _mm256_srli_epi16(p, 8));
	const __m256i h = _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(1)), 8);

	/* r = p - 255 * h, whose lowest 8 bits are those of p + h. */
	return _mm256_or_si256(h, _mm256_slli_epi16(_mm256_add_epi16(p, h), 8));
}

INLINE_TARGET void bytes_levels(const struct rip_mask_row *row, int size)
{
	const __m256i steps = _mm256_set1_epi16((short)(row->levels - 1));
	const __m256i zero = _mm256_setzero_si256(), low = _mm256_set1_epi16(255);
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 32; j += 32) {
		const __m256i v = load(in + j);
		const __m256i a = divide255(_mm256_unpacklo_epi8(v, zero), steps);
		const __m256i b = divide255(_mm256_unpackhi_epi8(v, zero), steps);
		const __m256i h = _mm256_packus_epi16(_mm256_and_si256(a, low),
						      _mm256_and_si256(b, low));
		const __m256i r = _mm256_packus_epi16(_mm256_srli_epi16(a, 8),
						      _mm256_srli_epi16(b, 8));

		/* h + 1, less 1 where there is no dot. */
		put_levels(row->out + j * (uint32_t)size / 8,
			   _mm256_add_epi8(_mm256_add_epi8(h, _mm256_set1_epi8(1)),
					   none8(r, load(mask + phase))), size);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_bytes_levels_from(row, j);
}

TARGET static void bytes_levels_avx2(const struct rip_mask_row *row)
{
	if (row->levels <= 4)
		bytes_levels(row, 2);
	else
		bytes_levels(row, 4);
}

/* The levels of 16 values x.  x * steps = 65536 * high + low = 65535 * high + (high + low): if
 * the last sum reaches 65535, there is one more level, and 65535 less remain, which is one more
 * modulo 65536. */
INLINE_TARGET __m256i word_levels(__m256i x, __m256i m, __m256i steps)
{
	const __m256i high = _mm256_mulhi_epu16(x, steps);
	const __m256i sum = _mm256_add_epi16(high, _mm256_mullo_epi16(x, steps));
	const __m256i ones = _mm256_set1_epi16(-1);
	/* -1 where the sum has wrapped or is 65535: where min(sum + 1, high) is sum + 1. */
	const __m256i rest = _mm256_sub_epi16(sum, ones);
	const __m256i more = _mm256_cmpeq_epi16(_mm256_min_epu16(rest, high), rest);
	const __m256i l = _mm256_sub_epi16(sum, more);

	/* high + 1 - more, less 1 where there is no dot. */
	return _mm256_add_epi16(_mm256_sub_epi16(_mm256_sub_epi16(high, ones), more), none16(l, m));
}

INLINE_TARGET void words_levels(const struct rip_mask_row *row, int size)
{
	const __m256i steps = _mm256_set1_epi16((short)(row->levels - 1));
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 32; j += 32) {
		const uint16_t *m = mask + phase;
		const __m256i a = word_levels(load(in + j), load(m), steps);
		const __m256i b = word_levels(load(in + j + 16), load(m + 16), steps);

		put_levels(row->out + j * (uint32_t)size / 8,
			   _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8), size);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_words_levels_from(row, j);
}

TARGET static void words_levels_avx2(const struct rip_mask_row *row)
{
	if (row->levels <= 4)
		words_levels(row, 2);
	else
		words_levels(row, 4);
}

void rip_mask_ops_avx2(struct rip_mask_ops *ops)
{
	*ops = (struct rip_mask_ops){ bytes_avx2, words_avx2, bytes_levels_avx2,
				      words_levels_avx2 };
}
#endif
