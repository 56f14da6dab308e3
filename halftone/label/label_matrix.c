/* Matrix symbols: QR, Data Matrix and Aztec. */
#include "label_symbols.h"

/* Lengths are in 1/256 of a sample. */
#define ONE 256
#define SIDE_LEAST 10   /* samples */
#define CUT 4            /* rows or columns of paper that are no module */
#define BESIDE 16       /* samples of a symbol beside the cells that have its edges */
#define CHANGES_LEAST 6 /* between paper and ink in two lines of a symbol */

/* ---- a box around it ---- */

struct shades {
	int32_t paper, ink, middle;
};

/* Paper and ink of a box.  Whether they differ. */
static bool find_levels(const struct rip_view *view, const struct rip_box *box, int32_t parts,
			struct shades *levels)
{
	const int32_t all = (box->right - box->left) * (box->bottom - box->top);
	const struct rip_box there = rip_view_inside(view, *box);
	int32_t counts[256] = { 0 }, samples[256] = { 0 };

	counts[0] = all - (there.right - there.left) * (there.bottom - there.top);
	for (int32_t v = there.top; v < there.bottom; v++)
		rip_count_inks(rip_view_at(view, there.left, v), there.right - there.left,
			       samples);
	for (int32_t i = 0; i < 256; i++)
		counts[i ^ view->invert] += samples[i];
	if (!rip_find_levels(counts, all, parts, &levels->paper, &levels->ink))
		return false;
	levels->middle = (levels->paper + levels->ink) / 2;
	return true;
}

/* How much of a row, or of a column, at a side of a box is covered: it may be so in part. */
static int32_t part(const struct rip_view *view, const struct shades *levels,
		    const struct rip_box *box, bool row, int32_t at)
{
	const int32_t end = row ? box->right : box->bottom;
	int32_t most = 0;

	for (int32_t i = row ? box->left : box->top; i < end; i++) {
		const int32_t ink = rip_view_ink(view, row ? i : at, row ? at : i);

		most = ink > most ? ink : most;
	}
	return most >= levels->ink ? ONE : most <= levels->paper ? 0 :
	       (most - levels->paper) * ONE / (levels->ink - levels->paper);
}

/* The symbol's middle and size in one direction. */
static void place_side(const struct rip_view *view, const struct shades *levels,
		       const struct rip_box *box, bool row, int32_t *middle, int32_t *size)
{
	const int32_t first = row ? box->top : box->left, end = row ? box->bottom : box->right;
	const int32_t from = (first + 1) * ONE - part(view, levels, box, row, first) -
			     part(view, levels, box, row, first - 1);
	const int32_t to = (end - 1) * ONE + part(view, levels, box, row, end - 1) +
			   part(view, levels, box, row, end);

	*middle = (from + to) / 2;
	*size = to - from;
}

/* The symbol's middle and size. */
static void place(const struct rip_view *view, const struct shades *levels,
		  const struct rip_box *box, struct rip_lattice *grid)
{
	place_side(view, levels, box, false, &grid->u, &grid->width);
	place_side(view, levels, box, true, &grid->v, &grid->height);
}

