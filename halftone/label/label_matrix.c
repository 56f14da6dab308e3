/* Matrix symbols: modules are read, and drawn anew. */
#include "label_symbols.h"

#define ONE 256 /* lengths are in 1/256 of a sample */

/* ---- reading ---- */

/* Where the symbol is in samples, with a margin. */
static struct rip_box box_of(const struct rip_lattice *grid, int32_t margin_u, int32_t margin_v)
{
	const int32_t u = grid->width / 2 + margin_u, v = grid->height / 2 + margin_v;

	return (struct rip_box){ (grid->u - u) / ONE - 2, (grid->v - v) / ONE - 2,
				 (grid->u + u) / ONE + 3, (grid->v + v) / ONE + 3 };
}

#define PARTS 4  /* of a sample's side */
#define PART (ONE / PARTS)
#define PASSES 4

/* A place, from a grid's left and top side, in its directions. */
static inline void place_in(const struct rip_lattice *grid, int32_t u, int32_t v, int32_t *x,
			    int32_t *y)
{
	const int32_t du = u - grid->u, dv = v - grid->v, slope = grid->slope;

	*x = du + grid->width / 2 + (slope ? (int32_t)((int64_t)dv * slope / 65536) : 0);
	*y = dv + grid->height / 2 - (slope ? (int32_t)((int64_t)du * slope / 65536) : 0);
}

/* Whether such a place is in a grid, or not farther beside it than this. */
static inline bool is_beside(const struct rip_lattice *grid, int32_t x, int32_t y, int32_t far_x,
			     int32_t far_y)
{
	return x >= -far_x && x < grid->width + far_x && y >= -far_y && y < grid->height + far_y;
}

/* Modules, with paper around them. */
#define ROW 64
#define ALL (ROW * ROW)

static inline int32_t module(int32_t i, int32_t j)
{
	return (j + 1) * ROW + i + 1;
}

/* The modules' ink as it is estimated, what is missing below their samples, and how many parts
 * these are. */
struct module_inks {
	int32_t inks[ALL], missing[ALL], parts[ALL];
};

#define BLURRED_MAX (2 * RIP_MODULES_MAX + 8) /* samples of a side */

/* A sample, 16 times its ink, and the modules below it: this one, those to the right and below, and
 * the one below to the right, with so many of its parts, each in a byte. */
struct sample {
	uint16_t module, ink;
	uint32_t parts;
};

/* All samples that have modules below them. */
struct symbol_samples {
	int32_t count;
	struct sample samples[BLURRED_MAX * BLURRED_MAX];
};

/* One direction of a symbol: where the parts of its samples are, from its side on, and what a slope
 * adds to the other direction there; where modules begin. */
struct side {
	int32_t at[BLURRED_MAX][PARTS], lean[BLURRED_MAX][PARTS];
	int32_t begins[RIP_MODULES_MAX + 2];
	int32_t first[BLURRED_MAX]; /* of a sample's modules, if there were no slope */
};

static void find_side(int32_t first, int32_t count, int32_t middle, int32_t size,
		      const struct rip_lattice *grid, struct side *side)
{
	const int32_t n = grid->modules;
	int32_t module = -1;

	for (int32_t m = 0; m <= n; m++)
		side->begins[m] = (m * size + n - 1) / n;
	side->begins[n + 1] = INT32_MAX;
	for (int32_t i = 0; i < count; i++) {
		for (int32_t k = 0; k < PARTS; k++) {
			const int32_t from = (first + i) * ONE + (2 * k + 1) * PART / 2 - middle;

			side->at[i][k] = from + size / 2;
			side->lean[i][k] = (int32_t)((int64_t)from * grid->slope / 65536);
		}
		while (side->at[i][0] >= side->begins[module + 1])
			module++;
		side->first[i] = module;
	}
}

