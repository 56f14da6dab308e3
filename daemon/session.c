/* What one client may send, and what the daemon answers. */
#include "config.h"

#include "session.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "wire/codec.h"

static void send_plain(struct rip_session *session, enum rip_message_type type)
{
	const struct rip_message message = { .type = type };

	session->host->send(session, &message, NULL);
}

static void send_state(struct rip_session *session, enum rip_message_type type, uint32_t seq,
		       int64_t now_ms)
{
	const struct rip_message message = { .type = type, .state.seq = seq };

	session->host->send(session, &message, NULL);
	session->said_ms = now_ms;
}

static void send_reason(struct rip_session *session, enum rip_message_type type, const char *why)
{
	struct rip_message message = { .type = type };

	message.reason.version = RIP_PROTOCOL_VERSION;
	rip_text_set(message.reason.text, sizeof message.reason.text, why);
	session->host->send(session, &message, NULL);
}

static void end(struct rip_session *session, enum rip_session_end how, const char *why)
{
	session->state = RIP_SESSION_ENDED;
	session->end = how;
	rip_text_set(session->why, sizeof session->why, why);
}

/* Ends the session and tells the client why: REFUSED before HELLO, GOODBYE later. */
static void end_with_reason(struct rip_session *session, enum rip_session_end how, const char *why)
{
	if (session->state == RIP_SESSION_ENDED)
		return;
	send_reason(session, session->state == RIP_SESSION_NEW ? RIP_REFUSED : RIP_GOODBYE, why);
	end(session, how, why);
}

uint32_t rip_session_in_flight(const struct rip_session *session)
{
	return session->seq - session->done;
}

/* The work of a band.  A page uses the work of the band that comes next. */
static struct rip_session_work *work_of(struct rip_session *session, uint32_t seq)
{
	return &session->band_work[seq % RIP_BANDS_IN_FLIGHT];
}

void rip_session_init(struct rip_session *session, const struct rip_session_host *host,
		      pid_t pid, uid_t uid, int64_t now_ms)
{
	*session = (struct rip_session){
		.host = host,
		.state = RIP_SESSION_NEW,
		.pid = pid,
		.uid = uid,
		.began_ms = now_ms,
		.heard_ms = now_ms,
		.said_ms = now_ms,
		.ring_page.ring = { .in_fd = -1, .out_fd = -1 },
	};
}

void rip_session_finish(struct rip_session *session)
{
	rip_ring_page_finish(&session->ring_page);
}

static void receive_hello(struct rip_session *session, const struct rip_hello *hello)
{
	struct rip_message message = { .type = RIP_READY };
	struct rip_ready *ready = &message.ready;
	struct rip_ring *ring = &session->ring_page.ring;
	char reason[RIP_REASON_MAX + 1] = "";
	enum rip_message_type answer;

	if (hello->version != RIP_PROTOCOL_VERSION) {
		snprintf(reason, sizeof reason, "the client speaks version %u of the protocol, "
			 "this daemon version %u", hello->version, RIP_PROTOCOL_VERSION);
		end_with_reason(session, RIP_END_REFUSED, reason);
		return;
	}
	session->hello = *hello;
	answer = session->host->admit(session, ready, reason);
	if (answer != RIP_READY) {
		rip_session_refuse(session, answer, reason);
		return;
	}
	session->room = (struct rip_ring_sizes){ ring->in_size, ring->out_size };
	ready->version = RIP_PROTOCOL_VERSION;
	ready->max_width = RIP_WIDTH_MAX;
	ready->max_planes = RIP_PLANES_MAX;
	ready->max_bands = RIP_BANDS_IN_FLIGHT;
	ready->in_size = ring->in_size;
	ready->out_size = ring->out_size;
	session->state = RIP_SESSION_OPEN;
	session->host->send(session, &message, (const int[2]){ ring->in_fd, ring->out_fd });
}

static uint64_t work_cost(const struct rip_session *session, const struct rip_session_work *work)
{
	switch (work->kind) {
	case RIP_WORK_PAGE:
		return rip_ring_page_page_cost(&work->page);
	case RIP_WORK_BAND:
		return rip_ring_page_band_cost(&work->band, session->spec.width);
	case RIP_WORK_LET_GO:
		break;
	}
	return RIP_WORK_COST;
}

static void submit(struct rip_session *session, struct rip_session_work *work, uint64_t samples,
		   int64_t now_ms)
{
	work->work = (struct rip_work){
		.run = rip_session_run,
		.cost = work_cost(session, work),
		.follows = work->kind == RIP_WORK_BAND &&
			   session->engine != session->ring_page.fallback,
	};
	work->session = session;
	work->failure_count = 0;
	work->samples = samples;
	work->since_ms = now_ms;
	session->host->submit(session, &work->work);
}

