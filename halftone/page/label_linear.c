/* Linear symbols: bars. */
#include "label_symbols.h"

#include <stdlib.h>

/* Lengths are in 1/256 of a sample, as is coverage: 0 is paper, 256 ink. */
#define ONE 256
#define LENGTH_MAX 4096 /* samples */
#define EDGES_MAX 1024
#define EDGES_LEAST 24
#define ROWS_LEAST 24
/* A change of coverage that is an edge; and for bars of one sample that are between samples. */
#define CLEAR (ONE / 4)
#define CLEAR_LEAST (ONE / 16)
#define RUN_MAX 6       /* modules; wider is a quiet zone */
#define QUIET 10        /* modules */
#define MODULE_LEAST (ONE * 3 / 4)

/* The samples of a line of a view, and where they change. */
struct bars {
	int32_t from, count;           /* of the samples */
	int32_t paper, ink;
	int32_t clear;                 /* a change of coverage that is an edge */
	int32_t covers[256];           /* the coverage of each ink */
	uint8_t inks[2][LENGTH_MAX + sizeof(rip_bytes)]; /* of two lines; zeros follow */
	int32_t now;                   /* which of them was read last */
	int32_t sums[LENGTH_MAX + 1];  /* of coverage, before each sample */
	int32_t edges;
	int32_t at[EDGES_MAX];         /* edges, light to dark and back in turn */
};

/* A symbol that is being measured. */
struct linear {
	int32_t edges, module;
	bool    is_code;               /* its modules make characters */
	int32_t first[EDGES_MAX];      /* where the edges are in the first line, */
	int64_t sums[EDGES_MAX];       /* and their sums over `lines`, then means */
	int64_t lines, v_sum, vv_sum, at_sum, vat_sum; /* for the slope */
	int32_t top, bottom;           /* its lines */
	int32_t middle;                /* where the means are, in 1/256 */
	int64_t slope;                 /* of the bars, in 1/65536 */
	int32_t whole[EDGES_MAX];      /* the edges in whole samples */
};

/* Reads the inks of a line that is there. */
static void read_line(const struct rip_view *view, struct bars *line, int32_t v)
{
	uint8_t *inks = line->inks[line->now ^= 1];

	if (view->turned) {
		for (int32_t i = 0; i < line->count; i++)
			inks[i] = rip_view_row(view, line->from + i)[v] ^ view->invert;
	} else {
		const uint8_t *row = rip_view_row(view, v) + line->from;

		for (int32_t i = 0; i < line->count; i += (int32_t)sizeof(rip_bytes)) {
			const rip_bytes ink = rip_load(row + i) ^ rip_all_bytes(view->invert);

			memcpy(inks + i, &ink, sizeof ink);
		}
	}
	memset(inks + line->count, 0, sizeof(rip_bytes));
}

/* The coverage before a place in halves of a sample. */
static int32_t sum_before(const struct bars *line, int32_t halves)
{
	const int32_t i = halves / 2, sum = line->sums[i];

	return halves % 2 ? sum + (line->sums[i + 1] - sum) / 2 : sum;
}

/* Finds the edges of a line.  From the middle of a bar to that of the space beside it, there is as
 * much ink as if the edge were sharp: so this says where it is, whatever blurs it. */
static void find_edges(struct bars *line)
{
	const uint8_t *inks = line->inks[line->now];
	int32_t extreme = ONE, low = 0, high = 0, before = -1;
	bool dark = false;

	line->edges = 0;
	line->sums[0] = 0;
	for (int32_t i = 0; i < line->count; i++)
		line->sums[i + 1] = line->sums[i] + line->covers[inks[i]];
	for (int32_t i = 0; i <= line->count && line->edges < EDGES_MAX; i++) {
		const int32_t c = i < line->count ? line->covers[inks[i]] : 0;
		const int32_t back = dark ? extreme - c : c - extreme;

		if (back < 0 && i < line->count) {
			extreme = c;
			low = high = i;
		} else if (back <= ONE / 32 && i < line->count) {
			high = i;
		} else if (back >= line->clear || (i == line->count && !dark)) {
			const int32_t here = low + high + 1;

			if (before >= 0) {
				const int32_t ink = sum_before(line, here) -
						    sum_before(line, before);

				line->at[line->edges++] = line->from * ONE +
					(dark ? here * ONE / 2 - ink : before * ONE / 2 + ink);
			}
			before = here;
			dark = !dark;
			extreme = c;
			low = high = i;
		}
	}
}

