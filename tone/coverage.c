/* What a pattern of dots covers of the paper. */
#include "tone/coverage.h"

#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tone/fft.h"

const double rip_scatter_radius[RIP_SCATTER_SIZES] = { 0.6, 0.85, 1.15 };
const double rip_scatter_threshold[RIP_SCATTER_SIZES] = { 0.28, 0.42, 0.55 };
const double rip_scatter_distance[RIP_SCATTERS] = { 0.4, 0.8, 1.5, 3, 6 };

#define SCATTER_SPOT 0.45 /* sigma of the spot in the tables of scattering */

/* Places in a pixel, each way. */
#define DISC_PLACES 24
#define SPOT_PLACES 6

#define SPOT_REACH 3 /* pixels: farther away, a spot of 0.6 pixels is 0 */
#define SPOT_TAPS  (2 * SPOT_REACH + 1)

#define NEIGHBOURS 512 /* patterns of a pixel and its eight neighbours: bit 3 * row + column */

double rip_place(unsigned k, unsigned places)
{
	return (k + 0.5) / places - 0.5;
}

double rip_spot_share(double distance, double sigma)
{
	return (erf((distance + 0.5) / sigma / M_SQRT2) -
		erf((distance - 0.5) / sigma / M_SQRT2)) / 2;
}

static uint8_t share(double part)
{
	return (uint8_t)lrint(255 * fmin(fmax(part, 0), 1));
}

static uint8_t dot_at(const uint8_t *dots, uint32_t width, uint32_t height, uint32_t i, uint32_t j)
{
	return dots[(size_t)(i % height) * width + j % width];
}

/* The dots of a pixel and its neighbours; i and j count from 1. */
static unsigned neighbours_at(const uint8_t *dots, uint32_t width, uint32_t height, uint32_t i,
			      uint32_t j)
{
	unsigned neighbours = 0;

	for (uint32_t k = 0; k < 9; k++) {
		const unsigned dot = dot_at(dots, width, height, i + k / 3 - 1, j + k % 3 - 1);

		neighbours |= dot << k;
	}
	return neighbours;
}

/* ---- discs ---- */

/* The distance from a place to the nearest dot of the neighbourhood. */
static double nearest_dot(unsigned neighbours, double y, double x)
{
	double best = 99;

	for (int k = 0; k < 9; k++)
		if (neighbours >> k & 1)
			best = fmin(best, hypot(y - (k / 3 - 1), x - (k % 3 - 1)));
	return best;
}

/* Adds the places of `count` pixels with these neighbours to the histograms: in all places and in
 * corners. */
static void count_discs(unsigned neighbours, double count, double near[2][RIP_RADII],
			double *corners)
{
	for (unsigned k = 0; k < DISC_PLACES; k++)
		for (unsigned l = 0; l < DISC_PLACES; l++) {
			const double y = rip_place(k, DISC_PLACES), x = rip_place(l, DISC_PLACES);
			const double distance = nearest_dot(neighbours, y, x);
			const bool corner = hypot(y, x) > 0.5;

			*corners += corner * count;
			for (int r = 0; r < RIP_RADII; r++)
				if (distance < RIP_RADIUS_FIRST + r * RIP_RADIUS_STEP) {
					near[0][r] += count;
					near[1][r] += corner * count;
				}
		}
}

static void measure_discs(const uint8_t *dots, uint32_t width, uint32_t height,
			  struct rip_coverage *coverage)
{
	uint32_t counts[NEIGHBOURS] = { 0 };
	double near[2][RIP_RADII] = { { 0 } }, corners = 0;
	const double places = (double)width * height * DISC_PLACES * DISC_PLACES;

	for (uint32_t i = 0; i < height; i++)
		for (uint32_t j = 0; j < width; j++)
			counts[neighbours_at(dots, width, height, i + height, j + width)]++;
	for (unsigned n = 0; n < NEIGHBOURS; n++)
		if (counts[n] > 0)
			count_discs(n, counts[n], near, &corners);
	for (int r = 0; r < RIP_RADII; r++) {
		coverage->near[r] = share(near[0][r] / places);
		coverage->near_corners[r] = share(near[1][r] / corners);
	}
}

/* ---- spot ---- */

