/* A soft proof of a page's dots. */
#include "tone/soft_proof.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- The light that paper with ink on it gives back ---- */

/* The formula's points s and their weights; a Gaussian's deviation is sqrt(s / 2) l. */
static const double points[RIP_PAPER_GAUSSIANS] = { 0.52352608, 2.15664876, 5.13738755 };
static const double weights[RIP_PAPER_GAUSSIANS] = { 0.5116313, 0.4310010, 0.0573677 };

#define DEVIATIONS 3 /* that a kernel reaches */
#define BLOCK      16

static float *make_kernel(double deviation, double weight, unsigned radius)
{
	float *kernel = malloc((radius + 1) * sizeof *kernel);
	double sum = 0;

	for (unsigned i = 0; i <= radius; i++)
		sum += (i ? 2 : 1) * exp(-0.5 * i * i / (deviation * deviation));
	/* Half of the weight for each direction. */
	for (unsigned i = 0; kernel && i <= radius; i++)
		kernel[i] = (float)(sqrt(weight) *
				    exp(-0.5 * i * i / (deviation * deviation)) / sum);
	return kernel;
}

static size_t padded(const struct rip_paper_light *paper)
{
	return paper->width + 2 * (size_t)paper->radius + BLOCK;
}

int rip_paper_light_init(struct rip_paper_light *paper, uint32_t width, unsigned channels,
			 double distance)
{
	bool ok = true;

	*paper = (struct rip_paper_light){ .width = width, .channels = channels };
	for (int g = 0; g < RIP_PAPER_GAUSSIANS; g++) {
		const double deviation = fmax(sqrt(points[g] / 2) * distance, 1e-3);

		paper->radii[g] = (unsigned)ceil(DEVIATIONS * deviation);
		paper->kernels[g] = make_kernel(deviation, weights[g], paper->radii[g]);
		paper->radius = paper->radii[g]; /* the last one is the widest */
		ok &= paper->kernels[g] != NULL;
	}
	paper->rows = 2 * paper->radius + 1;
	paper->ring = calloc((size_t)paper->rows * channels * width, sizeof(float));
	paper->used = calloc(paper->rows, 1);
	paper->across = calloc(padded(paper), sizeof(float));
	paper->spread = calloc((size_t)width + BLOCK, sizeof(float));
	return ok && paper->ring && paper->used && paper->across && paper->spread ? 0 : -ENOMEM;
}

void rip_paper_light_finish(struct rip_paper_light *paper)
{
	for (int g = 0; g < RIP_PAPER_GAUSSIANS; g++) {
		free(paper->kernels[g]);
		paper->kernels[g] = NULL;
	}
	free(paper->ring);
	free(paper->used);
	free(paper->across);
	free(paper->spread);
	paper->ring = paper->across = paper->spread = NULL;
	paper->used = NULL;
}

static float *row_at(const struct rip_paper_light *paper, unsigned row, unsigned channel)
{
	const size_t place = (size_t)(row % paper->rows) * paper->channels + channel;

	return paper->ring + place * paper->width;
}

void rip_paper_light_push(struct rip_paper_light *paper, const float *const absorbed[])
{
	bool used = false;

	paper->newest = (paper->newest + 1) % paper->rows;
	for (unsigned c = 0; c < paper->channels; c++) {
		float *to = row_at(paper, paper->newest, c);

		if (!absorbed) {
			memset(to, 0, paper->width * sizeof *to);
			continue;
		}
		memcpy(to, absorbed[c], paper->width * sizeof *to);
		for (uint32_t j = 0; !used && j < paper->width; j++)
			used = to[j] > 0;
	}
	paper->used[paper->newest] = used;
}

/* to += weight * from */
static void add(float *restrict to, const float *restrict from, float weight, size_t n)
{
	size_t j = 0;

	for (; j + BLOCK <= n; j += BLOCK)
		for (int i = 0; i < BLOCK; i++)
			to[j + (size_t)i] += weight * from[j + (size_t)i];
	for (; j < n; j++)
		to[j] += weight * from[j];
}

