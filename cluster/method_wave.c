/*
 * wave: strips of whole rows, dealt to the workers in turn.  Each strip follows the strip above
 * as closely as its columns of carry arrive.
 *
 * Whole rows keep the rule of transparent rows local, and every read and write contiguous.
 */
#include <errno.h>
#include <string.h>

#include "cluster_costs.h"
#include "halftone/wave.h"
#include "image/complain.h"
#include "stopwatch.h"
#include "worker.h"

/* Columns that are computed before the next worker on the same line is told. */
#define STEP 1024

static int complain(const struct rip_worker *worker, int r)
{
	return rip_complain(r, "cannot halftone %s: %s", worker->cluster->file.input.name, strerror(-r));
}

struct wave_method {
	struct rip_worker *worker;
	struct rip_wave   *wave;
};

static int halftone(void *method, const struct rip_strip *strip)
{
	struct rip_worker *worker = ((struct wave_method *)method)->worker;
	struct rip_wave *wave = ((struct wave_method *)method)->wave;
	struct rip_carry_link *link = &worker->link;
	const uint32_t width = worker->cluster->spec.width, block = rip_wave_block(wave);
	const uint32_t columns = worker->cluster->plan.columns;
	const uint32_t step = rip_carry_link_sends(link) || columns > STEP ? columns : STEP;
	uint32_t front = 0, ready = 0;

	rip_wave_begin(wave, strip, link->line->rows);
	while (ready < width) {
		const uint32_t need = width - front < block ? width : front + block;
		const uint32_t arrived = rip_worker_wait(worker, need);
		int r;

		front = arrived - front < step ? arrived : front + step;
		r = rip_wave_advance(wave, front, &ready);
		if (r < 0)
			return complain(worker, r);
		rip_carry_link_pass(link, ready);
	}
	return 0;
}

static int run(struct rip_worker *worker)
{
	const struct rip_cluster *cluster = worker->cluster;
	struct wave_method method = { .worker = worker };
	int r = rip_wave_new(&cluster->spec, cluster->isa, cluster->plan.rows, &method.wave);

	if (r < 0)
		return complain(worker, r);
	r = rip_worker_each_strip(worker, halftone, &method);
	rip_wave_free(method.wave);
	return r;
}

/* --- r and k ------------------------------------------------------------------------------ */

/* Smaller images are done before measuring is. */
#define WORTH_MEASURING 67108864 /* pixels */

/* The least r and k are the first to be tried; others must be better than the measurement is
 * wrong. */
#define WORTH         0.97
#define ROWS_LEAST    64
#define ROWS_MOST     1024
#define COLUMNS_LEAST 256
#define COLUMNS_MOST  32768

/* Tries r with all k that are open. */
static int try_columns(const struct rip_cluster *cluster, const struct rip_cluster_shape *shape,
		       struct rip_cluster_costs *costs, uint32_t rows, uint32_t fixed,
		       struct rip_cluster_plan *best, double *least)
{
	uint32_t columns = fixed ? fixed : COLUMNS_LEAST;
	int r = 0;

	for (; r == 0 && (fixed ? columns == fixed : columns <= COLUMNS_MOST && columns < shape->width);
	     columns *= 2) {
		double seconds;

		if (shape->far > 0)
			r = rip_cluster_costs_message(cluster, columns, costs);
		seconds = rip_cluster_model(shape, costs, rows, columns);
		if (seconds < *least * WORTH) {
			*least = seconds;
			*best = (struct rip_cluster_plan){ rows, columns };
		}
		if (shape->far == 0)
			break;
	}
	return r;
}

/* By the model, with what pixels and messages cost here. */
static int choose(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	const struct rip_cluster_plan fixed = *plan;
	struct rip_cluster_shape shape = {
		.width = cluster->spec.width, .height = cluster->file.image->height,
		.workers = cluster->workers, .far = rip_cluster_costs_far(cluster), .step = STEP,
	};
	struct rip_cluster_costs costs = { .near = 0.5e-6 };
	uint32_t rows = fixed.rows ? fixed.rows : ROWS_LEAST;
	double least = 1e99;
	struct rip_wave *wave;
	int r = rip_ranks_agree(&cluster->ranks, rip_wave_new(&cluster->spec, cluster->isa, 1, &wave));

	for (; r == 0 && (fixed.rows ? rows == fixed.rows : rows <= ROWS_MOST && rows < shape.height);
	     rows *= 2) {
		shape.lag = rip_wave_lag(wave, rows);
		r = rip_ranks_agree(&cluster->ranks, rip_cluster_costs_pixel(cluster, rows, &costs.pixel));
		if (r == 0)
			r = try_columns(cluster, &shape, &costs, rows, fixed.columns, plan, &least);
	}
	rip_wave_free(wave);
	return r;
}

static int plan(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	const double pixels = (double)cluster->spec.width * cluster->file.image->height;
	int r = 0;

	if ((!plan->rows || !plan->columns) && pixels >= WORTH_MEASURING &&
	    cluster->workers > 1 && cluster->spec.screen->reach > 0)
		r = choose(cluster, plan);
	if (!plan->rows)
		plan->rows = ROWS_LEAST;
	if (!plan->columns)
		plan->columns = 4 * COLUMNS_LEAST;
	if (r < 0 && cluster->ranks.rank == 0) /* it is the same in all ranks */
		rip_complain(r, "cannot choose --rows and --columns: %s", strerror(-r));
	return r;
}

const struct rip_cluster_method rip_method_wave = {
	.name = "wave", .about = "strips of whole rows follow each other", .plan = plan, .run = run,
};
