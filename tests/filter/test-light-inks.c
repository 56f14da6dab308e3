/* Light inks: the ink limit of their pixels, and pages of the real filter. */
#include "tests/tools/testing.h"

#include <math.h>

#include "filter/ink/light_inks.h"
#include "filter/ink/light_limit.h"
#include "tests/tools/oracle.h"
#include "tests/tools/raster.h"
#include "tone/plane_curve.h"

#define FULL 65535

/* ---- the ink limit ---- */

/* Curves as two inks have them, or hostile ones. */
static void make_curves(bool hostile, uint16_t dark[256], uint16_t light[256], uint16_t alone[256])
{
	const struct rip_light_ink ink = { 0.05 + rip_test_below(45) / 100., 1, 0 };

	for (int v = 0; v < 256; v++) {
		double d, l;

		rip_light_split(&ink, 0.05, v / 255., &d, &l);
		dark[v] = (uint16_t)(hostile ? (long)rip_test_below(65536) : lrint(FULL * d));
		light[v] = (uint16_t)(hostile ? (long)rip_test_below(65536) : lrint(FULL * l));
		alone[v] = (uint16_t)(hostile ? (int)rip_test_below(65536) : 257 * v);
	}
	if (hostile)
		dark[255] = FULL; /* as much as the least limit allows */
}

#define WIDTH 1301

struct limited {
	struct rip_light_limit limit;
	uint16_t dark[4][256], light[3][256], alone[3][256];
	uint8_t  samples[4][WIDTH];
	uint16_t x[7][WIDTH], before[7][WIDTH];
};

static void apply(struct limited *t)
{
	const void *samples[4];
	uint16_t *x[7];

	for (uint32_t p = 0; p < t->limit.colours; p++) {
		const int light = t->limit.light[p];

		samples[p] = t->samples[p];
		for (int j = 0; j < WIDTH; j++) {
			t->x[p][j] = t->dark[p][t->samples[p][j]];
			if (light >= 0)
				t->x[light][j] = t->light[light - 4][t->samples[p][j]];
		}
	}
	for (uint32_t p = 0; p < t->limit.planes; p++)
		x[p] = t->x[p];
	memcpy(t->before, t->x, sizeof t->x);
	rip_light_limit_apply(&t->limit, samples, x, WIDTH);
}

static uint32_t sum_of(const struct limited *t, uint16_t (*x)[WIDTH], int j)
{
	uint32_t sum = 0;

	for (uint32_t p = 0; p < t->limit.planes; p++)
		sum += x[p][j];
	return sum;
}

/* CMYK with light cyan, light magenta and, or not, light black. */
static void set_up(struct limited *t, bool hostile, bool light_black, uint32_t percent)
{
	t->limit = (struct rip_light_limit){
		.most = percent * FULL / 100,
		.sample_bits = 8,
		.colours = 4,
		.planes = light_black ? 7u : 6u,
		.light = { 4, 5, -1, light_black ? 6 : -1 },
		.black = 3,
		.alone = { t->alone[0], t->alone[1], NULL, light_black ? t->alone[2] : NULL },
	};
	make_curves(hostile, t->dark[0], t->light[0], t->alone[0]);
	make_curves(hostile, t->dark[1], t->light[1], t->alone[1]);
	make_curves(hostile, t->dark[3], t->light[2], t->alone[2]);
	for (int v = 0; v < 256; v++) {
		t->dark[2][v] = (uint16_t)(257 * v);
		if (!light_black)
			t->dark[3][v] = (uint16_t)(257 * v);
	}
	for (int p = 0; p < 4; p++)
		for (int j = 0; j < WIDTH; j++)
			t->samples[p][j] = rip_test_below(4) ? (uint8_t)rip_test_below(256) : 255;
}

