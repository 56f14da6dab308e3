/* Fine edges: random pages against their definition, for every layout of lines; and what they are
 * for: grey edges, thin lines and printer data, on simulated paper. */
#include "around_page.h"

#include <math.h>

#include "halftone/screen/mask_screen.h"
#include "tests/quality/picture.h"
#include "tests/quality/printer_data.h"

/* ---- exactness ---- */

/* Even greys, some with steps just above or below those of edges, noise, and nothing but noise. */
static void make_samples(struct page *page)
{
	const uint32_t all = page_lines(page), unit = most_sample(page) / 255;
	const uint32_t noises[] = { 0, 0, 8, 256 }, noise = noises[rip_test_below(4)];
	const uint32_t greys[] = { rip_test_below(256), 47, 48, 207, 208 };
	const uint32_t grey = greys[rip_test_below(5)], areas = rip_test_below(12);

	for (size_t i = 0; i < all * page->line; i++)
		page->samples[i] = (uint16_t)grey;
	for (uint32_t a = 0; a < areas; a++) {
		const uint32_t top = rip_test_below(all),
			       left = rip_test_below((uint32_t)page->line);
		const uint32_t high = 1 + rip_test_below(20),
			       wide = 1 + rip_test_below((uint32_t)page->line);
		const uint32_t steps[] = { 0,	      255,	 grey + 95, grey + 96,
					   grey + 47, grey + 48, grey - 96 };
		const uint32_t v = steps[rip_test_below(7)] & 255;

		for (uint32_t n = top; n < top + high && n < all; n++)
			for (uint32_t i = left; i < left + wide && i < page->line; i++)
				page->samples[n * page->line + i] = (uint16_t)v;
	}
	for (size_t i = 0; i < all * page->line; i++) {
		const uint32_t v = page->samples[i] + (noise ? rip_test_below(noise) : 0);

		page->samples[i] =
			(uint16_t)((v < 255	 ? v :
				    noise == 256 ? v - 255 :
						   255) *
					   unit +
				   (unit > 1 && rip_test_below(2) && v < 255 ? rip_test_below(257) :
									       0));
	}
}

static void make_page(struct page *page, uint16_t *curve)
{
	struct rip_edges_rule *rule = &page->rules.edges;

	make_layout(page, 40);
	make_samples(page);
	rule->edge = 1 + rip_test_below(RIP_FINE_EDGE_MAX);
	rule->inverted = rip_test_below(2);
	rule->full_is_0 = rip_test_below(2);
	if (rip_test_below(3) == 0)
		page->rules.toner =
			(struct rip_toner_rule){ 1 + rip_test_below(4), rip_test_below(2) };
	for (uint32_t v = 0; v <= most_sample(page); v++)
		curve[v] = (uint16_t)rip_test_random();
	for (uint32_t p = 0; p < RIP_PLANES_MAX; p++)
		rule->curves[p] = rip_test_below(2) ? curve : NULL;
}

/* What a sample becomes, from the definition. */
static uint32_t wanted_at(const struct page *page, uint32_t n, uint32_t i)
{
	const struct rip_around_lines *lines = &page->lines;
	const struct rip_edges_rule *rule = &page->rules.edges;
	const int edge = (int)rule->edge, stride = (int)lines->stride,
		  shift = (int)lines->sample_bits - 8;
	const int x = (int)(i % lines->samples), y = (int)(n % lines->height);
	const uint32_t p = (uint32_t)(x % stride) + n / lines->height + i / lines->samples;
	const uint16_t *sample = page->samples + n * page->line + i;
	const uint32_t v = rule->inverted ? most_sample(page) - *sample : *sample;
	const uint32_t tone =
		rule->curves[p] ? rule->curves[p][v] : v * (65535 / most_sample(page));
	const struct rip_mask *mask = rule->masks[p];
	int most = 0, least = 255;

	for (int dy = -edge; dy <= edge; dy++)
		for (int dx = -edge; dx <= edge; dx++) {
			const int there = x + dx * stride;

			if (y + dy < 0 || y + dy >= (int)lines->height || there < 0 ||
			    there >= (int)lines->samples)
				continue;
			most = (int)fmax(most, sample[dy * (int)page->line + dx * stride] >> shift);
			least = (int)fmin(least,
					  sample[dy * (int)page->line + dx * stride] >> shift);
		}
	if (*sample == 0 || *sample == most_sample(page) || !mask ||
	    most - least < (most == 255 || least == 0 ? 48 : 96))
		return *sample;
	return (tone == 65535 || tone > mask->thresholds[(uint32_t)y % mask->height * mask->width +
							 (uint32_t)(x / stride) % mask->width]) ^
	       rule->full_is_0 ? most_sample(page) : 0;
}

