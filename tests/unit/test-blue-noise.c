/* The blue-noise screen: the claims of halftone/screen/blue_noise.h, and hostile images. */
#include "tests/tools/testing.h"

#include "halftone/screen/blue_noise.h"
#include "halftone/diffuse.h"

static const struct rip_screen *const screen = &rip_screens[RIP_BLUE_NOISE];

/* --- the table --------------------------------------------------------------------------- */

#define SHARES(...) { __VA_ARGS__ },
static const int table[][7] = { RIP_BLUE_NOISE_TABLE(SHARES) };

TEST(shares_sum_to_one)
{
	int down = 0;

	assert_int_equal(sizeof table / sizeof table[0], RIP_BLUE_NOISE_ZONES);
	for (int k = 0; k < 7; k++) {
		int most = 0;

		for (int z = 0; z < RIP_BLUE_NOISE_ZONES; z++) {
			const struct rip_blue_noise_weights *w = &rip_blue_noise[z];
			const int weight = k == 0 ? w->right : k == 1 ? w->right2 : w->below[k - 2];

			assert_in_range(table[z][k], 0, 127);
			assert_int_equal(weight, 256 * table[z][k]);
			most = table[z][k] > most ? table[z][k] : most;
		}
		down += k < 2 ? 0 : most;
	}
	for (int z = 0; z < RIP_BLUE_NOISE_ZONES; z++) {
		int sum = 0;

		for (int k = 0; k < 7; k++)
			sum += table[z][k];
		assert_int_equal(sum, 128);
	}
	/* The bound of the carry, and room for the start noise. */
	assert_int_equal(down, RIP_BLUE_NOISE_DOWN);
	assert_int_equal(RIP_BLUE_NOISE_CARRY, 256 * down);
	assert_in_range(RIP_BLUE_NOISE_CARRY, 16384, 32767);
}

TEST(the_screen_is_named)
{
	assert_int_equal(rip_screen_find("blue-noise"), RIP_BLUE_NOISE);
	assert_int_equal(rip_screen_find("Blue-Noise"), RIP_BLUE_NOISE);
	assert_int_equal(rip_screen_id(screen), RIP_BLUE_NOISE);
	assert_int_equal(screen->kind, RIP_SCREEN_BLUE_NOISE);
	assert_int_equal(screen->reach, 1);
	assert_int_equal(screen->carry_bound[0], RIP_BLUE_NOISE_CARRY);
	assert_null(screen->filter);
}

/* --- zones and sums ------------------------------------------------------------------------ */

TEST(zones_are_in_range_and_rise)
{
	static const double centres[] = { 0, 3, 6, 9, 12 }; /* of 255 */
	int32_t before = -1;

	for (int32_t tone = 0; tone < 65536; tone++) {
		const int32_t first = (int32_t)rip_blue_noise_zone(tone, 0);
		const int32_t last = (int32_t)rip_blue_noise_zone(tone, 255);

		assert_in_range(first, 0, 15);
		assert_in_range(last, first, first + 1 < 15 ? first + 1 : 15);
		if (tone < 32768)
			assert_true(first >= before); /* towards one half */
		before = first;
		assert_int_equal(first,
				 rip_blue_noise_zone(65535 - tone, 0)); /* as dark as light */
		/* Only the low 8 bits of the carry and the low 16 of the target count. */
		assert_int_equal(last,
				 rip_blue_noise_zone(tone + 65536 * 5, -30464 / 256 * 256 + 255));
	}
	assert_int_equal(rip_blue_noise_zone(32767, 255), 15);
	for (int z = 0; z < 5; z++) {
		const int32_t at = (int32_t)(centres[z] * 257 + 2);

		assert_int_equal(rip_blue_noise_zone(at, 0), z);
	}
	for (int z = 5; z < 16; z++) {
		const int32_t at = (int32_t)((22.5 + 10.5 * (z - 5)) * 257);

		/* Half of the carries, more or less, give this zone or the next. */
		assert_in_range(rip_blue_noise_zone(at < 32767 ? at : 32767, 128), z - 1, z);
	}
}

