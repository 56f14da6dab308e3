/*
 * What the files of the server share: server.c (the loop), server_admit.c (who
 * is let in, and how much he may hold), server_report.c (what is told of it),
 * server_reload.c (the configuration) and server_device.c (the GPU's coming).
 */
#ifndef RIP_SERVER_PRIVATE_H
#define RIP_SERVER_PRIVATE_H

#include "daemon_client.h"
#include "retained.h"
#include "server.h"

/* The ring of a session.  In: the longest line that is halftoned at all (16 MiB)
 * fits; bands of 100 rows of A4 in CMYK at 1200 dpi fit four times. */
#define RIP_RING_IN  (UINT64_C(16) << 20)
#define RIP_RING_OUT (UINT64_C(8) << 20)

/* Connections that are no session, or not yet: told BUSY beyond.  One process gets
 * a part of them only, so that it cannot take them from all others. */
#define RIP_SPARE_CONNECTIONS 64
#define RIP_SPARE_PER_PROCESS 16

/* What ended sessions have done. */
struct rip_totals {
	uint64_t jobs, pages, bands, samples;
	uint32_t refused;
};

struct rip_server {
	struct rip_settings   settings;
	const struct rip_arguments *arguments;
	const char           *file;        /* of the configuration */
	struct rip_device    *device;
	struct rip_listener  *listener;
	struct rip_scheduler *scheduler;
	struct rip_event_source     listener_source[RIP_LISTENERS_MAX];
	struct rip_event_source     signal_source;
	struct rip_event_source     work_source;
	struct rip_event_source     probe_source;
	struct rip_event_source     retained_source;
	int                   epoll_fd;
	int                   signal_fd;
	int                   spare_fd;    /* given up to turn clients away when
					      descriptors run out; or -1 */
	struct rip_retained      *retained;        /* NULL: the kernel does not tell */
	struct rip_daemon_client     *clients;
	unsigned              client_count;
	bool                  accepting;   /* listening descriptors are in the epoll */
	int64_t               accept_ms;   /* if not: when to try again */
	bool                  ready;       /* systemd was told READY=1 */
	int64_t               look_ms;     /* when the GPU began to be looked for */
	bool                  failed;      /* stops, because it cannot do its work */
	bool                  stopping;
	int64_t               stop_ms;     /* by then at the latest */
	bool                  finished;
	int64_t               began_ms;
	int64_t               active_ms;   /* when the last session ended, or began_ms */
	uint64_t              watchdog_ms; /* systemd wants to hear within this; 0: not */
	int64_t               watchdog_next_ms;
	int64_t               told_ms;     /* when STATUS= was told to systemd */
	unsigned              told_sessions;
	uint64_t              told_busy_us;
	struct rip_totals     totals;
};

/* Sessions that were told READY and live: their jobs are being served. */
bool     rip_daemon_client_serves(const struct rip_daemon_client *client);
unsigned rip_server_sessions(const struct rip_server *server);

/* Connections of a process, sessions or not. */
unsigned rip_server_connections_of(const struct rip_server *server, pid_t pid);

/* admit and admit_page of rip_session_host. */
enum rip_message_type rip_server_admit(struct rip_session *session, struct rip_ready *ready,
				       char reason[RIP_REASON_MAX + 1]);
bool rip_server_admit_page(struct rip_session *session, uint64_t memory,
			   char reason[RIP_REASON_MAX + 1]);

/* Frees a client, and charges what is kept of its ring. */
void rip_server_release(struct rip_server *server, struct rip_daemon_client *client);

/* The memory that is charged now, what is kept among it: bytes. */
uint64_t rip_server_memory(const struct rip_server *server);

/* status of rip_session_host. */
void rip_server_status(struct rip_session *session, struct rip_status_reply *reply);

/* Turns away all who wait to be accepted, and stops with an error. */
void rip_server_fail(struct rip_server *server, const char *why);

/* Tells systemd READY=1 as soon as the device can do what it was set to, and waits for
 * the GPU that is being looked for.  0 or -errno. */
int rip_server_begin_device(struct rip_server *server);

/* Looks for the GPU again if there is none. */
void rip_server_look_again(struct rip_server *server);

/* Does not wait for the GPU for ever.  Returns when to look again. */
int64_t rip_server_tick_device(struct rip_server *server, int64_t now_ms);

/* Workers and descriptors as the settings want them: what the system does not give
 * is told, and done without. */
void rip_server_apply(struct rip_server *server);

/* Reads the configuration again.  What is wrong with it is told, and then all stays
 * as it was. */
void rip_server_reload(struct rip_server *server);

/* The workers that the settings want. */
unsigned rip_server_wanted_workers(const struct rip_settings *settings);

/* Logs that a client's session was admitted. */
void rip_server_report_begin(struct rip_daemon_client *client);

/* Logs that a client's session ended, and adds what it did to the totals. */
void rip_server_report_end(struct rip_server *server, struct rip_daemon_client *client, int64_t now_ms);

/* Logs that an engine failed in a session, and that the page goes on. */
void rip_server_report_failure(struct rip_server *server, struct rip_daemon_client *client,
			       const struct rip_session_work *work);

/* Tells systemd how things are, if it is time.  Returns when it next is. */
int64_t rip_server_notify(struct rip_server *server, int64_t now_ms);

#endif
