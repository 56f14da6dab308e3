#include "config.h"

#include "page_workers.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "system/clock.h"
#include "system/refuse.h"

/* How long a worker waits until it asks again whether it may have a slot, or keep its one. */
#define SLOT_US INT64_C(1000000)

enum job_state { JOB_DRAWING, JOB_PLACED, JOB_FAILED };

struct rip_page_job {
	struct rip_worked_page page;
	struct rip_line_queue  queue;  /* exists from JOB_PLACED on */
	enum job_state         state;  /* under the room's lock */
	int                    error;  /* of JOB_FAILED, or why a placed page's queue has ended */
	char                   why[400];
	int64_t                dealt_us;
};

struct rip_page_worker {
	struct rip_workers *all;
	unsigned            number;
	pthread_t           thread;
	bool                runs;
	struct rip_slot     slot;
	bool                may_draw;    /* it has one, or needs none */
	bool                stalled;     /* the output was, when it asked */
	int64_t             asked_us;    /* for it; 0: never */
	unsigned            ended;       /* pages of the job at that time */
	struct rip_gs       gs;
	struct rip_page_reader reader;
	struct riptide     *riptide;     /* NULL before its first page, and after an error */
	/* the page at hand */
	struct rip_page_job *job;
	uint64_t            made;        /* lines of dots */
};

/* ---- a page, in its worker's thread ---- */

static int read_lines(void *context, void *const rows[], uint32_t lines)
{
	struct rip_page_worker *w = context;

	return rip_page_reader_lines(&w->reader, rows, lines);
}

static int read_pixels(void *context, void *pixels, uint32_t lines)
{
	struct rip_page_worker *w = context;

	return rip_page_reader_pixels(&w->reader, pixels, lines);
}

static int no_memory(struct rip_page_worker *w)
{
	return rip_refuse_as(-ENOMEM, w->gs.why, sizeof w->gs.why, "%s", strerror(ENOMEM));
}

/* The job has no share of the slots as long as its output is stalled. */
static void leave_share(struct rip_page_worker *w)
{
	const struct rip_gs_config *config = &w->gs.config;

	if (rip_slots_take_part(&w->all->slots, false) && config->log)
		config->log(config->context, "the output is stalled: other jobs get the share of"
			    " this one");
}

/* The output is stalled: leaves the slot to other jobs, and waits.  What is left of the page is
 * made without one. */
static int put_without_slot(struct rip_page_worker *w, const uint8_t *const dots[])
{
	struct rip_slots *slots = &w->all->slots;
	int r;

	rip_slots_give(slots, &w->slot);
	leave_share(w);
	w->job->queue.patient = true;
	r = rip_line_queue_put(&w->job->queue, dots);
	w->job->queue.patient = false;
	rip_slots_take_part(slots, true);
	return r;
}

static int write_line(void *context, const uint8_t *const dots[])
{
	struct rip_page_worker *w = context;
	int r = 0;

	/* At the second attempt, the lines of the first are there. */
	if (w->made++ >= w->job->queue.put)
		r = rip_line_queue_put(&w->job->queue, dots);
	if (r == -EBUSY)
		r = put_without_slot(w, dots);
	return r == -ENOMEM ? no_memory(w) : r;
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct rip_page_worker *w = context;

	rip_line_queue_flush(&w->job->queue);
}

/* Makes the halftoner of the worker's pages, if there is none. */
static int want_riptide(struct rip_page_worker *w)
{
	struct riptide_config config = w->all->config.riptide;

	if (w->riptide)
		return 0;
	if (w->all->no_daemon)
		config.socket = "none";
	return riptide_new(&config, &w->riptide);
}

/* The lines that the page's queue gets: of so many planes and bytes each. */
static int begin_queue(struct rip_page_worker *w)
{
	const struct rip_placed_page *placed = &w->job->page.placed;
	const unsigned samples = rip_contone_samples(w->gs.config.contone);
	const struct riptide_page *page = &placed->page;
	const size_t bytes = placed->contone ? (size_t)page->width * samples :
					       riptide_dot_bytes(page->width, page->levels);

	return rip_line_queue_init(&w->job->queue, &w->all->room,
				   placed->contone ? 1 : page->planes, (uint32_t)bytes);
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
		r = rip_page_reader_check(&w->gs, placed);
	if (r < 0)
		return r;
	r = begin_queue(w);
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
	int r = rip_renderer_of(&w->gs)->page(&w->gs, job->page.number, &paper);

	if (r < 0)
		return r;
	if (job->state == JOB_PLACED) /* this Ghostscript may find other spot colours */
		return rip_page_reader_check(&w->gs, &job->page.placed);
	job->page.paper = paper;
	return place(w);
}

