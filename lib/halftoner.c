/*
 * Submitted bands stay in a queue, in order, until they are collected.  If the daemon or the
 * engine that halftones them fails, the next one gets all bands in the queue again, and the
 * carry before the oldest of them.
 */
#include "config.h"

#include "halftoner.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/client.h"
#include "gpu/engine_cuda.h"
#include "halftone/engine_cpu.h"
#include "halftone/simd/isa.h"
#include "engine_thread.h"
#include "job_threads.h"

/* Bands with the engine in this process: one that it halftones and one that waits. */
#define DEPTH_IN_PROCESS 2

/* The longest path of a socket; of a longer one, the reason must still fit into the line. */
#define DAEMON_AT "riptided at %.107s"

struct flight {
	struct rip_band *band;
	uint32_t         page_rows; /* rows of the page at its end */
	bool             grey;      /* it has rows to be halftoned */
};

struct rip_halftoner {
	struct rip_halftoner_config config;
	struct rip_client *client; /* an open session, or NULL */
	struct rip_client *left;   /* one left in this page, whose ring is mapped, or NULL */
	struct rip_engine_thread *worker; /* the engine of this process, or NULL */
	bool gpu;                  /* the worker's engine is the GPU's */
	bool gpu_left;             /* it failed or refused a page, and is not used again */
	bool asked_daemon;
	bool had_daemon;
	bool left_daemon;          /* it is not used again */
	bool blocked;              /* the caller was blocked since the last message of the daemon */
	bool logged_refused;
	int  failed;               /* what every later call returns */
	char device[RIP_REASON_MAX + 1];

	/* the page */
	struct rip_page_spec spec; /* with our own copy of its curve */
	enum rip_start start;
	size_t   pixel_pitch;      /* of pixels that may be sent, and how many samples they have; */
	uint32_t pixel_step;       /* 0: none; */
	const struct rip_ink_limit *pixel_limit; /* what they go through */
	uint32_t page, rows;       /* its number, rows submitted */
	bool     on_daemon;        /* else with the worker */
	int16_t *carry;            /* on_daemon: before the oldest band in flight */
	unsigned depth;
	uint32_t band_rows;
	struct flight flights[RIP_BANDS_IN_FLIGHT];
	unsigned first, count;
	struct rip_band *filling;  /* one that is being filled in the ring, or NULL */
	void    *room;             /* where */
};

void rip_halftoner_log(const struct rip_halftoner *h, enum riptide_log_level level,
		       const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	h->config.log(h->config.context, level, text);
}

static struct flight *flight(struct rip_halftoner *h, unsigned i)
{
	return &h->flights[(h->first + i) % RIP_BANDS_IN_FLIGHT];
}

/* --- the engine of this process ------------------------------------------- */

static int new_cpu(const struct rip_halftoner *h, struct rip_engine **engine)
{
	const struct rip_isa *isa = h->config.isa ? rip_isa_find(h->config.isa) : rip_isa_best();
	const struct rip_cpu_config config = {
		.method = h->config.method,
		.isa = h->config.isa,
		.threads = h->config.threads || !isa ? h->config.threads :
			   rip_job_threads(isa, h->spec.screen ? h->spec.screen : h->config.screen),
	};
	int r = rip_engine_cpu_new(&config, engine);

	if (r == -ENOENT)
		rip_halftoner_log(h, RIPTIDE_LOG_ERROR, "no instruction set is called \"%s\"",
				  h->config.isa);
	else if (r == -ENOTSUP)
		rip_halftoner_log(h, RIPTIDE_LOG_ERROR, "this CPU has no %s", h->config.isa);
	else if (r < 0)
		rip_halftoner_log(h, RIPTIDE_LOG_ERROR, "cannot set up the CPU engine: %s",
				  strerror(-r));
	return r;
}

