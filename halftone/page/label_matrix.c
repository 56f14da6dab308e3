/* Matrix symbols: QR, Data Matrix and Aztec. */
#include "label_symbols.h"

/* Lengths are in 1/256 of a sample. */
#define ONE 256
#define SIDE_LEAST 10   /* samples */
#define CUT 4            /* rows or columns of paper that are no module */
#define BESIDE 16       /* samples of a symbol beside the cells that have its edges */
#define MODULES_MAX 61
#define ANGLES 8        /* to each side, */
#define ANGLE 286       /* of a quarter of a degree: its tangent in 1/65536 */
#define CHANGES_LEAST 6 /* between paper and ink in two lines of a symbol */
#define WRONG_MAX 8     /* percent of the modules of a finder, */
#define WRONG_MAX_BLURRED 16 /* and if modules are below two samples */

enum symbology {
	QR, DATA_MATRIX, AZTEC
};

/* Where a symbol's modules are. */
struct lattice {
	enum symbology kind;
	int32_t modules;      /* of a side */
	int32_t turn;         /* by so many right angles */
	int32_t u, v;         /* the middle */
	int32_t width, height; /* of the symbol */
	int32_t slope;        /* in 1/65536 */
	int32_t wrong;        /* of the modules that are known, in 1/1024 */
};

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
	int32_t counts[256] = { 0 };

	counts[0] = all - (there.right - there.left) * (there.bottom - there.top);
	for (int32_t v = there.top; v < there.bottom; v++) {
		const uint8_t *row = rip_view_at(view, 0, v);

		for (int32_t u = there.left; u < there.right; u++)
			counts[row[u] ^ view->invert]++;
	}
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
		  const struct rip_box *box, struct lattice *grid)
{
	place_side(view, levels, box, false, &grid->u, &grid->width);
	place_side(view, levels, box, true, &grid->v, &grid->height);
}

/* ---- modules ---- */

/* A module's middle. */
static void middle_of(const struct lattice *grid, int32_t i, int32_t j, int32_t *u, int32_t *v)
{
	const int32_t x = (2 * i + 1) * grid->width / (2 * grid->modules) - grid->width / 2;
	const int32_t y = (2 * j + 1) * grid->height / (2 * grid->modules) - grid->height / 2;

	*u = grid->u + x - (int32_t)((int64_t)y * grid->slope / 65536);
	*v = grid->v + y + (int32_t)((int64_t)x * grid->slope / 65536);
}

/* The ink there. */
static int32_t ink_of(const struct rip_view *view, const struct lattice *grid, int32_t i, int32_t j)
{
	int32_t u, v;

	middle_of(grid, i, j, &u, &v);
	return rip_view_ink(view, u >> 8, v >> 8);
}

/* The same, between the samples around it. */
static int32_t smooth_ink_of(const struct rip_view *view, const struct lattice *grid, int32_t i,
			     int32_t j)
{
	int32_t u, v, x, y;

	middle_of(grid, i, j, &u, &v);
	u -= ONE / 2;
	v -= ONE / 2;
	x = u & 255;
	y = v & 255;
	return ((rip_view_ink(view, u >> 8, v >> 8) * (ONE - x) +
		 rip_view_ink(view, (u >> 8) + 1, v >> 8) * x) * (ONE - y) +
		(rip_view_ink(view, u >> 8, (v >> 8) + 1) * (ONE - x) +
		 rip_view_ink(view, (u >> 8) + 1, (v >> 8) + 1) * x) * y) / (ONE * ONE);
}

/* In which ring of modules around the middle of a finder this one is: 0 is the middle. */
static int32_t ring(int32_t x, int32_t y)
{
	x = x < 0 ? -x : x;
	y = y < 0 ? -y : y;
	return x > y ? x : y;
}

/* What module (i, j) of a finder is: dark 1, light 0, or not known: -1.  Not turned: QR has no
 * finder at the lower right, Data Matrix has its solid sides at the left and below. */
