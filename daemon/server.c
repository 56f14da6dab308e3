/* The event loop. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "log.h"
#include "server_private.h"

#define ACCEPTS_A_TURN 16
#define EVENTS_A_TURN  64
#define ACCEPT_PAUSE_MS 100  /* after the system had nothing left for a client */
#define STOP_MS        5000  /* works that run end within this, or we go without them */

static int watch(struct rip_server *server, int fd, struct rip_event_source *source, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = source };

	return epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static void submit(struct rip_session *session, struct rip_work *work)
{
	struct rip_daemon_client *client = rip_daemon_client_of(session);
	struct rip_server *server = client->source.server;

	rip_scheduler_submit(server->scheduler, &client->flow, work);
}

static int64_t started(struct rip_session *session, const struct rip_work *work)
{
	struct rip_server *server = rip_daemon_client_of(session)->source.server;

	return rip_scheduler_started(server->scheduler, work);
}

static int64_t progress(struct rip_session *session)
{
	struct rip_server *server = rip_daemon_client_of(session)->source.server;

	return rip_scheduler_progress(server->scheduler);
}

static const struct rip_session_host host = {
	.admit = rip_server_admit,
	.admit_page = rip_server_admit_page,
	.send = rip_daemon_client_send,
	.submit = submit,
	.started = started,
	.progress = progress,
	.status = rip_server_status,
};

/* --- clients -------------------------------------------------------------------- */

/* Whether new messages are taken from clients. */
static bool reading(const struct rip_server *server)
{
	return !server->stopping;
}

static void client_ready(struct rip_event_source *source, uint32_t events)
{
	struct rip_daemon_client *client = (struct rip_daemon_client *)source;

	rip_daemon_client_ready(client, events, reading(source->server), rip_now_ms());
}

/* What follows from all that has happened to a client.  Returns whether it is gone
 * for good and can be freed; *next: when to look again at the latest. */
static bool settle_client(struct rip_server *server, struct rip_daemon_client *client, int64_t now_ms,
			 int64_t *next)
{
	struct rip_session *session = &client->session;
	struct epoll_event event = { .data.ptr = client };
	unsigned held = client->flow.held;
	int64_t at;

	if (client->more && reading(server))
		rip_daemon_client_ready(client, 0, true, now_ms);
	if (server->stopping || session->state == RIP_SESSION_ENDED) {
		held = rip_scheduler_drop(server->scheduler, &client->flow);
		if (!held) /* bands that had begun are answered by now */
			rip_session_stop(session);
	}
	at = rip_daemon_client_tick(client, now_ms);
	if (client->more && reading(server))
		at = now_ms;
	*next = at < *next ? at : *next;
	if (session->state == RIP_SESSION_ENDED && !client->told)
		rip_server_report_end(server, client, now_ms);
	if (rip_daemon_client_closed(client))
		return client->flow.held == 0;

	event.events = rip_daemon_client_interest(client, reading(server));
	if (event.events != client->interest) {
		client->interest = event.events;
		epoll_ctl(server->epoll_fd, EPOLL_CTL_MOD, client->connection.fd, &event);
	}
	return false;
}

static int64_t settle_clients(struct rip_server *server, int64_t now_ms)
{
	int64_t next = INT64_MAX;

	for (struct rip_daemon_client **at = &server->clients; *at;) {
		struct rip_daemon_client *client = *at;

		if (settle_client(server, client, now_ms, &next)) {
			*at = client->next;
			rip_server_release(server, client);
			server->client_count--;
		} else {
			at = &client->next;
		}
	}
	return next;
}

/* --- accepting ----------------------------------------------------------------- */

/* Tells a client that there is no room for it, without keeping anything of it. */
static void turn_away(struct rip_server *server, int fd, const char *why)
{
	rip_peer_turn_away(fd, why);
	server->totals.refused++;
	rip_log(LOG_WARNING, RIP_EVENT_REFUSED, NULL, "%s", why);
}

static void welcome(struct rip_server *server, int fd)
{
	const int64_t now_ms = rip_now_ms();
	struct rip_peer peer = { .pid = 0 };
	struct rip_daemon_client *client;

	if (server->client_count >= server->settings.max_sessions + RIP_SPARE_CONNECTIONS) {
		turn_away(server, fd, "too many connections");
		return;
	}
	if (rip_peer_get(fd, &peer) < 0) {
		turn_away(server, fd, "the client's credentials cannot be read");
		return;
	}
	if (rip_server_connections_of(server, peer.pid) >=
	    server->settings.max_sessions_per_process + RIP_SPARE_PER_PROCESS) {
		turn_away(server, fd, "too many connections of this process");
		return;
	}
	client = rip_daemon_client_new(fd, &host, server, peer.pid, peer.uid, now_ms);
	if (!client) {
		turn_away(server, fd, "the daemon has no memory left for a client");
		return;
	}
	client->source.ready = client_ready;
	client->interest = EPOLLIN;
	client->next = server->clients;
	server->clients = client;
	server->client_count++;
	if (watch(server, fd, &client->source, EPOLLIN) < 0)
		rip_session_turn_away(&client->session, RIP_BUSY, "the system has no room left");
	else if (!rip_peer_allowed(server->listener, fd, &peer))
		rip_session_turn_away(&client->session, RIP_REFUSED,
				      "only root and the members of the socket's group may use "
				      "this daemon");
}

