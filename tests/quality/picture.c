/* Pictures, and what the eye sees of the dots in them. */
#include "picture.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"
#include "image/image.h"
#include "image/input.h"
#include "tone/fft.h"
#include "texture.h"
#include "tests/tools/memory.h"

#define MARGIN 64 /* pixels at each edge that do not count */
#define SIDE   2048 /* of a synthetic picture */

static void new_picture(const char *name, uint32_t width, uint32_t height, struct picture *p)
{
	snprintf(p->name, sizeof p->name, "%s", name);
	p->width = width;
	p->height = height;
	p->light = need(malloc((size_t)width * height));
}

void picture_ramp(struct picture *p)
{
	new_picture("ramp", 8192, 1024, p);
	for (uint32_t i = 0; i < p->height; i++)
		for (uint32_t j = 0; j < p->width; j++)
			p->light[(size_t)i * p->width + j] = (uint8_t)(j / 32);
}

/* --- synthetic pictures: fixed, by number ----------------------------------- */

static uint32_t hash(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t h = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du;

	h = (h ^ h >> 15) * 0x2c1b3c6du;
	h = (h ^ h >> 12) * 0x297a2d39u;
	return h ^ h >> 15;
}

/* About a normal deviate, for a place. */
static float deviate(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t sum = 0;

	for (uint32_t k = 0; k < 4; k++)
		sum += hash(a, b, c + 1000 * k) >> 16;
	return ((float)sum / 65536 - 2) * 1.7320508f;
}

/* Noise with structures of `scale` pixels: deviates on a lattice, interpolated. */
static float clouds(int i, int j, int scale, uint32_t seed)
{
	const uint32_t y = (uint32_t)(i / scale), x = (uint32_t)(j / scale);
	const float v = (float)(i % scale) / (float)scale, u = (float)(j % scale) / (float)scale;
	const float top = deviate(y, x, seed) * (1 - u) + deviate(y, x + 1, seed) * u;
	const float low = deviate(y + 1, x, seed) * (1 - u) + deviate(y + 1, x + 1, seed) * u;

	return top * (1 - v) + low * v;
}

/* 1/f noise. */
static float fractal(int i, int j, uint32_t seed)
{
	return 0.5f * clouds(i, j, 256, seed) + 0.3f * clouds(i, j, 64, seed + 1) +
	       0.2f * clouds(i, j, 16, seed + 2);
}

/* Black strokes of some pixels on white, as text. */
static bool stroke(int i, int j)
{
	const int line = i % 64, cell = j / 34;
	const uint32_t glyph = hash((uint32_t)(i / 64), (uint32_t)cell, 5) % 6;
	const int y = line - 16, x = j % 34 - 4;

	if (y < 0 || y > 36 || x < 0 || x > 26)
		return false;
	switch (glyph) {
	case 1: return abs(x * 36 - y * 26) < 80;
	case 2: {
		const int r = (x - 13) * (x - 13) * 2 + (y - 18) * (y - 18);

		return r > 200 && r < 320;
	}
	case 3: return x < 4;
	case 4: return y < 4 || (y > 16 && y < 20) || x < 4;
	case 5: return abs(abs(x - 13) * 36 - y * 13) < 60;
	default: return false; /* a space */
	}
}

/* A page: soft clouds, a block of text, a black block. */
static float page(int i, int j)
{
	const float y = (float)i / SIDE, x = (float)j / SIDE;

	if (i < SIDE / 4 && j < SIDE / 2)
		return stroke(i, j) ? 0 : 255;
	if (i >= SIDE - SIDE / 8 && j >= SIDE - SIDE / 8)
		return 0;
	return 110 + 70 * sinf(6.6f * x + 0.7f) * cosf(5.3f * y) + 60 * (x - y) +
	       60 * fractal(i, j, 10) + 3 * deviate((uint32_t)i, (uint32_t)j, 99);
}

/* Still life: shaded balls with highlights and sharp outlines before a slope. */
static float balls(int i, int j)
{
	float v = 40 + 150 * (float)i / SIDE + 12 * fractal(i, j, 20);

	for (uint32_t k = 0; k < 24; k++) {
		const float r = 80 + (float)(hash(k, 1, 7) % 220);
		const float y = ((float)i - (float)(hash(k, 2, 7) % SIDE)) / r;
		const float x = ((float)j - (float)(hash(k, 3, 7) % SIDE)) / r;
		const float d = y * y + x * x;

		if (d < 1) {
			const float z = sqrtf(1 - d),
				    lit = fmaxf(0, 0.7f * z - 0.5f * y - 0.5f * x);

			v = 10 + (float)(hash(k, 4, 7) % 120) * (0.2f + lit) + 160 * powf(lit, 24);
		}
	}
	return v + 1.5f * deviate((uint32_t)i, (uint32_t)j, 98);
}

/* Landscape: a light sky, and ridges that are darker and coarser the nearer they are. */
static float ridges(int i, int j)
{
	float v = 250 - 90 * (float)i / SIDE + 8 * fractal(i, j, 30);

	for (uint32_t k = 0; k < 5; k++) {
		const float edge = SIDE * (0.35f + 0.13f * (float)k) +
				   190 * fractal(7, j, 40 + 5 * k);

		if ((float)i > edge)
			v = 190 - 38 * (float)k + (8 + 9 * (float)k) * fractal(i, j, 70 + 5 * k) +
			    10 * clouds(i, j, 4, 90 + k);
	}
	return v + 2 * deviate((uint32_t)i, (uint32_t)j, 97);
}

