#include "config.h"

#include "page_workers.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "halftone/rows.h"
#include "lib/pump.h"

/* Bytes of chunked pixels that are read at once and split while they are in the cache. */
#define CHUNKED_BYTES (128u << 10)

enum job_state { JOB_DRAWING, JOB_PLACED, JOB_FAILED };

struct rip_page_job {
	struct rip_worked_page page;
	struct rip_line_queue  queue;  /* exists from JOB_PLACED on */
	enum job_state         state;  /* under the room's lock */
	int                    error;  /* of JOB_FAILED, or of a placed page whose queue has ended */
	char                   why[400];
	struct timespec        dealt;
};

struct rip_page_worker {
	struct rip_workers *all;
	unsigned            number;
	pthread_t           thread;
	bool                runs;
	struct rip_gs       gs;
	struct rip_halftoner *halftoner; /* NULL before its first page */
	enum rip_method     method;      /* of the halftoner */
	struct rip_pump     pump;
	/* the page at hand */
	struct rip_page_job *job;
	uint8_t            *chunked;     /* CHUNKED_BYTES, or a line */
	size_t              chunked_size;
	uint32_t            ready, fill; /* lines at its end; that it had */
	uint8_t            *samples;     /* a row of each plane, before apply() */
	size_t              samples_size;
	uint64_t            left;        /* lines that are still in the pipe */
	uint64_t            made;        /* lines of dots */
};

static double ms_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) * 1e3 + (double)(now.tv_nsec - start->tv_nsec) / 1e6;
}

/* ---- a page, in its worker's thread ---- */

/* From light to ink.  In words, because it touches every sample of a grey page. */
static void invert(uint8_t *row, size_t n)
{
	size_t i = 0;

	for (; n - i >= 32; i += 32) {
		uint64_t words[4];

		memcpy(words, row + i, 32);
		words[0] = ~words[0];
		words[1] = ~words[1];
		words[2] = ~words[2];
		words[3] = ~words[3];
		memcpy(row + i, words, 32);
	}
	for (; i < n; i++)
		row[i] = (uint8_t)~row[i];
}

/* Splits a line of pixels, after reading it together with the next ones that fit. */
static int read_chunked(struct rip_page_worker *w, void *const rows[])
{
	const struct rip_placed_page *placed = &w->job->page.placed;
	const unsigned samples = rip_contone_samples(w->gs.config.contone);
	const size_t line = (size_t)placed->spec.width * samples;
	void *split[RIP_CONTONE_SAMPLES_MAX] = { NULL };

	if (w->ready == 0) {
		const uint64_t most = w->chunked_size / line;
		const uint32_t lines = (uint32_t)(w->left < most ? w->left : most);
		int r = rip_gs_read(&w->gs, w->chunked, lines * line);

		if (r < 0)
			return r;
		w->left -= lines;
		w->ready = w->fill = lines;
	}
	for (uint32_t p = 0; p < placed->spec.planes; p++)
		split[placed->sources[p].sample] = rows[p];
	rip_split(w->chunked + (w->fill - w->ready--) * line, placed->spec.width, samples, 8, split,
		  samples);
	return 0;
}

/* Reads lines into the rows of their planes, as 8-bit samples; one line if there are several
 * planes. */
static int read_samples(struct rip_page_worker *w, void *const rows[], uint32_t lines)
{
	const struct rip_placed_page *placed = &w->job->page.placed;
	const size_t bytes = (size_t)lines * placed->spec.width;
	int r = placed->spec.planes > 1 ? read_chunked(w, rows) : rip_gs_read(&w->gs, rows[0], bytes);

	for (uint32_t p = 0; r == 0 && p < placed->spec.planes; p++)
		if (placed->sources[p].invert)
			invert(rows[p], bytes);
	if (r == 0 && placed->limit)
		placed->limit(placed->tones, rows, placed->spec.width);
	return r;
}

