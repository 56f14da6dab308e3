/*
 * The daemon's event loop: accepts clients, carries their messages to their
 * sessions, hands works to the scheduler and answers back, keeps deadlines,
 * tells systemd, reads the configuration again on SIGHUP, and stops in order.
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
	const struct rip_settings  *settings;  /* to begin with: copied */
	const struct rip_arguments *arguments; /* what SIGHUP settles them from again, */
	const char                 *file;      /* with this file */
	struct rip_device          *device;
	struct rip_listener        *listener;
};

/* What the config points to stays the caller's and must outlive the server.  0 or
 * -errno. */
int rip_server_new(const struct rip_server_config *config, struct rip_server **server);

/* Serves until a signal (or idleness) ends it.  0: all came to its end in order;
 * -ENODEV: the same, because there is no GPU, and one has to be there (told);
 * -ETIMEDOUT: a worker hangs, and the process must end without waiting for it
 * (the server cannot be freed); other -errno. */
int rip_server_run(struct rip_server *server);

void rip_server_free(struct rip_server *server); /* NULL is allowed */

#endif
