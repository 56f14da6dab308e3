/* The ink limit of rows, with each instruction set, against its definition, pixel by pixel. */
#include "config.h"

#include <string.h>

#include "halftone/page/ink_limit.h"
#include "halftone/simd/isa.h"
#include "tests/tools/testing.h"

#define FULL 65535

/* Planes of samples of 8 or 16 bits, and what the definition makes of them. */
#define ROOM (65536 + 96)
static uint16_t rows[RIP_PLANES_MAX][ROOM], before[RIP_PLANES_MAX][ROOM],
	want[RIP_PLANES_MAX][ROOM];

static uint32_t sample_at(const struct rip_ink_limit *limit, const void *row, uint32_t j)
{
	return limit->sample_bits == 8 ? ((const uint8_t *)row)[j] : ((const uint16_t *)row)[j];
}

static uint32_t x_of(const struct rip_ink_limit *limit, uint32_t p, uint32_t sample)
{
	return limit->curves[p] ? limit->curves[p][sample] :
	       limit->sample_bits == 8 ? 257 * sample : sample;
}

/* The largest sample, none above `most`, whose x is at most that; 0 if there is none. */
static uint32_t sample_of(const struct rip_ink_limit *limit, uint32_t p, uint32_t most, uint32_t x)
{
	if (!limit->curves[p])
		return limit->sample_bits == 8 ? x / 257 : x;
	while (most > 0 && limit->curves[p][most] > x)
		most--;
	return most;
}

/* The definition: ink_limit.h. */
static void limit_pixel(const struct rip_ink_limit *limit, uint32_t v[])
{
	uint64_t all = 0, black = 0, rest, factor;

	for (uint32_t p = 0; p < limit->planes; p++)
		all += x_of(limit, p, v[p]);
	if (all <= limit->most)
		return;
	if (limit->black >= 0)
		black = x_of(limit, (uint32_t)limit->black, v[limit->black]);
	rest = limit->most > black ? limit->most - black : 0;
	factor = all > black ? (rest << 16) / (all - black) : 0;
	for (uint32_t p = 0; p < limit->planes; p++) {
		const uint64_t x = x_of(limit, p, v[p]);

		if ((int)p != limit->black && x > 0)
			v[p] = sample_of(limit, p, (1u << limit->sample_bits) - 1,
					 (uint32_t)(x * factor >> 16));
	}
}

/* The features that this test may use.  RIPTIDE_ISA_MASK may have limited them. */
static unsigned features;

/* Limits rows that begin `offset` samples into their buffers, with each instruction set, and
 * compares all that is in the buffers. */
static void check(const struct rip_ink_limit *limit, const uint32_t offset[], uint32_t width)
{
	const uint32_t bytes = limit->sample_bits / 8;
	void *at[RIP_PLANES_MAX];

	for (uint32_t p = 0; p < limit->planes; p++)
		memcpy(want[p], before[p], sizeof want[p]);
	for (uint32_t j = 0; j < width; j++) {
		uint32_t v[RIP_PLANES_MAX];

		for (uint32_t p = 0; p < limit->planes; p++)
			v[p] = sample_at(limit, (uint8_t *)before[p] + offset[p] * bytes, j);
		limit_pixel(limit, v);
		for (uint32_t p = 0; p < limit->planes; p++) {
			if (bytes == 1)
				((uint8_t *)want[p])[offset[p] + j] = (uint8_t)v[p];
			else
				want[p][offset[p] + j] = (uint16_t)v[p];
		}
	}
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++) {
		if (!isa->built || isa->features & ~features)
			continue;
		assert_int_equal(rip_isa_limit(isa->name), 0);
		for (uint32_t p = 0; p < limit->planes; p++) {
			memcpy(rows[p], before[p], sizeof rows[p]);
			at[p] = (uint8_t *)rows[p] + offset[p] * bytes;
		}
		rip_ink_limit_apply(limit, at, width);
		for (uint32_t p = 0; p < limit->planes; p++)
			for (uint32_t i = 0; i < ROOM; i++)
				if (rows[p][i] != want[p][i])
					fail_msg(
						"%s, at most %u of %u planes of %u bits, black "
						"%d, %u columns: "
						"plane %u, 2 bytes from %u on: %#x instead of %#x",
						isa->name, limit->most, limit->planes,
						limit->sample_bits, limit->black, width, p, 2 * i,
						rows[p][i], want[p][i]);
	}
}

