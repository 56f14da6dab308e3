/* The dots of a page, by the engine that defines them. */
#ifndef RIP_DEFINE_DOTS_H
#define RIP_DEFINE_DOTS_H

#include <stdint.h>
#include <stdlib.h>

#include "halftone/engine_cpu.h"
#include "halftone/page/band.h"

/* The spec of a page with Floyd and Steinberg's filter. */
#define PLAIN_PAGE(columns, count) \
	{ .width = columns, .planes = count, .levels = 2, .sample_bits = 8, \
	  .screen = &rip_screens[RIP_FLOYD_STEINBERG] }

/* Halftones a page that is one band.  carry: what its last row leaves, plane after plane, or
 * NULL. */
static inline void define_dots(const struct rip_page_spec *spec, enum rip_start start,
			       struct rip_band *band, int16_t *carry)
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED, .isa = "c" };
	struct rip_strip strips[RIP_PLANES_MAX];
	struct rip_engine *engine;
	struct rip_page *page;

	if (rip_engine_cpu_new(&config, &engine) < 0 ||
	    rip_engine_open_page(engine, spec, start, &page) < 0 ||
	    engine->ops->push(page, strips, rip_band_strips(band, strips)) < 0 ||
	    engine->ops->pull(page) < 0)
		abort();
	for (uint32_t plane = 0; carry && plane < spec->planes; plane++)
		if (engine->ops->export_carry(page, plane, carry + plane * rip_carry_values(spec)) <
		    0)
			abort();
	engine->ops->close(page);
	engine->ops->free(engine);
}

#endif