/* ---- drawing ---- */

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

	sample->module = (uint16_t)module(column, row);
	sample->parts = 0;
	if (x[last] + most_x < right && y[last] - least_y < below) {
		sample->parts = PARTS * PARTS;
		return true;
	}
	if ((x[last] + most_x >= right && x[last] + most_x >= columns->begins[column + 2]) ||
	    (y[last] - least_y >= below && y[last] - least_y >= rows->begins[row + 2]))
		return false;
	for (int32_t k = 0; k < PARTS; k++)
		for (int32_t l = 0; l < PARTS; l++)
			sample->parts += 1u << ((x[l] + lean_x[k] >= right ? 8 : 0) +
						(y[k] - lean_y[l] >= below ? 16 : 0));
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
static void read_modules(const struct rip_view *view, const struct shades *levels,
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
static int32_t threshold_of(const struct rip_lattice *grid, const struct shades *levels,
			    const struct module_inks *r)
{
	int32_t sums[2] = { 0 }, counts[2] = { 0 };

	for (int32_t j = 0; j < grid->modules; j++) {
		uint64_t dark, known = rip_lattice_known(grid, j, &dark);

		for (; known; known &= known - 1) {
			const int32_t i = __builtin_ctzll(known);

			sums[dark >> i & 1] += r->inks[module(i, j)];
			counts[dark >> i & 1]++;
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
		uint64_t dark, known = rip_lattice_known(grid, j, &dark);

		for (; known; known &= known - 1) {
			const int32_t i = __builtin_ctzll(known);

			r->inks[module(i, j)] = threshold + (int32_t)(dark >> i & 1);
		}
	}
}

/* Whether there is only paper beside a symbol, out to a larger box. */
static bool is_free(const struct rip_view *view, const struct shades *levels,
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

/* Draws the symbol with modules of whole samples, the nearest number that there is paper for, and
 * not leaning.  Reads the modules before it changes samples. */
static void draw(const struct rip_view *view, const struct shades *levels,
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

/* ---- among other things ---- */

#define STRIP (int32_t)sizeof(rip_bytes) /* columns that are looked at together */

/* The lanes of a strip before column `end` of a box: -1, and 0 for the others. */
static inline rip_bytes lanes_before(int32_t i, int32_t end)
{
	static const uint8_t lanes[2 * sizeof(rip_bytes)] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	};

	const int32_t left = end - i;

	return rip_load(lanes + (left >= STRIP ? 0 : left < 0 ? STRIP : STRIP - left));
}

/* Counts the changes between paper and ink, times 2 for each line across a box: a symbol has about
 * as many as modules.  0: too few in one direction.  So letters are left at once. */
static int32_t count_changes(const struct rip_view *view, const struct shades *levels,
			     const struct rip_box *box)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	const rip_bytes invert = rip_all_bytes(view->invert);
	const rip_bytes middle = rip_all_bytes((uint8_t)levels->middle);
	int32_t across = 0, down = 0;

	for (int32_t i = 1; i < width; i += STRIP) {
		const rip_bytes lanes = lanes_before(i, width);

		for (int32_t v = box->top + 1; v < box->bottom;) {
			const int32_t end = v + 255 < box->bottom ? v + 255 : box->bottom;
			rip_bytes all_across = rip_all_bytes(0), all_down = all_across;
			rip_bytes above;

			above = (rip_bytes)((rip_load(rip_view_at(view, box->left + i, v - 1)) ^
					     invert) > middle);
			for (; v < end; v++) {
				const uint8_t *row = rip_view_at(view, box->left + i, v);
				const rip_bytes left =
					(rip_bytes)((rip_load(row - 1) ^ invert) > middle);
				const rip_bytes here =
					(rip_bytes)((rip_load(row) ^ invert) > middle);

				all_across -= left ^ here;
				all_down -= above ^ here;
				above = here;
			}
			across += rip_sum_of(all_across & lanes);
			down += rip_sum_of(all_down & lanes);
		}
	}
	across = across * 2 / height;
	down = down * 2 / width;
	return across < CHANGES_LEAST || down < CHANGES_LEAST ? 0 : (across + down) / 2;
}

/* Draws the symbol that fills a box, if there is one. */
static bool draw_box(const struct rip_view *view, const struct rip_box *box, struct rip_box *drawn)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	struct shades levels;
	struct rip_lattice grid = { .modules = 0 };
	int32_t changes;

	if (width < SIDE_LEAST || height < SIDE_LEAST ||
	    width > RIP_MATRIX_MAX || height > RIP_MATRIX_MAX ||
	    (width - 2) * 8 > (height + 2) * 9 || (height - 2) * 8 > (width + 2) * 9 ||
	    !find_levels(view, box, 10, &levels))
		return false;
	changes = count_changes(view, &levels, box);
	if (!changes)
		return false;
	place(view, &levels, box, &grid);
	if (grid.width * 8 > grid.height * 9 || grid.height * 8 > grid.width * 9 ||
	    !rip_lattice_find(view, levels.middle, changes, &grid))
		return false;
	draw(view, &levels, &grid, drawn);
	return true;
}

#define BOX_MAX (RIP_MATRIX_MAX + 2 * BESIDE)

/* The most and the least ink in each column of a box. */
struct profile {
	uint8_t most[BOX_MAX + STRIP], least[BOX_MAX + STRIP];
};

/* A search for a symbol that has some of the samples of a box. */
struct matrix_search {
	const struct rip_view *view;
	const struct rip_box *about;
	struct rip_box *drawn; /* the symbol, if there was one */
	bool any;
};

#define STRIPS (RIP_PAST / STRIP) /* that are looked at together */

struct extremes {
	rip_bytes high, low;
};

/* The highest and lowest samples of some strips' columns.  strips: a constant. */
static inline __attribute__((always_inline)) void
find_extremes(const struct rip_view *view, const struct rip_box *there, int32_t left,
	      const int32_t strips, struct extremes made[STRIPS])
{
	rip_bytes high0 = rip_all_bytes(0), high1 = high0, high2 = high0, high3 = high0;
	rip_bytes low0 = ~high0, low1 = low0, low2 = low0, low3 = low0;

	for (int32_t v = there->top; v < there->bottom; v++) {
		const uint8_t *row = rip_view_at(view, left, v);
		const rip_bytes v0 = rip_load(row), v1 = rip_load(row + STRIP);

		high0 = rip_more_of(high0, v0);
		high1 = rip_more_of(high1, v1);
		low0 = rip_less_of(low0, v0);
		low1 = rip_less_of(low1, v1);
		if (strips == STRIPS) {
			const rip_bytes v2 = rip_load(row + 2 * STRIP);
			const rip_bytes v3 = rip_load(row + 3 * STRIP);

			high2 = rip_more_of(high2, v2);
			high3 = rip_more_of(high3, v3);
			low2 = rip_less_of(low2, v2);
			low3 = rip_less_of(low3, v3);
		}
	}
	made[0] = (struct extremes){ high0, low0 };
	made[1] = (struct extremes){ high1, low1 };
	made[2] = (struct extremes){ high2, low2 };
	made[3] = (struct extremes){ high3, low3 };
}

static void find_profile(const struct rip_view *view, const struct rip_box *box,
			 struct profile *profile)
{
	const struct rip_box there = rip_view_inside(view, *box);
	const int32_t width = there.right - there.left;
	const bool rows = there.top == box->top && there.bottom == box->bottom;
	uint8_t *most = profile->most + there.left - box->left;
	uint8_t *least = profile->least + there.left - box->left;

	memset(profile, 0, sizeof *profile); /* paper */
	for (int32_t i = 0; i < width; i += STRIPS * STRIP) {
		struct extremes made[STRIPS];

		if (width - i > STRIPS / 2 * STRIP)
			find_extremes(view, &there, there.left + i, STRIPS, made);
		else
			find_extremes(view, &there, there.left + i, STRIPS / 2, made);
		for (int32_t k = 0; k < STRIPS && i + k * STRIP < width; k++) {
			const int32_t at = i + k * STRIP;
			const rip_bytes lanes = lanes_before(at, width);
			const rip_bytes ink = (view->invert ? ~made[k].low : made[k].high) & lanes;
			const rip_bytes paper = (view->invert ? ~made[k].high : made[k].low) &
						lanes;

			memcpy(most + at, &ink, sizeof ink);
			if (rows)
				memcpy(least + at, &paper, sizeof paper);
		}
	}
}

/* What says whether a row of a box has ink. */
struct ink_rule {
	struct rip_box there; /* the part of the box that is in the page */
	rip_bytes invert, middle; /* of paper and ink */
	rip_bytes lanes[STRIPS]; /* of the last samples */
};

static struct ink_rule ink_rule_of(const struct rip_view *view, const struct rip_box *box,
				   uint8_t middle)
{
	struct ink_rule rule = { .there = rip_view_inside(view, *box),
				 .invert = rip_all_bytes(view->invert),
				 .middle = rip_all_bytes(middle) };
	const int32_t width = rule.there.right - rule.there.left;
	const int32_t last = (width - 1) / (STRIPS * STRIP) * STRIPS * STRIP;

	for (int32_t k = 0; k < STRIPS; k++)
		rule.lanes[k] = lanes_before(last + k * STRIP, width);
	return rule;
}

static inline rip_bytes ink_at(const struct ink_rule *rule, const uint8_t *row, int32_t strip)
{
	return rip_load(row + strip * STRIP) ^ rule->invert;
}

static inline bool has_ink(const struct rip_view *view, const struct ink_rule *rule, int32_t v)
{
	const uint8_t *row;
	rip_bytes most = rip_all_bytes(0);
	int32_t left = rule->there.right - rule->there.left;

	if (v < rule->there.top || v >= rule->there.bottom)
		return false;
	row = rip_view_at(view, rule->there.left, v);
	for (; left > STRIPS * STRIP; left -= STRIPS * STRIP, row += STRIPS * STRIP)
		for (int32_t k = 0; k < STRIPS; k++)
			most = rip_more_of(most, ink_at(rule, row, k));
	for (int32_t k = 0; k * STRIP < left; k++)
		most = rip_more_of(most, ink_at(rule, row, k) & rule->lanes[k]);
	return rip_has_any((rip_bytes)(most > rule->middle));
}

static void search(struct matrix_search *s, const struct rip_box *box,
		   const struct profile *profile, int32_t first, bool rows);

/* Cuts a box where CUT rows, or columns, are paper, and searches its parts.  Returns whether there
 * was anything to cut. */
static bool cut(struct matrix_search *s, const struct rip_box *box, const struct profile *profile,
		int32_t first, uint8_t middle, bool rows)
{
	const int32_t end = rows ? box->bottom - box->top : box->right - box->left;
	const struct ink_rule rule = ink_rule_of(s->view, box, middle);
	int32_t start = -1, last = -CUT - 1; /* lines with ink */

	for (int32_t at = 0; at < end + CUT; at++) {
		struct rip_box part = *box;

		if (at < end && (rows ? has_ink(s->view, &rule, box->top + at) :
					profile->most[first + at] > middle)) {
			start = start < 0 ? at : start;
			last = at;
		}
		if (start < 0 || at - last < CUT)
			continue;
		if (start == 0 && last + 1 == end)
			return false;
		*(rows ? &part.top : &part.left) += start;
		*(rows ? &part.bottom : &part.right) -= end - last - 1;
		search(s, &part, rows ? NULL : profile, first + start, !rows);
		start = -1;
	}
	return true;
}

/* The least and the most ink of some columns. */
static void find_range(const struct profile *profile, int32_t first, int32_t count, uint8_t *least,
		       uint8_t *most)
{
	rip_bytes high = rip_all_bytes(0), low = ~high;

	for (int32_t i = 0; i < count; i += STRIP) {
		const rip_bytes lanes = lanes_before(i, count);

		high = rip_more_of(high, rip_load(profile->most + first + i) & lanes);
		low = rip_less_of(low, rip_load(profile->least + first + i) | ~lanes);
	}
	for (int32_t k = 0; k < STRIP; k++) {
		*most = high[k] > *most ? high[k] : *most;
		*least = low[k] < *least ? low[k] : *least;
	}
}

/* Cuts a box, and its parts the other way, until nothing is left to cut.  profile: of its columns,
 * from `first` on; NULL if it is not known. */
static void search(struct matrix_search *s, const struct rip_box *box,
		   const struct profile *profile, int32_t first, bool rows)
{
	const int32_t width = box->right - box->left;
	struct profile own;
	uint8_t most = 0, least = 255, middle;

	if (width < SIDE_LEAST || box->bottom - box->top < SIDE_LEAST ||
	    box->left >= s->about->right || box->right <= s->about->left ||
	    box->top >= s->about->bottom || box->bottom <= s->about->top ||
	    !rip_view_spend(s->view, (int64_t)width * (box->bottom - box->top)))
		return;
	if (!profile) {
		find_profile(s->view, box, &own);
		profile = &own;
		first = 0;
	}
	find_range(profile, first, width, &least, &most);
	middle = (uint8_t)((least + most) / 2);
	if (most - least >= RIP_CONTRAST_LEAST && !cut(s, box, profile, first, middle, rows) &&
	    !cut(s, box, profile, first, middle, !rows))
		s->any |= draw_box(s->view, box, s->drawn);
}

bool rip_matrix_draw(const struct rip_view *view, const struct rip_box *about,
		     struct rip_box *drawn)
{
	const struct rip_box box = { about->left - BESIDE, about->top - BESIDE,
				     about->right + BESIDE, about->bottom + BESIDE };
	struct matrix_search s = { .view = view, .about = about, .drawn = drawn };

	search(&s, &box, NULL, 0, false);
	return s.any;
}