static void listen_for(struct rip_server *server, bool accepting)
{
	for (int i = 0; i < server->listener->count; i++) {
		struct epoll_event event = { .events = accepting ? EPOLLIN : 0,
					     .data.ptr = &server->listener_source[i] };

		epoll_ctl(server->epoll_fd, EPOLL_CTL_MOD, server->listener->fds[i], &event);
	}
	server->accepting = accepting;
}

/* The system has nothing left for a client.  The spare descriptor is given up, so
 * that he hears it instead of waiting for nothing; if that does not help either,
 * all wait for a moment.  Returns whether to go on accepting. */
static bool accept_in_need(struct rip_server *server, int listener, int error)
{
	int fd = -1;

	if (server->spare_fd >= 0) {
		close(server->spare_fd);
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			error = errno; /* EAGAIN: nobody was there, it does not look first */
		else
			turn_away(server, fd, "the daemon has no descriptor left");
		server->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0 && error != EAGAIN) {
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "no client can be accepted: %s",
			strerror(error));
		server->accept_ms = rip_now_ms() + ACCEPT_PAUSE_MS;
		listen_for(server, false);
	}
	return fd >= 0;
}

static void listener_ready(struct rip_event_source *source, uint32_t events)
{
	struct rip_server *server = source->server;

	(void)events;
	for (int i = 0; i < ACCEPTS_A_TURN && server->accepting && !server->stopping; i++) {
		int fd = accept4(source->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0) {
			welcome(server, fd);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			   errno == ENOBUFS) {
			if (!accept_in_need(server, source->fd, errno))
				return;
		} else if (errno != EINTR && errno != ECONNABORTED) {
			return;
		}
	}
}

/* --- works and signals --------------------------------------------------------- */

static void work_ready(struct rip_event_source *source, uint32_t events)
{
	struct rip_server *server = source->server;
	const int64_t now_ms = rip_now_ms();
	struct rip_work *base;

	(void)events;
	while ((base = rip_scheduler_collect(server->scheduler))) {
		struct rip_session_work *work = (struct rip_session_work *)base;

		if (work->failed)
			rip_server_report_failure(server, rip_daemon_client_of(work->session), work);
		rip_session_done(work->session, work, now_ms);
	}
}

static void retained_ready(struct rip_event_source *source, uint32_t events)
{
	struct rip_server *server = source->server;

	(void)events;
	rip_retained_collect(server->retained);
}

/* Begins to stop: no new clients, and no new messages from those that are here. */
static void stop(struct rip_server *server, const char *why)
{
	if (server->stopping)
		return;
	sd_notify(0, "STOPPING=1");
	rip_log(LOG_INFO, RIP_EVENT_STOP, NULL, "%s", why);
	server->stopping = true;
	server->stop_ms = rip_now_ms() + STOP_MS;
	rip_listener_finish(server->listener);
}