/* No pixel has more than the limit; what keeps it stays; black stays. */
TEST(no_pixel_exceeds)
{
	static struct limited t;
	unsigned changed = 0;

	for (int round = 0; round < 60; round++) {
		const bool hostile = round % 2, light_black = round % 3 == 0;

		set_up(&t, hostile, light_black, round % 4 == 3 ? 100 : 100 + rip_test_below(500));
		apply(&t);
		for (int j = 0; j < WIDTH; j++) {
			const uint32_t before = sum_of(&t, t.before, j), after = sum_of(&t, t.x, j);
			const uint32_t black = t.before[3][j] + (light_black ? t.before[6][j] : 0);

			if (after > t.limit.most)
				fail_msg("column %d has %u, and at most %u are allowed", j, after,
					 t.limit.most);
			assert_int_equal(t.x[3][j], t.before[3][j]);
			if (light_black && black <= t.limit.most)
				assert_int_equal(t.x[6][j], t.before[6][j]);
			for (uint32_t p = 0; p < t.limit.planes; p++)
				if (before <= t.limit.most)
					assert_int_equal(t.x[p][j], t.before[p][j]);
			/* Nothing is wasted: a step of 2^-16 of all inks. */
			if (before > t.limit.most && black <= t.limit.most) {
				assert_true(after + 24 > t.limit.most);
				changed++;
			}
		}
	}
	assert_true(changed > 1000);
}

/* The tone of a colour hardly changes as long as light inks can give way: what its two inks absorb
 * together stays within two points, and dark inks never get less. */
TEST(light_inks_give_way)
{
	static struct limited t;
	unsigned gave = 0;

	for (int round = 0; round < 40; round++) {
		set_up(&t, false, false, 110 + rip_test_below(150));
		for (int j = 0; j < WIDTH; j++) { /* blue, in the light tones */
			t.samples[0][j] = (uint8_t)rip_test_below(140);
			t.samples[1][j] = (uint8_t)rip_test_below(140);
			t.samples[2][j] = t.samples[3][j] = 0;
		}
		apply(&t);
		for (int j = 0; j < WIDTH; j++)
			for (int p = 0; p < 2; p++) {
				assert_true(t.x[p][j] >= t.before[p][j] &&
					    t.x[p + 4][j] <= t.before[p + 4][j]);
				gave += t.x[p + 4][j] < t.before[p + 4][j];
			}
	}
	assert_true(gave > 100);
}

/* What the limit makes of one pixel, x, as light_limit.h has it. */
static void limit_pixel(const struct limited *t, int j, uint32_t x[7])
{
	uint32_t alone[4], rest = t->limit.most, both = 0, least = 0, fade = 65536, factor = 65536;

	for (uint32_t p = 0; p < 4; p++) {
		const int light = t->limit.light[p];
		const uint32_t d = x[p], l = light < 0 ? 0 : x[light];

		alone[p] = light < 0 ? d : t->alone[light - 4][t->samples[p][j]];
		if (alone[p] > d + l || alone[p] < d)
			alone[p] = d + l;
		if ((int)p == t->limit.black)
			continue;
		both += d + l;
		least += alone[p];
	}
	rest -= x[t->limit.black];
	if (t->limit.light[t->limit.black] >= 0) {
		uint32_t *light = &x[t->limit.light[t->limit.black]];

		*light = *light < rest ? *light : rest;
		rest -= *light;
	}
	if (both > rest && least <= rest) {
		fade = (uint32_t)(((uint64_t)(rest - least) << 16) / (both - least));
	} else if (both > rest) {
		fade = 0;
		factor = (uint32_t)(((uint64_t)rest << 16) / least);
	}
	for (uint32_t p = 0; p < 4; p++) {
		const int light = t->limit.light[p];
		const bool fades = light >= 0 && alone[p] < x[p] + x[light];

		if ((int)p == t->limit.black)
			continue;
		if (fades) {
			x[p] += (uint32_t)((uint64_t)(alone[p] - x[p]) * (65536 - fade) >> 16);
			x[light] = (uint32_t)((uint64_t)x[light] * fade >> 16);
		}
		x[p] = (uint32_t)((uint64_t)x[p] * factor >> 16);
		if (light >= 0)
			x[light] = (uint32_t)((uint64_t)x[light] * factor >> 16);
	}
}

/* A row is limited as its pixels one by one, whichever of them exceed the limit. */
TEST(limit_by_pixel)
{
	static struct limited t;

	for (int round = 0; round < 200; round++) {
		set_up(&t, round % 3 == 0, round % 2, 100 + rip_test_below(round % 5 ? 300 : 1));
		for (int j = 0; round % 4 == 0 && j < WIDTH; j++) /* few pixels with much ink */
			for (int p = 0; p < 4 && rip_test_below(100); p++)
				t.samples[p][j] = (uint8_t)rip_test_below(30);
		apply(&t);
		for (int j = 0; j < WIDTH; j++) {
			uint32_t x[7] = { 0 };

			for (uint32_t p = 0; p < t.limit.planes; p++)
				x[p] = t.before[p][j];
			if (sum_of(&t, t.before, j) > t.limit.most)
				limit_pixel(&t, j, x);
			for (uint32_t p = 0; p < t.limit.planes; p++)
				assert_int_equal(t.x[p][j], x[p]);
		}
	}
}