/* Adds one Gaussian's part of what the rows around absorb to spread. */
static void add_gaussian(struct rip_paper_light *paper, unsigned channel, int g)
{
	const unsigned reach = paper->radii[g];
	const unsigned middle = paper->newest + paper->rows - paper->radius;
	float *down = paper->across + paper->radius;
	bool any = false;

	memset(paper->across, 0, padded(paper) * sizeof(float));
	for (unsigned i = 0; i <= 2 * reach; i++) {
		const unsigned row = (middle + paper->rows + i - reach) % paper->rows;
		const unsigned distance = i > reach ? i - reach : reach - i;

		if (!paper->used[row])
			continue;
		any = true;
		add(down, row_at(paper, row, channel), paper->kernels[g][distance], paper->width);
	}
	for (unsigned i = 0; any && i <= 2 * reach; i++) {
		const unsigned distance = i > reach ? i - reach : reach - i;

		add(paper->spread, down - reach + i, paper->kernels[g][distance], paper->width);
	}
}

void rip_paper_light_row(struct rip_paper_light *paper, float *const light[])
{
	const unsigned middle = paper->newest + paper->rows - paper->radius;

	for (unsigned c = 0; c < paper->channels; c++) {
		const float *here = row_at(paper, middle, c);

		memset(paper->spread, 0, paper->width * sizeof(float));
		for (int g = 0; g < RIP_PAPER_GAUSSIANS; g++)
			add_gaussian(paper, c, g);
		for (uint32_t j = 0; j < paper->width; j++)
			light[c][j] = (1 - here[j]) * (1 - paper->spread[j]);
	}
}

#define CELLS_MAX    32
#define PLACES       6    /* of a pixel, each way, at least */
#define SCATTER_STEP 1.4  /* cells in the mean distance of scattering, at least */
#define SCATTER_CELLS 4   /* of a pixel, that are made for it at most */

/* The mean distance of scattering in pixels. */
static double distance_of(const struct rip_printer *printer)
{
	return printer->kind == RIP_PRINTER_NONE ? 0 : printer->scatter / 25400 * printer->dpi;
}

uint32_t rip_soft_proof_margin(const struct rip_printer *printer)
{
	/* The widest Gaussian, rounded up in cells. */
	return RIP_COVER_REACH + 2 + (uint32_t)ceil(distance_of(printer) * 3 * 1.61);
}

unsigned rip_soft_proof_cells(const struct rip_printer *printer, double scale)
{
	const double distance = distance_of(printer);
	unsigned cells = scale <= 1 ? 1 :
			 scale >= CELLS_MAX ? CELLS_MAX : (unsigned)ceil(scale - 1e-6);

	while (distance > 0 && cells < SCATTER_CELLS && cells * distance < SCATTER_STEP)
		cells++;
	return cells;
}

static float *new_row(size_t n, bool *ok)
{
	float *row = calloc(n, sizeof *row);

	*ok &= row != NULL;
	return row;
}

int rip_soft_proof_init(struct rip_soft_proof *proof, const struct rip_soft_proof_config *config)
{
	const unsigned cells = config->cells;
	const unsigned each = cells < PLACES ? (PLACES + cells - 1) / cells : 1;
	const size_t across = (size_t)config->width * cells;
	const double distance = distance_of(&config->printer) * cells;
	bool ok = true;

	memset(proof, 0, sizeof *proof);
	proof->config = *config;
	proof->channels = rip_ink_channels(config->inks, config->planes);
	proof->scatters = distance > 0;
	proof->tones = new_row(config->width, &ok);
	for (uint32_t p = 0; p < config->planes; p++) {
		proof->areas[p] = new_row(across, &ok);
		ok &= rip_dot_cover_init(&proof->cover[p], &config->dots[p], config->width, cells,
					 cells * each) == 0;
	}
	for (unsigned c = 0; c < proof->channels; c++)
		proof->light[c] = new_row(across, &ok);
	if (proof->scatters)
		ok &= rip_paper_light_init(&proof->paper, (uint32_t)across, proof->channels,
					   distance) == 0;
	return ok ? 0 : -ENOMEM;
}

