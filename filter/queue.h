/*
 * The queue that a job is printed on, as its PPD describes it: defaults of
 * options, and the filter's place in the chain of programs.
 *
 * A queue may have no PPD: then there are no defaults, the page log is not ours,
 * and FINAL_CONTENT_TYPE alone says what to write.  Used by one thread.
 */
#ifndef RIP_QUEUE_H
#define RIP_QUEUE_H

#include <stdbool.h>

#define RIP_FILTER_NAME "rastertoriptide"

struct rip_queue {
	void *ppd; /* ppd_file_t, or NULL */
};

/* Opens the PPD; path may be NULL.  A PPD that is not there is none (cupsd
 * always names one); one that cannot be read is told by a WARNING and is none. */
void rip_queue_open(struct rip_queue *queue, const char *path);

/* May be called twice. */
void rip_queue_close(struct rip_queue *queue);

/* The default of an option of the PPD, without regard to case; NULL if the PPD
 * has no such option.  Lives as long as the queue is open. */
const char *rip_queue_default(const struct rip_queue *queue, const char *keyword);

/* The most levels that the printer's driver takes, 2..16: the attribute riptideMaxLevels
 * of the PPD; 16 without it. */
unsigned rip_queue_max_levels(const struct rip_queue *queue);

/* The filter's place.  cupsd does not tell it: the PPD's cupsFilter2 lines do, or
 * its cupsFilter lines if it has none of the others.  The line that holds for a
 * job is the one whose destination (cupsFilter2) or else source is the job's
 * FINAL_CONTENT_TYPE (may be NULL); if none is, as under cupsfilter, the cheapest
 * one whose source is raster. */
struct rip_place_in_chain {
	bool last; /* the line names us: the page log is ours */
	bool pwg;  /* PWG raster shall come out: the final type, or our line's, says so */
};

void rip_queue_place(const struct rip_queue *queue, const char *final_content_type,
		     struct rip_place_in_chain *place);

#endif