/* The module of a place near to those of module `near`. */
static inline int32_t module_near(const struct side *side, int32_t near, int32_t at)
{
	while (near >= 0 && at < side->begins[near])
		near--;
	while (at >= side->begins[near + 1])
		near++;
	return near;
}

/* Finds the modules below sample (i, j).  Whether there are no more than two in each direction. */
static bool find_below(const struct side *columns, const struct side *rows, int32_t i, int32_t j,
		       struct sample *sample)
{
	const int32_t *x = columns->at[i], *lean_x = rows->lean[j];
	const int32_t *y = rows->at[j], *lean_y = columns->lean[i];
	const int32_t last = PARTS - 1;
	const int32_t least_x = lean_x[0] < lean_x[last] ? lean_x[0] : lean_x[last];
	const int32_t most_x = lean_x[0] + lean_x[last] - least_x;
	const int32_t most_y = lean_y[0] > lean_y[last] ? lean_y[0] : lean_y[last];
	const int32_t least_y = lean_y[0] + lean_y[last] - most_y;
	const int32_t column = module_near(columns, columns->first[i], x[0] + least_x);
	const int32_t row = module_near(rows, rows->first[j], y[0] - most_y);
	const int32_t right = columns->begins[column + 1], below = rows->begins[row + 1];
	uint32_t parts = 0;

	sample->module = (uint16_t)module(column, row);
	if (x[last] + most_x < right && y[last] - least_y < below) {
		sample->parts = PARTS * PARTS;
		return true;
	}
	if ((x[last] + most_x >= right && x[last] + most_x >= columns->begins[column + 2]) ||
	    (y[last] - least_y >= below && y[last] - least_y >= rows->begins[row + 2]))
		return false;
	for (int32_t k = 0; k < PARTS; k++)
		for (int32_t l = 0; l < PARTS; l++)
			parts += 1u << ((x[l] + lean_x[k] >= right ? 8 : 0) +
					(y[k] - lean_y[l] >= below ? 16 : 0));
	sample->parts = parts;
	return true;
}

/* Finds the samples.  Whether modules are large enough for it, which most are. */
static bool find_samples(const struct rip_view *view, const struct rip_lattice *grid,
			 const struct rip_box *box, struct symbol_samples *all)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	struct side columns, rows;

	all->count = 0;
	if (width > BLURRED_MAX || height > BLURRED_MAX)
		return false;
	find_side(box->left, width, grid->u, grid->width, grid, &columns);
	find_side(box->top, height, grid->v, grid->height, grid, &rows);
	for (int32_t j = 0; j < height; j++)
		for (int32_t i = 0; i < width; i++) {
			struct sample *sample = &all->samples[all->count++];

			if (!find_below(&columns, &rows, i, j, sample))
				return false;
			sample->ink = (uint16_t)(rip_view_ink(view, box->left + i, box->top + j) *
						 16);
		}
	return true;
}

/* Adds to each module what its samples' parts have more or less than estimated, or how many they
 * are: `counts`. */
static void compare_samples(const struct symbol_samples *all, struct module_inks *r, bool counts)
{
	for (int32_t k = 0; k < all->count; k++) {
		const struct sample *sample = &all->samples[k];
		const int32_t a = sample->parts & 255, b = sample->parts >> 8 & 255;
		const int32_t c = sample->parts >> 16 & 255, d = (int32_t)(sample->parts >> 24);
		const int32_t *inks = r->inks + sample->module;
		int32_t *to = (counts ? r->parts : r->missing) + sample->module;
		const int32_t sum = inks[0] * a + inks[1] * b + inks[ROW] * c + inks[ROW + 1] * d;
		const int32_t apart = counts ? 1 : sample->ink - sum / (PARTS * PARTS);

		to[0] += apart * a;
		to[1] += apart * b;
		to[ROW] += apart * c;
		to[ROW + 1] += apart * d;
	}
}

