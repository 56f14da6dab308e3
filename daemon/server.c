/* The event loop. */
#include "config.h"

#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "halftone/cpu.h"
#include "log.h"
#include "reload.h"
#include "server_state.h"

#define ACCEPTS_A_TURN 16
#define ACCEPT_PAUSE_MS 100  /* after the system had no resources for a client */
#define STOP_MS        5000  /* work items that run must end within this */
#define PAUSE_MS       1000  /* the loop wakes up so late only after a pause */
#define TIMER_ACCURACY_US 1000

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* --- clients -------------------------------------------------------------------- */

static enum rip_message_type admit(struct rip_session *session, struct rip_ready *ready,
				   char reason[RIP_REASON_MAX + 1])
{
	enum rip_message_type answer = rip_server_admit(session, ready, reason);

	if (answer == RIP_READY)
		rip_server_report_begin(rip_daemon_client_of(session));
	return answer;
}

static void submit(struct rip_session *session, struct rip_work *work)
{
	struct rip_daemon_client *client = rip_daemon_client_of(session);

	rip_scheduler_submit(client->server->scheduler, &client->flow, work);
}

/* After a pause of the process the deadlines of work items begin anew: see notice_pause(). */
static int64_t started(struct rip_session *session, const struct rip_work *work)
{
	const struct rip_server *server = rip_daemon_client_of(session)->server;
	const int64_t at = rip_scheduler_started(server->scheduler, work);

	return at ? later(at, server->resumed_ms) : 0;
}

static int64_t progress(struct rip_session *session)
{
	const struct rip_server *server = rip_daemon_client_of(session)->server;

	return later(rip_scheduler_progress(server->scheduler), server->resumed_ms);
}

static const struct rip_session_host host = {
	.admit = admit,
	.admit_page = rip_server_admit_page,
	.send = rip_daemon_client_send,
	.submit = submit,
	.started = started,
	.progress = progress,
	.status = rip_server_status,
	.devices = rip_server_devices,
};

/* Updates a client after an event or a deadline.  Returns whether it can be freed; *next:
 * when to call again at the latest. */
static bool settle_client(struct rip_server *server, struct rip_daemon_client *client,
			  int64_t now_ms, int64_t *next)
{
	struct rip_session *session = &client->session;

	rip_daemon_client_read_on(client, now_ms);
	if (server->stopping && session->state == RIP_SESSION_NEW)
		rip_session_refuse(session, RIP_BUSY, "riptided stops");
	/* Bands that had begun are answered before the session is stopped. */
	if ((server->stopping || session->state == RIP_SESSION_ENDED) && !client->lets_go &&
	    rip_scheduler_drop(server->scheduler, &client->flow,
			       session->state == RIP_SESSION_ENDED) == 0)
		rip_session_stop(session);
	*next = earlier(*next, rip_daemon_client_tick(client, now_ms));
	if (session->state == RIP_SESSION_ENDED && !client->reported)
		rip_server_report_end(server, client, now_ms);
	if (!rip_daemon_client_closed(client) || client->flow.held)
		return false;
	client->lets_go = rip_session_let_go(session, now_ms);
	return !client->lets_go;
}

/* After the last session: returns the memory that glibc keeps for later to the system. */
static void give_memory_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

static int64_t settle_clients(struct rip_server *server, int64_t now_ms)
{
	int64_t next = INT64_MAX;

	for (struct rip_daemon_client **at = &server->clients; *at;) {
		struct rip_daemon_client *client = *at;

		if (settle_client(server, client, now_ms, &next)) {
			const bool served = client->session.engine != NULL;

			*at = client->next;
			rip_server_release(server, client);
			server->client_count--;
			if (served && rip_server_sessions(server) == 0)
				give_memory_back();
		} else {
			at = &client->next;
		}
	}
	return next;
}

/* --- accepting ----------------------------------------------------------------- */

/* Answers BUSY with this reason, and closes the connection. */
static void refuse(struct rip_server *server, int fd, const char *why)
{
	rip_peer_refuse(fd, why);
	server->totals.refused++;
	rip_log(LOG_WARNING, RIP_EVENT_REFUSED, NULL, "%s", why);
}

