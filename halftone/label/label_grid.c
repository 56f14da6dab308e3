/* Matrix symbols: which symbology's modules are where. */
#include "label_symbols.h"

/* Lengths are in 1/256 of a sample. */
#define ONE 256
#define ANGLES 8        /* to each side, */
#define ANGLE 286       /* of a quarter of a degree: its tangent in 1/65536 */
#define WRONG_MAX 8     /* percent of the modules of a finder, */
#define WRONG_MAX_BLURRED 16 /* and if modules are below two samples */

/* ---- finders ---- */

/* Modules from `first` up to, not including, `end`. */
static uint64_t modules_from(int32_t first, int32_t end)
{
	return first < end ? ((uint64_t)1 << end) - ((uint64_t)1 << first) : 0;
}

#define EVEN 0x5555555555555555u

/* Data Matrix has its solid sides at the left and below. */
static struct rip_finder_row data_matrix_row(int32_t modules, int32_t j)
{
	const int32_t last = modules - 1;
	const uint64_t all = modules_from(0, modules), right = (uint64_t)1 << last;

	if (j == last)
		return (struct rip_finder_row){ all, all };
	if (j == 0)
		return (struct rip_finder_row){ all, all & EVEN };
	return (struct rip_finder_row){ 1 | right, j % 2 ? 1 | right : 1 };
}

/* The same for a column, module j at bit j. */
static struct rip_finder_row data_matrix_column(int32_t modules, int32_t i)
{
	const int32_t last = modules - 1;
	const uint64_t all = modules_from(0, modules), below = (uint64_t)1 << last;

	if (i == 0)
		return (struct rip_finder_row){ all, all };
	if (i == last)
		return (struct rip_finder_row){ all, all & ~EVEN };
	return (struct rip_finder_row){ 1 | below, i % 2 ? below : 1 | below };
}

/* QR has no finder at the lower right.  Its columns are as its rows. */
static struct rip_finder_row qr_row(int32_t modules, int32_t j)
{
	/* the finder at the left, with the light modules beside it, by rows from its middle */
	static const uint64_t lefts[] = { 0x5d, 0x5d, 0x41, 0x7f, 0 };
	static const uint64_t rights[] = { 0xba, 0xba, 0x82, 0xfe, 0 };
	const int32_t y = j < 8 ? j - 3 : modules - 4 - j, far = y < 0 ? -y : y;
	struct rip_finder_row row = { 0, 0 };

	if (far > 4)
		return (struct rip_finder_row){ 1 << 6, j % 2 ? 0 : 1 << 6 };
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

static struct rip_finder_row aztec_row(int32_t modules, int32_t j)
{
	static const uint64_t middles[] = { 0x155, 0x145, 0x17d, 0x101, 0x1ff };
	const int32_t y = j - modules / 2, far = y < 0 ? -y : y, left = modules / 2 - 4;

	if (far > 4)
		return (struct rip_finder_row){ 0, 0 };
	return (struct rip_finder_row){ modules_from(left, left + 9), middles[far] << left };
}

static uint64_t reversed(uint64_t bits, int32_t count)
{
	bits = (bits >> 1 & EVEN) | (bits & EVEN) << 1;
	bits = (bits >> 2 & 0x3333333333333333u) | (bits & 0x3333333333333333u) << 2;
	bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fu) | (bits & 0x0f0f0f0f0f0f0f0fu) << 4;
	return __builtin_bswap64(bits) >> (64 - count);
}

struct rip_finder_row rip_finder_row(const struct rip_lattice *grid, int32_t j)
{
	const int32_t n = grid->modules, at = grid->turn / 2 ? n - 1 - j : j;
	struct rip_finder_row row = grid->kind == RIP_QR ? qr_row(n, at) :
				grid->kind == RIP_AZTEC ? aztec_row(n, at) :
				grid->turn % 2 ? data_matrix_column(n, at) : data_matrix_row(n, at);