static int32_t finder(enum symbology kind, int32_t modules, int32_t i, int32_t j)
{
	const int32_t last = modules - 1;

	if (kind == DATA_MATRIX) {
		if (i == 0 || j == last)
			return 1;
		if (j == 0)
			return i % 2 == 0;
		return i == last ? j % 2 == 1 : -1;
	}
	if (kind == QR) {
		const int32_t far = ring(i < 8 ? i - 3 : last - 3 - i,
					 j < 8 ? j - 3 : last - 3 - j);

		if (far <= 4 && (i < 8 || j < 8))
			return far != 2 && far != 4;
		if (i == 6 || j == 6)
			return (i + j) % 2 == 0;
		return -1;
	}
	{
		const int32_t far = ring(i - modules / 2, j - modules / 2);

		return far <= 4 ? far % 2 == 0 : -1;
	}
}

/* The same for a grid's, turned as it is. */
static int32_t known(const struct lattice *grid, int32_t i, int32_t j)
{
	const int32_t last = grid->modules - 1;
	const int32_t a = grid->turn % 2 ? j : i, b = grid->turn % 2 ? last - i : j;

	return finder(grid->kind, grid->modules, grid->turn / 2 ? last - a : a,
		      grid->turn / 2 ? last - b : b);
}

/* Counts the modules of the finder that are wrong, in 1/1024, until there are too many. */
static int32_t count_wrong(const struct rip_view *view, const struct shades *levels,
			   const struct lattice *grid)
{
	const int32_t last = grid->modules - 1;
	int32_t all = 0, wrong = 0;

	for (int32_t j = 0; j <= last; j++) {
		for (int32_t i = 0; i <= last; i++) {
			const int32_t should = known(grid, i, j);

			if (should < 0)
				continue;
			all++;
			wrong += (ink_of(view, grid, i, j) > levels->middle) != should;
		}
		if (wrong * 3 > all + 8)
			return 1024;
	}
	return wrong * 1024 / all;
}

/* Finds the symbology whose finder is there.  changes: about the number of modules. */
static bool find_grid(const struct rip_view *view, const struct shades *levels, int32_t changes,
		      struct lattice *grid)
{
	const int32_t least = grid->width < grid->height ? grid->width : grid->height;
	const int32_t first = changes * 7 / 10 > 10 ? changes * 7 / 10 : 10;
	const int32_t last = changes * 2 + 4 < MODULES_MAX ? changes * 2 + 4 : MODULES_MAX;
	const struct lattice box = *grid;
	struct lattice best = { .wrong = 1024 };

	for (int32_t n = first; n <= last && n * ONE * 7 / 8 <= least; n++) {
		bool near = true;

		for (int32_t angle = 0; angle <= 4 * ANGLES + 1 && near; angle++) {
			/* 0, then to both sides */
			const int32_t a = angle / 2 % 2 ? (angle + 2) / 4 : -angle / 4;
			const int32_t more = a < 0 ? -a : a;

			near = angle > 1;
			*grid = box;
			if (angle % 2) { /* Ghostscript makes it a sample larger */
				grid->width -= ONE;
				grid->height -= ONE;
			}
			grid->modules = n;
			grid->slope = a * ANGLE;
			grid->width -= (int32_t)((int64_t)box.height * more * ANGLE / 65536);
			grid->height -= (int32_t)((int64_t)box.width * more * ANGLE / 65536);
			for (int32_t k = 0; k < 9; k++) {
				const bool fits = k < 4 ? n >= 21 && n % 4 == 1 :
						  k < 8 ? n % 2 == 0 : n >= 15 && n % 4 == 3;

				if (!fits)
					continue;
				grid->kind = k < 4 ? QR : k < 8 ? DATA_MATRIX : AZTEC;
				grid->turn = k % 4;
				grid->wrong = count_wrong(view, levels, grid);
				near |= grid->wrong < 1024 * 2 / 5;
				if (grid->wrong < best.wrong)
					best = *grid;
			}
		}
	}
	*grid = best;
	return best.wrong < 1024 / 5;
}

/* ---- its place, more exactly ---- */

/* How well a grid fits: how far its modules' middles are from grey, and its finder's on the right
 * side of it. */
