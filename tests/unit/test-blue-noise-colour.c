/* Blue noise for colour: the claims of halftone/screen/blue_noise_colour.h, and its law. */
#include "tests/tools/testing.h"

#include <errno.h>

#include "halftone/engine_cpu.h"
#include "halftone/page/band.h"
#include "halftone/screen/blue_noise_colour.h"
#include "tests/tools/oracle.h"

static const struct rip_screen *const screen = &rip_screens[RIP_BLUE_NOISE_COLOUR];

static enum rip_ink ink_of(char letter)
{
	switch (letter) {
	case 'K':           return RIP_INK_BLACK;
	case 'C': case 'R': return RIP_INK_CYAN;
	case 'M': case 'G': return RIP_INK_MAGENTA;
	case 'Y': case 'B': return RIP_INK_YELLOW;
	case 'c':           return RIP_INK_LIGHT_CYAN;
	case 'm':           return RIP_INK_LIGHT_MAGENTA;
	case 'k':           return RIP_INK_LIGHT_BLACK;
	default:            return RIP_INK_OTHER;
	}
}

/* --- the order of the inks ----------------------------------------------------------------- */

/* The steps as letters, with ! behind one that is alone and > behind one that looks ahead. */
static const char *order_of(const char *letters)
{
	static char order[3 * RIP_PLANES_MAX + 1];
	struct rip_colour_step steps[RIP_PLANES_MAX];
	enum rip_ink inks[RIP_PLANES_MAX] = { 0 };
	const uint32_t planes = (uint32_t)strlen(letters);
	char *to = order;

	for (uint32_t p = 0; p < planes; p++)
		inks[p] = ink_of(letters[p]);
	rip_colour_plan(inks, planes, steps);
	for (uint32_t s = 0; s < planes; s++) {
		*to++ = letters[steps[s].plane];
		if (steps[s].alone)
			*to++ = '!';
		if (steps[s].looks)
			*to++ = '>';
	}
	*to = '\0';
	return order;
}

TEST(inks_have_an_order)
{
	assert_string_equal(order_of("CMYK"), "K!M>CY");
	assert_string_equal(order_of("KCMY"), "K!M>CY");
	assert_string_equal(order_of("CMY"), "M>CY");
	assert_string_equal(order_of("RGB"), "G>RB");
	assert_string_equal(order_of("CMYKcmk"), "K!M>Cm>ckY");
	assert_string_equal(order_of("xYyC"), "CYxy"); /* others last, in their own order */
	assert_string_equal(order_of("abxd"), "a>bxd");
	assert_string_equal(order_of("abcd"), "cabd"); /* c is a light cyan */
	assert_string_equal(order_of("K"), "K!");
	assert_string_equal(order_of("Y"), "Y!");
}

/* --- bounds -------------------------------------------------------------------------------- */

/* The error of every plane that counts in halves is in int16: at all edges. */
TEST(errors_stay_in_bounds)
{
	static const int32_t edges[] = { -32768, -32767, -16385, -16384, -16383, -1, 0, 1, 16383,
					 16384, 16385, 32766, 32767 };
	int32_t most = 0, least = 0;

	for (int32_t f = 0; f < 65535;
	     f += f < 300 || f > 65200 ? 1 : 1 + (int32_t)rip_test_below(40))
		for (size_t i = 0; i < COUNT(edges); i++)
			for (size_t k = 0; k < COUNT(edges); k++) {
				const int32_t u = edges[i], sees = edges[k],
					      half = rip_colour_half(f);
				const bool dot = f &&
						 rip_colour_dot(u, half, sees, RIP_COLOUR_WEIGHT);
				const int32_t e = half + u - (dot ? 32768 : 0);

				assert_in_range(e + 32768, 0, 65535);
				assert_true(dot ? e < u : e >= u);
				most = e > most ? e : most;
				least = e < least ? e : least;
			}
	assert_int_equal(most, 32767); /* the bound is met */
	assert_int_equal(least, -32768);
}

TEST(the_coupling_fades)
{
	assert_int_equal(rip_colour_weight(0, 0), RIP_COLOUR_WEIGHT);
	assert_int_equal(rip_colour_weight(131064, 0), RIP_COLOUR_WEIGHT);
	assert_int_equal(rip_colour_weight(0, RIP_COLOUR_FADE), RIP_COLOUR_WEIGHT);
	assert_int_equal(rip_colour_weight(RIP_COLOUR_FADE - 4096, RIP_COLOUR_FADE),
			 RIP_COLOUR_WEIGHT);
	assert_int_equal(rip_colour_weight(RIP_COLOUR_FADE - 1000, RIP_COLOUR_FADE), 4000);
	assert_int_equal(rip_colour_weight(RIP_COLOUR_FADE, RIP_COLOUR_FADE), 0);
	assert_int_equal(rip_colour_weight(131064, RIP_COLOUR_FADE), 0);
	assert_int_equal(rip_colour_ink(65535, false), 8191);
	assert_int_equal(rip_colour_ink(65535, true), 0);
}

