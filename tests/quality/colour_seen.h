/*
 * Three inks on simulated paper, and what the eye sees of them: colour.h says how.
 */
#ifndef RIP_COLOUR_SEEN_H
#define RIP_COLOUR_SEEN_H

#include <complex.h>
#include <stdint.h>

#include "halftone/screen/mask_screen.h"
#include "texture.h"

#define INKS 3
#define SIDE FIELD_SIDE
#define DPI  600
#define RIM  32 /* of the field: there the filters see its other side */

/* Cyan, magenta, yellow. */
extern const enum rip_ink colour_inks[INKS];

struct page {
	uint32_t width, height;
	uint8_t *ink[INKS], *dots[INKS]; /* bytes; dots: 1 for ink */
};

/* Of a field. */
struct light {
	float xyz[SIDE * SIDE][3]; /* relative to the paper's */
};

/* XYZ of paper, of each ink (bits) and of the overprints. */
void overprints(double xyz[1 << INKS][3]);

/* Prints the part of a page from a row and a column on, with an error of registration in pixels. */
void print_field(const struct page *page, uint32_t row, uint32_t column, double error,
		 struct light *light);

enum filter { LUMINANCE, RED_GREEN, BLUE_YELLOW, EYE };

/* Filters the real parts and the imaginary ones of SIDE x SIDE values each with a filter of their
 * own. */
void filter_two(float complex *field, enum filter real, enum filter imaginary);

struct seen {
	double luminance; /* variance */
	double chroma;    /* variance, Delta E squared */
	double mean[3];   /* L*, a*, b* */
};

void look(const struct light *light, struct seen *seen);

#endif
