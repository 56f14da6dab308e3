#include "config.h"

#include "engine_thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* Samples of a band that the caller's thread halftones itself: a few rows. */
#define SMALL_SAMPLES 65536

struct rip_engine_thread {
	struct rip_engine   *engine;
	struct rip_page     *page;   /* open, or NULL */
	struct rip_page_spec spec;   /* of the page; curve is NULL */
	bool     keep;               /* export the carry after each band; set while idle */
	int16_t *carry, *spare;      /* exported carries: after the last good band, and
					after the current one; or both NULL */

	pthread_t       thread;
	pthread_mutex_t lock;
	pthread_cond_t  changed;

	/* Under the lock.  Bands have numbers; band n is in queue[n % RIP_ENGINE_THREAD_BANDS].
	 * collected <= done <= submitted.  The page, carry and spare belong to the
	 * thread while done < submitted, to the caller otherwise. */
	struct rip_band *queue[RIP_ENGINE_THREAD_BANDS];
	unsigned         submitted, done, collected;
	unsigned         good; /* bands done without an error come before this number */
	int              fault; /* 0, or the error that ended the page */
	bool             stop;
	bool             alone; /* there is no thread: the caller does everything */
};

/* The carry has two buffers, so that an error in the middle of an export leaves the previous
 * band's carry intact. */
static int keep_carry(struct rip_engine_thread *worker)
{
	const size_t values = rip_carry_values(&worker->spec);
	int16_t *swap = worker->spare;

	for (uint32_t plane = 0; plane < worker->spec.planes; plane++) {
		int r = worker->engine->ops->export_carry(worker->page, plane,
							  worker->spare + plane * values);

		if (r < 0)
			return r;
	}
	worker->spare = worker->carry;
	worker->carry = swap;
	return 0;
}

static int halftone(struct rip_engine_thread *worker, struct rip_band *band)
{
	const struct rip_engine_ops *ops = worker->engine->ops;
	struct rip_strip strips[RIP_PLANES_MAX];
	const unsigned count = rip_band_strips(band, strips);
	int r = ops->push(worker->page, strips, count);

	if (r == 0)
		r = ops->pull(worker->page);
	if (r == 0 && worker->keep)
		r = keep_carry(worker);
	return r;
}

static void *work(void *data)
{
	struct rip_engine_thread *worker = data;

	pthread_mutex_lock(&worker->lock);
	for (;;) {
		struct rip_band *band;
		int r;

		while (!worker->stop && worker->done == worker->submitted)
			pthread_cond_wait(&worker->changed, &worker->lock);
		if (worker->stop)
			break;
		band = worker->queue[worker->done % RIP_ENGINE_THREAD_BANDS];
		r = worker->fault;
		pthread_mutex_unlock(&worker->lock);
		if (r == 0)
			r = halftone(worker, band);
		pthread_mutex_lock(&worker->lock);
		worker->done++;
		if (r == 0)
			worker->good = worker->done;
		else
			worker->fault = r;
		pthread_cond_broadcast(&worker->changed);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

/* Starts the thread.  false: the system allows no more, as in a container with a limit. */
static bool start_thread(struct rip_engine_thread *worker)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error == 0;
}

int rip_engine_thread_new(struct rip_engine *engine, bool alone, struct rip_engine_thread **out)
{
	struct rip_engine_thread *worker = calloc(1, sizeof *worker);

	*out = NULL;
	if (!worker) {
		engine->ops->free(engine);
		return -ENOMEM;
	}
	worker->engine = engine;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->changed, NULL);
	worker->alone = alone || !start_thread(worker);
	*out = worker;
	return 0;
}

void rip_engine_thread_end(struct rip_engine_thread *worker)
{
	worker->engine->ops->close(worker->page);
	worker->page = NULL;
	free(worker->carry);
	free(worker->spare);
	worker->carry = worker->spare = NULL;
}

