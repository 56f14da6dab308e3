/* The screens with masks: their names, and what their thresholds promise. */
#include "tests/tools/testing.h"

#include "halftone/screen/mask_screen.h"

/* Black, cyan, magenta, yellow, and an ink without a name. */
static struct rip_mask_use use_of(uint32_t dpi, bool light)
{
	return (struct rip_mask_use){
		.x_dpi = dpi, .y_dpi = dpi, .light = light, .planes = 5,
		.inks = { RIP_INK_BLACK, RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
			  RIP_INK_OTHER },
	};
}

static void make(struct rip_mask_screen *screen, const char *name, uint32_t dpi, bool light)
{
	const struct rip_mask_use use = use_of(dpi, light);
	char why[256] = "";

	if (rip_mask_screen_init(screen, name, &use, why, sizeof why) != 0)
		fail_msg("%s at %u dpi: %s", name, dpi, why);
}

TEST(names)
{
	static const struct { uint32_t dpi; const char *name, *got; } cases[] = {
		{ 600, "clustered", "clustered-106" },
		{ 600, "Clustered-141", "clustered-141" },
		{ 600, "clustered-139", "clustered-141" },
		{ 600, "clustered-106", "clustered-106" },
		{ 600, "clustered-85", "clustered-85" },
		{ 360, "clustered-47", "clustered-42" }, /* not the 51 that came later */
		{ 360, "clustered-51", "clustered-51" },
		{ 1200, "clustered-212", "clustered-212" },
		{ 1200, "clustered-141", "clustered-141" },
		{ 300, "clustered", "clustered-71" },
		{ 203, "clustered", "clustered-72" },
		{ 2400, "clustered", "clustered-189" },
		{ 2400, "clustered-150", "clustered-154" },
		{ 2540, "clustered", "clustered-163" },
		{ 2540, "clustered-200", "clustered-200" },
		{ 600, "BAYER", "bayer" },
		{ 600, "Blue-Noise-Mask", "blue-noise-mask" },
		{ 600, "bi-level", "bi-level" },
		{ 1, "clustered", "clustered-0" },
		{ 0, "clustered", "clustered-106" },
		{ 1200, "clustered", "clustered-141" },
		{ 720, "clustered", "clustered-127" },
		{ UINT32_MAX, "clustered", "clustered-3928" },
	};
	struct rip_mask_screen screen;
	unsigned choices = 0;

	while (rip_screen_choice(choices))
		choices++;
	assert_int_equal(choices, RIP_SCREENS + 6);
	assert_string_equal(rip_screen_choice(0), "floyd-steinberg");
	assert_string_equal(rip_screen_choice(RIP_SCREENS + 2), "clustered-LPI");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(rip_mask_screen_known(cases[i].name));
		make(&screen, cases[i].name, cases[i].dpi, false);
		assert_string_equal(screen.base.name, cases[i].got);
		assert_int_equal(screen.base.reach, 0);
		assert_int_equal(screen.base.kind, strcmp(cases[i].got, "bi-level") ?
						   RIP_SCREEN_MASK : RIP_SCREEN_BI_LEVEL);
	}
}

TEST(wrong_names)
{
	static const char *const unknown[] = { "", "cluster", "clustered-", "clustered-0",
					       "clustered-12x", "clustered--5", "clustered-12345",
					       "floyd-steinberg", "clustered-LPI",
					       "bayer " };
	const struct rip_mask_use use = use_of(600, false);
	struct rip_mask_use unknown_dpi, coarse;
	struct rip_mask_screen screen;
	char why[256];

	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
		assert_false(rip_mask_screen_known(unknown[i]));
		assert_int_equal(rip_mask_screen_init(&screen, unknown[i], &use, why, sizeof why),
				 -ENOENT);
	}
	assert_string_equal(
		why,
		"no screen bayer : choose floyd-steinberg, jarvis-judice-ninke, stucki, burkes, "
		"sierra, atkinson, blue-noise, blue-noise-colour, labels, clustered, "
		"clustered-LPI, blue-noise-mask, "
		"bayer or bi-level");
	/* 133 is 8 away from the nearest. */
	assert_true(rip_mask_screen_known("clustered-133"));
	assert_int_equal(rip_mask_screen_init(&screen, "clustered-133", &use, why, sizeof why),
			 -ENOENT);
	assert_string_equal(
		why, "no screen clustered-133 at 600 x 600 dpi: choose clustered-212, "
		     "clustered-141, clustered-106, clustered-85, clustered-71 or clustered-47");
	/* Unknown is 600 dpi. */
	unknown_dpi = use;
	unknown_dpi.x_dpi = unknown_dpi.y_dpi = 0;
	assert_int_equal(rip_mask_screen_init(&screen, "clustered-133", &unknown_dpi, why,
					      sizeof why),
			 -ENOENT);
	assert_string_equal(
		why, "no screen clustered-133 at 600 x 600 dpi: choose clustered-212, "
		     "clustered-141, clustered-106, clustered-85, clustered-71 or clustered-47");
	/* What is offered exists, also where a cell is larger than an inch. */
	coarse = use_of(1, false);
	assert_int_equal(rip_mask_screen_init(&screen, "clustered-133", &coarse, why, sizeof why),
			 -ENOENT);
	assert_string_equal(why, "no screen clustered-133 at 1 x 1 dpi: choose clustered-1");
	assert_int_equal(rip_mask_screen_init(&screen, "clustered-1", &coarse, why, sizeof why), 0);
	/* Little room is no reason to write past it. */
	memset(why, 'x', sizeof why);
	assert_int_equal(rip_mask_screen_init(&screen, "clustered-133", &use, why, 30), -ENOENT);
	assert_int_equal(strlen(why), 29);
	assert_int_equal(why[30], 'x');
}