static void receive_page(struct rip_session *session, const struct rip_page_message *page,
			 int64_t now_ms)
{
	struct rip_session_work *work = work_of(session, session->seq);
	char reason[RIP_REASON_MAX + 1];
	enum rip_verdict verdict;
	enum rip_page_place place = RIP_PLACE_UNFIT;
	struct rip_page_spec spec;
	uint64_t memory = 0;

	if (rip_session_in_flight(session)) {
		rip_session_breach(session, "PAGE is not allowed while bands of the page before "
				   "are in flight");
		return;
	}
	verdict = rip_check_page(page, &session->room, &spec, reason);
	if (verdict == RIP_VERDICT_BREACH) {
		rip_session_breach(session, reason);
		return;
	}
	session->state = RIP_SESSION_OPEN; /* the page before has ended in any case */
	session->pixel_bits = rip_page_message_pixel_bits(page);
	if (verdict == RIP_VERDICT_GOOD) {
		session->spec = spec;
		memory = rip_ring_page_memory(&spec, page);
		place = session->host->admit_page(session, page, memory, reason);
	}
	if (place != RIP_PLACE_GPU && place != RIP_PLACE_CPU) {
		session->placed[place]++;
		send_reason(session, RIP_PAGE_REFUSED, reason);
		return;
	}
	session->page_memory = memory;
	session->page = page->page;
	session->height = page->height;
	session->rows = 0;
	session->said_ms = now_ms; /* heartbeats count from here */
	session->state = RIP_SESSION_OPENING;
	work->kind = RIP_WORK_PAGE;
	work->spec = spec;
	work->page = *page;
	submit(session, work, 0, now_ms);
}

static void receive_band(struct rip_session *session, const struct rip_band_message *band,
			 int64_t now_ms)
{
	struct rip_session_work *work = work_of(session, session->seq);
	char reason[RIP_REASON_MAX + 1];
	uint64_t samples;

	if (rip_session_in_flight(session) >= RIP_BANDS_IN_FLIGHT) {
		rip_session_breach(session, "BAND: too many bands in flight");
		return;
	}
	if (band->seq != session->seq) {
		snprintf(reason, sizeof reason, "BAND: number %u, must be %u", band->seq,
			 session->seq);
		rip_session_breach(session, reason);
		return;
	}
	if (rip_check_band(band, &session->spec, session->pixel_bits, &session->room, &samples,
			   reason) != RIP_VERDICT_GOOD) {
		rip_session_breach(session, reason);
		return;
	}
	if (!rip_session_in_flight(session))
		session->said_ms = now_ms; /* heartbeats count from here */
	session->seq++;
	work->kind = RIP_WORK_BAND;
	work->band = *band;
	submit(session, work, samples, now_ms);
}

static void receive_status(struct rip_session *session)
{
	struct rip_message message = { .type = RIP_STATUS_REPLY };

	session->state = RIP_SESSION_ASKING;
	session->host->status(session, &message.status);
	session->host->send(session, &message, NULL);
}

static void receive_devices(struct rip_session *session)
{
	struct rip_message message = { .type = RIP_DEVICES_REPLY };

	session->host->devices(session, &message.devices);
	session->host->send(session, &message, NULL);
}

/* The states in which a client may send a message: bits 1 << enum rip_session_state. */
static const unsigned allowed[] = {
	[RIP_HELLO] = 1 << RIP_SESSION_NEW,
	[RIP_PAGE] = 1 << RIP_SESSION_OPEN | 1 << RIP_SESSION_PAGE,
	[RIP_BAND] = 1 << RIP_SESSION_PAGE,
	[RIP_END] = 1 << RIP_SESSION_OPEN | 1 << RIP_SESSION_OPENING | 1 << RIP_SESSION_PAGE |
		    1 << RIP_SESSION_ASKING,
	[RIP_STATUS] = 1 << RIP_SESSION_NEW | 1 << RIP_SESSION_ASKING,
	[RIP_DEVICES] = 1 << RIP_SESSION_ASKING,
};

static const char *const state_names[] = {
	[RIP_SESSION_NEW] = "before HELLO",
	[RIP_SESSION_ASKING] = "after STATUS",
	[RIP_SESSION_OPEN] = "while no page is open",
	[RIP_SESSION_OPENING] = "before PAGE_READY",
	[RIP_SESSION_PAGE] = "while a page is open",
};