/* What one or both rules make of the page. */
static void pass(struct page *page, const struct rip_around_rules *rules, uint16_t *to)
{
	struct rip_around *around;

	page->at = 0;
	assert_int_equal(rip_around_new(rules, &page->lines, &around), 0);
	for (uint32_t n = 0; n < page_lines(page); n++) {
		const uint8_t *line;

		assert_int_equal(rip_around_line(around, &line), 0);
		for (size_t i = 0; i < page->line; i++)
			to[n * page->line + i] = (uint16_t)sample_of(page, line, i);
	}
	rip_around_free(around);
}

/* Compares all samples of a page with what they should become; returns how many changed. */
static size_t check_page(struct page *page)
{
	const size_t count = page->line * page_lines(page);
	const struct rip_around_rules toner = { .toner = page->rules.toner };
	uint16_t *made = malloc(count * sizeof *made), *saved = malloc(count * sizeof *saved);
	size_t changed = 0;

	pass(page, &page->rules, made);
	if (toner.toner.edge) { /* edges are those of what toner save leaves */
		pass(page, &toner, saved);
		memcpy(page->samples, saved, count * sizeof *saved);
	}
	for (size_t i = 0; i < count; i++) {
		const uint32_t n = (uint32_t)(i / page->line), j = (uint32_t)(i % page->line);
		const uint32_t wanted = wanted_at(page, n, j);

		changed += wanted != page->samples[i];
		if (made[i] != wanted)
			fail_msg("line %u, sample %u of %u, stride %u, edge %u, %u bits: %u became "
				 "%u, not %u",
				 n, j, page->lines.samples, page->lines.stride,
				 page->rules.edges.edge, page->lines.sample_bits, page->samples[i],
				 made[i], wanted);
	}
	free(made);
	free(saved);
	free(page->samples);
	return changed;
}

static uint16_t thresholds[3][7 * 5];
static const struct rip_mask masks[3] = {
	{ 1, 5, thresholds[0] }, { 4, 5, thresholds[1] }, { 7, 5, thresholds[2] },
};

static void make_thresholds(void)
{
	for (uint32_t i = 0; i < 3 * 7 * 5; i++)
		thresholds[i / 35][i % 35] = (uint16_t)rip_test_below(65535);
}

TEST(random_pages)
{
	AUTO_FREE uint16_t *curve = malloc(65536 * sizeof *curve);
	size_t changed = 0, all = 0;

	make_thresholds();
	for (int round = 0; round < (RIP_TEST_SANITIZED ? 20 : 120); round++) {
		struct page page;

		make_page(&page, curve);
		for (uint32_t p = 0; p < RIP_PLANES_MAX; p++)
			page.rules.edges.masks[p] =
				rip_test_below(8) ? &masks[rip_test_below(3)] : NULL;
		all += page.line * page_lines(&page);
		changed += check_page(&page);
	}
	assert_true(changed > all / 50 && changed < all / 10 * 9);
}

/* Samples that are looked at together end at column 512.  Those of one side become dots in lines in
 * which the other side is full, and must not make edges below, where it is grey.  (The column 99
 * has edges, so that its side is looked at.) */
