/* The dots of a field of one tone. */
#include "tone/tables/field_dots.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Before the window of error diffusion. */
#define TOP  192
#define LEFT 48

static void check(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "field_dots: %s\n", what);
	exit(1);
}

static void halftone(struct rip_engine *engine, const struct rip_page_spec *spec,
		     const uint16_t *samples, uint32_t rows, uint8_t *packed)
{
	uint32_t *numbers = malloc(rows * sizeof *numbers);
	const struct rip_strip strip = {
		.rows = rows, .in = samples, .out = packed,
		.out_pitch = (ptrdiff_t)rip_dot_bytes(spec->width, spec->levels),
		.row_numbers = numbers,
	};
	struct rip_page *page;

	check(numbers, "out of memory");
	for (uint32_t i = 0; i < rows; i++)
		numbers[i] = i;
	check(rip_engine_open_page(engine, spec, RIP_START_NOISE, &page) == 0,
	      "cannot open a page");
	check(engine->ops->push(page, &strip, 1) == 0 && engine->ops->pull(page) == 0,
	      "cannot halftone");
	engine->ops->close(page);
	free(numbers);
}

void field_dots(struct rip_engine *engine, const struct rip_screen *screen, unsigned levels,
		uint32_t x, uint32_t width, uint32_t height, uint8_t *dots)
{
	const uint32_t top = screen->reach > 0 ? TOP : 0, left = screen->reach > 0 ? LEFT : 0;
	const struct rip_page_spec spec = {
		.width = width + 2 * left, .planes = 1, .levels = levels, .sample_bits = 16,
		.screen = screen,
	};
	const uint32_t bits = rip_dot_bits(levels);
	const size_t pitch = rip_dot_bytes(spec.width, levels);
	uint16_t *samples = malloc(spec.width * sizeof *samples);
	uint8_t *packed = malloc(pitch * (top + height));

	if (x == 0 || x == RIP_FULL) { /* transparent rows never reach an engine */
		memset(dots, x == 0 ? 0 : (int)levels - 1, (size_t)width * height);
		goto done;
	}
	check(samples && packed, "out of memory");
	for (uint32_t j = 0; j < spec.width; j++)
		samples[j] = (uint16_t)x;
	halftone(engine, &spec, samples, top + height, packed);
	for (uint32_t i = 0; i < height; i++)
		for (uint32_t j = 0; j < width; j++) {
			const uint32_t bit = (left + j) * bits;

			dots[(size_t)i * width + j] =
				packed[(top + i) * pitch + bit / 8] >> (8 - bits - bit % 8) &
				((1u << bits) - 1);
		}
done:
	free(samples);
	free(packed);
}