/* From one limit to the next, no ink jumps. */
TEST(limit_is_continuous)
{
	static struct limited t, next;

	for (int round = 0; round < 20; round++) {
		set_up(&t, false, true, 100);
		for (uint32_t percent = 100; percent < 420; percent += 1 + rip_test_below(30)) {
			t.limit.most = percent * FULL / 100;
			next = t; /* with pointers to the curves of the first */
			next.limit.most += FULL / 100;
			apply(&t);
			apply(&next);
			for (int j = 0; j < WIDTH; j++)
				for (int p = 0; p < 7; p++)
					assert_true(abs(next.x[p][j] - t.x[p][j]) <= FULL / 20);
		}
	}
}

/* ---- pages ---- */

/* What a page's dots must be: the source of each plane of theirs, and whether it is light. */
static const struct kind {
	cups_cspace_t space;
	const char   *options;
	cups_cspace_t out[2]; /* with 2 levels, and with more */
	unsigned      planes, dark;
	unsigned      light_of[3];
	int           black;
} kinds[] = {
	{ CUPS_CSPACE_KCMYcm, "", { CUPS_CSPACE_KCMYcm, CUPS_CSPACE_DEVICE6 }, 6, 4, { 1, 2 }, 0 },
	{ CUPS_CSPACE_KCMYcm,
	  "halftone-light-inks=k",
	  { CUPS_CSPACE_DEVICE7, CUPS_CSPACE_DEVICE7 },
	  7,
	  4,
	  { 1, 2, 0 },
	  0 },
	{ CUPS_CSPACE_KCMY,
	  "halftone-light-inks=cm",
	  { CUPS_CSPACE_KCMYcm, CUPS_CSPACE_DEVICE6 },
	  6,
	  4,
	  { 1, 2 },
	  0 },
	{ CUPS_CSPACE_CMYK,
	  "halftone-light-inks=CM",
	  { CUPS_CSPACE_DEVICE6, CUPS_CSPACE_DEVICE6 },
	  6,
	  4,
	  { 0, 1 },
	  3 },
	{ CUPS_CSPACE_CMYK,
	  "riptideLightInks=cmk",
	  { CUPS_CSPACE_DEVICE7, CUPS_CSPACE_DEVICE7 },
	  7,
	  4,
	  { 0, 1, 3 },
	  3 },
	{ CUPS_CSPACE_CMY,
	  "halftone-light-inks=cmk",
	  { CUPS_CSPACE_DEVICE5, CUPS_CSPACE_DEVICE5 },
	  5,
	  3,
	  { 0, 1 },
	  -1 },
	{ CUPS_CSPACE_K,
	  "halftone-light-inks=k",
	  { CUPS_CSPACE_DEVICE2, CUPS_CSPACE_DEVICE2 },
	  2,
	  1,
	  { 0 },
	  0 },
	/* These have no such inks. */
	{ CUPS_CSPACE_K,
	  "halftone-light-inks=cm",
	  { CUPS_CSPACE_K, CUPS_CSPACE_K },
	  1,
	  1,
	  { 0 },
	  -1 },
	{ CUPS_CSPACE_RGB,
	  "halftone-light-inks=cmk",
	  { CUPS_CSPACE_RGB, CUPS_CSPACE_RGB },
	  3,
	  3,
	  { 0 },
	  -1 },
};