/* 0 and an engine, or NULL to use the CPU; or a logged error. */
static int new_gpu(struct rip_halftoner *h, struct rip_engine **engine)
{
	const struct rip_cuda_config config = {
		.method = h->config.method,
		.device = h->config.want_gpu ? h->config.device : -1,
		.chunks = 1, /* the worker pulls after each push */
	};
	char why[RIP_REASON_MAX + 1] = "";
	int r;

	*engine = NULL;
	if (h->gpu_left || !(h->config.want_gpu || rip_method_wants_gpu(h->config.method)))
		return 0;
	r = rip_engine_cuda_new(&config, engine, why, sizeof why);
	if (r == 0)
		return 0;
	*engine = NULL;
	h->gpu_left = true;
	if (!*why)
		snprintf(why, sizeof why, "%s", strerror(-r));
	/* What a daemon had taken over is halftoned here in any case. */
	if (h->config.want_gpu && !h->had_daemon) {
		rip_halftoner_log(h, RIPTIDE_LOG_ERROR, "no GPU: %s", why);
		return r;
	}
	rip_halftoner_log(h, RIPTIDE_LOG_DEBUG, "no GPU for %s: %s; continuing on the CPU",
			  rip_method_name(h->config.method), why);
	return 0;
}

/* Makes the worker, if there is none.  0 or a logged error. */
static int need_worker(struct rip_halftoner *h)
{
	struct rip_engine *engine;
	sigset_t all, before;
	int r;

	if (h->worker)
		return 0;
	sigfillset(&all); /* for the threads that an engine makes */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = new_gpu(h, &engine);
	h->gpu = r == 0 && engine;
	if (r == 0 && !engine)
		r = new_cpu(h, &engine);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r < 0)
		return r;
	r = rip_engine_thread_new(engine, h->config.alone && !h->gpu, &h->worker);
	if (r < 0)
		rip_halftoner_log(h, RIPTIDE_LOG_ERROR, "cannot set up the engine: %s",
				  strerror(-r));
	return r;
}

static void show_worker(struct rip_halftoner *h)
{
	const struct rip_engine *engine = rip_engine_thread_engine(h->worker);

	snprintf(h->device, sizeof h->device, "%s, %s", engine->device, engine->method);
}

static int fail(struct rip_halftoner *h, int r)
{
	rip_halftoner_log(h, RIPTIDE_LOG_ERROR, "cannot halftone page %u: %s", (unsigned)h->page,
			  strerror(-r));
	return r;
}

/* Continues the page on the CPU after the GPU failed. */
static int leave_gpu(struct rip_halftoner *h, int why, const int16_t *carry, bool begun);

/* Uses the CPU for the rest of the job, because the GPU does not take such pages.  0 or a
 * logged error. */
static int take_cpu(struct rip_halftoner *h)
{
	rip_halftoner_log(h, h->config.want_gpu ? RIPTIDE_LOG_WARNING : RIPTIDE_LOG_DEBUG,
			  "%s does not support the screen %s; continuing on the CPU",
			  rip_engine_thread_engine(h->worker)->device, h->spec.screen->name);
	h->gpu_left = true;
	rip_engine_thread_free(h->worker);
	h->worker = NULL;
	return need_worker(h);
}

/* Gives the page to the worker, from the oldest band in flight on.  carry: before that band,
 * or NULL at the start of the page.  0 or a logged error. */
static int begin_here(struct rip_halftoner *h, const int16_t *carry)
{
	int r = need_worker(h);

	if (r == 0 && h->gpu && !rip_engine_thread_takes(h->worker, &h->spec))
		r = take_cpu(h);
	if (r < 0)
		return r;
	h->on_daemon = false;
	r = rip_engine_thread_begin(h->worker, &h->spec, h->start, carry, h->gpu);
	if (r < 0)
		return h->gpu ? leave_gpu(h, r, carry, false) : fail(h, r);
	show_worker(h);
	for (unsigned i = 0; i < h->count; i++)
		if (flight(h, i)->grey)
			rip_engine_thread_submit(h->worker, flight(h, i)->band);
	return 0;
}

static int leave_gpu(struct rip_halftoner *h, int why, const int16_t *carry, bool begun)
{
	struct rip_engine_thread *gpu = h->worker;
	int r;

	rip_halftoner_log(h, RIPTIDE_LOG_WARNING, "%s failed: %s; continuing on the CPU",
			  rip_engine_thread_engine(gpu)->device, strerror(-why));
	h->gpu_left = true;
	h->worker = NULL;
	r = begin_here(h, begun ? rip_engine_thread_carry(gpu) : carry);
	rip_engine_thread_free(gpu);
	return r;
}

/* --- the daemon ------------------------------------------------------------ */

static void drop_client(struct rip_client **client)
{
	if (!*client)
		return;
	rip_client_finish(*client);
	free(*client);
	*client = NULL;
}

