/*
 * The ink of queues, which the filters sum up (filter/ink/ink_tally.h), for riptide status.
 * Used by one thread.
 */
#ifndef RIP_STATUS_INK_H
#define RIP_STATUS_INK_H

#include <stdio.h>

#include "filter/ink/ink_tally.h"
#include "command/ink_amounts.h"

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

/* As a table; as the member "ink" of a JSON object, without a comma; as metrics of Prometheus. */
void rip_ink_queues_print(FILE *out, const struct rip_ink_queues *queues,
			  const struct rip_ink_amounts *amounts);
void rip_ink_queues_print_json(FILE *out, const struct rip_ink_queues *queues,
			       const struct rip_ink_amounts *amounts);
void rip_ink_queues_print_metrics(FILE *out, const struct rip_ink_queues *queues,
				  const struct rip_ink_amounts *amounts);

#endif