TEST(registration_decides)
{
	static const struct {
		uint32_t um, x, y;
		enum rip_screen_id screen;
		uint32_t fade;
	} cases[] = {
		{ 0, 600, 600, RIP_BLUE_NOISE_COLOUR, 0 },
		{ 15, 600, 600, RIP_BLUE_NOISE_COLOUR, 0 },
		{ 16, 600, 600, RIP_BLUE_NOISE_COLOUR, RIP_COLOUR_FADE },
		{ 30, 600, 600, RIP_BLUE_NOISE_COLOUR, RIP_COLOUR_FADE },
		{ 42, 600, 300, RIP_BLUE_NOISE_COLOUR, RIP_COLOUR_FADE },
		{ 43, 300, 600, RIP_BLUE_NOISE, RIP_COLOUR_FADE },
		{ 30, 1200, 1200, RIP_BLUE_NOISE, RIP_COLOUR_FADE },
		{ 30, 300, 300, RIP_BLUE_NOISE_COLOUR, 0 },
		{ RIP_REGISTRATION_MAX, 100000, 1, RIP_BLUE_NOISE, RIP_COLOUR_FADE },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		uint32_t fade;

		assert_ptr_equal(rip_colour_screen(cases[i].um, cases[i].x, cases[i].y, &fade),
				 &rip_screens[cases[i].screen]);
		assert_int_equal(fade, cases[i].fade);
	}
}

/* --- the law ------------------------------------------------------------------------------- */

enum { WIDTH = 333, HEIGHT = 100 };

/* A hostile page of a fixed generator: ramps with noise and extremes, empty rows, rows of text. */
static void fill(uint8_t *samples, uint32_t planes)
{
	uint32_t z = 1;

	for (uint32_t p = 0; p < planes; p++)
		for (uint32_t i = 0; i < HEIGHT; i++)
			for (uint32_t j = 0; j < WIDTH; j++) {
				uint32_t v;

				z = z * 1664525 + 1013904223;
				v = (i * 40 / HEIGHT + j * 200 / WIDTH + p * 17 + (z >> 27)) % 256;
				if ((z >> 8) % 97 == 0)
					v = 255 * (z >> 20 & 1);
				if (i >= 40 && i < 44 && p == 1)
					v = 0;
				if (i >= 60 && i < 63)
					v = j % 7 ? 255 : 0;
				*samples++ = (uint8_t)v;
			}
}

static uint64_t hash_of(const uint8_t *bytes, size_t count)
{
	uint64_t hash = 14695981039346656037u;

	for (; count > 0; count--)
		hash = (hash ^ *bytes++) * 1099511628211u;
	return hash;
}

/* The engine's levels of a page, in bands of some rows. */
static void halftone(struct rip_engine *engine, const struct rip_page_spec *spec, uint32_t height,
		     const void *samples, uint8_t *levels)
{
	const size_t pitch = (size_t)spec->width * spec->sample_bits / 8;
	const uint32_t bits = rip_dot_bits(spec->levels);
	struct rip_page *page;
	struct rip_band *band;

	assert_int_equal(rip_engine_open_page(engine, spec, RIP_START_NOISE, &page), 0);
	assert_int_equal(rip_band_new(spec, height, &band), 0);
	for (uint32_t row = 0, rows; row < height; row += rows) {
		struct rip_strip strips[RIP_PLANES_MAX];
		unsigned count;

		rows = 1 + rip_test_below(height - row);
		rip_band_reset(band, row);
		for (uint32_t p = 0; p < spec->planes; p++)
			rip_band_put_rows(band, p,
					  (const uint8_t *)samples + (p * height + row) * pitch,
					  (ptrdiff_t)pitch, rows);
		count = rip_band_strips(band, strips);
		assert_int_equal(engine->ops->push(page, strips, count), 0);
		assert_int_equal(engine->ops->pull(page), 0);
		for (uint32_t i = 0; i < spec->planes * rows; i++) {
			const uint32_t p = i / rows;
			const uint8_t *dots = rip_band_dots(band, p, i % rows);
			uint8_t *to = levels + (size_t)(p * height + row + i % rows) * spec->width;

			for (uint32_t j = 0; j < spec->width; j++)
				to[j] = (uint8_t)oracle_unpack(dots, j, bits);
		}
	}
	rip_band_free(band);
	engine->ops->close(page);
}

