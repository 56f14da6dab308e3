/*
 * Generates mask_table.c, on standard output: the ranks of the void-and-cluster mask, and
 * the cells of the clustered screens.  `make screen-tables` replaces the file.
 *
 * Only integers are used, so that every machine makes the same tables.
 *
 * Void and cluster: Ulichney, "The void-and-cluster method for dither array generation",
 * 1993.  Points on a torus get ranks so that the first n of them are spread evenly for
 * every n.  The density at a point is the sum of a Gaussian of its distance to all points
 * that are on.  Here the points are the pixels of the mask, and in the clustered screens
 * the cells.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mask_cells.h"
#include "mask_table.h"

#define ONE ((int64_t)1 << 56) /* of fixed-point numbers */

/* The frequency (a, b)/n of cells, and the least side after which their orders repeat: 120 for
 * 14400 tones. */
struct vector {
	int32_t  a, b, n;
	uint32_t least;
};

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "generate: out of memory\n");
		exit(1);
	}
	return p;
}

/* ---- fixed point ---- */

static int64_t times(int64_t a, int64_t b)
{
	return (int64_t)(((__int128)a * b) >> 56);
}

/* exp(-x), 0 <= x < 1: its Taylor series. */
static int64_t exp_minus(int64_t x)
{
	int64_t sum = 0, term = ONE;

	for (int n = 1; term != 0 && n < 40; n++) {
		sum += term;
		term = -times(term, x) / n;
	}
	return sum;
}

/* cos(pi * n / d). */
static int64_t cosine(int64_t n, int64_t d)
{
	const int64_t pi = 226375608064910089; /* of ONE */
	int64_t x, sum = 0, term = ONE;

	n = llabs(n) % (2 * d);
	n = n > d ? 2 * d - n : n;
	x = (int64_t)((__int128)pi * n / d);
	for (int k = 1; term != 0 && k < 60; k += 2) {
		sum += term;
		term = -(int64_t)((__int128)times(term, x) * x >> 56) / (k * (k + 1));
	}
	return sum;
}

/* ---- void and cluster ---- */

struct point {
	uint32_t x, y;
};

struct points {
	const struct point *at;
	uint32_t count, side; /* of the torus */
	int64_t *gauss;       /* by distance, down and across: side * side values */
	int64_t *density;
	uint8_t *on;
};

/* numerator / denominator: the exponent of the Gaussian at distance 1. */
static void gauss_init(struct points *p, int64_t numerator, int64_t denominator)
{
	const uint32_t half = p->side / 2, farthest = 2 * half * half;
	const int64_t step = exp_minus((int64_t)((__int128)ONE * numerator / denominator));
	int64_t *by_square = must(malloc((farthest + 1) * sizeof *by_square));

	by_square[0] = ONE;
	for (uint32_t i = 1; i <= farthest; i++)
		by_square[i] = times(by_square[i - 1], step);
	for (uint32_t y = 0; y < p->side; y++)
		for (uint32_t x = 0; x < p->side; x++) {
			const uint32_t dx = x < p->side - x ? x : p->side - x;
			const uint32_t dy = y < p->side - y ? y : p->side - y;

			p->gauss[y * p->side + x] = by_square[dx * dx + dy * dy];
		}
	free(by_square);
}

/* Turns a point on or off. */
static void turn(struct points *p, uint32_t i, uint8_t on)
{
	const int64_t sign = on ? 1 : -1;

	p->on[i] = on;
	for (uint32_t k = 0; k < p->count; k++) {
		const uint32_t dx = p->at[k].x >= p->at[i].x ? p->at[k].x - p->at[i].x
							     : p->at[k].x + p->side - p->at[i].x;
		const uint32_t dy = p->at[k].y >= p->at[i].y ? p->at[k].y - p->at[i].y
							     : p->at[k].y + p->side - p->at[i].y;

		p->density[k] += sign * p->gauss[dy * p->side + dx];
	}
}

/* The point that is on where they are densest, or off where they are sparsest. */
static uint32_t find(const struct points *p, uint8_t on)
{
	uint32_t best = p->count;

	for (uint32_t i = 0; i < p->count; i++)
		if (p->on[i] == on &&
		    (best == p->count || (on ? p->density[i] > p->density[best]
					     : p->density[i] < p->density[best])))
			best = i;
	return best;
}