static void welcome(struct rip_server *server, int fd)
{
	const int64_t now_ms = rip_now_ms();
	struct rip_peer peer = { .pid = 0 };
	struct rip_daemon_client *client;
	struct rip_process *process;

	if (server->client_count >= server->settings.max_sessions + RIP_SPARE_CONNECTIONS) {
		refuse(server, fd, "too many connections");
		return;
	}
	if (rip_peer_get(fd, &peer) < 0) {
		refuse(server, fd, "the client's credentials cannot be read");
		return;
	}
	process = rip_process_enter(&server->processes, &peer.process);
	if (process && rip_server_connections_of(server, process) >=
			       server->settings.max_sessions_per_process + RIP_SPARE_PER_PROCESS) {
		rip_process_leave(&server->processes, process);
		refuse(server, fd, "too many connections of this process");
		return;
	}
	client = process ? rip_daemon_client_new(server->event, fd, &host, server, process,
						 peer.pid, peer.uid, now_ms) : NULL;
	if (!client) {
		if (process)
			rip_process_leave(&server->processes, process);
		refuse(server, fd, "the daemon has no memory left for a client");
		return;
	}
	client->next = server->clients;
	server->clients = client;
	server->client_count++;
	if (!rip_listener_allows(server->listener, fd, &peer))
		rip_session_refuse(&client->session, RIP_REFUSED,
				      "only root and the members of the socket's group may use "
				      "this daemon");
}

/* until_ms: 0 to go on accepting. */
static void pause_accepting(struct rip_server *server, int64_t until_ms)
{
	for (int i = 0; i < server->listener->count; i++)
		sd_event_source_set_enabled(server->accepts[i], until_ms ? SD_EVENT_OFF
									 : SD_EVENT_ON);
	server->accept_ms = until_ms;
}

/* accept() found no descriptor or memory.  Closes the spare descriptor, so that the client
 * can be accepted and gets an answer.  If that fails too, accepting pauses for a moment.
 * Returns whether to go on accepting. */
static bool accept_in_need(struct rip_server *server, int listener, int error)
{
	int fd = -1;

	if (server->spare_fd >= 0) {
		close(server->spare_fd);
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			error = errno; /* EAGAIN: no client was waiting */
		else
			refuse(server, fd, "the daemon has no descriptor left");
		server->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0 && error != EAGAIN) {
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "no client can be accepted: %s",
			strerror(error));
		pause_accepting(server, rip_now_ms() + ACCEPT_PAUSE_MS);
	}
	return fd >= 0;
}

static int listener_ready(sd_event_source *source, int listener, uint32_t events,
			  void *argument)
{
	struct rip_server *server = argument;

	(void)source;
	(void)events;
	for (int i = 0; i < ACCEPTS_A_TURN; i++) {
		int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0) {
			welcome(server, fd);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			   errno == ENOBUFS) {
			if (!accept_in_need(server, listener, errno))
				return 0;
		} else if (errno != EINTR && errno != ECONNABORTED) {
			return 0;
		}
	}
	return 0;
}

/* --- work items and retained memory --------------------------------------------------- */

static int work_ready(sd_event_source *source, int fd, uint32_t events, void *argument)
{
	struct rip_server *server = argument;
	const int64_t now_ms = rip_now_ms();
	struct rip_work *base;

	(void)source;
	(void)fd;
	(void)events;
	while ((base = rip_scheduler_collect(server->scheduler))) {
		struct rip_session_work *work = (struct rip_session_work *)base;

		if (work->failure_count)
			rip_server_report_failure(server, rip_daemon_client_of(work->session),
						  work);
		rip_session_done(work->session, work, now_ms);
	}
	return 0;
}

static int retained_ready(sd_event_source *source, int fd, uint32_t events, void *argument)
{
	struct rip_server *server = argument;

	(void)source;
	(void)fd;
	(void)events;
	rip_retained_collect(server->retained);
	return 0;
}

/* --- stopping and reloading ------------------------------------------------------ */

/* Turns away the clients that wait to be accepted.  Not more than can wait at once: where others
 * connect as fast as they are refused, there is always one more. */
static void refuse_waiting(struct rip_server *server, const char *why)
{
	for (int i = 0; i < server->listener->count; i++) {
		for (int left = SOMAXCONN; left > 0; left--) {
			int fd = accept4(server->listener->fds[i], NULL, NULL,
					 SOCK_CLOEXEC | SOCK_NONBLOCK);

			if (fd < 0)
				break;
			refuse(server, fd, why);
		}
	}
}