/* x of an ink, for the strength 0.3 or what the limit leaves of it. */
static void expected_pixel(const struct kind *kind, double strength, uint32_t most,
			   const uint32_t in[4], uint16_t x[7])
{
	const struct rip_light_ink ink = { strength, 1, 0 };
	uint32_t both = 0, alone = 0, rest = most, black = 0, l[4] = { 0 }, d[4], single[4];
	unsigned light_plane[4] = { 0 };

	for (unsigned i = kind->dark; i < kind->planes; i++)
		light_plane[kind->light_of[i - kind->dark]] = i;
	for (unsigned p = 0; p < kind->dark; p++) {
		double dark = in[p] / 65535., light = 0;

		if (light_plane[p])
			rip_light_split(&ink, 0.05, dark, &dark, &light);
		d[p] = (uint32_t)lrint(FULL * dark);
		l[p] = (uint32_t)lrint(FULL * light);
		single[p] = light_plane[p] && in[p] < d[p] + l[p] && in[p] >= d[p] ? in[p] :
										     d[p] + l[p];
		if ((int)p == kind->black)
			black = d[p] + l[p];
		else {
			both += d[p] + l[p];
			alone += single[p];
		}
	}
	if (most && both + black > most) {
		if ((int)black > (int)most)
			l[kind->black] = most - d[kind->black];
		rest = black > most ? 0 : most - black;
		for (unsigned p = 0; p < kind->dark; p++) {
			const uint64_t fade = alone <= rest ? ((uint64_t)(rest - alone) << 16) /
								      (both - alone) :
							      0;
			const uint64_t factor = alone <= rest ? 65536 :
								((uint64_t)rest << 16) / alone;

			if ((int)p == kind->black || both <= rest)
				continue;
			if (single[p] != d[p] + l[p]) {
				d[p] += (uint32_t)((single[p] - d[p]) * (65536 - fade) >> 16);
				l[p] = (uint32_t)(l[p] * fade >> 16);
			}
			d[p] = (uint32_t)(d[p] * factor >> 16);
			l[p] = (uint32_t)(l[p] * factor >> 16);
		}
	}
	for (unsigned p = 0; p < kind->dark; p++) {
		x[p] = (uint16_t)d[p];
		if (light_plane[p])
			x[light_plane[p]] = (uint16_t)l[p];
	}
}

static unsigned dot_at(const cups_page_header2_t *h, const uint8_t *dots, unsigned p,
		       unsigned column, unsigned row)
{
	const uint8_t *line = dots + (size_t)row * h->cupsBytesPerLine;

	if (h->cupsColorOrder == CUPS_ORDER_CHUNKED)
		return oracle_unpack(line, (size_t)column * h->cupsNumColors + p,
				     h->cupsBitsPerColor);
	return oracle_unpack(line + (size_t)p * (h->cupsBytesPerLine / h->cupsNumColors), column,
			     h->cupsBitsPerColor);
}

static void check_dots(const struct kind *kind, const cups_page_header2_t *in,
		       const uint8_t *pixels, const cups_page_header2_t *out, const uint8_t *dots,
		       unsigned levels, double strength, uint32_t most)
{
	const unsigned width = in->cupsWidth, height = in->cupsHeight;
	const size_t count = (size_t)width * height;
	AUTO_FREE uint16_t *xs = malloc(7 * count * sizeof *xs);
	AUTO_FREE uint8_t *level = malloc(count);

	for (size_t i = 0; i < count; i++) {
		uint32_t v[4] = { 0 };
		uint16_t x[7] = { 0 };

		for (unsigned p = 0; p < kind->dark; p++) {
			v[p] = raster_sample(in, pixels, p, (unsigned)(i % width),
					     (unsigned)(i / width));
			v[p] *= in->cupsBitsPerColor == 8 ? 257 : 1;
		}
		if (kind->planes == kind->dark)
			for (unsigned p = 0; p < kind->dark; p++)
				x[p] = (uint16_t)v[p];
		else
			expected_pixel(kind, strength, most, v, x);
		for (unsigned p = 0; p < kind->planes; p++)
			xs[p * count + i] = x[p];
	}
	for (unsigned p = 0; p < kind->planes; p++) {
		assert_true(oracle_halftone(xs + p * count, width, height, levels, "blue-noise", p,
					    true, level));
		for (size_t i = 0; i < count; i++)
			if (dot_at(out, dots, p, (unsigned)(i % width), (unsigned)(i / width)) !=
			    level[i])
				fail_msg("plane %u, row %zu, column %zu is not %u", p, i / width,
					 i % width, level[i]);
	}
}