/* The points that are on at first: a tenth of them, at random, moved from the densest place
 * to the emptiest until that is the same. */
static uint32_t first_points(struct points *p)
{
	const uint32_t wanted = (p->count + 9) / 10;
	uint32_t state = 1, cluster, gap;

	for (uint32_t n = 0; n < wanted;) {
		uint32_t i;

		state = state * 1664525u + 1013904223u;
		i = (uint32_t)((uint64_t)state * p->count >> 32);
		if (!p->on[i]) {
			turn(p, i, 1);
			n++;
		}
	}
	do {
		cluster = find(p, 1);
		turn(p, cluster, 0);
		gap = find(p, 0);
		turn(p, gap, 1);
	} while (gap != cluster);
	return wanted;
}

/* Ranks from 0 on.  The Gaussian is exp(-distance^2 * numerator / denominator). */
static void void_and_cluster(const struct point *at, uint32_t count, uint32_t side,
			     int64_t numerator, int64_t denominator, uint16_t *ranks)
{
	struct points p = {
		.at = at, .count = count, .side = side,
		.gauss = must(calloc((size_t)side * side, sizeof *p.gauss)),
		.density = must(calloc(count, sizeof *p.density)),
		.on = must(calloc(count, 1)),
	};
	uint32_t wanted;

	gauss_init(&p, numerator, denominator);
	wanted = first_points(&p);
	for (uint32_t n = wanted; n < count; n++) {
		const uint32_t i = find(&p, 0);

		turn(&p, i, 1);
		ranks[i] = (uint16_t)n;
	}
	/* Back to the first points, and from there to none. */
	for (uint32_t i = 0; i < count; i++)
		if (ranks[i] >= wanted)
			turn(&p, i, 0);
	for (uint32_t n = wanted; n-- > 0;) {
		const uint32_t i = find(&p, 1);

		turn(&p, i, 0);
		ranks[i] = (uint16_t)n;
	}
	free(p.gauss);
	free(p.density);
	free(p.on);
}

/* ---- what is printed ---- */

static void print(const char *name, const uint16_t *values, uint32_t count)
{
	printf("%s[%" PRIu32 "] = {", name, count);
	for (uint32_t i = 0; i < count; i++)
		printf("%s%u,", i % 16 ? " " : "\n\t", values[i]);
	printf("\n};\n\n");
}

static void print_blue_noise(void)
{
	enum { SIDE = RIP_BLUE_NOISE_SIDE, PIXELS = SIDE * SIDE };
	struct point *at = must(malloc(PIXELS * sizeof *at));
	uint16_t *ranks = must(calloc(PIXELS, sizeof *ranks));

	for (uint32_t i = 0; i < PIXELS; i++)
		at[i] = (struct point){ i % SIDE, i / SIDE };
	void_and_cluster(at, PIXELS, SIDE, 2, 9, ranks); /* sigma 1.5 pixels */
	printf("const uint16_t rip_blue_noise_ranks");
	print("", ranks, PIXELS);
	free(at);
	free(ranks);
}

/* How many of the pixels beside a pixel are on, in this cell or the next; those left and
 * right count more, because long runs make less data for the printer. */
static unsigned company(const struct rip_cell_place *places, uint32_t side, const uint8_t *on,
			uint32_t pixel)
{
	uint32_t i = 0, x, y;

	while (places[i].pixel != pixel)
		i++;
	x = i % side;
	y = i / side;
	return 3u * on[places[y * side + (x + 1) % side].pixel] +
	       3u * on[places[y * side + (x + side - 1) % side].pixel] +
	       2u * on[places[(y + 1) % side * side + x].pixel] +
	       2u * on[places[(y + side - 1) % side * side + x].pixel];
}

/* The order in which the pixels of a cell turn to ink: round dots around the centre up to one
 * half, then round holes around the corners.  Among equals the place in the cell decides, not the
 * one on the page, which would be a pattern of its own.  `order` has `count` values. */