/* A plane of light has the inverted dots of a plane of ink with inverted samples, for every
 * sample and every number of levels. */
TEST(light_is_inverted_ink)
{
	static const char *const all[] = { "clustered", "clustered-141", "blue-noise-mask",
					   "bayer" };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct rip_mask_screen ink, light;

		make(&ink, all[i], 600, false);
		make(&light, all[i], 600, true);
		for (uint32_t p = 0; p < 5; p++) {
			const struct rip_mask *a = ink.base.masks[p], *b = light.base.masks[p];

			assert_int_equal(a->height, b->height);
			assert_int_equal(a->width, b->width);
			for (int k = 0; k < 200000; k++) {
				const uint32_t at = rip_test_below(a->height * a->width);
				const uint32_t n = 2 + rip_test_below(15);
				const uint32_t x = rip_test_below(4) ? 257 * rip_test_below(256)
								     : rip_test_below(65536);
				const uint32_t of_light = (uint32_t)rip_target(x, n);
				const uint32_t of_ink = (uint32_t)rip_target(65535 - x, n);

				assert_int_equal(of_light / 65536 +
							 (of_light % 65536 > b->thresholds[at]) +
							 of_ink / 65536 +
							 (of_ink % 65536 > a->thresholds[at]),
						 n - 1);
			}
		}
	}
}

/* ---- what the thresholds promise ---- */

static uint32_t pixels_of(const struct rip_mask *mask)
{
	return mask->height * mask->width;
}

static uint16_t at(const struct rip_mask *mask, int64_t y, int64_t x)
{
	const int64_t h = mask->height, w = mask->width;

	return mask->thresholds[((y % h + h) % h) * w + (x % w + w) % w];
}

/* Every tone is right to one pixel of the mask: as many thresholds lie below x as the tone
 * wants.  There are at least 14,000 different ones. */
static void check_tones(const struct rip_mask *mask, bool light)
{
	const uint32_t count = pixels_of(mask);
	uint32_t *below_x = calloc(65537, sizeof *below_x), tones = 0;

	assert_non_null(below_x);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(mask->thresholds[i] <= 65534);
		below_x[mask->thresholds[i] + 1]++;
	}
	for (uint32_t x = 1; x <= 65535; x++) {
		const int64_t wanted = (int64_t)(light ? x + 1 : x) * count;

		tones += below_x[x] > 0;
		below_x[x] += below_x[x - 1];
		if (x < 65535 && llabs((int64_t)below_x[x] * 65536 - wanted) > 65536 + count)
			fail_msg("tone %u: %u of %u pixels", x, below_x[x], count);
	}
	assert_int_equal(below_x[65535], count); /* full is full */
	assert_in_range(tones, 14000, 65536);
	free(below_x);
}

TEST(tones)
{
	static const uint32_t dpis[] = { 203, 300, 600, 1200, 2400, 2540, 4800 };

	for (size_t d = 0; d < sizeof dpis / sizeof dpis[0]; d++) {
		unsigned lpi[16], count = rip_mask_screen_lpi(dpis[d], dpis[d], lpi, 16);
		struct rip_mask_screen screen;
		char name[32];

		assert_in_range(count, 1, 16);
		for (unsigned i = 0; i < count; i++)
			for (int light = 0; light < 2; light++) {
				snprintf(name, sizeof name, "clustered-%u", lpi[i]);
				make(&screen, name, dpis[d], light);
				assert_string_equal(screen.name, name);
				for (int p = 0; p < 4; p++)
					check_tones(screen.base.masks[p], light);
			}
	}
	for (int light = 0; light < 2; light++) {
		struct rip_mask_screen screen;

		make(&screen, "bayer", 600, light);
		check_tones(screen.base.masks[0], light);
		make(&screen, "blue-noise-mask", 600, light);
		check_tones(screen.base.masks[3], light);
	}
}

