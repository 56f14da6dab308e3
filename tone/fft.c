/* The discrete Fourier transform. */
#include "tone/fft.h"

#include <math.h>
#include <stdlib.h>

/* Columns that are transformed together, so that each row of the field is read in runs. */
#define TOGETHER 8

/* exp(-2 pi i k / n) for k below n / 2. */
static float complex *roots_of(size_t n)
{
	float complex *roots = malloc((n / 2 + 1) * sizeof *roots);

	for (size_t k = 0; roots && k < n / 2; k++)
		roots[k] = (float complex)cexp(-2 * M_PI * I * (double)k / (double)n);
	return roots;
}

/* `width` transforms of n values at once; value i of all of them starts at v[i * width]. */
static void transform(float complex *v, size_t n, size_t width, const float complex *roots)
{
	for (size_t i = 1, j = 0; i < n; i++) {
		size_t bit = n / 2;

		for (; j & bit; bit /= 2)
			j ^= bit;
		j |= bit;
		for (size_t w = 0; i < j && w < width; w++) {
			const float complex t = v[i * width + w];

			v[i * width + w] = v[j * width + w];
			v[j * width + w] = t;
		}
	}
	for (size_t half = 1; half < n; half *= 2)
		for (size_t at = 0; at < n; at += 2 * half)
			for (size_t k = 0; k < half; k++) {
				const float re = crealf(roots[k * (n / 2 / half)]);
				const float im = cimagf(roots[k * (n / 2 / half)]);
				float *a = (float *)(v + (at + k) * width);
				float *b = (float *)(v + (at + k + half) * width);

				/* Written out: a product of C's complex numbers checks for NaN. */
				for (size_t w = 0; w < width; w++) {
					const float x = b[2 * w] * re - b[2 * w + 1] * im;
					const float y = b[2 * w] * im + b[2 * w + 1] * re;

					b[2 * w] = a[2 * w] - x;
					b[2 * w + 1] = a[2 * w + 1] - y;
					a[2 * w] += x;
					a[2 * w + 1] += y;
				}
			}
}

bool rip_fft_2d(float complex *field, size_t rows, size_t columns)
{
	float complex *along = roots_of(columns), *down = roots_of(rows);
	float complex *buffer = malloc(rows * TOGETHER * sizeof *buffer);
	const bool ok = along && down && buffer;

	for (size_t i = 0; ok && i < rows; i++)
		transform(field + i * columns, columns, 1, along);
	for (size_t j = 0; ok && j < columns; j += TOGETHER) {
		const size_t width = columns - j < TOGETHER ? columns - j : TOGETHER;

		for (size_t i = 0; i < rows; i++)
			for (size_t w = 0; w < width; w++)
				buffer[i * width + w] = field[i * columns + j + w];
		transform(buffer, rows, width, down);
		for (size_t i = 0; i < rows; i++)
			for (size_t w = 0; w < width; w++)
				field[i * columns + j + w] = buffer[i * width + w];
	}
	free(along);
	free(down);
	free(buffer);
	return ok;
}

bool rip_fft_2d_inverse(float complex *field, size_t rows, size_t columns)
{
	const size_t n = rows * columns;

	for (size_t i = 0; i < n; i++)
		field[i] = conjf(field[i]);
	if (!rip_fft_2d(field, rows, columns))
		return false;
	for (size_t i = 0; i < n; i++)
		field[i] = conjf(field[i]) / (float)n;
	return true;
}
