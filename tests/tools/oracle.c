/* What the dots must be: the textbook way. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/screen/blue_noise_table.h"

/* A neighbour that a pixel sends part of its error to. */
struct share {
	int down, right; /* rows and columns away */
	int numerator;
};

struct kernel {
	const char  *name;
	int          denominator;
	bool         drops; /* part of the error on purpose: the right neighbour takes no rest */
	struct share shares[12];
};

static const struct kernel kernels[] = {
	{ "floyd-steinberg", 16, false, { { 0, 1, 7 }, { 1, -1, 3 }, { 1, 0, 5 }, { 1, 1, 1 } } },
	{ "jarvis-judice-ninke", 48, false,
	  { { 0, 1, 7 }, { 0, 2, 5 },
	    { 1, -2, 3 }, { 1, -1, 5 }, { 1, 0, 7 }, { 1, 1, 5 }, { 1, 2, 3 },
	    { 2, -2, 1 }, { 2, -1, 3 }, { 2, 0, 5 }, { 2, 1, 3 }, { 2, 2, 1 } } },
	{ "stucki", 42, false,
	  { { 0, 1, 8 }, { 0, 2, 4 },
	    { 1, -2, 2 }, { 1, -1, 4 }, { 1, 0, 8 }, { 1, 1, 4 }, { 1, 2, 2 },
	    { 2, -2, 1 }, { 2, -1, 2 }, { 2, 0, 4 }, { 2, 1, 2 }, { 2, 2, 1 } } },
	{ "burkes", 32, false,
	  { { 0, 1, 8 }, { 0, 2, 4 },
	    { 1, -2, 2 }, { 1, -1, 4 }, { 1, 0, 8 }, { 1, 1, 4 }, { 1, 2, 2 } } },
	{ "sierra", 32, false,
	  { { 0, 1, 5 }, { 0, 2, 3 },
	    { 1, -2, 2 }, { 1, -1, 4 }, { 1, 0, 5 }, { 1, 1, 4 }, { 1, 2, 2 },
	    { 2, -1, 2 }, { 2, 0, 3 }, { 2, 1, 2 } } },
	{ "atkinson", 8, true,
	  { { 0, 1, 1 }, { 0, 2, 1 }, { 1, -1, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 2, 0, 1 } } },
};

