/* Linear symbols: the grid of modules that their edges have, and whole samples for them. */
#include "label_symbols.h"

#include <stdlib.h>

#define ONE 256 /* lengths are in 1/256 of a sample */
#define PHASES 16 /* where a grid may start, */
#define BINS 64   /* and edges are in a module */
#define GRID_WORK 256 /* of a grid, beside its edges: rip_view_spend() */
/* The mean square of how far edges are from their grid, of 65536: in modules, and in samples. */
#define STRAY_ANY 65536 /* more than any */
#define STRAY_GOOD 2600
#define CODE_BONUS 2 /* a known code's grid may be worse by this factor */
#define STRAY_MAX 3400
#define STRAY_SAMPLES_MAX 7200

/* A grid of modules; lengths in 1/65536.  Bars may all be wider than their modules by the same, as
 * Ghostscript's are, or narrower: so the edges at which they begin and end have a grid each. */
struct module_grid {
	int64_t module, start[2];
	int64_t stray; /* the mean square of the edges' distances from it, in modules, of 65536 */
};

typedef uint16_t words __attribute__((vector_size(sizeof(rip_bytes))));

#define LANES ((int32_t)(sizeof(words) / 2))
#define SQUARE_MAX ((BINS - 1) * (BINS - 1)) /* (BINS / 2 in halves of a bin)^2 */
#define AT_ONCE (UINT16_MAX / SQUARE_MAX)    /* squares in a word */

/* What a search for a grid begins with. */
struct grid_search {
	double places[RIP_EDGES_MAX];     /* of the edges, from the first one; in 1/65536 */
	uint16_t squares[BINS][PHASES];   /* of how far a bin is from each phase of a grid */
};

static void begin_search(const struct rip_linear *linear, struct grid_search *search)
{
	for (int32_t k = 0; k < linear->edges; k++)
		search->places[k] = (double)((linear->sums[k] - linear->sums[0]) * 256);
	for (int32_t i = 0; i < BINS; i++)
		for (int32_t phase = 0; phase < PHASES; phase++) {
			const int32_t at = (BINS + i - BINS / PHASES * phase) % BINS;
			const int32_t far = 2 * (at < BINS / 2 ? at : BINS - 1 - at) + 1;

			search->squares[i][phase] = (uint16_t)(far * far);
		}
}

/* Finds where the grid is best for a module.  Stops, and returns false, if the grid is worse than
 * `most`. */
static bool fit_grid(const struct rip_linear *linear, const struct grid_search *search,
		     int64_t most, struct module_grid *grid)
{
	/* Quotients are more than this apart from the next whole number, or whole. */
	const double bins = (double)BINS / (double)grid->module, least_part = 0x1p-30;
	int64_t all = 0;

	for (int32_t parity = 0; parity < 2; parity++) {
		int32_t sums[PHASES] = { 0 }, least = INT32_MAX;

		for (int32_t k = parity; k < linear->edges;) {
			const int32_t end = k + 2 * AT_ONCE;
			words some[PHASES / LANES] = { { 0 } };

			for (; k < end && k < linear->edges; k += 2) {
				const int64_t at = (int64_t)(search->places[k] * bins + least_part);
				const uint16_t *squares = search->squares[(uint64_t)at % BINS];

				for (int32_t i = 0; i < PHASES / LANES; i++) {
					words more;

					memcpy(&more, squares + i * LANES, sizeof more);
					some[i] += more;
				}
			}
			least = INT32_MAX;
#pragma GCC unroll 16
			for (int32_t phase = 0; phase < PHASES; phase++) {
				sums[phase] += some[phase / LANES][phase % LANES];
				least = sums[phase] < least ? sums[phase] : least;
			}
			/* The other edges can only add to it. */
			if ((all + least) * 4 >= (most + 1) * linear->edges)
				return false;
		}
		for (int32_t phase = PHASES - 1; phase >= 0; phase--)
			if (sums[phase] == least)
				grid->start[parity] = grid->module * phase / PHASES;
		all += least;
		grid->stray = all * 4 / linear->edges;
	}
	return true;
}

/* The modules before each edge, if bars are wider by `more` modules than the grids say.  Whether no
 * bar and no space is without one. */
