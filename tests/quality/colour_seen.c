/* Three inks on simulated paper. */
#include "colour_seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/memory.h"
#include "tone/fft.h"
#include "tone/ink_colour.h"

#define FINE      4    /* places of a pixel, each way */
#define FINE_SIDE (SIDE * FINE)
#define RADIUS    0.75 /* of a dot, in pixels */

const enum rip_ink colour_inks[INKS] = { RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW };

/* ---- paper ---- */

static void to_xyz(const double rgb[3], double xyz[3])
{
	/* Linear sRGB; each row is divided by the white's. */
	static const double m[3][3] = {
		{ 0.4124, 0.3576, 0.1805 }, { 0.2126, 0.7152, 0.0722 }, { 0.0193, 0.1192, 0.9505 },
	};

	for (int i = 0; i < 3; i++)
		xyz[i] = (m[i][0] * rgb[0] + m[i][1] * rgb[1] + m[i][2] * rgb[2]) /
			 (m[i][0] + m[i][1] + m[i][2]);
}

void overprints(double xyz[1 << INKS][3])
{
	static const double strengths[INKS];

	for (unsigned i = 0; i < 1 << INKS; i++) {
		float area[INKS], absorbed[3];
		double rgb[3];

		for (unsigned p = 0; p < INKS; p++)
			area[p] = (float)(i >> p & 1);
		rip_ink_absorb(colour_inks, INKS, 0.02, strengths, false,
			       (const float *[]){ &area[0], &area[1], &area[2] }, 1,
			       (float *[]){ &absorbed[0], &absorbed[1], &absorbed[2] });
		for (int k = 0; k < 3; k++)
			rgb[k] = 1 - absorbed[k];
		to_xyz(rgb, xyz[i]);
	}
}

/* Prints the part of a page from a row and a column on, with an error of registration. */
void print_field(const struct page *page, uint32_t row, uint32_t column, double error,
		 struct light *light)
{
	const int d = (int)lrint(error / sqrt(2) * FINE), reach = (int)(RADIUS * FINE);
	const int down[INKS] = { d, 0, -d }, right[INKS] = { d, 0, d };
	AUTO_FREE uint8_t *fine = need(calloc(FINE_SIDE, FINE_SIDE));
	double colour[1 << INKS][3];

	overprints(colour);
	for (int p = 0; p < INKS; p++)
		for (int k = 0; k < SIDE * SIDE; k++) {
			const int i = k / SIDE, j = k % SIDE;
			const size_t at = (row + (size_t)i) * page->width + column + (size_t)j;

			for (int y = -reach; page->dots[p][at] && y <= reach; y++)
				for (int x = -reach; x <= reach; x++)
					if (y * y + x * x <= reach * reach)
						fine[((i * FINE + y + down[p]) & (FINE_SIDE - 1)) *
							     FINE_SIDE +
						     ((j * FINE + x + right[p]) &
						      (FINE_SIDE - 1))] |= (uint8_t)(1 << p);
		}
	for (int k = 0; k < SIDE * SIDE; k++) {
		double sum[3] = { 0 };

		for (int s = 0; s < FINE * FINE; s++) {
			const int y = k / SIDE * FINE + s / FINE, x = k % SIDE * FINE + s % FINE;

			for (int c = 0; c < 3; c++)
				sum[c] += colour[fine[y * FINE_SIDE + x]][c];
		}
		for (int c = 0; c < 3; c++)
			light->xyz[k][c] = (float)(sum[c] / (FINE * FINE));
	}
}

/* ---- what is seen ---- */

/* Of a frequency in cycles a pixel. */
static double passes(enum filter filter, double f)
{
	/* Weights, and spreads in degrees of sight. */
	static const double terms[3][3][2] = {
		{ { 0.921, 0.0283 }, { 0.105, 0.133 }, { -0.108, 4.336 } },
		{ { 0.531, 0.0392 }, { 0.330, 0.494 } },
		{ { 0.488, 0.0536 }, { 0.371, 0.386 } },
	};
	const double degree = f * DPI / 25.4 * 300 * M_PI / 180;
	double sum = 0, all = 0;

	if (filter == EYE)
		return eye_sees(f, DPI);
	for (int k = 0; k < 3; k++) {
		sum += terms[filter][k][0] * exp(-pow(M_PI * degree * terms[filter][k][1], 2));
		all += terms[filter][k][0];
	}
	return sum / all;
}

