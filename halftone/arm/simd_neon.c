/* Floyd-Steinberg with NEON: 16 rows, 8 in a vector. */
#include "halftone/cpu.h"

#if RIP_CPU_HAS_NEON

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TARGET

#include "halftone/simd_unroll.h"
#include "halftone/tone.h"

#define INLINE static inline __attribute__((always_inline))

#define CHAINS 2
#define VECTOR_BYTES 16
#define SKEW 4
#define RULE "halftone/simd_floyd.inc"

typedef int16x8_t vec;
typedef uint16x8_t keep_t;

#define LANE_OF(r) (r)

INLINE vec v_set(int16_t x) { return vdupq_n_s16(x); }
INLINE vec v_add(vec a, vec b) { return vaddq_s16(a, b); }
INLINE vec v_mulr(vec a, vec b) { return vqrdmulhq_s16(a, b); }
INLINE uint8x16_t bytes_of(vec a) { return vreinterpretq_u8_s16(a); }
INLINE vec of_bytes(uint8x16_t a) { return vreinterpretq_s16_u8(a); }
INLINE vec v_max(vec a, vec b) { return of_bytes(vmaxq_u8(bytes_of(a), bytes_of(b))); }
INLINE bool v_any_white(vec a) { return vmaxvq_u8(bytes_of(a)) == 255; }
INLINE vec v_unpack_lo(vec a, vec b) { return of_bytes(vzip1q_u8(bytes_of(a), bytes_of(b))); }
INLINE vec v_unpack_hi(vec a, vec b) { return of_bytes(vzip2q_u8(bytes_of(a), bytes_of(b))); }
INLINE vec v_load(const void *p) { return of_bytes(vld1q_u8(p)); }
INLINE vec v_loadu(const void *p) { return of_bytes(vld1q_u8(p)); }
INLINE void v_store(void *p, vec a) { vst1q_u8(p, bytes_of(a)); }
INLINE vec v_keep(keep_t k, vec a) { return vandq_s16(vreinterpretq_s16_u16(k), a); }
INLINE vec v_select(keep_t k, vec yes, vec no) { return vbslq_s16(k, yes, no); }
INLINE keep_t keep_or_not(keep_t a, keep_t b) { return vornq_u16(a, b); }

/* All rows but row r; -1: all. */
static keep_t keep_all_but(int r)
{
	uint16_t lanes[8];

	for (int i = 0; i < 8; i++)
		lanes[i] = i == r ? 0 : 0xffff;
	return vld1q_u16(lanes);
}

/* The rows from n on, which is -8 to 16. */
static keep_t keep_from(int n)
{
	uint16_t lanes[8];

	for (int i = 0; i < 8; i++)
		lanes[i] = i < n ? 0 : 0xffff;
	return vld1q_u16(lanes);
}

/* Each lane gets d of the lane above; the first row gets the last word of upper. */
INLINE vec v_shift_on(vec d, vec upper)
{
	return vextq_s16(upper, d, 7);
}

/* The same, but the first row gets the carry. */
INLINE vec v_shift_in(vec d, const int16_t *carry, int c)
{
	return v_shift_on(d, vld1q_dup_s16(carry));
}

INLINE void v_carry_out(int16_t *to, vec d)
{
	vst1q_lane_s16(to, d, 7);
}

/* u + A: A is x, or 65536 for x = 65535. */
INLINE vec v_add_target(vec u, vec x)
{
	return v_add(u, vsubq_s16(x, vreinterpretq_s16_u16(vceqq_s16(x, v_set(-1)))));
}

/* --- samples ---------------------------------------------------------------------------- */

/* Column c of both chains' 8 rows is vector c.  Each byte is used twice: 257*v. */
struct samples {
	int q;
};

INLINE struct samples load_samples(int q)
{
	return (struct samples){ q };
}

INLINE vec sample(const struct samples *s, int k, int c, const uint8_t *tile)
{
	const uint8x16_t column = vld1q_u8(tile + c * VECTOR_BYTES);

	return of_bytes(k == 0 ? vzip1q_u8(column, column) : vzip2q_u8(column, column));
}

/* --- samples of 16 bits, and levels -------------------------------------------------------- */

