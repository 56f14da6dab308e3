/* The area that a printer covers with a page's dots. */
#include "tone/dot_cover.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tone/coverage.h"

#define BLOCK 16    /* columns that are computed together: a constant, for vectors */
#define FAR   1e9f  /* 1 over the relative radius of no dot */
#define PATTERNS 512 /* of 3 x 3 dots: bits 8 to 6 are the left column, from above */

/* The inverse of the normal distribution. */
static double normal_quantile(double p)
{
	double low = -6, high = 6;

	for (int i = 0; i < 60; i++) {
		const double z = (low + high) / 2;

		if (erfc(-z / M_SQRT2) / 2 < p)
			low = z;
		else
			high = z;
	}
	return low;
}

/* How steep the exposure is at the threshold, beside a straight edge, a pixel. */
static double slope_of(const struct rip_printer *printer)
{
	const double z = normal_quantile(printer->threshold);

	return exp(-z * z / 2) / sqrt(2 * M_PI) / printer->spot;
}

/* How much of the spot of each pixel around falls on each place, one way. */
static void spot_weights(struct rip_dot_cover *cover)
{
	const double spot = cover->printer.spot;

	for (unsigned k = 0; k < cover->places; k++)
		for (int tap = 0; tap < RIP_COVER_ROWS; tap++) {
			const double distance = tap - RIP_COVER_REACH - rip_place(k, cover->places);

			cover->weights[k][tap] = (float)rip_spot_share(distance, spot);
		}
}

/* The distances of each place to the centres of the pixels around.  false: no memory. */
static bool disc_distances(struct rip_dot_cover *cover)
{
	const unsigned places = cover->places, taps = RIP_COVER_ROWS * RIP_COVER_ROWS;
	float *to = cover->distances = malloc((size_t)places * places * taps * sizeof *to);

	for (unsigned i = 0; to && i < places * places * taps; i++) {
		const unsigned at = i / taps, tap = i % taps;
		const double y = (double)(tap / RIP_COVER_ROWS) - RIP_COVER_REACH;
		const double x = (double)(tap % RIP_COVER_ROWS) - RIP_COVER_REACH;

		/* Not 0: it is multiplied with FAR. */
		to[i] = (float)fmax(hypot(y - rip_place(at / places, places),
					  x - rip_place(at % places, places)), 1e-6);
	}
	return to != NULL;
}

static size_t row_floats(const struct rip_dot_cover *cover)
{
	return (size_t)cover->blocks * BLOCK;
}

static float paper_of(const struct rip_dot_cover *cover)
{
	return cover->printer.kind == RIP_PRINTER_DISCS ? FAR : 0;
}

/* A dot farther away than this covers nothing of a place. */
static float most_distance(const struct rip_dot_cover *cover)
{
	return cover->middle + 0.5f / cover->gain;
}

/* Without patterns. */
static int init_rows(struct rip_dot_cover *cover, const struct rip_printer *printer, uint32_t width,
		     unsigned cells, unsigned places)
{
	const bool spot = printer->kind == RIP_PRINTER_SPOT;
	const double own = spot ? printer->softness : printer->jitter;
	const double slope = spot ? slope_of(printer) : 1;
	bool ok = true;

	*cover = (struct rip_dot_cover){
		.printer = *printer, .width = width, .cells = cells, .places = places,
		.blocks = (width + BLOCK - 1) / BLOCK + 2,
	};
	cover->middle = (float)(spot ? printer->threshold : printer->radius);
	/* A parabola on [0, 1] has the variance 1/20. */
	cover->gain = (float)(1 / sqrt(20 * (own * own + slope * slope / (12. * places * places))));
	if (spot)
		spot_weights(cover);
	else if (printer->kind == RIP_PRINTER_DISCS)
		ok = disc_distances(cover);
	for (int i = 0; i < RIP_COVER_ROWS; i++) {
		cover->tones[i] = malloc(row_floats(cover) * sizeof(float));
		cover->used[i] = calloc(cover->blocks, 1);
		if (spot)
			cover->exposed[i] = calloc(row_floats(cover) * places, sizeof(float));
		ok &= cover->tones[i] && cover->used[i] && (!spot || cover->exposed[i]);
		for (size_t j = 0; cover->tones[i] && j < row_floats(cover); j++)
			cover->tones[i][j] = paper_of(cover);
	}
	return ok ? 0 : -ENOMEM;
}

/* Whether no place is reached by dots beyond the 3 x 3 pixels around. */
static bool is_near(const struct rip_dot_cover *cover)
{
	const unsigned taps = RIP_COVER_ROWS * RIP_COVER_ROWS;
	const unsigned count = cover->places * cover->places * taps;

	for (unsigned i = 0; i < count; i++) {
		const int y = (int)(i % taps) / RIP_COVER_ROWS - RIP_COVER_REACH;
		const int x = (int)(i % RIP_COVER_ROWS) - RIP_COVER_REACH;

		if ((abs(y) > 1 || abs(x) > 1) && cover->distances[i] <= most_distance(cover))
			return false;
	}
	return true;
}

