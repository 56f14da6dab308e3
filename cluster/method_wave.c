/*
 * wave: strips of whole rows, dealt to the workers in turn.  Each strip follows the strip above
 * as closely as its columns of carry arrive.
 *
 * Whole rows keep the rule of transparent rows local, and every read and write contiguous.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the model ---------------------------------------------------------------------------- */

/*
 * How long a run takes, as a function of what machine and network cost: for the choice of r
 * (rows of a strip) and k (columns of a message).
 *
 * A column of a strip costs r pixels.  A strip is ready `lag` columns behind its front, so the
 * strip below starts
 *
 *	d = max(k, lag) * r * pixel + message + latency(k)     by messages
 *	d = max(step, lag) * r * pixel + near                  in shared memory
 *
 * after it, and all of it takes T = (width + lag) * r * pixel + (width / k) * message.  A round of
 * p strips takes the longer of T (a worker does one strip after the other) and of the sum of d
 * around the ring (the carry comes back to the first worker).
 *
 *	time = (rounds - 1) * max(T, ring) + ring / p * (workers in the last round - 1) + T
 */
struct costs {
	double pixel;   /* seconds of one worker */
	double near;    /* from a worker to the next one on the same carry line, seconds */
	double message; /* that a message of k columns takes its sender and receiver, seconds */
	double latency; /* from its sender to its receiver, seconds */
};

struct shape {
	uint32_t width, height;
	uint32_t workers, far; /* of the workers, those that send messages */
	uint32_t lag;          /* columns, of a strip of r rows */
	uint32_t step;         /* columns that are passed on at a time in shared memory */
};

static double largest(double a, double b)
{
	return a > b ? a : b;
}

/* Seconds for strips of r rows and messages of k columns. */
static double model(const struct shape *shape, const struct costs *costs, uint32_t r, uint32_t k)
{
	const uint32_t p = shape->workers, strips = (shape->height - 1) / r + 1;
	const uint32_t rounds = (strips - 1) / p + 1, in_last = (strips - 1) % p;
	const double column = r * costs->pixel;
	const double far = largest(k, shape->lag) * column + costs->message + costs->latency;
	const double near = p > 1 ? largest(shape->step, shape->lag) * column + costs->near : 0;
	const double ring = shape->far * far + (p - shape->far) * near;
	const double messages = shape->far ? (double)shape->width / k * costs->message : 0;
	const double strip = ((double)shape->width + shape->lag) * column + messages;

	return (rounds - 1) * largest(strip, ring) + ring / p * in_last + strip;
}

/* --- what pixels and messages cost here --------------------------------------------------- */

#define WIDTH   16384  /* of a strip that is measured, at most */
#define TURNS   4      /* of which the fastest counts */
#define ROUNDS  10     /* of messages */
#define STREAM  16     /* messages at once */
#define TAG     2

/* A grey strip as wide as the page, or less, in steps as with a carry that arrives in parts. */
static int time_strip(const struct rip_page_spec *spec, struct rip_wave *wave, uint32_t rows,
		      double *pixel)
{
	const size_t in_pitch = (size_t)spec->width * (spec->sample_bits / 8);
	const size_t out_pitch = rip_dot_bytes(spec->width, spec->levels);
	uint8_t *in = malloc(rows * in_pitch), *out = malloc(rows * out_pitch);
	const size_t row = RIP_WAVE_PAD + (size_t)spec->width + RIP_WAVE_PAD;
	int16_t *carry = calloc((size_t)RIP_REACH_MAX * row, sizeof *carry);
	uint32_t *numbers = calloc(rows, sizeof *numbers);
	double taken;
	int r = in && out && carry && numbers ? 0 : -ENOMEM;

	if (r == 0)
		memset(in, 100, rows * in_pitch);
	for (int i = 0; r == 0 && i < TURNS; i++) {
		const struct rip_strip strip = {
			.rows = rows, .in = in, .in_pitch = (ptrdiff_t)in_pitch,
			.out = out, .out_pitch = (ptrdiff_t)out_pitch, .row_numbers = numbers,
		};
		int16_t *const rows_of_carry[RIP_REACH_MAX] = {
			carry + RIP_WAVE_PAD, carry + row + RIP_WAVE_PAD,
		};
		const double start = rip_clock_s();
		uint32_t front = 0, ready = 0;

		memset(carry, 0, RIP_REACH_MAX * row * sizeof *carry);
		rip_wave_begin(wave, &strip, rows_of_carry);
		while (r == 0 && ready < spec->width) {
			front = spec->width - front < STEP ? spec->width : front + STEP;
			r = rip_wave_advance(wave, front, &ready);
		}
		taken = (rip_clock_s() - start) / ((double)rows * spec->width);
		*pixel = i == 0 || taken < *pixel ? taken : *pixel;
	}
	free(in);
	free(out);
	free(carry);
	free(numbers);
	return r;
}

/* The seconds that a pixel takes in strips of so many rows, the slowest rank's.  All ranks call it.
 * 0 or -errno. */