static void check_page(const struct kind *kind, cups_page_header2_t h, const char *more,
		       unsigned levels, bool pwg, double strength, uint32_t most)
{
	char options[256];
	struct run run = { .options = options,
			   .env = { pwg ? "FINAL_CONTENT_TYPE=image/pwg-raster" : NULL } };
	struct bytes_reader reader = { &run.out, 0 };
	AUTO_FREE uint8_t *pixels = raster_pixels(&h), *dots;
	cups_raster_t *raster;
	cups_page_header2_t out;

	snprintf(options, sizeof options, "halftone-screen=blue-noise halftone-levels=%u %s %s",
		 levels, kind->options, more);
	run_pages(&run, RASTER_V3, h, pixels, 1);
	if (run.status != 0 || run_count(&run, "ERROR:") || run_count(&run, "WARNING:"))
		fail_msg("%s: status %d: %s", options, run.status, (char *)run.err.data);
	raster = cupsRasterOpenIO(bytes_read, &reader, CUPS_RASTER_READ);
	dots = raster_read(raster, &out);
	assert_non_null(dots);
	assert_int_equal(out.cupsColorSpace, pwg && kind->planes > 4 ?
						     CUPS_CSPACE_DEVICE1 + kind->planes - 1 :
						     kind->out[levels > 2]);
	assert_int_equal(out.cupsNumColors, kind->planes);
	assert_int_equal(out.cupsBitsPerColor, levels > 2 ? 2 : 1);
	assert_int_equal(out.cupsColorOrder,
			 pwg || kind->planes == 1 ? CUPS_ORDER_CHUNKED : CUPS_ORDER_BANDED);
	check_dots(kind, &h, pixels, &out, dots, levels, strength, most);
	cupsRasterClose(raster);
	run_free(&run);
}

/* Every kind of page, each with another size, depth, order, strength and limit. */
TEST(pages)
{
	static const unsigned widths[] = { 1, 7, 255, 256, 257, 600 };
	unsigned n = 0;

	for (size_t k = 0; k < COUNT(kinds); k++)
		for (unsigned levels = 2; levels <= 4; levels += 2)
			for (int limit = 0; limit < 2; limit++, n++) {
				const unsigned percent = 100 + rip_test_below(250),
					       strength = 5 + rip_test_below(46);
				char more[128] = "";
				size_t used = 0;

				if (limit && kinds[k].space != CUPS_CSPACE_RGB)
					used += (size_t)snprintf(more, sizeof more,
								 "halftone-ink-limit=%u ", percent);
				if (n % 3)
					snprintf(more + used, sizeof more - used,
						 "halftone-light-strength=%u", strength);
				check_page(&kinds[k],
					   raster_page(kinds[k].space, (n + k) % 2,
						       n % 3 == 1 ? 16 : 8,
						       widths[n % COUNT(widths)], 40),
					   more, levels, false, n % 3 ? strength / 100. : 0.3,
					   used ? percent * FULL / 100 : 0);
			}
}

TEST(pwg)
{
	for (size_t k = 0; k < 5; k++)
		check_page(&kinds[k], raster_page(kinds[k].space, CUPS_ORDER_CHUNKED, 8, 133, 20),
			   "", 2, true, 0.3, 0);
}

/* Dots of six inks that come as such, a byte for each pixel. */
TEST(dots)
{
	cups_page_header2_t h = raster_page(CUPS_CSPACE_KCMYcm, CUPS_ORDER_CHUNKED, 8, 75, 9), out;
	AUTO(run_free) struct run run = { .options = "halftone-light-inks=cmk" };
	struct bytes_reader reader = { &run.out, 0 };
	uint8_t pixels[9 * 75], *dots;
	cups_raster_t *raster;

	h.cupsBitsPerColor = 1;
	h.cupsBitsPerPixel = 8;
	h.cupsBytesPerLine = 75;
	h.cupsNumColors = 6;
	for (size_t i = 0; i < sizeof pixels; i++)
		pixels[i] = (uint8_t)rip_test_below(256); /* the first two bits mean nothing */
	run_pages(&run, RASTER_V3, h, pixels, 1);
	assert_int_equal(run.status, 0);
	raster = cupsRasterOpenIO(bytes_read, &reader, CUPS_RASTER_READ);
	dots = raster_read(raster, &out);
	assert_non_null(dots);
	assert_int_equal(out.cupsColorSpace, CUPS_CSPACE_KCMYcm);
	assert_int_equal(out.cupsColorOrder, CUPS_ORDER_BANDED);
	assert_int_equal(out.cupsBytesPerLine, 60);
	for (int y = 0; y < 9; y++)
		for (int p = 0; p < 6; p++)
			for (int x = 0; x < 75; x++)
				assert_int_equal(dots[y * 60 + p * 10 + x / 8] >> (7 - x % 8) & 1,
						 pixels[y * 75 + x] >> (5 - p) & 1);
	cupsRasterClose(raster);
	free(dots);
}
