/*
 * What is done to the samples of a page before the halftoner: barcodes, toner save, and then fine
 * edges.
 *
 * Plain values; a pure function.
 */
#ifndef RIP_AROUND_RULES_H
#define RIP_AROUND_RULES_H

#include "fine_edges.h"
#include "halftone/label/labels.h"
#include "toner_save.h"

/* Zeros: nothing. */
struct rip_around_rules {
	struct rip_labels_rule labels;
	struct rip_toner_rule toner;
	struct rip_edges_rule edges;
};

/* *around is NULL if there is nothing to do.  The rules, and what they point to, must outlive it.
 * 0 or -ENOMEM. */
int rip_around_new(const struct rip_around_rules *rules, const struct rip_around_lines *lines,
		   struct rip_around **around);

/* Bytes that it takes. */
uint64_t rip_around_rules_size(const struct rip_around_rules *rules,
			       const struct rip_around_lines *lines);

#endif