/* How much of the spot of a pixel `tap - SPOT_REACH` pixels away falls on each place, one way. */
static void spot_weights(double sigma, float weights[SPOT_PLACES][SPOT_TAPS])
{
	for (unsigned k = 0; k < SPOT_PLACES; k++)
		for (int tap = 0; tap < SPOT_TAPS; tap++) {
			const double distance = tap - SPOT_REACH - rip_place(k, SPOT_PLACES);

			weights[k][tap] = (float)rip_spot_share(distance, sigma);
		}
}

/* The exposure of all places of the pattern, SPOT_PLACES * width a row, to be freed; NULL: no
 * memory. */
static float *expose(const uint8_t *dots, uint32_t width, uint32_t height, double sigma)
{
	const size_t across = (size_t)width * SPOT_PLACES;
	float weights[SPOT_PLACES][SPOT_TAPS];
	float *rows = malloc(across * height * sizeof *rows);
	float *exposure = malloc(across * height * SPOT_PLACES * sizeof *exposure);

	spot_weights(sigma, weights);
	for (uint32_t i = 0; rows && exposure && i < height; i++)
		for (uint32_t j = 0; j < width; j++)
			for (int k = 0; k < SPOT_PLACES; k++) {
				float sum = 0;

				for (uint32_t tap = 0; tap < SPOT_TAPS; tap++)
					sum += weights[k][tap] *
					       dot_at(dots, width, height, i,
						      j + tap + SPOT_REACH * width - SPOT_REACH);
				rows[i * across + (size_t)j * SPOT_PLACES + (size_t)k] = sum;
			}
	for (size_t i = 0; rows && exposure && i < (size_t)height * SPOT_PLACES; i++) {
		float *to = exposure + i * across;

		memset(to, 0, across * sizeof *to);
		for (size_t tap = 0; tap < SPOT_TAPS; tap++) {
			const size_t row = (i / SPOT_PLACES + tap + SPOT_REACH * (size_t)height -
					    SPOT_REACH) % height;
			const float weight = weights[i % SPOT_PLACES][tap];

			for (size_t j = 0; j < across; j++)
				to[j] += weight * rows[row * across + j];
		}
	}
	free(rows);
	if (!rows) {
		free(exposure);
		return NULL;
	}
	return exposure;
}

static int measure_spot(const uint8_t *dots, uint32_t width, uint32_t height, double sigma,
			uint8_t exposed[RIP_EXPOSURES])
{
	const size_t places = (size_t)width * height * SPOT_PLACES * SPOT_PLACES;
	float *exposure = expose(dots, width, height, sigma);
	size_t counts[RIP_EXPOSURES + 1] = { 0 }, above = 0;

	if (!exposure)
		return -ENOMEM;
	for (size_t i = 0; i < places; i++) {
		const int bin = (int)(exposure[i] * (RIP_EXPOSURES + 1));

		counts[bin > RIP_EXPOSURES ? RIP_EXPOSURES : bin]++;
	}
	for (int bin = RIP_EXPOSURES; bin > 0; bin--) {
		above += counts[bin];
		exposed[bin - 1] = share((double)above / (double)places);
	}
	free(exposure);
	return 0;
}

int rip_coverage_measure(const uint8_t *dots, uint32_t width, uint32_t height,
			 struct rip_coverage *coverage)
{
	int r = 0;

	measure_discs(dots, width, height, coverage);
	for (int spot = 0; r == 0 && spot < RIP_SPOTS; spot++)
		r = measure_spot(dots, width, height, RIP_SPOT_FIRST + spot * RIP_SPOT_STEP,
				 coverage->exposed[spot]);
	return r;
}

/* ---- scattering ---- */

#define SIDE   128        /* pixels of the pattern */
#define FIELD  (2 * SIDE) /* half pixels, each of which has a covered share */

/* The covered shares of the quarters of a pixel under discs, by its neighbourhood. */
static void cover_quarters(unsigned neighbours, double radius, float shares[4])
{
	static const unsigned half = DISC_PLACES / 2;

	memset(shares, 0, 4 * sizeof *shares);
	for (unsigned k = 0; k < DISC_PLACES; k++)
		for (unsigned l = 0; l < DISC_PLACES; l++) {
			const double distance = nearest_dot(neighbours, rip_place(k, DISC_PLACES),
							    rip_place(l, DISC_PLACES));

			shares[k / half * 2 + l / half] +=
				(distance < radius) / (float)(half * half);
		}
}

