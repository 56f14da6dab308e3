#include "target.h"

#include <errno.h>
#include <stdlib.h>

#include "chart_font.h"

int rip_chart_new(struct rip_chart *chart, uint32_t width, uint32_t height, uint32_t levels,
		  bool own_black)
{
	*chart = (struct rip_chart){
		.width = width, .height = height, .levels = levels, .bits = rip_dot_bits(levels),
		.pitch = rip_dot_bytes(width, levels),
	};
	chart->ink = calloc(height, chart->pitch);
	chart->black = own_black ? calloc(height, chart->pitch) : chart->ink;
	if (chart->ink && chart->black)
		return 0;
	rip_chart_finish(chart);
	return -ENOMEM;
}

void rip_chart_finish(struct rip_chart *chart)
{
	if (chart->black != chart->ink)
		free(chart->black);
	free(chart->ink);
	*chart = (struct rip_chart){ 0 };
}

static void put(struct rip_chart *chart, uint8_t *plane, int64_t x, int64_t y, unsigned level)
{
	const size_t bit = (size_t)x * chart->bits;
	unsigned shift;
	uint8_t *byte;

	if (x < 0 || y < 0 || x >= chart->width || y >= chart->height)
		return;
	byte = &plane[(size_t)y * chart->pitch + bit / 8];
	shift = 8 - chart->bits - bit % 8;
	*byte = (uint8_t)((*byte & ~((chart->levels - 1) << shift)) | level << shift);
}

static void fill(struct rip_chart *chart, uint8_t *plane, int64_t x, int64_t y, uint32_t width,
		 uint32_t height, bool full)
{
	for (uint32_t i = 0; i < height; i++)
		for (uint32_t j = 0; j < width; j++)
			put(chart, plane, x + j, y + i, full ? chart->levels - 1 : 0);
}

void rip_chart_mark(struct rip_chart *chart, int64_t x, int64_t y, uint32_t width, uint32_t height,
		    bool black)
{
	fill(chart, chart->black, x, y, width, height, black);
}

void rip_chart_lines(struct rip_chart *chart, int64_t x, int64_t y, uint32_t width,
		     uint32_t height, uint32_t period, uint32_t ink, bool upright)
{
	const uint32_t across = upright ? width : height;

	for (uint32_t at = 0; at < across; at += period) {
		const uint32_t thick = ink < across - at ? ink : across - at;

		if (upright)
			fill(chart, chart->ink, x + at, y, thick, height, true);
		else
			fill(chart, chart->ink, x, y + at, width, thick, true);
	}
}

/* Halftones rows that are all alike.  dots: rip_dot_bytes() a row. */
static int halftone(struct rip_engine *engine, const struct rip_page_spec *spec,
		    const uint16_t *row, uint32_t rows, uint8_t *dots)
{
	const size_t bytes = rip_dot_bytes(spec->width, spec->levels);
	struct rip_page *page = NULL;
	int r = rip_engine_open_page(engine, spec, RIP_START_NOISE, &page);

	for (uint32_t i = 0; r == 0 && i < rows; i++) {
		const struct rip_strip strip = {
			.rows = 1, .in = row, .in_pitch = (ptrdiff_t)(spec->width * sizeof *row),
			.out = dots + i * bytes, .out_pitch = (ptrdiff_t)bytes, .row_numbers = &i,
		};

		r = engine->ops->push(page, &strip, 1);
		if (r == 0)
			r = engine->ops->pull(page);
	}
	if (page)
		engine->ops->close(page);
	return r;
}

int rip_chart_tints(struct rip_chart *chart, struct rip_engine *engine,
		    const struct rip_screen *screen, int64_t x, int64_t y, uint32_t width,
		    uint32_t height, unsigned count, const uint16_t tones[])
{
	const struct rip_page_spec spec = {
		.width = width * count, .planes = 1, .levels = chart->levels, .sample_bits = 16,
		.screen = screen,
	};
	const size_t bytes = rip_dot_bytes(spec.width, spec.levels);
	uint16_t *row = malloc(spec.width * sizeof *row);
	uint8_t *dots = calloc(height, bytes);
	bool grey = false;
	int r = row && dots ? 0 : -ENOMEM;

	for (uint32_t j = 0; r == 0 && j < spec.width; j++) {
		row[j] = tones[j / width];
		grey |= row[j] != 0 && row[j] != 65535;
	}
	if (r == 0 && grey) /* engines do not take rows without greys */
		r = halftone(engine, &spec, row, height, dots);
	for (uint32_t i = 0; r == 0 && i < height; i++)
		for (uint32_t j = 0; j < spec.width; j++)
			put(chart, chart->ink, x + j, y + i,
			    grey ? rip_chart_level(chart, dots + i * bytes, j) :
			    row[j] ? chart->levels - 1 : 0);
	free(dots);
	free(row);
	return r;
}

void rip_chart_text(struct rip_chart *chart, int64_t x, int64_t y, uint32_t scale, const char *text)
{
	for (; *text; text++, x += 6 * (int64_t)scale) {
		const unsigned c = (unsigned)(unsigned char)*text - RIP_CHART_FONT_FIRST;
		const uint8_t *columns = rip_chart_font[c < RIP_CHART_FONT_COUNT ? c : 0];

		for (unsigned i = 0; i < 8; i++)
			for (unsigned j = 0; j < 5; j++)
				if (columns[j] >> i & 1)
					rip_chart_mark(chart, x + j * scale, y + i * scale, scale,
						       scale, true);
	}
}
