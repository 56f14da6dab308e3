/* Measures of flat greys. */
#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tone/fft.h"
#include "tests/tools/memory.h"

#define SIDE       256 /* of a block */
#define DIRECTIONS 16
#define RINGS      128 /* of two frequencies' width */
#define LOWEST     1.6 /* the lowest frequency that counts, in cycles per block */

/* For each frequency. */
static struct {
	bool  ready;
	float window[SIDE];
	float frequency[SIDE * SIDE]; /* cycles per pixel */
	float eye_600[SIDE * SIDE], eye_300[SIDE * SIDE]; /* of power */
	uint8_t ring[SIDE * SIDE];
	uint8_t direction[SIDE * SIDE];
	unsigned in_ring[RINGS], in_sector[RINGS][DIRECTIONS];
} grid;

double eye_sees(double f, double dpi)
{
	const double distance_mm = 300, luminance = 11;
	const double pixels_per_degree = dpi / 25.4 * distance_mm * M_PI / 180;

	return exp(-f * pixels_per_degree / (0.525 * log(luminance) + 3.91));
}

static double signed_frequency(int k)
{
	return (k < SIDE / 2 ? k : k - SIDE) / (double)SIDE;
}

static void prepare(void)
{
	double power = 0;

	if (grid.ready)
		return;
	for (int i = 0; i < SIDE; i++) {
		const double w = 0.5 - 0.5 * cos(2 * M_PI * i / (SIDE - 1));

		grid.window[i] = (float)w;
		power += w * w / SIDE;
	}
	for (int i = 0; i < SIDE; i++)
		grid.window[i] /= (float)sqrt(power);
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			const double fy = signed_frequency(i), fx = signed_frequency(j);
			const double f = hypot(fy, fx);
			double angle = fmod(atan2(fy, fx) + M_PI, M_PI);
			const int k = i * SIDE + j;
			int ring = (int)(f * SIDE / 2 + 0.5);

			grid.frequency[k] = (float)f;
			grid.eye_600[k] = (float)pow(eye_sees(f, 600), 2);
			grid.eye_300[k] = (float)pow(eye_sees(f, 300), 2);
			grid.ring[k] = (uint8_t)(ring = ring < RINGS ? ring : RINGS - 1);
			grid.direction[k] =
				(uint8_t)((int)(angle / M_PI * DIRECTIONS + 0.5) % DIRECTIONS);
			grid.in_ring[ring]++;
			grid.in_sector[ring][grid.direction[k]]++;
		}
	grid.ready = true;
}

/* Adds the power of two real blocks, transformed as real and imaginary part.  The power of
 * block + i * block at f and -f together is that of both blocks. */
static void add_power(const float complex *v, float *spectrum)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			const float complex a = v[i * SIDE + j];
			const float complex b = v[(SIDE - i) % SIDE * SIDE + (SIDE - j) % SIDE];

			spectrum[i * SIDE + j] +=
				(crealf(a) * crealf(a) + cimagf(a) * cimagf(a) +
				 crealf(b) * crealf(b) + cimagf(b) * cimagf(b)) / 2;
		}
}

void field_spectrum(const float *field, float *spectrum)
{
	const int along = 2 * FIELD_SIDE / SIDE - 1, blocks = along * along;
	AUTO_FREE float complex *v = need(malloc(SIDE * SIDE * sizeof *v));
	double mean = 0;

	prepare();
	memset(spectrum, 0, SIDE * SIDE * sizeof *spectrum);
	for (size_t k = 0; k < FIELD_SIDE * FIELD_SIDE; k++)
		mean += field[k] / (double)(FIELD_SIDE * FIELD_SIDE);
	for (int n = 0; n < blocks; n += 2) {
		const float *a = field + (n / along * FIELD_SIDE + n % along) * (SIDE / 2);
		const float *b = field +
				 ((n + 1) / along * FIELD_SIDE + (n + 1) % along) * (SIDE / 2);
		const bool two = n + 1 < blocks;

		for (int i = 0; i < SIDE; i++)
			for (int j = 0; j < SIDE; j++) {
				const float w = grid.window[i] * grid.window[j];
				const int k = i * FIELD_SIDE + j;

				v[i * SIDE + j] = w * (a[k] - (float)mean) +
						  (two ? I * (w * (b[k] - (float)mean)) : 0);
			}
		must(rip_fft_2d(v, SIDE, SIDE), "transform");
		add_power(v, spectrum);
	}
	for (int k = 0; k < SIDE * SIDE; k++)
		spectrum[k] = grid.frequency[k] < LOWEST / SIDE ?
			0 : spectrum[k] / (float)(blocks * SIDE * SIDE);
}

