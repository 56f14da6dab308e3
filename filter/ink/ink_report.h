/*
 * Tells the scheduler the ink of each page, and of all pages of a job, in DEBUG lines:
 *
 *	page 1: ink: C 1.234 %, 7.698 cm2; M 0.000 %, 0.000 cm2
 *	page 1: colour
 *	ink of the job: C 7.698 cm2; M 0.000 cm2
 *	pages of the job: 2 grey, 1 colour
 *
 * and for accounting all of a job in one INFO line:
 *
 *	2 sheets, 3 sides, 2 grey, 1 colour; C 7.698 cm2; M 0.000 cm2
 *
 * cm2 are square centimetres of full ink.  A page is grey if its dots are all of black inks; pages
 * without a plane of black, such as those in RGB, are neither.  Used by one thread.
 */
#ifndef RIP_INK_REPORT_H
#define RIP_INK_REPORT_H

#include "filter/page/sink.h"

/* The sums of a job, by the inks' names; zeros to begin with. */
struct rip_ink_report {
	uint64_t pages; /* each copy counts */
	uint64_t sheets;
	bool     front; /* the last page was one whose sheet has a back */
	uint64_t grey, colour; /* of them */
	uint32_t count;
	char     names[RIP_PLANES_MAX][RIP_INK_NAME_MAX];
	double   areas[RIP_PLANES_MAX];  /* of full ink: square metres */
	double   papers[RIP_PLANES_MAX]; /* of the pages with this ink: square metres */
};

/* The page that a sink has just written, which is printed `copies` times (0 counts as 1).  duplex:
 * of the page's header. */
void rip_ink_report_page(struct rip_ink_report *report, unsigned page, unsigned copies,
			 bool duplex, const struct rip_sink *sink);

/* The job; nothing if it had no pages. */
void rip_ink_report_job(const struct rip_ink_report *report);

#endif
