#include "worker.h"

#include <string.h>

#include "command/terminal.h"
#include "image/complain.h"
#include "system/clock.h"

int rip_workers_open(const struct rip_cluster *cluster, struct rip_carry_line *line,
		     struct rip_worker *workers)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < cluster->threads; i++) {
		struct rip_worker *worker = &workers[i];

		worker->cluster = cluster;
		worker->number = cluster->first_worker + i;
		r = rip_strip_store_open(&worker->strips, &cluster->file, &cluster->spec,
					 cluster->plan.rows, worker->number, cluster->workers,
					 cluster->options.bench > 0);
		if (r == 0)
			r = rip_carry_link_open(&worker->link, line, worker->number);
	}
	return r;
}

void rip_workers_close(const struct rip_cluster *cluster, struct rip_worker *workers)
{
	for (uint32_t i = 0; i < cluster->threads; i++) {
		rip_carry_link_close(&workers[i].link);
		rip_strip_store_close(&workers[i].strips);
	}
}

/* An error ends the run at once: other workers may wait for this one. */
static void *run(void *argument)
{
	struct rip_worker *worker = argument;
	const struct rip_cluster *cluster = worker->cluster;

	worker->wait_seconds = worker->compute_seconds = 0;
	worker->link.messages = worker->link.bytes = 0;
	if (cluster->options.method->run(worker) < 0)
		rip_ranks_abort(&cluster->ranks);
	rip_carry_link_flush(&worker->link);
	return NULL;
}

void rip_workers_run(const struct rip_cluster *cluster, struct rip_worker *workers)
{
	uint32_t started = 1;
	int error = 0;

	for (; started < cluster->threads && error == 0; started += error == 0)
		error = pthread_create(&workers[started].thread, NULL, run, &workers[started]);
	if (error) {
		rip_complain(-error, "cannot start a thread: %s", strerror(error));
		rip_ranks_abort(&cluster->ranks);
	}
	run(&workers[0]);
	for (uint32_t i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
}

/* Shows on the terminal of rank 0 that a worker has finished a strip. */
static void show_progress(const struct rip_worker *worker, uint64_t strip)
{
	const struct rip_cluster *cluster = worker->cluster;
	const uint64_t rows = (strip + 1) * worker->strips.rows;
	const uint64_t height = cluster->file.image->height;

	if (worker->number == 0)
		rip_progress(cluster->file.input.name, 1, rows < height ? rows : height, height);
}

static int run_strip(struct rip_worker *worker, uint64_t number, rip_strip_method *halftone,
		     void *method)
{
	struct rip_strip strip;
	double start, waited;
	int r = rip_strip_store_get(&worker->strips, number, &strip);

	if (r < 0)
		return r;
	start = rip_clock_s();
	waited = worker->wait_seconds;
	rip_carry_link_begin(&worker->link, number);
	r = halftone(method, &strip);
	worker->compute_seconds += rip_clock_s() - start - (worker->wait_seconds - waited);
	return r < 0 ? r : rip_strip_store_put(&worker->strips, number);
}

int rip_worker_each_strip(struct rip_worker *worker, rip_strip_method *halftone, void *method)
{
	int r = 0;

	for (uint64_t s = worker->number; r == 0 && s < worker->strips.count;
	     s += worker->cluster->workers) {
		r = run_strip(worker, s, halftone, method);
		if (r == 0)
			show_progress(worker, s);
	}
	return r;
}

uint32_t rip_worker_wait(struct rip_worker *worker, uint32_t columns)
{
	uint32_t arrived = rip_carry_link_arrived(&worker->link);

	if (arrived < columns) {
		const double start = rip_clock_s();

		arrived = rip_carry_link_wait(&worker->link, columns);
		worker->wait_seconds += rip_clock_s() - start;
	}
	return arrived;
}