static int64_t fitness(const struct rip_view *view, const struct shades *levels,
		       const struct lattice *grid)
{
	const int32_t last = grid->modules - 1;
	int64_t sum = 0;

	for (int32_t j = 0; j <= last; j++)
		for (int32_t i = 0; i <= last; i++) {
			const int32_t off = smooth_ink_of(view, grid, i, j) - levels->middle;
			const int32_t should = known(grid, i, j);

			sum += should < 0 ? (off < 0 ? -off : off) : 3 * (should ? off : -off);
		}
	return sum;
}

/* Moves the grid to where it fits best. */
static void refine(const struct rip_view *view, const struct shades *levels, struct lattice *grid)
{
	int64_t best = fitness(view, levels, grid);

	for (int32_t step = ONE / 2; step >= ONE / 8; step /= 2)
		for (int32_t tries = 0, better = 1; better && tries < 8; tries++) {
			better = 0;
			for (int32_t k = 0; k < 10; k++) {
				const int32_t by = k % 2 ? step : -step;
				struct lattice moved = *grid;
				int64_t fits;

				*(k / 2 == 0 ? &moved.u : k / 2 == 1 ? &moved.v :
				  k / 2 == 2 ? &moved.width : k / 2 == 3 ? &moved.height :
				  &moved.slope) += k / 2 == 4 ? by * ANGLE / ONE : by;
				fits = fitness(view, levels, &moved);
				if (fits > best) {
					best = fits;
					*grid = moved;
					better = 1;
				}
			}
		}
}

/* ---- drawing ---- */

/* Where the symbol is in samples, with a margin. */
static struct rip_box box_of(const struct lattice *grid, int32_t margin_u, int32_t margin_v)
{
	const int32_t u = grid->width / 2 + margin_u, v = grid->height / 2 + margin_v;

	return (struct rip_box){ (grid->u - u) / ONE - 2, (grid->v - v) / ONE - 2,
				 (grid->u + u) / ONE + 3, (grid->v + v) / ONE + 3 };
}

#define PARTS 4  /* of a sample's side */
#define PART (ONE / PARTS)
#define PASSES 4

/* The module below a place, i + modules j, or -1. */
static int32_t module_at(const struct lattice *grid, int32_t u, int32_t v)
{
	const int32_t du = u - grid->u, dv = v - grid->v;
	const int32_t x = du + (int32_t)((int64_t)dv * grid->slope / 65536) + grid->width / 2;
	const int32_t y = dv - (int32_t)((int64_t)du * grid->slope / 65536) + grid->height / 2;

	if (x < 0 || x >= grid->width || y < 0 || y >= grid->height)
		return -1;
	return y * grid->modules / grid->height * grid->modules +
	       x * grid->modules / grid->width;
}

/* The modules' ink: as it must be for samples that have the mean of the modules below them to be
 * what they are.  Each pass gives a module the part of what is missing in its samples. */
static void read_modules(const struct rip_view *view, const struct shades *levels,
			 const struct lattice *grid, int32_t inks[MODULES_MAX * MODULES_MAX])
{
	const struct rip_box box = box_of(grid, 0, 0);
	int32_t missing[MODULES_MAX * MODULES_MAX], weight[MODULES_MAX * MODULES_MAX];
	const int32_t all = grid->modules * grid->modules;

	for (int32_t j = 0; j < grid->modules; j++)
		for (int32_t i = 0; i < grid->modules; i++)
			inks[j * grid->modules + i] = ink_of(view, grid, i, j) * 16;
	/* From two samples on, the one in the middle is the module's alone. */
	for (int32_t pass = 0; pass < PASSES && grid->width < 2 * ONE * grid->modules; pass++) {
		memset(missing, 0, sizeof missing);
		memset(weight, 0, sizeof weight);
		for (int32_t v = box.top; v < box.bottom; v++)
			for (int32_t u = box.left; u < box.right; u++) {
				int32_t below[PARTS * PARTS], sum = 0, apart;

				for (int32_t k = 0; k < PARTS * PARTS; k++) {
					below[k] = module_at(grid,
						u * ONE + (2 * (k % PARTS) + 1) * PART / 2,
						v * ONE + (2 * (k / PARTS) + 1) * PART / 2);
					sum += below[k] < 0 ? levels->paper * 16 : inks[below[k]];
				}
				apart = rip_view_ink(view, u, v) * 16 - sum / (PARTS * PARTS);
				for (int32_t k = 0; k < PARTS * PARTS; k++)
					if (below[k] >= 0) {
						missing[below[k]] += apart;
						weight[below[k]]++;
					}
			}
		for (int32_t k = 0; k < all; k++)
			inks[k] += weight[k] ? missing[k] / weight[k] : 0;
	}
}

