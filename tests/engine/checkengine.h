/*
 * The parts of checkengine: the check itself, the benchmark against peers, and the
 * comparison with double precision.
 */
#ifndef RIP_CHECKENGINE_H
#define RIP_CHECKENGINE_H

#include "halftone/engine.h"

/* An engine to be tested. */
struct candidate {
	struct rip_engine *engine;
	const char        *isa;
	char               name[40];
};

/* Times every candidate that takes the page's screen, every peer that was found by configure, and
 * a copy of the samples, in turn, and prints median, spread and ratio.  page: screen, levels,
 * sample bits and curve.  sizes: "4K,832x1218,A4@600".  0, or 2 for a bad size. */
int checkengine_bench(struct candidate *candidates, unsigned count,
		      const struct rip_page_spec *page, const char *sizes, unsigned runs);

/* The same for a page in a file, a PGM of Ghostscript's: in bands as a filter has them, with
 * transparent rows left out. */
int checkengine_bench_file(struct candidate *candidates, unsigned count,
			   const struct rip_page_spec *page, const char *name, unsigned runs);

/* Holds the texture of every step-th grey against double precision: 0 as good. */
int checkengine_quality(struct candidate *candidate, int step);

#endif