TEST(sums_are_limited)
{
	assert_int_equal(rip_saturated_sum(32767, 1), 32767);
	assert_int_equal(rip_saturated_sum(-32768, -1), -32768);
	assert_int_equal(rip_saturated_sum(30464, -30464), 0);
	assert_int_equal(rip_saturated_sum(-20000, 12), -19988);
	/* The order matters. */
	assert_int_equal(rip_saturated_sum(rip_saturated_sum(30000, 5000), -4000), 28767);
	assert_int_equal(rip_saturated_sum(rip_saturated_sum(30000, -4000), 5000), 31000);
}

/* --- hostile images ------------------------------------------------------------------------ */

/* x of an image that is made to push the carry to its bound. */
static uint16_t hostile(int kind, uint32_t period, uint32_t i, uint32_t j, uint16_t tone)
{
	static const uint16_t edges[] = { 0, 65535, 32768, 32767, 1, 65534, 8738, 60000 };

	switch (kind) {
	case 0: return (uint16_t)rip_test_below(65536);
	case 1: return edges[rip_test_below(8)];
	case 2: return (i + j) / period % 2 ? 65535 : tone;
	case 3: return (uint16_t)(i / 7 * 2654435761u >> 16);
	case 4: return (uint16_t)(j / 5 * 2654435761u >> 16);
	case 5: return rip_test_below(2) ? 65535 : 0;
	default: return rip_test_below(40) ? (i & 1 ? 65535 : 0) : tone; /* a few greys in text */
	}
}

enum { KINDS = 7, WIDTH = 211, HEIGHT = 160 };

TEST(hostile_images_stay_in_bounds)
{
	static uint16_t x[HEIGHT][WIDTH];
	static uint8_t dots[HEIGHT][WIDTH];
	int32_t worst = 0;

	for (uint32_t n = 2; n <= 16; n++)
		for (int kind = 0; kind < KINDS; kind++)
			for (int collect = 0; collect < 2; collect++) {
				const struct rip_page_spec spec = {
					.width = WIDTH, .planes = 1, .levels = n, .sample_bits = 16,
					.screen = screen,
				};
				const uint32_t bits = rip_dot_bits(n),
					       period = 1 + rip_test_below(8);
				const uint16_t tone = (uint16_t)rip_test_below(65536);
				AUTO(rip_diffuser_finish) struct rip_diffuser diffuser;
				AUTO(rip_tone_finish) struct rip_tone tones;
				int16_t carry[WIDTH];

				assert_int_equal(rip_tone_init(&tones, &spec), 0);
				assert_int_equal(rip_diffuser_init(&diffuser, &spec, &tones,
								   collect),
						 0);
				/* The worst that can be imported. */
				for (int j = 0; j < WIDTH; j++) {
					carry[j] = rip_test_below(2) ? RIP_BLUE_NOISE_CARRY :
								       -RIP_BLUE_NOISE_CARRY;
				}
				assert_int_equal(rip_carry_check(&spec, carry), 0);
				rip_diffuser_import(&diffuser, carry);
				for (uint32_t i = 0; i < HEIGHT; i++) {
					const struct rip_strip strip = {
						.rows = 1, .in = x[i], .in_pitch = sizeof x[i],
						.out = dots[i], .out_pitch = sizeof dots[i],
					};

					for (uint32_t j = 0; j < WIDTH; j++)
						x[i][j] = hostile(kind, period, i, j, tone);
					rip_diffuser_run(&diffuser, &strip);
					rip_diffuser_export(&diffuser, carry);
					assert_int_equal(rip_carry_check(&spec, carry), 0);
					for (int j = 0; j < WIDTH; j++)
						worst = abs(carry[j]) > worst ? abs(carry[j]) :
										worst;
					for (uint32_t j = 0; j < WIDTH; j++) {
						const uint32_t level =
							(uint32_t)dots[i][j * bits / 8] >>
								(8 - bits - j * bits % 8) &
							((1u << bits) - 1);

						assert_true(level < n);
						/* No stray dot, no pinhole. */
						if (x[i][j] == 0)
							assert_int_equal(level, 0);
						if (x[i][j] == 65535)
							assert_int_equal(level, n - 1);
					}
				}
			}
	print_message("# largest carry %d of %d\n", worst, RIP_BLUE_NOISE_CARRY);
	assert_true(worst > RIP_BLUE_NOISE_CARRY * 3 / 4); /* the images are hostile */
}