/* The shares for each pattern, from a page of all patterns side by side. */
static int make_patterns(struct rip_dot_cover *cover)
{
	const unsigned cells = cover->cells;
	float *tones = calloc(3 * PATTERNS, sizeof *tones);
	float *shares = malloc((size_t)3 * PATTERNS * cells * sizeof *shares);
	struct rip_dot_cover page;
	int r = init_rows(&page, &cover->printer, 3 * PATTERNS, cells, cover->places);

	cover->patterns = malloc((size_t)PATTERNS * cells * cells * sizeof(float));
	if (!tones || !shares || !cover->patterns)
		r = -ENOMEM;
	for (unsigned y = 0; r == 0 && y < 3; y++) {
		for (unsigned i = 0; i < 3 * PATTERNS; i++)
			tones[i] = (float)(i / 3 >> (8 - 3 * (i % 3) - y) & 1);
		rip_dot_cover_push(&page, tones);
	}
	if (r == 0)
		rip_dot_cover_push(&page, NULL);
	for (unsigned row = 0; r == 0 && row < cells; row++) {
		rip_dot_cover_cells(&page, row, shares);
		for (size_t i = 0; i < PATTERNS; i++)
			memcpy(cover->patterns + (i * cells + row) * cells,
			       shares + (3 * i + 1) * cells, cells * sizeof *shares);
	}
	rip_dot_cover_finish(&page);
	free(shares);
	free(tones);
	return r;
}

int rip_dot_cover_init(struct rip_dot_cover *cover, const struct rip_printer *printer,
		       uint32_t width, unsigned cells, unsigned places)
{
	const int r = init_rows(cover, printer, width, cells, places);

	if (r == 0 && printer->kind == RIP_PRINTER_DISCS && is_near(cover))
		return make_patterns(cover);
	return r;
}

void rip_dot_cover_finish(struct rip_dot_cover *cover)
{
	for (int i = 0; i < RIP_COVER_ROWS; i++) {
		free(cover->tones[i]);
		free(cover->exposed[i]);
		free(cover->used[i]);
		cover->tones[i] = cover->exposed[i] = NULL;
		cover->used[i] = NULL;
	}
	free(cover->distances);
	free(cover->patterns);
	cover->distances = cover->patterns = NULL;
}

/* ---- rows ---- */

/* What ink the blocks around have. */
static unsigned used_around(const uint8_t *used, uint32_t block)
{
	return used[block - 1] | used[block] | used[block + 1];
}

/* The exposure of the places of a row by its own pixels, across. */
static void expose(struct rip_dot_cover *cover, unsigned row)
{
	const float *tones = cover->tones[row];

	for (unsigned k = 0; k < cover->places; k++) {
		float *to = cover->exposed[row] + k * row_floats(cover);

		for (uint32_t block = 1; block < cover->blocks - 1; block++) {
			const size_t at = (size_t)block * BLOCK;
			float sums[BLOCK] = { 0 };

			for (size_t tap = 0;
			     used_around(cover->used[row], block) && tap < RIP_COVER_ROWS; tap++) {
				const float *from = tones + at + tap - RIP_COVER_REACH;
				const float weight = cover->weights[k][tap];

				for (int i = 0; i < BLOCK; i++)
					sums[i] += weight * from[i];
			}
			memcpy(to + at, sums, sizeof sums);
		}
	}
}

void rip_dot_cover_push(struct rip_dot_cover *cover, const float *tones)
{
	const unsigned row = cover->newest = (cover->newest + 1) % RIP_COVER_ROWS;
	const bool discs = cover->printer.kind == RIP_PRINTER_DISCS;
	float *to = cover->tones[row] + BLOCK;

	memset(cover->used[row], 0, cover->blocks);
	for (uint32_t j = 0; j < cover->width; j++) {
		const float tone = tones ? tones[j] : 0;

		cover->used[row][j / BLOCK + 1] |= tone <= 0 ? 0 : tone == 1 ? 1 : 2;
		to[j] = !discs ? tone : tone > 0 ? 1 / sqrtf(tone) : FAR;
	}
	if (cover->printer.kind == RIP_PRINTER_SPOT)
		expose(cover, row);
}

/* ---- cells ---- */

/* The row that is `tap` - REACH rows below the one whose cells are computed. */
static unsigned row_of(const struct rip_dot_cover *cover, unsigned tap)
{
	return (cover->newest + 1 + tap) % RIP_COVER_ROWS;
}