/* Four inks without curves: each sample of the first one, beside all totals that are possible, with
 * each black, or with some. */
static void check_all(uint32_t most, bool has_black, bool each_black)
{
	static const uint32_t offset[RIP_PLANES_MAX] = { 1, 2, 3, 4 };
	uint16_t *none[RIP_PLANES_MAX] = { NULL };
	struct rip_ink_limit limit;

	assert_int_equal(rip_ink_limit_init(&limit, most, 4, 8, has_black ? 3 : -1, none), 0);
	for (unsigned k = 0; k < 256; k += each_black ? 1 : 1 + rip_test_below(40))
		for (uint32_t more = 0; more <= 510; more += 256) { /* 256 samples by 256 totals */
			for (uint32_t j = 0; j < 65536; j++) {
				const uint32_t others = more + j / 256 < 510 ? more + j / 256 : 510;
				const uint32_t one = others < 255 ? others : 255;

				((uint8_t *)before[0])[1 + j] = (uint8_t)j;
				((uint8_t *)before[1])[2 + j] = (uint8_t)one;
				((uint8_t *)before[2])[3 + j] = (uint8_t)(others - one);
				((uint8_t *)before[3])[4 + j] = (uint8_t)k;
			}
			check(&limit, offset, 65536);
		}
	rip_ink_limit_finish(&limit);
}

TEST(all_totals)
{
	check_all(FULL, true, !rip_test_repeated());
	check_all(FULL + rip_test_below(3 * FULL), true, false);
	check_all((100 + rip_test_below(300)) * FULL / 100, false, false);
}

/* Curves that never fall; hostile: with jumps and flat parts. */
static void make_curve(uint16_t *curve, uint32_t count, bool hostile)
{
	uint32_t x = hostile ? rip_test_below(3) * rip_test_below(20000) : 0;

	for (uint32_t v = 0; v < count; v++) {
		curve[v] = (uint16_t)(hostile ? x :
						(uint64_t)FULL * v * v / (count - 1) / (count - 1));
		if (rip_test_below(hostile ? 4 : 1) == 0)
			x += rip_test_below(8 * FULL / count + 1);
		x = x < FULL ? x : FULL;
	}
}

static void fill(uint32_t kind)
{
	for (int p = 0; p < RIP_PLANES_MAX; p++)
		for (int i = 0; i < 2 * ROOM; i++) {
			const uint8_t noise = (uint8_t)rip_test_random();

			((uint8_t *)before[p])[i] = kind == 0 ? noise : kind == 1 ? noise % 60 :
						    kind == 2 ? noise | 192 :
						    kind == 3 ? (noise & 1 ? 255 : 0) :
						    i / 300 % 2 ? noise : 0;
		}
}

/* Any number of inks, limit, width and address, with curves or without. */
TEST(rows)
{
	static uint16_t curves[3][65536];
	const int rounds = rip_test_repeated() ? 60 : 600;

	for (int round = 0; round < rounds; round++) {
		const uint32_t planes = 1 + rip_test_below(round % 2 ? 4 : RIP_PLANES_MAX);
		const uint32_t bits = round % 5 ? 8 : 16,
			       width = 1 + rip_test_below(round % 3 ? 700 : 70);
		const bool straight = round % 3 != 1;
		/* Less than one full ink is a limit, too. */
		const uint32_t most = 1 + rip_test_below((round % 7 ? planes : 1) * FULL + 5);
		uint16_t *of[RIP_PLANES_MAX] = { NULL };
		uint32_t offset[RIP_PLANES_MAX];
		struct rip_ink_limit limit;

		if (round % 50 == 0 || round < 2)
			fill(round / 50 % 5);
		for (int i = 0; i < 3; i++)
			make_curve(curves[i], 1u << bits, i > 0);
		for (uint32_t p = 0; p < planes; p++) {
			offset[p] = rip_test_below(90);
			of[p] = straight || rip_test_below(5) == 0 ? NULL :
								     curves[rip_test_below(3)];
		}
		assert_int_equal(rip_ink_limit_init(&limit, most, planes, bits,
						    (int)rip_test_below(planes + 1) - 1, of), 0);
		if (limit.most > 0)
			check(&limit, offset, width);
		rip_ink_limit_finish(&limit);
	}
}

BEFORE_TESTS
{
	features = rip_isa_features();
}