/* What is between paper and ink among the modules' ink.  Where a renderer has painted each sample
 * that a module touches, dark modules are all ink and light ones are not all paper: the finder's
 * say how much. */
static int32_t threshold_of(const struct lattice *grid, const struct shades *levels,
			    const int32_t inks[MODULES_MAX * MODULES_MAX])
{
	int32_t sums[2] = { 0 }, counts[2] = { 0 };

	for (int32_t j = 0; j < grid->modules; j++)
		for (int32_t i = 0; i < grid->modules; i++) {
			const int32_t should = known(grid, i, j);

			if (should >= 0) {
				sums[should] += inks[j * grid->modules + i];
				counts[should]++;
			}
		}
	if (sums[1] / counts[1] < levels->ink * 63 / 4)
		return levels->middle * 16;
	return (sums[0] / counts[0] + sums[1] / counts[1]) / 2;
}

/* Whether there is only paper beside a symbol, out to a larger box. */
static bool is_free(const struct rip_view *view, const struct shades *levels,
		    const struct lattice *grid, const struct rip_box *larger)
{
	struct lattice near = *grid;

	near.width += 3 * ONE;
	near.height += 3 * ONE;
	for (int32_t v = larger->top; v < larger->bottom; v++)
		for (int32_t u = larger->left; u < larger->right; u++)
			if (module_at(&near, u * ONE + ONE / 2, v * ONE + ONE / 2) < 0 &&
			    (!rip_view_has(view, u, v) ||
			     rip_view_ink(view, u, v) > levels->middle))
				return false;
	return true;
}

/* The box of the symbol with modules of so many samples. */
static struct rip_box box_with(const struct lattice *grid, int32_t side)
{
	const int32_t all = side * grid->modules;
	const int32_t left = (2 * grid->u - all * ONE + ONE) >> 9;
	const int32_t top = (2 * grid->v - all * ONE + ONE) >> 9;

	return (struct rip_box){ left, top, left + all, top + all };
}

/* Draws the symbol with modules of whole samples, the nearest number that there is paper for, and
 * not leaning.  Reads the modules before it changes samples. */
static void draw(const struct rip_view *view, const struct shades *levels,
		 const struct lattice *grid, struct rip_box *drawn)
{
	const int32_t n = grid->modules, quiet = grid->kind == QR ? 4 : 2;
	const int32_t margin_u = quiet * grid->width / n, margin_v = quiet * grid->height / n;
	const struct rip_box around = box_of(grid, margin_u, margin_v);
	struct lattice near = *grid, zone = *grid; /* beside it, and the quiet zone */
	int32_t inks[MODULES_MAX * MODULES_MAX];
	int32_t side = (grid->width + grid->height + n * ONE) / (2 * n * ONE);
	struct rip_box box, larger;
	int32_t threshold;

	near.width += 2 * ONE;
	near.height += 2 * ONE;
	zone.width += 2 * margin_u;
	zone.height += 2 * margin_v;
	side = side > 0 ? side : 1;
	box = box_with(grid, side);
	larger = (struct rip_box){ box.left - side, box.top - side, box.right + side,
				   box.bottom + side };
	if (side > 1 && side * n * ONE > grid->width + ONE &&
	    !is_free(view, levels, grid, &larger))
		box = box_with(grid, --side);
	read_modules(view, levels, grid, inks);
	threshold = threshold_of(grid, levels, inks);
	for (int32_t v = around.top; v < around.bottom; v++)
		for (int32_t u = around.left; u < around.right; u++) {
			const int32_t at_u = u * ONE + ONE / 2, at_v = v * ONE + ONE / 2;

			if (module_at(&near, at_u, at_v) >= 0 ||
			    (module_at(&zone, at_u, at_v) >= 0 &&
			     rip_view_ink(view, u, v) <= levels->middle))
				rip_view_put(view, u, v, false);
		}
	for (int32_t v = box.top; v < box.bottom; v++)
		for (int32_t u = box.left; u < box.right; u++)
			rip_view_put(view, u, v, inks[(v - box.top) / side * n +
						      (u - box.left) / side] > threshold);
	*drawn = around;
}