static const float *filter_table(enum filter filter)
{
	static float tables[EYE + 1][SIDE * SIDE];
	float *t = tables[filter];

	for (int k = 0; t[0] == 0 || (k > 0 && k < SIDE * SIDE); k++)
		t[k] = (float)passes(filter,
				     hypot(k / SIDE < SIDE / 2 ? k / SIDE : k / SIDE - SIDE,
					   k % SIDE < SIDE / 2 ? k % SIDE : k % SIDE - SIDE) /
					     SIDE);
	return t;
}

/* Filters the real parts and the imaginary ones each with a filter of their own. */
void filter_two(float complex *field, enum filter real, enum filter imaginary)
{
	const float *a = filter_table(real), *b = filter_table(imaginary);
	AUTO_FREE float complex *v = need(malloc(SIDE * SIDE * sizeof *v));

	must(rip_fft_2d(field, SIDE, SIDE), "transform");
	for (int k = 0; k < SIDE * SIDE; k++) {
		const float complex f = field[k];
		const float complex g =
			conjf(field[(SIDE - k / SIDE) % SIDE * SIDE + (SIDE - k % SIDE) % SIDE]);

		v[k] = a[k] * (f + g) / 2 + b[k] * (f - g) / 2;
	}
	must(rip_fft_2d_inverse(v, SIDE, SIDE), "transform");
	memcpy(field, v, SIDE * SIDE * sizeof *v);
}

static void to_lab(const double xyz[3], double lab[3])
{
	double f[3];

	for (int c = 0; c < 3; c++)
		f[c] = xyz[c] > 216.0 / 24389 ? cbrt(xyz[c]) : (24389.0 / 27 * xyz[c] + 16) / 116;
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

/* Opponent colours of Zhang and Wandell, and back. */
static const double opponent[3][3] = {
	{ 0.279, 0.720, -0.107 }, { -0.449, 0.290, -0.077 }, { 0.086, -0.590, 0.501 },
};

static void invert(double inverse[3][3])
{
	const double (*m)[3] = opponent;
	double determinant = 0;

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			inverse[j][i] = m[(i + 1) % 3][(j + 1) % 3] * m[(i + 2) % 3][(j + 2) % 3] -
					m[(i + 1) % 3][(j + 2) % 3] * m[(i + 2) % 3][(j + 1) % 3];
	for (int j = 0; j < 3; j++)
		determinant += m[0][j] * inverse[j][0];
	for (int k = 0; k < 9; k++)
		inverse[k / 3][k % 3] /= determinant;
}

void look(const struct light *light, struct seen *seen)
{
	static float complex a[SIDE * SIDE], b[SIDE * SIDE];
	double mean[3] = { 0 }, inverse[3][3], sum[3] = { 0 }, square[3] = { 0 };
	const double n = (double)(SIDE - 2 * RIM) * (SIDE - 2 * RIM);

	for (int k = 0; k < SIDE * SIDE; k++) {
		const float *x = light->xyz[k];
		double o[3];

		for (int c = 0; c < 3; c++) {
			o[c] = opponent[c][0] * x[0] + opponent[c][1] * x[1] +
			       opponent[c][2] * x[2];
			mean[c] += x[c] / ((double)SIDE * SIDE);
		}
		a[k] = (float)o[0] + I * (float)o[1];
		b[k] = (float)o[2] + I * x[1];
	}
	to_lab(mean, seen->mean);
	filter_two(a, LUMINANCE, RED_GREEN);
	filter_two(b, BLUE_YELLOW, EYE);
	invert(inverse);
	for (int k = 0; k < SIDE * SIDE; k++) {
		const double o[3] = { crealf(a[k]), cimagf(a[k]), crealf(b[k]) };
		double xyz[3], lab[3];

		if (k / SIDE < RIM || k / SIDE >= SIDE - RIM || k % SIDE < RIM ||
		    k % SIDE >= SIDE - RIM)
			continue;
		for (int c = 0; c < 3; c++)
			xyz[c] = inverse[c][0] * o[0] + inverse[c][1] * o[1] + inverse[c][2] * o[2];
		to_lab(xyz, lab);
		lab[0] = cimagf(b[k]);
		for (int c = 0; c < 3; c++) {
			sum[c] += lab[c] / n;
			square[c] += lab[c] * lab[c] / n;
		}
	}
	seen->luminance = square[0] - sum[0] * sum[0];
	seen->chroma = square[1] - sum[1] * sum[1] + square[2] - sum[2] * sum[2];
}