double seen_power(const float *spectrum, double dpi)
{
	const float *eye = dpi == 600 ? grid.eye_600 : grid.eye_300;
	double sum = 0;

	for (int k = 0; k < SIDE * SIDE; k++)
		sum += spectrum[k] * eye[k];
	return sum / (SIDE * SIDE);
}

static double decibel(double power, double least)
{
	return 10 * log10(power + least);
}

/* Anisotropy and worms: from rings around the grey's principal frequency. */
static void measure_directions(const float *spectrum, double grey, struct texture *t)
{
	static double sector[RINGS][DIRECTIONS], ring[RINGS], squares[RINGS];
	const double g = fmin(grey, 1 - grey), principal = g < 0.25 ? sqrt(g) : 0.5;
	const int first = (int)fmax(2, floor(0.35 * principal * SIDE / 2));
	const int last = (int)fmin(63, floor(fmin(1.4 * principal, 0.5) * SIDE / 2));
	double anisotropy = 0, directed = 0, power = 0;
	int rings = 0;

	memset(sector, 0, sizeof sector);
	memset(ring, 0, sizeof ring);
	memset(squares, 0, sizeof squares);
	for (int k = 0; k < SIDE * SIDE; k++) {
		sector[grid.ring[k]][grid.direction[k]] += spectrum[k];
		ring[grid.ring[k]] += spectrum[k];
		squares[grid.ring[k]] += (double)spectrum[k] * spectrum[k];
	}
	for (int r = first; r <= last; r++) {
		const double n = grid.in_ring[r], mean = ring[r] / n;
		double strongest = 0, all = 0;
		unsigned count = 0;

		if (mean <= 0)
			continue;
		anisotropy += (squares[r] - n * mean * mean) / (n - 1) / (mean * mean);
		rings++;
		/* Three rings together: a sector of one ring has few frequencies. */
		for (int d = 0; d < DIRECTIONS; d++) {
			unsigned in = 0;
			double sum = 0;

			for (int q = r - 1; q <= r + 1; q++) {
				in += grid.in_sector[q][d];
				sum += sector[q][d];
			}
			strongest = fmax(strongest, sum / (in ? in : 1));
			all += sum;
			count += in;
		}
		directed += strongest / (all / count) * ring[r];
		power += ring[r];
	}
	t->anisotropy = rings ? decibel(anisotropy / rings, 1e-12) : 0;
	t->worms = power > 0 ? decibel(directed / power, 0) : 0;
}

void measure_texture(const uint8_t *dots, size_t pitch, double grey, struct texture *t)
{
	AUTO_FREE float *field = need(malloc(FIELD_SIDE * FIELD_SIDE * sizeof *field));
	AUTO_FREE float *spectrum = need(malloc(SIDE * SIDE * sizeof *spectrum));
	double total = 0, largest = 0;
	uint32_t sum = 0;

	*t = (struct texture){ .noise_600 = -120, .noise_300 = -120, .line = 100, .flat = true };
	for (int i = 0; i < FIELD_SIDE; i++)
		for (int j = 0; j < FIELD_SIDE; j++) {
			const uint8_t dot = dots[(size_t)i * pitch + (size_t)j];

			field[i * FIELD_SIDE + j] = dot;
			sum += dot;
		}
	t->tone = sum / (double)(FIELD_SIDE * FIELD_SIDE);
	if (sum == 0 || sum == FIELD_SIDE * FIELD_SIDE)
		return;
	field_spectrum(field, spectrum);
	t->flat = false;
	t->noise_600 = decibel(seen_power(spectrum, 600), 1e-12);
	t->noise_300 = decibel(seen_power(spectrum, 300), 1e-12);
	measure_directions(spectrum, grey, t);
	for (int k = 0; k < SIDE * SIDE; k++) {
		total += spectrum[k];
		largest = fmax(largest, spectrum[k]);
	}
	t->line = 100 * largest / total;
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			const int y = (i + SIDE / 2) % SIDE * SHAPE_SIDE / SIDE;
			const int x = (j + SIDE / 2) % SIDE * SHAPE_SIDE / SIDE;

			t->shape[y * SHAPE_SIDE + x] += (float)(spectrum[i * SIDE + j] / total);
		}
}

double texture_jump(const struct texture *a, const struct texture *b)
{
	double moved = 0;

	/* A flat field has no spectrum; there is nothing to compare. */
	if (a->flat || b->flat)
		return 0;
	for (int k = 0; k < SHAPE_SIDE * SHAPE_SIDE; k++)
		moved += fabs(a->shape[k] - b->shape[k]) / 2;
	return 100 * moved;
}
