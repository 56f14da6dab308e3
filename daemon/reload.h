/*
 * The configuration, read again while the daemon runs, and what of it the system has to
 * grant.  Used by the main thread.
 */
#ifndef RIP_RELOAD_H
#define RIP_RELOAD_H

#include "settings.h"

/* Reads the configuration again.  A file is applied completely or not at all: if
 * anything is wrong with it, that is logged, and *settings stays as it was (-errno or
 * RIP_SETTINGS_USAGE).  What cannot change while the daemon runs stays in any case, with
 * a warning.  socket_passed: systemd made the socket, so its path in the file does not
 * matter.  0: *settings is new. */
int rip_reload(struct rip_settings *settings, const struct rip_arguments *arguments,
	       const char *file, bool socket_passed);

/* Raises this process's limit of descriptors to what so many sessions and `spare` other
 * connections need.  Logs a warning where the system does not allow it. */
void rip_raise_descriptor_limit(unsigned sessions, unsigned spare);

#endif
