/* Inks of clustered screens together: their rosettes are closed, and make no moire that is seen. */
#include "tests/tools/testing.h"

#include <math.h>

#include "halftone/screen/mask_screen.h"
#include "tone/fft.h"
#include "tone/soft_proof.h"

enum { SIDE = 2048, INKS = 4, RULINGS = 16, TINTS = 4 };

/* Lines that are coarser are seen as a pattern of their own.  Rosettes of coarser rulings than
 * RULING_MIN are such patterns themselves. */
#define COARSE_LPI  30
#define RULING_MIN  84
#define WINDOW_BINS 2.5 /* nearer to the mean, the window shows itself */

static const struct tint {
	const char *name;
	unsigned percent[INKS];
} tints[TINTS] = {
	{ "C50 M40 Y40 K30", { 50, 40, 40, 30 } }, { "C50 M50 K50", { 50, 50, 0, 50 } },
	{ "C40 M30 Y30 K20", { 40, 30, 30, 20 } }, { "C30 M25 Y25 K10", { 30, 25, 25, 10 } },
};

static struct rip_mask_use cmyk(uint32_t dpi)
{
	struct rip_mask_use use = { .x_dpi = dpi, .y_dpi = dpi, .planes = INKS };

	memcpy(use.inks, rip_inks_cmyk, sizeof rip_inks_cmyk);
	return use;
}

/* Luminance of the 16 overprints of C, M, Y and K, whose bits are 1, 2, 4 and 8. */
static void luminances(float y[1 << INKS])
{
	static const double strengths[INKS];

	for (unsigned i = 0; i < 1 << INKS; i++) {
		float ink[INKS], absorbed[RIP_COLOUR_CHANNELS];

		for (unsigned p = 0; p < INKS; p++)
			ink[p] = (float)(i >> p & 1);
		rip_ink_absorb(rip_inks_cmyk, INKS, 0.02, strengths, false,
			       (const float *[]){ &ink[0], &ink[1], &ink[2], &ink[3] }, 1,
			       (float *[]){ &absorbed[0], &absorbed[1], &absorbed[2] });
		y[i] = 1 - 0.2126f * absorbed[0] - 0.7152f * absorbed[1] - 0.0722f * absorbed[2];
	}
}

/* Fills the real parts, or the imaginary ones, of the field with a tint's luminance: relative to
 * its mean, which becomes 0, and with Hann's window, whose mean is 1. */
static void fill(const struct rip_screen *screen, const struct tint *tint, float *part)
{
	float y[1 << INKS], hann[SIDE];
	double mean = 0;

	luminances(y);
	for (uint32_t i = 0; i < SIDE; i++) {
		uint8_t inks[SIDE] = { 0 };

		for (unsigned p = 0; p < INKS; p++) {
			const struct rip_mask *mask = screen->masks[p];
			const uint16_t *row = mask->thresholds + i % mask->height * mask->width;
			const unsigned x = 65535 * tint->percent[p] / 100;

			for (uint32_t j = 0, at = 0; j < SIDE;
			     j++, at = at + 1 < mask->width ? at + 1 : 0)
				inks[j] |= (uint8_t)((x > row[at]) << p);
		}
		for (uint32_t j = 0; j < SIDE; j++) {
			part[2 * ((size_t)i * SIDE + j)] = y[inks[j]];
			mean += y[inks[j]];
		}
	}
	mean /= (double)SIDE * SIDE;
	for (int i = 0; i < SIDE; i++)
		hann[i] = (float)(1 - cos(2 * acos(-1) * i / SIDE));
	for (uint32_t i = 0; i < SIDE * SIDE; i++)
		part[2 * (size_t)i] = (float)(part[2 * (size_t)i] / mean - 1) * hann[i / SIDE] *
				      hann[i % SIDE];
}

/* Fails on a line of the two tints, transformed as real and imaginary parts, that is coarser than
 * COARSE_LPI and whose amplitude is more than `most` % of the luminance. */
