/*
 * Which sessions and pages are admitted, and how much memory they may hold.
 *
 * What a session holds is charged to it, and to the process that the client is
 * (process.h): descriptors (its socket and the two of its ring) and memory (its ring
 * in full, although it is filled only as far as bands need, and its page).  What a
 * client keeps of the ring when the session is over stays charged, as what it takes,
 * until it lets go of it (retained.h).
 * Nothing is counted twice over in running totals that could drift: sessions are
 * few, and the sums are made when they are asked for.
 */
#include "config.h"

#include "server_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "page_place.h"

/* A session whose client has sent nothing for so long is slow at something else. */
#define RIP_SLOW_MS 100

static uint64_t held_by(const struct rip_daemon_client *client)
{
	const struct rip_ring *ring = &client->session.ring_page.ring;

	return ring->in_size + ring->out_size + client->session.page_memory;
}

/* Page-locked memory for the GPUs: what they hold, or what their pages will take that have yet to
 * be opened. */
static uint64_t staging(const struct rip_server *server)
{
	const uint64_t held = rip_device_staging(server->device);
	const struct rip_daemon_client *client;
	uint64_t charged = 0;

	for (client = server->clients; client; client = client->next)
		charged += client->staging;
	return held > charged ? held : charged;
}

bool rip_daemon_client_serves(const struct rip_daemon_client *client)
{
	switch (client->session.state) {
	case RIP_SESSION_OPEN:
	case RIP_SESSION_OPENING:
	case RIP_SESSION_PAGE:
		return true;
	default:
		return false;
	}
}

unsigned rip_server_sessions(const struct rip_server *server)
{
	const struct rip_daemon_client *client;
	unsigned count = 0;

	for (client = server->clients; client; client = client->next)
		count += rip_daemon_client_serves(client);
	return count;
}

uint64_t rip_server_memory(const struct rip_server *server)
{
	const struct rip_daemon_client *client;
	uint64_t held = staging(server);

	if (server->retained)
		held += rip_retained_bytes(server->retained);
	for (client = server->clients; client; client = client->next)
		held += held_by(client);
	return held;
}

static unsigned sessions_of(const struct rip_server *server, const struct rip_process *process)
{
	const struct rip_daemon_client *client;
	unsigned count = 0;

	for (client = server->clients; client; client = client->next)
		count += rip_daemon_client_serves(client) && client->process == process;
	return count;
}

unsigned rip_server_connections_of(const struct rip_server *server,
				   const struct rip_process *process)
{
	const struct rip_daemon_client *client;
	unsigned count = 0;

	for (client = server->clients; client; client = client->next)
		count += !rip_daemon_client_closed(client) && client->process == process;
	return count;
}

void rip_server_release(struct rip_server *server, struct rip_daemon_client *client)
{
	const struct rip_ring *ring = &client->session.ring_page.ring;
	struct rip_process *process = client->process;
	const int watch = client->watch;
	uint64_t bytes = 0;
	struct stat st;

	rip_device_release(server->device, client->held);
	if (watch && fstat(ring->out_fd, &st) == 0)
		bytes = (uint64_t)st.st_blocks * 512;
	if (watch && !client->gone && fstat(ring->in_fd, &st) == 0)
		bytes += (uint64_t)st.st_blocks * 512;
	rip_daemon_client_free(client);
	if (watch) /* even an empty file takes memory */
		rip_retained_leave(server->retained, watch, bytes ? bytes : 4096, &process->id);
	rip_process_leave(&server->processes, process);
}

/* Whether so many bytes more may be held, and so many less, if need be after the GPU gave
 * back what it keeps for later. */
static bool fits(const struct rip_server *server, uint64_t more, uint64_t less)
{
	const uint64_t most = server->settings.max_memory + less;

	if (rip_server_memory(server) + more > most)
		rip_device_trim(server->device);
	return rip_server_memory(server) + more <= most;
}

/* Whether a limit forbids one more session of this process; then reason names it. */
static bool is_full(const struct rip_server *server, const struct rip_daemon_client *client,
		    char reason[RIP_REASON_MAX + 1])
{
	const struct rip_settings *settings = &server->settings;
	const struct rip_process *process = client->process;
	const unsigned open = rip_server_sessions(server);
	const unsigned of_process = sessions_of(server, process);
	const unsigned retained =
		server->retained ? rip_retained_count_of(server->retained, &process->id) : 0;
	const uint64_t retained_bytes = server->retained ? rip_retained_bytes(server->retained) : 0;

	if (open >= settings->max_sessions)
		snprintf(reason, RIP_REASON_MAX + 1,
			 "%u session%s open; the limit is %u (max-sessions)",
			 open, open == 1 ? " is" : "s are", settings->max_sessions);
	else if (of_process + retained >= settings->max_sessions_per_process)
		snprintf(reason, RIP_REASON_MAX + 1, "this process has %u open session%s and "
			 "retains the memory of %u ended one%s; "
			 "the limit is %u (max-sessions-per-process)",
			 of_process, of_process == 1 ? "" : "s", retained, retained == 1 ? "" : "s",
			 settings->max_sessions_per_process);
	else if (!fits(server, RIP_RING_IN + RIP_RING_OUT, 0))
		snprintf(reason, RIP_REASON_MAX + 1, "all memory for sessions is in use, "
			 "%llu MiB of it retained by clients of ended ones (max-memory)",
			 (unsigned long long)(retained_bytes >> 20));
	else if (server->retained && rip_retained_count(server->retained) >= RIP_RETAINED_MAX)
		snprintf(reason, RIP_REASON_MAX + 1, "clients retain memory of %u ended sessions",
			 RIP_RETAINED_MAX);
	else
		return false;
	return true;
}