void rip_server_fail(struct rip_server *server, const char *why)
{
	/* Otherwise systemd would start us again for them at once, for ever. */
	for (int i = 0; i < server->listener->count; i++) {
		int fd;

		while ((fd = accept4(server->listener->fds[i], NULL, NULL,
				     SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
			turn_away(server, fd, why);
	}
	server->failed = true;
	stop(server, "stopped");
}

static void signal_ready(struct rip_event_source *source, uint32_t events)
{
	struct signalfd_siginfo info;

	(void)events;
	while (read(source->fd, &info, sizeof info) == sizeof info) {
		if (info.ssi_signo == SIGHUP)
			rip_server_reload(source->server);
		else
			stop(source->server, info.ssi_signo == SIGINT ? "stopped by SIGINT"
								      : "stopped by SIGTERM");
	}
}

/* --- the loop ------------------------------------------------------------------ */

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The watchdog hears of us while the loop turns and no worker hangs. */
static int64_t feed_watchdog(struct rip_server *server, int64_t now_ms)
{
	if (!server->watchdog_ms)
		return INT64_MAX;
	if (now_ms >= server->watchdog_next_ms) {
		server->watchdog_next_ms = now_ms + (int64_t)server->watchdog_ms / 2;
		if (rip_scheduler_longest(server->scheduler) < RIP_STUCK_MS)
			sd_notify(0, "WATCHDOG=1");
	}
	return server->watchdog_next_ms;
}

/* Without a session for long enough, systemd may have our memory back: it starts
 * us again for the next client. */
static int64_t exit_when_idle(struct rip_server *server, int64_t now_ms)
{
	const int64_t limit = server->active_ms + (int64_t)server->settings.idle_exit * 1000;

	if (!server->settings.idle_exit || !server->listener->passed ||
	    rip_server_sessions(server))
		return INT64_MAX;
	if (now_ms >= limit)
		stop(server, "stopped after idleness");
	return limit;
}

/* All that time brings about.  Returns when to look again. */
static int64_t housekeeping(struct rip_server *server, int64_t now_ms)
{
	int64_t next = earlier(feed_watchdog(server, now_ms), rip_log_tick(now_ms));

	if (server->stopping) {
		server->finished = !server->clients || now_ms >= server->stop_ms;
		return earlier(next, server->stop_ms);
	}
	if (!server->accepting) {
		if (now_ms >= server->accept_ms)
			listen_for(server, true);
		else
			next = earlier(next, server->accept_ms);
	}
	next = earlier(next, exit_when_idle(server, now_ms));
	next = earlier(next, rip_server_tick_device(server, now_ms));
	return earlier(next, rip_server_notify(server, now_ms));
}

static int timeout_until(int64_t next, int64_t now_ms)
{
	if (next == INT64_MAX)
		return -1;
	return next <= now_ms ? 0 : next - now_ms > 60000 ? 60000 : (int)(next - now_ms);
}

int rip_server_run(struct rip_server *server)
{
	struct epoll_event events[EVENTS_A_TURN];
	int timeout = 0;
	int r = rip_server_begin_device(server);

	while (r == 0 && !server->finished) {
		int count = epoll_wait(server->epoll_fd, events, EVENTS_A_TURN, timeout);
		int64_t now_ms, next;

		if (count < 0 && errno != EINTR)
			return -errno;
		for (int i = 0; i < count; i++) {
			struct rip_event_source *source = events[i].data.ptr;

			source->ready(source, events[i].events);
		}
		/* Guests are freed here only, when no event of this turn is left. */
		now_ms = rip_now_ms();
		next = settle_clients(server, now_ms);
		next = earlier(next, housekeeping(server, now_ms));
		timeout = timeout_until(next, now_ms);
	}
	if (r == 0 && server->clients)
		r = -ETIMEDOUT;
	return r == 0 && server->failed ? -ENODEV : r;
}

/* --- making and freeing -------------------------------------------------------- */

static int watch_all(struct rip_server *server)
{
	int r = 0;

	for (int i = 0; r == 0 && i < server->listener->count; i++) {
		server->listener_source[i] = (struct rip_event_source){
			listener_ready, server, server->listener->fds[i] };
		r = watch(server, server->listener->fds[i], &server->listener_source[i], EPOLLIN);
	}
	server->accepting = true;
	server->signal_source = (struct rip_event_source){ signal_ready, server, server->signal_fd };
	if (r == 0)
		r = watch(server, server->signal_fd, &server->signal_source, EPOLLIN);
	server->work_source = (struct rip_event_source){ work_ready, server,
						   rip_scheduler_fd(server->scheduler) };
	if (r == 0)
		r = watch(server, server->work_source.fd, &server->work_source, EPOLLIN);
	if (r == 0 && server->retained) {
		server->retained_source = (struct rip_event_source){ retained_ready, server,
							   rip_retained_fd(server->retained) };
		r = watch(server, server->retained_source.fd, &server->retained_source, EPOLLIN);
	}
	return r;
}

int rip_server_new(const struct rip_server_config *config, struct rip_server **out)
{
	struct rip_server *server = calloc(1, sizeof *server);
	uint64_t watchdog_us;
	sigset_t signals;
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
	if (sd_watchdog_enabled(0, &watchdog_us) > 0)
		server->watchdog_ms = watchdog_us / 1000;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	server->signal_fd = server->spare_fd = -1;
	server->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (server->epoll_fd >= 0)
		server->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (server->signal_fd >= 0)
		server->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (server->spare_fd < 0)
		r = -errno;
	else
		r = rip_scheduler_new(rip_server_wanted_workers(&server->settings),
				      &server->scheduler);
	if (r == 0) {
		int told = rip_retained_new(&server->retained);

		if (told < 0)
			rip_log(LOG_WARNING, RIP_EVENT_SYSTEM, NULL,
				"what clients keep of their rings is not charged: %s",
				strerror(-told));
		rip_server_apply(server);
		r = watch_all(server);
	}
	if (r < 0) {
		rip_server_free(server);
		return r;
	}
	*out = server;
	return 0;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void rip_server_free(struct rip_server *server)
{
	if (!server)
		return;
	rip_scheduler_free(server->scheduler);
	while (server->clients) {
		struct rip_daemon_client *client = server->clients;

		server->clients = client->next;
		rip_daemon_client_free(client);
	}
	rip_retained_free(server->retained);
	close_if_open(server->signal_fd);
	close_if_open(server->epoll_fd);
	close_if_open(server->spare_fd);
	free(server);
}
