/*
 * wave: strips of whole rows, dealt to the workers in turn.  Each strip follows the strip above
 * as closely as its columns of carry arrive.
 *
 * Whole rows keep the rule of transparent rows local, and every read and write contiguous.
 */
#include <errno.h>
#include <string.h>

#include "halftone/wave.h"
#include "image/complain.h"
#include "stopwatch.h"
#include "worker.h"

/* Columns that are computed before the next worker on the same line is told. */
#define STEP 512

static int complain(const struct rip_worker *worker, int r)
{
	return rip_complain(r, "cannot halftone %s: %s", worker->cluster->file.input.name, strerror(-r));
}

/* Advances a strip that has begun until it is complete. */
static int advance(struct rip_worker *worker, struct rip_wave *wave)
{
	struct rip_carry_link *link = &worker->link;
	const uint32_t width = worker->cluster->spec.width, block = rip_wave_block(wave);
	const uint32_t columns = worker->cluster->plan.columns;
	const uint32_t step = rip_carry_link_sends(link) || columns > STEP ? columns : STEP;
	uint32_t front = 0, ready = 0;
	int r = 0;

	while (r == 0 && ready < width) {
		const uint32_t need = width - front < block ? width : front + block;
		uint32_t arrived = rip_carry_link_arrived(link);

		if (arrived < need) {
			const double start = rip_stopwatch();

			arrived = rip_carry_link_wait(link, need);
			worker->wait_seconds += rip_stopwatch() - start;
		}
		front = arrived - front < step ? arrived : front + step;
		r = rip_wave_advance(wave, front, &ready);
		rip_carry_link_pass(link, ready);
	}
	return r;
}

static int run_strip(struct rip_worker *worker, struct rip_wave *wave, uint64_t number)
{
	struct rip_strip strip;
	double start, waited;
	int r = rip_strip_store_get(&worker->strips, number, &strip);

	if (r < 0)
		return r;
	start = rip_stopwatch();
	waited = worker->wait_seconds;
	rip_carry_link_begin(&worker->link, number);
	rip_wave_begin(wave, &strip, worker->link.line->rows);
	r = advance(worker, wave);
	if (r < 0)
		return complain(worker, r);
	worker->compute_seconds += rip_stopwatch() - start - (worker->wait_seconds - waited);
	return rip_strip_store_put(&worker->strips, number);
}

static int run(struct rip_worker *worker)
{
	const struct rip_cluster *cluster = worker->cluster;
	struct rip_wave *wave;
	int r = rip_wave_new(&cluster->spec, cluster->isa, cluster->plan.rows, &wave);

	if (r < 0)
		return complain(worker, r);
	for (uint64_t s = worker->number; r == 0 && s < rip_worker_strips(worker); s += cluster->workers) {
		r = run_strip(worker, wave, s);
		rip_worker_progress(worker, s);
	}
	rip_wave_free(wave);
	return r;
}

static int plan(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	if (!plan->rows)
		plan->rows = 64;
	if (!plan->columns)
		plan->columns = 2048;
	return 0;
}

const struct rip_cluster_method rip_method_wave = {
	.name = "wave", .about = "strips of whole rows follow each other", .plan = plan, .run = run,
};
