/*
 * A daemon's status as text: a table for people, JSON, metrics.
 *
 * Pure functions of the reply and a stream; text of clients is escaped.
 */
#ifndef RIP_STATUS_PRINT_H
#define RIP_STATUS_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "wire/protocol.h"

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

/* Where pages went, as in JSON and metrics: "small". */
extern const char *const rip_status_places[RIP_PLACES];

/* What a GPU does, in a word. */
const char *rip_status_gpu_state(const struct rip_gpu_status *gpu);

/* The load, which is the fraction of time that the workers were busy, 0..1; and the samples
 * a second of a session.  Both since an earlier reply, or since the start if that is NULL. */
double rip_status_load(const struct rip_status_reply *status,
		       const struct rip_status_reply *before);
double rip_status_rate(const struct rip_session_status *session,
		       const struct rip_session_status *before);

#endif