void rip_session_receive(struct rip_session *session, const struct rip_message *message,
			 int64_t now_ms)
{
	const uint32_t type = message->type;
	char reason[RIP_REASON_MAX + 1];

	if (session->state == RIP_SESSION_ENDED)
		return;
	if (type >= sizeof allowed / sizeof allowed[0] || !allowed[type]) {
		const char *name = rip_message_name(type);

		snprintf(reason, sizeof reason, "%s (%u) is not a client's message",
			 name ? name : "message", type);
		rip_session_breach(session, reason);
		return;
	}
	if (!(allowed[type] & 1u << session->state)) {
		snprintf(reason, sizeof reason, "%s is not allowed %s", rip_message_name(type),
			 state_names[session->state]);
		rip_session_breach(session, reason);
		return;
	}
	session->heard_ms = now_ms;
	switch (type) {
	case RIP_HELLO:
		receive_hello(session, &message->hello);
		break;
	case RIP_PAGE:
		receive_page(session, &message->page, now_ms);
		break;
	case RIP_BAND:
		receive_band(session, &message->band, now_ms);
		break;
	case RIP_STATUS:
		receive_status(session);
		break;
	case RIP_DEVICES:
		receive_devices(session);
		break;
	case RIP_END:
		end(session, RIP_END_DONE, "");
		break;
	}
}

void rip_session_gone(struct rip_session *session)
{
	if (session->state == RIP_SESSION_ENDED)
		return;
	if (session->state == RIP_SESSION_ASKING)
		end(session, RIP_END_DONE, "");
	else
		end(session, RIP_END_GONE, "the client went away");
}

void rip_session_breach(struct rip_session *session, const char *why)
{
	end_with_reason(session, RIP_END_BREACH, why);
}

void rip_session_refuse(struct rip_session *session, enum rip_message_type type,
			   const char *why)
{
	send_reason(session, type, why);
	end(session, RIP_END_REFUSED, why);
}

void rip_session_stop(struct rip_session *session)
{
	end_with_reason(session, RIP_END_STOPPED, "riptided stops");
}

bool rip_session_let_go(struct rip_session *session, int64_t now_ms)
{
	struct rip_session_work *work = work_of(session, session->seq);

	if (!session->ring_page.in_pinned)
		return false;
	work->kind = RIP_WORK_LET_GO;
	submit(session, work, 0, now_ms);
	return true;
}

static bool goes_on(void *work)
{
	return rip_work_goes_on(work);
}

static struct rip_session_work *work_on(struct rip_band_way *way)
{
	return (struct rip_session_work *)((char *)way - offsetof(struct rip_session_work, way));
}

/* In a thread of the engine. */
static void arrived(struct rip_band_way *way, bool again)
{
	struct rip_session_work *work = work_on(way);

	work->result = again ? -EAGAIN : 0; /* which only counts if it is not run again */
	rip_work_complete(&work->work, again);
}

static void run_band(struct rip_session_work *work)
{
	int r;

	work->way.done = arrived;
	rip_work_defer(&work->work, true);
	r = rip_ring_page_band(&work->session->ring_page, &work->band, &work->way,
			       work->work.again);
	if (r == -EAGAIN) {
		arrived(&work->way, true);
	} else if (r != RIP_BAND_ON_ITS_WAY) {
		rip_work_defer(&work->work, false);
		work->result = r;
	}
}

/* When the event loop looks, the next work may already use the ring_page.  And this one may be run
 * once more. */
static void take_failures(struct rip_session_work *work)
{
	struct rip_ring_page *ring_page = &work->session->ring_page;

	if (ring_page->failure_count == 0)
		return;
	for (unsigned i = 0; i < ring_page->failure_count; i++)
		if (work->failure_count < RIP_FAILURES_MAX)
			work->failures[work->failure_count++] = ring_page->failures[i];
	work->replaced = ring_page->replaced;
	ring_page->failure_count = 0;
	ring_page->replaced = NULL;
}

void rip_session_run(struct rip_work *base)
{
	struct rip_session_work *work = (struct rip_session_work *)base;
	struct rip_ring_page *ring_page = &work->session->ring_page;

	ring_page->goes_on = goes_on;
	ring_page->context = base;
	work->result = 0;
	switch (work->kind) {
	case RIP_WORK_PAGE:
		work->result = rip_ring_page_begin(ring_page, &work->page, &work->spec);
		break;
	case RIP_WORK_BAND:
		run_band(work);
		break;
	case RIP_WORK_LET_GO:
		rip_ring_page_let_go(ring_page);
		break;
	}
	take_failures(work);
	work->declined = ring_page->declined;
	work->engine = ring_page->engine;
}