static int measure_pixel(const struct rip_cluster *cluster, uint32_t rows, double *pixel)
{
	struct rip_page_spec spec = cluster->spec;
	struct rip_wave *wave;
	double mine = 0;
	int r;

	if (spec.width > WIDTH)
		spec.width = WIDTH;
	r = rip_wave_new(&spec, cluster->isa, rows, &wave);
	if (r == 0)
		r = time_strip(&spec, wave, rows, &mine);
	rip_wave_free(wave);
	MPI_Allreduce(&mine, pixel, 1, MPI_DOUBLE, MPI_MAX, cluster->ranks.comm);
	return r;
}

/* How many workers send messages. */
static uint32_t count_far(const struct rip_cluster *cluster)
{
	const struct rip_ranks *ranks = &cluster->ranks;
	const int sends = !cluster->window || ranks->node_rank == ranks->node_count - 1;
	int all;

	if (ranks->count == 1 || (cluster->window && ranks->one_node))
		return 0;
	MPI_Allreduce(&sends, &all, 1, MPI_INT, MPI_SUM, ranks->comm);
	return (uint32_t)all;
}

/* The neighbours of this rank in the ring of messages, or MPI_PROC_NULL. */
struct neighbours {
	int before, after;
};

static struct neighbours find_neighbours(const struct rip_cluster *cluster)
{
	const struct rip_ranks *ranks = &cluster->ranks;
	struct neighbours n = { MPI_PROC_NULL, MPI_PROC_NULL };

	if (count_far(cluster) == 0)
		return n;
	if (!cluster->window || ranks->node_rank == 0)
		n.before = (ranks->rank + ranks->count - 1) % ranks->count;
	if (!cluster->window || ranks->node_rank == ranks->node_count - 1)
		n.after = (ranks->rank + 1) % ranks->count;
	return n;
}

static double time_round(const struct neighbours *n, MPI_Comm comm, char *boxes, int size,
			 int count)
{
	MPI_Request requests[2 * STREAM];
	const double start = rip_clock_s();

	for (int i = 0; i < count; i++)
		MPI_Irecv(boxes + i * size, size, MPI_BYTE, n->before, TAG, comm, &requests[i]);
	for (int i = 0; i < count; i++)
		MPI_Isend(boxes + STREAM * size, size, MPI_BYTE, n->after, TAG, comm,
			  &requests[count + i]);
	MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
	return rip_clock_s() - start;
}

/* What a message of that many columns costs, the slowest pair's: into costs->message and
 * costs->latency.  All ranks call it. */
static int measure_message(const struct rip_cluster *cluster, uint32_t columns,
			   struct costs *costs)
{
	const MPI_Comm comm = cluster->ranks.comm;
	const int size = (int)columns * cluster->spec.screen->reach * (int)sizeof(int16_t);
	const struct neighbours n = find_neighbours(cluster);
	double mine[2] = { 1, 1 }, all[2];
	char *boxes = malloc((size_t)(STREAM + 1) * (size_t)(size > 0 ? size : 1));

	if (rip_ranks_agree(&cluster->ranks, boxes ? 0 : -ENOMEM) < 0) {
		free(boxes);
		return -ENOMEM;
	}
	memset(boxes, 0, (size_t)(STREAM + 1) * (size_t)size);
	MPI_Barrier(comm);
	for (int i = 0; i < ROUNDS; i++) {
		const double one = time_round(&n, comm, boxes, size, 1);
		const double many = time_round(&n, comm, boxes, size, STREAM) / STREAM;

		mine[0] = one < mine[0] ? one : mine[0];
		mine[1] = many < mine[1] ? many : mine[1];
	}
	free(boxes);
	MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, comm);
	costs->latency = all[0];
	costs->message = all[1];
	return 0;
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
	struct costs costs;
};

/* All k that are open: where no messages are sent, one will do.  Measures each once.  Returns
 * how many there are, or -errno, the same in all ranks. */
static int find_columns(const struct rip_cluster *cluster, const struct shape *shape,
			uint32_t fixed, struct candidate candidates[COLUMNS_TRIES])
{
	const uint32_t most = shape->far > 0 ? COLUMNS_MOST : COLUMNS_LEAST;
	int count = 0, r = 0;

	for (uint32_t k = COLUMNS_LEAST; !fixed && k <= most && k < shape->width; k *= 2)
		candidates[count++].columns = k;
	if (fixed)
		candidates[count++].columns = fixed;
	for (int i = 0; r == 0 && i < count; i++) {
		candidates[i].costs = (struct costs){ .near = 0.5e-6 };
		if (shape->far > 0)
			r = measure_message(cluster, candidates[i].columns, &candidates[i].costs);
	}
	return r < 0 ? r : count;
}

/* By the model, with what pixels and messages cost here. */
static int choose(const struct rip_cluster *cluster, struct rip_cluster_plan *plan)
{
	const struct rip_cluster_plan fixed = *plan;
	struct shape shape = {
		.width = cluster->spec.width, .height = cluster->file.image->height,
		.workers = cluster->workers, .far = count_far(cluster), .step = STEP,
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
		r = rip_ranks_agree(&cluster->ranks, measure_pixel(cluster, rows, &pixel));
		for (int i = 0; r == 0 && i < count; i++) {
			double seconds;

			candidates[i].costs.pixel = pixel;
			seconds = model(&shape, &candidates[i].costs, rows, candidates[i].columns);
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