TEST(tiles)
{
	const uint32_t width = 1024, height = 40;

	make_thresholds();
	for (uint32_t edge = 1; edge <= RIP_FINE_EDGE_MAX; edge++)
		for (int turned = 0; turned < 2; turned++) {
			struct page page;

			make_plane(&page, width, height);
			page.rules.edges =
				(struct rip_edges_rule){ .edge = edge, .masks = { &masks[2] } };
			for (uint32_t y = 0; y < height; y++)
				for (uint32_t x = 0; x < width; x++)
					page.samples[y * width + (turned ? width - 1 - x : x)] =
						x == 99	       ? 0 :
						x < 512	       ? (y < 20 ? 255 : 250) :
						x < 512 + edge ? 220 :
								 100;
			assert_true(check_page(&page) > 0);
		}
}

/* ---- on paper ---- */

struct image {
	uint32_t width, height, next;
	uint8_t *ink; /* rows of samples, 255 is full */
};

static int read_image(void *context, void *to, uint32_t lines)
{
	struct image *image = context;

	memcpy(to, image->ink + (size_t)image->next * image->width, (size_t)lines * image->width);
	image->next += lines;
	return 0;
}

/* The dots of `clustered` at a resolution, 1 for ink; fine: with fine edges. */
static uint8_t *halftone(struct image *image, uint32_t dpi, bool fine)
{
	const struct rip_mask_use use = {
		.x_dpi = dpi, .y_dpi = dpi, .planes = 1, .inks = { RIP_INK_BLACK }
	};
	const struct rip_around_lines lines = {
		.samples = image->width,
		.stride = 1,
		.rows = 1,
		.sample_bits = 8,
		.height = image->height,
		.read = read_image,
		.context = image,
	};
	uint8_t *dots = malloc((size_t)image->width * image->height);
	struct rip_around_rules rules = { .edges.edge = 0 };
	static struct rip_mask_screen coarse, finer;
	struct rip_around *around = NULL;
	char why[160];

	assert_int_equal(rip_mask_screen_init(&coarse, "clustered", &use, why, sizeof why), 0);
	assert_int_equal(rip_mask_screen_finer(&finer, &coarse.base, &use, &rules.edges.edge), 1);
	rules.edges.masks[0] = finer.base.masks[0];
	image->next = 0;
	if (fine)
		assert_int_equal(rip_around_new(&rules, &lines, &around), 0);
	for (uint32_t y = 0; y < image->height; y++) {
		const struct rip_mask *mask = coarse.base.masks[0];
		const uint8_t *line = image->ink + (size_t)y * image->width;

		if (fine)
			assert_int_equal(rip_around_line(around, &line), 0);
		for (uint32_t x = 0; x < image->width; x++)
			dots[y * image->width + x] =
				line[x] == 255 ||
				line[x] * 257 > mask->thresholds[y % mask->height * mask->width +
								 x % mask->width];
	}
	rip_around_free(around);
	return dots;
}

static struct image new_image(uint32_t side)
{
	return (struct image){ side, side, 0, calloc(side, side) };
}

#define ZOOM 4

/* What a laser makes of dots: a spot of sigma 0.45 pixels, toner where the exposure is above one
 * half.  The share of each pixel that is covered. */