static void page_done(struct rip_session *session, int result)
{
	char reason[RIP_REASON_MAX + 1];

	if (result == 0) {
		session->pages++;
		session->placed[session->engine == session->ring_page.fallback ? RIP_PLACE_CPU
									       : RIP_PLACE_GPU]++;
		session->state = RIP_SESSION_PAGE;
		send_plain(session, RIP_PAGE_READY);
		return;
	}
	session->page_memory = 0;
	session->state = RIP_SESSION_OPEN;
	if (result == -ERANGE) {
		rip_session_breach(session, "PAGE: a start carry is out of range, or a curve "
				   "falls under an ink limit");
		return;
	}
	session->placed[RIP_PLACE_UNFIT]++;
	snprintf(reason, sizeof reason, "the page cannot be opened: %s", strerror(-result));
	send_reason(session, RIP_PAGE_REFUSED, reason);
}

static void band_done(struct rip_session *session, struct rip_session_work *work, int64_t now_ms)
{
	char reason[RIP_REASON_MAX + 1];

	if (work->result < 0) {
		snprintf(reason, sizeof reason, "no engine can continue: %s",
			 strerror(-work->result));
		end_with_reason(session, RIP_END_FAILED, reason);
		return;
	}
	session->done++;
	session->bands++;
	session->samples += work->samples;
	session->rows = work->band.rows;
	if (rip_session_in_flight(session)) /* the next one could not start earlier */
		work_of(session, session->done)->since_ms = now_ms;
	send_state(session, RIP_BAND_DONE, work->band.seq, now_ms);
}

void rip_session_done(struct rip_session *session, struct rip_session_work *work, int64_t now_ms)
{
	session->engine = work->engine;
	session->declined = work->declined;
	session->engine_us += work->work.ended_us - work->work.started_us;
	session->wait_us += work->work.started_us - work->work.submitted_us;
	if (session->state == RIP_SESSION_ENDED)
		return;
	if (work->kind == RIP_WORK_PAGE)
		page_done(session, work->result);
	else
		band_done(session, work, now_ms);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* A work waits or runs: it has deadlines, and until it is done the client gets heartbeats.
 * While a page is being opened, they have the number of its first band. */
static int64_t tick_working(struct rip_session *session, int64_t now_ms)
{
	const uint32_t seq = session->done;
	const struct rip_session_work *work = work_of(session, seq);
	const int64_t started = session->host->started(session, &work->work);
	const int64_t limit = started ? started + RIP_STUCK_MS
				      : later(work->since_ms, session->host->progress(session)) +
						RIP_WAIT_MS;

	if (now_ms >= limit) {
		session->hung = started != 0;
		end_with_reason(session, RIP_END_FAILED, started
				? "the engine hangs" : "all workers hang");
		return INT64_MAX;
	}
	if (now_ms >= session->said_ms + RIP_HEARTBEAT_MS)
		send_state(session, started ? RIP_WORKING : RIP_QUEUED, seq, now_ms);
	return earlier(limit, session->said_ms + RIP_HEARTBEAT_MS);
}

/* No work waits or runs: the client has to send a message before `limit`. */
static int64_t tick_idle(struct rip_session *session, int64_t now_ms, int64_t limit,
			 const char *why)
{
	if (now_ms < limit)
		return limit;
	end_with_reason(session, RIP_END_BREACH, why);
	return INT64_MAX;
}

int64_t rip_session_tick(struct rip_session *session, int64_t now_ms)
{
	switch (session->state) {
	case RIP_SESSION_NEW:
		return tick_idle(session, now_ms, session->began_ms + RIP_HELLO_MS,
				 "no HELLO within 2 seconds");
	case RIP_SESSION_ASKING:
		if (now_ms < session->heard_ms + RIP_ASKING_MS)
			return session->heard_ms + RIP_ASKING_MS;
		end(session, RIP_END_DONE, "");
		return INT64_MAX;
	case RIP_SESSION_OPENING:
		return tick_working(session, now_ms);
	case RIP_SESSION_OPEN:
	case RIP_SESSION_PAGE:
		if (rip_session_in_flight(session))
			return tick_working(session, now_ms);
		return tick_idle(session, now_ms, session->heard_ms + RIP_IDLE_MS,
				 "no message for 10 minutes");
	case RIP_SESSION_ENDED:
		break;
	}
	return INT64_MAX;
}

void rip_session_describe(const struct rip_session *session, int64_t now_ms,
			  struct rip_session_status *status)
{
	*status = (struct rip_session_status){
		.job = session->hello.job,
		.method = session->hello.method,
		.page = session->page,
		.width = session->spec.width,
		.height = session->height,
		.planes = session->spec.planes,
		.rows = session->rows,
		.bands = rip_session_in_flight(session),
		.pid = (uint32_t)session->pid,
		.age_ms = (uint32_t)(now_ms - session->began_ms),
		.samples = session->samples,
	};
	rip_text_set(status->queue, sizeof status->queue, session->hello.queue);
}