/* ---- among other things ---- */

/* Counts the changes between paper and ink, times 2 for each line across a box: a symbol has about
 * as many as modules.  0: too few in one direction.  So letters are left at once. */
static int32_t count_changes(const struct rip_view *view, const struct shades *levels,
			     const struct rip_box *box)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	int32_t across = 0, down = 0;

	for (int32_t v = box->top + 1; v < box->bottom; v++) {
		const uint8_t *row = rip_view_at(view, box->left, v);
		const uint8_t *above = rip_view_at(view, box->left, v - 1);

		for (int32_t i = 1; i < width; i++) {
			const bool ink = (row[i] ^ view->invert) > levels->middle;

			across += ink != ((row[i - 1] ^ view->invert) > levels->middle);
			down += ink != ((above[i] ^ view->invert) > levels->middle);
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
	struct lattice grid = { .modules = 0 }, refined;
	int32_t changes, most;

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
	    !find_grid(view, &levels, changes, &grid))
		return false;
	refined = grid;
	refine(view, &levels, &refined);
	refined.wrong = count_wrong(view, &levels, &refined);
	if (refined.wrong <= grid.wrong)
		grid = refined;
	most = grid.width < 2 * ONE * grid.modules ? WRONG_MAX_BLURRED : WRONG_MAX;
	if (grid.wrong * 100 > most * 1024)
		return false;
	draw(view, &levels, &grid, drawn);
	return true;
}

#define STRIP (int32_t)sizeof(rip_bytes) /* columns that are looked at together */
#define BOX_MAX (RIP_MATRIX_MAX + 2 * BESIDE)

/* The part of a box that is in the page. */
struct strips {
	struct rip_box box;
	int32_t width;
	rip_bytes invert;
	rip_bytes lanes; /* of a strip that begins before the box, if that is narrow */
};

static struct strips strips_of(const struct rip_view *view, const struct rip_box *box)
{
	struct strips s = { .box = rip_view_inside(view, *box),
			    .invert = rip_all_bytes(view->invert), .lanes = rip_all_bytes(255) };

	s.width = s.box.right < STRIP ? 0 : s.box.right - s.box.left;
	for (int32_t i = 0; i < STRIP - s.width; i++)
		s.lanes[i] = 0;
	return s;
}

/* Where a strip begins in the box: the last one overlaps the one before it. */
static inline int32_t strip_at(const struct strips *s, int32_t i)
{
	return i + STRIP <= s->width ? i : s->width - STRIP;
}

static inline rip_bytes strip_ink(const struct strips *s, const uint8_t *row, int32_t at)
{
	return (rip_load(row + at) ^ s->invert) & s->lanes;
}

static inline rip_bytes more_of(rip_bytes a, rip_bytes b)
{
	const rip_bytes less = (rip_bytes)(a <= b);

	return (b & less) | (a & ~less);
}

static inline uint8_t most_of(rip_bytes v)
{
	uint8_t bytes[STRIP], most = 0;

	memcpy(bytes, &v, sizeof bytes);
	for (int32_t i = 0; i < STRIP; i++)
		most = bytes[i] > most ? bytes[i] : most;
	return most;
}

/* The most ink in each column of a box, and what is between paper and ink. */
struct profile {
	uint8_t before[STRIP], columns[BOX_MAX];
	uint8_t middle;
};

