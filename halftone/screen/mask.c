/* Threshold masks from their tables. */
#include "mask.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "mask_cells.h"

#define BAYER_SIDE 128

/* The masks so far. */
static struct entry {
	struct rip_mask_recipe recipe;
	struct rip_mask        mask;
	struct entry          *next;
} *entries;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The ranks of a square table, which the caller frees.  NULL: no memory. */

static uint32_t *blue_noise(uint32_t *side)
{
	const uint32_t count = RIP_BLUE_NOISE_SIDE * RIP_BLUE_NOISE_SIDE;
	uint32_t *ranks = malloc(count * sizeof *ranks);

	*side = RIP_BLUE_NOISE_SIDE;
	for (uint32_t i = 0; ranks && i < count; i++)
		ranks[i] = rip_blue_noise_ranks[i];
	return ranks;
}

/* Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.  Each
 * bit of row and column, from the lowest on, decides two bits of the rank, from the highest
 * on: the 2 x 2 ranks are 0 2, 3 1. */
static uint32_t *bayer(uint32_t *side)
{
	uint32_t *ranks = malloc(BAYER_SIDE * BAYER_SIDE * sizeof *ranks);

	*side = BAYER_SIDE;
	for (uint32_t i = 0; ranks && i < BAYER_SIDE * BAYER_SIDE; i++) {
		uint32_t x = i % BAYER_SIDE, y = i / BAYER_SIDE, rank = 0;

		for (uint32_t bit = 1; bit < BAYER_SIDE; bit *= 2, x /= 2, y /= 2)
			rank = 4 * rank + 2 * ((x ^ y) & 1) + (y & 1);
		ranks[i] = rank;
	}
	return ranks;
}

/* The cells of a supercell. */
struct cells {
	struct rip_cell_place *places;
	uint32_t *sizes; /* the pixels of each cell */
	uint32_t *at;    /* `most` for each cell: which pixel it turns to ink as its nth */
	uint32_t *next;  /* for each of `most` steps, the rank of its next pixel */
	uint32_t  count, least, most; /* cells, pixels of a cell */
};

/* When the pixel that is to turn to ink as `order` of a cell does.  Cells of fractions of a pixel
 * have one more or less than others: all are in step up to one half and, by the pixels that are
 * left, from there to full ink. */
static uint32_t step_of(const struct cells *cells, uint32_t size, uint32_t order, uint32_t first)
{
	const uint32_t left = size - order;

	return order < first ? 0 : left > cells->least / 2 ? order : cells->most - left;
}

/* Counts what the places are, and makes room for it. */
static bool count_cells(struct cells *cells, uint32_t pixels)
{
	for (uint32_t i = 0; i < pixels; i++) {
		const uint32_t size = ++cells->sizes[cells->places[i].cell];

		cells->most = size > cells->most ? size : cells->most;
		if (cells->places[i].cell >= cells->count)
			cells->count = cells->places[i].cell + 1u;
	}
	cells->least = cells->most;
	for (uint32_t c = 0; c < cells->count; c++)
		cells->least = cells->sizes[c] < cells->least ? cells->sizes[c] : cells->least;
	cells->at = malloc((size_t)cells->count * cells->most * sizeof *cells->at);
	cells->next = calloc(cells->most, sizeof *cells->next);
	return cells->at && cells->next;
}

/* Numbers the pixels: by step, and in a step by cell. */
static void rank_cells(const struct cells *cells, const struct rip_cell_table *table,
		       uint32_t first, uint32_t pixels, uint32_t *ranks)
{
	uint32_t rank = 0;

	memset(cells->at, 0xff, (size_t)cells->count * cells->most * sizeof *cells->at);
	for (uint32_t i = 0; i < pixels; i++) {
		const struct rip_cell_place *place = &cells->places[i];
		const uint32_t order = table->order[place->pixel];

		cells->at[table->ranks[place->cell] * cells->most + order] = i;
		ranks[i] = step_of(cells, cells->sizes[place->cell], order, first);
		cells->next[ranks[i]]++;
	}
	for (uint32_t step = 0; rank < pixels; step++) {
		const uint32_t here = cells->next[step];

		cells->next[step] = rank;
		rank += here;
	}
	for (uint32_t i = 0; i < cells->count * cells->most; i++)
		if (cells->at[i] < pixels)
			ranks[cells->at[i]] = cells->next[ranks[cells->at[i]]]++;
}