static int read_lines(void *context, void *const rows[], uint32_t lines)
{
	struct rip_page_worker *w = context;
	const struct rip_placed_page *placed = &w->job->page.placed;
	const uint32_t width = placed->spec.width;
	void *samples[RIP_PLANES_MAX];
	int r = 0;

	if (!placed->apply)
		return read_samples(w, rows, lines);
	for (uint32_t p = 0; p < placed->spec.planes; p++)
		samples[p] = w->samples + (size_t)p * width;
	for (uint32_t i = 0; r == 0 && i < lines; i++) {
		r = read_samples(w, samples, 1);
		for (uint32_t p = 0; r == 0 && p < placed->spec.planes; p++)
			placed->apply(placed->tones, p, samples[p], width,
				      (uint16_t *)rows[p] + (size_t)i * width);
	}
	return r;
}

static int no_memory(struct rip_page_worker *w)
{
	snprintf(w->gs.why, sizeof w->gs.why, "%s", strerror(ENOMEM));
	return -ENOMEM;
}

static int write_line(void *context, const uint8_t *const dots[])
{
	struct rip_page_worker *w = context;
	int r = 0;

	/* At the second attempt, the lines of the first are there. */
	if (w->made++ >= w->job->queue.put)
		r = rip_line_queue_put(&w->job->queue, dots);
	return r == -ENOMEM ? no_memory(w) : r;
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct rip_page_worker *w = context;

	(void)written;
	(void)lines;
	rip_line_queue_flush(&w->job->queue);
}

/* Makes a buffer at least so large; its contents are lost.  0 or -ENOMEM. */
static int want_buffer(uint8_t **buffer, size_t *now, size_t size)
{
	if (*now >= size)
		return 0;
	free(*buffer);
	*buffer = malloc(size);
	*now = *buffer ? size : 0;
	return *buffer ? 0 : -ENOMEM;
}

static int want_buffers(struct rip_page_worker *w)
{
	const struct rip_placed_page *placed = &w->job->page.placed;
	const size_t line = (size_t)placed->spec.width * rip_contone_samples(w->gs.config.contone);
	int r = 0;

	w->ready = 0;
	w->left = placed->height;
	if (placed->spec.planes > 1)
		r = want_buffer(&w->chunked, &w->chunked_size,
				line > CHUNKED_BYTES ? line : CHUNKED_BYTES);
	if (r == 0 && placed->apply)
		r = want_buffer(&w->samples, &w->samples_size, line);
	return r < 0 ? no_memory(w) : 0;
}

/* Makes a halftoner for the page's method, if the current one is for another.  A daemon that one
 * halftoner gave up is not used for the rest of the job. */
static int want_halftoner(struct rip_page_worker *w)
{
	const struct rip_placed_page *placed = &w->job->page.placed;
	struct rip_halftoner_config config = w->all->config.halftoner;

	if (w->halftoner && rip_halftoner_left_daemon(w->halftoner))
		w->all->no_daemon = true;
	if (w->halftoner && w->method == placed->method)
		return 0;
	rip_halftoner_free(w->halftoner);
	w->halftoner = NULL;
	w->method = config.method = placed->method;
	config.screen = placed->spec.screen;
	if (w->all->no_daemon)
		config.socket = NULL;
	return rip_halftoner_new(&config, &w->halftoner);
}

/* After an error the halftoner may still have bands. */
static void drop_halftoner(struct rip_page_worker *w)
{
	if (w->halftoner && rip_halftoner_left_daemon(w->halftoner))
		w->all->no_daemon = true;
	rip_halftoner_free(w->halftoner);
	w->halftoner = NULL;
	rip_pump_finish(&w->pump);
}

/* Refuses planes that are not made of samples of their own: the rows have no room for others. */
static int check_planes(struct rip_page_worker *w, const struct rip_placed_page *placed)
{
	const unsigned samples = rip_contone_samples(w->gs.config.contone);
	bool valid = placed->spec.planes == samples;

	for (unsigned p = 0; valid && p < samples; p++)
		valid = placed->sources[p].sample < samples;
	if (valid)
		return 0;
	snprintf(w->gs.why, sizeof w->gs.why, "%u planes cannot be made of %u samples",
		 placed->spec.planes, samples);
	return -EINVAL;
}

