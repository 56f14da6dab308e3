/*
 * riptide status --watch: the table of a daemon, live on a terminal.
 */
#ifndef RIP_STATUS_WATCH_H
#define RIP_STATUS_WATCH_H

#include "wire/protocol.h"

/* Shows the status of the daemon at path every second, starting with this reply, until q,
 * Ctrl-C or a signal.  Waits for a daemon that goes away.  Standard output is a terminal;
 * its settings are restored.  Returns the exit status. */
int rip_status_watch(const char *path, const struct rip_status_reply *first);

#endif
