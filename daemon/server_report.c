/* What is reported of the server. */
#include "config.h"

#include "server_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "log.h"

#define NOTIFY_MS 1000 /* STATUS= changes at most that often */

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_session(struct rip_totals *totals, const struct rip_session *session)
{
	totals->pages += session->pages;
	totals->bands += session->bands;
	totals->samples += session->samples;
	for (unsigned i = 0; i < RIP_PLACES; i++)
		totals->placed[i] += session->placed[i];
}

/* Bytes of this process that are in memory; 0: unknown. */
static uint64_t resident(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (file && fscanf(file, "%*u %lu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void rip_server_status(struct rip_session *session, struct rip_status_reply *reply)
{
	const struct rip_server *server = rip_daemon_client_of(session)->server;
	struct rip_totals totals = server->totals;
	const int64_t now_ms = rip_now_ms();
	const struct rip_daemon_client *client;
	char device[RIP_DEVICE_NAME_MAX + 1];

	memset(reply, 0, sizeof *reply);
	for (client = server->clients; client; client = client->next) {
		if (!rip_daemon_client_serves(client))
			continue;
		add_session(&totals, &client->session);
		totals.jobs++;
		reply->sessions++;
		if (reply->count < RIP_STATUS_SESSIONS)
			rip_session_describe(&client->session, now_ms,
					     &reply->session[reply->count++]);
	}
	reply->version = RIP_PROTOCOL_VERSION;
	reply->pid = (uint32_t)getpid();
	reply->uptime_ms = (uint64_t)(now_ms - server->began_ms);
	reply->jobs = totals.jobs;
	reply->pages = totals.pages;
	reply->bands = totals.bands;
	reply->samples = totals.samples;
	reply->busy_us = rip_scheduler_busy_us(server->scheduler);
	reply->workers = rip_scheduler_workers(server->scheduler);
	reply->refused = totals.refused;
	memcpy(reply->placed, totals.placed, sizeof reply->placed);
	reply->memory = rip_server_memory(server);
	reply->resident = resident();
	reply->max_memory = server->settings.max_memory;
	reply->max_sessions = server->settings.max_sessions;
	if (server->retained) {
		reply->retained = rip_retained_count(server->retained);
		reply->retained_bytes = rip_retained_bytes(server->retained);
	}
	rip_text_set(reply->program, sizeof reply->program, PACKAGE_VERSION);
	rip_device_name(server->device, device, sizeof device);
	rip_text_set(reply->device, sizeof reply->device, device);
	rip_text_set(reply->accelerator, sizeof reply->accelerator, server->device->why_no_gpu);
}

void rip_server_devices(struct rip_session *session, struct rip_devices_reply *reply)
{
	struct rip_device *device = rip_daemon_client_of(session)->server->device;

	memset(reply, 0, sizeof *reply);
	for (unsigned i = 0; i < device->gpu_count; i++)
		rip_device_describe(device, &device->gpus[i], &reply->gpu[reply->count++]);
}

static struct rip_log_subject subject_of(const struct rip_daemon_client *client)
{
	const struct rip_session *session = &client->session;
	const struct rip_engine *engine = session->engine;
	struct rip_device *device = client->server->device;
	const bool wants_gpu = rip_method_wants_gpu(session->hello.method) ||
			       session->hello.method == RIP_METHOD_AUTO;
	const char *why =
		!wants_gpu ? NULL :
		session->declined == -ENOTSUP ? "the GPU does not support this screen" :
		session->declined == -ENOMEM ? "the GPU's memory is full" :
		rip_device_is_gpu(device, engine) ? NULL :
		device->why_no_gpu[0] ? device->why_no_gpu :
		"its GPU failed, and no other could continue";

	return (struct rip_log_subject){
		.job = session->hello.job,
		.queue = session->hello.queue,
		.page = session->page,
		.method = engine ? engine->method : NULL,
		.device = engine ? engine->device : NULL,
		/* not where nobody wants one, or the text is about that */
		.why_no_gpu = engine && device->kind != RIP_DEVICE_CPU ? why : NULL,
		.pid = session->pid,
		.uid = session->uid,
	};
}

void rip_server_report_begin(struct rip_daemon_client *client)
{
	const struct rip_log_subject subject = subject_of(client);

	rip_log(LOG_DEBUG, RIP_EVENT_SESSION_BEGIN, &subject, "is served");
}

static void report_served(const struct rip_log_subject *subject, const struct rip_session *session,
			  int64_t now_ms)
{
	const bool fault = session->end == RIP_END_BREACH || session->end == RIP_END_FAILED ||
			   session->end == RIP_END_GONE;
	const struct rip_log_done done = {
		.pages = session->pages,
		.bands = session->bands,
		.samples = session->samples,
		.time_us = (uint64_t)(now_ms - session->began_ms) * 1000,
		.engine_us = session->engine_us,
		.wait_us = session->wait_us,
	};
	struct rip_log_subject whole = *subject;

	whole.done = &done;
	rip_log(session->end == RIP_END_FAILED  ? LOG_ERR
		: session->end == RIP_END_BREACH ? LOG_WARNING
						 : LOG_INFO,
		fault ? RIP_EVENT_SESSION_FAULT : RIP_EVENT_SESSION_END, &whole,
		"%" PRIu64 " page%s, %" PRIu64 " band%s, %.1f Mpixel in %.2f s "
		"(worked %.2f s, waited %.2f s)%s%s",
		done.pages, plural(done.pages), done.bands, plural(done.bands),
		(double)done.samples / 1e6, (double)done.time_us / 1e6,
		(double)done.engine_us / 1e6, (double)done.wait_us / 1e6,
		session->why[0] ? ": " : "", session->why);
}

void rip_server_report_end(struct rip_server *server, struct rip_daemon_client *client,
			   int64_t now_ms)
{
	const struct rip_session *session = &client->session;
	const bool served = session->engine != NULL;
	struct rip_log_subject subject = subject_of(client);

	client->reported = true;
	if (session->hung)
		rip_device_failed(server->device, session->engine, "it hangs");
	add_session(&server->totals, session);
	if (session->end == RIP_END_BREACH || session->end == RIP_END_REFUSED)
		server->totals.refused++;
	if (served) {
		server->totals.jobs++;
		server->active_ms = now_ms;
		report_served(&subject, session, now_ms);
	} else if (session->end == RIP_END_REFUSED || session->end == RIP_END_BREACH) {
		/* A daemon without a GPU says so to every job: that is nothing to look at. */
		bool routine = session->end == RIP_END_REFUSED &&
			       !rip_device_serves(server->device, session->hello.method);

		rip_log(routine ? LOG_DEBUG : LOG_WARNING, RIP_EVENT_REFUSED, &subject, "%s",
			session->why);
	}
}

/* One engine after the other has failed in a work item. */
static void report_engine(struct rip_server *server, struct rip_daemon_client *client,
			  const struct rip_session_work *work, unsigned which)
{
	const struct rip_engine *failed = work->failures[which].engine;
	const char *why = strerror(-work->failures[which].error);
	const bool last = which + 1 == work->failure_count;
	const struct rip_engine *next = last ? work->engine : work->failures[which + 1].engine;
	struct rip_log_subject subject = subject_of(client);
	const bool news = rip_device_failed(server->device, failed, why);

	if (rip_device_is_gpu(server->device, next))
		subject.why_no_gpu = NULL;
	subject.method = failed->method;
	subject.device = failed->device;
	if (last && work->result < 0)
		rip_log(LOG_ERR, RIP_EVENT_ENGINE_FAULT, &subject,
			"%s failed (%s), and %s cannot continue the page (%s)", failed->device, why,
			next->device, strerror(-work->result));
	else
		rip_log(news ? LOG_ERR : LOG_DEBUG, RIP_EVENT_ENGINE_FAULT, &subject,
			"%s failed (%s); continuing on %s, with the same dots", failed->device, why,
			next->device);
}

void rip_server_report_failure(struct rip_server *server, struct rip_daemon_client *client,
			       const struct rip_session_work *work)
{
	for (unsigned i = 0; i < work->failure_count; i++)
		report_engine(server, client, work, i);
	/* Only now, because a GPU's engine can be freed when nobody holds it. */
	for (unsigned i = 0; i < work->failure_count; i++)
		rip_device_release(server->device, work->failures[i].engine);
	client->held = work->replaced;
	server->notified_ms = 0; /* STATUS= changes now */
}

int64_t rip_server_notify(struct rip_server *server, int64_t now_ms)
{
	const unsigned sessions = rip_server_sessions(server);
	const int64_t since = now_ms - server->notified_ms;
	char device[RIP_DEVICE_NAME_MAX + 1];
	uint64_t busy;
	double busy_percent;

	if (server->notified_ms && sessions == server->notified_sessions && !sessions)
		return INT64_MAX;
	if (server->notified_ms && since < NOTIFY_MS)
		return server->notified_ms + NOTIFY_MS;
	busy = rip_scheduler_busy_us(server->scheduler);
	busy_percent = since > 0 ?
		       (double)(busy - server->notified_busy_us) / 10.0 / (double)since /
		       rip_scheduler_workers(server->scheduler) : 0;
	rip_device_name(server->device, device, sizeof device);
	sd_notifyf(0, "STATUS=%s%s%s; %u session%s; workers %.0f %% busy", device,
		   server->device->why_no_gpu[0] ? ", no GPU: " : "", server->device->why_no_gpu,
		   sessions, plural(sessions), server->notified_ms && sessions ? busy_percent : 0);
	server->notified_ms = now_ms;
	server->notified_sessions = sessions;
	server->notified_busy_us = busy;
	return sessions ? now_ms + NOTIFY_MS : INT64_MAX;
}