/* Begins to stop: takes no new clients, and no new messages from those that are there. */
static void stop(struct rip_server *server, const char *why)
{
	if (server->stopping)
		return;
	sd_notify(0, "STOPPING=1");
	rip_log(LOG_INFO, RIP_EVENT_STOP, NULL, "%s", why);
	server->stopping = true;
	server->stop_ms = rip_now_ms() + STOP_MS;
	for (struct rip_daemon_client *client = server->clients; client; client = client->next)
		client->reading = false;
	if (!server->listener->passed) /* systemd keeps its own socket, and starts us again */
		refuse_waiting(server, "riptided stops");
	/* Before they are closed: a socket that systemd holds too would stay in the epoll
	 * set, and wake the loop for every client that waits. */
	for (int i = 0; i < server->listener->count; i++)
		server->accepts[i] = sd_event_source_disable_unref(server->accepts[i]);
	rip_listener_finish(server->listener);
}

/* Stops with an error. */
static void fail(struct rip_server *server, const char *why)
{
	/* Otherwise systemd would start us again for them at once, and for ever. */
	refuse_waiting(server, why);
	server->failed = true;
	stop(server, "stopped");
}

/* Reports READY to systemd once the device is there that the settings ask for; stops if
 * there is none. */
static void device_changed(void *argument)
{
	struct rip_server *server = argument;
	const struct rip_device *device = server->device;

	server->notified_ms = 0; /* STATUS= changes now */
	if (device->kind == RIP_DEVICE_GPU && !device->had_gpu && !rip_device_searching(device)) {
		fail(server, device->why_no_gpu);
	} else if (!server->ready && rip_device_ready(device)) {
		server->ready = true;
		sd_notify(0, "READY=1");
	}
}

/* Gets the workers and descriptors that the settings ask for.  If the system gives fewer,
 * logs that and goes on with them. */
static void apply_settings(struct rip_server *server)
{
	const struct rip_settings *settings = &server->settings;
	const unsigned wanted = settings->threads ? settings->threads : rip_cpu_count();
	const int r = rip_scheduler_resize(server->scheduler, wanted);

	if (r < 0)
		rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL, "%u of %u workers run: %s",
			rip_scheduler_workers(server->scheduler), wanted, strerror(-r));
	rip_raise_descriptor_limit(settings->max_sessions, RIP_SPARE_CONNECTIONS);
}

static void reload(struct rip_server *server)
{
	const struct rip_settings *settings = &server->settings;

	/* The time lets systemd distinguish this reload from an earlier one. */
	if (server->ready)
		sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, rip_now_us());
	if (rip_reload(&server->settings, server->arguments, server->file,
		       server->listener->passed) == 0) {
		rip_log_limit(settings->log_priority);
		apply_settings(server);
		rip_log(LOG_INFO, RIP_EVENT_CONFIG, NULL,
			"configuration read again: threads %u, max-sessions %u, "
			"max-sessions-per-process %u, max-memory %" PRIu64 "M, idle-exit %u",
			rip_scheduler_workers(server->scheduler), settings->max_sessions,
			settings->max_sessions_per_process, settings->max_memory >> 20,
			settings->idle_exit);
	}
	rip_device_watch_look_again(&server->device_watch);
	if (server->ready)
		sd_notify(0, "READY=1");
}

static int signal_ready(sd_event_source *source, const struct signalfd_siginfo *info,
			void *argument)
{
	(void)source;
	if (info->ssi_signo == SIGHUP)
		reload(argument);
	else
		stop(argument, info->ssi_signo == SIGINT ? "stopped by SIGINT"
							 : "stopped by SIGTERM");
	return 0;
}

/* --- the loop ------------------------------------------------------------------ */

/* Feeds systemd's watchdog while the loop runs and every worker makes progress. */
static int64_t feed_watchdog(struct rip_server *server, int64_t now_ms)
{
	if (!server->watchdog_ms)
		return INT64_MAX;
	if (now_ms >= server->watchdog_next_ms) {
		server->watchdog_next_ms = now_ms + (int64_t)server->watchdog_ms / 2;
		if (earlier(rip_scheduler_stalled(server->scheduler),
			    now_ms - server->resumed_ms) < RIP_STUCK_MS)
			sd_notify(0, "WATCHDOG=1");
	}
	return server->watchdog_next_ms;
}

