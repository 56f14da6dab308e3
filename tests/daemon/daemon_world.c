/* A session without a world. */
#include "config.h"

#include "daemon_world.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/engine_cpu.h"
#include "wire/codec.h"

static struct world *world_of(struct rip_session *session)
{
	return (struct world *)session;
}

static enum rip_message_type admit(struct rip_session *session, struct rip_ready *ready,
				   char reason[RIP_REASON_MAX + 1])
{
	struct world *world = world_of(session);

	if (world->admit != RIP_READY) {
		rip_text_set(reason, RIP_REASON_MAX + 1, "a test says so");
		return world->admit;
	}
	if (world->heap_ring)
		session->ring_page.ring = (struct rip_ring){
			.in = calloc(1, WORLD_IN), .in_size = WORLD_IN, .in_fd = -1,
			.out = calloc(1, WORLD_OUT), .out_size = WORLD_OUT, .out_fd = -1,
		};
	else if (rip_ring_create(&session->ring_page.ring, WORLD_IN, WORLD_OUT) < 0)
		abort();
	session->engine = session->ring_page.engine = world->engine;
	session->ring_page.fallback = world->fallback;
	rip_text_set(ready->device, sizeof ready->device, "test");
	return RIP_READY;
}

static enum rip_page_place admit_page(struct rip_session *session,
				      const struct rip_page_message *page, uint64_t memory,
				      char reason[RIP_REASON_MAX + 1])
{
	struct world *world = world_of(session);

	(void)page;
	world->page_memory = memory;
	session->engine = session->ring_page.engine = world->engine; /* as the server does */
	if (!world->admit_page)
		rip_text_set(reason, RIP_REASON_MAX + 1, "a test says so");
	return world->admit_page ? RIP_PLACE_CPU : RIP_PLACE_MEMORY;
}

/* Whatever is said must be a message that the other side takes. */
static void send_message(struct rip_session *session, const struct rip_message *message,
			 const int fds[2])
{
	struct world *world = world_of(session);
	static uint8_t bytes[RIP_MESSAGE_MAX];

	if (rip_message_encode(message, bytes, sizeof bytes) <= 0 ||
	    session->state == RIP_SESSION_ENDED || (message->type == RIP_READY) != (fds != NULL))
		abort();
	world->sent[world->sent_count++ % WORLD_SENT] = *message;
	world->fds_count += fds != NULL;
}

static void submit(struct rip_session *session, struct rip_work *work)
{
	struct world *world = world_of(session);

	if (world->submitted_count >= RIP_BANDS_IN_FLIGHT)
		abort();
	world->submitted[world->submitted_count++] = work;
}

static int64_t started(struct rip_session *session, const struct rip_work *work)
{
	return world_of(session)->started;
}

static int64_t progress(struct rip_session *session)
{
	return world_of(session)->progress;
}

static void status(struct rip_session *session, struct rip_status_reply *reply)
{
	memset(reply, 0, sizeof *reply);
	reply->sessions = reply->count = 1;
	rip_session_describe(session, 0, &reply->session[0]);
}

static void devices(struct rip_session *session, struct rip_devices_reply *reply)
{
	memset(reply, 0, sizeof *reply);
}

static const struct rip_session_host host = {
	admit, admit_page, send_message, submit, started, progress, status, devices
};

void world_init(struct world *world)
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_EC, .threads = 1 };

	/* Not all of `sent`: a fuzzer does this ten thousand times a second. */
	memset(world, 0, offsetof(struct world, sent));
	memset(&world->sent_count, 0, sizeof *world - offsetof(struct world, sent_count));
	world->admit = RIP_READY;
	world->admit_page = true;
	if (rip_engine_cpu_new(&config, &world->fallback) < 0)
		abort();
	world->engine = world->fallback;
	rip_session_init(&world->session, &host, 1, 0, 0);
}

void world_finish(struct world *world)
{
	if (world->heap_ring) {
		free(world->session.ring_page.ring.in);
		free(world->session.ring_page.ring.out);
		world->session.ring_page.ring = (struct rip_ring){ .in_fd = -1, .out_fd = -1 };
	}
	rip_session_finish(&world->session);
	world->fallback->ops->free(world->fallback);
}

const struct rip_message *world_last(const struct world *world)
{
	return world->sent_count ? &world->sent[(world->sent_count - 1) % WORLD_SENT] : NULL;
}

bool world_work(struct world *world, int64_t now_ms)
{
	struct rip_work *work = world->submitted[0];

	if (!world->submitted_count)
		return false;
	memmove(world->submitted, world->submitted + 1,
		--world->submitted_count * sizeof world->submitted[0]);
	work->run(work);
	rip_session_done(&world->session, (struct rip_session_work *)work, now_ms);
	return true;
}
