#include "preview.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"

/* ---- size ---- */

/* false: the page has nothing of the crop. */
static bool make_axis(struct rip_preview_axis *axis, uint32_t page, uint32_t crop_first,
		      uint32_t crop_count, uint32_t margin, double scale, unsigned cells)
{
	if (crop_count && crop_first >= page)
		return false;
	axis->first = crop_count ? crop_first : 0;
	axis->count = page - axis->first;
	if (crop_count && crop_count < axis->count)
		axis->count = crop_count;
	axis->begin = axis->first > margin ? axis->first - margin : 0;
	axis->end = page - axis->first - axis->count > margin ?
		    axis->first + axis->count + margin : page;
	axis->step = scale / cells;
	axis->size = (uint32_t)fmin(fmax(ceil(axis->count * scale - 1e-6), 1), 1e9);
	return true;
}

static int plan(struct rip_preview_picture *picture, const struct rip_preview_options *options,
		const struct rip_dot_page *page, const struct rip_printer *printer, unsigned *cells)
{
	const struct rip_preview_crop *crop = &options->crop;
	const uint32_t margin = rip_soft_proof_margin(printer);
	const double ppi = options->zoom ? (double)options->zoom * fmax(page->x_dpi, page->y_dpi) :
					   options->ppi;
	const double x = ppi / page->x_dpi, y = ppi / page->y_dpi;

	*cells = rip_soft_proof_cells(printer, fmax(x, y));
	if (fmax(x, y) > RIP_PREVIEW_ZOOM_MAX && options->zoom)
		return rip_complain(-EINVAL, "%s: with --zoom %u a pixel of"
				    " the lower resolution would take more than %d of the picture",
				    picture->name, options->zoom, RIP_PREVIEW_ZOOM_MAX);
	if (fmax(x, y) > RIP_PREVIEW_ZOOM_MAX)
		return rip_complain(-EINVAL, "%s: with --ppi %u a pixel"
				    " of the page would take more than %d of the picture",
				    picture->name, options->ppi, RIP_PREVIEW_ZOOM_MAX);
	if (!make_axis(&picture->x, page->width, crop->x, crop->width, margin, x, *cells) ||
	    !make_axis(&picture->y, page->height, crop->y, crop->height, margin, y, *cells))
		return rip_complain(-EINVAL, "%s: --crop is outside of a page of %u x %u pixels",
				    picture->name, page->width, page->height);
	if (picture->x.size > RIP_PREVIEW_SIDE_MAX || picture->y.size > RIP_PREVIEW_SIDE_MAX)
		return rip_complain(-EFBIG, "%s: a picture of %u x %u pixels is larger than %u:"
				    " choose a smaller --ppi or --zoom, or a part with --crop",
				    picture->name, picture->x.size, picture->y.size,
				    RIP_PREVIEW_SIDE_MAX);
	return 0;
}

/* ---- rows ---- */

/* The eye's scale: sRGB. */
static uint8_t encode(double light)
{
	const double s = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;

	return (uint8_t)lrint(255 * fmin(fmax(s, 0), 1));
}

static int write_row(struct rip_preview_picture *picture)
{
	const size_t size = picture->x.size;
	const double weight = picture->weight > 0 ? picture->weight : 1;

	for (unsigned c = 0; c < picture->channels; c++)
		for (size_t i = 0; i < size; i++)
			picture->pixels[i * picture->channels + c] =
				encode(picture->sums[c * size + i] / weight);
	memset(picture->sums, 0, picture->channels * size * sizeof(float));
	picture->weight = 0;
	picture->done++;
	return rip_png_row(&picture->png, picture->pixels);
}

/* The means of the cells that each column of the picture covers. */
static void shrink(struct rip_preview_picture *picture, const float *light, float *to)
{
	const struct rip_preview_axis *x = &picture->x;
	const unsigned cells = picture->proof.config.cells;
	const float *from = light + (size_t)(x->first - x->begin) * cells;
	const size_t count = (size_t)x->count * cells;
	size_t j = 0;

	for (uint32_t i = 0; i < x->size; i++) {
		double sum = 0, weight = 0;

		/* The cell at the border belongs to both columns. */
		for (; j < count; j++) {
			const double begin = (double)j * x->step, end = (double)(j + 1) * x->step;
			const double low = begin > i ? begin : i;
			const double high = end < i + 1. ? end : i + 1.;

			if (high > low) {
				sum += (high - low) * from[j];
				weight += high - low;
			}
			if (end > i + 1.)
				break;
		}
		to[i] = (float)(weight > 0 ? sum / weight : 1);
	}
}