/* Whether there are sessions, or connections that may become one. */
static bool is_active(const struct rip_server *server)
{
	const struct rip_daemon_client *client;

	for (client = server->clients; client; client = client->next)
		if (client->session.state == RIP_SESSION_NEW || rip_daemon_client_serves(client))
			return true;
	return false;
}

/* After enough time without a session the daemon ends and frees its memory; systemd starts
 * it again for the next client.  It ends at once if only another process can have the GPUs
 * again. */
static int64_t exit_when_idle(struct rip_server *server, int64_t now_ms)
{
	const bool gone = rip_device_gone(server->device);
	const int64_t limit =
		server->active_ms + (gone ? 0 : (int64_t)server->settings.idle_exit * 1000);

	if (!server->settings.idle_exit || !server->listener->passed || is_active(server))
		return INT64_MAX;
	if (now_ms >= limit) {
		char why[64];

		snprintf(why, sizeof why, "stopped: idle for %u s", server->settings.idle_exit);
		stop(server, gone ? "stopped: no GPU works in this process any more" : why);
	}
	return limit;
}

/* Does what is due.  Returns when to call again. */
static int64_t housekeeping(struct rip_server *server, int64_t now_ms)
{
	int64_t next = earlier(feed_watchdog(server, now_ms), rip_log_tick(now_ms));

	if (server->stopping) {
		server->finished = !server->clients || now_ms >= server->stop_ms;
		return earlier(next, server->stop_ms);
	}
	if (server->accept_ms && now_ms >= server->accept_ms)
		pause_accepting(server, 0);
	else if (server->accept_ms)
		next = earlier(next, server->accept_ms);
	next = earlier(next, exit_when_idle(server, now_ms));
	next = earlier(next, rip_device_watch_tick(&server->device_watch, now_ms));
	return earlier(next, rip_server_notify(server, now_ms));
}

/* After each event: updates clients, does what is due, and sets the timer.  Mostly the event has
 * only put that off, as it does with heartbeats; then the timer stays, and is set when due. */
static void settle(struct rip_server *server)
{
	const int64_t now_ms = rip_now_ms();
	const int64_t next = settle_clients(server, now_ms);

	server->next_ms = earlier(next, housekeeping(server, now_ms));
	if (server->next_ms >= server->timer_ms)
		return;
	server->timer_ms = server->next_ms;
	sd_event_source_set_time(server->timer, (uint64_t)server->timer_ms * 1000);
	sd_event_source_set_enabled(server->timer, SD_EVENT_ONESHOT);
}

static int wake(sd_event_source *source, uint64_t time_us, void *argument)
{
	struct rip_server *server = argument;

	(void)source;
	(void)time_us;
	server->timer_ms = INT64_MAX;
	return 0; /* settle() runs after it */
}

/* A pause of the whole process (SIGSTOP, the freezer, suspend) stops the engines too, so
 * the time must not count against them.  The loop detects a pause by waking up far too
 * late.  Then the deadlines of engines, driver and stopping begin anew.  Those of clients
 * do not: what they sent meanwhile is read before a deadline is enforced. */
static void notice_pause(struct rip_server *server)
{
	const int64_t now_ms = rip_now_ms();

	if (server->next_ms == INT64_MAX || now_ms - server->next_ms < PAUSE_MS)
		return;
	rip_log(LOG_INFO, RIP_EVENT_SYSTEM, NULL,
		"this process did not run for %.1f s: deadlines begin anew",
		(double)(now_ms - server->next_ms) / 1000);
	server->next_ms = server->resumed_ms = now_ms;
	server->stop_ms = now_ms + STOP_MS;
	server->watchdog_next_ms = now_ms;
	rip_device_watch_resume(&server->device_watch, now_ms);
}

/* Waits for one event and handles it. */
static int turn(struct rip_server *server)
{
	int r = sd_event_prepare(server->event);

	if (r == 0)
		r = sd_event_wait(server->event, UINT64_MAX);
	if (r > 0) {
		notice_pause(server);
		r = sd_event_dispatch(server->event);
		/* Before the next message is read, so that STATUS sees what earlier ones did. */
		settle(server);
	}
	return r;
}