/* A field whose tone is a level is that level, whatever the carry. */
TEST(levels_are_flat)
{
	uint16_t x[WIDTH];
	uint8_t dots[WIDTH];

	for (uint32_t n = 2; n <= 16; n++)
		for (uint32_t level = 0; level < n; level++) {
			const uint16_t tone = (uint16_t)(65535 * level / (n - 1));
			const struct rip_page_spec spec = {
				.width = WIDTH, .planes = 1, .levels = n, .sample_bits = 16,
				.screen = screen,
			};
			const struct rip_strip strip = { .rows = 1, .in = x, .out = dots };
			const uint32_t bits = rip_dot_bits(n);
			struct rip_diffuser diffuser;
			struct rip_tone tones;

			if (65535 * level % (n - 1))
				continue; /* no 16-bit tone is this level */
			for (int j = 0; j < WIDTH; j++)
				x[j] = tone;
			assert_int_equal(rip_tone_init(&tones, &spec), 0);
			assert_int_equal(rip_diffuser_init(&diffuser, &spec, &tones, false), 0);
			rip_diffuser_start(&diffuser, &spec, 0, RIP_START_NOISE);
			for (int i = 0; i < 40; i++) {
				rip_diffuser_run(&diffuser, &strip);
				for (uint32_t j = 0; j < WIDTH; j++)
					assert_int_equal(dots[j * bits / 8] >>
									 (8 - bits - j * bits % 8) &
								 ((1 << bits) - 1),
							 level);
			}
			rip_diffuser_finish(&diffuser);
			rip_tone_finish(&tones);
		}
}

/* The tone of flat fields is exact. */
TEST(tones_are_exact)
{
	enum { SIDE = 320, SKIP = 60 };
	static uint8_t in[SIDE], dots[SIDE / 8];
	const struct rip_page_spec spec = {
		.width = SIDE, .planes = 1, .levels = 2, .sample_bits = 8, .screen = screen,
	};
	double worst = 0;

	for (int v = 1; v < 255; v += 1 + (int)rip_test_below(5)) {
		const struct rip_strip strip = { .rows = 1, .in = in, .out = dots };
		AUTO(rip_diffuser_finish) struct rip_diffuser diffuser;
		AUTO(rip_tone_finish) struct rip_tone tones;
		uint32_t sum = 0;
		double error;

		memset(in, v, sizeof in);
		assert_int_equal(rip_tone_init(&tones, &spec), 0);
		assert_int_equal(rip_diffuser_init(&diffuser, &spec, &tones, true), 0);
		rip_diffuser_start(&diffuser, &spec, 0, RIP_START_NOISE);
		for (int i = 0; i < SIDE + SKIP; i++) {
			rip_diffuser_run(&diffuser, &strip);
			for (size_t k = 0; i >= SKIP && k < sizeof dots; k++)
				sum += (uint32_t)__builtin_popcount(dots[k]);
		}
		error = 255.0 * sum / (SIDE * SIDE) - v;
		error = error < 0 ? -error : error;
		worst = error > worst ? error : worst;
	}
	print_message("# worst tone error %.3f of 255\n", worst);
	assert_true(worst < 0.5); /* most of it at the edges */
}
