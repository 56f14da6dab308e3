/* Matrix symbols: which symbology's modules are where. */
#include "label_symbols.h"

/* Lengths are in 1/256 of a sample. */
#define ONE 256
#define ANGLES 8        /* to each side, */
#define ANGLE 286       /* of a quarter of a degree: its tangent in 1/65536 */
#define WRONG_MAX 8     /* percent of the modules of a finder, */
#define WRONG_MAX_BLURRED 16 /* and if modules are below two samples */

/* ---- finders ---- */

/* A row of modules, module i at bit i: which are known, and which of these are dark. */
struct finder_row {
	uint64_t known, dark;
};

/* Modules from `first` up to, not including, `end`. */
static uint64_t modules_from(int32_t first, int32_t end)
{
	return first < end ? ((uint64_t)1 << end) - ((uint64_t)1 << first) : 0;
}

#define EVEN 0x5555555555555555u

/* Data Matrix has its solid sides at the left and below. */
static struct finder_row data_matrix_row(int32_t modules, int32_t j)
{
	const int32_t last = modules - 1;
	const uint64_t all = modules_from(0, modules), right = (uint64_t)1 << last;

	if (j == last)
		return (struct finder_row){ all, all };
	if (j == 0)
		return (struct finder_row){ all, all & EVEN };
	return (struct finder_row){ 1 | right, j % 2 ? 1 | right : 1 };
}

/* The same for a column, module j at bit j. */
static struct finder_row data_matrix_column(int32_t modules, int32_t i)
{
	const int32_t last = modules - 1;
	const uint64_t all = modules_from(0, modules), below = (uint64_t)1 << last;

	if (i == 0)
		return (struct finder_row){ all, all };
	if (i == last)
		return (struct finder_row){ all, all & ~EVEN };
	return (struct finder_row){ 1 | below, i % 2 ? below : 1 | below };
}

/* QR has no finder at the lower right.  Its columns are as its rows. */
static struct finder_row qr_row(int32_t modules, int32_t j)
{
	/* the finder at the left, with the light modules beside it, by rows from its middle */
	static const uint64_t lefts[] = { 0x5d, 0x5d, 0x41, 0x7f, 0 };
	static const uint64_t rights[] = { 0xba, 0xba, 0x82, 0xfe, 0 };
	const int32_t y = j < 8 ? j - 3 : modules - 4 - j, far = y < 0 ? -y : y;
	struct finder_row row = { 0, 0 };

	if (far > 4)
		return (struct finder_row){ 1 << 6, j % 2 ? 0 : 1 << 6 };
	row.known = 0xff;
	row.dark = lefts[far];
	if (j < 8) {
		row.known |= modules_from(modules - 8, modules);
		row.dark |= rights[far] << (modules - 8);
	}
	if (j == 6) {
		row.known = modules_from(0, modules);
		row.dark |= modules_from(8, modules - 8) & EVEN;
	}
	return row;
}

static struct finder_row aztec_row(int32_t modules, int32_t j)
{
	static const uint64_t middles[] = { 0x155, 0x145, 0x17d, 0x101, 0x1ff };
	const int32_t y = j - modules / 2, far = y < 0 ? -y : y, left = modules / 2 - 4;

	if (far > 4)
		return (struct finder_row){ 0, 0 };
	return (struct finder_row){ modules_from(left, left + 9), middles[far] << left };
}

static uint64_t reversed(uint64_t bits, int32_t count)
{
	uint64_t back = 0;

	for (; bits; bits &= bits - 1)
		back |= (uint64_t)1 << (count - 1 - __builtin_ctzll(bits));
	return back;
}

/* Row j of a grid's finder, turned as it is. */
static struct finder_row finder_row(const struct rip_lattice *grid, int32_t j)
{
	const int32_t n = grid->modules, at = grid->turn / 2 ? n - 1 - j : j;
	struct finder_row row = grid->kind == RIP_QR ? qr_row(n, at) :
				grid->kind == RIP_AZTEC ? aztec_row(n, at) :
				grid->turn % 2 ? data_matrix_column(n, at) : data_matrix_row(n, at);

	if (grid->turn == 1 || grid->turn == 2) {
		row.known = reversed(row.known, n);
		row.dark = reversed(row.dark, n);
	}
	return row;
}