void rip_engine_thread_free(struct rip_engine_thread *worker)
{
	if (!worker)
		return;
	pthread_mutex_lock(&worker->lock);
	worker->stop = true;
	pthread_cond_broadcast(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
	if (!worker->alone)
		pthread_join(worker->thread, NULL);
	rip_engine_thread_end(worker);
	worker->engine->ops->free(worker->engine);
	pthread_cond_destroy(&worker->changed);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

const struct rip_engine *rip_engine_thread_engine(const struct rip_engine_thread *worker)
{
	return worker->engine;
}

bool rip_engine_thread_takes(const struct rip_engine_thread *worker,
			     const struct rip_page_spec *spec)
{
	return worker->engine->ops->takes(worker->engine, spec);
}

static int import_all(struct rip_engine_thread *worker, const int16_t *carry)
{
	const size_t values = rip_carry_values(&worker->spec);
	int r = 0;

	for (uint32_t plane = 0; r == 0 && plane < worker->spec.planes; plane++)
		r = worker->engine->ops->import_carry(worker->page, plane,
						      carry + plane * values);
	return r;
}

int rip_engine_thread_begin(struct rip_engine_thread *worker, const struct rip_page_spec *spec,
		     enum rip_start start, const int16_t *carry, bool keep)
{
	int r;

	rip_engine_thread_end(worker);
	worker->spec = *spec;
	worker->spec.curve = NULL;
	worker->fault = 0;
	worker->keep = keep;
	if (carry) {
		r = worker->engine->ops->open(worker->engine, spec, &worker->page);
		if (r == 0)
			r = import_all(worker, carry);
	} else {
		r = rip_engine_open_page(worker->engine, spec, start, &worker->page);
	}
	if (r == 0 && keep) {
		worker->carry = rip_carry_new(spec, spec->planes);
		worker->spare = rip_carry_new(spec, spec->planes);
		r = worker->carry && worker->spare ? keep_carry(worker) : -ENOMEM;
	}
	if (r < 0)
		rip_engine_thread_end(worker);
	return r;
}

/* Whether a band takes less time than it takes to wake a thread for it. */
static bool is_small(const struct rip_engine_thread *worker, struct rip_band *band)
{
	struct rip_strip strips[RIP_PLANES_MAX];
	const unsigned count = rip_band_strips(band, strips);
	uint64_t samples = 0;

	for (unsigned i = 0; i < count; i++)
		samples += (uint64_t)strips[i].rows * worker->spec.width;
	return samples <= SMALL_SAMPLES;
}

/* Halftones a band in the caller's thread, if there is no other, or if it is small and the worker
 * is empty. */
static bool do_here(struct rip_engine_thread *worker, struct rip_band *band)
{
	bool idle;
	int r;

	if (!worker->alone && (worker->keep || !is_small(worker, band)))
		return false;
	pthread_mutex_lock(&worker->lock);
	idle = worker->done == worker->submitted;
	r = worker->fault;
	pthread_mutex_unlock(&worker->lock);
	if (!idle)
		return false;
	if (r == 0)
		r = halftone(worker, band);
	pthread_mutex_lock(&worker->lock);
	worker->queue[worker->submitted++ % RIP_ENGINE_THREAD_BANDS] = band;
	worker->done++;
	if (r == 0)
		worker->good = worker->done;
	else
		worker->fault = r;
	pthread_mutex_unlock(&worker->lock);
	return true;
}

void rip_engine_thread_submit(struct rip_engine_thread *worker, struct rip_band *band)
{
	if (do_here(worker, band))
		return;
	pthread_mutex_lock(&worker->lock);
	worker->queue[worker->submitted++ % RIP_ENGINE_THREAD_BANDS] = band;
	pthread_cond_broadcast(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
}

bool rip_engine_thread_is_done(struct rip_engine_thread *worker)
{
	bool done;

	pthread_mutex_lock(&worker->lock);
	done = worker->done != worker->collected;
	pthread_mutex_unlock(&worker->lock);
	return done;
}

int rip_engine_thread_collect(struct rip_engine_thread *worker)
{
	int r = 0;

	pthread_mutex_lock(&worker->lock);
	while (worker->done == worker->collected)
		pthread_cond_wait(&worker->changed, &worker->lock);
	if (worker->collected++ >= worker->good) {
		r = worker->fault;
		/* The thread fails the remaining bands without touching them.  Wait until
		 * it has given all of them back. */
		while (worker->done < worker->submitted)
			pthread_cond_wait(&worker->changed, &worker->lock);
	}
	pthread_mutex_unlock(&worker->lock);
	return r;
}

const int16_t *rip_engine_thread_carry(const struct rip_engine_thread *worker)
{
	return worker->carry;
}
