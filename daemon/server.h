/*
 * The daemon's event loop: accepts clients, passes their messages to their sessions, submits
 * work items to the scheduler and sends the answers, applies deadlines, reports to systemd, reads
 * the configuration again on SIGHUP, and stops the daemon.
 *
 * One thread; signals SIGTERM, SIGINT and SIGHUP must be blocked in it before
 * rip_server_new(), and are received here.
 */
#ifndef RIP_SERVER_H
#define RIP_SERVER_H

#include "device.h"
#include "listener.h"
#include "settings.h"

struct rip_server;

struct rip_server_config {
	const struct rip_settings  *settings;  /* at the start; copied */
	const struct rip_arguments *arguments; /* what SIGHUP settles them from again, */
	const char                 *file;      /* with this file */
	struct rip_device          *device;
	struct rip_listener        *listener;
};

/* The caller keeps what the config points to, which must outlive the server.  0 or
 * -errno. */
int rip_server_new(const struct rip_server_config *config, struct rip_server **server);

/* Serves until a signal or idle-exit ends it.  0: stopped normally; -ENODEV: stopped because
 * the configured GPU is missing (logged); -ETIMEDOUT: a worker hangs, and the process must
 * end without waiting for it (the server cannot be freed); other -errno. */
int rip_server_run(struct rip_server *server);

void rip_server_free(struct rip_server *server); /* NULL is allowed */

#endif
