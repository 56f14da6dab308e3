/*
 * The tone curves and the ink limit of a vendor's PPD, in the keywords of libcupsfilters' drivers,
 * whose functions make the curves (colour_library.h):
 * cupsInkLimit, and for each ink the first of cups<Ink>XY, cups<Ink>Gamma, cupsAllXY and
 * cupsAllGamma, with <Ink> Black, Cyan, Magenta or Yellow.  For light inks: cupsLight<Ink>XY,
 * cupsLight<Ink>Gamma or cups<Ink>LtDk, with <Ink> Black, Cyan or Magenta.
 *
 *	*cupsCyanGamma CMYK.Plain.600dpi: "1.5 0.9"	0.9 * ink^1.5
 *	*cupsAllXY: "0.4 0.5"				out and in: 0.5 of ink becomes 0.4;
 *							all such lines make one curve
 *	*cupsCyanLtDk: "0.3 0.8"			light cyan up to 0.3, where it is full; from
 *							0.8 on cyan alone
 *	*cupsInkLimit: "2.6"				260 %
 *	*cupsBlackGeneration: "0.1 1.0"			black from 10 % of grey on, alone at 100 %
 *
 * A keyword may be for a colour model, a media type, a resolution, or some of them:
 * MODEL.MEDIA.RESOLUTION, MODEL.RESOLUTION, MODEL, MEDIA.RESOLUTION, MEDIA, RESOLUTION, or for
 * all; the first that exists in this order counts.
 *
 * Used by one thread.
 */
#ifndef RIP_VENDOR_CURVE_H
#define RIP_VENDOR_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include <cups/raster.h>

#include "filter/queue.h"
#include "halftone/screen/mask_screen.h"
#include "tone/plane_curve.h"

#define RIP_VENDOR_SPEC  128 /* bytes of an option of a line, such as CMYK.600dpi, with its NUL */

/* Plain bytes; zeros are no curve. */
struct rip_vendor_curve {
	short used;     /* 1: there is a curve */
	short ink[256]; /* 0 to RIP_COLOUR_FULL; ascending, but for a light ink's */
};

/* What a page is printed on, for the lines of the PPD that are meant for it. */
struct rip_vendor_page {
	const char *model; /* the choice of ColorModel, or "" */
	char        media[65]; /* MediaType of the page header; "" is taken as Plain */
	unsigned    x_dpi, y_dpi;
};

/* Finds the first line of a keyword that is for this page, and its option ("": for all).  NULL:
 * there is none.  Lives as long as the queue is open. */
const char *rip_vendor_find(const struct rip_queue *queue, const char *keyword,
			    const struct rip_vendor_page *page, char spec[RIP_VENDOR_SPEC]);

/* Finds the curve of an ink; of a light ink only its own, not that for all.  false: there is none.
 * A curve that falls, unless it is that of a light ink, or has values out of range or more than
 * RIP_COLOUR_POINTS points, is none either, with one WARNING for each job (*warned).  So are all
 * where libcupsfilters cannot be loaded. */
bool rip_vendor_curve_find(struct rip_vendor_curve *curve, const struct rip_queue *queue,
			   const struct rip_vendor_page *page, enum rip_ink ink, bool *warned);

/* How a light ink and the dark one of its colour share the tones.
 * false: the PPD does not say it, or not well. */
bool rip_vendor_light_ink(const struct rip_queue *queue, const struct rip_vendor_page *page,
			  enum rip_ink light, struct rip_light_ink *found, bool *warned);

/* The ink, 0 to 1, for an ink, 0 to 1; between the curve's inks on a straight line. */
double rip_vendor_curve_at(const struct rip_vendor_curve *curve, double ink);

/* Where black begins to replace grey, and where it does so completely: 0 to 1.  false: the PPD does
 * not say it, or not well. */
bool rip_vendor_black_generation(const struct rip_queue *queue, const struct rip_vendor_page *page,
				 float black[2], bool *warned);

/* The ink limit in percent; 0: none. */
unsigned rip_vendor_ink_limit(const struct rip_queue *queue, const struct rip_vendor_page *page,
			      bool *warned);

#endif
