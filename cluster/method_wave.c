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
#include "system/clock.h"
#include "worker.h"

/* Columns that are computed before the next worker on the same line is told. */
#define STEP 1024

static int complain(const struct rip_worker *worker, int r)
{
	return rip_complain(r, "cannot halftone %s: %s", worker->cluster->file.input.name,
			    strerror(-r));
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

#define COLUMNS_TRIES 8 /* from COLUMNS_LEAST to COLUMNS_MOST */

/* A k to try, and what its messages cost. */
struct candidate {
	uint32_t columns;
	struct rip_cluster_costs costs;
};

/* All k that are open: where no messages are sent, one will do.  Measures each once.  Returns
 * how many there are, or -errno, the same in all ranks. */
static int find_columns(const struct rip_cluster *cluster, const struct rip_cluster_shape *shape,
			uint32_t fixed, struct candidate candidates[COLUMNS_TRIES])
{
	const uint32_t most = shape->far > 0 ? COLUMNS_MOST : COLUMNS_LEAST;
	int count = 0, r = 0;

	for (uint32_t k = COLUMNS_LEAST; !fixed && k <= most && k < shape->width; k *= 2)
		candidates[count++].columns = k;
	if (fixed)
		candidates[count++].columns = fixed;
	for (int i = 0; r == 0 && i < count; i++) {
		candidates[i].costs = (struct rip_cluster_costs){ .near = 0.5e-6 };
		if (shape->far > 0)
			r = rip_cluster_costs_message(cluster, candidates[i].columns,
						      &candidates[i].costs);
	}
	return r < 0 ? r : count;
}

/* By the model, with what pixels and messages cost here. */
static int choose(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	const struct rip_cluster_plan fixed = *plan;
	struct rip_cluster_shape shape = {
		.width = cluster->spec.width, .height = cluster->file.image->height,
		.workers = cluster->workers, .far = rip_cluster_costs_far(cluster), .step = STEP,
	};
	struct candidate candidates[COLUMNS_TRIES];
	const int count = find_columns(cluster, &shape, fixed.columns, candidates);
	uint32_t rows = fixed.rows ? fixed.rows : ROWS_LEAST;
	double least = 1e99;
	struct rip_wave *wave = NULL;
	int r = count;

	if (r >= 0)
		r = rip_ranks_agree(&cluster->ranks,
				    rip_wave_new(&cluster->spec, cluster->isa, 1, &wave));
	while (r == 0 && (fixed.rows ? rows == fixed.rows :
				       rows <= ROWS_MOST && rows < shape.height)) {
		double pixel;

		shape.lag = rip_wave_lag(wave, rows);
		r = rip_ranks_agree(&cluster->ranks,
				    rip_cluster_costs_pixel(cluster, rows, &pixel));
		for (int i = 0; r == 0 && i < count; i++) {
			double seconds;

			candidates[i].costs.pixel = pixel;
			seconds = rip_cluster_model(&shape, &candidates[i].costs, rows,
						    candidates[i].columns);
			if (seconds < least * WORTH) {
				least = seconds;
				*plan = (struct rip_cluster_plan){ rows, candidates[i].columns };
			}
		}
		rows *= 2;
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
