#include "cluster_costs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/wave.h"
#include "system/clock.h"

#define WIDTH   16384  /* of a strip that is measured, at most */
#define STEP    1024   /* columns */
#define TURNS   4      /* of which the fastest counts */
#define ROUNDS  10     /* of messages */
#define STREAM  16     /* messages at once */
#define TAG     2

/* --- pixels ------------------------------------------------------------------------------- */

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

int rip_cluster_costs_pixel(const struct rip_cluster *cluster, uint32_t rows, double *pixel)
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

/* --- messages ----------------------------------------------------------------------------- */

/* The neighbours of this rank in the ring of messages, or MPI_PROC_NULL. */
struct neighbours {
	int before, after;
};

static struct neighbours find_neighbours(const struct rip_cluster *cluster)
{
	const struct rip_ranks *ranks = &cluster->ranks;
	struct neighbours n = { MPI_PROC_NULL, MPI_PROC_NULL };

	if (rip_cluster_costs_far(cluster) == 0)
		return n;
	if (!cluster->window || ranks->node_rank == 0)
		n.before = (ranks->rank + ranks->count - 1) % ranks->count;
	if (!cluster->window || ranks->node_rank == ranks->node_count - 1)
		n.after = (ranks->rank + 1) % ranks->count;
	return n;
}

uint32_t rip_cluster_costs_far(const struct rip_cluster *cluster)
{
	const struct rip_ranks *ranks = &cluster->ranks;
	const int sends = !cluster->window || ranks->node_rank == ranks->node_count - 1;
	int all;

	if (ranks->count == 1 || (cluster->window && ranks->one_node))
		return 0;
	MPI_Allreduce(&sends, &all, 1, MPI_INT, MPI_SUM, ranks->comm);
	return (uint32_t)all;
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

int rip_cluster_costs_message(const struct rip_cluster *cluster, uint32_t columns,
			      struct rip_cluster_costs *costs)
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
