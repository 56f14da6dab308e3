/*
 * Writes log lines to the journal or to stderr, and never blocks: a stopped terminal, a pipe
 * that nobody reads or a journal that hangs must not delay print jobs.
 *
 * Any thread may send, after rip_log_output_init().
 */
#ifndef RIP_LOG_OUTPUT_H
#define RIP_LOG_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

/* Finds out where lines go.  Returns whether systemd connected stderr to the journal:
 * then lines go there as fields. */
bool rip_log_output_init(void);

/* Closes what init opened.  Lines can still be sent, as text. */
void rip_log_output_finish(void);

/* Sends an entry to the journal: fields of the form NAME=value and a newline, no other
 * newline among them.  false: the journal does not take it now. */
bool rip_log_output_fields(struct iovec *fields, int count);

/* Sends a line of at most PIPE_BUF bytes, all of it or nothing.  false: nobody takes it
 * now. */
bool rip_log_output_text(const char *line, size_t size);

#endif
