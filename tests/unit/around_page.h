/*
 * Pages for the tests of what looks around samples (halftone/page/around.h), in every layout of
 * lines, and how they are read.
 */
#ifndef RIP_AROUND_PAGE_H
#define RIP_AROUND_PAGE_H

#include "tests/tools/testing.h"

#include "halftone/engine.h"
#include "halftone/page/around_rules.h"

struct page {
	struct rip_around_rules rules;
	struct rip_around_lines lines;
	uint32_t  planes;  /* of a planar page, one after the other; else 1 */
	size_t    line;    /* samples */
	uint16_t *samples; /* all lines of all planes */
	uint32_t  at;      /* lines that were read */
	uint32_t  fail_at; /* the read that gets this line fails */
};

static inline uint32_t most_sample(const struct page *page)
{
	return page->lines.sample_bits == 8 ? 255 : 65535;
}

static inline uint32_t page_lines(const struct page *page)
{
	return page->planes * page->lines.height;
}

/* Sample i of a line that came through the ring. */
static inline uint32_t sample_of(const struct page *page, const uint8_t *line, size_t i)
{
	return page->lines.sample_bits == 8 ? line[i] : ((const uint16_t *)(const void *)line)[i];
}

static inline int read_page(void *context, void *to, uint32_t lines)
{
	struct page *page = context;
	const uint16_t *from = page->samples + page->at * page->line;

	assert_true(lines > 0 && page->at + lines <= page_lines(page));
	if (page->at + lines > page->fail_at)
		return -EIO;
	for (size_t i = 0; i < lines * page->line; i++)
		if (page->lines.sample_bits == 8)
			((uint8_t *)to)[i] = (uint8_t)from[i];
		else
			((uint16_t *)to)[i] = from[i];
	page->at += lines;
	return 0;
}

/* Makes a page of one plane of 8 bits without samples. */
static inline void make_plane(struct page *page, uint32_t width, uint32_t height)
{
	*page = (struct page){
		.planes = 1,
		.line = width,
		.fail_at = UINT32_MAX,
		.lines = { .samples = width,
			   .stride = 1,
			   .rows = 1,
			   .sample_bits = 8,
			   .height = height,
			   .read = read_page,
			   .context = page },
	};
	page->samples = calloc((size_t)height * width, sizeof *page->samples);
	assert_non_null(page->samples);
}

/* Makes a page of random size, up to so many lines, whose samples are 0. */
static inline void make_layout(struct page *page, uint32_t height)
{
	const uint32_t strides[] = { 1, 1, 3, 4, 15, RIP_PLANES_MAX },
		       stride = strides[rip_test_below(6)];
	const uint32_t columns = 1 + rip_test_below(rip_test_below(2) ? 20 : 1300 / stride);
	const uint32_t rows = stride == 1 ? 1 + rip_test_below(4) : 1;
	const uint32_t planes = stride == 1 && rows == 1 ? 1 + rip_test_below(3) : 1;

	make_plane(page, stride * columns * rows, planes * (1 + rip_test_below(height)));
	page->planes = planes;
	page->lines.samples = stride * columns;
	page->lines.stride = stride;
	page->lines.rows = rows;
	page->lines.height /= planes;
	page->lines.sample_bits = rip_test_below(2) ? 8 : 16;
}

#endif
