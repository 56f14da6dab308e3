/*
 * What makes dots of grey pictures: riptide's screens, through its CPU engine, and its peers.
 */
#ifndef RIP_DOT_SOURCE_H
#define RIP_DOT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/engine/peers.h"
#include "halftone/engine.h"
#include "halftone/screen/mask_screen.h"

struct dot_source {
	char name[64];
	/* light and dots: height rows of width bytes; 0 is black; dots 1 for light, 0 for ink.
	 * false: reported on stderr. */
	bool (*halftone)(const struct dot_source *source, const uint8_t *light, uint32_t width,
			 uint32_t height, uint8_t *dots);
	const struct rip_screen *screen;
	struct rip_engine *engine; /* not owned */
	const struct peer *peer;
};

/* A screen, as a page of ink is printed with it. */
void dot_source_of_screen(const struct rip_screen *screen, struct rip_engine *engine,
			  struct dot_source *source);

/* A screen by its name, for black ink at 600 dpi; masks can have another resolution, as in
 * clustered@1200.  mask is where a mask's screen is made, and outlives the source.  false:
 * reported on stderr. */
bool dot_source_of_name(const char *name, struct rip_engine *engine, struct rip_mask_screen *mask,
			struct dot_source *source);

/* A peer of the benchmark. */
void dot_source_of_peer(const struct peer *peer, struct dot_source *source);

/* Ghostscript, with the screen that it has for a resolution by itself.  false: there is none. */
bool dot_source_of_ghostscript(struct dot_source *source);

/* Deliberately bad, to test the measures: white noise as threshold; a mask of 2 x 2. */
void dot_source_of_noise(struct dot_source *source);
void dot_source_of_crystals(struct dot_source *source);

#endif