static long floor_div(long a, long b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Q15 weights; what rounding leaves goes to the right neighbour. */
static void weigh(const struct kernel *kernel, long weight[12])
{
	long rest = 32767;

	for (int k = 0; k < 12; k++) {
		weight[k] = (long)floor(32768.0 * kernel->shares[k].numerator /
					kernel->denominator + 0.5);
		if (k > 0)
			rest -= weight[k];
	}
	if (!kernel->drops)
		weight[0] = rest;
}

static long noise_at(uint32_t column, uint32_t plane)
{
	uint32_t z = column + 0x9e3779b9u * (plane + 1);

	z ^= z >> 16;
	z *= 0x7feb352du;
	z ^= z >> 15;
	z *= 0x846ca68bu;
	z ^= z >> 16;
	return (long)(z >> 17) - 16384;
}

static bool transparent(const uint16_t *x, size_t width)
{
	for (size_t j = 0; j < width; j++)
		if (x[j] != 0 && x[j] != 65535)
			return false;
	return true;
}

/* The rows that errors know of are the ones that are not transparent: above[n]
 * is the error row n rows above among those, or NULL. */
static long gathered(const struct kernel *kernel, const long weight[12], int16_t *const above[3],
		     long j, long width)
{
	long sum = 0;

	for (int k = 0; k < 12; k++) {
		const struct share *share = &kernel->shares[k];
		long from = j - share->right;

		if (!share->numerator || !above[share->down] || from < 0 || from >= width)
			continue;
		sum += floor_div(above[share->down][from] * weight[k] + 16384, 32768);
	}
	return sum;
}

/* --- blue noise -------------------------------------------------------------------------- */

#define SHARES(...) { __VA_ARGS__ },
static const int shares128[16][7] = { RIP_BLUE_NOISE_TABLE(SHARES) };

/* Where each of the seven goes. */
static const struct { int down, right; } targets[7] = {
	{ 0, 1 }, { 0, 2 }, { 1, -4 }, { 1, -2 }, { 1, -1 }, { 1, 0 }, { 1, 1 }
};

static long limited(long v)
{
	return v > 32767 ? 32767 : v < -32768 ? -32768 : v;
}

static int zone_of(long target, long carry)
{
	const long tone = target % 65536, distance = tone < 32768 ? tone : 65535 - tone;
	const long tint = floor_div(distance * 21760, 65536);
	const long other = 732 + floor_div(distance * 6218, 65536);
	const long low = carry - 256 * floor_div(carry, 256);

	return (int)(((tint < other ? tint : other) + low) / 256);
}

/* What arrived at each pixel: from above, from two columns away, and from its neighbour. */
struct arrived {
	long above, two, one;
};

static bool blue_noise(const uint16_t *x, size_t width, size_t height, unsigned levels,
		       unsigned plane, bool noise, uint8_t *level)
{
	struct arrived *row = calloc(width, sizeof *row), *next = calloc(width, sizeof *next),
		       *other;
	bool first = true, done;

	for (size_t i = 0; row && next && i < height; i++, x += width, level += width) {
		if (transparent(x, width)) {
			for (size_t j = 0; j < width; j++)
				level[j] = x[j] ? levels - 1 : 0;
			continue;
		}
		memset(next, 0, width * sizeof *next);
		for (size_t j = 0; j < width; j++) {
			const long t = (long)x[j] * (levels - 1), target = t + t / 65535;
			const long carry = row[j].above + (first && noise ? noise_at(j, plane) : 0);
			const int zone = zone_of(target, carry);
			const long u = limited(limited(carry + row[j].two) + row[j].one);
			const long sum = target + u;
			const long error = sum - 65536 * floor_div(sum + 32768, 65536);

			level[j] = floor_div(sum + 32768, 65536);
			for (int k = 0; k < 7; k++) {
				const long to = (long)j + targets[k].right;
				const long part =
					floor_div(error * 256 * shares128[zone][k] + 16384, 32768);

				if (to < 0 || to >= (long)width)
					continue;
				if (targets[k].down)
					next[to].above += part;
				else if (targets[k].right == 2)
					row[to].two += part;
				else
					row[to].one += part;
			}
		}
		first = false;
		other = row;
		row = next;
		next = other;
	}
	done = row && next;
	free(row);
	free(next);
	return done;
}

/* --- blue noise for colour --------------------------------------------------------------- */

struct ink_step {
	size_t plane;
	long   ahead; /* the step whose u it looks at, or -1 */
	bool   alone;
};

static size_t plan_inks(const char *inks, struct ink_step *steps)
{
	static const char order[] = "KMCmckGRBY", pairs[] = "MCmcGR";
	const size_t planes = strlen(inks);
	size_t count = 0, named;

	for (const char *i = order; *i; i++)
		for (size_t p = 0; p < planes; p++)
			if (inks[p] == *i)
				steps[count++] = (struct ink_step){ p, -1,
								    *i == 'K' || planes == 1 };
	named = count;
	for (size_t p = 0; p < planes; p++)
		if (!strchr(order, inks[p]))
			steps[count++] = (struct ink_step){ p, -1, planes == 1 };
	for (size_t s = 0; s + 1 < count; s++)
		for (const char *i = pairs; *i; i += 2)
			if (inks[steps[s].plane] == i[0] && inks[steps[s + 1].plane] == i[1])
				steps[s].ahead = (long)s + 1;
	if (named == 0 && count > 1)
		steps[0].ahead = 1;
	return count;
}

static long scaled(long error, long weight)
{
	return floor_div(error * weight + 16384, 32768);
}

/* What a row of a plane knows. */
struct ink_row {
	const uint16_t *x;
	uint8_t *level;
	long    *carry, *next; /* with 4 values before and 2 after them */
	long     one[3], two[3]; /* for columns j, j+1, j+2 */
	bool     grey;
};

static void send_ink(struct ink_row *row, size_t j, long error, int zone)
{
	for (int k = 0; k < 7; k++) {
		const long part = scaled(error, 256 * shares128[zone][k]);

		if (targets[k].down)
			row->next[4 + (long)j + targets[k].right] += part;
		else if (targets[k].right == 2)
			row->two[2] += part;
		else
			row->one[1] += part;
	}
}

static void colour_pixel(struct ink_row *rows, const struct ink_step *steps, size_t count,
			 size_t j, unsigned levels, unsigned end, bool light)
{
	long f[16], u[16], total = 0, weight, seen = 0;

	for (size_t s = 0; s < count; s++) {
		struct ink_row *row = &rows[steps[s].plane];
		const long t = (long)row->x[j] * (levels - 1), target = t + t / 65535;

		f[s] = target % 65536;
		row->level[j] = (uint8_t)(target / 65536);
		total += (light ? 65535 - row->x[j] : row->x[j]) / 8;
		u[s] = row->grey ? limited(limited(row->carry[4 + j] + row->two[0]) + row->one[0]) :
				   0;
	}
	total = total > 65535 ? 65535 : total;
	weight = (long)end - total;
	weight = 4 * (end == 65535 || weight > 4096 ? 4096 : weight < 0 ? 0 : weight);
	for (size_t s = 0; s < count; s++) {
		struct ink_row *row = &rows[steps[s].plane];
		const long ahead = steps[s].ahead;
		long error;
		bool one;

		if (!row->grey)
			continue;
		if (steps[s].alone) {
			one = f[s] + u[s] + 32768 >= 65536;
			error = f[s] + u[s] - 65536 * one;
			seen = f[s] ? floor_div(error, 2) : seen;
		} else {
			const long half = (f[s] + 1) / 2;
			const long sees = ahead >= 0 && f[ahead] ? limited(seen + u[ahead]) : seen;

			one = f[s] && limited(u[s] + scaled(sees, weight)) >= 16384 - half;
			error = half + u[s] - 32768 * one;
			seen = f[s] ? limited(seen + error) : seen;
		}
		row->level[j] += one;
		send_ink(row, j, error, zone_of(f[s], row->carry[4 + j]));
		for (int k = 0; k < 2; k++) {
			row->one[k] = row->one[k + 1];
			row->two[k] = row->two[k + 1];
		}
		row->one[2] = row->two[2] = 0;
	}
}

bool oracle_colour(const uint16_t *x, size_t width, size_t height, const char *inks,
		   unsigned levels, unsigned end, bool light, bool noise, uint8_t *level)
{
	const size_t stride = width + 6;
	struct ink_step steps[16];
	const size_t count = plan_inks(inks, steps);
	long *carries = calloc(2 * count * stride, sizeof *carries);
	struct ink_row rows[16];
	bool done;

	for (size_t s = 0; carries && s < count; s++) {
		struct ink_row *row = &rows[steps[s].plane];

		row->carry = carries + 2 * s * stride;
		row->next = row->carry + stride;
		for (size_t j = 0; noise && j < width; j++) {
			const long start = noise_at((uint32_t)j, (uint32_t)steps[s].plane);

			row->carry[4 + j] = steps[s].alone ? start : floor_div(start, 2);
		}
	}
	for (size_t i = 0; carries && i < height; i++) {
		for (size_t p = 0; p < count; p++) {
			struct ink_row *row = &rows[p];

			row->x = x + (p * height + i) * width;
			row->level = level + (p * height + i) * width;
			row->grey = !transparent(row->x, width);
			memset(row->next, 0, stride * sizeof *row->next);
			memset(row->one, 0, sizeof row->one);
			memset(row->two, 0, sizeof row->two);
		}
		for (size_t j = 0; j < width; j++)
			colour_pixel(rows, steps, count, j, levels, end, light);
		for (size_t p = 0; p < count; p++) {
			long *carry = rows[p].carry;

			if (!rows[p].grey)
				continue;
			rows[p].carry = rows[p].next;
			rows[p].next = carry;
		}
	}
	done = carries != NULL;
	free(carries);
	return done;
}

bool oracle_halftone(const uint16_t *x, size_t width, size_t height, unsigned levels,
		     const char *filter, unsigned plane, bool noise, uint8_t *level)
{
	const struct kernel *kernel = NULL;
	int16_t *error, *above[3] = { NULL, NULL, NULL };
	long weight[12];
	bool first = true;

	if (!strcmp(filter, "blue-noise"))
		return blue_noise(x, width, height, levels, plane, noise, level);
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
		if (!strcmp(filter, kernels[k].name))
			kernel = &kernels[k];
	error = malloc((height ? height : 1) * (width ? width : 1) * sizeof *error);
	if (!kernel || !error) {
		free(error);
		return false;
	}
	weigh(kernel, weight);
	for (size_t i = 0; i < height; i++, x += width, level += width) {
		if (transparent(x, width)) {
			for (size_t j = 0; j < width; j++)
				level[j] = x[j] ? levels - 1 : 0;
			continue;
		}
		above[2] = above[1];
		above[1] = above[0];
		above[0] = error + i * width;
		for (size_t j = 0; j < width; j++) {
			long t = (long)x[j] * (levels - 1);
			long sum = t + t / 65535 + gathered(kernel, weight, above, j, width);

			if (first && noise)
				sum += noise_at(j, plane);
			level[j] = floor_div(sum + 32768, 65536);
			above[0][j] = sum - 65536 * (long)level[j];
		}
		first = false;
	}
	free(error);
	return true;
}

uint16_t oracle_x8(unsigned v)
{
	return 257 * v;
}

uint16_t oracle_x_of(unsigned v, unsigned maximum)
{
	return (uint16_t)floor(65535.0 * v / maximum + 0.5);
}

unsigned oracle_bits(unsigned levels)
{
	return levels == 2 ? 1 : levels <= 4 ? 2 : 4;
}

unsigned oracle_unpack(const uint8_t *row, size_t index, unsigned bits)
{
	size_t at = index * bits;

	return row[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1);
}
