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

/*
 * Pure black of CMYK in grey.  Ghostscript converts CMYK to grey by the colour that a press would
 * print, so that 100 % K, in which most programs write text, becomes a dark grey whose dots fray
 * every letter.  On a printer with black ink alone, K is its ink.
 *
 * The default profile of CMYK is replaced by a copy of it, in which mixes without C, M and Y are
 * darker: K alone is as dark as the darkest mix of all inks, which is black after Ghostscript's
 * compensation of the black point, and lighter K follows as in such a compensation.  With Y, the
 * luminance of a mix, and Y0 that of paper:
 *
 *	Y' = Y0 - (Y0 - Y) (Y0 - Y(darkest mix)) / (Y0 - Y(K))
 *
 * With the profile of Ghostscript 10.00, in steps of 255 of light:
 *
 *	K            10   25   50   60   75   85   90   95  100 %
 *	profile     231  200  149  129   99   77   64   49   32
 *	pure black  230  198  144  124   90   63   45   14    0
 *
 * A proportional mapping, 100 % - K, would make 50 % K 22 steps darker than 50 % K with a trace of
 * C, an edge in photos; here these are 5.  The price is a steeper end: at most 7 steps for 1 % K,
 * and at 96 % K 36 steps below the profile's.
 *
 * The copy has the grid of the profile, and in front of it one more place on each axis, for no ink
 * at all, to which the curves of C, M and Y jump only at 0.  All other colours are computed from
 * the same numbers as before.  But lcms computes a grid of 23 places an axis in advance, and
 * interpolates: colours with less than 1/22 of C, M and Y are between old and new.
 *
 * Colours in profiles of their own, RGB, grey and Lab do not use this profile.
 */

/* PostScript that does so in a Ghostscript that draws grey.  It leaves the profile as it is, with a
 * message, if the profile is not a table of 16 bits (lut16Type of ICC.1:2010, 10.10). */
extern const char rip_pure_black[];

#endif
