/* What is done to the samples of a page before the halftoner. */
#include "around_rules.h"

/* Places of symbols are counted in parts of 1/256 of a sample, in 31 bits. */
#define LABEL_MOST (INT32_MAX / 256 - 8192)

static uint32_t labels_edge(const struct rip_around_rules *rules,
			    const struct rip_around_lines *lines)
{
	return lines->stride == 1 && lines->rows == 1 && lines->sample_bits == 8 &&
	       lines->samples <= LABEL_MOST && lines->height <= LABEL_MOST ?
	       rules->labels.edge : 0;
}

uint64_t rip_around_rules_size(const struct rip_around_rules *rules,
			       const struct rip_around_lines *lines)
{
	return rip_around_size(&rip_labels_kind, labels_edge(rules, lines), lines) +
	       rip_around_size(&rip_toner_save_kind, rules->toner.edge, lines) +
	       rip_around_size(&rip_fine_edges_kind, rules->edges.edge, lines);
}

int rip_around_new(const struct rip_around_rules *rules, const struct rip_around_lines *lines,
		   struct rip_around **around)
{
	int r = 0;

	*around = NULL;
	if (labels_edge(rules, lines))
		r = rip_around_add(around, &rip_labels_kind, &rules->labels, rules->labels.edge,
				   lines);
	if (r == 0 && rules->toner.edge)
		r = rip_around_add(around, &rip_toner_save_kind, &rules->toner, rules->toner.edge,
				   lines);
	if (r == 0 && rules->edges.edge)
		r = rip_around_add(around, &rip_fine_edges_kind, &rules->edges, rules->edges.edge,
				   lines);
	if (r < 0) {
		rip_around_free(*around);
		*around = NULL;
	}
	return r;
}