INLINE uint16x8_t words_of(vec a) { return vreinterpretq_u16_s16(a); }
INLINE vec of_words(uint16x8_t a) { return vreinterpretq_s16_u16(a); }
INLINE vec v_unpack16_lo(vec a, vec b) { return vzip1q_s16(a, b); }
INLINE vec v_unpack16_hi(vec a, vec b) { return vzip2q_s16(a, b); }
INLINE vec v_mul_low(vec a, vec b) { return vmulq_s16(a, b); }
INLINE vec v_add_unsigned(vec a, vec b) { return of_words(vqaddq_u16(words_of(a), words_of(b))); }
INLINE void v_storeu(void *p, vec a) { vst1q_u8(p, bytes_of(a)); }

INLINE vec v_mul_high(vec a, vec b)
{
	const uint32x4_t lo = vmull_u16(vget_low_u16(words_of(a)), vget_low_u16(words_of(b)));
	const uint32x4_t hi = vmull_high_u16(words_of(a), words_of(b));

	return of_words(vuzp2q_u16(vreinterpretq_u16_u32(lo), vreinterpretq_u16_u32(hi)));
}

/* a, and 1 more where b is 65535. */
INLINE vec v_add_if_full(vec a, vec b)
{
	return vsubq_s16(a, of_words(vceqq_s16(b, v_set(-1))));
}

/* Words below 256, as bytes. */
INLINE vec v_pack_words(vec a, vec b)
{
	return of_bytes(vuzp1q_u8(bytes_of(a), bytes_of(b)));
}

/* 8 words of a row. */
INLINE vec v_gather(const uintptr_t *row, uintptr_t offset)
{
	return v_loadu((const void *)(row[0] + offset));
}

/* Tables of 8-bit samples. */
struct maps {
	uint8_t high[256], residue[256];
};

/* table: not used. */
static void maps_init(struct maps *maps, const struct rip_tone *tone, const uint16_t *table)
{
	if (!tone->high)
		return;
	memcpy(maps->high, tone->high, sizeof maps->high);
	for (int v = 0; v < 256; v++)
		maps->residue[v] = (uint8_t)tone->low[v];
}

INLINE vec v_map(vec v, const uint8_t table[256])
{
	const uint8x16_t part = vdupq_n_u8(64), at = bytes_of(v);
	uint8x16_t x = vqtbl4q_u8(vld1q_u8_x4(table), at);

	x = vqtbx4q_u8(x, vld1q_u8_x4(table + 64), vsubq_u8(at, part));
	x = vqtbx4q_u8(x, vld1q_u8_x4(table + 128), vsubq_u8(at, vaddq_u8(part, part)));
	return of_bytes(vqtbx4q_u8(x, vld1q_u8_x4(table + 192), vaddq_u8(at, part)));
}

/* `high` of samples. */
INLINE vec v_high(vec v, const struct maps *maps)
{
	return v_map(v, maps->high);
}

/* v*(levels-1) mod 255, without a curve. */
INLINE vec v_residue(vec v, const struct maps *maps)
{
	return v_map(v, maps->residue);
}

/* 8 * VECTOR_BYTES dots. */
struct dot_bytes {
	const uint8_t *bits;
};

INLINE struct dot_bytes dot_bytes(const uint8_t *dots)
{
	return (struct dot_bytes){ dots };
}

/* Adds the j-th VECTOR_BYTES dots to bytes. */
INLINE vec v_add_dots(vec a, const struct dot_bytes *d, const int j)
{
	const uint8x8_t bit = vcreate_u8(0x0102040810204080);
	const uint8x16_t dots = vcombine_u8(vdup_n_u8(d->bits[2 * j]), vdup_n_u8(d->bits[2 * j + 1]));

	return of_bytes(vsubq_u8(bytes_of(a), vtstq_u8(dots, vcombine_u8(bit, bit))));
}

/* Pairs of bytes as one: the first times 16 or 4, plus the second. */
INLINE vec v_pairs4(vec a, vec b)
{
	return of_bytes(vsliq_n_u8(vuzp2q_u8(bytes_of(a), bytes_of(b)),
				   vuzp1q_u8(bytes_of(a), bytes_of(b)), 4));
}

INLINE vec v_pairs2(vec a, vec b)
{
	return of_bytes(vsliq_n_u8(vuzp2q_u8(bytes_of(a), bytes_of(b)),
				   vuzp1q_u8(bytes_of(a), bytes_of(b)), 2));
}

INLINE vec v_in_order4(vec a) { return a; }
INLINE vec v_in_order2(vec a) { return a; }

/* --- dots ---------------------------------------------------------------------------------- */

