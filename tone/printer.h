/*
 * A printer as the tone model sees it: how large a dot gets on paper.
 *
 * One model does not fit all printers.  Ink and thermal paper have discs whose radius varies a
 * little; a laser has a Gaussian spot and a threshold (coverage.h).  Paper scatters light in
 * both.
 *
 * Plain values, to be copied freely.  Pure functions; any thread may call them.
 */
#ifndef RIP_PRINTER_H
#define RIP_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The sizes of a printer's drops, for dots with more than two levels.
 *
 * As text, one number for each level above 0, ascending, with commas or slashes between them:
 * "3,7,14" are picolitres, "40%,70%,100%" what a drop covers of what the largest one does.  A drop
 * spreads on paper to a disc whose diameter grows with that of the drop, so drops of volume V cover
 * areas in proportion to V^(2/3).
 *
 * Plain values; pure functions; any thread may call them.
 */

#define RIP_DROPS_MAX 15

/* Zeros: the area of a drop grows with its level. */
struct rip_drops {
	uint32_t count;                /* levels - 1 */
	double   share[RIP_DROPS_MAX]; /* of the area of the largest drop; ascending to 1 */
};

/* "none" makes zeros.  false: not valid: no numbers, more than RIP_DROPS_MAX, not ascending, or
 * some with % and some without; percent that do not end with 100; or a first drop of less than a
 * thousandth of the last one. */
bool rip_drops_parse(struct rip_drops *drops, const char *text);

/* The share of the largest drop's area that a level covers, 0 to 1.  Drops for another number of
 * levels count as none. */
double rip_drops_share(const struct rip_drops *drops, unsigned levels, unsigned level);

/* Whether drops are known for this number of levels. */
bool rip_drops_known(const struct rip_drops *drops, unsigned levels);

/* How many drops so many levels need, for a message: a number, or "none". */
#define RIP_DROPS_NEEDED_MAX 12 /* bytes, with the NUL */
void rip_drops_needed(unsigned levels, char text[RIP_DROPS_NEEDED_MAX]);

enum rip_printer_kind {
	RIP_PRINTER_NONE,  /* dots are as large as their pixels: no curve */
	RIP_PRINTER_DISCS, /* ink, thermal paper */
	RIP_PRINTER_SPOT,  /* laser */
};

struct rip_printer {
	enum rip_printer_kind kind;
	double radius;    /* discs: pixels, 0.5 to 1.35 */
	double jitter;    /* discs: standard deviation of the radius, pixels, 0 to 0.25 */
	double threshold; /* spot: share of a solid area's exposure, 0.1 to 0.62 */
	double spot;      /* spot: sigma, pixels, 0.2 to 0.6 */
	double softness;  /* spot: standard deviation of the threshold, 0.01 to 0.2 */
	double scatter;   /* mean distance that light spreads in the paper, micrometres, 0 to 200 */
	double solid;     /* reflectance of a solid area, of the paper's: 0.005 to 0.5 */
	double dpi;       /* resolution at which a pixel is one pixel: 50 to 5000 */
	struct rip_drops drops; /* of the levels; not part of the text below */
};

/* The printer as text, such as "laser spot=0.470 threshold=0.410 softness=0.050 scatter=60.0
 * solid=0.0500 dpi=600" or "discs radius=0.850 jitter=0.080 ...", and back.  Formatting cuts the
 * text if it is too long; 128 bytes are enough.  Parsing returns false, and changes nothing,
 * unless every value is there and in its range. */
void rip_printer_format(const struct rip_printer *printer, char *text, size_t size);
bool rip_printer_parse(struct rip_printer *printer, const char *text);

/* Takes the printer to another resolution, 1 or more: a spot has the same width on paper at each,
 * as far as the range of `spot` goes; discs have the same radius in pixels. */
void rip_printer_set_dpi(struct rip_printer *printer, double dpi);

/* Whether all values are finite and in their ranges. */
bool rip_printer_check(const struct rip_printer *printer);

#endif