/* Leaves the session, but not before its ring: a daemon frees that when the client is gone. */
static void leave_client(struct rip_halftoner *h)
{
	for (unsigned i = 0; i < h->count; i++)
		rip_band_move_back(flight(h, i)->band);
	if (h->filling)
		rip_band_move_back(h->filling);
	h->filling = NULL;
	rip_client_leave(h->client);
	h->left = h->client;
	h->client = NULL;
}

/* Stops using the daemon and logs why.  why: -errno of a client function. */
static void log_left(struct rip_halftoner *h, const struct rip_client *client, int why)
{
	const bool ended = why == -ECONNRESET || why == -EPIPE;

	h->left_daemon = true;
	if (ended && h->blocked)
		rip_halftoner_log(h, RIPTIDE_LOG_DEBUG, DAEMON_AT
				  ": %s while this process was blocked; continuing in-process",
				  h->config.socket, client->reason);
	else
		rip_halftoner_log(h, RIPTIDE_LOG_WARNING,
				  DAEMON_AT ": %s; continuing in-process",
				  h->config.socket, client->reason);
}

/* Continues in-process with a page that the daemon had. */
static int leave_daemon(struct rip_halftoner *h, int why)
{
	int r;

	log_left(h, h->client, why);
	leave_client(h);
	r = begin_here(h, h->carry);
	free(h->carry);
	h->carry = NULL;
	return r;
}

static void show_client(struct rip_halftoner *h)
{
	rip_text_escape(h->device + sprintf(h->device, "riptided: "),
			sizeof h->device - strlen("riptided: "), h->client->ready.device);
}

/* Opens a session.  0, also if there is no daemon and none is required; or a logged error. */
static int open_client(struct rip_halftoner *h)
{
	static const struct { const char *what; int error; } outcomes[] = {
		[RIP_CLIENT_ABSENT] = { "is not there", -ECONNREFUSED },
		[RIP_CLIENT_BUSY] = { "is busy", -EBUSY },
		[RIP_CLIENT_NO_ACCELERATOR] = { "has no accelerator", -ENODEV },
	};
	const char *const path = h->config.socket;
	int r;

	h->asked_daemon = true;
	h->client = malloc(sizeof *h->client);
	if (!h->client) {
		rip_halftoner_log(h, RIPTIDE_LOG_ERROR, "cannot open a session: %s",
				  strerror(ENOMEM));
		return -ENOMEM;
	}
	r = rip_client_open(h->client, path, h->config.job, h->config.queue, h->config.method);
	if (r == 0) {
		h->had_daemon = true;
		h->client->optional = !h->config.required && h->config.method == RIP_METHOD_AUTO;
		show_client(h);
		return 0;
	}
	if (h->config.required) {
		rip_halftoner_log(h, RIPTIDE_LOG_ERROR, DAEMON_AT "%s%s: %s", path,
				  r > 0 ? " " : "", r > 0 ? outcomes[r].what : "",
				  h->client->reason);
		r = r > 0 ? outcomes[r].error : r;
	} else if (r > 0) {
		rip_halftoner_log(h, RIPTIDE_LOG_DEBUG, DAEMON_AT " %s: %s; continuing in-process",
				  path, outcomes[r].what, h->client->reason);
		r = 0;
	} else {
		log_left(h, h->client, r);
		r = 0;
	}
	free(h->client);
	h->client = NULL;
	return r;
}

/* Whether a page with this screen may go to a daemon.  A mask is done as fast as its samples can
 * be copied to the ring, so it stays here. */
static bool is_for_daemon(const struct rip_screen *screen)
{
	return rip_screen_id(screen) >= 0;
}