/* Reads a line and finds paper, ink and edges.  Whether paper and ink differ. */
static bool measure_line(const struct rip_view *view, struct bars *line, int32_t v)
{
	int32_t counts[256] = { 0 };

	read_line(view, line, v);
	for (int32_t i = 0; i < line->count; i++)
		counts[line->inks[line->now][i]]++;
	if (!rip_find_levels(counts, line->count, 10, &line->paper, &line->ink))
		return false;
	for (int32_t ink = 0; ink < 256; ink++)
		line->covers[ink] = (ink - line->paper) * ONE / (line->ink - line->paper);
	find_edges(line);
	return true;
}

/* A width that is about a module.  A seventh of the bars with the space beside them are narrower
 * than two modules; a bar may be too wide by what the space lacks. */
static int32_t module_of(const int32_t *at, int32_t edges)
{
	int32_t counts[256] = { 0 }, below = 0, i = 0;

	for (int32_t k = 2; k < edges; k++) {
		const int32_t width = (at[k] - at[k - 2]) / (ONE / 4);

		counts[width < 0 ? 0 : width < 255 ? width : 255]++;
	}
	for (; i < 255 && below + counts[i] <= edges / 7; i++)
		below += counts[i];
	return i * (ONE / 8) + ONE / 16;
}

/* Takes the longest row of edges without a gap that is a quiet zone.  Whether it is a symbol's. */
static bool take_symbol(const struct bars *line, struct linear *linear)
{
	const int32_t module = module_of(line->at, line->edges);
	int32_t first = 0, best = 0, most = 0;

	for (int32_t k = 1; k <= line->edges; k++) {
		const bool dark = (k - 1) % 2 == 0; /* from edge k - 1 on */

		if (k < line->edges && (dark || line->at[k] - line->at[k - 1] < RUN_MAX * module))
			continue;
		if (k - first > most) {
			best = first;
			most = k - first;
		}
		first = k;
	}
	most -= most % 2;
	if (most < EDGES_LEAST)
		return false;
	linear->edges = most;
	linear->module = module_of(line->at + best, most);
	if (linear->module < MODULE_LEAST)
		linear->module = MODULE_LEAST;
	memcpy(linear->first, line->at + best, (size_t)most * sizeof *line->at);
	return true;
}

/* Whether the two lines that were read last have the same bars. */
static bool goes_on(const struct bars *line)
{
	typedef uint16_t rip_words __attribute__((vector_size(sizeof(rip_bytes))));
	const int32_t strip = sizeof(rip_bytes);
	int64_t apart = 0;

	for (int32_t i = 0; i < line->count;) {
		const int32_t end = i + 64 * strip; /* until a sum is too large */
		rip_words sums = { 0 };

		for (; i < line->count && i < end; i += strip) {
			const rip_bytes a = rip_load(line->inks[0] + i);
			const rip_bytes b = rip_load(line->inks[1] + i);
			const rip_words by = (rip_words)(rip_more_of(a, b) - rip_less_of(a, b));

			sums += (by & 255) + (by >> 8);
		}
		for (int32_t k = 0; k < strip / 2; k++)
			apart += sums[k];
	}
	return apart * 6 <= (int64_t)(line->ink - line->paper) * line->count;
}

static void add_line(struct linear *linear, const int32_t *at, int32_t v)
{
	int64_t sum = 0;

	for (int32_t k = 0; k < linear->edges; k++) {
		linear->sums[k] += at[k];
		sum += at[k];
	}
	linear->lines++;
	linear->v_sum += v;
	linear->vv_sum += (int64_t)v * v;
	linear->at_sum += sum / linear->edges;
	linear->vat_sum += sum / linear->edges * v;
}

/* Whether a line's bars are near to where they should be. */
static bool are_near(const struct bars *line, const struct linear *linear, const int32_t near[])
{
	const int32_t last = linear->edges - 1, length = linear->first[last] - linear->first[0];
	const int32_t most = linear->module * 2 / 3;

	if (line->edges != linear->edges || /* bars are parallel: */
	    abs(line->at[last] - line->at[0] - length) > most)
		return false;
	for (int32_t k = 0; k <= last; k++)
		if (abs(line->at[k] - near[k]) > most)
			return false;
	return true;
}