/* Compares a row of samples of a symbol with such small modules that more of them are below one. */
static void compare_parts(struct module_inks *r, const struct rip_view *view,
			    const struct rip_lattice *grid, const struct rip_box *box, int32_t v)
{
	/* x * modules / width is x * of_x >> 32: x and the width are below 2^16. */
	const uint64_t of_x = ((uint64_t)grid->modules << 32) / (uint32_t)grid->width + 1;
	const uint64_t of_y = ((uint64_t)grid->modules << 32) / (uint32_t)grid->height + 1;

	for (int32_t u = box->left; u < box->right; u++) {
		int32_t below[PARTS * PARTS], sum = 0, apart;

		for (int32_t k = 0; k < PARTS * PARTS; k++) {
			int32_t x, y;

			place_in(grid, u * ONE + (2 * (k % PARTS) + 1) * PART / 2,
				 v * ONE + (2 * (k / PARTS) + 1) * PART / 2, &x, &y);
			below[k] = x < 0 || x >= grid->width || y < 0 || y >= grid->height ? 0 :
				   module((int32_t)((uint64_t)x * of_x >> 32),
					  (int32_t)((uint64_t)y * of_y >> 32));
			sum += r->inks[below[k]];
		}
		apart = rip_view_ink(view, u, v) * 16 - sum / (PARTS * PARTS);
		for (int32_t k = 0; k < PARTS * PARTS; k++) {
			r->missing[below[k]] += apart;
			r->parts[below[k]]++;
		}
	}
}

/* The modules' ink: as it must be for samples that have the mean of the modules below them to be
 * what they are.  Each pass gives a module the part of what is missing in its samples. */
static void read_modules(const struct rip_view *view, const struct rip_shades *levels,
			 const struct rip_lattice *grid, struct module_inks *r)
{
	const struct rip_box box = box_of(grid, 0, 0);
	const int32_t n = grid->modules;
	struct symbol_samples samples;
	bool found;

	for (int32_t k = 0; k < ALL; k++)
		r->inks[k] = levels->paper * 16;
	for (int32_t j = 0; j < n; j++)
		for (int32_t i = 0; i < n; i++)
			r->inks[module(i, j)] = rip_lattice_ink(view, grid, i, j) * 16;
	if (grid->width >= 2 * ONE * n)
		return; /* the sample in the middle is the module's alone */
	found = find_samples(view, grid, &box, &samples);
	memset(r->parts, 0, sizeof r->parts);
	if (found)
		compare_samples(&samples, r, true);
	for (int32_t pass = 0; pass < PASSES; pass++) {
		memset(r->missing, 0, sizeof r->missing);
		if (found)
			compare_samples(&samples, r, false);
		else
			memset(r->parts, 0, sizeof r->parts);
		for (int32_t v = box.top; v < box.bottom && !found; v++)
			compare_parts(r, view, grid, &box, v);
		for (int32_t j = 0; j < n; j++)
			for (int32_t k = module(0, j); k < module(n, j); k++)
				r->inks[k] += r->parts[k] ? r->missing[k] / r->parts[k] : 0;
	}
}

/* What is between paper and ink among the modules' ink.  Where a renderer has painted each sample
 * that a module touches, dark modules are all ink and light ones are not all paper: the finder's
 * say how much. */
static int32_t threshold_of(const struct rip_lattice *grid, const struct rip_shades *levels,
			    const struct module_inks *r)
{
	int32_t sums[2] = { 0 }, counts[2] = { 0 };

	for (int32_t j = 0; j < grid->modules; j++) {
		const struct rip_finder_row row = rip_finder_row(grid, j);

		for (uint64_t known = row.known; known; known &= known - 1) {
			const int32_t i = __builtin_ctzll(known);

			sums[row.dark >> i & 1] += r->inks[module(i, j)];
			counts[row.dark >> i & 1]++;
		}
	}
	if (sums[1] / counts[1] < levels->ink * 63 / 4)
		return levels->middle * 16;
	return (sums[0] / counts[0] + sums[1] / counts[1]) / 2;
}

