/*
 * What a flat grey looks like: measures of the spectrum of its dots.
 *
 * The spectrum is a mean of periodograms: nine blocks of 256 x 256 dots, overlapping by half,
 * of a square of 512 x 512, each minus the square's mean and under a Hann window of mean
 * power 1 (Welch, IEEE Trans. Audio Electroacoust. 15, 1967).  The lines nearest to frequency
 * 0 are left out: the mean of the dots is measured by itself.
 *
 * The eye is Nasanen's (IEEE Trans. Syst. Man Cybern. 14, 1984) as used by Kim and Allebach
 * (IEEE Trans. Image Process. 11, 2002): exp(-f / (0.525 ln L + 3.91)) for f in cycles per
 * degree and a luminance L of 11 cd/m^2, at a distance of 30 cm.
 */
#ifndef RIP_TEXTURE_H
#define RIP_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIELD_SIDE 512 /* dots: the square that is measured */
#define SHAPE_SIDE 32

struct texture {
	double tone;       /* mean of the dots, 0..1 */
	double noise_600;  /* power that the eye's filter leaves at 600 dpi, dB of full scale */
	double noise_300;  /* the same at 300 dpi */
	/* Ulichney's anisotropy: variance over squared mean of the power in each ring of the
	 * spectrum, mean of the rings, dB (Digital Halftoning, 1987). */
	double anisotropy;
	/* Worms: in each ring, the power of the strongest of 16 directions relative to all of
	 * them, weighted with the ring's power, dB. */
	double worms;
	/* Crystals: the part of all power that one frequency has, percent. */
	double line;
	/* Where the power is, in squares of 8 x 8 frequencies, relative to all of it. */
	float  shape[SHAPE_SIDE * SHAPE_SIDE];
	bool   flat;       /* all dots are the same: there is no spectrum */
};

/* The eye's filter: how much of an amplitude at f cycles per pixel is seen. */
double eye_sees(double f, double dpi);

/* field: FIELD_SIDE rows of as many values; its mean power spectrum goes to spectrum[]:
 * 256 x 256 values, frequency 0 first.  false: no memory. */
void field_spectrum(const float *field, float *spectrum);

/* The power of a spectrum after the eye's filter: a mean square, in units of the field. */
double seen_power(const float *spectrum, double dpi);

/* dots: FIELD_SIDE rows of bytes, 0 or 1, `pitch` bytes apart, of a flat grey, 0..1. */
void measure_texture(const uint8_t *dots, size_t pitch, double grey, struct texture *texture);

/* How much of the power moves from one texture to another, percent. */
double texture_jump(const struct texture *a, const struct texture *b);

#endif
