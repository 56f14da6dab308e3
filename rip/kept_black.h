/*
 * Black and grey with black ink alone, on CMYK pages, for text or for text and graphics.
 * Ghostscript converts them as it converts photos, to a mix of all inks, whose edges are coloured
 * where the inks do not meet.  Only grey without a profile already becomes black ink in
 * Ghostscript.
 *
 * Ghostscript takes profiles for each kind of object (SourceObjectICC).  Those that are made here
 * are links to CMYK (ICC.1:2010, 8.9).  The one for grey, which also replaces the profiles of a
 * document (text of macOS has one), makes black ink of it.  The one for RGB is a table of what
 * Ghostscript itself makes of so many values of R, G and B, which it draws first, but for equal
 * R, G and B, where there is black ink alone.  lcms interpolates in tetrahedra, so that every
 * grey between these is only black, too.  It does so in a grid of 49 places an axis, with which
 * the table has to agree: then other colours differ by at most 2 steps of 255 from those without
 * the link (a table of 33: by 16).  Colours of which the largest and the smallest part differ by
 * less than 1/48 are between both.
 *
 * Colours of RGB in profiles of a document, as those of macOS have, and CalRGB are converted by
 * way of XYZ.  There Ghostscript takes another profile of the printer for each kind of object
 * (TextICCProfile).  The one that is made here has the matrix and the gamma of Adobe RGB (1998),
 * and a table of what Ghostscript makes of so many values of R, G and B in these primaries, with
 * black ink alone for equal ones: as much as for the same grey of RGB without a profile.  It
 * contains the compensation of the black point already.  So colours of sRGB, Adobe RGB and CalRGB
 * differ by at most 3 steps from those without it; colours outside Adobe RGB (1998) are clipped to
 * it, and no press prints most of these.  The greys of a profile are computed with a small error,
 * so traces of C, M and Y below 1.5 of 255 are none.
 *
 * By that profile, CMYK would not stay as it is.  So there is a third link, for CMYK, also in
 * profiles of a document, of which no mix comes in between: to the same inks; or, where the printer
 * has a profile of its own, so that Ghostscript makes a mix of black of CMYK, too, a table of 23
 * places an axis, as lcms has it, with black ink for black.
 *
 * Images keep their colours.  A page with transparency that is mixed in RGB is converted as a
 * whole, by the profile for the kind of object that was drawn last.  Whether it is mixed in RGB,
 * nobody tells, so pages with transparency are drawn without all this.
 */
#ifndef RIP_KEPT_BLACK_H
#define RIP_KEPT_BLACK_H

#include <stddef.h>
#include <stdint.h>

enum rip_keep_black { RIP_KEEP_BLACK_NONE, RIP_KEEP_BLACK_TEXT, RIP_KEEP_BLACK_TEXT_AND_GRAPHICS };

#define RIP_KEPT_BLACK_GRID    49
#define RIP_KEPT_BLACK_COLUMNS (RIP_KEPT_BLACK_GRID * RIP_KEPT_BLACK_GRID) /* G, then B */
#define RIP_KEPT_BLACK_BYTES   (RIP_KEPT_BLACK_COLUMNS * RIP_KEPT_BLACK_GRID * 4)

#define RIP_KEPT_WIDE_BYTES  RIP_KEPT_BLACK_BYTES /* in Adobe RGB (1998), the same table */

#define RIP_KEPT_INK_GRID    23
#define RIP_KEPT_INK_COLUMNS (RIP_KEPT_INK_GRID * RIP_KEPT_INK_GRID * RIP_KEPT_INK_GRID)
#define RIP_KEPT_INK_BYTES   (RIP_KEPT_INK_COLUMNS * RIP_KEPT_INK_GRID * 4)

/* Bytes; numbers, which PostScript has to read. */
#define RIP_KEPT_BLACK_PROFILE 472756
#define RIP_KEPT_GREY_PROFILE  1656
#define RIP_KEPT_SAME_PROFILE  2480
#define RIP_KEPT_INK_PROFILE   1121780
#define RIP_KEPT_WIDE_PROFILE  968188

/* PostScript that defines rtcube, rtwide and rtinks, which draw the colours of the tables as a
 * page: a row for each R or C, from 0 on.  The page has its size already, with a matrix from pixels
 * to pixels.  And rtkeep, which takes the kinds of objects and a list of spaces, reads the profiles
 * from the file RIP_GS_COMMANDS, has Ghostscript use them, and answers. */
extern const char rip_kept_black_commands[];

/* That list, without and with a table of inks. */
extern const char rip_kept_black_spaces[], rip_kept_black_inks[];

/* Makes the profiles, *size bytes, from the samples of these pages, which are changed: colours of
 * RGB (RIP_KEPT_BLACK_BYTES) and of Adobe RGB (RIP_KEPT_WIDE_BYTES), and inks
 * (RIP_KEPT_INK_BYTES) or NULL.  The caller frees the profiles.  NULL: out of memory. */
void *rip_kept_black_profiles(uint8_t *colours, uint8_t *wide, uint8_t *inks, size_t *size);

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

/* For another Ghostscript: what comes before rip_pure_black so that the copy stays.  It also
 * defines rtdrawpure, which draws the copy as a page of grey, two pixels a byte, each of 4 bits and
 * the upper ones first, and again as long as there is room.  It fails if there is no copy. */
#define RIP_PURE_BLACK_COLUMNS 1024
#define RIP_PURE_BLACK_ROWS    1024
#define RIP_PURE_BLACK_BYTES   ((size_t)RIP_PURE_BLACK_COLUMNS * RIP_PURE_BLACK_ROWS)
extern const char rip_pure_black_wanted[];

/* Makes the copy of the pixels of that page, in their place.  Its bytes, or 0: it is none. */
size_t rip_pure_black_profile(uint8_t *pixels);

#endif
