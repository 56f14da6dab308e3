/*
 * How a filter starts: its standard streams, the command line, signals and pipes.
 */
#ifndef RIP_FILTER_START_H
#define RIP_FILTER_START_H

#define RIP_FILTER_GO_ON (-1)

/* Answers --help and --version, and checks the number of arguments: job, user, title, copies,
 * options, and perhaps a file.  Sets the signals that a filter needs, and enlarges the pipes at its
 * ends.  RIP_FILTER_GO_ON, or the exit status to end with. */
int rip_filter_start(const char *name, const char *usage, int argc, char **argv);

/* Sets the signals that a filter needs, whatever the parent has set.  SIGTERM (cancel) ends it at
 * once, even if it was blocked: the daemon sees the socket close, and the kernel ends the
 * Ghostscripts.  If the reader goes away or a file may not grow (RLIMIT_FSIZE), write() fails. */
void rip_filter_set_signals(void);

/* The daemon's socket, as the environment says (riptide_config.socket).  With a socket, other
 * processes of our uid may no longer read our memory. */
const char *rip_filter_socket(void);

/* Opens the file argv[6], or returns standard input if there is none.  A descriptor, or -errno
 * (reported). */
int rip_filter_input(int argc, char **argv);

#endif