/* Decides how the page is drawn, and tells the thread that writes. */
static int place(struct rip_page_worker *w)
{
	struct rip_workers *all = w->all;
	struct rip_page_job *job = w->job;
	struct rip_placed_page *placed = &job->page.placed;
	int r;

	pthread_mutex_lock(&all->calls);
	r = all->config.place(all->config.context, w->number, &job->page, placed, w->gs.why,
			      sizeof w->gs.why);
	pthread_mutex_unlock(&all->calls);
	if (r == 0)
		r = check_planes(w, placed);
	if (r < 0)
		return r;
	r = rip_line_queue_init(&job->queue, &all->room, placed->spec.planes,
				(uint32_t)rip_dot_bytes(placed->spec.width, placed->spec.levels));
	if (r < 0)
		return no_memory(w);
	pthread_mutex_lock(&all->room.lock);
	job->state = JOB_PLACED;
	job->queue.urgent = job->page.index == all->written;
	pthread_cond_broadcast(&all->room.changed);
	pthread_mutex_unlock(&all->room.lock);
	return 0;
}

/* Finds the page in Ghostscript, and places it at the first attempt.  From then on the thread that
 * writes reads how it was placed, and nothing here may change that. */
static int find(struct rip_page_worker *w)
{
	struct rip_page_job *job = w->job;
	struct rip_gs_page paper;
	int r = rip_gs_page(&w->gs, job->page.number, &paper);

	if (r < 0 || job->state == JOB_PLACED)
		return r;
	job->page.paper = paper;
	return place(w);
}

/* Draws and halftones the page.  0 or -errno. */
static int draw(struct rip_page_worker *w)
{
	struct rip_page_job *job = w->job;
	const struct rip_placed_page *placed = &job->page.placed;
	struct rip_pump_page page;
	int r;

	w->gs.why[0] = '\0';
	r = rip_gs_open(&w->gs);
	if (r == 0)
		r = find(w);
	if (r == 0)
		r = want_buffers(w);
	if (r == 0)
		r = want_halftoner(w);
	if (r == 0)
		r = rip_gs_draw(&w->gs, placed->spec.width, placed->height, placed->matrix);
	if (r < 0)
		return r;
	w->made = 0;
	page = (struct rip_pump_page){
		.number = job->page.number, .spec = placed->spec, .height = placed->height,
		.start = placed->start, .band_rows = placed->band_rows,
		.read = read_lines, .write = write_line, .progress = progress, .context = w,
	};
	r = rip_pump_run(&w->pump, &page, w->halftoner);
	if (r == 0)
		snprintf(job->page.device, sizeof job->page.device, "%s",
			 rip_halftoner_device(w->halftoner));
	if (r == 0) {
		r = rip_gs_end(&w->gs);
		if (r == 1) {
			snprintf(job->page.warning, sizeof job->page.warning, "%s", w->gs.why);
			r = 0;
		}
	}
	if (r < 0)
		drop_halftoner(w);
	return r;
}

/* Waits until this page is the one to be written, and no other worker draws. */
static int wait_alone(struct rip_page_worker *w)
{
	struct rip_workers *all = w->all;
	struct rip_line_room *room = &all->room;
	int r;

	pthread_mutex_lock(&room->lock);
	room->waiting++; /* does not draw, as those that wait for room */
	pthread_cond_broadcast(&room->changed);
	while (!room->stopped && w->job->page.index != all->written)
		pthread_cond_wait(&room->changed, &room->lock);
	room->waiting--;
	all->alone = true;
	while (!room->stopped && all->drawing > 1 + room->waiting)
		pthread_cond_wait(&room->changed, &room->lock);
	r = room->stopped ? -ECANCELED : 0;
	pthread_mutex_unlock(&room->lock);
	return r;
}