void picture_synthetic(unsigned number, struct picture *p)
{
	static const struct {
		const char *name;
		float (*light)(int i, int j);
	} kinds[] = { { "page", page }, { "balls", balls }, { "ridges", ridges } };
	const unsigned kind = number % (sizeof kinds / sizeof *kinds);

	new_picture(kinds[kind].name, SIDE, SIDE, p);
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			const float v = kinds[kind].light(i, j);

			p->light[i * SIDE + j] = (uint8_t)fminf(255, fmaxf(0, v + 0.5f));
		}
}

/* --- files ------------------------------------------------------------------ */

static bool read_rows(struct rip_image *image, struct picture *p)
{
	AUTO_FREE uint16_t *row = need(malloc(image->width * sizeof *row));
	bool ok = true;

	for (uint32_t i = 0; ok && i < image->height; i++) {
		ok = image->ops->row(image, row) == 0;
		for (uint32_t j = 0; ok && j < image->width; j++) {
			const uint32_t v = image->sample_bits == 8 ? ((uint8_t *)row)[j] : row[j];

			p->light[(size_t)i * p->width + j] =
				(uint8_t)((v * 255 + image->maxval / 2) / image->maxval);
		}
	}
	return ok;
}

bool picture_read(const char *path, struct picture *p)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct rip_image *image = NULL;
	struct rip_input input;
	bool ok = rip_input_open(&input, path) == 0;

	if (ok)
		switch (rip_image_kind(&input)) {
		case RIP_IMAGE_PNM: ok = rip_image_pnm_open(&input, &image) == 0; break;
		case RIP_IMAGE_JPEG: ok = rip_image_jpeg_open(&input, -1, &image) == 0; break;
		default:
			rip_complain(-1, "%s: neither a PGM nor a JPEG", path);
			ok = false;
		}
	if (ok)
		new_picture(name, image->width, image->height, p);
	if (ok && (p->width <= 2 * MARGIN + 2 || p->height <= 2 * MARGIN + 2)) {
		rip_complain(-1, "%s: too small: %d pixels at each edge do not count", path,
			     MARGIN);
		ok = false;
	}
	ok = ok && read_rows(image, p);
	if (image)
		image->ops->close(image);
	rip_input_close(&input);
	return ok;
}

/* --- fidelity ----------------------------------------------------------------- */

static size_t power_of_two(size_t n)
{
	size_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

/* Applies the eye's filter to both parts of a field, given its transform. */
static void filter_as_eye(const float complex *transform, size_t rows, size_t columns, double dpi,
			  float complex *seen)
{
	for (size_t i = 0; i < rows; i++) {
		const double fy = (double)(i <= rows / 2 ? i : rows - i) / (double)rows;

		for (size_t j = 0; j < columns; j++) {
			const double fx = (double)(j <= columns / 2 ? j : columns - j) /
					  (double)columns;

			seen[i * columns + j] = transform[i * columns + j] *
						(float)eye_sees(hypot(fy, fx), dpi);
		}
	}
	must(rip_fft_2d_inverse(seen, rows, columns), "transform");
}

/* seen: difference + i * picture, as the eye sees them. */
static void compare(const float complex *seen, size_t columns, const struct picture *p,
		    double *psnr, double *still, double *down, double *right)
{
	double ee = 0, ey = 0, ex = 0, yy = 0, xx = 0, yx = 0, n = 0, det;

	for (size_t i = MARGIN; i < p->height - MARGIN; i++)
		for (size_t j = MARGIN; j < p->width - MARGIN; j++) {
			const float complex *v = seen + i * columns + j;
			const double e = crealf(*v);
			const double y = (cimagf(v[columns]) - cimagf(*(v - columns))) / 2;
			const double x = (cimagf(v[1]) - cimagf(v[-1])) / 2;

			ee += e * e;
			ey += e * y;
			ex += e * x;
			yy += y * y;
			xx += x * x;
			yx += y * x;
			n++;
		}
	*psnr = -10 * log10(ee / n);
	/* A picture that is displaced by s differs by -s times its slope: least squares.  In a
	 * ramp only one direction has a slope. */
	det = yy * xx - yx * yx;
	*down = *right = 0;
	if (det > 1e-3 * yy * xx && yy > 1e-3 * xx && xx > 1e-3 * yy) {
		*down = -(ey * xx - ex * yx) / det;
		*right = -(ex * yy - ey * yx) / det;
	} else if (yy > xx)
		*down = -ey / yy;
	else if (xx > 0)
		*right = -ex / xx;
	*still = -10 * log10((ee + 2 * (*down * ey + *right * ex) + *down * *down * yy +
				 *right * *right * xx + 2 * *down * *right * yx) / n);
}

void measure_fidelity(const struct picture *p, const uint8_t *dots, struct fidelity *f)
{
	const size_t rows = power_of_two(p->height), columns = power_of_two(p->width);
	AUTO_FREE float complex *field = need(calloc(rows * columns, sizeof *field));
	AUTO_FREE float complex *seen = need(malloc(rows * columns * sizeof *seen));
	double down, right;

	for (size_t i = 0; i < p->height; i++)
		for (size_t j = 0; j < p->width; j++) {
			const float light = (float)p->light[i * p->width + j] / 255;

			field[i * columns + j] = (float)dots[i * p->width + j] - light + I * light;
		}
	must(rip_fft_2d(field, rows, columns), "transform");
	filter_as_eye(field, rows, columns, 600, seen);
	compare(seen, columns, p, &f->psnr_600, &f->still_600, &f->down, &f->right);
	filter_as_eye(field, rows, columns, 300, seen);
	compare(seen, columns, p, &f->psnr_300, &f->still_300, &down, &right);
}