static float *print(const uint8_t *dots, int side)
{
	float spot[ZOOM][5], *across = calloc((size_t)side * side, ZOOM * sizeof *across);
	float *paper = calloc((size_t)side * side, sizeof *paper);

	for (int k = 0; k < ZOOM; k++)
		for (int d = -2; d <= 2; d++) {
			const double from = d - .5 - ((k + .5) / ZOOM - .5), scale = .45 * sqrt(2);

			spot[k][d + 2] = (float)((erf((from + 1) / scale) - erf(from / scale)) / 2);
		}
	for (int y = 0; y < side; y++)
		for (int x = 2; x < side - 2; x++)
			for (int k = 0; k < ZOOM; k++)
				for (int d = -2; d <= 2; d++)
					across[((size_t)y * side + x) * ZOOM + k] +=
						spot[k][d + 2] * dots[y * side + x + d];
	for (int y = 2; y < side - 2; y++)
		for (int x = 2; x < side - 2; x++) {
			int around = 0;

			for (int d = 0; d < 25; d++)
				around += dots[(y + d / 5 - 2) * side + x + d % 5 - 2];
			paper[y * side + x] = around == 25;
			for (int k = 0; k < ZOOM * ZOOM && around % 25 > 0; k++) {
				float light = 0;

				for (int d = -2; d <= 2; d++)
					light += spot[k / ZOOM][d + 2] *
						 across[((size_t)(y + d) * side + x) * ZOOM +
							k % ZOOM];
				if (light > .3f)
					paper[y * side + x] +=
						light > .7f ? 1.f / (ZOOM * ZOOM) :
							      (float)(erfc((.5 - light) /
									   (.04 * sqrt(2))) /
								      2 / (ZOOM * ZOOM));
			}
		}
	free(across);
	return paper;
}

/* The longest gap along a line of a grey, two pixels wide and at some degrees, as it is printed. */
static int gap_of(uint8_t grey, double degrees, bool fine)
{
	enum { SIDE = 600 };
	struct image image = new_image(SIDE);
	int gap = 0, longest = 0;
	uint8_t *dots;
	float *paper;

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			if (fabs((y - SIDE / 2) * cos(degrees * M_PI / 180) -
				 (x - SIDE / 2) * sin(degrees * M_PI / 180)) <= 1)
				image.ink[y * SIDE + x] = grey;
	dots = halftone(&image, 600, fine);
	paper = print(dots, SIDE);
	for (int x = 50; x < SIDE - 50; x++) {
		float most = 0;

		for (int y = 0; y < SIDE; y++)
			most = fmaxf(most, paper[y * SIDE + x]);
		gap = most > .4f ? 0 : gap + 1;
		longest = gap > longest ? gap : longest;
	}
	free(image.ink);
	free(dots);
	free(paper);
	return longest;
}

/* How far an edge of grey, at 5 degrees and so many rows below the centre, is from straight as it
 * is printed: the deviation in pixels, seen through a blur of 3 rows and 1.5 columns. */
static double raggedness(uint8_t grey, double below, bool fine)
{
	enum { SIDE = 900, FROM = 100, STEP = 3 };
	struct image image = new_image(SIDE);
	double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
	uint8_t *dots;
	float *paper;

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			if ((y - SIDE / 2 - below) * cos(5 * M_PI / 180) >
			    (x - SIDE / 2) * sin(5 * M_PI / 180))
				image.ink[y * SIDE + x] = grey;
	dots = halftone(&image, 600, fine);
	paper = print(dots, SIDE);
	for (int x = FROM; x < SIDE - FROM; x += STEP) {
		double column[SIDE], before = 0, blurred = 0;
		int y;

		for (y = 0; y < SIDE; y++) {
			double sum = 0, all = 0;

			for (int d = -6; d <= 6; d++) {
				sum += exp(-d * d / 4.5) * paper[y * SIDE + x + d];
				all += exp(-d * d / 4.5);
			}
			column[y] = sum / all;
		}
		for (y = 12; y < SIDE - 12; y++) {
			double sum = 0, all = 0;

			for (int d = -12; d <= 12; d++) {
				sum += exp(-d * d / 18.) * column[y + d];
				all += exp(-d * d / 18.);
			}
			before = blurred;
			blurred = sum / all;
			if (blurred > grey / 510.)
				break;
		}
		const double at = y - (blurred - grey / 510.) / fmax(blurred - before, 1e-6);

		n++;
		sx += x, sy += at, sxx += (double)x * x, sxy += x * at, syy += at * at;
	}
	free(image.ink);
	free(dots);
	free(paper);
	sxx -= sx * sx / n;
	sxy -= sx * sy / n;
	syy -= sy * sy / n;
	return sqrt((syy - sxy * sxy / sxx) / n);
}

