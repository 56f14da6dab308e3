/* Barcodes on labels: drawn with whole dots wherever they are on a page, whatever full ink is. */
#include "around_page.h"

#define ONE 256 /* lengths are in parts of a sample */

/* Start B, `riptide`, its check character and stop of Code 128, in modules. */
static const char code[] = "2112141212411421121112421241121421121412211142122221222331112";
#define CODE_MODULES 112

/* How much of sample i is between two places. */
static uint32_t share(uint32_t i, uint32_t from, uint32_t to)
{
	const uint32_t low = from > i * ONE ? from : i * ONE;
	const uint32_t high = to < (i + 1) * ONE ? to : (i + 1) * ONE;

	return high > low ? high - low : 0;
}

static uint16_t *sample_at(const struct page *page, uint32_t column, uint32_t row, bool turned)
{
	return &page->samples[turned ? (size_t)column * page->line + row :
				       (size_t)row * page->line + column];
}

/* Adds a bar to some rows. */
static void add_bar(const struct page *page, uint32_t from, uint32_t to, uint32_t top,
		    uint32_t bottom, bool turned)
{
	for (uint32_t row = top; row < bottom; row++)
		for (uint32_t i = from / ONE; i * ONE < to; i++)
			*sample_at(page, i, row, turned) +=
				(uint16_t)(share(i, from, to) * 255 / ONE);
}

/* Draws the code, and returns its end. */
static uint32_t add_code(const struct page *page, uint32_t at, uint32_t module, uint32_t top,
			 uint32_t bottom, bool turned)
{
	for (size_t k = 0; code[k]; k++) {
		const uint32_t width = (uint32_t)(code[k] - '0') * module;

		if (k % 2 == 0)
			add_bar(page, at, at + width, top, bottom, turned);
		at += width;
	}
	return at;
}

/* A Data Matrix of 12 x 12 modules whose data are at random. */
static void add_matrix(const struct page *page, uint32_t left, uint32_t top, uint32_t module)
{
	const uint32_t n = 12;
	bool dark[12][12];

	for (uint32_t j = 0; j < n; j++)
		for (uint32_t i = 0; i < n; i++)
			dark[j][i] = i == 0 || j == n - 1 || (j == 0 && i % 2 == 0) ||
				     (i == n - 1 && j % 2 == 1) ||
				     (j > 0 && i < n - 1 && rip_test_below(2));
	for (uint32_t y = top / ONE; y * ONE < top + n * module; y++)
		for (uint32_t x = left / ONE; x * ONE < left + n * module; x++) {
			uint32_t sum = 0;

			for (uint32_t j = 0; j < n; j++)
				for (uint32_t i = 0; i < n; i++)
					sum += dark[j][i] * share(x, left + i * module,
								  left + (i + 1) * module) *
					       share(y, top + j * module, top + (j + 1) * module);
			page->samples[y * page->line + x] = (uint16_t)(sum * 255 / ONE / ONE);
		}
}

/* What comes out, as ink. */
static uint8_t *print(struct page *page, bool full_is_0)
{
	uint8_t *out = malloc(page->line * page->lines.height);
	struct rip_around *around;

	assert_non_null(out);
	page->at = 0;
	page->rules.labels = (struct rip_labels_rule){ RIP_LABELS_EDGE, full_is_0 };
	for (size_t i = 0; full_is_0 && i < page->line * page->lines.height; i++)
		page->samples[i] = 255 - page->samples[i];
	assert_int_equal(rip_around_new(&page->rules, &page->lines, &around), 0);
	for (uint32_t n = 0; n < page->lines.height; n++) {
		const uint8_t *line;

		assert_int_equal(rip_around_line(around, &line), 0);
		for (size_t i = 0; i < page->line; i++)
			out[n * page->line + i] = full_is_0 ? 255 - line[i] : line[i];
	}
	rip_around_free(around);
	return out;
}