static struct rip_engine *cpu_engine(const char *isa, unsigned threads)
{
	const struct rip_cpu_config config = { .isa = isa, .threads = threads };
	struct rip_engine *engine;

	assert_int_equal(rip_engine_cpu_new(&config, &engine), 0);
	return engine;
}

/* The oracle, and plain C and the best SIMD in some threads, give the dots that were agreed on. */
TEST(the_law_is_kept)
{
	static const struct {
		const char *inks;
		uint32_t levels, end, light;
		uint64_t hash;
	} cases[] = {
		{ "CMYK", 2, 65535, 0, 0xe3de6b6929df120 },
		{ "CMYK", 2, 6554, 0, 0x4b7097502e7219 },
		{ "CMY", 3, 65535, 0, 0x682c61291a510cd0 },
		{ "CMYKcm", 4, 6554, 0, 0xd2e0cdf17373e061 },
		{ "RGB", 2, 6554, 1, 0x303149309e9ba20b },
		{ "Kr", 16, 65535, 0, 0x622946f6aa5f25cb },
		{ "abcd", 2, 65535, 0, 0xf79a07d0138ab35 },
		{ "K", 2, 65535, 0, 0x5911b440ac183536 },
	};
	struct rip_engine *engines[] = { cpu_engine("c", 1), cpu_engine("c", 4),
					 cpu_engine(NULL, 3) };

	for (size_t i = 0; i < COUNT(cases); i++) {
		const uint32_t planes = (uint32_t)strlen(cases[i].inks);
		const size_t samples = (size_t)planes * HEIGHT * WIDTH;
		AUTO_FREE uint8_t *in = malloc(samples), *levels = malloc(samples);
		AUTO_FREE uint16_t *x = malloc(samples * sizeof *x);
		struct rip_page_spec spec = {
			.width = WIDTH,
			.planes = planes,
			.levels = cases[i].levels,
			.sample_bits = 8,
			.screen = screen,
			.coupling.light = cases[i].light,
			.coupling.fade = cases[i].end == 65535 ? 0 : cases[i].end,
		};

		for (uint32_t p = 0; p < planes; p++)
			spec.coupling.inks[p] = ink_of(cases[i].inks[p]);
		fill(in, planes);
		for (size_t k = 0; k < samples; k++)
			x[k] = (uint16_t)(257 * in[k]);
		assert_true(oracle_colour(x, WIDTH, HEIGHT, cases[i].inks, spec.levels,
					  cases[i].end, cases[i].light, true, levels));
		assert_int_equal(hash_of(levels, samples), cases[i].hash);
		for (size_t e = 0; e < COUNT(engines); e++) {
			memset(levels, 0xff, samples);
			halftone(engines[e], &spec, HEIGHT, in, levels);
			assert_int_equal(hash_of(levels, samples), cases[i].hash);
		}
	}
	for (size_t e = 0; e < COUNT(engines); e++)
		engines[e]->ops->free(engines[e]);
}

/* A sample of a random page; every fifth row has only 0 and full. */
static uint32_t random_sample(uint32_t row, uint32_t kind, uint32_t full)
{
	if (row % 5 == 0 || (kind == 1 && rip_test_below(20)))
		return rip_test_below(2) * full;
	return kind == 2 ? 1 + rip_test_below(full - 1) : rip_test_below(full + 1);
}