/* Adds a part of a row of cells to the row of the picture. */
static void add(struct rip_preview_picture *picture, double part)
{
	const size_t n = (size_t)picture->channels * picture->x.size;
	const float *restrict across = picture->across;
	float *restrict sums = picture->sums;

	for (size_t i = 0; i < n; i++)
		sums[i] += (float)part * across[i];
	picture->weight += part;
}

static int take_cells(void *context, const float *const light[])
{
	struct rip_preview_picture *picture = context;
	const struct rip_preview_axis *y = &picture->y;
	const unsigned cells = picture->proof.config.cells;
	const uint64_t first = (uint64_t)(y->first - y->begin) * cells;
	const uint64_t row = picture->cell_row++;
	double low, high;
	int r = 0;

	if (row < first || row >= first + (uint64_t)y->count * cells)
		return 0;
	for (unsigned c = 0; c < picture->channels; c++)
		shrink(picture, light[c], picture->across + (size_t)c * picture->x.size);
	low = (double)(row - first) * y->step;
	high = (double)(row - first + 1) * y->step;
	if (high > picture->done + 1. + 1e-9 && picture->done + 1 < y->size) {
		const double border = picture->done + 1.;

		if (border > low)
			add(picture, border - low);
		r = write_row(picture);
		low = fmax(low, border);
	}
	add(picture, high - low);
	return r;
}

/* ---- the picture ---- */

int rip_preview_picture_begin(struct rip_preview_picture *picture,
			      const struct rip_preview_options *options,
			      const struct rip_dot_page *page,
			      struct rip_soft_proof_config *paper, const char *input,
			      const char *path)
{
	size_t floats;
	int r;

	*picture = (struct rip_preview_picture){ .name = input, .file = { .fd = -1 } };
	r = plan(picture, options, page, &paper->printer, &paper->cells);
	if (r < 0)
		return r;
	paper->planes = page->planes;
	paper->levels = page->levels;
	paper->light = page->light;
	memcpy(paper->inks, page->inks, sizeof paper->inks);
	paper->column = picture->x.begin;
	paper->width = picture->x.end - picture->x.begin;
	paper->row = take_cells;
	paper->context = picture;
	picture->channels = rip_ink_channels(page->inks, page->planes);
	floats = (size_t)picture->channels * picture->x.size;
	picture->across = calloc(floats, sizeof(float));
	picture->sums = calloc(floats, sizeof(float));
	picture->pixels = malloc(floats);
	if (rip_soft_proof_init(&picture->proof, paper) < 0 || !picture->across ||
	    !picture->sums || !picture->pixels)
		return rip_complain(-ENOMEM, "%s: out of memory", input);
	r = rip_out_file_open(&picture->file, path);
	if (r < 0)
		return r;
	return rip_png_begin(&picture->png, &picture->file, picture->x.size, picture->y.size,
			     picture->channels, picture->x.step * paper->cells * page->x_dpi);
}

int rip_preview_picture_row(struct rip_preview_picture *picture, const uint8_t *const planes[])
{
	const uint32_t row = picture->row++;

	return row < picture->y.begin || row >= picture->y.end ? 0 :
		rip_soft_proof_push(&picture->proof, planes);
}

int rip_preview_picture_end(struct rip_preview_picture *picture)
{
	int r = rip_soft_proof_end(&picture->proof);

	while (r == 0 && picture->done < picture->y.size)
		r = write_row(picture);
	if (r == 0)
		r = rip_png_end(&picture->png);
	return r < 0 ? r : rip_out_file_commit(&picture->file);
}

void rip_preview_picture_finish(struct rip_preview_picture *picture)
{
	rip_png_finish(&picture->png);
	rip_soft_proof_finish(&picture->proof);
	rip_out_file_abandon(&picture->file);
	free(picture->across);
	free(picture->sums);
	free(picture->pixels);
	*picture = (struct rip_preview_picture){ .file = { .fd = -1 } };
}