/* Follows the bars up or down from a line; returns the last one. */
static int32_t follow(const struct rip_view *view, struct bars *line, struct linear *linear,
		      int32_t v, int32_t step)
{
	int32_t near[EDGES_MAX];
	bool good = true;

	read_line(view, line, v);
	line->edges = linear->edges;
	memcpy(line->at, linear->first, sizeof line->at);
	memcpy(near, linear->first, sizeof near);
	for (; rip_view_has(view, line->from, v + step); v += step) {
		read_line(view, line, v + step);
		/* Lines are often equal, and then so are their edges. */
		if (memcmp(line->inks[0], line->inks[1], (size_t)line->count) != 0) {
			if (!goes_on(line))
				return v;
			find_edges(line);
			good = are_near(line, linear, near);
		}
		if (!good)
			continue;
		for (int32_t k = 0; k < line->edges; k++)
			near[k] += (line->at[k] - near[k]) / 4;
		add_line(linear, line->at, v + step);
	}
	return v;
}

/* Means, and the slope if the bars lean by a quarter of a sample or more. */
static void settle(struct linear *linear)
{
	const int64_t n = linear->lines;
	const int64_t spread = n * linear->vv_sum - linear->v_sum * linear->v_sum;
	const int64_t lean = n * linear->vat_sum - linear->v_sum * linear->at_sum;

	linear->slope = spread ? lean * 256 / spread : 0;
	if (llabs(linear->slope * (linear->bottom - linear->top)) < 65536 / 4)
		linear->slope = 0;
	linear->middle = (int32_t)(linear->v_sum * ONE / n);
	for (int32_t k = 0; k < linear->edges; k++)
		linear->sums[k] /= n;
}

/* ---- modules ---- */

#define PHASES 16 /* where a grid may start, */
#define BINS 64   /* and edges are in a module */
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

/* Finds where the grid is best for a module.  squares: of how far each bin is from the grid.
 * Stops, and returns false, if the grid is worse than `most`. */
static bool fit_grid(const struct linear *linear, const int16_t squares[BINS], int64_t most,
		     struct module_grid *grid)
{
	/* Quotients are more than this apart from the next whole number, or whole. */
	const double bins = (double)BINS / (double)grid->module, least_part = 0x1p-30;
	int64_t all = 0;

	for (int32_t parity = 0; parity < 2; parity++) {
		int16_t counts[2 * BINS] = { 0 }; /* of edges, twice */
		int32_t least = INT32_MAX;

		for (int32_t k = parity; k < linear->edges; k += 2) {
			const int64_t at = (linear->sums[k] - linear->sums[0]) * 256;

			counts[(int64_t)((double)at * bins + least_part) % BINS]++;
		}
		for (int32_t i = 0; i < BINS; i++)
			counts[BINS + i] = counts[i];
		for (int32_t phase = 0; phase < PHASES; phase++) {
			const int16_t *from = counts + BINS / PHASES * phase;
			int32_t sum = 0;

			for (int32_t i = 0; i < BINS; i++)
				sum += from[i] * squares[i];
			if (sum < least) {
				least = sum;
				grid->start[parity] = grid->module * phase / PHASES;
			}
		}
		all += least;
		grid->stray = all * 4 / linear->edges;
		if (grid->stray > most)
			return false;
	}
	return true;
}

/* The modules before each edge, if bars are wider by `more` modules than the grids say.  Whether no
 * bar and no space is without one. */