/* The rows' exposures add up. */
static void expose_place(const struct rip_dot_cover *cover, unsigned k, unsigned l, size_t at,
			 float values[BLOCK])
{
	for (int i = 0; i < BLOCK; i++)
		values[i] = 0;
	for (unsigned tap = 0; tap < RIP_COVER_ROWS; tap++) {
		const float *from = cover->exposed[row_of(cover, tap)] + l * row_floats(cover) + at;
		const float weight = cover->weights[k][tap];

		for (int i = 0; i < BLOCK; i++)
			values[i] += weight * from[i];
	}
}

/* Minus the distance to the nearest dot, in relative radii. */
static void approach_place(const struct rip_dot_cover *cover, unsigned k, unsigned l, size_t at,
			   float values[BLOCK])
{
	const unsigned taps = RIP_COVER_ROWS * RIP_COVER_ROWS;
	const float *distances = cover->distances + ((size_t)k * cover->places + l) * taps;
	const float most = most_distance(cover);

	for (int i = 0; i < BLOCK; i++)
		values[i] = FAR;
	for (unsigned tap = 0; tap < taps; tap++) {
		const float *from = cover->tones[row_of(cover, tap / RIP_COVER_ROWS)] + at +
				    tap % RIP_COVER_ROWS - RIP_COVER_REACH;
		const float distance = distances[tap];

		if (distance > most)
			continue;
		for (int i = 0; i < BLOCK; i++) {
			const float z = distance * from[i];

			values[i] = z < values[i] ? z : values[i];
		}
	}
	for (int i = 0; i < BLOCK; i++)
		values[i] = -values[i];
}

/* Adds the covered shares of the places in row `k` of the pixels to their cells. */
static void add_places(const struct rip_dot_cover *cover, unsigned k, size_t at,
		       float sums[][BLOCK])
{
	const bool spot = cover->printer.kind == RIP_PRINTER_SPOT;
	const float middle = spot ? cover->middle : -cover->middle;

	for (unsigned l = 0; l < cover->places; l++) {
		float values[BLOCK], *to = sums[l * cover->cells / cover->places];

		if (spot)
			expose_place(cover, k, l, at, values);
		else
			approach_place(cover, k, l, at, values);
		for (int i = 0; i < BLOCK; i++) {
			float u = (values[i] - middle) * cover->gain + 0.5f;

			u = u < 0 ? 0 : u;
			u = u > 1 ? 1 : u;
			to[i] += u * u * (3 - 2 * u);
		}
	}
}

static unsigned used_by(const struct rip_dot_cover *cover, uint32_t block)
{
	unsigned used = 0;

	for (int i = 0; i < RIP_COVER_ROWS; i++)
		used |= used_around(cover->used[i], block);
	return used;
}

/* The shares of `count` pixels by the patterns of full dots around them. */
static void look_up(const struct rip_dot_cover *cover, unsigned row, size_t at, int count,
		    float *shares)
{
	const size_t cells = cover->cells;
	const float *above = cover->tones[row_of(cover, RIP_COVER_REACH - 1)] + at;
	const float *here = cover->tones[row_of(cover, RIP_COVER_REACH)] + at;
	const float *below = cover->tones[row_of(cover, RIP_COVER_REACH + 1)] + at;
	unsigned pattern = 0;

	for (int i = -1; i <= count; i++) {
		const unsigned column =
			(above[i] == 1) << 2 | (here[i] == 1) << 1 | (below[i] == 1);

		pattern = (pattern << 3 | column) % PATTERNS;
		for (size_t c = 0; i > 0 && c < cells; c++)
			shares[(size_t)(i - 1) * cells + c] =
				cover->patterns[(pattern * cells + row) * cells + c];
	}
}

void rip_dot_cover_cells(const struct rip_dot_cover *cover, unsigned row, float *shares)
{
	const unsigned cells = cover->cells, each = cover->places / cells;
	const float *here = cover->tones[row_of(cover, RIP_COVER_REACH)];

	for (uint32_t block = 1; block < cover->blocks - 1; block++) {
		const size_t at = (size_t)block * BLOCK, first = at - BLOCK;
		const uint32_t left = cover->width - (uint32_t)first;
		const unsigned used = used_by(cover, block);
		float sums[RIP_COVER_PLACES][BLOCK];

		if (cover->patterns && used == 1) {
			look_up(cover, row, at, left < BLOCK ? (int)left : BLOCK,
				shares + first * cells);
			continue;
		}
		memset(sums, 0, cells * sizeof *sums);
		if (cover->printer.kind == RIP_PRINTER_NONE) {
			for (unsigned c = 0; c < cells; c++)
				for (int i = 0; i < BLOCK; i++)
					sums[c][i] = here[at + (size_t)i] * (float)(each * each);
		} else if (used) {
			for (unsigned k = 0; k < each; k++)
				add_places(cover, row * each + k, at, sums);
		}
		for (uint32_t i = 0; i < BLOCK && i < left; i++)
			for (unsigned c = 0; c < cells; c++)
				shares[(first + i) * cells + c] = sums[c][i] / (float)(each * each);
	}
}