static bool count_with(const struct rip_linear *linear, const struct module_grid *grid,
		       int32_t more, int64_t counts[])
{
	for (int32_t k = 0; k < linear->edges; k++) {
		const int64_t at = (linear->sums[k] - linear->sums[0]) * 256 + grid->module * 4 -
				   grid->start[k % 2] - (k % 2 ? more * grid->module : 0);

		counts[k] = (at + grid->module / 2) / grid->module;
		if (k > 0 && counts[k] <= counts[k - 1])
			return false;
	}
	for (int32_t k = linear->edges - 1; k >= 0; k--)
		counts[k] -= counts[0];
	return true;
}

/* The same with what is likely: bars are wider by -3/8 to 5/8 of a module, or else by one more or
 * less. */
static bool count_modules(const struct rip_linear *linear, const struct module_grid *grid,
			  int64_t counts[])
{
	const int64_t apart = (grid->start[1] - grid->start[0]) * 8;
	const int32_t more = apart > grid->module * 5 ? -1 : apart < -grid->module * 3 ? 1 : 0;

	return count_with(linear, grid, more, counts) ||
	       count_with(linear, grid, more + 1, counts) ||
	       count_with(linear, grid, more - 1, counts);
}

/* Whether the elements (bars and spaces) from edge `first` to edge `last` are characters of so many
 * elements and modules. */
static bool are_characters(const int64_t counts[], int32_t first, int32_t last, int32_t elements,
			   int64_t modules)
{
	for (int32_t k = first; k < last; k += elements)
		if (counts[k + elements] - counts[k] != modules)
			return false;
	return true;
}

/* The same for pairs of ITF's digits: one is in the bars and one in the spaces, and each has two
 * wide elements of five. */
static bool are_digit_pairs(const int64_t counts[], int32_t first, int32_t last)
{
	int64_t all = 0;

	for (int32_t k = first; k < last; k += 10) {
		int64_t bars = 0;

		for (int32_t i = k; i < k + 10; i += 2)
			bars += counts[i + 1] - counts[i];
		all = all ? all : bars;
		if (bars != all || counts[k + 10] - counts[k] != 2 * all)
			return false;
	}
	return all >= 7 && all <= 9;
}

/* Whether modules add up to characters as in EAN, Code 128 or ITF, from left to right or back. */
static bool is_code(const int64_t counts[], int32_t edges)
{
	const int32_t last = edges - 1, half = (edges - 12) / 2;

	return ((edges == 60 || edges == 44) && counts[last] == 7 * half / 2 + 11 &&
		are_characters(counts, 3, 3 + half, 4, 7) &&
		are_characters(counts, 8 + half, last - 3, 4, 7)) ||
	       (edges % 6 == 2 && ((counts[last] - counts[last - 7] == 13 &&
				    are_characters(counts, 0, last - 7, 6, 11)) ||
				   (counts[7] == 13 && are_characters(counts, 7, last, 6, 11)))) ||
	       (edges % 10 == 8 && (are_digit_pairs(counts, 4, last - 3) ||
				    are_digit_pairs(counts, 3, last - 4)));
}

/* Finds the module with the best grid, from a length on up to another one, if it is better than
 * *best; of equal ones the smallest.  Begins with `about`: what is much worse is left early.
 * Returns false if it is too much work. */
static bool find_grid(const struct rip_view *view, const struct rip_linear *linear, int64_t from,
		      int64_t to, int64_t about, struct module_grid *best)
{
	const int64_t length = linear->sums[linear->edges - 1] - linear->sums[0];
	const int64_t step = (int64_t)linear->module * 256 * linear->module / (length * 8) + 1;
	const int64_t all = (to - from) / step + 1, middle = (about - from) / step;
	const int64_t before = best->stray;
	int64_t counts[RIP_EDGES_MAX];
	struct grid_search search;

	if (!rip_view_spend(view, all * (linear->edges + GRID_WORK)))
		return false;
	begin_search(linear, &search);
	for (int64_t k = 0; k < 2 * all; k++) {
		const int64_t i = middle + (k % 2 ? -(k + 1) / 2 : k / 2);
		struct module_grid grid = { .module = from + i * step };
		int64_t most;

		if (i < 0 || i >= all)
			continue;
		most = best->stray - (best->stray == before || grid.module > best->module);
		/* as it is divided below */
		if (!fit_grid(linear, &search, most * CODE_BONUS + CODE_BONUS - 1,
			      &grid) ||
		    !count_modules(linear, &grid, counts))
			continue;
		if (is_code(counts, linear->edges))
			grid.stray /= CODE_BONUS;
		if (grid.stray <= most)
			*best = grid;
	}
	return true;
}