/* The finder's modules are what they must be, whatever was read: readers need them most, and
 * symbologies correct no errors in them. */
static void mend_finder(const struct rip_lattice *grid, int32_t threshold, struct module_inks *r)
{
	for (int32_t j = 0; j < grid->modules; j++) {
		const struct rip_finder_row row = rip_finder_row(grid, j);

		for (uint64_t known = row.known; known; known &= known - 1) {
			const int32_t i = __builtin_ctzll(known);

			r->inks[module(i, j)] = threshold + (int32_t)(row.dark >> i & 1);
		}
	}
}

/* ---- drawing ---- */

/* Whether there is only paper beside a symbol, out to a larger box. */
static bool is_free(const struct rip_view *view, const struct rip_shades *levels,
		    const struct rip_lattice *grid, const struct rip_box *larger)
{
	for (int32_t v = larger->top; v < larger->bottom; v++)
		for (int32_t u = larger->left; u < larger->right; u++) {
			int32_t x, y;

			place_in(grid, u * ONE + ONE / 2, v * ONE + ONE / 2, &x, &y);
			if (!is_beside(grid, x, y, ONE * 3 / 2, ONE * 3 / 2) &&
			    (!rip_view_has(view, u, v) ||
			     rip_view_ink(view, u, v) > levels->middle))
				return false;
		}
	return true;
}

/* The box of the symbol with modules of so many samples. */
static struct rip_box box_with(const struct rip_lattice *grid, int32_t side)
{
	const int32_t all = side * grid->modules;
	const int32_t left = (2 * grid->u - all * ONE + ONE) >> 9;
	const int32_t top = (2 * grid->v - all * ONE + ONE) >> 9;

	return (struct rip_box){ left, top, left + all, top + all };
}

/* Reads the modules before it changes samples. */
void rip_lattice_draw(const struct rip_view *view, const struct rip_shades *levels,
		      const struct rip_lattice *grid, struct rip_box *drawn)
{
	const int32_t n = grid->modules, quiet = grid->kind == RIP_QR ? 4 : 2;
	const int32_t margin_u = quiet * grid->width / n, margin_v = quiet * grid->height / n;
	const struct rip_box around = box_of(grid, margin_u, margin_v);
	const struct rip_box there = rip_view_inside(view, around);
	struct module_inks read;
	int32_t side = (grid->width + grid->height + n * ONE) / (2 * n * ONE);
	struct rip_box box, larger;
	int32_t threshold;

	side = side > 0 ? side : 1;
	box = box_with(grid, side);
	larger = (struct rip_box){ box.left - side, box.top - side, box.right + side,
				   box.bottom + side };
	if (side > 1 && side * n * ONE > grid->width + ONE &&
	    !is_free(view, levels, grid, &larger))
		box = box_with(grid, --side);
	read_modules(view, levels, grid, &read);
	threshold = threshold_of(grid, levels, &read);
	mend_finder(grid, threshold, &read);
	for (int32_t v = there.top; v < there.bottom; v++) {
		uint8_t *row = rip_view_row(view, v);

		for (int32_t u = there.left; u < there.right; u++) {
			int32_t x, y;

			place_in(grid, u * ONE + ONE / 2, v * ONE + ONE / 2, &x, &y);
			if (is_beside(grid, x, y, ONE, ONE) ||
			    (is_beside(grid, x, y, margin_u, margin_v) &&
			     (row[u] ^ view->invert) <= levels->middle))
				row[u] = view->invert;
		}
	}
	for (int32_t v = box.top; v < box.bottom; v++)
		for (int32_t u = box.left; u < box.right; u++)
			rip_view_put(view, u, v,
				     read.inks[module((u - box.left) / side,
							 (v - box.top) / side)] > threshold);
	*drawn = around;
}