int32_t rip_lattice_known(const struct rip_lattice *grid, int32_t i, int32_t j)
{
	const struct finder_row row = finder_row(grid, j);

	return row.known >> i & 1 ? (int32_t)(row.dark >> i & 1) : -1;
}

/* ---- modules ---- */

static inline int32_t leaning(int32_t length, int32_t slope)
{
	return slope ? (int32_t)((int64_t)length * slope / 65536) : 0;
}

/* Where the modules' middles are, from the symbol's: along its sides, and what a slope adds. */
struct middles {
	int32_t x[RIP_MODULES_MAX], y[RIP_MODULES_MAX];
	int32_t lean_x[RIP_MODULES_MAX], lean_y[RIP_MODULES_MAX];
};

/* (2 i + 1) size / 2 modules - size / 2, without dividing each. */
static void find_along(int32_t size, int32_t modules, int32_t slope, int32_t at[], int32_t lean[])
{
	const int32_t step = size / modules, more = 2 * (size % modules);
	int32_t whole = size / (2 * modules) - size / 2, rest = size % (2 * modules);

	for (int32_t i = 0; i < modules; i++) {
		at[i] = whole;
		lean[i] = leaning(whole, slope);
		whole += step;
		rest += more;
		if (rest >= 2 * modules) {
			rest -= 2 * modules;
			whole++;
		}
	}
}

static void find_middles(const struct rip_lattice *grid, struct middles *middles)
{
	find_along(grid->width, grid->modules, grid->slope, middles->x, middles->lean_x);
	find_along(grid->height, grid->modules, grid->slope, middles->y, middles->lean_y);
}

int32_t rip_lattice_ink(const struct rip_view *view, const struct rip_lattice *grid, int32_t i,
			int32_t j)
{
	const int32_t n = grid->modules;
	const int32_t x = (2 * i + 1) * grid->width / (2 * n) - grid->width / 2;
	const int32_t y = (2 * j + 1) * grid->height / (2 * n) - grid->height / 2;

	return rip_view_ink(view, (grid->u + x - leaning(y, grid->slope)) >> 8,
			    (grid->v + y + leaning(x, grid->slope)) >> 8);
}

/* ---- the symbology ---- */