/* The samples that are neither paper nor ink. */
static size_t count_greys(const uint8_t *out, size_t count)
{
	size_t greys = 0;

	for (size_t i = 0; i < count; i++)
		greys += out[i] > 0 && out[i] < 255;
	return greys;
}

/* That a row has the code's bars, if modules have so many samples. */
static void check_code(const uint8_t *row, uint32_t width, uint32_t module)
{
	uint32_t i = 0;

	while (i < width && row[i] == 0)
		i++;
	for (size_t k = 0; code[k]; k++)
		for (uint32_t n = 0; n < (uint32_t)(code[k] - '0') * module; n++, i++)
			assert_true(i < width && row[i] == (k % 2 == 0 ? 255 : 0));
	while (i < width)
		assert_int_equal(row[i++], 0);
}

/* Symbols of all scales, the page's edges and the lines' ring included: 9000 rows are more than it
 * has. */
TEST(symbols_become_whole_dots)
{
	static const uint32_t modules[] = { 256, 333, 435, 512, 614, 768 };
	const uint32_t height = 9000, step = 100;

	for (int kind = 0; kind < 3; kind++) {
		const bool turned = kind == 2;
		struct page page;
		AUTO_FREE uint8_t *out = NULL, *inverse = NULL;
		uint32_t symbol = 0;

		make_plane(&page, 420, height);
		for (uint32_t top = 0; top + (turned ? 420 : step) <= height; symbol++) {
			const uint32_t module = modules[symbol % 6];
			/* not in the middle between two samples, which is but grey */
			const uint32_t phase = rip_test_below(ONE - 20);
			const uint32_t at = 30 * ONE + phase + (phase < 118 ? 0 : 20);

			if (kind == 0)
				add_code(&page, at, module, top + 20, top + 80, false);
			else if (turned)
				add_code(&page, top * ONE + at, module, 40, 100, true);
			else
				add_matrix(&page, at, (top + 25) * ONE + rip_test_below(ONE),
					   module + ONE);
			top += turned ? 420 : step;
		}
		out = print(&page, false);
		assert_int_equal(count_greys(out, page.line * height), 0);
		for (uint32_t n = 0; kind == 0 && n < symbol; n++)
			if (modules[n % 6] % ONE == 0)
				check_code(out + (n * step + 50) * page.line, 420,
					   modules[n % 6] / ONE);
		inverse = print(&page, true);
		assert_memory_equal(out, inverse, page.line * height);
		free(page.samples);
	}
}

/* A finder with a hole, as blur makes them, is drawn without. */
TEST(finders_are_mended)
{
	const uint32_t left = 40, top = 40, side = 2;

	for (uint32_t hole = 1; hole < 11; hole++) {
		struct page page;
		AUTO_FREE uint8_t *out = NULL;
		const size_t at = (top + hole * side) * 120 + left;

		make_plane(&page, 120, 120);
		add_matrix(&page, left * ONE, top * ONE, side * ONE);
		for (uint32_t i = 0; i < side * side; i++)
			page.samples[at + i / side * 120 + i % side] = 0;
		out = print(&page, false);
		for (uint32_t i = 0; i < side * side; i++)
			assert_int_equal(out[at + i / side * 120 + i % side], 255);
		free(page.samples);
	}
}

/* At the page's right and lower sides, which nothing may be read beyond. */
TEST(symbols_at_the_sides)
{
	for (uint32_t more = 0; more < 40; more++) {
		struct page page;
		AUTO_FREE uint8_t *out = NULL;
		const uint32_t end = 24 * ONE + CODE_MODULES * 435;

		make_plane(&page, end / ONE + 1 + more, 60 + more);
		add_code(&page, 24 * ONE, 435, 10, 60 + more, false);
		out = print(&page, more % 2);
		assert_int_equal(count_greys(out, page.line * page.lines.height), 0);
		free(page.samples);
	}
}

