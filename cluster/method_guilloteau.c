/*
 * lines, blocks, zigzag: the methods of Q. Guilloteau, "Parallel Dithering: How Fast Can We Go?",
 * for any width, height, number of ranks and size of blocks.
 *
 * - lines (section 4): rows are dealt to the ranks in turn; one message a pixel.
 * - blocks (section 5): the same, with a message for each block of k columns.
 * - zigzag (sections 6 and 7): strips of r rows are dealt; a rank goes through the blocks of k
 *   columns of its strip on diagonals, each row a block behind the row above.
 *
 * So lines is zigzag with r = k = 1, and blocks is zigzag with r = 1.  A block is passed on
 * when it has the errors of the columns beside it.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/diffuse.h"
#include "image/complain.h"
#include "worker.h"

/* What a worker keeps from strip to strip. */
struct zigzag {
	struct rip_worker  *worker;
	struct rip_tone     tone;
	struct rip_diffuser diffuser; /* its rows are the carry line */
	struct rip_diffuser_cache *caches; /* of the rows of a strip */
	uint32_t width, block; /* columns */
	uint32_t blocks;       /* of a row */
	uint32_t shift;        /* blocks that a row is behind the row above */
	uint32_t margin;       /* columns that are complete later than their pixels */
};

/* The first column after a number of blocks. */
static uint32_t end_of(const struct zigzag *z, uint32_t blocks)
{
	return rip_least((uint64_t)blocks * z->block, z->width);
}

/* Passes on the blocks that are complete when `done` columns are, each in a message of its own.
 * *passed: blocks. */
static void pass(struct zigzag *z, uint32_t done, uint32_t *passed)
{
	const uint32_t ready = done == z->width ? done : done > z->margin ? done - z->margin : 0;

	while (*passed < z->blocks && end_of(z, *passed + 1) <= ready)
		rip_carry_link_pass(&z->worker->link, end_of(z, ++*passed));
}

/* A strip without grey rows: its carry goes on as it arrives. */
static void forward(struct zigzag *z)
{
	for (uint32_t i = 1; i <= z->blocks; i++) {
		rip_worker_wait(z->worker, end_of(z, i));
		rip_carry_link_pass(&z->worker->link, end_of(z, i));
	}
}

static void diagonals(struct zigzag *z, const struct rip_strip *strip)
{
	const uint64_t count = z->blocks + (uint64_t)z->shift * (strip->rows - 1);
	uint32_t passed = 0;

	for (uint64_t diagonal = 0; diagonal < count; diagonal++) {
		const uint64_t first = diagonal < z->blocks ? 0 :
				       (diagonal - z->blocks) / z->shift + 1;

		if (diagonal < z->blocks)
			rip_worker_wait(z->worker, end_of(z, (uint32_t)diagonal + 1));
		for (uint64_t row = first; row < strip->rows && row * z->shift <= diagonal; row++) {
			const uint32_t block = (uint32_t)(diagonal - row * z->shift);

			rip_diffuser_columns(&z->diffuser, strip, (uint32_t)row, end_of(z, block),
					     end_of(z, block + 1), &z->caches[row]);
			if (row == strip->rows - 1)
				pass(z, end_of(z, block + 1), &passed);
		}
	}
}

static int halftone(void *method, const struct rip_strip *strip)
{
	if (strip->rows > 0)
		diagonals(method, strip);
	else
		forward(method);
	return 0;
}

static int run(struct rip_worker *worker)
{
	const struct rip_cluster *cluster = worker->cluster;
	struct zigzag z = {
		.worker = worker, .width = cluster->spec.width, .block = cluster->plan.columns,
		.caches = calloc(cluster->plan.rows, sizeof *z.caches),
	};
	int16_t *own[RIP_REACH_MAX];
	int r = z.caches ? rip_tone_init(&z.tone, &cluster->spec) : -ENOMEM;

	if (r == 0)
		r = rip_diffuser_init(&z.diffuser, &cluster->spec, &z.tone, false);
	if (r < 0) {
		rip_complain(r, "cannot halftone %s: %s", cluster->file.input.name, strerror(-r));
	} else {
		z.blocks = (z.width - 1) / z.block + 1;
		z.margin = rip_diffuser_needs(&z.diffuser, 0);
		z.shift = (z.margin - 1) / z.block + 1;
		memcpy(own, z.diffuser.rows, sizeof own);
		memcpy(z.diffuser.rows, worker->link.line->rows, sizeof own);
		r = rip_worker_each_strip(worker, halftone, &z);
		memcpy(z.diffuser.rows, own, sizeof own);
	}
	rip_diffuser_finish(&z.diffuser);
	rip_tone_finish(&z.tone);
	free(z.caches);
	return r;
}

/* --- plans -------------------------------------------------------------------------------- */

static int check(const struct rip_cluster *cluster)
{
	if (rip_diffuser_takes(&cluster->spec))
		return 0;
	if (cluster->ranks.rank == 0)
		rip_complain(-EINVAL, "the method %s cannot do the screen %s: use --method wave",
			     cluster->options.method->name, cluster->spec.screen->name);
	return -EINVAL;
}

static void choose(uint32_t *value, double chosen)
{
	if (!*value)
		*value = chosen < 1 ? 1 : (uint32_t)chosen;
}

/* p is the number of ranks, k the columns of a block, r the rows of a strip. */
static int plan_lines(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	choose(&plan->rows, 1);
	choose(&plan->columns, 1);
	return check(cluster);
}

/* k = W / 2p: equation 7. */
static int plan_blocks(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	choose(&plan->rows, 1);
	choose(&plan->columns, cluster->spec.width / (2.0 * cluster->workers));
	return check(cluster);
}

/* r = sqrt(2H), k = W / (p sqrt(2H)): section 7.4.  He has a strip for each rank at least
 * (section 7.2). */
static int plan_zigzag(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	const double height = cluster->file.image->height, workers = cluster->workers;

	choose(&plan->rows, fmin(sqrt(2 * height), ceil(height / workers)));
	choose(&plan->columns, cluster->spec.width / (workers * sqrt(2 * height)));
	return check(cluster);
}

const struct rip_cluster_method rip_method_lines = {
	.name = "lines", .about = "Guilloteau, section 4: rows in turn, a message a pixel",
	.processes = true, .plan = plan_lines, .run = run,
};
const struct rip_cluster_method rip_method_blocks = {
	.name = "blocks", .about = "Guilloteau, section 5: rows in turn, a message a block",
	.processes = true, .plan = plan_blocks, .run = run,
};
const struct rip_cluster_method rip_method_zigzag = {
	.name = "zigzag",
	.about = "Guilloteau, sections 6 and 7: strips of rows, blocks on diagonals",
	.processes = true, .plan = plan_zigzag, .run = run,
};
