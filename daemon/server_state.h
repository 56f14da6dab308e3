/*
 * The server's state, and what its parts do for each other: the event loop (server.c), the
 * admission of sessions (server_admit.c) and the reports (server_report.c).
 */
#ifndef RIP_SERVER_STATE_H
#define RIP_SERVER_STATE_H

#include "daemon_client.h"
#include "device_watch.h"
#include "listener.h"
#include "wire/retained.h"
#include "settings.h"

/* Connections that are no session, or not yet: beyond, clients are refused.  One
 * process gets a part of them only, so that it cannot take them from all others. */
#define RIP_SPARE_CONNECTIONS 64
#define RIP_SPARE_PER_PROCESS 16

/* What ended sessions have done. */
struct rip_totals {
	uint64_t jobs, pages, bands, samples, placed[RIP_PLACES];
	uint32_t refused;
};

struct rip_server {
	struct rip_settings   settings;
	const struct rip_arguments *arguments;
	const char           *file;        /* of the configuration */
	struct rip_device    *device;
	struct rip_listener  *listener;
	struct rip_scheduler *scheduler;
	sd_event             *event;
	sd_event_source      *accepts[RIP_LISTENERS_MAX];
	sd_event_source      *timer;       /* for the next of all deadlines */
	int                   spare_fd;    /* given up to turn clients away when
					      descriptors run out; or -1 */
	struct rip_device_watch device_watch;
	struct rip_retained  *retained;    /* NULL: this kernel does not report it */
	struct rip_daemon_client *clients;
	unsigned              client_count;
	struct rip_process   *processes;   /* that they are */
	int64_t               accept_ms;   /* when to accept again; 0: we do */
	bool                  ready;       /* systemd has got READY=1 */
	bool                  failed;      /* stops, because it cannot do its work */
	bool                  stopping;
	int64_t               stop_ms;     /* by then at the latest */
	bool                  finished;
	int64_t               next_ms;     /* when the loop has to wake up; INT64_MAX: never */
	int64_t               timer_ms;    /* when the timer is due, then or earlier; the same */
	int64_t               resumed_ms;  /* when the last pause of the process ended, or 0 */
	int64_t               began_ms;
	int64_t               active_ms;   /* when the last session ended, or began_ms */
	uint64_t              watchdog_ms; /* systemd wants to hear within this; 0: not */
	int64_t               watchdog_next_ms;
	int64_t               notified_ms; /* when systemd got STATUS= */
	unsigned              notified_sessions;
	uint64_t              notified_busy_us;
	struct rip_totals     totals;
};

/* ---- server_admit.c: which clients are admitted, and how much memory a session may take ---- */

/* Sessions that have got READY and have not ended. */
bool     rip_daemon_client_serves(const struct rip_daemon_client *client);
unsigned rip_server_sessions(const struct rip_server *server);

/* Connections of a process, sessions or not. */
unsigned rip_server_connections_of(const struct rip_server *server,
				   const struct rip_process *process);

/* admit and admit_page of rip_session_host. */
enum rip_message_type rip_server_admit(struct rip_session *session, struct rip_ready *ready,
				       char reason[RIP_REASON_MAX + 1]);
enum rip_page_place rip_server_admit_page(struct rip_session *session,
					  const struct rip_page_message *page,
					  uint64_t memory, char reason[RIP_REASON_MAX + 1]);

/* Frees a client, and charges what is retained of its ring. */
void rip_server_release(struct rip_server *server, struct rip_daemon_client *client);

/* The memory that is charged now, including retained memory, in bytes. */
uint64_t rip_server_memory(const struct rip_server *server);

/* ---- server_report.c: what is reported to clients that ask, to the log, to systemd ---- */

/* status and devices of rip_session_host. */
void rip_server_status(struct rip_session *session, struct rip_status_reply *reply);
void rip_server_devices(struct rip_session *session, struct rip_devices_reply *reply);

/* Logs that a client's session was admitted. */
void rip_server_report_begin(struct rip_daemon_client *client);

/* Logs that a client's session ended, and adds what it did to the totals. */
void rip_server_report_end(struct rip_server *server, struct rip_daemon_client *client,
			   int64_t now_ms);

/* Logs that an engine failed in a session. */
void rip_server_report_failure(struct rip_server *server, struct rip_daemon_client *client,
			       const struct rip_session_work *work);

/* Sends STATUS= to systemd, if it is time.  Returns when it next is. */
int64_t rip_server_notify(struct rip_server *server, int64_t now_ms);

#endif
