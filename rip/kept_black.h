/*
 * Black and grey of RGB with black ink alone, on CMYK pages, for text or for text and graphics.
 * Ghostscript converts them as it converts photos, to a mix of all inks, whose edges are coloured
 * where the inks do not meet.  Grey that is not RGB already becomes black ink in Ghostscript.
 *
 * Ghostscript takes profiles for each kind of object (SourceObjectICC).  The one that is made here
 * is a link from RGB to CMYK (ICC.1:2010, 8.9): a table of what Ghostscript itself makes of so many
 * values of R, G and B, which it draws first, but for R = G = B, where there is black ink alone.
 * lcms interpolates in tetrahedra, so that every grey between these is only black, too.  It does so
 * in a grid of 49 places an axis, with which the table has to agree: then other colours differ by
 * at most 2 steps of 255 from those without the link (a table of 33: by 16).  Colours of which the
 * largest and the smallest part differ by less than 1/48 are between both.
 *
 * Images keep their colours, and so do colours in profiles of their own.
 */
#ifndef RIP_KEPT_BLACK_H
#define RIP_KEPT_BLACK_H

#include <stdint.h>

enum rip_keep_black { RIP_KEEP_BLACK_NONE, RIP_KEEP_BLACK_TEXT, RIP_KEEP_BLACK_TEXT_AND_GRAPHICS };

#define RIP_KEPT_BLACK_GRID    49
#define RIP_KEPT_BLACK_COLUMNS (RIP_KEPT_BLACK_GRID * RIP_KEPT_BLACK_GRID) /* G, then B */
#define RIP_KEPT_BLACK_BYTES   (RIP_KEPT_BLACK_COLUMNS * RIP_KEPT_BLACK_GRID * 4)

#define RIP_KEPT_BLACK_PROFILE 472756 /* bytes; a number, which PostScript has to read */

/* PostScript that defines rtcube, which draws the colours of the table as a page: a row for each R,
 * from 0 on.  The page has its size already, with a matrix from pixels to pixels.  And rtkeep,
 * which takes the kinds of objects, reads the profile behind its line, has Ghostscript use it, and
 * answers. */
extern const char rip_kept_black_commands[];

/* Makes the profile of the table, the samples of that page, which is changed.  The caller frees
 * it.  NULL: out of memory. */
void *rip_kept_black_profile(uint8_t table[RIP_KEPT_BLACK_BYTES]);

#endif