bool rip_linear_straighten(const struct rip_view *view, struct rip_linear *linear)
{
	const int64_t about = (int64_t)linear->module * 256;
	struct module_grid best = { .stray = STRAY_ANY };
	int64_t counts[RIP_EDGES_MAX], offset = 0, module, whole;

	for (int32_t k = 1; k < linear->edges; k++)
		if (linear->sums[k] <= linear->sums[k - 1])
			return false;
	if (!find_grid(view, linear, about * 3 / 4, about * 3 / 2, about, &best))
		return false;
	if (best.stray > STRAY_GOOD) { /* most bars may be wide */
		const int32_t least = RIP_MODULE_LEAST * 256;

		if (!find_grid(view, linear, about / 2 > least ? about / 2 : least, about * 3 / 4,
			       about * 3 / 4, &best))
			return false;
	}
	module = best.module / 256;
	/* Letters that are below each other, as in a table, agree in few lines. */
	if (best.stray > STRAY_MAX || best.stray * (linear->bottom - linear->top) * 2 >
				      3 * STRAY_MAX * linear->lines ||
	    best.stray * module * module > (int64_t)STRAY_SAMPLES_MAX * ONE * ONE)
		return false;
	count_modules(linear, &best, counts);
	linear->is_code = is_code(counts, linear->edges);
	if (counts[linear->edges - 1] * 4 < linear->edges * 5)
		return false;
	for (int32_t k = 0; k < linear->edges; k++)
		offset += linear->sums[k] * 256 - counts[k] * best.module;
	offset /= linear->edges;
	/* Whole samples, if that hardly changes the length, or if modules are so small that no
	 * rounding helps. */
	whole = (module + ONE / 2) / ONE * ONE;
	if (llabs(module - whole) * counts[linear->edges - 1] <= whole || module < ONE * 3 / 2) {
		offset += counts[linear->edges - 1] * (best.module - whole * 256) / 2;
		offset = (offset / 256 + ONE / 2) / ONE * ONE * 256;
		best.module = whole * 256;
	}
	linear->module = (int32_t)(best.module / 256);
	for (int32_t k = 0; k < linear->edges; k++)
		linear->sums[k] = (offset + counts[k] * best.module) / 256;
	return true;
}

/* ---- whole samples ---- */

/* What scanners make of a distance that is wrong by this: little, until it is half a module. */
static int64_t cost(int64_t wrong, int32_t module)
{
	const int64_t q = wrong * 256 / module;

	return q * q + (q * q >> 7) * (q * q >> 7);
}

/* One up or down from the nearest, with the least cost: the cheapest way through all pairs of
 * neighbours. */
void rip_linear_round(struct rip_linear *linear, const int32_t at[])
{
	static const int64_t none = INT64_MAX / 2;
	int64_t costs[9], next[9]; /* of the edge before by 3, and this one */
	uint8_t from[RIP_EDGES_MAX][9];
	int32_t best = 0;

	for (int32_t s = 0; s < 9; s++)
		costs[s] = s < 3 ? 0 : none;
	for (int32_t k = 0; k < linear->edges; k++) {
		const int32_t near = (at[k] + ONE / 2) >> 8;

		for (int32_t s = 0; s < 9; s++)
			next[s] = none;
		for (int32_t s = 0; s < 27; s++) {
			/* the choices at k - 2, k - 1 and k */
			const int32_t a = s / 9, b = s / 3 % 3, c = s % 3, to = b * 3 + c;
			const int32_t here = near + c - 1;
			int64_t sum = costs[a * 3 + b] +
				      cost(here * ONE - at[k], linear->module) / 8;

			if (k > 0) {
				const int32_t last = ((at[k - 1] + ONE / 2) >> 8) + b - 1;

				if (here <= last)
					continue;
				sum += cost((here - last) * ONE - (at[k] - at[k - 1]),
					    linear->module) / 2;
			}
			if (k > 1) {
				const int32_t last = ((at[k - 2] + ONE / 2) >> 8) + a - 1;

				sum += cost((here - last) * ONE - (at[k] - at[k - 2]),
					    linear->module);
			}
			if (sum < next[to]) {
				next[to] = sum;
				from[k][to] = (uint8_t)a;
			}
		}
		memcpy(costs, next, sizeof costs);
	}
	for (int32_t s = 1; s < 9; s++)
		best = costs[s] < costs[best] ? s : best;
	for (int32_t k = linear->edges - 1; k >= 0; k--) {
		linear->whole[k] = ((at[k] + ONE / 2) >> 8) + best % 3 - 1;
		best = from[k][best] * 3 + best / 3;
	}
}