/* Whether the mask is the same so many columns and rows further on, but for the order of the
 * cells: a pixel and its counterpart turn to ink in the same step, one of k, or one of the first
 * `together`. */
static bool repeats(const struct rip_mask *mask, int dx, int dy, uint32_t k, int together)
{
	for (uint32_t y = 0; y < mask->height; y++)
		for (uint32_t x = 0; x < mask->width; x++)
			if (abs(at(mask, y, x) - at(mask, (int64_t)y + dy, (int64_t)x + dx)) >
			    together * (int)(65536 / k + 1))
				return false;
	return true;
}

/* Cells have the size and the angle that the literature of a screen says: they repeat by these
 * columns and rows, and by no shorter way.  Cells of fractions of a pixel, (a, b)/n, repeat after
 * n: they have the pixels of n * n / (a * a + b * b), rounded down.  (Vectors: issue 10, section 4;
 * issue 26, section 2.) */
TEST(period_and_angle)
{
	static const struct {
		uint32_t dpi, planes; /* of K C M Y */
		const char *name;
		int together, a[4], b[4], pixels[4]; /* 0 pixels: whole ones */
	} cases[] = {
		{ 600, 1, "clustered-141", 1, { 3 }, { 3 }, { 0 } },
		{ 600, 4, "clustered-141", 1, { 17, 4, 1, 4 }, { 0, 1, 4, 0 }, { 16 } },
		{ 600, 1, "clustered-106", 1, { 4 }, { 4 }, { 0 } },
		{ 600, 4, "clustered-106", 1, { 13, 5, 1, 7 }, { 0, 1, 5, 0 }, { 21 } },
		{ 600, 4, "clustered-85", 1, { 5, 6, 2, 7 }, { 5, 2, 6, 0 }, { 0 } },
		{ 1200, 4, "clustered-212", 4, { 4, 5, 1, 6 }, { 4, 1, 5, 0 }, { 0 } },
		{ 1200, 4, "clustered-141", 4, { 6, 36, 36, 8 }, { 6, 0, 0, 0 }, { 0, 76, 76 } },
		{ 2400, 4, "clustered-113", 4, { 15, 18, 6, 20 }, { 15, 6, 18, 0 }, { 0 } },
		{ 300, 4, "clustered-71", 1, { 3, 4, 1, 4 }, { 3, 1, 4, 0 }, { 0 } },
		{ 203, 4, "clustered-72", 1, { 2, 3, 1, 3 }, { 2, 1, 3, 0 }, { 0 } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rip_mask_use use = use_of(cases[i].dpi, false);
		struct rip_mask_screen screen;
		char why[200];

		use.planes = cases[i].planes;
		assert_int_equal(rip_mask_screen_init(&screen, cases[i].name, &use, why,
						      sizeof why),
				 0);
		for (uint32_t p = 0; p < cases[i].planes; p++) {
			const int a = cases[i].a[p], b = cases[i].b[p], square = a * a + b * b;
			const uint32_t k = (uint32_t)(cases[i].pixels[p] ? cases[i].pixels[p] :
									   square);
			const int together = cases[i].together;
			const struct rip_mask *mask = screen.base.masks[p];

			assert_true(repeats(mask, a, b, k, together));
			assert_true(repeats(mask, -b, a, k, together));
			for (int dy = -a - b; dy <= a + b; dy++)
				for (int dx = -a - b; dx <= a + b; dx++)
					if (dx * dx + dy * dy > 0 && dx * dx + dy * dy < square)
						assert_false(repeats(mask, dx, dy, k, together));
		}
	}
}

/* Only pages with cyan or magenta change the cells of black: others have those of black alone.  A
 * light black is no colour. */
TEST(black_alone_stays)
{
	static const struct { uint32_t planes; enum rip_ink inks[3]; bool same; } pages[] = {
		{ 2, { RIP_INK_BLACK, RIP_INK_LIGHT_BLACK }, true },
		{ 2, { RIP_INK_BLACK, RIP_INK_YELLOW }, true },
		{ 2, { RIP_INK_BLACK, RIP_INK_MAGENTA }, false },
		{ 2, { RIP_INK_BLACK, RIP_INK_LIGHT_CYAN }, false },
		{ 3, { RIP_INK_BLACK, RIP_INK_OTHER, RIP_INK_OTHER }, false },
	};
	static const uint32_t dpis[] = { 300, 600, 1200, 2400 };

	for (size_t d = 0; d < sizeof dpis / sizeof dpis[0]; d++) {
		unsigned lpi[16], count = rip_mask_screen_lpi(dpis[d], dpis[d], lpi, 16);

		for (size_t i = 0; i < count * (sizeof pages / sizeof pages[0]); i++) {
			const unsigned ruling = lpi[i % count];
			struct rip_mask_use use = { .x_dpi = dpis[d], .y_dpi = dpis[d], .planes = 1,
						    .inks = { RIP_INK_BLACK } };
			struct rip_mask_screen alone, page;
			char name[32], why[200];

			snprintf(name, sizeof name, "clustered-%u", ruling);
			assert_int_equal(rip_mask_screen_init(&alone, name, &use, why, sizeof why),
					 0);
			use.planes = pages[i / count].planes;
			memcpy(use.inks, pages[i / count].inks, sizeof pages[0].inks);
			assert_int_equal(rip_mask_screen_init(&page, name, &use, why, sizeof why),
					 0);
			assert_string_equal(page.name, alone.name);
			assert_int_equal(page.base.masks[0] == alone.base.masks[0],
					 pages[i / count].same || dpis[d] > 600 || ruling < 100);
		}
	}
}

/* The number of clusters of ink (or of paper) at a tone, joined by edges, on the torus. */
static uint32_t clusters(const struct rip_mask *mask, uint32_t x, bool ink)
{
	const uint32_t h = mask->height, w = mask->width;
	AUTO_FREE uint8_t *seen = calloc(h, w);
	uint32_t *stack = malloc((size_t)h * w * sizeof *stack), found = 0;

	assert_true(seen && stack);
	for (uint32_t i = 0; i < h * w; i++) {
		uint32_t depth = 0;

		if (seen[i] || (x > mask->thresholds[i]) != ink)
			continue;
		found++;
		seen[i] = 1;
		stack[depth++] = i;
		while (depth > 0) {
			const uint32_t here = stack[--depth], r = here / w, c = here % w;
			const uint32_t next[] = { (r + 1) % h * w + c, (r + h - 1) % h * w + c,
						  r * w + (c + 1) % w, r * w + (c + w - 1) % w };

			for (int n = 0; n < 4; n++)
				if (!seen[next[n]] && (x > mask->thresholds[next[n]]) == ink) {
					seen[next[n]] = 1;
					stack[depth++] = next[n];
				}
		}
	}
	free(stack);
	return found;
}

/* At 1200 dpi single pixels would leave no toner: black begins with squares of two by two, even in
 * a tint of 2 of 255.  One of them may not be complete. */
TEST(fine_cells_begin_with_squares)
{
	unsigned lpi[16], count = rip_mask_screen_lpi(1200, 1200, lpi, 16);

	for (unsigned i = 0; i < count && lpi[i] >= 141; i++) {
		uint32_t dots = 0, squares = 0;
		struct rip_mask_screen screen;
		const struct rip_mask *mask;
		char name[32];

		snprintf(name, sizeof name, "clustered-%u", lpi[i]);
		make(&screen, name, 1200, false);
		mask = screen.base.masks[0];
		for (uint32_t k = 0; k < pixels_of(mask); k++) {
			const uint32_t y = k / mask->width, x = k % mask->width;

			dots += at(mask, y, x) < 514;
			squares += at(mask, y, x) < 514 && at(mask, y, x + 1) < 514 &&
				   at(mask, y + 1, x) < 514 && at(mask, y + 1, x + 1) < 514;
		}
		assert_int_equal(squares, dots / 4);
	}
}

/* From one pixel a cell on (four where they come at once) every cell is one cluster of ink, until
 * they meet; beyond that every cell is one hole, until there is as little paper.  (Cells of 16 and
 * 21 pixels and fractions, black's of the rosettes at 600 dpi, are too small for that.) */
TEST(cells_are_clusters)
{
	static const struct {
		uint32_t dpi;
		const char *name;
		enum rip_ink ink;
		uint32_t cells, pixels, first;
	} cases[] = {
		{ 600, "clustered-141", RIP_INK_BLACK, 800, 18, 1 },
		{ 600, "clustered-106", RIP_INK_BLACK, 450, 32, 1 },
		{ 600, "clustered-47", RIP_INK_BLACK, 98, 162, 1 },
		{ 1200, "clustered-141", RIP_INK_BLACK, 200, 72, 4 },
		{ 1200, "clustered-141", RIP_INK_CYAN, 272, 76, 4 },
		{ 2400, "clustered-189", RIP_INK_MAGENTA, 160, 129, 4 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const uint32_t cells = cases[i].cells, pixel = 65536 / cases[i].pixels + 2;
		const struct rip_mask_use use = { .x_dpi = cases[i].dpi,
						  .y_dpi = cases[i].dpi,
						  .planes = 1,
						  .inks = { cases[i].ink } };
		const struct rip_mask *mask;
		struct rip_mask_screen screen;
		char why[200];

		assert_int_equal(rip_mask_screen_init(&screen, cases[i].name, &use, why,
						      sizeof why),
				 0);
		mask = screen.base.masks[0];
		for (int round = 0; round < 30; round++) {
			const uint32_t least = cases[i].first * pixel;
			const uint32_t x = least + rip_test_below(65536 * 3 / 8 - least);

			assert_int_equal(clusters(mask, x, true), cells);
			assert_int_equal(clusters(mask, 65535 - x, false), cells);
		}
	}
}

/* On a printer with pixels twice as high as wide, a pixel of the design is two wide. */
TEST(oblong_pixels)
{
	struct rip_mask_use use = use_of(600, false);
	struct rip_mask_screen square, oblong;
	char why[200];

	make(&square, "clustered", 600, false);
	use.x_dpi = 1200;
	assert_int_equal(rip_mask_screen_init(&oblong, "clustered", &use, why, sizeof why), 0);
	assert_string_equal(oblong.name, square.name);
	for (int p = 0; p < 4; p++) {
		const struct rip_mask *a = square.base.masks[p], *b = oblong.base.masks[p];

		assert_int_equal(b->height, a->height);
		assert_int_equal(b->width, 2 * a->width);
		for (uint32_t y = 0; y < b->height; y++)
			for (uint32_t x = 0; x < b->width; x++)
				assert_in_range(abs(at(b, y, x) - at(a, y, x / 2)), 0, 4);
	}
}

/* Two inks' dots meet as seldom as if they did not know of each other: in a*b of all places at the
 * tones a and b.  The same mask at the same place would put them on each other in min(a, b).
 * Bayer's matrix keeps the four dark inks apart up to a quarter each.  (A clustered light ink has
 * the angle of a dark ink of another colour.) */
TEST(inks_meet_by_chance)
{
	static const struct { const char *name; int inks, tones; double least, most; } cases[] = {
		{ "blue-noise-mask", 7, 3, 0.9, 1.1 }, { "clustered", 4, 3, 0.9, 1.1 },
		{ "clustered-141", 4, 3, 0.9, 1.1 }, { "bayer", 4, 1, 0, 0 },
	};
	static const struct rip_mask_use use = {
		.x_dpi = 600,
		.y_dpi = 600,
		.planes = 7,
		.inks = { RIP_INK_BLACK, RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
			  RIP_INK_LIGHT_CYAN, RIP_INK_LIGHT_MAGENTA, RIP_INK_LIGHT_BLACK },
	};
	enum { SIDE = 480 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rip_mask_screen screen;
		char why[200];

		assert_int_equal(rip_mask_screen_init(&screen, cases[i].name, &use, why,
						      sizeof why),
				 0);
		for (int pair = 0; pair < cases[i].inks * cases[i].inks * 9; pair++) {
			const int p = pair / 9 % cases[i].inks, q = pair / 9 / cases[i].inks;
			const int quarters[2] = { 1 + pair % 3, 1 + pair / 3 % 3 };
			uint32_t both = 0;
			double share;

			if (p >= q || quarters[0] > cases[i].tones || quarters[1] > cases[i].tones)
				continue;
			for (int y = 0; y < SIDE; y++)
				for (int x = 0; x < SIDE; x++)
					both += 16384 * quarters[0] >
							at(screen.base.masks[p], y, x) &&
						16384 * quarters[1] >
							at(screen.base.masks[q], y, x);
			share = both * 16.0 / (quarters[0] * quarters[1] * SIDE * SIDE);
			if (share < cases[i].least || share > cases[i].most)
				fail_msg(
					"%s: inks %d and %d at %d and %d %% meet %.3f times as "
					"often as by chance",
					cases[i].name, p, q, 25 * quarters[0], 25 * quarters[1],
					share);
		}
	}
}