/* Not the compiler's, which calls a function. */
static inline int32_t count_bits(uint64_t bits)
{
	bits -= bits >> 1 & 0x5555555555555555u;
	bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
	return (int32_t)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

#define TURNS 4
#define TOO_MANY 1024

/* Counts for each turn of a grid the modules of the finder that are wrong, in 1/1024, until there
 * are too many. */
static void count_wrong(const struct rip_view *view, int32_t middle,
			const struct rip_lattice *grid, int32_t turns, int32_t wrongs[TURNS])
{
	struct rip_lattice turned = *grid;
	int32_t alls[TURNS] = { 0 }, left = turns;
	struct middles at;

	*view->work -= 4 * grid->modules;
	find_middles(grid, &at);
	memset(wrongs, 0, TURNS * sizeof *wrongs);
	for (int32_t j = 0; j < grid->modules && left > 0; j++) {
		const int32_t u = grid->u - at.lean_y[j], v = grid->v + at.y[j];
		uint64_t looked_at = 0, dark = 0;

		for (int32_t k = 0; k < turns; k++) {
			struct finder_row row;

			if (wrongs[k] == TOO_MANY)
				continue;
			turned.turn = turns == 1 ? grid->turn : k;
			row = finder_row(&turned, j);
			for (uint64_t more = row.known & ~looked_at; more; more &= more - 1) {
				const int32_t i = __builtin_ctzll(more);

				if (rip_view_ink(view, (u + at.x[i]) >> 8,
						 (v + at.lean_x[i]) >> 8) > middle)
					dark |= (uint64_t)1 << i;
			}
			looked_at |= row.known;
			alls[k] += count_bits(row.known);
			wrongs[k] += count_bits((dark ^ row.dark) & row.known);
			if (wrongs[k] * 3 > alls[k] + 8) {
				wrongs[k] = TOO_MANY;
				left--;
			}
		}
	}
	for (int32_t k = 0; k < turns; k++)
		if (wrongs[k] != TOO_MANY)
			wrongs[k] = wrongs[k] * 1024 / alls[k];
}

/* Finds the symbology whose finder is there.  changes: about the number of modules. */
static bool find_kind(const struct rip_view *view, int32_t middle, int32_t changes,
		      struct rip_lattice *grid)
{
	const int32_t least = grid->width < grid->height ? grid->width : grid->height;
	const int32_t first = changes * 7 / 10 > 10 ? changes * 7 / 10 : 10;
	const int32_t last = changes * 2 + 4 < RIP_MODULES_MAX ? changes * 2 + 4 : RIP_MODULES_MAX;
	const struct rip_lattice box = *grid;
	struct rip_lattice best = { .wrong = 1024 };

	for (int32_t n = first; n <= last && n * ONE * 7 / 8 <= least && best.wrong > 0; n++) {
		bool near = true;

		if (n % 2 == 0)
			grid->kind = RIP_DATA_MATRIX;
		else if (n % 4 == 1 && n >= 21)
			grid->kind = RIP_QR;
		else if (n % 4 == 3 && n >= 15)
			grid->kind = RIP_AZTEC;
		else
			continue;
		for (int32_t angle = 0; angle <= 4 * ANGLES + 1 && near; angle++) {
			/* 0, then to both sides */
			const int32_t a = angle / 2 % 2 ? (angle + 2) / 4 : -angle / 4;
			const int32_t more = a < 0 ? -a : a;
			const int32_t turns = grid->kind == RIP_AZTEC ? 1 : TURNS;
			/* Ghostscript makes it a sample larger */
			const int32_t larger = angle % 2 ? ONE : 0;
			int32_t wrongs[TURNS];

			near = angle > 1;
			grid->modules = n;
			grid->turn = 0;
			grid->slope = a * ANGLE;
			grid->width = box.width - larger -
				      (int32_t)((int64_t)box.height * more * ANGLE / 65536);
			grid->height = box.height - larger -
				       (int32_t)((int64_t)box.width * more * ANGLE / 65536);
			count_wrong(view, middle, grid, turns, wrongs);
			for (int32_t k = 0; k < turns; k++) {
				near |= wrongs[k] < 1024 * 2 / 5;
				if (wrongs[k] < best.wrong) {
					best = *grid;
					best.turn = k;
					best.wrong = wrongs[k];
				}
			}
		}
	}
	*grid = best;
	return best.wrong < 1024 / 5;
}

/* ---- its place, more exactly ---- */

/* The ink between the four samples around a place, times 65536.  x, y: how far it is from the first
 * one. */
static inline int32_t between(int32_t ink, int32_t right, int32_t below, int32_t both, int32_t x,
			      int32_t y)
{
	const int32_t left_ink = ink * ONE + (below - ink) * y;
	const int32_t right_ink = right * ONE + (both - right) * y;

	return left_ink * ONE + (right_ink - left_ink) * x;
}

/* The same at the middles of a row of modules. */
static void find_row_inks(const struct rip_view *view, const struct rip_lattice *grid,
			  const struct middles *at, int32_t j, int32_t inks[])
{
	const int32_t last = grid->modules - 1, sign = view->invert ? -1 : 1;
	const int32_t from = grid->u - at->lean_y[j] - ONE / 2;
	const int32_t level = grid->v + at->y[j] - ONE / 2;
	const int32_t from_v = level + at->lean_x[0], to_v = level + at->lean_x[last];
	const int32_t low = from_v < to_v ? from_v : to_v, high = from_v < to_v ? to_v : from_v;

	if (rip_view_has(view, (from + at->x[0]) >> 8, low >> 8) &&
	    rip_view_has(view, ((from + at->x[last]) >> 8) + 1, (high >> 8) + 1)) {
		for (int32_t i = 0; i <= last; i++) {
			const int32_t at_u = from + at->x[i], at_v = level + at->lean_x[i];
			const uint8_t *row = rip_view_row(view, at_v >> 8) + (at_u >> 8);
			const uint8_t *below = rip_view_row(view, (at_v >> 8) + 1) + (at_u >> 8);

			inks[i] = view->invert * ONE * ONE +
				  sign * between(row[0], row[1], below[0], below[1], at_u & 255,
						 at_v & 255);
		}
		return;
	}
	for (int32_t i = 0; i <= last; i++) {
		const int32_t at_u = from + at->x[i], at_v = level + at->lean_x[i];
		const int32_t u = at_u >> 8, v = at_v >> 8;

		inks[i] = between(rip_view_ink(view, u, v), rip_view_ink(view, u + 1, v),
				  rip_view_ink(view, u, v + 1), rip_view_ink(view, u + 1, v + 1),
				  at_u & 255, at_v & 255);
	}
}

/* How a module's distance from grey counts: 3 if it must be dark, -3 if light, or else without its
 * sign; and the most that the rows below can add. */
struct weights {
	int8_t  known[RIP_MODULES_MAX][RIP_MODULES_MAX], other[RIP_MODULES_MAX][RIP_MODULES_MAX];
	int32_t below[RIP_MODULES_MAX];
};

static void find_weights(const struct rip_lattice *grid, int32_t middle, struct weights *weights)
{
	const int32_t n = grid->modules, most = middle > 255 - middle ? middle : 255 - middle;
	int32_t below = 0;

	for (int32_t j = n - 1; j >= 0; j--) {
		const struct finder_row row = finder_row(grid, j);

		weights->below[j] = below;
		for (int32_t i = 0; i < n; i++) {
			const bool known = row.known >> i & 1, dark = row.dark >> i & 1;

			weights->known[j][i] = (int8_t)(!known ? 0 : dark ? 3 : -3);
			weights->other[j][i] = !known;
			below += !known ? most : 3 * (dark ? 255 - middle : middle);
		}
	}
}

/* How well a grid fits: how far its modules' middles are from grey, and its finder's on the right
 * side of it.  If that is not more than `enough`: this or less. */
static int32_t fitness(const struct rip_view *view, int32_t middle, const struct rip_lattice *grid,
		       const struct weights *weights, int32_t enough)
{
	int32_t inks[RIP_MODULES_MAX], sum = 0;
	struct middles at;

	*view->work -= grid->modules * grid->modules;
	find_middles(grid, &at);
	for (int32_t j = 0; j < grid->modules; j++) {
		find_row_inks(view, grid, &at, j, inks);
		for (int32_t i = 0; i < grid->modules; i++) {
			const int32_t off = inks[i] / (ONE * ONE) - middle;

			sum += off * weights->known[j][i] +
			       (off < 0 ? -off : off) * weights->other[j][i];
		}
		if (sum + weights->below[j] <= enough)
			break;
	}
	return sum;
}

/* Moves the grid to where it fits best. */
static void refine(const struct rip_view *view, int32_t middle, struct rip_lattice *grid)
{
	struct weights weights;
	int32_t best;

	find_weights(grid, middle, &weights);
	best = fitness(view, middle, grid, &weights, INT32_MIN);
	for (int32_t step = ONE / 2; step >= ONE / 8; step /= 2) {
		int32_t back = -1; /* to where it was before */

		for (int32_t tries = 0, better = 1; better && tries < 8; tries++) {
			better = 0;
			for (int32_t k = 0; k < 10; k++) {
				const int32_t by = k % 2 ? step : -step;
				struct rip_lattice moved = *grid;
				int32_t fits;

				if (k == back)
					continue;
				*(k / 2 == 0 ? &moved.u : k / 2 == 1 ? &moved.v :
				  k / 2 == 2 ? &moved.width : k / 2 == 3 ? &moved.height :
				  &moved.slope) += k / 2 == 4 ? by * ANGLE / ONE : by;
				fits = fitness(view, middle, &moved, &weights, best);
				if (fits > best) {
					best = fits;
					*grid = moved;
					better = 1;
					back = k ^ 1;
				}
			}
		}
	}
}

bool rip_lattice_find(const struct rip_view *view, int32_t middle, int32_t changes,
		      struct rip_lattice *grid)
{
	struct rip_lattice refined;
	int32_t wrongs[TURNS], most;

	if (!find_kind(view, middle, changes, grid))
		return false;
	refined = *grid;
	refine(view, middle, &refined);
	count_wrong(view, middle, &refined, 1, wrongs);
	refined.wrong = wrongs[0];
	if (refined.wrong <= grid->wrong)
		*grid = refined;
	most = grid->width < 2 * ONE * grid->modules ? WRONG_MAX_BLURRED : WRONG_MAX;
	return grid->wrong * 100 <= most * 1024;
}
