/* What is reported of the server: to clients that ask, to the log, to systemd. */
#ifndef RIP_SERVER_REPORT_H
#define RIP_SERVER_REPORT_H

#include "server_state.h"

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
