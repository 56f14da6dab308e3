/* Pinwheel error diffusion. */
#include "pinwheel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SIDE  14              /* of a block, as in Zhang et al. */
#define LOCAL (SIDE + 2)      /* with the pixels around it, which take errors */
#define LANES 16              /* blocks at a time */

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t lane_masks __attribute__((vector_size(LANES * sizeof(int32_t))));

/* A pixel of a spiral: its place in the local square, and who takes which share. */
struct step {
	int16_t at, target[4];
	float   share[4];
};

/* What blocks get from the blocks around them, and give: errors at their edges. */
struct edges {
	float *down, *up;    /* by column of the image */
	float *right, *left; /* by block and row of the block */
};

struct pinwheel {
	uint32_t width, height;
	uint32_t across;           /* blocks in a row */
	struct step outward[SIDE * SIDE], inward[SIDE * SIDE];
	struct edges edges[3];     /* of the blocks' rows k - 1, k, k + 1, modulo 3 */
	float *memory;
	void (*spiral)(const struct step *steps, lanes *error, const lanes *light, lanes *dots);
};

/* The steps of a spiral.  Inwards it begins at the top left corner and goes clockwise;
 * outwards is the same way back.  Either way the pixels to come lie on the right hand. */
static void plan(bool outward, struct step *steps)
{
	static const int turn_y[4] = { 0, 1, 0, -1 }, turn_x[4] = { 1, 0, -1, 0 };
	static const float shares[4] = { 7 / 16.f, 3 / 16.f, 5 / 16.f, 1 / 16.f };
	int y[SIDE * SIDE], x[SIDE * SIDE], when[LOCAL][LOCAL];

	/* Around the block: pixels of other blocks, which take errors only if those blocks
	 * come later.  Diagonal neighbours are of the same colour. */
	for (int i = 0; i < LOCAL; i++)
		for (int j = 0; j < LOCAL; j++) {
			const bool corner = (i == 0 || i == LOCAL - 1) &&
					    (j == 0 || j == LOCAL - 1);

			when[i][j] = outward && !corner ? SIDE * SIDE : -1;
		}
	for (int i = 1; i <= SIDE; i++)
		for (int j = 1; j <= SIDE; j++)
			when[i][j] = SIDE * SIDE + 1; /* not yet reached */
	for (int k = 0, i = 1, j = 1, d = 0; k < SIDE * SIDE; k++) {
		const int place = outward ? SIDE * SIDE - 1 - k : k;

		y[place] = i;
		x[place] = j;
		when[i][j] = place;
		/* Turn right at the edge and at the spiral itself. */
		if (i + turn_y[d] < 1 || i + turn_y[d] > SIDE || j + turn_x[d] < 1 ||
		    j + turn_x[d] > SIDE || when[i + turn_y[d]][j + turn_x[d]] <= SIDE * SIDE)
			d = (d + 1) % 4;
		i += turn_y[d];
		j += turn_x[d];
	}
	for (int k = 0; k < SIDE * SIDE; k++) {
		/* The last pixel goes on as the one before. */
		const int a = k + 1 < SIDE * SIDE ? k : k - 1;
		const int fy = y[a + 1] - y[a], fx = x[a + 1] - x[a];
		const int ry = fx, rx = -fy; /* right hand; y points down */
		const int ty[4] = { fy, ry - fy, ry, ry + fy },
			  tx[4] = { fx, rx - fx, rx, rx + fx };
		float sum = 0;

		steps[k].at = (int16_t)(y[k] * LOCAL + x[k]);
		for (int t = 0; t < 4; t++) {
			const int i = y[k] + ty[t], j = x[k] + tx[t];
			const bool later = when[i][j] > k;

			/* Local corner (0, 0) is nobody's: a share of 0 goes there. */
			steps[k].target[t] = (int16_t)(later ? i * LOCAL + j : 0);
			steps[k].share[t] = later ? shares[t] : 0;
			sum += steps[k].share[t];
		}
		/* What has nowhere to go is spread over the others. */
		for (int t = 0; t < 4; t++)
			steps[k].share[t] /= sum > 0 ? sum : 1;
	}
}

/* One block in each lane.  light: 0..1; dots: 0 or 1. */
static inline __attribute__((always_inline)) void
spiral(const struct step *steps, lanes *error, const lanes *light, lanes *dots)
{
	const lanes half = (lanes){ 0 } + 0.5f, one = (lanes){ 0 } + 1;

	for (const struct step *s = steps; s < steps + SIDE * SIDE; s++) {
		const lanes v = light[s->at] + error[s->at];
		const lanes dot = (lanes)((lane_masks)one & (v >= half));
		const lanes e = v - dot;

		dots[s->at] = dot;
		for (int t = 0; t < 4; t++)
			error[s->target[t]] += e * s->share[t];
	}
}