/* Begins the page with the daemon: 0, or what rip_client_page() said. */
static int begin_there(struct rip_halftoner *h, uint32_t height)
{
	const size_t values = rip_carry_values(&h->spec);
	int r;

	h->client->line_pitch = h->pixel_pitch;
	h->client->limit = h->pixel_limit;
	r = rip_client_page(h->client, &h->spec, h->page, height, h->start, NULL);

	if (r != 0)
		return r;
	h->carry = rip_carry_new(&h->spec, h->spec.planes);
	if (!h->carry) {
		snprintf(h->client->reason, sizeof h->client->reason, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	for (uint32_t plane = 0; plane < h->spec.planes; plane++)
		rip_carry_start(&h->spec, plane, h->start, h->carry + plane * values);
	if (h->worker)
		rip_engine_thread_end(h->worker);
	show_client(h);
	h->on_daemon = true;
	h->blocked = false;
	h->depth = rip_client_bands(h->client);
	h->band_rows = rip_client_band_rows(h->client);
	return 0;
}

/* --- what the caller sees -------------------------------------------------- */

int rip_halftoner_new(const struct rip_halftoner_config *config, struct rip_halftoner **out)
{
	struct rip_halftoner *h = calloc(1, sizeof *h);
	int r = 0;

	*out = NULL;
	if (!h) {
		config->log(config->context, RIPTIDE_LOG_ERROR, strerror(ENOMEM));
		return -ENOMEM;
	}
	h->config = *config;
	/* Report a wrong name now, and not only when the daemon fails. */
	if (config->isa && !rip_isa_usable(rip_isa_find(config->isa))) {
		struct rip_engine *engine;

		r = new_cpu(h, &engine);
		if (r == 0)
			engine->ops->free(engine);
	}
	if (r == 0 && config->socket &&
	    (config->required || !config->screen || is_for_daemon(config->screen)))
		r = open_client(h);
	if (r == 0 && !h->client) {
		r = need_worker(h);
		if (r == 0)
			show_worker(h);
	}
	if (r < 0) {
		rip_halftoner_free(h);
		return r;
	}
	*out = h;
	return 0;
}

void rip_halftoner_free(struct rip_halftoner *h)
{
	if (!h)
		return;
	drop_client(&h->client);
	drop_client(&h->left);
	rip_engine_thread_free(h->worker);
	free((void *)h->spec.curve);
	free(h->carry);
	free(h);
}

int rip_halftoner_want(const struct rip_halftoner_config *config, struct rip_halftoner **h)
{
	struct rip_halftoner_config next = *config;
	bool left = false;
	int r;

	if (*h && (*h)->config.method == config->method)
		return 0;
	if (*h && (*h)->left_daemon) {
		left = true;
		next.socket = NULL;
	}
	rip_halftoner_free(*h);
	r = rip_halftoner_new(&next, h);
	if (r == 0)
		(*h)->left_daemon |= left;
	return r;
}

const char *rip_halftoner_device(const struct rip_halftoner *h)
{
	return h->device;
}

bool rip_halftoner_left_daemon(const struct rip_halftoner *h)
{
	return h->left_daemon;
}

/* Copies the spec and its curve, for an engine that may be needed later. */
static int keep_spec(struct rip_halftoner *h, const struct rip_page_spec *spec)
{
	uint16_t *curve = NULL;

	if (rip_page_spec_check(spec) < 0)
		return -EINVAL;
	if (spec->curve) {
		const size_t size = sizeof *curve << spec->sample_bits;

		curve = malloc(size);
		if (!curve)
			return -ENOMEM;
		memcpy(curve, spec->curve, size);
	}
	free((void *)h->spec.curve);
	h->spec = *spec;
	h->spec.curve = curve;
	return 0;
}

void rip_halftoner_want_pixels(struct rip_halftoner *h, size_t pitch, uint32_t step,
			       const struct rip_ink_limit *limit)
{
	const bool fits = step > 1 && step <= RIP_STEP_MAX && pitch <= UINT32_MAX;

	h->pixel_pitch = fits ? pitch : 0;
	h->pixel_step = step;
	h->pixel_limit = limit;
}

int rip_halftoner_begin(struct rip_halftoner *h, const struct rip_page_spec *spec,
			uint32_t height, enum rip_start start)
{
	int r;

	if (h->failed)
		return h->failed;
	h->page++;
	r = h->count == 0 ? keep_spec(h, spec) : -EINVAL;
	if (r < 0)
		return fail(h, r);
	h->start = start;
	h->rows = 0;
	h->on_daemon = false;
	h->depth = DEPTH_IN_PROCESS;
	h->band_rows = UINT32_MAX;
	h->filling = NULL;
	drop_client(&h->left);
	free(h->carry);
	h->carry = NULL;

	if (h->config.socket && !h->asked_daemon && is_for_daemon(spec->screen)) {
		h->failed = open_client(h);
		if (h->failed)
			return h->failed;
	}
	if (h->client) {
		r = begin_there(h, height);
		if (r == 0)
			return 0;
		if (r == RIP_CLIENT_REFUSED) {
			if (!h->logged_refused)
				rip_halftoner_log(h, RIPTIDE_LOG_DEBUG,
						  DAEMON_AT " does not take page %u: %s; "
						  "continuing in-process", h->config.socket,
						  (unsigned)h->page, h->client->reason);
			h->logged_refused = true;
			rip_ring_rest(&h->client->ring);
		} else {
			log_left(h, h->client, r);
			drop_client(&h->client);
		}
	}
	r = begin_here(h, NULL);
	h->failed = r;
	return r;
}

unsigned rip_halftoner_depth(const struct rip_halftoner *h)
{
	return h->depth;
}

uint32_t rip_halftoner_band_rows(const struct rip_halftoner *h)
{
	return h->band_rows;
}

bool rip_halftoner_fill(struct rip_halftoner *h, struct rip_band *band)
{
	if (!h->on_daemon || h->failed || h->filling)
		return false;
	h->room = rip_client_room(h->client, rip_band_capacity(band));
	if (!h->room)
		return h->client->line_pitch && h->count > 0;
	if (h->client->line_pitch)
		rip_band_move_to_pixels(band, h->room, h->pixel_pitch, h->pixel_step,
					h->pixel_limit);
	else
		rip_band_move_to(band, h->room);
	h->filling = band;
	return false;
}

int rip_halftoner_submit(struct rip_halftoner *h, struct rip_band *band)
{
	struct rip_strip strips[RIP_PLANES_MAX];
	struct flight *f = flight(h, h->count);
	int r = 0;

	if (h->failed)
		return h->failed;
	if (h->count >= h->depth)
		return fail(h, -EINVAL);
	h->rows += rip_band_rows(band);
	*f = (struct flight){
		.band = band,
		.page_rows = h->rows,
		.grey = rip_band_strips(band, strips) > 0,
	};
	h->count++;
	if (!f->grey && band == h->filling)
		rip_client_give_back(h->client, h->room);
	if (band == h->filling)
		h->filling = NULL;
	if (!f->grey)
		return 0;
	if (h->on_daemon) {
		r = rip_client_send(h->client, band, f->page_rows);
		if (r < 0)
			r = leave_daemon(h, r);
	} else {
		rip_engine_thread_submit(h->worker, band);
	}
	h->failed = r;
	return r;
}

/* Waits for the oldest band; if it fails, it goes from the daemon to the GPU to the CPU. */
static int finish_oldest(struct rip_halftoner *h)
{
	int r;

	if (h->on_daemon) {
		r = rip_client_receive(h->client, flight(h, 0)->band, h->carry);
		if (r == 0) {
			h->blocked = false;
			return 0;
		}
		r = leave_daemon(h, r);
		if (r < 0)
			return r;
	}
	r = rip_engine_thread_collect(h->worker);
	if (r < 0 && h->gpu) {
		r = leave_gpu(h, r, NULL, true);
		return r < 0 ? r : finish_oldest(h);
	}
	return r < 0 ? fail(h, r) : 0;
}

bool rip_halftoner_is_on_daemon(const struct rip_halftoner *h)
{
	return h->on_daemon;
}

bool rip_halftoner_is_new_there(const struct rip_halftoner *h)
{
	return h->on_daemon && h->client->sent == 0;
}

bool rip_halftoner_is_alone(const struct rip_halftoner *h)
{
	return h->config.alone && !h->on_daemon && !h->gpu;
}

bool rip_halftoner_is_done(struct rip_halftoner *h)
{
	return h->count > 0 &&
	       (!flight(h, 0)->grey ||
		(!h->failed && !h->on_daemon && rip_engine_thread_is_done(h->worker)));
}

int rip_halftoner_collect(struct rip_halftoner *h, struct rip_band **band)
{
	*band = NULL;
	if (h->failed)
		return h->failed;
	if (h->count == 0)
		return fail(h, -EINVAL);
	if (flight(h, 0)->grey)
		h->failed = finish_oldest(h);
	if (h->failed)
		return h->failed;
	*band = flight(h, 0)->band;
	h->first++;
	h->count--;
	return 0;
}

void rip_halftoner_was_blocked(struct rip_halftoner *h)
{
	h->blocked = true;
}