	if (grid->turn == 1 || grid->turn == 2) {
		row.known = reversed(row.known, n);
		row.dark = reversed(row.dark, n);
	}
	return row;
}

/* ---- modules ---- */

typedef uint16_t words __attribute__((vector_size(sizeof(rip_bytes))));
typedef int16_t shorts __attribute__((vector_size(sizeof(rip_bytes))));
typedef int32_t ints __attribute__((vector_size(sizeof(rip_bytes))));

static inline int32_t leaning(int32_t length, int32_t slope)
{
	return slope ? (int32_t)((int64_t)length * slope / 65536) : 0;
}

#define LANES ((int32_t)(sizeof(words) / 2))
#define MODULE_LANES ((RIP_MODULES_MAX + LANES - 1) / LANES * LANES)

/* Where the modules' middles are, from the symbol's: along its sides, and what a slope adds.  Zeros
 * fill the last lanes. */
struct middles {
	int32_t x[MODULE_LANES], y[MODULE_LANES];
	int32_t lean_x[MODULE_LANES], lean_y[MODULE_LANES];
};

/* size / (2 modules), in 1/2^32 and hardly more: so that middle_of() is exact. */
static uint64_t half_module(int32_t size, int32_t modules)
{
	return ((uint64_t)size << 32) / (uint64_t)(2 * modules) + 1;
}

/* (2 i + 1) size / (2 modules) - size / 2 */
static inline int32_t middle_of(uint64_t half, int32_t size, int32_t i)
{
	return (int32_t)(half * (uint64_t)(2 * i + 1) >> 32) - size / 2;
}