void rip_soft_proof_finish(struct rip_soft_proof *proof)
{
	free(proof->tones);
	proof->tones = NULL;
	for (uint32_t p = 0; p < proof->config.planes; p++) {
		free(proof->areas[p]);
		proof->areas[p] = NULL;
		rip_dot_cover_finish(&proof->cover[p]);
	}
	for (unsigned c = 0; c < proof->channels; c++) {
		free(proof->light[c]);
		proof->light[c] = NULL;
	}
	rip_paper_light_finish(&proof->paper);
}

/* The shares of ink of packed dots. */
static void unpack(const struct rip_soft_proof_config *config, const uint8_t *dots, float *tones)
{
	const uint32_t bits = rip_dot_bits(config->levels), full = config->levels - 1;
	const struct rip_drops *drops = &config->printer.drops;
	float tone[16];

	for (uint32_t level = 0; level < 16; level++) {
		const uint32_t most = level < full ? level : full;

		const uint32_t ink = config->light ? full - most : most;

		if (rip_drops_known(drops, config->levels))
			tone[level] = (float)rip_drops_share(drops, config->levels, ink);
		else
			tone[level] = (float)ink / (float)full;
	}
	for (uint32_t j = 0; j < config->width; j++) {
		const uint64_t at = ((uint64_t)config->column + j) * bits;

		tones[j] = tone[dots[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1)];
	}
}

/* Passes on the light that is ready. */
static int give(struct rip_soft_proof *proof)
{
	if (proof->scatters) {
		if (proof->cell_rows++ < proof->paper.radius)
			return 0;
		rip_paper_light_row(&proof->paper, proof->light);
	}
	return proof->config.row(proof->config.context, (const float *const *)proof->light);
}

/* The light of a row of cells. */
static int do_cells(struct rip_soft_proof *proof, unsigned row)
{
	const struct rip_soft_proof_config *config = &proof->config;
	const size_t across = (size_t)config->width * config->cells;

	for (uint32_t p = 0; p < config->planes; p++)
		rip_dot_cover_cells(&proof->cover[p], row, proof->areas[p]);
	rip_ink_absorb(config->inks, config->planes, config->printer.solid, config->strengths,
		       proof->scatters, (const float *const *)proof->areas, across, proof->light);
	if (proof->scatters)
		rip_paper_light_push(&proof->paper, (const float *const *)proof->light);
	for (unsigned c = 0; !proof->scatters && c < proof->channels; c++)
		for (size_t j = 0; j < across; j++)
			proof->light[c][j] = 1 - proof->light[c][j];
	return give(proof);
}

/* A row was pushed: another one has all its neighbours. */
static int advance(struct rip_soft_proof *proof)
{
	int r = 0;

	if (proof->rows++ < RIP_COVER_REACH)
		return 0;
	for (unsigned row = 0; r == 0 && row < proof->config.cells; row++)
		r = do_cells(proof, row);
	return r;
}

int rip_soft_proof_push(struct rip_soft_proof *proof, const uint8_t *const planes[])
{
	for (uint32_t p = 0; p < proof->config.planes; p++) {
		unpack(&proof->config, planes[p], proof->tones);
		rip_dot_cover_push(&proof->cover[p], proof->tones);
	}
	return advance(proof);
}

int rip_soft_proof_end(struct rip_soft_proof *proof)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < RIP_COVER_REACH; i++) {
		for (uint32_t p = 0; p < proof->config.planes; p++)
			rip_dot_cover_push(&proof->cover[p], NULL);
		r = advance(proof);
	}
	for (unsigned i = 0; r == 0 && proof->scatters && i < proof->paper.radius; i++) {
		rip_paper_light_push(&proof->paper, NULL);
		r = give(proof);
	}
	return r;
}
