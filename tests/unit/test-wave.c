/* Waves: strips whose carry arrives in random parts have the dots and the carry that plain C
 * computes in one go, for every screen, number of levels, kind of samples and instruction
 * set.  Columns that have not arrived, and those that are ready, do not matter. */
#include "tests/tools/testing.h"

#include "halftone/diffuse.h"
#include "halftone/wave.h"

#define NOT_HERE 32767

struct page {
	struct rip_page_spec spec;
	uint32_t rows;
	size_t   in_pitch, out_pitch;
	uint8_t *in, *want, *got;
	int16_t *start, *want_carry; /* row after row */
	int16_t *line[RIP_REACH_MAX]; /* with their pads */
};

static struct rip_strip strip_of(const struct page *page, uint32_t from, uint32_t rows, uint8_t *out)
{
	return (struct rip_strip){
		.rows = rows,
		.in = page->in + from * page->in_pitch, .in_pitch = (ptrdiff_t)page->in_pitch,
		.out = out + from * page->out_pitch, .out_pitch = (ptrdiff_t)page->out_pitch,
	};
}

static void reference(struct page *page)
{
	const struct rip_strip strip = strip_of(page, 0, page->rows, page->want);
	struct rip_diffuser diffuser;
	AUTO(rip_tone_finish) struct rip_tone tone;

	assert_int_equal(rip_tone_init(&tone, &page->spec), 0);
	assert_int_equal(rip_diffuser_init(&diffuser, &page->spec, &tone, false), 0);
	rip_diffuser_import(&diffuser, page->start);
	rip_diffuser_run(&diffuser, &strip);
	rip_diffuser_export(&diffuser, page->want_carry);
	rip_diffuser_finish(&diffuser);
}

static void page_init(struct page *page, const struct rip_page_spec *spec, uint32_t rows)
{
	const size_t width = spec->width;

	*page = (struct page){ .spec = *spec, .rows = rows };
	page->in_pitch = (width + rip_test_below(3)) * (spec->sample_bits / 8);
	page->out_pitch = rip_dot_bytes(spec->width, spec->levels) + rip_test_below(3);
	page->in = malloc(rows * page->in_pitch);
	page->want = calloc(rows, page->out_pitch);
	page->got = calloc(rows, page->out_pitch);
	page->start = rip_carry_new(spec, 1);
	page->want_carry = rip_carry_new(spec, 1);
	for (size_t i = 0; i < rows * page->in_pitch; i++)
		page->in[i] = (uint8_t)(rip_test_below(9) ? rip_test_random() : 255);
	rip_carry_start(spec, 0, RIP_START_NOISE, page->start);
	for (int i = 0; i < spec->screen->reach; i++) {
		page->line[i] = malloc((width + 2 * RIP_WAVE_PAD) * sizeof(int16_t));
		page->line[i] += RIP_WAVE_PAD;
		memcpy(page->line[i], page->start + i * width, width * sizeof(int16_t));
	}
	reference(page);
}

static void page_finish(struct page *page)
{
	free(page->in);
	free(page->want);
	free(page->got);
	free(page->start);
	free(page->want_carry);
	for (int i = 0; i < page->spec.screen->reach; i++)
		free(page->line[i] - RIP_WAVE_PAD);
}

/* One strip, whose carry is taken away and comes back in parts. */
static void run_strip(struct page *page, struct rip_wave *wave, const struct rip_strip *strip)
{
	const uint32_t width = page->spec.width, most = 2 + rip_test_below(2 * width);
	const int reach = page->spec.screen->reach;
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
			assert_true(ready + rip_wave_lag(wave, strip->rows) + rip_wave_block(wave) >=
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
	const struct rip_page_spec *spec = &page->spec;
	struct rip_wave *wave;

	assert_int_equal(rip_wave_new(spec, isa, strip_rows, &wave), 0);
	memset(page->got, 0, page->rows * page->out_pitch);
	for (int i = 0; i < spec->screen->reach; i++)
		memcpy(page->line[i], page->start + i * spec->width, spec->width * sizeof(int16_t));
	for (uint32_t row = 0; row < page->rows;) {
		const uint32_t left = page->rows - row, n = rip_test_below(strip_rows + 1);
		const struct rip_strip strip = strip_of(page, row, n < left ? n : left, page->got);

		run_strip(page, wave, &strip);
		row += strip.rows;
	}
	rip_wave_free(wave);
	if (memcmp(page->got, page->want, page->rows * page->out_pitch))
		fail_msg("%s, %u levels, %u bits, %u x %u, %s: wrong dots", spec->screen->name,
			 spec->levels, spec->sample_bits, spec->width, page->rows, isa->name);
	for (int i = 0; i < spec->screen->reach; i++)
		assert_memory_equal(page->line[i], page->want_carry + (size_t)i * spec->width,
				    spec->width * sizeof(int16_t));
}

TEST(parts_change_nothing)
{
	AUTO_FREE uint16_t *curve = malloc(65536 * sizeof *curve);

	for (uint32_t v = 0; v < 65536; v++)
		curve[v] = (uint16_t)(v < 256 ? v * 251 : rip_test_random());
	for (uint32_t round = 0; round < 20 * RIP_SCREENS; round++) {
		struct rip_page_spec spec = {
			.width = 1 + rip_test_below(rip_test_below(3) ? 700 : 3000), .planes = 1,
			.levels = rip_test_below(2) ? 2 : 2 + rip_test_below(15),
			.sample_bits = rip_test_below(2) ? 8 : 16,
			.screen = &rip_screens[round % RIP_SCREENS],
			.curve = rip_test_below(3) ? NULL : curve,
		};
		struct page page;

		if (!rip_diffuser_takes(&spec))
			continue;
		page_init(&page, &spec, 1 + rip_test_below(200));
		for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
			if (rip_isa_usable(isa))
				run_page(&page, isa, 1 + rip_test_below(rip_test_below(2) ? 300 : 20));
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
