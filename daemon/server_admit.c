/*
 * Who is let in, and how much he may hold.
 *
 * What a session holds is charged to it, and through its pid to the client's
 * process: descriptors (its socket and the two of its ring) and memory (its ring
 * in full, although it is filled only as far as bands need, and its page).
 * Nothing is counted twice over in running totals that could drift: sessions are
 * few, and the sums are made when they are asked for.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "server_private.h"

static uint64_t held_by(const struct rip_guest *guest)
{
	const struct rip_session *session = &guest->session;

	return session->sheet.ring.in_size + session->sheet.ring.out_size + session->page_memory;
}

bool rip_guest_serves(const struct rip_guest *guest)
{
	switch (guest->session.state) {
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
	unsigned count = 0;

	for (const struct rip_guest *guest = server->guests; guest; guest = guest->next)
		count += rip_guest_serves(guest);
	return count;
}

static uint64_t memory_held(const struct rip_server *server)
{
	uint64_t held = 0;

	for (const struct rip_guest *guest = server->guests; guest; guest = guest->next)
		held += held_by(guest);
	return held;
}

static unsigned sessions_of(const struct rip_server *server, pid_t pid)
{
	unsigned count = 0;

	for (const struct rip_guest *guest = server->guests; guest; guest = guest->next)
		count += rip_guest_serves(guest) && guest->session.pid == pid;
	return count;
}

unsigned rip_server_connections_of(const struct rip_server *server, pid_t pid)
{
	unsigned count = 0;

	for (const struct rip_guest *guest = server->guests; guest; guest = guest->next)
		count += !rip_guest_closed(guest) && guest->session.pid == pid;
	return count;
}

enum rip_message_type rip_server_admit(struct rip_session *session, struct rip_ready *ready,
				       char reason[RIP_REASON_MAX + 1])
{
	struct rip_server *server = rip_guest_of(session)->source.server;
	const struct rip_settings *settings = &server->settings;
	const enum rip_method method = session->hello.method;
	struct rip_engine *engine = rip_device_engine(server->device, method);
	int r;

	if (!engine) {
		if (server->device->why_no_gpu[0])
			snprintf(reason, RIP_REASON_MAX + 1, "no GPU: %.110s",
				 server->device->why_no_gpu);
		else
			snprintf(reason, RIP_REASON_MAX + 1, "method %s runs on the CPU",
				 rip_method_name(method));
		return RIP_NO_ACCELERATOR;
	}
	if (rip_server_sessions(server) >= settings->max_sessions) {
		snprintf(reason, RIP_REASON_MAX + 1, "%u sessions are open, more are not allowed "
			 "(max-sessions)", settings->max_sessions);
		return RIP_BUSY;
	}
	if (sessions_of(server, session->pid) >= settings->max_sessions_per_process) {
		snprintf(reason, RIP_REASON_MAX + 1, "process %d has %u sessions, more are not "
			 "allowed (max-sessions-per-process)", (int)session->pid,
			 settings->max_sessions_per_process);
		return RIP_BUSY;
	}
	if (memory_held(server) + RIP_RING_IN + RIP_RING_OUT > settings->max_memory) {
		snprintf(reason, RIP_REASON_MAX + 1,
			 "all memory for sessions is in use (max-memory)");
		return RIP_BUSY;
	}
	r = rip_ring_create(&session->sheet.ring, RIP_RING_IN, RIP_RING_OUT);
	if (r < 0) {
		snprintf(reason, RIP_REASON_MAX + 1, "no ring can be made: %s", strerror(-r));
		return RIP_BUSY;
	}
	session->engine = session->sheet.engine = engine;
	session->sheet.fallback = rip_device_fallback(server->device, method);
	rip_text_set(ready->device, sizeof ready->device, engine->device);
	rip_server_report_begin(rip_guest_of(session));
	return RIP_READY;
}

bool rip_server_admit_page(struct rip_session *session, uint64_t memory,
			   char reason[RIP_REASON_MAX + 1])
{
	struct rip_server *server = rip_guest_of(session)->source.server;
	struct rip_engine *engine = rip_device_engine(server->device, session->hello.method);

	if (memory_held(server) - session->page_memory + memory > server->settings.max_memory) {
		snprintf(reason, RIP_REASON_MAX + 1,
			 "not enough memory for the page is left (max-memory)");
		return false;
	}
	/* The GPU may have come since the last page, or have failed elsewhere. */
	session->engine = session->sheet.engine = engine ? engine : session->sheet.fallback;
	return true;
}
