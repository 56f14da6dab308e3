/* Simulated paper. */
#include "paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "texture.h"
#include "tests/tools/memory.h"

#define RADIUS      0.75 /* of a dot of ink, in pixels */
#define SAMPLES     24   /* of a pixel, each way, for what discs cover */
#define INK         0.05 /* reflectance */
#define YULE_NIELSEN 2.0
#define SIGMA       0.45 /* of the laser's spot, in pixels */
/* Of a pixel, each way.  The edges of a mask's clusters all lie at the same places of their pixels:
 * with few samples none of them sees the edges move. */
#define LASER_SAMPLES 41
#define LASER_REACH 3    /* pixels: there the spot is 0 */
#define LASER_SIDE  256

/* What the discs of a pixel and its eight neighbours (bit 3 * row + column) cover of it. */
static double covered(unsigned neighbours)
{
	int inside = 0;

	for (int i = 0; i < SAMPLES; i++)
		for (int j = 0; j < SAMPLES; j++) {
			bool ink = false;

			for (int k = 0; k < 9; k++) {
				const double y = (i + 0.5) / SAMPLES - 0.5 - (k / 3 - 1);
				const double x = (j + 0.5) / SAMPLES - 0.5 - (k % 3 - 1);

				ink |= (neighbours >> k & 1) && y * y + x * x <= RADIUS * RADIUS;
			}
			inside += ink;
		}
	return inside / (double)(SAMPLES * SAMPLES);
}

/* Outside of the field, the field again. */
static bool is_ink(const uint8_t *dots, size_t pitch, int i, int j)
{
	return !dots[(size_t)(i & (FIELD_SIDE - 1)) * pitch + (size_t)(j & (FIELD_SIDE - 1))];
}

void print_with_ink(const uint8_t *dots, size_t pitch, struct ink_on_paper *result)
{
	static double cover[512];
	AUTO_FREE float *reflectance = need(malloc(FIELD_SIDE * FIELD_SIDE * sizeof *reflectance));
	AUTO_FREE float *spectrum = need(malloc(256 * 256 * sizeof *spectrum));
	double area = 0;

	for (unsigned k = 0; cover[511] == 0 && k < 512; k++)
		cover[k] = covered(k);
	for (int i = 0; i < FIELD_SIDE; i++)
		for (int j = 0; j < FIELD_SIDE; j++) {
			unsigned neighbours = 0;
			double a;

			for (int k = 0; k < 9; k++)
				neighbours |= (unsigned)is_ink(dots, pitch, i + k / 3 - 1,
							       j + k % 3 - 1) << k;
			a = cover[neighbours];
			area += a;
			reflectance[i * FIELD_SIDE + j] =
				(float)pow(1 - a + a * pow(INK, 1 / YULE_NIELSEN), YULE_NIELSEN);
		}
	field_spectrum(reflectance, spectrum);
	result->area = 100 * area / (FIELD_SIDE * FIELD_SIDE);
	result->grain = 100 * sqrt(seen_power(spectrum, 600));
}

const double laser_thresholds[LASER_THRESHOLDS] = { 0.45, 0.50, 0.55 };

/* How much of the spot at a distance of x falls into a pixel's width. */
static double spot(double x)
{
	return (erf((x + 0.5) / (SIGMA * sqrt(2))) - erf((x - 0.5) / (SIGMA * sqrt(2)))) / 2;
}

void print_with_laser(const uint8_t *dots, size_t pitch, double area[LASER_THRESHOLDS])
{
	/* The spot is a product of one function of x and one of y: first along rows. */
	static float along[LASER_SIDE + 2 * LASER_REACH][LASER_SIDE * LASER_SAMPLES];
	double weight[LASER_SAMPLES][2 * LASER_REACH + 1];
	long count[LASER_THRESHOLDS] = { 0 };
	const int first = (FIELD_SIDE - LASER_SIDE) / 2;

	for (int s = 0; s < LASER_SAMPLES; s++)
		for (int k = -LASER_REACH; k <= LASER_REACH; k++)
			weight[s][k + LASER_REACH] = spot(k + 0.5 - (s + 0.5) / LASER_SAMPLES);
	for (int i = 0; i < LASER_SIDE + 2 * LASER_REACH; i++)
		for (int j = 0; j < LASER_SIDE * LASER_SAMPLES; j++) {
			const double *w = weight[j % LASER_SAMPLES];
			double sum = 0;

			for (int k = -LASER_REACH; k <= LASER_REACH; k++)
				if (is_ink(dots, pitch, first + i - LASER_REACH,
					   first + j / LASER_SAMPLES + k))
					sum += w[k + LASER_REACH];
			along[i][j] = (float)sum;
		}
	for (int i = 0; i < LASER_SIDE * LASER_SAMPLES; i++)
		for (int j = 0; j < LASER_SIDE * LASER_SAMPLES; j++) {
			const double *w = weight[i % LASER_SAMPLES];
			double sum = 0;

			for (int k = 0; k <= 2 * LASER_REACH; k++)
				sum += w[k] * along[i / LASER_SAMPLES + k][j];
			for (int t = 0; t < LASER_THRESHOLDS; t++)
				count[t] += sum > laser_thresholds[t];
		}
	for (int t = 0; t < LASER_THRESHOLDS; t++)
		area[t] = 100.0 * (double)count[t] /
			  ((double)LASER_SIDE * LASER_SIDE * LASER_SAMPLES * LASER_SAMPLES);
}