static uint32_t *cells(const struct rip_mask_recipe *recipe, uint32_t *side)
{
	const struct rip_cell_table *table = recipe->cells;
	const uint32_t pixels = (uint32_t)table->side * table->side;
	uint32_t *ranks = malloc(pixels * sizeof *ranks);
	struct cells cells = {
		.places = malloc(pixels * sizeof *cells.places),
		.sizes = calloc(pixels, sizeof *cells.sizes),
	};

	*side = table->side;
	if (ranks && cells.places && cells.sizes &&
	    rip_cell_places(table->a, table->b, table->n, table->side, cells.places) == 0 &&
	    count_cells(&cells, pixels)) {
		rank_cells(&cells, table, recipe->first, pixels, ranks);
	} else {
		free(ranks);
		ranks = NULL;
	}
	free(cells.places);
	free(cells.sizes);
	free(cells.at);
	free(cells.next);
	return ranks;
}

/* Fills thresholds: side*tall rows of side*wide values.  The pixels of a rank that is
 * repeated follow each other. */
static void spread(const struct rip_mask_recipe *recipe, const uint32_t *ranks, uint32_t side,
		   uint16_t *thresholds)
{
	const uint32_t tall = recipe->tall, wide = recipe->wide, copies = tall * wide;
	const uint64_t count = (uint64_t)side * side * copies;

	for (uint32_t y = 0; y < side * tall; y++)
		for (uint32_t x = 0; x < side * wide; x++) {
			const uint32_t i = (y / tall + recipe->down) % side;
			const uint32_t j = (x / wide + recipe->right) % side;
			const uint64_t rank = ranks[recipe->turned ? j * side + i : i * side + j];
			uint64_t t = rank * copies + y % tall * wide + x % wide;

			t = (2 * t + 1) * 32768 / count;
			t = t < RIP_FULL ? t : RIP_FULL - 1;
			*thresholds++ = (uint16_t)(recipe->mirrored ? RIP_FULL - 1 - t : t);
		}
}

/* Makes one; NULL: no memory. */
static struct entry *entry_new(const struct rip_mask_recipe *recipe)
{
	struct entry *entry = malloc(sizeof *entry);
	uint16_t *thresholds = NULL;
	uint32_t *ranks, side;

	if (recipe->kind == RIP_MASK_CELLS)
		ranks = cells(recipe, &side);
	else if (recipe->kind == RIP_MASK_BAYER)
		ranks = bayer(&side);
	else
		ranks = blue_noise(&side);
	if (ranks)
		thresholds = malloc((size_t)side * recipe->tall * side * recipe->wide *
				    sizeof *thresholds);
	if (!entry || !thresholds) {
		free(entry);
		free(thresholds);
		free(ranks);
		return NULL;
	}
	spread(recipe, ranks, side, thresholds);
	free(ranks);
	entry->recipe = *recipe;
	entry->mask = (struct rip_mask){ side * recipe->tall, side * recipe->wide, thresholds };
	return entry;
}

static bool same(const struct rip_mask_recipe *a, const struct rip_mask_recipe *b)
{
	return a->kind == b->kind && a->cells == b->cells && a->first == b->first &&
	       a->turned == b->turned && a->down == b->down && a->right == b->right &&
	       a->tall == b->tall && a->wide == b->wide && a->mirrored == b->mirrored;
}

const struct rip_mask *rip_mask_get(const struct rip_mask_recipe *recipe)
{
	struct entry *entry;

	pthread_mutex_lock(&lock);
	for (entry = entries; entry && !same(&entry->recipe, recipe); entry = entry->next)
		;
	if (!entry && (entry = entry_new(recipe))) {
		entry->next = entries;
		entries = entry;
	}
	pthread_mutex_unlock(&lock);
	return entry ? &entry->mask : NULL;
}

const struct rip_mask_recipe *rip_mask_recipe_of(const struct rip_mask *mask)
{
	const char *start = (const char *)mask - offsetof(struct entry, mask);

	return &((const struct entry *)(const void *)start)->recipe;
}
