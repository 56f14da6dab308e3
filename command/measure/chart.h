/*
 * A page of a chart: dots as they go to the printer, of one ink; and its texts and marks, which
 * are black for every ink, so that they can be read and found.
 *
 * Places and sizes are in pixels, from the top left; what is outside of the page is cut off.
 * Used by one thread.
 */
#ifndef RIP_CHART_H
#define RIP_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/engine.h"

struct rip_chart {
	uint32_t width, height;
	uint32_t levels; /* of the dots: 2, 4 or 16 */
	uint32_t bits;   /* of a dot: 1, 2 or 4 */
	size_t   pitch;  /* bytes of a row of dots */
	uint8_t *ink;    /* dots, most significant bits first; 0: paper */
	uint8_t *black;  /* the same for texts and marks; equal to `ink` if that is black */
};

/* An empty page.  own_black: texts and marks get a plane of their own.  0 or -ENOMEM. */
int rip_chart_new(struct rip_chart *chart, uint32_t width, uint32_t height, uint32_t levels,
		  bool own_black);

/* The level of a pixel of a plane of the chart, in a row of its dots. */
static inline unsigned rip_chart_level(const struct rip_chart *chart,
				       const uint8_t *row, uint32_t x)
{
	const size_t bit = (size_t)x * chart->bits;

	return row[bit / 8] >> (8 - chart->bits - bit % 8) & (chart->levels - 1);
}

/* May be called twice. */
void rip_chart_finish(struct rip_chart *chart);

/* A box of solid ink. */
void rip_chart_box(struct rip_chart *chart, int64_t x, int64_t y, uint32_t width, uint32_t height);

/* A box in black, or of paper. */
void rip_chart_mark(struct rip_chart *chart, int64_t x, int64_t y, uint32_t width, uint32_t height,
		    bool black);

/* Lines `ink` pixels wide in every `period` pixels, upright or flat, that fill a box. */
void rip_chart_lines(struct rip_chart *chart, int64_t x, int64_t y, uint32_t width,
		     uint32_t height, uint32_t period, uint32_t ink, bool upright);

/* Tints side by side: `count` boxes with these tones (0 to 65535), each `width` wide, halftoned
 * by a screen (plane 0 of it).  0 or -errno. */
int rip_chart_tints(struct rip_chart *chart, struct rip_engine *engine,
		    const struct rip_screen *screen, int64_t x, int64_t y, uint32_t width,
		    uint32_t height, unsigned count, const uint16_t tones[]);

/* A text of dots `scale` pixels large: a character is 6 of them wide and 7 high, and
 * some reach 1 below the line. */
void rip_chart_text(struct rip_chart *chart, int64_t x, int64_t y, uint32_t scale,
		    const char *text);

#endif