/* Has Ghostscript draw the page, up to where it is known whether it has colours.  0 or -errno. */
static int begin_drawing(struct rip_page_worker *w)
{
	const struct rip_renderer *renderer = rip_renderer_of(&w->gs);
	const struct rip_placed_page *placed = &w->job->page.placed;
	const unsigned threads = w->job->page.attempts == 1 ? w->all->gs_threads : 1;
	int r;

	w->reader.decided = w->reader.grey = false;
	do {
		if (rip_page_reader_begin(&w->reader, &w->gs, placed) < 0)
			return no_memory(w);
		r = renderer->draw(&w->gs, placed->page.width, placed->page.height, placed->matrix,
				   threads);
		if (r == 0)
			r = rip_page_reader_decide(&w->reader,
						   RIP_WORKERS_KEPT / w->all->config.workers);
		if (r == RIP_READER_AGAIN) {
			const int ended = renderer->end(&w->gs);

			r = ended < 0 ? ended : r;
		}
	} while (r == RIP_READER_AGAIN);
	return r;
}

/* Halftones the page that Ghostscript draws.  0 or -errno. */
static int halftone(struct rip_page_worker *w)
{
	struct rip_page_job *job = w->job;
	const struct rip_placed_page *placed = &job->page.placed;
	struct riptide_stream stream = {
		.size = sizeof stream, .read = read_lines, .write = write_line,
		.progress = progress, .context = w, .ink_limit = placed->ink_limit,
	};
	int r;

	if (rip_page_reader_has_pixels(&w->reader)) {
		stream.read_pixels = read_pixels;
		stream.step = placed->page.planes;
		stream.pitch = (size_t)placed->page.width * placed->page.planes;
	}
	r = riptide_run(w->riptide, &placed->page, &stream);
	/* No other worker uses a daemon that this one gave up. */
	if (riptide_left_daemon(w->riptide))
		w->all->no_daemon = true;
	if (r == 0)
		snprintf(job->page.device, sizeof job->page.device, "%s",
			 riptide_device(w->riptide));
	return r;
}

/* Passes on the pixels of a page that is contone.  0 or -errno. */
static int copy_pixels(struct rip_page_worker *w)
{
	const struct riptide_page *page = &w->job->page.placed.page;
	uint8_t *line = malloc(w->job->queue.row_bytes);
	const uint8_t *const rows[] = { line };
	int r = line ? 0 : no_memory(w);

	for (uint32_t y = 0; r == 0 && y < page->height; y++) {
		r = rip_page_reader_ink(&w->reader, line);
		if (r == 0)
			r = write_line(w, rows);
		rip_line_queue_flush(&w->job->queue);
	}
	free(line);
	return r;
}

/* How many pages a process has drawn; of two, one may be younger. */
static unsigned has_drawn(const struct rip_gs *gs)
{
	return gs->below && gs->below->drawn > gs->drawn ? gs->below->drawn : gs->drawn;
}

/* Draws and halftones the page.  0 or -errno. */
static int draw(struct rip_page_worker *w)
{
	struct rip_page_job *job = w->job;
	const struct rip_placed_page *placed = &job->page.placed;
	int r;

	w->gs.why[0] = '\0';
	if (has_drawn(&w->gs) >= w->all->config.gs_pages)
		rip_gs_stop(&w->gs);
	r = rip_renderer_of(&w->gs)->open(&w->gs);
	if (r == 0)
		r = find(w);
	if (r == 0 && !placed->contone)
		r = want_riptide(w);
	if (r == 0)
		r = begin_drawing(w);
	if (r < 0)
		return r;
	w->made = 0;
	r = placed->contone ? copy_pixels(w) : halftone(w);
	if (r == 0) {
		r = rip_renderer_of(&w->gs)->end(&w->gs);
		if (r == 1) {
			snprintf(job->page.warning, sizeof job->page.warning, "%s", w->gs.why);
			r = 0;
		}
	}
	if (r < 0) {
		riptide_free(w->riptide);
		w->riptide = NULL;
	}
	return r;
}

/* Waits until this page is the one to be written, and no other worker draws; without a Ghostscript,
 * and so without a slot, because the printer may be out of paper. */