static void order_pixels(const struct vector *v, const struct rip_cell_place *places, uint32_t side,
			 int32_t count, uint16_t *order)
{
	const int32_t a = v->a, b = v->b, n = v->n;
	const int32_t d = (a * a + b * b) / rip_common_divisor(n, a * a + b * b);
	int64_t *spot = must(calloc((size_t)count, sizeof *spot));
	uint8_t *on = must(calloc((size_t)count, 1));
	uint16_t *taken = must(calloc((size_t)side * side, sizeof *taken)); /* of each cell */

	for (uint32_t i = 0; i < side * side; i++) {
		const int32_t x = 2 * places[i].x + d, y = 2 * places[i].y + d;

		spot[places[i].pixel] = cosine(a * x + b * y - n * d, n * d) +
					cosine(-b * x + a * y - n * d, n * d);
	}
	for (int32_t turned = 0; turned < count; turned++) {
		const int64_t same = ONE >> 30; /* rounding */
		int32_t best = -1;

		for (int32_t i = 0; i < count; i++)
			if (!on[i] && (best < 0 || spot[i] > spot[best] + same ||
				       (spot[i] > spot[best] - same &&
					company(places, side, on, (uint32_t)i) >
						company(places, side, on, (uint32_t)best))))
				best = i;
		on[best] = 1;
		for (uint32_t i = 0; i < side * side; i++) /* all such pixels, each in its cell */
			if (places[i].pixel == best)
				order[best] = taken[places[i].cell]++;
	}
	free(spot);
	free(on);
	free(taken);
}

/* The side of the supercell. */
static uint32_t side_of(const struct vector *v)
{
	const int32_t common = rip_common_divisor(rip_common_divisor(v->a, v->b), v->n);
	const uint32_t period = (uint32_t)(v->n / common);

	return ((v->least - 1) / period + 1) * period;
}

/* As in order_NAME and ranks_NAME. */
static void name_of(const struct vector *v, char *name, size_t size)
{
	snprintf(name, size, "%d_%d_%d_%" PRIu32, v->a, v->b, v->n, side_of(v));
}

static void print_cells(const struct vector *v)
{
	const uint32_t k = (uint32_t)(v->a * v->a + v->b * v->b), side = side_of(v);
	struct rip_cell_place *places = must(malloc((size_t)side * side * sizeof *places));
	struct point *at = must(malloc((size_t)side * side * sizeof *at));
	uint16_t *order, *ranks;
	uint32_t pixels = 0, cells = 0;
	char name[48];

	if (rip_cell_places(v->a, v->b, v->n, side, places) < 0)
		must(NULL);
	for (uint32_t i = 0; i < side * side; i++) {
		at[places[i].cell] = (struct point){ (uint32_t)places[i].left,
						     (uint32_t)places[i].top };
		pixels = places[i].pixel >= pixels ? places[i].pixel + 1u : pixels;
		cells = places[i].cell >= cells ? places[i].cell + 1u : cells;
	}
	order = must(calloc(pixels, sizeof *order));
	ranks = must(calloc(cells, sizeof *ranks));
	order_pixels(v, places, side, (int32_t)pixels, order);
	/* sigma: the side of a cell, sqrt(k) of the units of corners */
	void_and_cluster(at, cells, side * k / (uint32_t)v->n, 1, 2 * k, ranks);
	name_of(v, name, sizeof name);
	printf("static const uint16_t order_%s", name);
	print("", order, pixels);
	printf("static const uint16_t ranks_%s", name);
	print("", ranks, cells);
	free(places);
	free(at);
	free(order);
	free(ranks);
}

/* Black, cyan and yellow of each set, with the frequencies (a, b)/n.  Magenta has (b, a)/n of
 * cyan.
 *
 * A rosette is closed where black's frequency is the difference of cyan's and magenta's, which is
 * (a - b, b - a)/n: then the three make no beat, and their pattern is the same all over the page.
 * So cyan is (3, 1)/n to black's (2, 2)/n, or (4, 1)/n to (3, 3)/n, or (5, 1)/n to (4, 4)/n.  Black
 * keeps the whole pixels that it has on pages without colours (plates are screened one by one);
 * where cyan would get too few pixels then, at 600 dpi, pages with colours have a black of their
 * own, of fractions (RIP_ROSETTE_3, 4).  Beats of RIP_CELLS_2 and of 4 at 1200 dpi are fine enough.
 *
 * Tried: % of the luminance in a line below 30 lpi, and % of the paper by which the overlap of two
 * inks changes with their registration.  Cyan (3, 1)/12 and (3, 1)/16 at 600 dpi with the families'
 * black: 0.4, but 17 and 10 with magenta (RIP_ROSETTE_3, 4: 0.65; 0.5 and 1.1).  On plates black
 * (10, 10)/200 has 0.00 with cyan (12, 4)/160, but not the cells of black alone; with (9, 9)/162,
 * (4, 1)/54 has 0.14 and 1.2, (3, 1)/36 has 0.06 and 4.  Yellow as (4, 0)/n, such as (5, 0)/25 with
 * RIP_CELLS_5, would have black's period: 19 with black; (7, 0)/49 has 0.5 and 1.
 * RIP_CELLS_11 with (15, 0)/225: 0.24 instead of 0.08.
 *
 * RIP_ROSETTE_2 only has another side of black than the other inks: then the unevenness of their
 * orders does not meet again and again: 0.4 instead of 0.9.
 */