static void spiral_plain(const struct step *steps, lanes *error, const lanes *light, lanes *dots)
{
	spiral(steps, error, light, dots);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static void
spiral_avx2(const struct step *steps, lanes *error, const lanes *light, lanes *dots)
{
	spiral(steps, error, light, dots);
}

__attribute__((target("avx512f"))) static void
spiral_avx512(const struct step *steps, lanes *error, const lanes *light, lanes *dots)
{
	spiral(steps, error, light, dots);
}
#endif

struct pinwheel *pinwheel_new(uint32_t width, uint32_t height)
{
	struct pinwheel *p = calloc(1, sizeof *p);
	size_t columns, each;

	if (!p)
		return NULL;
	p->width = width;
	p->height = height;
	p->across = (width + SIDE - 1) / SIDE;
	columns = (size_t)p->across * SIDE;
	each = 4 * columns;
	p->memory = calloc(3 * each, sizeof *p->memory);
	if (!p->memory) {
		free(p);
		return NULL;
	}
	for (int k = 0; k < 3; k++) {
		float *at = p->memory + k * each;

		p->edges[k] = (struct edges){ at, at + columns, at + 2 * columns,
					      at + 3 * columns };
	}
	plan(true, p->outward);
	plan(false, p->inward);
	p->spiral = spiral_plain;
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		p->spiral = spiral_avx2;
	if (__builtin_cpu_supports("avx512f"))
		p->spiral = spiral_avx512;
#endif
	return p;
}

void pinwheel_free(struct pinwheel *p)
{
	if (!p)
		return;
	free(p->memory);
	free(p);
}

struct work {
	lanes error[LOCAL * LOCAL], light[LOCAL * LOCAL], dots[LOCAL * LOCAL];
};

/* The pixels of a block, in a lane; past the image's edges, its last ones again. */
static void load(const struct pinwheel *p, const uint8_t *in, size_t pitch, uint32_t row,
		 uint32_t block, int lane, struct work *w)
{
	for (uint32_t i = 0; i < SIDE; i++) {
		const uint32_t y = row * SIDE + i < p->height ? row * SIDE + i : p->height - 1;

		for (uint32_t j = 0; j < SIDE; j++) {
			const uint32_t x = block * SIDE + j < p->width ? block * SIDE + j :
									 p->width - 1;

			w->light[(i + 1) * LOCAL + j + 1][lane] = (float)in[y * pitch + x] *
								  (1 / 255.f);
		}
	}
}

static void store(const struct pinwheel *p, const struct work *w, uint32_t row, uint32_t block,
		  int lane, uint8_t *dots, size_t pitch)
{
	for (uint32_t i = 0; i < SIDE && row * SIDE + i < p->height; i++)
		for (uint32_t j = 0; j < SIDE && block * SIDE + j < p->width; j++)
			dots[(row * SIDE + i) * pitch + block * SIDE + j] =
				(uint8_t)w->dots[(i + 1) * LOCAL + j + 1][lane];
}

/* Hands a white block's errors to the blocks around it. */
static void give(struct edges *edges, const struct work *w, uint32_t block, int lane)
{
	const size_t at = (size_t)block * SIDE;

	for (int k = 0; k < SIDE; k++) {
		edges->up[at + k] = w->error[k + 1][lane];
		edges->down[at + k] = w->error[(LOCAL - 1) * LOCAL + k + 1][lane];
		edges->left[at + k] = w->error[(k + 1) * LOCAL][lane];
		edges->right[at + k] = w->error[(k + 1) * LOCAL + LOCAL - 1][lane];
	}
}

/* Adds what the white blocks around a black one gave. */
static void take(const struct pinwheel *p, uint32_t row, uint32_t block, int lane, struct work *w)
{
	const size_t at = (size_t)block * SIDE;
	const struct edges *edges = &p->edges[row % 3];

	for (int k = 0; k < SIDE; k++) {
		if (row > 0)
			w->error[LOCAL + k + 1][lane] += p->edges[(row + 2) % 3].down[at + k];
		if ((row + 1) * SIDE < p->height)
			w->error[SIDE * LOCAL + k + 1][lane] += p->edges[(row + 1) % 3].up[at + k];
		if (block > 0)
			w->error[(k + 1) * LOCAL + 1][lane] += edges->right[at - SIDE + k];
		if (block + 1 < p->across)
			w->error[(k + 1) * LOCAL + SIDE][lane] += edges->left[at + SIDE + k];
	}
}

/* The blocks of one colour in a row of blocks. */
static void halftone_row(struct pinwheel *p, bool white, uint32_t row, const uint8_t *in,
			 size_t pitch, uint8_t *dots, size_t dots_pitch)
{
	static struct work w;
	const uint32_t first = (row + !white) % 2;

	for (uint32_t block = first; block < p->across; block += 2 * LANES) {
		memset(w.error, 0, sizeof w.error);
		for (uint32_t k = 0; k < LANES && block + 2 * k < p->across; k++) {
			load(p, in, pitch, row, block + 2 * k, (int)k, &w);
			if (!white)
				take(p, row, block + 2 * k, (int)k, &w);
		}
		p->spiral(white ? p->outward : p->inward, w.error, w.light, w.dots);
		for (uint32_t k = 0; k < LANES && block + 2 * k < p->across; k++) {
			store(p, &w, row, block + 2 * k, (int)k, dots, dots_pitch);
			if (white)
				give(&p->edges[row % 3], &w, block + 2 * k, (int)k);
		}
	}
}

void pinwheel_halftone(struct pinwheel *p, const uint8_t *in, size_t pitch, uint8_t *dots,
		       size_t dots_pitch)
{
	const uint32_t rows = (p->height + SIDE - 1) / SIDE;

	/* Black blocks when all white ones around them are done: a row later. */
	for (uint32_t row = 0; row <= rows; row++) {
		if (row < rows)
			halftone_row(p, true, row, in, pitch, dots, dots_pitch);
		if (row > 0)
			halftone_row(p, false, row - 1, in, pitch, dots, dots_pitch);
	}
}