static int wait_alone(struct rip_page_worker *w)
{
	struct rip_workers *all = w->all;
	struct rip_line_room *room = &all->room;
	int r;

	rip_gs_stop(&w->gs);
	rip_slots_give(&all->slots, &w->slot);
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
	/* Whatever one needs too much of, there is more if no other worker draws. */
	if (r == -EPIPE || r == -ENOSPC) {
		r = wait_alone(w);
		if (r == 0) {
			job->page.attempts = 2;
			r = draw(w);
			no_longer_alone(w);
		}
	}
	job->page.ms = (double)(rip_clock_us() - job->dealt_us) / 1e3;
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

/* Whether the worker may have a Ghostscript.  It asks for that when pages have ended, of which so
 * many have, or after a while. */
static bool may_draw(struct rip_page_worker *w, unsigned ended)
{
	const int64_t now = rip_clock_us();
	const bool stalled = rip_line_room_is_stalled(&w->all->room);

	if (w->asked_us && w->ended == ended && now - w->asked_us < SLOT_US)
		return w->may_draw;
	if (stalled)
		leave_share(w);
	else if (w->stalled || w->number == 0)
		rip_slots_take_part(&w->all->slots, true); /* rip_slots_ask() does so, too */
	w->stalled = stalled;
	w->may_draw = !stalled &&
		      (w->number == 0 || rip_slots_ask(&w->all->slots, &w->slot));
	w->asked_us = now;
	w->ended = ended;
	if (!w->may_draw) {
		rip_gs_stop(&w->gs);
		rip_slots_give(&w->all->slots, &w->slot);
	}
	return w->may_draw;
}

/* Takes the next page, if it may be drawn now. */
static bool take_page(struct rip_page_worker *w)
{
	struct rip_workers *all = w->all;

	if (all->alone || all->dealt - all->written == all->job_count)
		return false;
	w->job = &all->jobs[all->dealt % all->job_count];
	memset(w->job, 0, sizeof *w->job);
	w->job->page.index = all->dealt;
	w->job->page.number = all->list[all->dealt++];
	w->job->dealt_us = rip_clock_us();
	all->drawing++;
	all->most = all->drawing > all->most ? all->drawing : all->most;
	pthread_cond_broadcast(&all->room.changed);
	return true;
}

/* Waits for a page.  False: there are no more. */
static bool deal(struct rip_page_worker *w)
{
	struct rip_workers *all = w->all;
	struct rip_line_room *room = &all->room;
	bool dealt = false;

	pthread_mutex_lock(&room->lock);
	while (!dealt && !room->stopped && all->dealt < all->count) {
		const unsigned ended = all->dealt - all->drawing;
		bool may;

		pthread_mutex_unlock(&room->lock);
		may = may_draw(w, ended);
		pthread_mutex_lock(&room->lock);
		if (room->stopped || all->dealt >= all->count)
			break;
		dealt = may && take_page(w);
		if (!dealt)
			rip_line_room_wait(room);
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
	rip_gs_stop(&w->gs);
	rip_slots_give(&w->all->slots, &w->slot);
	/* The job may be written for long yet, and draws nothing. */
	if (atomic_fetch_sub(&w->all->working, 1) == 1)
		rip_slots_take_part(&w->all->slots, false);
	return NULL;
}

/* ---- all pages, in the caller's thread ---- */

/* Tells once what this Ghostscript, or Poppler, does not do. */
static void tell_of_layers(const struct rip_workers *all)
{
	const struct rip_gs_config *config = &all->config.gs;
	char text[256];

	if (all->workers[0].gs.revision >= RIP_GS_PRINTS_LAYERS || !config->warn ||
	    !rip_document_has_print_layers(config->document))
		return;
	snprintf(text, sizeof text, "the document has layers that it shows and does not print, or"
		 " the other way round (PrintState): this version of %s may print those that the"
		 " screen shows", all->jail.renderer->title);
	config->warn(config->context, text);
}

/* Tells once where black text may be a mix of inks, which does not overprint. */
static void warn_of_mixes(const struct rip_gs *gs)
{
	const struct rip_gs_config *config = &gs->config;

	if (!config->black_overprint || !(config->profiled || config->by_kind) ||
	    config->keep_black || !config->warn)
		return;
	config->warn(config->context, config->by_kind ?
		     "black-overprint may have no effect: the job gives kinds of objects profiles"
		     " or intents of their own, by which black text may become a mix of inks" :
		     "black-overprint may have no effect: the printer's profile may make a mix of"
		     " inks of black text; black-preservation=text keeps it black");
}

int rip_workers_open(struct rip_workers *all, const struct rip_workers_config *config)
{
	int r;

	memset(all, 0, sizeof *all);
	all->config = *config;
	all->config.gs.jail = &all->jail;
	if (!all->config.gs_pages)
		all->config.gs_pages = RIP_WORKERS_GS_PAGES;
	if (config->gs.contone == RIP_CONTONE_SEPARATIONS)
		all->config.gs_pages = 1; /* the device writes no more */
	pthread_mutex_init(&all->calls, NULL);
	rip_line_room_init(&all->room, RIP_WORKERS_ROOM);
	all->workers = calloc(config->workers, sizeof *all->workers);
	all->job_count = 2 * config->workers + 1;
	all->jobs = calloc(all->job_count, sizeof *all->jobs);
	if (!all->workers || !all->jobs)
		return rip_refuse_as(-ENOMEM, all->why, sizeof all->why, "%s", strerror(ENOMEM));
	for (unsigned i = 0; i < config->workers; i++) {
		all->workers[i].all = all;
		all->workers[i].number = i;
		rip_gs_init(&all->workers[i].gs, &all->config.gs);
	}
	/* While this process has little memory: it is copied. */
	r = rip_gs_jail_open(&all->jail, config->program, config->gs.arguments,
			     config->gs.document, config->gs.band, all->why, sizeof all->why);
	if (r < 0)
		return r;
	rip_slots_open(&all->slots, all->jail.settings.workers, getenv("CUPS_CACHEDIR"), "");
	all->slots.each = all->workers[0].gs.below ? 2 : 1;
	if (all->slots.fd >= 0)
		all->room.stalled_us = (all->jail.settings.stalled_after ?
					all->jail.settings.stalled_after : RIP_STALLED_DEFAULT) *
				       INT64_C(1000000);
	r = all->jail.renderer->open(&all->workers[0].gs);
	if (r == -EPIPE)
		r = all->jail.renderer->open(&all->workers[0].gs); /* once more, as for a page */
	if (r < 0)
		snprintf(all->why, sizeof all->why, "%s", all->workers[0].gs.why);
	all->pages = all->workers[0].gs.pages;
	if (r == 0) {
		tell_of_layers(all);
		warn_of_mixes(&all->workers[0].gs);
	}
	return r;
}

static int start(struct rip_workers *all)
{
	sigset_t every, before;
	int r = 0;

	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	for (unsigned i = 0; r == 0 && i < all->config.workers && i < all->count; i++) {
		all->working++;
		r = -pthread_create(&all->workers[i].thread, NULL, work, &all->workers[i]);
		all->workers[i].runs = r == 0;
		all->working -= r < 0;
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
	const uint8_t *rows[RIPTIDE_PLANES_MAX];
	int r = await(all, job);

	if (r < 0)
		return rip_refuse_as(r, all->why, sizeof all->why, "%s", job->why);
	rip_line_room_writes(&all->room, true);
	r = config->begin(config->context, &job->page);
	while (r == 0) {
		rip_line_room_writes(&all->room, false);
		r = rip_line_queue_take(&job->queue, rows);
		rip_line_room_writes(&all->room, true);
		if (r == 0)
			r = config->line(config->context, rows);
	}
	if (r == 1 && job->error < 0)
		r = rip_refuse_as(job->error, all->why, sizeof all->why, "%s", job->why);
	if (r == 1)
		r = config->end(config->context, &job->page);
	rip_line_room_writes(&all->room, false);
	return r;
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
	if (!all->config.riptide.threads && all->config.workers > 1 && count > 1)
		all->config.riptide.threads = 1;
	all->gs_threads = count ? all->config.workers / count : 1;
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

		riptide_free(w->riptide);
		rip_gs_finish(&w->gs);
		rip_page_reader_finish(&w->reader);
	}
	for (unsigned i = 0; all->jobs && i < all->job_count; i++)
		if (all->jobs[i].queue.room)
			rip_line_queue_finish(&all->jobs[i].queue);
	rip_gs_jail_close(&all->jail);
	rip_slots_close(&all->slots);
	if (all->job_count) {
		rip_line_room_finish(&all->room);
		pthread_mutex_destroy(&all->calls);
	}
	free(all->workers);
	free(all->jobs);
	all->workers = NULL;
	all->jobs = NULL;
	all->job_count = 0;
}
