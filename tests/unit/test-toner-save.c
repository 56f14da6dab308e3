/* Toner save: random pages against a check of every sample's surroundings, for every layout of
 * lines; and the curve. */
#include "around_page.h"

static uint32_t full_sample(const struct page *page)
{
	return page->rules.toner.full_is_0 ? 0 : most_sample(page);
}

/* A page of random size with areas of full ink of random size, some with holes. */
static void make_page(struct page *page)
{
	uint32_t full, areas, lines, line;

	make_layout(page, 60);
	page->rules.toner = (struct rip_toner_rule){ 1 + rip_test_below(RIP_TONER_EDGE_MAX),
						     rip_test_below(2) };
	full = full_sample(page);
	lines = page_lines(page);
	line = (uint32_t)page->line;
	for (uint32_t i = 0; i < lines * line; i++)
		page->samples[i] = (uint16_t)(rip_test_below(4) ? (uint32_t)rip_test_random() &
									  most_sample(page) :
								  full);
	areas = rip_test_below(8);
	for (uint32_t a = 0; a < areas; a++) {
		const uint32_t top = rip_test_below(lines), left = rip_test_below(line);
		const uint32_t high = 1 + rip_test_below(30), wide = 1 + rip_test_below(line);

		for (uint32_t n = top; n < top + high && n < lines; n++)
			for (uint32_t i = left; i < left + wide && i < line; i++)
				page->samples[n * line + i] =
					(uint16_t)(rip_test_below(900) ? full : 7);
	}
}

/* Whether a sample has full ink around it, from its definition. */
static bool is_inside(const struct page *page, uint32_t n, uint32_t i)
{
	const struct rip_around_lines *lines = &page->lines;
	const int edge = (int)page->rules.toner.edge, stride = (int)lines->stride;
	const int plane = (int)(n / lines->height), y = (int)(n % lines->height);
	const int row = (int)(i / lines->samples), x = (int)(i % lines->samples);

	for (int dy = -edge; dy <= edge; dy++)
		for (int dx = -edge; dx <= edge; dx++) {
			const int there = x + dx * stride;

			if (y + dy < 0 || y + dy >= (int)lines->height || there < 0 ||
			    there >= (int)lines->samples)
				continue;
			if (page->samples[(size_t)(plane * (int)lines->height + y + dy) *
						  page->line +
					  (size_t)(row * (int)lines->samples + there)] !=
			    full_sample(page))
				return false;
		}
	return true;
}

static uint32_t check_page(struct page *page)
{
	const struct rip_around_lines *lines = &page->lines;
	struct rip_around *save;
	uint32_t thinned = 0;

	assert_int_equal(rip_around_new(&page->rules, lines, &save), 0);
	for (uint32_t n = 0; n < page_lines(page); n++) {
		const uint8_t *line;

		assert_int_equal(rip_around_line(save, &line), 0);
		for (uint32_t i = 0; i < page->line; i++) {
			const uint32_t before = page->samples[n * page->line + i];
			const bool inside = is_inside(page, n, i);
			const uint32_t wanted = !inside			    ? before :
						page->rules.toner.full_is_0 ? 1 :
									      before - 1;

			thinned += inside;
			if (sample_of(page, line, i) != wanted)
				fail_msg("line %u, sample %u of %u, stride %u, edge %u, %u bits: "
					 "%u, not %u",
					 n, i, lines->samples, lines->stride,
					 page->rules.toner.edge, lines->sample_bits,
					 sample_of(page, line, i), wanted);
		}
	}
	rip_around_free(save);
	free(page->samples);
	return thinned;
}

TEST(random_pages)
{
	uint32_t thinned = 0;

	for (int i = 0; i < (RIP_TEST_SANITIZED ? 60 : 400); i++) {
		struct page page;

		make_page(&page);
		thinned += check_page(&page);
	}
	assert_true(thinned > 1000);
}

/* An area that starts in the middle of the columns that are looked at together, and next to one
 * that was thinned lines before. */
TEST(steps)
{
	const uint32_t width = 2000, height = 40;

	for (uint32_t edge = 1; edge <= RIP_TONER_EDGE_MAX; edge++)
		for (uint32_t shift = 0; shift < 12; shift++) {
			struct page page;

			make_plane(&page, width, height);
			page.rules.toner.edge = edge;
			/* Two areas that touch at column 512 - 6 + shift, one beginning lower. */
			for (uint32_t y = 0; y < height; y++)
				for (uint32_t x = 0; x < width; x++)
					if (x < 506 + shift ? y >= 9 + shift : y >= 2 && y < 30)
						page.samples[y * width + x] = 255;
			assert_true(check_page(&page) > 1000);
		}
}

TEST(failed_read)
{
	struct page page;
	struct rip_around *save;
	const uint8_t *line;
	int r = 0;

	make_page(&page);
	page.fail_at = 0;
	assert_int_equal(rip_around_new(&page.rules, &page.lines, &save), 0);
	r = rip_around_line(save, &line);
	assert_int_equal(r, -EIO);
	rip_around_free(save);
	free(page.samples);
}

TEST(edges)
{
	assert_int_equal(rip_toner_edge(72), 1);
	assert_int_equal(rip_toner_edge(203), 1);
	assert_int_equal(rip_toner_edge(300), 1);
	assert_int_equal(rip_toner_edge(600), 2);
	assert_int_equal(rip_toner_edge(1200), 4);
	assert_int_equal(rip_toner_edge(2400), 4);
}

/* Full ink stays, everything else has the share that is left; also in light, and with a curve
 * that turns the samples round. */
TEST(curve)
{
	for (int light = 0; light < 2; light++)
		for (int turned = 0; turned < 2; turned++)
			for (uint32_t count = 256; count <= 65536; count *= 256) {
				AUTO_FREE uint16_t *curve = malloc(count * sizeof *curve);
				const uint32_t unit = count == 256 ? 257 : 1;
				const uint32_t full = light ^ turned ? 0 : count - 1;

				for (uint32_t v = 0; v < count; v++)
					curve[v] = (uint16_t)(unit * (turned ? count - 1 - v : v));
				assert_int_equal(rip_toner_full_is_0(curve, count, light),
						 full == 0);
				rip_toner_save_curve(curve, count, light, 40);
				for (uint32_t v = 0; v < count; v++) {
					const uint32_t distance = v > full ? v - full : full - v;
					const uint32_t ink = light ? 65535u - curve[v] : curve[v];
					const uint32_t before =
						distance <= 1 ? 65535 :
								unit * (count - 1 - distance);

					assert_int_equal(ink, distance ? (before * 60 + 50) / 100 :
									 65535);
				}
			}
	assert_true(rip_toner_full_is_0(NULL, 256, true));
	assert_false(rip_toner_full_is_0(NULL, 256, false));
}
