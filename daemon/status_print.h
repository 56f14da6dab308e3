/*
 * A daemon's status as text: a table for people, JSON, metrics.
 *
 * Pure functions of the reply and a stream; text of clients is escaped.
 */
#ifndef RIP_STATUS_PRINT_H
#define RIP_STATUS_PRINT_H

#include <stdio.h>

#include "wire/protocol.h"

/* A table, of lines of at most `columns` characters (0: as long as they are).
 * before: an earlier reply of the same daemon, to tell load and rates since then,
 * or NULL: since the start. */
void rip_status_print(FILE *out, const struct rip_status_reply *status,
		      const struct rip_status_reply *before, unsigned columns);

/* One JSON object in one line. */
void rip_status_print_json(FILE *out, const struct rip_status_reply *status);

/* The text format of Prometheus (version 0.0.4), for a scrape or for the textfile
 * collector of its node exporter. */
void rip_status_print_metrics(FILE *out, const struct rip_status_reply *status);

#endif
