/*
 * riptide status --watch: the table of a daemon, live on a terminal.
 */
#ifndef RIP_STATUS_WATCH_H
#define RIP_STATUS_WATCH_H

#include "wire/protocol.h"

/* Shows the daemon at path once a second, from this reply on, until q, Ctrl-C or a
 * signal; a daemon that goes away is waited for.  Standard output is a terminal, which
 * is left as it was.  Returns the exit status. */
int rip_status_watch(const char *path, const struct rip_status_reply *first);

#endif
