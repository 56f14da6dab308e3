/*
 * wave: strips of whole rows, dealt to the workers in turn.  Each strip follows the strip above
 * as closely as its columns of carry arrive.
 *
 * Whole rows keep the rule of transparent rows local, and every read and write contiguous.
 */
#include <string.h>

#include "halftone/wave.h"
#include "image/complain.h"
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
	const uint32_t step = link->out || columns > STEP ? columns : STEP;
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

/*
 * r, the rows of a strip, and k, the columns of a message.
 *
 * A strip starts max(k, 4r + 64) columns and a message behind the strip above, so few rows and
 * short messages let all workers start early.  A message has as many values for 256 rows as for
 * 64, so where messages are slow, 256 rows lose less time to them; but then each worker must have
 * many strips, or most workers wait while some do their last one.
 */
#define ROWS       64 /* what the widest kernel computes at once */
#define ROWS_FAR   256
#define STRIPS_FAR 16 /* of each worker at least, for ROWS_FAR */
#define COLUMNS    1024

static int plan(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	const bool far = !cluster->window || !cluster->ranks.one_node;
	const uint64_t high = (uint64_t)cluster->workers * STRIPS_FAR * ROWS_FAR;

	if (!plan->rows)
		plan->rows = far && cluster->file.image->height >= high ? ROWS_FAR : ROWS;
	if (!plan->columns)
		plan->columns = COLUMNS;
	return 0;
}

const struct rip_cluster_method rip_method_wave = {
	.name = "wave", .about = "strips of whole rows follow each other", .plan = plan, .run = run,
};