static void no_longer_alone(struct rip_page_worker *w)
{
	struct rip_line_room *room = &w->all->room;

	pthread_mutex_lock(&room->lock);
	w->all->alone = false;
	pthread_cond_broadcast(&room->changed);
	pthread_mutex_unlock(&room->lock);
}

static void do_job(struct rip_page_worker *w)
{
	struct rip_page_job *job = w->job;
	int r;

	job->page.attempts = 1;
	r = draw(w);
	if (r == -EPIPE) {
		r = wait_alone(w);
		if (r == 0) {
			job->page.attempts = 2;
			r = draw(w);
			no_longer_alone(w);
		}
	}
	job->page.ms = ms_since(&job->dealt);
	if (r < 0 && w->gs.why[0])
		snprintf(job->why, sizeof job->why, "page %u: %s", job->page.number, w->gs.why);
	if (job->state == JOB_PLACED) {
		job->error = r;
		rip_line_queue_end(&job->queue);
		return;
	}
	pthread_mutex_lock(&w->all->room.lock);
	job->error = r;
	job->state = JOB_FAILED;
	pthread_cond_broadcast(&w->all->room.changed);
	pthread_mutex_unlock(&w->all->room.lock);
}

/* Waits for a page.  False: there are no more. */
static bool deal(struct rip_page_worker *w)
{
	struct rip_workers *all = w->all;
	struct rip_line_room *room = &all->room;
	bool dealt;

	pthread_mutex_lock(&room->lock);
	while (!room->stopped && all->dealt < all->count &&
	       (all->alone || all->dealt - all->written == all->job_count))
		pthread_cond_wait(&room->changed, &room->lock);
	dealt = !room->stopped && all->dealt < all->count;
	if (dealt) {
		w->job = &all->jobs[all->dealt % all->job_count];
		memset(w->job, 0, sizeof *w->job);
		w->job->page.index = all->dealt;
		w->job->page.number = all->list[all->dealt++];
		clock_gettime(CLOCK_MONOTONIC, &w->job->dealt);
		all->drawing++;
		pthread_cond_broadcast(&room->changed);
	}
	pthread_mutex_unlock(&room->lock);
	return dealt;
}

static void *work(void *data)
{
	struct rip_page_worker *w = data;
	struct rip_line_room *room = &w->all->room;
	struct sched_param none = { 0 };

	/* A batch thread is not woken for each row that Ghostscript writes, but when that one waits
	 * or has used up its time: fewer switches on one processor.  Children are as usual. */
	sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &none);
	while (deal(w)) {
		do_job(w);
		pthread_mutex_lock(&room->lock);
		w->all->drawing--;
		pthread_cond_broadcast(&room->changed);
		pthread_mutex_unlock(&room->lock);
	}
	/* The child dies with the thread that has started it. */
	rip_gs_close(&w->gs);
	return NULL;
}

/* ---- all pages, in the caller's thread ---- */