static const struct set {
	const char *name;
	struct vector inks[3];
} sets[] = {
	{ "RIP_CELLS_2", { { 2, 2, 8, 120 }, { 3, 1, 10, 120 }, { 3, 0, 9, 120 } } },
	{ "RIP_CELLS_3", { { 3, 3, 18, 120 }, { 4, 1, 17, 120 }, { 4, 0, 16, 120 } } },
	{ "RIP_CELLS_4", { { 4, 4, 32, 120 }, { 5, 1, 26, 120 }, { 6, 0, 36, 120 } } },
	{ "RIP_CELLS_5", { { 5, 5, 50, 120 }, { 3, 1, 20, 120 }, { 7, 0, 49, 120 } } },
	{ "RIP_CELLS_6", { { 6, 6, 72, 120 }, { 4, 1, 36, 120 }, { 8, 0, 64, 120 } } },
	{ "RIP_CELLS_9", { { 9, 9, 162, 120 }, { 3, 1, 36, 120 }, { 12, 0, 144, 120 } } },
	{ "RIP_CELLS_11", { { 11, 11, 242, 120 }, { 3, 1, 44, 120 }, { 3, 0, 44, 120 } } },
	{ "RIP_CELLS_12", { { 12, 12, 288, 120 }, { 3, 1, 48, 120 }, { 16, 0, 256, 120 } } },
	{ "RIP_CELLS_15", { { 15, 15, 450, 120 }, { 3, 1, 60, 120 }, { 20, 0, 400, 120 } } },
	{ "RIP_CELLS_18", { { 18, 18, 648, 120 }, { 3, 1, 72, 120 }, { 24, 0, 576, 120 } } },
	{ "RIP_ROSETTE_2", { { 2, 2, 8, 128 }, { 3, 1, 10, 120 }, { 3, 0, 9, 120 } } },
	{ "RIP_ROSETTE_3", { { 3, 3, 17, 153 }, { 4, 1, 17, 120 }, { 4, 0, 16, 120 } } },
	{ "RIP_ROSETTE_4", { { 4, 4, 26, 120 }, { 5, 1, 26, 120 }, { 7, 0, 49, 120 } } },
};

/* Whether a set before this one has the table. */
static bool printed(size_t set, const struct vector *v)
{
	for (size_t s = 0; s < set; s++)
		for (int ink = 0; ink < 3; ink++)
			if (!memcmp(&sets[s].inks[ink], v, sizeof *v))
				return true;
	return false;
}

int main(void)
{
	static const char *const inks[] = { "black", "cyan", "yellow" };

	printf("/* The tables of the masks.  Generated by halftone/screen/generate.c. */\n"
	       "#include \"mask_table.h\"\n\n");
	print_blue_noise();
	for (size_t s = 0; s < RIP_CELL_SETS; s++)
		for (int ink = 0; ink < 3; ink++)
			if (!printed(s, &sets[s].inks[ink]))
				print_cells(&sets[s].inks[ink]);
	printf("const struct rip_cell_inks rip_cell_sets[RIP_CELL_SETS] = {\n");
	for (size_t s = 0; s < RIP_CELL_SETS; s++) {
		printf("\t[%s] = {\n", sets[s].name);
		for (int ink = 0; ink < 3; ink++) {
			const struct vector *v = &sets[s].inks[ink];
			char name[48];

			name_of(v, name, sizeof name);
			printf("\t\t.%s = { %d, %d, %d, %" PRIu32 ", order_%s, ranks_%s },\n",
			       inks[ink], v->a, v->b, v->n, side_of(v), name, name);
		}
		printf("\t},\n");
	}
	printf("};\n");
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
