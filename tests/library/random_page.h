/* Random pages for the tests of riptide.h, and their right dots. */
#ifndef RIP_TEST_RANDOM_PAGE_H
#define RIP_TEST_RANDOM_PAGE_H

#include "halftone/screen/blue_noise_colour.h"
#include "halftone/screen/mask_screen.h"
#include "tests/library/library_object.h"
#include "tests/tools/define_dots.h"
#include "tests/tools/testing.h"

struct picture {
	struct riptide_page page;
	uint8_t *samples; /* plane after plane */
	uint8_t *dots;    /* the right ones, in the same order */
	uint16_t curves[RIPTIDE_PLANES_MAX][256];
	const uint16_t *of_planes[RIPTIDE_PLANES_MAX];
};

static size_t picture_in_bytes(const struct picture *p)
{
	return (size_t)p->page.width * (p->page.sample_bits / 8);
}

static size_t picture_out_bytes(const struct picture *p)
{
	return riptide_dot_bytes(p->page.width, p->page.levels);
}

static void picture_draw(struct picture *p)
{
	const size_t rows = (size_t)p->page.planes * p->page.height;

	const bool solid =
		rip_test_below(2); /* whether there are rows without a dot, or full of them */

	p->samples = malloc(rows * picture_in_bytes(p));
	p->dots = calloc(rows, picture_out_bytes(p));
	for (size_t row = 0; row < rows; row++) {
		uint8_t *samples = p->samples + row * picture_in_bytes(p);
		const uint32_t kind = solid ? rip_test_below(8) : 2;

		for (size_t i = 0; i < picture_in_bytes(p); i++)
			samples[i] = kind == 0 ? 0 : kind == 1 ? 0xff : (uint8_t)rip_test_random();
	}
}

/* The right dots: by one band and the engine that defines them; curves are applied by hand. */
static void picture_define(struct picture *p, const struct rip_screen *screen,
			   const enum rip_ink *inks)
{
	const struct riptide_page *page = &p->page;
	struct rip_page_spec spec = {
		.width = page->width, .planes = page->planes, .levels = page->levels,
		.sample_bits = page->curves ? 16 : page->sample_bits, .screen = screen,
		.coupling.light = page->light,
	};
	struct rip_band *band;

	memcpy(spec.coupling.inks, inks, sizeof spec.coupling.inks);
	if (rip_screen_couples(screen))
		spec.screen = rip_colour_screen(page->registration, page->x_dpi, page->y_dpi,
						&spec.coupling.fade);
	assert_int_equal(rip_band_new(&spec, page->height, &band), 0);
	for (uint32_t plane = 0; plane < page->planes; plane++)
		for (uint32_t y = 0; y < page->height; y++) {
			const uint8_t *from = p->samples +
					      (plane * page->height + y) * picture_in_bytes(p);
			uint16_t *to = rip_band_row(band, plane);

			if (page->curves)
				for (uint32_t x = 0; x < page->width; x++)
					to[x] = page->curves[plane] ? page->curves[plane][from[x]] :
								      257 * from[x];
			else
				memcpy(to, from, picture_in_bytes(p));
			rip_band_commit(band, plane);
		}
	define_dots(&spec, page->flags & RIPTIDE_START_ZERO ? RIP_START_ZERO : RIP_START_NOISE,
		    band, NULL);
	for (uint32_t plane = 0; plane < page->planes; plane++)
		for (uint32_t y = 0; y < page->height; y++)
			memcpy(p->dots + (plane * page->height + y) * picture_out_bytes(p),
			       rip_band_dots(band, plane, y), picture_out_bytes(p));
	rip_band_free(band);
}

/* A random page with the screen of this name. */
static void picture_make(struct picture *p, const char *name)
{
	static const char *const inks[] = { NULL, NULL, "CK" };
	struct riptide_page *page = &p->page;
	struct rip_mask_use use;
	struct rip_mask_screen mask;
	char why[256];
	const int id = rip_screen_find(name);

	memset(p, 0, sizeof *p);
	*page = (struct riptide_page){
		.size = sizeof *page,
		.width = 1 + rip_test_below(300),
		.height = 1 + rip_test_below(150),
		.planes = 1 + rip_test_below(4),
		.sample_bits = rip_test_below(3) ? 8 : 16,
		.levels = rip_test_below(2) ? 2 : 2 + rip_test_below(15),
		.light = rip_test_below(2),
		.x_dpi = 300,
		.y_dpi = 300,
		.screen = name,
		.flags = rip_test_below(2),
		.band_rows = rip_test_below(3) ? 0 : 1 + rip_test_below(40),
	};
	if (page->planes == 2 && !page->light)
		page->inks = inks[2];
	picture_draw(p);
	if (page->sample_bits == 8 && rip_test_below(2)) {
		const bool same = rip_test_below(2), ends = rip_test_below(2);

		for (uint32_t plane = 0; plane < page->planes; plane++) {
			const bool any = rip_test_below(3) == 0; /* it may fall */
			uint32_t x = 0;

			for (uint32_t v = 0; v < 256; v++) {
				x += rip_test_below(512);
				p->curves[plane][v] = any ? (uint16_t)rip_test_random() :
						      (uint16_t)(x < 65535 ? x : 65535);
			}
			if (ends) {
				p->curves[plane][0] = 0;
				p->curves[plane][255] = 65535;
			}
			p->of_planes[plane] = rip_test_below(5) ? p->curves[same ? 0 : plane] :
								  NULL;
		}
		page->curves = p->of_planes;
	}
	use = (struct rip_mask_use){ .x_dpi = 300,
				     .y_dpi = 300,
				     .light = page->light,
				     .planes = page->planes,
				     .inks = { RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
					       RIP_INK_BLACK } };
	if (page->planes == 1)
		use.inks[0] = RIP_INK_BLACK;
	else if (page->planes == 2 || (page->planes == 4 && page->light))
		use.inks[0] = use.inks[1] = use.inks[2] = use.inks[3] = RIP_INK_OTHER;
	if (page->inks) {
		use.inks[0] = RIP_INK_CYAN;
		use.inks[1] = RIP_INK_BLACK;
	}
	if (id < 0)
		assert_int_equal(rip_mask_screen_init(&mask, name, &use, why, sizeof why), 0);
	if (rip_test_below(2))
		page->registration = rip_test_below(100);
	picture_define(p, id < 0 ? &mask.base : &rip_screens[id], use.inks);
}

static void picture_drop(struct picture *p)
{
	free(p->samples);
	free(p->dots);
}

#endif