int rip_workers_open(struct rip_workers *all, const struct rip_workers_config *config)
{
	int r;

	memset(all, 0, sizeof *all);
	all->config = *config;
	pthread_mutex_init(&all->calls, NULL);
	rip_line_room_init(&all->room, RIP_WORKERS_ROOM);
	all->workers = calloc(config->workers, sizeof *all->workers);
	all->job_count = 2 * config->workers + 1;
	all->jobs = calloc(all->job_count, sizeof *all->jobs);
	if (!all->workers || !all->jobs) {
		snprintf(all->why, sizeof all->why, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	for (unsigned i = 0; i < config->workers; i++) {
		all->workers[i].all = all;
		all->workers[i].number = i;
		rip_gs_init(&all->workers[i].gs, &config->gs);
	}
	r = rip_gs_open(&all->workers[0].gs);
	if (r < 0)
		snprintf(all->why, sizeof all->why, "%s", all->workers[0].gs.why);
	all->pages = all->workers[0].gs.pages;
	return r;
}

static int start(struct rip_workers *all)
{
	sigset_t every, before;
	int r = 0;

	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	for (unsigned i = 0; r == 0 && i < all->config.workers && i < all->count; i++) {
		r = -pthread_create(&all->workers[i].thread, NULL, work, &all->workers[i]);
		all->workers[i].runs = r == 0;
		if (r < 0 && i > 0)
			r = 0; /* fewer do it as well */
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r < 0)
		snprintf(all->why, sizeof all->why, "cannot start a thread: %s", strerror(-r));
	return r;
}

/* Waits until the next page is placed, or has failed.  0 or -errno. */
static int await(struct rip_workers *all, struct rip_page_job *job)
{
	struct rip_line_room *room = &all->room;
	int r;

	pthread_mutex_lock(&room->lock);
	while (all->dealt == all->written || job->state == JOB_DRAWING)
		pthread_cond_wait(&room->changed, &room->lock);
	r = job->state == JOB_FAILED ? job->error : 0;
	pthread_mutex_unlock(&room->lock);
	if (r == 0)
		rip_line_queue_urge(&job->queue);
	return r;
}

/* Gives the lines of the next page to the caller. */
static int write_page(struct rip_workers *all, struct rip_page_job *job)
{
	const struct rip_workers_config *config = &all->config;
	const uint8_t *rows[RIP_PLANES_MAX];
	int r = await(all, job);

	if (r < 0) {
		snprintf(all->why, sizeof all->why, "%s", job->why);
		return r;
	}
	r = config->begin(config->context, &job->page);
	while (r == 0) {
		r = rip_line_queue_take(&job->queue, rows);
		if (r == 0)
			r = config->line(config->context, rows);
	}
	if (r == 1) {
		r = job->error;
		if (r < 0)
			snprintf(all->why, sizeof all->why, "%s", job->why);
	}
	return r < 0 ? r : config->end(config->context, &job->page);
}

/* Ends the workers: at once, if not all pages are written. */
static void stop(struct rip_workers *all)
{
	pthread_mutex_lock(&all->room.lock);
	all->room.stopped = all->written < all->count;
	pthread_cond_broadcast(&all->room.changed);
	pthread_mutex_unlock(&all->room.lock);
	for (unsigned i = 0; i < all->config.workers; i++) {
		struct rip_page_worker *w = &all->workers[i];

		if (!w->runs)
			continue;
		if (all->room.stopped)
			rip_gs_kill(&w->gs);
		pthread_join(w->thread, NULL);
		w->runs = false;
	}
}

int rip_workers_run(struct rip_workers *all, const unsigned *list, unsigned count)
{
	int r;

	all->list = list;
	all->count = count;
	/* One page alone has all processors. */
	if (!all->config.halftoner.threads && all->config.workers > 1 && count > 1)
		all->config.halftoner.threads = 1;
	r = start(all);
	while (r == 0 && all->written < count) {
		struct rip_page_job *job = &all->jobs[all->written % all->job_count];

		r = write_page(all, job);
		if (r < 0)
			break;
		rip_line_queue_finish(&job->queue);
		pthread_mutex_lock(&all->room.lock);
		all->written++;
		pthread_cond_broadcast(&all->room.changed);
		pthread_mutex_unlock(&all->room.lock);
	}
	stop(all);
	return r;
}

void rip_workers_close(struct rip_workers *all)
{
	for (unsigned i = 0; all->workers && i < all->config.workers; i++) {
		struct rip_page_worker *w = &all->workers[i];

		rip_halftoner_free(w->halftoner);
		rip_pump_finish(&w->pump);
		rip_gs_finish(&w->gs);
		free(w->chunked);
		free(w->samples);
	}
	for (unsigned i = 0; all->jobs && i < all->job_count; i++)
		if (all->jobs[i].queue.room)
			rip_line_queue_finish(&all->jobs[i].queue);
	if (all->workers && all->jobs)
		rip_line_room_finish(&all->room);
	free(all->workers);
	free(all->jobs);
	all->workers = NULL;
	all->jobs = NULL;
}
