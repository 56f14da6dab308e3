/*
 * Colours that are printed with three inks: what the eye sees of their dots together.
 *
 * Each dot is a disc of 0.75 pixels radius on a grid of 4 x 4 places a pixel; the colour of a place
 * is that of its overprint (tone/soft_proof.h).  Magenta stays where it is; cyan and yellow are
 * displaced by the error of registration, to the lower right and to the upper right.  What is seen
 * depends on the directions, too.
 *
 * Luminance noise: variance of the luminance (paper is 1) after the eye's filter (texture.h), dB.
 * Chroma noise: deviation of a* and b* after the filters of S-CIELAB (Zhang and Wandell, J. Soc.
 * Inf. Disp. 5, 1997), in Delta E.  Both at 600 dpi and 30 cm.  The mean colour is that of the mean
 * XYZ, relative to the paper.
 */
#ifndef RIP_COLOUR_H
#define RIP_COLOUR_H

#include <stdbool.h>

struct rip_engine;

/* All methods, colours and errors of registration, on stdout.  false: reported on stderr. */
bool colour_table(struct rip_engine *engine);

/* FOLDER/colour.png: tones and a photo as paper shows them with an error of 0.35 pixels, and flats
 * as dots and, with three times the contrast, as the eye sees them; a row each for inks apart,
 * together, and EvenTone.  false: reported on stderr. */
bool colour_pictures(const char *folder, struct rip_engine *engine);

/* What inks together gain at 0.35 pixels, and how wrong their tones are. */
#define COLOUR_GAINS 6
struct colour_gain {
	const char *name;
	double least, gain; /* dB of luminance noise against inks apart: the bar, and measured */
	double tone;        /* the largest error of an ink, of 255 */
};

bool colour_gains(struct rip_engine *engine, struct colour_gain gains[COLOUR_GAINS]);

#endif
