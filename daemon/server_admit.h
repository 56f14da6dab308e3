/* Which clients are admitted, and how much memory a session may take. */
#ifndef RIP_SERVER_ADMIT_H
#define RIP_SERVER_ADMIT_H

#include "server_state.h"

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
				     const struct rip_page_message *page, uint64_t memory,
				     char reason[RIP_REASON_MAX + 1]);

/* Frees a client, and charges what is retained of its ring. */
void rip_server_release(struct rip_server *server, struct rip_daemon_client *client);

/* The memory that is charged now, including retained memory, in bytes. */
uint64_t rip_server_memory(const struct rip_server *server);

#endif
