/*
 * The ink that pages take, in figures on standard output: of each page and of all together.
 * Used by one thread.
 */
#ifndef RIP_PREVIEW_REPORT_H
#define RIP_PREVIEW_REPORT_H

#include "filter/ink/ink_count.h"
#include "preview_options.h"

struct rip_preview_report {
	const struct rip_preview_options *options;
	bool     quiet; /* standard output has the picture */
	unsigned pages;
	/* Of all pages, by the names of inks in the order in which they came. */
	unsigned count;
	struct rip_preview_sum {
		char   name[RIP_INK_NAME_MAX];
		double full;   /* square metres of full ink */
		double pages;  /* square metres of the pages */
		double amount; /* grams or millilitres */
	} sums[RIP_PLANES_MAX + 7]; /* 1, 2 and so on, and C, M, Y, K, c, m and k */
};

/* One page.  picture: its file, or NULL. */
void rip_preview_report_page(struct rip_preview_report *report, unsigned number,
			     const struct rip_dot_page *page, const struct rip_ink_count *count,
			     const char *picture);

/* All pages, if there are several or JSON is asked for. */
void rip_preview_report_end(const struct rip_preview_report *report);

#endif