/* Places of symbols have 31 bits: longer pages have none. */
TEST(pages_beyond_the_numbers_stay)
{
	static const uint32_t most = INT32_MAX / 256 - 8192;
	struct page page;

	make_plane(&page, 64, 1);
	page.rules.labels = (struct rip_labels_rule){ RIP_LABELS_EDGE, false };
	page.lines.height = most;
	assert_true(rip_around_rules_size(&page.rules, &page.lines) > 0);
	page.lines.height++;
	assert_int_equal(rip_around_rules_size(&page.rules, &page.lines), 0);
	free(page.samples);
}

/* Bars that are no symbol's: columns, or rows. */
static void add_any_bars(const struct page *page, uint32_t length, uint32_t across, bool turned)
{
	for (uint32_t at = 4 * ONE, k = 0; at < (length - 10) * ONE; k++) {
		const uint32_t width = ONE * 3 / 2 + rip_test_below(4 * ONE);

		if (k % 2)
			add_bar(page, at, at + width, 0, across, turned);
		at += width;
	}
}

/* Pages of them take no more work than others of their size. */
TEST(work_grows_with_the_page)
{
	static const struct { uint32_t width, height; } sizes[] = {
		{ 500, 1500 }, { 1000, 1500 }, { 2000, 1500 }, { 2000, 3000 },
	};

	for (unsigned i = 0; i < 8; i += rip_test_repeated() ? 3 : 1) {
		const bool turned = i / 4;
		const uint32_t width = sizes[i % 4].width, height = sizes[i % 4].height;
		struct rip_around *around;
		struct page page;
		const uint8_t *line;

		make_plane(&page, width, height);
		page.rules.labels = (struct rip_labels_rule){ RIP_LABELS_EDGE, false };
		add_any_bars(&page, turned ? height : width, turned ? width : height, turned);
		assert_int_equal(rip_around_new(&page.rules, &page.lines, &around), 0);
		for (uint32_t n = 0; n < height; n++) {
			assert_int_equal(rip_around_line(around, &line), 0);
			assert_true(rip_labels_work(around) >= -(1 << 21));
		}
		/* There would be more to do than may be done. */
		assert_true(rip_labels_work(around) < (int64_t)16 * width * height);
		rip_around_free(around);
		free(page.samples);
	}
}

/* Bars of one dot, between the printer's, of a JPEG.  They also fit to modules of half a dot, which
 * cannot be drawn. */
TEST(modules_are_not_smaller_than_dots)
{
	static const uint8_t row[] = {
		54, 74, 44, 6, 6, 94, 24, 102, 14, 113, 228, 228, 6, 132, 6, 6, 6, 153, 228,
		228, 178, 6, 6, 182, 158, 6, 6, 202, 228, 228, 128, 6, 6, 228, 108, 228, 228,
		228, 89, 228, 78, 228, 68, 6, 6, 68, 228, 228, 40, 88, 228, 228, 20, 108, 10,
		118, 6, 6, 6, 136, 228, 228, 6, 6, 6, 166, 172, 6, 6, 187, 228, 228, 144, 206,
		134, 216, 124, 226, 114, 228, 104, 228, 94, 228, 228, 228, 74, 6, 6, 63, 228,
		228, 44, 6, 6, 93, 26, 102, 16, 112,
	};
	const uint32_t count = sizeof row / sizeof row[0], left = 14, lines = 44;
	struct page page;
	AUTO_FREE uint8_t *out = NULL;

	make_plane(&page, count + 2 * left, lines + 30);
	for (uint32_t n = 14; n < 14 + lines; n++) {
		for (uint32_t i = 0; i < page.line; i++)
			page.samples[n * page.line + i] = 255 - 228;
		for (uint32_t i = 0; i < count; i++)
			page.samples[n * page.line + left + i] = 255 - row[i];
	}
	out = print(&page, false);
	free(page.samples);
}
