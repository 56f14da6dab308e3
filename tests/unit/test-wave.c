/* Waves: strips whose carry arrives in random parts have the dots and the carry that plain C
 * computes in one go, for every screen, number of levels, kind of samples and instruction
 * set.  Columns that have not arrived, and those that are ready, do not matter. */
#include "tests/tools/testing.h"

#include "halftone/diffuse.h"
#include "halftone/wave.h"
#include "tests/tools/random_image.h"

#define NOT_HERE 32767

struct page {
	struct image im;
	int16_t *line[RIP_REACH_MAX]; /* with their pads */
};

static void reference(struct image *im)
{
	const struct rip_strip strip = image_strip(im, 0, im->rows, 0, im->want);
	AUTO(rip_tone_finish) struct rip_tone tone;
	struct rip_diffuser diffuser;

	assert_int_equal(rip_tone_init(&tone, &im->spec), 0);
	assert_int_equal(rip_diffuser_init(&diffuser, &im->spec, &tone, false), 0);
	rip_diffuser_import(&diffuser, im->start);
	rip_diffuser_run(&diffuser, &strip);
	rip_diffuser_export(&diffuser, im->want_carry);
	rip_diffuser_finish(&diffuser);
}

static void page_init(struct page *page, const struct rip_page_spec *spec, uint32_t rows)
{
	*page = (struct page){ .im = { .spec = *spec, .rows = rows } };
	image_fill(&page->im);
	for (int i = 0; i < spec->screen->reach; i++)
		page->line[i] =
			(int16_t *)malloc((spec->width + 2 * RIP_WAVE_PAD) * sizeof(int16_t)) +
			RIP_WAVE_PAD;
	reference(&page->im);
}

static void page_finish(struct page *page)
{
	for (int i = 0; i < page->im.spec.screen->reach; i++)
		free(page->line[i] - RIP_WAVE_PAD);
	image_free(&page->im);
}

/* One strip, whose carry is taken away and comes back in parts. */
static void run_strip(struct page *page, struct rip_wave *wave, const struct rip_strip *strip)
{
	const uint32_t width = page->im.spec.width, most = 2 + rip_test_below(2 * width);
	const int reach = page->im.spec.screen->reach;
	int16_t *before[RIP_REACH_MAX], *after[RIP_REACH_MAX];
	uint32_t arrived = 0, passed = 0, ready = 0;

	for (int i = 0; i < reach; i++) {
		before[i] = malloc(width * sizeof(int16_t));
		after[i] = malloc(width * sizeof(int16_t));
		memcpy(before[i], page->line[i], width * sizeof(int16_t));
		for (uint32_t j = 0; j < width; j++)
			page->line[i][j] = NOT_HERE;
	}
	rip_wave_begin(wave, strip, page->line);
	while (ready < width) {
		uint32_t n = rip_test_below(most);

		for (; n > 0 && arrived < width; n--, arrived++)
			for (int i = 0; i < reach; i++)
				page->line[i][arrived] = before[i][arrived];
		assert_int_equal(rip_wave_advance(wave, arrived, &ready), 0);
		assert_in_range(ready, passed, arrived);
		/* It goes as far as it can. */
		if (strip->rows == 0)
			assert_int_equal(ready, arrived);
		else
			assert_true(ready + rip_wave_lag(wave, strip->rows) +
					    rip_wave_block(wave) >=
				    arrived);
		for (; passed < ready; passed++)
			for (int i = 0; i < reach; i++) {
				after[i][passed] = page->line[i][passed];
				page->line[i][passed] = NOT_HERE;
			}
	}
	for (int i = 0; i < reach; i++) {
		memcpy(page->line[i], after[i], width * sizeof(int16_t));
		free(before[i]);
		free(after[i]);
	}
}

static void run_page(struct page *page, const struct rip_isa *isa, uint32_t strip_rows)
{
	struct image *im = &page->im;
	const size_t width = im->spec.width;
	struct rip_wave *wave;
	char why[300];

	assert_int_equal(rip_wave_new(&im->spec, isa, strip_rows, &wave), 0);
	memset(im->got, 0x5a, im->rows * im->out_pitch);
	for (int i = 0; i < im->spec.screen->reach; i++)
		memcpy(page->line[i], im->start + i * width, width * sizeof(int16_t));
	for (uint32_t row = 0; row < im->rows;) {
		const uint32_t left = im->rows - row, n = rip_test_below(strip_rows + 1);
		const struct rip_strip strip = image_strip(im, 0, n < left ? n : left, row,
							   im->got);

		run_strip(page, wave, &strip);
		row += strip.rows;
	}
	rip_wave_free(wave);
	for (int i = 0; i < im->spec.screen->reach; i++)
		memcpy(im->got_carry + i * width, page->line[i], width * sizeof(int16_t));
	if (!image_equal(im, why, sizeof why))
		fail_msg("%s: %s", isa->name, why);
}

TEST(parts_change_nothing)
{
	AUTO_FREE uint16_t *curve = malloc(65536 * sizeof *curve);

	for (uint32_t v = 0; v < 65536; v++)
		curve[v] = (uint16_t)(v < 256 ? v * 251 : rip_test_random());
	for (uint32_t round = 0; round < 20 * RIP_SCREENS_APART; round++) {
		struct rip_page_spec spec = {
			.width = 1 + rip_test_below(rip_test_below(3) ? 700 : 3000), .planes = 1,
			.levels = rip_test_below(2) ? 2 : 2 + rip_test_below(15),
			.sample_bits = rip_test_below(2) ? 8 : 16,
			.screen = &rip_screens[round % RIP_SCREENS_APART],
			.curve = rip_test_below(3) ? NULL : curve,
		};
		struct page page;

		if (!rip_diffuser_takes(&spec))
			continue;
		page_init(&page, &spec, 1 + rip_test_below(200));
		for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
			if (rip_isa_usable(isa))
				run_page(&page, isa,
					 1 + rip_test_below(rip_test_below(2) ? 300 : 20));
		page_finish(&page);
	}
}

TEST(bad_pages)
{
	struct rip_page_spec spec = { .width = 10, .planes = 2, .levels = 2, .sample_bits = 8,
				      .screen = &rip_screens[0] };
	struct rip_wave *wave;

	assert_int_equal(rip_wave_new(&spec, NULL, 10, &wave), -EINVAL);
	assert_null(wave);
	spec.planes = 1;
	assert_int_equal(rip_wave_new(&spec, NULL, 0, &wave), -EINVAL);
	spec.levels = 17;
	assert_int_equal(rip_wave_new(&spec, NULL, 10, &wave), -EINVAL);
	rip_wave_free(NULL);
}