static void report_start(const struct rip_server *server)
{
	const struct rip_listener *listener = server->listener;
	const struct rip_device *device = server->device;
	const bool searching = rip_device_searching(device) && !rip_device_gpus(device);
	char name[RIP_DEVICE_NAME_MAX + 1];

	rip_device_name(device, name, sizeof name);
	rip_log(LOG_INFO, RIP_EVENT_START, NULL,
		"riptided " PACKAGE_VERSION " listens on %s, halftones on %s%s%s",
		listener->passed ? "the sockets of systemd" : listener->path, name,
		!device->why_no_gpu[0] ? "" : searching ? "; looking for a GPU" : "; no GPU: ",
		searching ? "" : device->why_no_gpu);
}

int rip_server_run(struct rip_server *server)
{
	int r = 0;

	rip_device_watch_init(&server->device_watch, server->event, server->device, device_changed,
			      server);
	if (!server->failed) {
		report_start(server);
		device_changed(server);
	}
	while (r >= 0 && !server->finished)
		r = turn(server);
	if (r < 0)
		return r;
	return server->clients ? -ETIMEDOUT : server->failed ? -ENODEV : 0;
}

/* --- making and freeing -------------------------------------------------------- */

static int watch_all(struct rip_server *server)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	sd_event *event = server->event;
	int r = sd_event_add_time(event, &server->timer, CLOCK_MONOTONIC, 0, TIMER_ACCURACY_US,
				  wake, server);

	for (int i = 0; r >= 0 && i < server->listener->count; i++)
		r = sd_event_add_io(event, &server->accepts[i], server->listener->fds[i], EPOLLIN,
				    listener_ready, server);
	for (size_t i = 0; r >= 0 && i < sizeof signals / sizeof signals[0]; i++)
		r = sd_event_add_signal(event, NULL, signals[i], signal_ready, server);
	if (r >= 0)
		r = sd_event_add_io(event, NULL, rip_scheduler_fd(server->scheduler), EPOLLIN,
				    work_ready, server);
	if (r >= 0 && server->retained)
		r = sd_event_add_io(event, NULL, rip_retained_fd(server->retained), EPOLLIN,
				    retained_ready, server);
	return r;
}

int rip_server_new(const struct rip_server_config *config, struct rip_server **out)
{
	struct rip_server *server = calloc(1, sizeof *server);
	uint64_t watchdog_us;
	int r;

	*out = NULL;
	if (!server)
		return -ENOMEM;
	server->settings = *config->settings;
	server->arguments = config->arguments;
	server->file = config->file;
	server->device = config->device;
	server->listener = config->listener;
	server->began_ms = server->active_ms = rip_now_ms();
	server->next_ms = INT64_MAX;
	server->timer_ms = 0; /* it is set to now */
	if (sd_watchdog_enabled(0, &watchdog_us) > 0)
		server->watchdog_ms = watchdog_us / 1000;
	server->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	r = server->spare_fd < 0 ? -errno : sd_event_new(&server->event);
	if (r >= 0)
		r = rip_scheduler_new(1, &server->scheduler);
	if (r == 0) {
		int retained = rip_retained_new(&server->retained);

		if (retained < 0)
			rip_log(LOG_WARNING, RIP_EVENT_SYSTEM, NULL,
				"cannot account for memory that clients retain: %s",
				strerror(-retained));
		apply_settings(server);
		r = watch_all(server);
	}
	if (r < 0) {
		rip_server_free(server);
		return r;
	}
	*out = server;
	return 0;
}

void rip_server_free(struct rip_server *server)
{
	if (!server)
		return;
	rip_scheduler_free(server->scheduler);
	while (server->clients) {
		struct rip_daemon_client *client = server->clients;

		server->clients = client->next;
		rip_process_leave(&server->processes, client->process);
		rip_daemon_client_free(client);
	}
	rip_device_watch_finish(&server->device_watch);
	for (int i = 0; i < RIP_LISTENERS_MAX; i++)
		sd_event_source_disable_unref(server->accepts[i]);
	sd_event_source_disable_unref(server->timer);
	sd_event_unref(server->event); /* and what is left of its sources */
	rip_retained_free(server->retained);
	if (server->spare_fd >= 0)
		close(server->spare_fd);
	free(server);
}
