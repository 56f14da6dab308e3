/* The light that paper with ink on it gives back. */
#include "tone/paper_light.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