static void check_lines(const char *name, uint32_t dpi, const struct tint two[2],
			float complex *field, double most)
{
	const int bins = COARSE_LPI * SIDE / (int)dpi;
	double amplitude[2] = { 0, 0 }, lpi[2] = { 0, 0 };

	assert_true(rip_fft_2d(field, SIDE, SIDE));
	for (int i = -bins; i <= bins; i++)
		for (int j = 0; j <= bins; j++) {
			const double length = hypot(i, j);
			const float complex f = field[(i + SIDE) % SIDE * SIDE + j];
			const float complex g =
				conjf(field[(SIDE - i) % SIDE * SIDE + (SIDE - j) % SIDE]);

			for (int t = 0; t < 2; t++) {
				const double a = 100.0 / SIDE / SIDE * cabsf(t ? f - g : f + g);

				if (length >= WINDOW_BINS && length * dpi / SIDE <= COARSE_LPI &&
				    a > amplitude[t]) {
					amplitude[t] = a;
					lpi[t] = length * dpi / SIDE;
				}
			}
		}
	for (int t = 0; t < 2; t++) {
		print_message("# %s at %u dpi, %s: %.2f %% at %.1f lpi\n", name, dpi, two[t].name,
			      amplitude[t], lpi[t]);
		if (amplitude[t] > most)
			fail_msg("%s at %u dpi, %s: a line of %.2f %% at %.1f lpi", name, dpi,
				 two[t].name, amplitude[t], lpi[t]);
	}
}

/* The dots of 2540 dpi are those of 2400. */
TEST(tints_have_no_coarse_lines)
{
	static const struct { uint32_t dpi; double most; } cases[] = {
		{ 600, 0.8 }, { 1200, 0.5 }, { 2400, 0.5 },
	};
	AUTO_FREE float complex *field = malloc((size_t)SIDE * SIDE * sizeof *field);

	assert_non_null(field);
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		const uint32_t dpi = cases[c].dpi;
		const struct rip_mask_use use = cmyk(dpi);
		unsigned lpi[RULINGS], count = rip_mask_screen_lpi(dpi, dpi, lpi, RULINGS);

		for (unsigned i = 0; i < count && lpi[i] >= RULING_MIN; i++) {
			struct rip_mask_screen screen;
			char name[32], why[200];

			snprintf(name, sizeof name, "clustered-%u", lpi[i]);
			assert_int_equal(rip_mask_screen_init(&screen, name, &use, why, sizeof why),
					 0);
			for (int t = 0; t < TINTS; t += 2) {
				fill(&screen.base, &tints[t], (float *)field);
				fill(&screen.base, &tints[t + 1], (float *)field + 1);
				check_lines(name, dpi, &tints[t], field, cases[c].most);
			}
		}
	}
}

/* One of the two frequencies of an ink's cells: (a, b)/n, or turned by a right angle. */
static double complex frequency(const struct rip_cell_table *cells, bool other)
{
	const double complex f = (cells->a + 1.0 * I * cells->b) / cells->n;

	return other ? I * f : f;
}

/* Cyan, magenta and black, which make a beat: the frequencies of each, added or taken off, are 0
 * together, or finer than what is seen. */
TEST(frequencies_close)
{
	static const uint32_t dpis[] = { 600, 1200, 2400, 2540 };

	for (size_t d = 0; d < sizeof dpis / sizeof *dpis; d++) {
		const struct rip_mask_use use = cmyk(dpis[d]);
		unsigned lpi[RULINGS], count = rip_mask_screen_lpi(dpis[d], dpis[d], lpi, RULINGS);

		for (unsigned i = 0; i < count && lpi[i] >= RULING_MIN; i++) {
			const struct rip_cell_inks *inks = rip_mask_screen_cells(&use, lpi[i]);

			for (int k = 0; k < 32; k++) { /* a sign and a frequency are a bit each */
				const double complex c = frequency(&inks->cyan, k & 1);
				const double complex m = I * conj(frequency(&inks->cyan, k & 2));
				const double beat =
					cabs(c + (k & 8 ? m : -m) +
					     (k & 16 ? 1 : -1) * frequency(&inks->black, k & 4)) *
					dpis[d];

				if (beat >= 1e-9 && beat <= COARSE_LPI)
					fail_msg("%u lpi at %u dpi: a beat of %.2f lpi", lpi[i],
						 dpis[d], beat);
			}
		}
	}
}