static void find_along(int32_t size, int32_t modules, int32_t slope, int32_t at[], int32_t lean[])
{
	const uint64_t half = half_module(size, modules);

	for (int32_t i = 0; i < modules; i++) {
		at[i] = middle_of(half, size, i);
		lean[i] = leaning(at[i], slope);
	}
	for (int32_t i = modules; i % LANES; i++)
		at[i] = lean[i] = 0;
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

/* ---- the samples around it ---- */

#define NEARBY_EDGE 24 /* that a grid which is moved may need beside it: at most 7 for its middle,
			* 4 for its size, 8 because it leans, and the next sample */
#define NEARBY_MAX (RIP_MATRIX_MAX + 2 + 2 * NEARBY_EDGE) /* samples of a side */

/* The samples around a symbol, as ink: for many grids that differ but little. */
struct nearby {
	int32_t left, top; /* of the page */
	int32_t pitch;
	uint8_t inks[NEARBY_MAX * NEARBY_MAX];
};

/* Copies the samples around a grid. */
static void find_nearby(const struct rip_view *view, const struct rip_lattice *grid,
			struct nearby *nearby)
{
	const int32_t width = grid->width / ONE + 2 * NEARBY_EDGE;
	const int32_t height = grid->height / ONE + 2 * NEARBY_EDGE;
	const int32_t left = (grid->u - grid->width / 2) / ONE - NEARBY_EDGE;
	const int32_t top = (grid->v - grid->height / 2) / ONE - NEARBY_EDGE;
	const struct rip_box box = { left, top, left + width, top + height };
	const struct rip_box there = rip_view_inside(view, box);

	nearby->left = left;
	nearby->top = top;
	nearby->pitch = width;
	memset(nearby->inks, 0, (size_t)height * (size_t)width);
	for (int32_t v = there.top; v < there.bottom; v++) {
		const uint8_t *row = rip_view_row(view, v) + there.left;
		uint8_t *to = nearby->inks + (v - top) * width + there.left - left;

		for (int32_t i = 0; i < there.right - there.left; i++)
			to[i] = row[i] ^ view->invert;
	}
}

/* The ink at a place in the copy. */
static inline const uint8_t *nearby_at(const struct nearby *nearby, int32_t u, int32_t v)
{
	return nearby->inks + (v >> 8) * nearby->pitch + (u >> 8);
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
#define NEAR (1024 * 2 / 5) /* modules that are wrong of a grid that may only lean */

/* Comparisons of a symbol's modules with the finder of grids with one number of modules. */
struct comparison {
	const struct nearby *nearby;
	int32_t middle;
	uint64_t known; /* the finder's rows that were looked at, row j at bit j */
	struct rip_finder_row rows[RIP_MODULES_MAX][TURNS];
	/* Of the grid that is compared: half_module() of its height, and where columns are. */
	uint64_t half;
	int32_t x[MODULE_LANES], lean[MODULE_LANES];
};

/* The modules of a finder. */
static int32_t known_of(const struct rip_lattice *grid)
{
	return grid->kind == RIP_QR ? 160 + 2 * grid->modules :
	       grid->kind == RIP_AZTEC ? 9 * 9 : 4 * grid->modules - 4;
}

/* Counts in row j the modules that are wrong in each turn that has no more than `most` so far. */
static inline void count_in_row(struct comparison *c, const struct rip_lattice *grid, int32_t turns,
				int32_t j, const int32_t so_far[], int32_t most, int32_t wrongs[])
{
	const int32_t y = middle_of(c->half, grid->height, j);
	const int32_t u = grid->u - c->nearby->left * ONE - leaning(y, grid->slope);
	const int32_t v = grid->v - c->nearby->top * ONE + y;
	struct rip_finder_row *rows = c->rows[j];
	uint64_t known = 0, dark = 0;

	for (int32_t k = 0; k < turns && !(c->known >> j & 1); k++) {
		struct rip_lattice turned = *grid;

		turned.turn = turns == 1 ? grid->turn : k;
		rows[k] = rip_finder_row(&turned, j);
	}
	c->known |= (uint64_t)1 << j;
	for (int32_t k = 0; k < turns; k++)
		known |= so_far[k] > most ? 0 : rows[k].known;
	for (; known; known &= known - 1) {
		const int32_t i = __builtin_ctzll(known);
		const uint8_t *ink = nearby_at(c->nearby, u + c->x[i], v + c->lean[i]);

		dark |= (uint64_t)(*ink > c->middle) << i;
	}
	for (int32_t k = 0; k < turns; k++)
		wrongs[k] = count_bits((dark ^ rows[k].dark) & rows[k].known);
}

/* Counts for each turn of a grid the modules of the finder that are wrong, in 1/1024, until there
 * are too many: `limit`, or more than a third so far.  The last row is the second one that is
 * looked at, because it has a side of most finders. */
static void count_wrong(struct comparison *c, const struct rip_lattice *grid, int32_t turns,
			int32_t limit, int32_t wrongs[TURNS])
{
	const int32_t all = known_of(grid), most = (limit * all - 1) / 1024;
	const int32_t last = grid->modules - 1;
	int32_t alls[TURNS] = { 0 }, in_last[TURNS] = { 0 }, more_turns = turns;

	c->half = half_module(grid->height, grid->modules);
	find_along(grid->width, grid->modules, grid->slope, c->x, c->lean);
	memset(wrongs, 0, TURNS * sizeof *wrongs);
	for (int32_t j = 0; j <= last && more_turns > 0; j++) {
		int32_t more[TURNS];

		if (j == 1)
			count_in_row(c, grid, turns, last, wrongs, most, in_last);
		if (j < last)
			count_in_row(c, grid, turns, j, wrongs, most, more);
		for (int32_t k = 0; k < turns; k++) {
			if (wrongs[k] == TOO_MANY)
				continue;
			alls[k] += count_bits(c->rows[j][k].known);
			wrongs[k] += j < last ? more[k] : in_last[k];
			if (wrongs[k] + (j < last ? in_last[k] : 0) > most ||
			    wrongs[k] * 3 > alls[k] + 8) {
				wrongs[k] = TOO_MANY;
				more_turns--;
			}
		}
	}
	for (int32_t k = 0; k < turns; k++)
		if (wrongs[k] != TOO_MANY)
			wrongs[k] = wrongs[k] * 1024 / all;
}

#define TRIES (4 * ANGLES + 2) /* of each number of modules, if the first two are near */

/* Compares a grid of n modules in a box, and keeps it in *best if it is better; of equal ones that
 * with fewer modules, or else the one of the earlier try.  Returns whether the finder is near. */
static bool try_grid(struct comparison *c, const struct rip_lattice *box, int32_t n, int32_t try,
		     struct rip_lattice *best)
{
	/* 0, then to both sides */
	const int32_t a = try / 2 % 2 ? (try + 2) / 4 : -try / 4;
	const int32_t more = a < 0 ? -a : a;
	/* Ghostscript makes it a sample larger */
	const int32_t larger = try % 2 ? ONE : 0;
	const int32_t turns = n % 4 == 3 ? 1 : TURNS;
	const struct rip_lattice grid = {
		.kind = n % 2 == 0 ? RIP_DATA_MATRIX : n % 4 == 1 ? RIP_QR : RIP_AZTEC,
		.modules = n,
		.u = box->u,
		.v = box->v,
		.width = box->width - larger -
			 (int32_t)((int64_t)box->height * more * ANGLE / 65536),
		.height = box->height - larger -
			  (int32_t)((int64_t)box->width * more * ANGLE / 65536),
		.slope = a * ANGLE,
	};
	int32_t limit = best->wrong + (n < best->modules), wrongs[TURNS];
	bool near = false;

	count_wrong(c, &grid, turns, try < 2 && limit < NEAR ? NEAR : limit, wrongs);
	for (int32_t k = 0; k < turns; k++) {
		near |= wrongs[k] < NEAR;
		if (wrongs[k] < limit) {
			*best = grid;
			best->turn = k;
			best->wrong = limit = wrongs[k];
		}
	}
	return near;
}

/* Finds the symbology whose finder is there.  changes: about the number of modules. */
static bool find_kind(const struct rip_view *view, struct comparison *c, int32_t changes,
		      struct rip_lattice *grid)
{
	const int32_t least = grid->width < grid->height ? grid->width : grid->height;
	const int32_t first = changes * 7 / 10 > 10 ? changes * 7 / 10 : 10;
	const int32_t last = changes * 2 + 4 < RIP_MODULES_MAX ? changes * 2 + 4 : RIP_MODULES_MAX;
	struct rip_lattice best = { .wrong = 1024 / 5 };
	uint8_t tries[RIP_MODULES_MAX + 1] = { 0 };
	int32_t end = first;

	for (; end <= last && end * ONE * 7 / 8 <= least && best.wrong > 0; end++) {
		if (end % 2 && end < (end % 4 == 1 ? 21 : 15))
			continue; /* no symbology has so few */
		c->known = 0;
		tries[end] = !try_grid(c, grid, end, 0, &best) ? 1 :
			     !try_grid(c, grid, end, 1, &best) ? 2 : TRIES;
	}
	/* Those that lean.  The best one so far is most often right, and others are soon worse. */
	for (int32_t n = first; n < end; n++) {
		c->known = 0;
		for (int32_t i = 2; i < tries[n] && (best.wrong > 0 || n < best.modules); i++)
			try_grid(c, grid, n, i, &best);
	}
	/* Nothing is better than best.wrong == 0; what would have been tried is work. */
	for (int32_t n = first; n < end && (best.wrong > 0 || n <= best.modules); n++)
		*view->work -= 4 * n * tries[n];
	*grid = best;
	return best.modules > 0;
}

/* ---- its place, more exactly ---- */

static inline words load_words(const void *from)
{
	words v;

	memcpy(&v, from, sizeof v);
	return v;
}

static inline words all_words(uint16_t word)
{
	return word - (words){ 0 };
}

/* How a module's distance from grey counts: 3 if it must be dark, -3 if light, or else without its
 * sign (-1 in `other`); and the most that the rows below can add. */
struct weights {
	int16_t known[RIP_MODULES_MAX][MODULE_LANES], other[RIP_MODULES_MAX][MODULE_LANES];
	int32_t below[RIP_MODULES_MAX];
};

static void find_weights(const struct rip_lattice *grid, int32_t middle, struct weights *weights)
{
	const int32_t n = grid->modules, most = middle > 255 - middle ? middle : 255 - middle;
	int32_t below = 0;

	for (int32_t j = n - 1; j >= 0; j--) {
		const struct rip_finder_row row = rip_finder_row(grid, j);
		const int32_t known = count_bits(row.known), dark = count_bits(row.dark);

		memset(weights->known[j], 0, sizeof weights->known[j]);
		memset(weights->other[j], 0, sizeof weights->other[j]);
		for (int32_t i = 0; i < n; i++)
			weights->other[j][i] = -1;
		for (uint64_t bits = row.known; bits; bits &= bits - 1) {
			const int32_t i = __builtin_ctzll(bits);

			weights->known[j][i] = row.dark >> i & 1 ? 3 : -3;
			weights->other[j][i] = 0;
		}
		weights->below[j] = below;
		below += (n - known) * most + 3 * (dark * (255 - middle) +
						   (known - dark) * middle);
	}
}

/* The ink between two rows of samples whose ink is times 256. */
static inline words between_words(words a, words b, words part)
{
	const words rest = ONE - part;

	return ((a >> 8) * rest + (b >> 8) * part +
		(((a & 255) * rest + (b & 255) * part) >> 8)) >> 8;
}

/* The samples at the upper left of the middles of a row of modules, from the row's first one in the
 * copy, and how far the middles are right of these and below. */
struct row_places {
	int32_t samples[MODULE_LANES];
	uint16_t right[MODULE_LANES], below[MODULE_LANES];
};

static void find_places(const struct nearby *nearby, const struct middles *at, int32_t lanes,
			int32_t u, int32_t v, struct row_places *places)
{
	for (int32_t i = 0; i < lanes; i++) {
		const int32_t at_u = u + at->x[i], at_v = v + at->lean_x[i];

		places->samples[i] = (at_v >> 8) * nearby->pitch + (at_u >> 8);
		places->right[i] = (uint16_t)(at_u & 255);
		places->below[i] = (uint16_t)(at_v & 255);
	}
}

/* The inks between the four samples around the middles of some modules from module i on. */
static inline words inks_at(const uint8_t *row, int32_t pitch, const struct row_places *places,
			    int32_t i)
{
	const words down = load_words(places->below + i), rest = ONE - down;
	words v0 = { 0 }, v1 = { 0 }; /* two samples each */

#pragma GCC unroll 8
	for (int32_t k = 0; k < LANES; k++) {
		const uint8_t *ink = row + places->samples[i + k];

		v0[k] = (uint16_t)(ink[0] | ink[1] << 8);
		ink += pitch;
		v1[k] = (uint16_t)(ink[0] | ink[1] << 8);
	}
	return between_words((v0 & 255) * rest + (v1 & 255) * down,
			     (v0 >> 8) * rest + (v1 >> 8) * down, load_words(places->right + i));
}

/* How well a grid fits: how far its modules' middles are from grey, and its finder's on the right
 * side of it.  If that is not more than `enough`: this or less. */
static int32_t fitness(const struct nearby *nearby, int32_t middle, const struct rip_lattice *grid,
		       const struct weights *weights, int32_t enough)
{
	const int32_t left = grid->u - nearby->left * ONE - ONE / 2;
	const int32_t top = grid->v - nearby->top * ONE - ONE / 2;
	const int32_t lanes = (grid->modules + LANES - 1) / LANES * LANES;
	struct row_places places;
	struct middles at;
	int32_t sum = 0;

	find_along(grid->width, grid->modules, grid->slope, at.x, at.lean_x);
	find_along(grid->height, grid->modules, grid->slope, at.y, at.lean_y);
	for (int32_t j = 0; j < grid->modules; j++) {
		const int32_t v = top + at.y[j];
		const uint8_t *row = nearby->inks + (v >> 8) * nearby->pitch;
		const words down = all_words((uint16_t)(v & 255));
		shorts sums = { 0 }; /* a lane has 8 of up to 3 * 255 */
		ints pairs;

		if (j == 0 || grid->slope) /* else the places are below each other */
			find_places(nearby, &at, lanes, left - at.lean_y[j], v & 255, &places);
		for (int32_t i = 0; i < lanes; i += LANES) {
			shorts off, sign;

			if (!grid->slope)
				memcpy(places.below + i, &down, sizeof down);
			off = (shorts)(inks_at(row, nearby->pitch, &places, i) -
				       all_words((uint16_t)middle));
			sign = off >> 15;
			sums += off * (shorts)load_words(weights->known[j] + i) +
				(((off ^ sign) - sign) & (shorts)load_words(weights->other[j] + i));
		}
		pairs = ((ints)sums >> 16) + ((ints)sums << 16 >> 16);
		for (int32_t k = 0; k < LANES / 2; k++)
			sum += pairs[k];
		if (sum + weights->below[j] <= enough)
			break;
	}
	return sum;
}

/* Moves the grid to where it fits best. */
static void refine(const struct rip_view *view, const struct nearby *nearby, int32_t middle,
		   struct rip_lattice *grid)
{
	struct weights weights;
	const int32_t n = grid->modules;
	int32_t best;

	find_weights(grid, middle, &weights);
	best = fitness(nearby, middle, grid, &weights, INT32_MIN);
	*view->work -= n * n;
	for (int32_t step = ONE / 2; step >= ONE / 8; step /= 2) {
		/* Where it was before, and grids beside this one, fit worse. */
		int32_t back = -1, worse = 0;

		for (int32_t tries = 0, better = 1; better && tries < 8; tries++) {
			better = 0;
			for (int32_t k = 0; k < 10; k++) {
				const int32_t by = k % 2 ? step : -step;
				struct rip_lattice moved = *grid;
				int32_t fits;

				if (k == back)
					continue;
				*view->work -= n * n;
				if (worse >> k & 1)
					continue;
				*(k / 2 == 0 ? &moved.u : k / 2 == 1 ? &moved.v :
				  k / 2 == 2 ? &moved.width : k / 2 == 3 ? &moved.height :
				  &moved.slope) += k / 2 == 4 ? by * ANGLE / ONE : by;
				fits = fitness(nearby, middle, &moved, &weights, best);
				worse |= 1 << k;
				if (fits <= best)
					continue;
				best = fits;
				*grid = moved;
				better = 1;
				back = k ^ 1;
				worse = 0;
			}
		}
	}
}

bool rip_lattice_find(const struct rip_view *view, int32_t middle, int32_t changes,
		      struct rip_lattice *grid)
{
	struct rip_lattice refined;
	struct comparison compared;
	struct nearby nearby;
	int32_t wrongs[TURNS], most;

	find_nearby(view, grid, &nearby);
	compared.nearby = &nearby;
	compared.middle = middle;
	if (!find_kind(view, &compared, changes, grid))
		return false;
	refined = *grid;
	refine(view, &nearby, middle, &refined);
	*view->work -= 4 * grid->modules;
	compared.known = 0;
	count_wrong(&compared, &refined, 1, grid->wrong + 1, wrongs);
	refined.wrong = wrongs[0];
	if (refined.wrong <= grid->wrong)
		*grid = refined;
	most = grid->width < 2 * ONE * grid->modules ? WRONG_MAX_BLURRED : WRONG_MAX;
	return grid->wrong * 100 <= most * 1024;
}
