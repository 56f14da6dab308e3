/*
 * The discrete Fourier transform of fields whose sides are powers of two.
 *
 * Cooley and Tukey's, radix 2, in place: X[k] = sum over n of x[n] exp(-2 pi i k n / N), without
 * a factor.  For the inverse, conjugate before and after and divide by the number of values.
 */
#ifndef RIP_FFT_H
#define RIP_FFT_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* field: rows times columns values, row by row, both powers of two.  false: no memory. */
bool rip_fft_2d(float complex *field, size_t rows, size_t columns);

/* The inverse, with its factor. */
bool rip_fft_2d_inverse(float complex *field, size_t rows, size_t columns);

#endif