TEST(thin_lines)
{
	for (int d = 0; d < 2; d++) {
		const double degrees[] = { 4, 17 };
		const int before = gap_of(64, degrees[d], false),
			  after = gap_of(64, degrees[d], true);

		print_message("2 pixels of 25 %%, %g degrees: gaps of %d, with fine edges of %d\n",
			      degrees[d], before, after);
		assert_true(after <= 7 && before > 7);
	}
}

TEST(straight_edges)
{
	const int edges = rip_test_repeated() ? 1 : 6; /* at other places of the screens' cells */
	double before = 0, after = 0;

	for (int k = 0; k < edges; k++) {
		before += raggedness(128, k * 1.06, false) / edges;
		after += raggedness(128, k * 1.06, true) / edges;
	}
	print_message("edges of 50 %%: %.3f pixels, with fine edges %.3f\n", before, after);
	assert_true(before > .7 && after < (edges > 1 ? .545 : .56));
}

/* Of the picture with most edges in greys. */
TEST(printer_data)
{
	struct printer_data data[2];
	struct picture picture;
	struct image image;

	picture_synthetic(1, &picture);
	image = (struct image){ picture.width, picture.height, 0, picture.light };
	for (size_t k = 0; k < (size_t)picture.width * picture.height; k++)
		picture.light[k] = (uint8_t)~picture.light[k];
	for (int fine = 0; fine < 2; fine++) {
		uint8_t *dots = halftone(&image, 600, fine);

		for (size_t k = 0; k < (size_t)picture.width * picture.height; k++)
			dots[k] ^= 1;
		measure_printer_data(dots, picture.width, picture.height, &data[fine]);
		free(dots);
	}
	print_message("%s: PackBits %.3f, Group 4 %.3f\n", picture.name,
		      (double)data[1].packbits / (double)data[0].packbits,
		      (double)data[1].group4 / (double)data[0].group4);
	assert_true(data[1].packbits > data[0].packbits);
	assert_true((double)data[1].packbits <= 1.08 * (double)data[0].packbits);
	assert_true((double)data[1].group4 <= 1.08 * (double)data[0].group4);
	free(picture.light);
}

/* Where there is a finer screen, and how far it reaches. */
TEST(finer_screens)
{
	static const struct {
		const char *name;
		uint32_t x_dpi, y_dpi, side;
		const char *finer;
	} cases[] = {
		{ "clustered", 600, 600, 4, "clustered-141" },
		{ "clustered-85", 600, 600, 4, "clustered-141" },
		{ "clustered-141", 600, 600, 0, "" },
		{ "clustered", 1200, 1200, 6, "clustered-212" },
		{ "clustered", 300, 300, 0, "" },
		{ "clustered", 2400, 2400, 0, "" },
		{ "clustered", 1200, 600, 0, "" },
		{ "blue-noise-mask", 600, 600, 0, "" },
		{ "bi-level", 600, 600, 0, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rip_mask_use use = { .x_dpi = cases[i].x_dpi,
						  .y_dpi = cases[i].y_dpi,
						  .planes = 1,
						  .inks = { RIP_INK_BLACK } };
		struct rip_mask_screen screen, finer = { .name = "" };
		uint32_t side = 0;
		char why[160];

		assert_int_equal(
			rip_mask_screen_init(&screen, cases[i].name, &use, why, sizeof why), 0);
		assert_int_equal(rip_mask_screen_finer(&finer, &screen.base, &use, &side),
				 cases[i].side > 0);
		assert_string_equal(finer.name, cases[i].finer);
		assert_int_equal(side, cases[i].side);
	}
}
