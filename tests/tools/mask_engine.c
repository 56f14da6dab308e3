/* An engine for tests whose screen is a threshold mask. */
#include "config.h"

#include "mask_engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct mask_page {
	struct rip_page      base; /* first */
	struct rip_page_spec spec;
};

/* A kind that no engine of the product knows. */
const struct rip_screen mask_screen = { .name = "mask", .kind = (enum rip_screen_kind)99 };

bool mask_dot(uint32_t row, uint32_t column, uint8_t sample)
{
	return sample > (row * 37 + column * 11) % 255;
}

static bool mask_takes(const struct rip_engine *engine, const struct rip_page_spec *spec)
{
	return spec->screen == &mask_screen && spec->sample_bits == 8 && spec->levels == 2 &&
	       !spec->curve;
}

static int mask_open(struct rip_engine *engine, const struct rip_page_spec *spec,
		     struct rip_page **out)
{
	struct mask_page *page;

	*out = NULL;
	if (rip_page_spec_check(spec) < 0 || !mask_takes(engine, spec))
		return -EINVAL;
	page = calloc(1, sizeof *page);
	if (!page)
		return -ENOMEM;
	page->base.engine = engine;
	page->spec = *spec;
	*out = &page->base;
	return 0;
}

static int mask_push(struct rip_page *base, const struct rip_strip *strips, unsigned count)
{
	const uint32_t width = ((struct mask_page *)base)->spec.width;

	for (unsigned i = 0; i < count; i++) {
		const struct rip_strip *strip = &strips[i];

		if (!strip->row_numbers)
			return -EINVAL;
		for (uint32_t row = 0; row < strip->rows; row++) {
			const uint8_t *in = (const uint8_t *)strip->in + row * strip->in_pitch;
			uint8_t *out = strip->out + row * strip->out_pitch;

			memset(out, 0, rip_dot_bytes(width, 2));
			for (uint32_t j = 0; j < width; j++)
				if (mask_dot(strip->row_numbers[row], j, in[j]))
					out[j / 8] |= (uint8_t)(0x80 >> j % 8);
		}
	}
	return 0;
}

static int mask_pull(struct rip_page *base)
{
	return 0;
}

static int mask_export(struct rip_page *base, uint32_t plane, int16_t *carry)
{
	return plane < ((struct mask_page *)base)->spec.planes ? 0 : -EINVAL;
}

static int mask_import(struct rip_page *base, uint32_t plane, const int16_t *carry)
{
	const struct mask_page *page = (struct mask_page *)base;

	return plane < page->spec.planes ? rip_carry_check(&page->spec, carry) : -EINVAL;
}

static void mask_close(struct rip_page *base)
{
	free(base);
}

static void mask_free(struct rip_engine *engine)
{
	free(engine);
}

static const struct rip_engine_ops mask_ops = {
	.takes = mask_takes, .open = mask_open, .push = mask_push, .pull = mask_pull,
	.export_carry = mask_export, .import_carry = mask_import, .close = mask_close,
	.free = mask_free,
};

struct rip_engine *mask_engine_new(void)
{
	struct rip_engine *engine = calloc(1, sizeof *engine);

	if (engine)
		*engine = (struct rip_engine){ .ops = &mask_ops, .method = "mask", .device = "test" };
	return engine;
}