/* Whether paper and ink differ. */
static bool find_profile(const struct rip_view *view, const struct rip_box *box,
			 struct profile *profile)
{
	const struct strips s = strips_of(view, box);
	uint8_t *columns = profile->columns + s.box.left - box->left, least;
	rip_bytes light = rip_all_bytes(memcmp(&s.box, box, sizeof *box) == 0 ? 0 : 255);
	rip_bytes most = rip_all_bytes(0);

	memset(profile, 0, sizeof *profile);
	for (int32_t v = s.box.top; v < s.box.bottom; v++) {
		const uint8_t *row = rip_view_at(view, s.box.left, v);

		for (int32_t i = 0; i < s.width; i += STRIP) {
			const int32_t at = strip_at(&s, i);
			const rip_bytes ink = strip_ink(&s, row, at);
			const rip_bytes column = more_of(rip_load(columns + at), ink);

			memcpy(columns + at, &column, sizeof column);
			light = more_of(light, ~ink & s.lanes);
		}
	}
	for (int32_t i = 0; i < s.width; i += STRIP)
		most = more_of(most, rip_load(columns + strip_at(&s, i)));
	least = 255 - most_of(light);
	profile->middle = (uint8_t)((least + most_of(most)) / 2);
	return most_of(most) - least >= RIP_CONTRAST_LEAST;
}

/* Whether a row has ink. */
static inline bool has_ink(const struct rip_view *view, const struct strips *s, int32_t v,
			   uint8_t middle)
{
	rip_bytes any = rip_all_bytes(0);

	if (v < s->box.top || v >= s->box.bottom)
		return false;
	for (int32_t i = 0; i < s->width; i += STRIP)
		any |= (rip_bytes)(strip_ink(s, rip_view_at(view, s->box.left, v), strip_at(s, i)) >
				   rip_all_bytes(middle));
	return rip_has_any(any);
}

/* A search for a symbol that has some of the samples of a box. */
struct matrix_search {
	const struct rip_view *view;
	const struct rip_box *about;
	struct rip_box *drawn; /* the symbol, if there was one */
	bool any;
};

static void search(struct matrix_search *s, const struct rip_box *box, bool rows);

/* Cuts a box where CUT rows, or columns, are paper, and searches its parts.  Returns whether there
 * was anything to cut. */
static bool cut(struct matrix_search *s, const struct rip_box *box, const struct profile *profile,
		bool rows)
{
	const int32_t end = rows ? box->bottom - box->top : box->right - box->left;
	const struct strips strips = strips_of(s->view, box);
	int32_t start = -1, last = -CUT - 1; /* lines with ink */

	for (int32_t at = 0; at < end + CUT; at++) {
		struct rip_box part = *box;

		if (at < end && (rows ? has_ink(s->view, &strips, box->top + at, profile->middle) :
					profile->columns[at] > profile->middle)) {
			start = start < 0 ? at : start;
			last = at;
		}
		if (start < 0 || at - last < CUT)
			continue;
		if (start == 0 && last + 1 == end)
			return false;
		*(rows ? &part.top : &part.left) += start;
		*(rows ? &part.bottom : &part.right) -= end - last - 1;
		search(s, &part, !rows);
		start = -1;
	}
	return true;
}

/* Cuts a box, and its parts the other way, until nothing is left to cut. */
static void search(struct matrix_search *s, const struct rip_box *box, bool rows)
{
	struct profile profile;

	if (box->right - box->left < SIDE_LEAST || box->bottom - box->top < SIDE_LEAST ||
	    box->left >= s->about->right || box->right <= s->about->left ||
	    box->top >= s->about->bottom || box->bottom <= s->about->top)
		return;
	if (find_profile(s->view, box, &profile) &&
	    !cut(s, box, &profile, rows) && !cut(s, box, &profile, !rows))
		s->any |= draw_box(s->view, box, s->drawn);
}

bool rip_matrix_draw(const struct rip_view *view, const struct rip_box *about,
		     struct rip_box *drawn)
{
	const struct rip_box box = { about->left - BESIDE, about->top - BESIDE,
				     about->right + BESIDE, about->bottom + BESIDE };
	struct matrix_search s = { .view = view, .about = about, .drawn = drawn };

	search(&s, &box, false);
	return s.any;
}
