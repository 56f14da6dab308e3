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
#ifndef RIP_PURE_BLACK_H
#define RIP_PURE_BLACK_H

/* PostScript that does so in a Ghostscript that draws grey.  It leaves the profile as it is, with a
 * message, if the profile is not a table of 16 bits (lut16Type of ICC.1:2010, 10.10). */
extern const char rip_pure_black[];

#endif