static bool count_with(const struct linear *linear, const struct module_grid *grid, int32_t more,
		       int64_t counts[])
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
static bool count_modules(const struct linear *linear, const struct module_grid *grid,
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
 * *best; of equal ones the smallest.  Begins with `about`: what is much worse is left early. */
static void find_grid(const struct linear *linear, int64_t from, int64_t to, int64_t about,
		      struct module_grid *best)
{
	const int64_t length = linear->sums[linear->edges - 1] - linear->sums[0];
	const int64_t step = (int64_t)linear->module * 256 * linear->module / (length * 8) + 1;
	const int64_t all = (to - from) / step + 1, middle = (about - from) / step;
	const int64_t before = best->stray;
	int64_t counts[EDGES_MAX];
	int16_t squares[BINS];

	for (int32_t i = 0; i < BINS / 2; i++)
		squares[i] = squares[BINS - 1 - i] = (int16_t)((2 * i + 1) * (2 * i + 1));
	for (int64_t k = 0; k < 2 * all; k++) {
		const int64_t i = middle + (k % 2 ? -(k + 1) / 2 : k / 2);
		struct module_grid grid = { .module = from + i * step };
		int64_t most;

		if (i < 0 || i >= all)
			continue;
		most = best->stray - (best->stray == before || grid.module > best->module);
		/* as it is divided below */
		if (!fit_grid(linear, squares, most * CODE_BONUS + CODE_BONUS - 1,
			      &grid) ||
		    !count_modules(linear, &grid, counts))
			continue;
		if (is_code(counts, linear->edges))
			grid.stray /= CODE_BONUS;
		if (grid.stray <= most)
			*best = grid;
	}
}

/* Bars and spaces are whole modules, and not all alike.  Puts the edges where they should be.
 * Returns whether it is so. */
static bool straighten(struct linear *linear)
{
	const int64_t about = (int64_t)linear->module * 256;
	struct module_grid best = { .stray = STRAY_ANY };
	int64_t counts[EDGES_MAX], offset = 0, module, whole;

	for (int32_t k = 1; k < linear->edges; k++)
		if (linear->sums[k] <= linear->sums[k - 1])
			return false;
	find_grid(linear, about * 3 / 4, about * 3 / 2, about, &best);
	if (best.stray > STRAY_GOOD) /* most bars may be wide */
		find_grid(linear, about / 2 > MODULE_LEAST * 256 ? about / 2 : MODULE_LEAST * 256,
			  about * 3 / 4, about * 3 / 4, &best);
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

/* Rounds edges to whole samples, one up or down from the nearest, with the least cost: the
 * cheapest way through all pairs of neighbours. */
static void round_edges(struct linear *linear, const int32_t at[])
{
	static const int64_t none = INT64_MAX / 2;
	int64_t costs[9], next[9]; /* of the edge before by 3, and this one */
	uint8_t from[EDGES_MAX][9];
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

/* ---- drawing ---- */

/* Clears a quiet zone, as far as there is nothing in it. */
static void clear_beside(const struct rip_view *view, const struct bars *line, int32_t u, int32_t v,
			 int32_t step, int32_t count)
{
	for (; count > 0 && rip_view_has(view, u, v); u += step, count--) {
		uint8_t *at = rip_view_at(view, u, v);

		if (line->covers[*at ^ view->invert] > ONE / 2)
			return;
		*at = view->invert;
	}
}

/* A line as it is drawn. */
struct drawn_line {
	int32_t from, to;
	uint8_t samples[2 * LENGTH_MAX + 64]; /* modules of half a sample become whole */
};

/* With bars, or without. */
static void make_line(const struct rip_view *view, const struct linear *linear, int32_t v,
		      bool bars, struct drawn_line *drawn)
{
	const int32_t last = linear->edges - 1;
	const int32_t lean = (int32_t)((v - linear->middle / ONE) * linear->slope / 65536) / ONE;
	/* Where it was, it may have been longer. */
	const int32_t from = linear->first[0] / ONE + lean - 1;
	const int32_t to = linear->first[last] / ONE + lean + 2;

	drawn->from = from < linear->whole[0] ? from : linear->whole[0];
	drawn->to = to > linear->whole[last] ? to : linear->whole[last];
	memset(drawn->samples, view->invert, (size_t)(drawn->to - drawn->from));
	for (int32_t k = 0; bars && k < last; k += 2)
		memset(drawn->samples + linear->whole[k] - drawn->from, 255 ^ view->invert,
		       (size_t)(linear->whole[k + 1] - linear->whole[k]));
}

static void draw_line(const struct rip_view *view, const struct bars *line,
		      const struct linear *linear, int32_t v, const struct drawn_line *drawn)
{
	const int32_t quiet = (QUIET * linear->module + ONE - 1) / ONE;
	const int32_t least = view->turned ? view->first : 0, limit = rip_view_width(view);
	const int32_t from = drawn->from < least ? least : drawn->from;
	const int32_t to = drawn->to > limit ? limit : drawn->to;

	if (view->turned)
		for (int32_t u = from; u < to; u++)
			rip_view_row(view, u)[v] = drawn->samples[u - drawn->from];
	else if (from < to)
		memcpy(rip_view_row(view, v) + from, drawn->samples + from - drawn->from,
		       (size_t)(to - from));
	clear_beside(view, line, drawn->from - 1, v, -1,
		     quiet - (drawn->from < linear->whole[0] ? 1 : 0));
	clear_beside(view, line, drawn->to, v, 1, quiet);
}

/* The share of its bars that a line has at the symbol's end. */
static int32_t share_of(const struct rip_view *view, const struct bars *line,
			const struct linear *linear, int32_t v)
{
	int64_t sum = 0, count = 0;

	for (int32_t k = 0; k < linear->edges - 1; k += 2)
		for (int32_t u = linear->whole[k]; u < linear->whole[k + 1]; u++, count++)
			sum += line->covers[rip_view_ink(view, u, v)];
	return (int32_t)(sum / (count ? count : 1));
}

static void draw(const struct rip_view *view, const struct bars *line, struct linear *linear,
		 struct rip_box *drawn)
{
	int32_t at[EDGES_MAX];
	struct rip_box box = { INT32_MAX, linear->top, 0, linear->bottom + 1 };
	struct drawn_line made;
	int32_t kind = -1; /* whether it has bars */

	for (int32_t v = linear->top - 2; v <= linear->bottom + 2; v++) {
		const int64_t past = (int64_t)v * ONE - linear->middle;
		const bool inside = v >= linear->top && v <= linear->bottom;
		int32_t share;

		for (int32_t k = 0; k < linear->edges; k++)
			at[k] = (int32_t)(linear->sums[k] + past * linear->slope / 65536);
		if (linear->slope || v == linear->top - 2) {
			round_edges(linear, at);
			kind = -1;
		}
		share = inside ? ONE : share_of(view, line, linear, v);
		if (share < ONE / 16)
			continue;
		if (kind != (share >= ONE / 2)) {
			kind = share >= ONE / 2;
			make_line(view, linear, v, kind, &made);
		}
		draw_line(view, line, linear, v, &made);
		box.left = linear->whole[0] < box.left ? linear->whole[0] : box.left;
		box.right = linear->whole[linear->edges - 1] > box.right ?
			    linear->whole[linear->edges - 1] : box.right;
	}
	*drawn = view->turned ? (struct rip_box){ box.top, box.left, box.bottom, box.right } : box;
}

/* Finds and measures a symbol.  Whether there is one. */
static bool find_symbol(const struct rip_view *view, int32_t from, int32_t to, int32_t v,
			struct bars *line, struct linear *linear)
{
	const int32_t limit = rip_view_width(view), least = view->turned ? view->first : 0;

	from = from - 24 < least ? least : from - 24;
	to = to + 24 < limit ? to + 24 : limit;
	if (to - from > LENGTH_MAX || to - from < EDGES_LEAST || !rip_view_has(view, from, v))
		return false;
	memset(linear, 0, sizeof *linear);
	line->now = 0;
	line->from = from;
	line->count = to - from;
	if (!measure_line(view, line, v) || !take_symbol(line, linear))
		return false;
	if (view->turned && view->more &&
	    linear->first[linear->edges - 1] + RUN_MAX * linear->module > view->end * ONE)
		return false; /* its end is not there */
	/* From here on, its own samples only. */
	line->from = linear->first[0] / ONE - 2;
	line->count = linear->first[linear->edges - 1] / ONE + 3 - line->from;
	line->from = line->from < least ? least : line->from;
	line->count = line->count < limit - line->from ? line->count : limit - line->from;
	if (line->count > LENGTH_MAX || line->count < EDGES_LEAST ||
	    !measure_line(view, line, v) ||
	    line->edges != linear->edges)
		return false;
	memcpy(linear->first, line->at, sizeof linear->first);
	add_line(linear, line->at, v);
	linear->top = follow(view, line, linear, v, -1);
	linear->bottom = follow(view, line, linear, v, 1);
	settle(linear);
	return linear->bottom - linear->top >= ROWS_LEAST &&
	       linear->lines * 5 >= linear->bottom - linear->top && straighten(linear);
}

bool rip_linear_draw(const struct rip_view *view, int32_t from, int32_t to, int32_t v,
		     struct rip_box *drawn)
{
	struct bars lines[2]; /* of the first symbol that is found, and of a known code */
	struct linear linears[2];
	int32_t best = -1;

	for (int32_t clear = CLEAR; clear >= CLEAR_LEAST; clear /= 2) {
		const int32_t at = best >= 0;

		lines[at].clear = clear;
		if (!find_symbol(view, from, to, v, &lines[at], &linears[at]))
			continue;
		if (best < 0 || linears[at].is_code)
			best = at;
		if (linears[at].is_code)
			break;
	}
	if (best >= 0)
		draw(view, &lines[best], &linears[best], drawn);
	return best >= 0;
}