/* Random pages: the dots of the oracle. */
TEST(random_pages_are_right)
{
	static const char letters[] = "KCMYcmkx";
	struct rip_engine *engines[] = { cpu_engine("c", 1), cpu_engine("c", 3),
					 cpu_engine(NULL, 1), cpu_engine(NULL, 3) };
	AUTO_FREE uint16_t *curve = malloc(65536 * sizeof *curve);

	for (uint32_t v = 0; v < 65536; v++)
		curve[v] = (uint16_t)(rip_test_below(4) ? rip_test_random() :
							  rip_test_below(2) * 65535);
	for (int round = 0; round < (RIP_TEST_SANITIZED ? 20 : 60); round++) {
		struct rip_page_spec spec = {
			.width = 1 + rip_test_below(rip_test_below(2) ? 700 : 100),
			.planes = 1 + rip_test_below(7),
			.levels = rip_test_below(2) ? 2 : 2 + rip_test_below(15),
			.sample_bits = rip_test_below(3) ? 8 : 16,
			.screen = screen,
			.curve = rip_test_below(3) ? NULL : curve,
			.coupling.light = rip_test_below(2),
			.coupling.fade = rip_test_below(2) ? 0 : 1 + rip_test_below(20000),
		};
		const uint32_t height = 1 + rip_test_below(120),
			       full = (1u << spec.sample_bits) - 1;
		const size_t count = (size_t)spec.planes * height * spec.width;
		AUTO_FREE uint16_t *in = malloc(count * 2), *x = malloc(count * 2);
		AUTO_FREE uint8_t *want = malloc(count), *got = malloc(count);
		char inks[RIP_PLANES_MAX + 1] = "";

		for (uint32_t p = 0; p < spec.planes; p++) {
			inks[p] = letters[rip_test_below(8)];
			spec.coupling.inks[p] = ink_of(inks[p]);
		}
		for (size_t k = 0; k < count; k++) {
			const uint32_t row = (uint32_t)(k / spec.width);
			const uint32_t v = random_sample(row, row / height % 3, full);

			if (spec.sample_bits == 8)
				((uint8_t *)in)[k] = (uint8_t)v;
			else
				in[k] = (uint16_t)v;
			x[k] = spec.curve            ? curve[v] :
			       spec.sample_bits == 8 ? oracle_x8(v) :
						       (uint16_t)v;
		}
		assert_true(oracle_colour(x, spec.width, height, inks, spec.levels,
					  spec.coupling.fade ? spec.coupling.fade : 65535,
					  spec.coupling.light, true, want));
		for (size_t e = 0; e < COUNT(engines); e++) {
			halftone(engines[e], &spec, height, in, got);
			for (size_t k = 0; k < count; k++)
				if (got[k] != want[k])
					fail_msg(
						"%s, engine %zu, inks %s, %u levels, %u bits: "
						"plane %zu, row %zu, "
						"column %zu is %u, not %u",
						engines[e]->device, e, inks, spec.levels,
						spec.sample_bits, k / spec.width / height,
						k / spec.width % height, k % spec.width, got[k],
						want[k]);
		}
	}
	for (size_t e = 0; e < COUNT(engines); e++)
		engines[e]->ops->free(engines[e]);
}

/* K among others, and a plane that has no others, have the dots of blue noise. */
TEST(black_is_alone)
{
	AUTO_FREE uint8_t *in = malloc(4 * HEIGHT * WIDTH);
	AUTO_FREE uint8_t *want = malloc(4 * HEIGHT * WIDTH), *got = malloc(4 * HEIGHT * WIDTH);
	struct rip_engine *engine = cpu_engine(NULL, 1);

	fill(in, 4);
	for (uint32_t planes = 1; planes <= 4; planes += 3) {
		struct rip_page_spec spec = {
			.width = WIDTH,
			.planes = planes,
			.levels = 2,
			.sample_bits = 8,
			.screen = &rip_screens[RIP_BLUE_NOISE],
			.coupling.inks = { RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_BLACK,
					   RIP_INK_YELLOW },
		};
		const size_t at = planes == 1 ? 0 : 2 * HEIGHT * WIDTH;

		halftone(engine, &spec, HEIGHT, in, want);
		spec.screen = screen;
		halftone(engine, &spec, HEIGHT, in, got);
		assert_memory_equal(got + at, want + at, HEIGHT * WIDTH);
		if (planes > 1)
			assert_memory_not_equal(got, want, HEIGHT * WIDTH);
	}
	engine->ops->free(engine);
}

/* Coupled planes come together, or not at all. */
TEST(planes_come_together)
{
	const struct rip_page_spec spec = {
		.width = WIDTH, .planes = 3, .levels = 2, .sample_bits = 8, .screen = screen
	};
	struct rip_page_spec bad = spec;
	static uint8_t in[2 * WIDTH], out[2 * WIDTH];
	struct rip_strip strips[3];

	assert_int_equal(rip_page_spec_check(&spec), 0);
	for (uint32_t p = 0; p < 3; p++)
		strips[p] = (struct rip_strip){ .plane = p, .rows = 2, .in = in, .in_pitch = WIDTH,
						.out = out, .out_pitch = WIDTH };
	assert_true(rip_strips_check(&spec, strips, 3));
	assert_true(rip_strips_check(&spec, strips, 0));
	assert_false(rip_strips_check(&spec, strips, 2));
	strips[1].rows = 1;
	assert_false(rip_strips_check(&spec, strips, 3));
	strips[1].rows = 2;
	strips[1].plane = 2;
	assert_false(rip_strips_check(&spec, strips, 3));
	bad.coupling.fade = 65536;
	assert_int_equal(rip_page_spec_check(&bad), -EINVAL);
	bad = spec;
	bad.coupling.inks[2] = RIP_INK_LIGHT_BLACK + 1;
	assert_int_equal(rip_page_spec_check(&bad), -EINVAL);
}