/* Creates the ring of the session.  0; -errno, and reason says why. */
static int make_ring(struct rip_server *server, struct rip_daemon_client *client,
		     char reason[RIP_REASON_MAX + 1])
{
	struct rip_ring *ring = &client->session.ring_page.ring;
	int r = rip_ring_create(ring, RIP_RING_IN, RIP_RING_OUT);

	if (r == 0 && server->retained) {
		r = rip_retained_watch(server->retained, ring->in_fd, ring->out_fd);
		if (r > 0) {
			client->watch = r;
			r = 0;
		} else {
			rip_ring_finish(ring);
		}
	}
	if (r < 0)
		snprintf(reason, RIP_REASON_MAX + 1, "cannot create the shared memory: %s",
			 strerror(-r));
	return r;
}

/* Gives a session the engine for its next page. */
static struct rip_engine *give_engine(struct rip_daemon_client *client)
{
	struct rip_session *session = &client->session;
	struct rip_device *device = client->server->device;

	rip_device_release(device, client->held);
	client->held = rip_device_hold(device, session->hello.method);
	session->engine = client->held ? client->held : session->ring_page.fallback;
	session->ring_page.engine = session->engine;
	return session->engine;
}

enum rip_message_type rip_server_admit(struct rip_session *session, struct rip_ready *ready,
				       char reason[RIP_REASON_MAX + 1])
{
	struct rip_daemon_client *client = rip_daemon_client_of(session);
	struct rip_server *server = client->server;
	const enum rip_method method = session->hello.method;
	struct rip_engine *engine;

	if (!rip_device_serves(server->device, method)) {
		if (server->device->why_no_gpu[0])
			snprintf(reason, RIP_REASON_MAX + 1, "no GPU: %.110s",
				 server->device->why_no_gpu);
		else
			snprintf(reason, RIP_REASON_MAX + 1, "method %s runs on the CPU",
				 rip_method_name(method));
		return RIP_NO_ACCELERATOR;
	}
	if (is_full(server, client, reason) || make_ring(server, client, reason) < 0)
		return RIP_BUSY;
	session->ring_page.fallback = rip_device_fallback(server->device, method);
	session->ring_page.replace = rip_device_replace;
	session->ring_page.replace_context = server->device;
	engine = give_engine(client);
	rip_text_set(ready->device, sizeof ready->device, engine->device);
	ready->takes_pixels = engine->ops->takes_pixels;
	return RIP_READY;
}

/* Pages that the GPUs halftone now, beside this session's. */
static unsigned pages_on_gpus(const struct rip_server *server, const struct rip_daemon_client *self)
{
	const struct rip_daemon_client *client;
	unsigned count = 0;

	for (client = server->clients; client; client = client->next) {
		const struct rip_session *session = &client->session;

		/* A client that reads or writes slowly has a page, but does not use the GPU. */
		count += client != self && rip_device_is_gpu(server->device, session->engine) &&
			 (session->state == RIP_SESSION_OPENING ||
			  (session->state == RIP_SESSION_PAGE &&
			   (rip_session_in_flight(session) > 0 ||
			    rip_now_ms() < session->heard_ms + RIP_SLOW_MS)));
	}
	return count;
}

enum rip_page_place rip_server_admit_page(struct rip_session *session,
					  const struct rip_page_message *page,
					  uint64_t memory, char reason[RIP_REASON_MAX + 1])
{
	struct rip_daemon_client *client = rip_daemon_client_of(session);
	struct rip_server *server = client->server;
	enum rip_page_place place = RIP_PLACE_CPU;

	/* With `device = cpu` the administrator has said who halftones. */
	if (page->optional && server->device->kind != RIP_DEVICE_CPU) {
		place = rip_place_page(page, rip_device_gpus(server->device),
				       pages_on_gpus(server, client));
		if (place != RIP_PLACE_GPU) {
			rip_text_set(reason, RIP_REASON_MAX + 1, rip_place_why(place));
			return place;
		}
	}
	/* Since the last page, a GPU may have been found, or have failed in another session, or
	 * have got less to do than the one that this session had. */
	give_engine(client);
	client->staging = rip_device_page_staging(server->device, client->held, &session->spec);
	if (fits(server, memory, session->page_memory))
		return place;
	client->staging = 0;
	snprintf(reason, RIP_REASON_MAX + 1,
		 "not enough memory for the page is left (max-memory)");
	return RIP_PLACE_MEMORY;
}