/* The covered shares of the halves of pixels under discs. */
static void cover_with_discs(const uint8_t *dots, uint32_t width, uint32_t height, double radius,
			     float *covered)
{
	float shares[NEIGHBOURS][4];
	bool known[NEIGHBOURS] = { false };

	for (uint32_t i = 0; i < SIDE; i++)
		for (uint32_t j = 0; j < SIDE; j++) {
			const unsigned n = neighbours_at(dots, width, height, i + height,
							 j + width);

			if (!known[n]) {
				cover_quarters(n, radius, shares[n]);
				known[n] = true;
			}
			for (uint32_t q = 0; q < 4; q++)
				covered[(2 * i + q / 2) * FIELD + 2 * j + q % 2] = shares[n][q];
		}
}

/* The same under a spot; exposure as from expose(). */
static void cover_with_spot(const float *exposure, uint32_t width, uint32_t height,
			    double threshold, float *covered)
{
	static const uint32_t half = SPOT_PLACES / 2;
	const size_t across = (size_t)width * SPOT_PLACES;

	for (uint32_t i = 0; i < FIELD; i++)
		for (uint32_t j = 0; j < FIELD; j++) {
			int above = 0;

			for (uint32_t k = 0; k < half * half; k++) {
				const size_t y = (i * half + k / half) % (height * SPOT_PLACES);
				const size_t x = (j * half + k % half) % across;

				above += exposure[y * across + x] > threshold;
			}
			covered[(size_t)i * FIELD + j] = (float)above / (float)(half * half);
		}
}

/* c for all distances, from covered shares.  field: FIELD * FIELD values to work with. */
static int kept_variance(const float *covered, float complex *field, uint8_t kept[RIP_SCATTERS])
{
	const double count = (double)FIELD * FIELD;
	double area = 0, sums[RIP_SCATTERS] = { 0 };

	for (size_t i = 0; i < (size_t)FIELD * FIELD; i++) {
		field[i] = covered[i];
		area += covered[i] / count;
	}
	if (!rip_fft_2d(field, FIELD, FIELD))
		return -ENOMEM;
	field[0] = 0;
	for (int i = 0; i < FIELD; i++)
		for (int j = 0; j < FIELD; j++) {
			const double y = (i < FIELD / 2 ? i : FIELD - i) / (double)SIDE;
			const double x = (j < FIELD / 2 ? j : FIELD - j) / (double)SIDE;
			const float complex value = field[i * FIELD + j];
			const double power = crealf(value) * crealf(value) +
					     cimagf(value) * cimagf(value);

			for (int d = 0; power > 1e-3 && d < RIP_SCATTERS; d++) {
				const double fl = M_PI * rip_scatter_distance[d];

				sums[d] += power * pow(1 + (y * y + x * x) * fl * fl, -1.5);
			}
		}
	/* A pattern that covers nothing or everything has no variance: then c does not matter. */
	for (int d = 0; d < RIP_SCATTERS; d++)
		kept[d] = area < 1e-4 || area > 1 - 1e-4 ? 128 :
			  share(sums[d] / (count * count * area * (1 - area)));
	return 0;
}

int rip_scatter_measure(const uint8_t *dots, uint32_t width, uint32_t height,
			struct rip_scatter *scatter)
{
	float *covered = malloc(FIELD * FIELD * sizeof *covered);
	float complex *field = malloc(FIELD * FIELD * sizeof *field);
	float *exposure = expose(dots, width, height, SCATTER_SPOT);
	int r = covered && field && exposure ? 0 : -ENOMEM;

	for (int size = 0; r == 0 && size < RIP_SCATTER_SIZES; size++) {
		cover_with_discs(dots, width, height, rip_scatter_radius[size], covered);
		r = kept_variance(covered, field, scatter->discs[size]);
		if (r < 0)
			break;
		cover_with_spot(exposure, width, height, rip_scatter_threshold[size], covered);
		r = kept_variance(covered, field, scatter->spot[size]);
	}
	free(covered);
	free(field);
	free(exposure);
	return r;
}
