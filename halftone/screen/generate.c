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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "mask_cells.h"
#include "mask_table.h"

#define ONE ((int64_t)1 << 56) /* of fixed-point numbers */

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
 * half, then round holes around the corners. */
static void order_pixels(int32_t a, int32_t b, const struct rip_cell_place *places, uint32_t side,
			 uint16_t *order)
{
	const int32_t k = a * a + b * b;
	int64_t *spot = must(calloc((size_t)k, sizeof *spot));
	uint8_t *on = must(calloc((size_t)k, 1));

	for (uint32_t i = 0; i < side * side; i++) {
		const int32_t x = 2 * places[i].x + 1, y = 2 * places[i].y + 1;

		spot[places[i].pixel] = cosine(a * x + b * y - k, k) +
					cosine(-b * x + a * y - k, k);
	}
	for (int32_t n = 0; n < k; n++) {
		const int64_t same = ONE >> 30; /* rounding */
		int32_t best = -1;

		for (int32_t i = 0; i < k; i++)
			if (!on[i] && (best < 0 || spot[i] > spot[best] + same ||
				       (spot[i] > spot[best] - same &&
					company(places, side, on, (uint32_t)i) >
						company(places, side, on, (uint32_t)best))))
				best = i;
		on[best] = 1;
		order[best] = (uint16_t)n;
	}
	free(spot);
	free(on);
}

static int32_t common_divisor(int32_t a, int32_t b)
{
	return b ? common_divisor(b, a % b) : a;
}

/* The side of the supercell: at least 14400 tones. */
static uint32_t side_of(int32_t a, int32_t b)
{
	const uint32_t period = (uint32_t)((a * a + b * b) / common_divisor(a, b));

	return (119 / period + 1) * period;
}

static void print_cells(int32_t a, int32_t b)
{
	const uint32_t side = side_of(a, b), k = (uint32_t)(a * a + b * b), cells = side * side / k;
	struct rip_cell_place *places = must(malloc((size_t)side * side * sizeof *places));
	struct point *at = must(malloc(cells * sizeof *at));
	uint16_t *order = must(calloc(k, sizeof *order));
	uint16_t *ranks = must(calloc(cells, sizeof *ranks));

	if (rip_cell_places(a, b, side, places) < 0)
		must(NULL);
	for (uint32_t i = 0; i < side * side; i++)
		at[places[i].cell] = (struct point){
			(i % side + side - (uint32_t)places[i].x) % side,
			(i / side + side - (uint32_t)places[i].y) % side,
		};
	order_pixels(a, b, places, side, order);
	void_and_cluster(at, cells, side, 1, 2 * k, ranks); /* sigma: the side of a cell */
	printf("static const uint16_t order_%d_%d", a, b);
	print("", order, k);
	printf("static const uint16_t ranks_%d_%d", a, b);
	print("", ranks, cells);
	free(places);
	free(at);
	free(order);
	free(ranks);
}

/* Black, cyan and yellow of each family.  Magenta has b, a of cyan. */
static const struct vectors {
	const char *family;
	int32_t     a[3], b[3];
} families[] = {
	{ "RIP_CELLS_2", { 2, 3, 3 }, { 2, 1, 0 } },
	{ "RIP_CELLS_3", { 3, 4, 4 }, { 3, 1, 0 } },
	{ "RIP_CELLS_4", { 4, 5, 6 }, { 4, 1, 0 } },
	{ "RIP_CELLS_6", { 6, 8, 8 }, { 6, 2, 0 } },
	{ "RIP_CELLS_9", { 9, 12, 12 }, { 9, 3, 0 } },
	{ "RIP_CELLS_11", { 11, 15, 15 }, { 11, 4, 0 } },
	{ "RIP_CELLS_12", { 12, 16, 16 }, { 12, 4, 0 } },
	{ "RIP_CELLS_15", { 15, 20, 20 }, { 15, 5, 0 } },
	{ "RIP_CELLS_18", { 18, 24, 24 }, { 18, 6, 0 } },
};

int main(void)
{
	static const char *const inks[] = { "black", "cyan", "yellow" };
	const size_t count = sizeof families / sizeof families[0];

	printf("/* The tables of the masks.  Generated by halftone/screen/generate.c. */\n"
	       "#include \"mask_table.h\"\n\n");
	print_blue_noise();
	for (size_t f = 0; f < count; f++)
		for (int ink = 0; ink < 3; ink++)
			print_cells(families[f].a[ink], families[f].b[ink]);
	printf("const struct rip_cell_inks rip_cell_families[RIP_CELL_FAMILIES] = {\n");
	for (size_t f = 0; f < count; f++) {
		printf("\t[%s] = {\n", families[f].family);
		for (int ink = 0; ink < 3; ink++) {
			const int32_t a = families[f].a[ink], b = families[f].b[ink];

			printf("\t\t.%s = { %d, %d, %" PRIu32 ", order_%d_%d, ranks_%d_%d },\n",
			       inks[ink], a, b, side_of(a, b), a, b, a, b);
		}
		printf("\t},\n");
	}
	printf("};\n");
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
