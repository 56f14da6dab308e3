/*
 * Whether a page that Ghostscript draws in CMYK has colours, and the page with black ink alone if
 * it has none (print-color-mode=auto-monochrome).
 *
 * Inks do not tell: grey and black of RGB, of ICC profiles and of Lab become mixes of all inks.
 * But all of them become mixes of one curve, which Ghostscript draws first: what it makes of equal
 * R, G and B, from 0 to 255.  A pixel has no colour if it is black ink alone, or next to this
 * curve: each ink differs by at most RIP_GREY_DISTANCE of 255.  Greys of RGB whose parts differ by
 * 1 of 255, as in scans and in JPEG files, are that near.  The pixel becomes 255 - R of black ink,
 * as in kept_black.h.  Other mixes of CMYK are colours, whatever they look like, and so is what is
 * mixed from several mixes.  Where black text overprints, this is known before it does
 * (overprint.c), and full black is black, whatever is below it.
 *
 * That is known at the first coloured pixel, or at the end of the page.  Until then its rows are
 * kept in memory: runs of equal pixels take 8 bytes.  A page for which there is no room is drawn
 * twice.
 *
 * Used by one thread.
 */
#ifndef RIP_PAGE_COLOUR_H
#define RIP_PAGE_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIP_GREY_DISTANCE 2

#define RIP_GREYS_CACHE 4096 /* pixels */

/* The curve, and what was found out about pixels. */
struct rip_greys {
	bool     overprint; /* full black ink has inks of others below it */
	uint8_t  inks[256][4]; /* C, M, Y, K of R = G = B = the index */
	uint8_t  nearest[4 * 255 + 1]; /* for a sum of inks, the index whose inks have this sum */
	uint32_t pixels[RIP_GREYS_CACHE]; /* pixels that were looked up, */
	int16_t  blacks[RIP_GREYS_CACHE]; /* and their black ink, or -1; -2: none was */
};

/* PostScript that defines rtgreys, which draws the curve as a page of 256 x 1 pixels. */
extern const char rip_greys_commands[];

/* Makes the rest of a curve whose inks are set, and `overprint`. */
void rip_greys_init(struct rip_greys *greys);

/* Whether no pixel of a row has a colour. */
bool rip_greys_row(struct rip_greys *greys, const uint8_t *pixels, uint32_t width);

/* Makes the pixels of such a row black ink alone. */
void rip_greys_blacken(struct rip_greys *greys, uint8_t *pixels, size_t count);

/* Rows that are kept.  Zeros to begin with. */
struct rip_kept_rows {
	uint32_t *words;        /* runs: 0x80000000 + their length, and a pixel; or a length, and
				   so many pixels */
	size_t    used, size;   /* words */
	size_t    at;           /* of them are taken */
	uint32_t  rows;         /* that are not taken */
};

/* Keeps a row of at most 2^31 pixels.  0; -ENOSPC: there would be more than `limit` bytes; -ENOMEM;
 * in both cases, none are kept any more. */
int rip_kept_rows_put(struct rip_kept_rows *kept, const uint8_t *pixels, uint32_t width,
		      size_t limit);

/* Makes all pixels black ink alone, of which none has a colour and none was taken. */
void rip_kept_rows_blacken(struct rip_kept_rows *kept, struct rip_greys *greys);

/* Takes the next row, of which there is one. */
void rip_kept_rows_take(struct rip_kept_rows *kept, uint8_t *pixels, uint32_t width);

/* May be called twice. */
void rip_kept_rows_finish(struct rip_kept_rows *kept);

#endif
