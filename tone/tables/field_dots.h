/*
 * The dots of a field of one tone: for the generator of the tables, and for tests.
 *
 * Exits with a message if something fails.
 */
#ifndef RIP_FIELD_DOTS_H
#define RIP_FIELD_DOTS_H

#include <stdint.h>

#include "halftone/engine.h"

/* Halftones a field of x (0..65535) and fills dots: `height` rows of `width` levels, a byte each.
 * Of error diffusion, which takes some rows and columns to settle, it is a window in a larger
 * field; of a mask, the beginning of the page. */
void field_dots(struct rip_engine *engine, const struct rip_screen *screen, unsigned levels,
		uint32_t x, uint32_t width, uint32_t height, uint8_t *dots);

#endif
