/*
 * riptide status: what the daemon says, as a table, JSON or metrics, once or watched; and the ink
 * that queues have taken.
 */
#ifndef RIP_STATUS_H
#define RIP_STATUS_H

#include <stdbool.h>
#include <stdio.h>

#include "wire/protocol.h"
#include "filter/ink/ink_tally.h"
#include "command/ink_amounts.h"

/*
 * A daemon's status as text: a table for people, JSON, metrics.
 *
 * Pure functions of the reply and a stream; text of clients is escaped.
 */

/* How the table is seen. */
struct rip_status_view {
	/* an earlier reply of the same daemon: load and rates are those since then; NULL:
	 * on average since the start */
	const struct rip_status_reply *before;
	unsigned columns; /* at most so many characters a line; 0: any */
	unsigned rows;    /* at most so many lines; 0: any */
	bool     live;    /* for a terminal, redrawn every second: with bars and inverse titles */
};

/* A table.  view may be NULL: without limits, averages since the start. */
void rip_status_print(FILE *out, const struct rip_status_reply *status,
		      const struct rip_status_view *view);

/* How many columns of a terminal a printable text takes. */
unsigned rip_status_columns(const char *text);

/* A text from the wire as a JSON string, which is also a label of Prometheus.  Bytes that are not
 * printable ASCII are escaped, because they need not be valid UTF-8. */
void rip_status_print_string(FILE *out, const char *text);

/* The members of a JSON object, without a comma behind the last one. */
void rip_status_print_json(FILE *out, const struct rip_status_reply *status);

/* The text format of Prometheus (version 0.0.4), for a scrape or for the textfile
 * collector of its node exporter. */
void rip_status_print_metrics(FILE *out, const struct rip_status_reply *status);

/* What stands above the values of a metric.  type: "counter" or "gauge". */
void rip_status_print_head(FILE *out, const char *name, const char *type, const char *help);

/* What a GPU does, in a word. */
const char *rip_status_gpu_state(const struct rip_gpu_status *gpu);

/* The load, which is the fraction of time that the workers were busy, 0..1; and the samples
 * a second of a session.  Both since an earlier reply, or since the start if that is NULL. */
double rip_status_load(const struct rip_status_reply *status,
		       const struct rip_status_reply *before);
double rip_status_rate(const struct rip_session_status *session,
		       const struct rip_session_status *before);

/*
 * riptide status --watch: the table of a daemon, live on a terminal.
 */

/* Shows the status of the daemon at path every second, starting with this reply, until q,
 * Ctrl-C or a signal.  Waits for a daemon that goes away.  Standard output is a terminal;
 * its settings are restored.  Returns the exit status. */
int rip_status_watch(const char *path, const struct rip_status_reply *first);

/*
 * The ink of queues, which the filters sum up (filter/ink/ink_tally.h), for riptide status.
 * Used by one thread.
 */

#define RIP_INK_QUEUES_MAX 256

struct rip_ink_queue {
	char                 name[RIP_INK_TALLY_QUEUE_MAX + 1];
	struct rip_ink_tally tally;
};

struct rip_ink_queues {
	unsigned              count;
	struct rip_ink_queue *queue; /* in the order of their names */
};

/* Reads the sums of all queues, the first RIP_INK_QUEUES_MAX by name, in CUPS_CACHEDIR or the usual
 * folder of CUPS.  Damaged files are left out, with a warning on standard
 * error.  0, also where there are none; or -errno, and path (size
 * bytes) is what could not be read, and queues what could.  To be finished in both cases. */
int  rip_ink_queues_read(struct rip_ink_queues *queues, char *path, size_t size);
void rip_ink_queues_finish(struct rip_ink_queues *queues);

/* As a table; as the member "ink" of a JSON object, without a comma; as CSV, a line for each ink of
 * each queue; as metrics of Prometheus. */
void rip_ink_queues_print(FILE *out, const struct rip_ink_queues *queues,
			  const struct rip_ink_amounts *amounts);
void rip_ink_queues_print_json(FILE *out, const struct rip_ink_queues *queues,
			       const struct rip_ink_amounts *amounts);
void rip_ink_queues_print_csv(FILE *out, const struct rip_ink_queues *queues,
			      const struct rip_ink_amounts *amounts);
void rip_ink_queues_print_metrics(FILE *out, const struct rip_ink_queues *queues,
				  const struct rip_ink_amounts *amounts);

#endif