/* The last 16 dots of each lane, the oldest in the highest bit. */
struct bits {
	uint16x8_t lanes;
};

INLINE void bits_begin(struct bits *b)
{
	b->lanes = vdupq_n_u16(0);
}

/* The dot is u + x > 32767.  Where A = x, that is when the 16-bit sum wraps, and it then wraps
 * to e < u. */
INLINE void bits_add(struct bits *b, vec x, vec u, vec e, const bool grey)
{
	const uint16x8_t dot = vcgtq_s16(u, grey ? e : veorq_s16(x, v_set(INT16_MAX)));

	b->lanes = vsliq_n_u16(dot, b->lanes, 1);
}

/* The end of a row: the bytes of the last vector, and the bits of the last byte. */
struct tail {
	uint32_t bytes;
	uint8x16_t bits;
};

struct dots {
	uint16x8_t now;     /* of a block: 16 dots of each lane */
	uint16x8_t last;    /* the previous block */
	uint16x8_t delayed; /* the same, 16 columns of each row */
	int16x8_t  shift;   /* SKEW*r % 16 */
	uint16x8_t late;    /* lanes less than 16 columns behind, whose dots wait for the others */
	uint16x8_t words[8]; /* 8 times 16 columns */
};

INLINE void bits_end(const struct bits *b, struct dots *d, int q)
{
	d->now = b->lanes;
}

static void dots_init(struct dots *d, int k)
{
	int16_t shift[8];
	uint16_t late[8];

	memset(d, 0, sizeof *d);
	for (int r = 0; r < 8; r++) {
		const int t = SKEW * (8 * k + r);

		shift[r] = (int16_t)(t % 16);
		late[r] = t / 16 == SKEW * 8 * k / 16 ? 0xffff : 0;
	}
	d->shift = vld1q_s16(shift);
	d->late = vld1q_u16(late);
}

/* Makes words of the last block's dots, with the same columns in all rows. */
INLINE void dots_pack(struct dots *d, uint32_t slot)
{
	const uint16x8_t x = vorrq_u16(vshlq_u16(d->last, d->shift),
				       vshlq_u16(d->now, vsubq_s16(d->shift, v_set(16))));

	d->words[slot] = vbslq_u16(d->late, d->delayed, x);
	d->last = d->now;
	d->delayed = x;
}

static void tail_init(struct tail *t, uint32_t bytes, uint8_t last)
{
	uint8_t bits[16];

	memset(bits, 0xff, sizeof bits);
	bits[bytes - 1] = last;
	t->bits = vld1q_u8(bits);
	t->bytes = bytes;
}

/* Stores the first n bytes (1..16) of x, in pieces that overlap. */
INLINE void store_some(uint8_t *to, uint8x16_t x, uint32_t n)
{
	uint8_t bytes[16];

	vst1q_u8(bytes, x);
	if (n >= 8) {
		memcpy(to, bytes, 8);
		memcpy(to + n - 8, bytes + n - 8, 8);
	} else {
		for (uint32_t i = 0; i < n; i++)
			to[i] = bytes[i];
	}
}

/* Stores 128 columns of all rows except the first `missing`; fewer, if there is a tail. */
INLINE void dots_write(const struct dots *d, uintptr_t out, uintptr_t pitch, uint32_t missing,
		   const struct tail *tail)
{
	uint16x8_t a[8], b[8];

	UNROLL
	for (int i = 0; i < 8; i++)
		a[i] = d->words[i];
	/* Three perfect shuffles transpose 8 words of 8 rows. */
	UNROLL
	for (int stage = 0; stage < 3; stage++) {
		UNROLL
		for (int i = 0; i < 4; i++) {
			b[2 * i] = vzip1q_u16(a[i], a[i + 4]);
			b[2 * i + 1] = vzip2q_u16(a[i], a[i + 4]);
		}
		UNROLL
		for (int i = 0; i < 8; i++)
			a[i] = b[i];
	}
	UNROLL
	for (uint32_t r = 0; r < 8; r++) {
		const uint8x16_t x = vrev16q_u8(vreinterpretq_u8_u16(a[r]));
		uint8_t *to = (uint8_t *)(out + r * pitch);

		if (r < missing)
			continue;
		if (tail)
			store_some(to, vandq_u8(x, tail->bits), tail->bytes);
		else
			vst1q_u8(to, x);
	}
}

#include "halftone/simd_kernel.inc"

RIP_SIMD_KERNEL(rip_simd_neon);

#endif
