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
#include <stddef.h>

/* The filters of riptide. */
enum rip_filter { RIP_RASTER_FILTER, RIP_PDF_FILTER };

#define RIP_FILTER_NAME     "rastertoriptide"
#define RIP_PDF_FILTER_NAME "pdftoriptide"

struct rip_queue {
	void *ppd; /* ppd_file_t, or NULL */
};

/* Opens the PPD; path may be NULL.  If the file does not exist, the queue has no PPD (cupsd
 * always names one).  0, or -errno (reported) if there is a file that cannot be read: without it, a
 * filter does not know that riptideNextFilter is to follow, and the printer would get raster. */
int rip_queue_open(struct rip_queue *queue, const char *path);

/* May be called twice. */
void rip_queue_close(struct rip_queue *queue);

/* The default of an option of the PPD, without regard to case; NULL if the PPD
 * has no such option.  Lives as long as the queue is open. */
const char *rip_queue_default(const struct rip_queue *queue, const char *keyword);

/* The most levels that the printer's driver takes, 2..16: the attribute riptideMaxLevels
 * of the PPD; 16 without it. */
unsigned rip_queue_max_levels(const struct rip_queue *queue);

/* The value of an attribute of the PPD that has no option keyword, or NULL.  Lives as long as the
 * queue is open. */
const char *rip_queue_attribute(const struct rip_queue *queue, const char *keyword);

/* The value of a line "*KEYWORD SPEC: value" of the PPD, or of "*KEYWORD: value" for spec "": the
 * first one, or the next one after that of the last call.  NULL: there is none. */
const char *rip_queue_line(const struct rip_queue *queue, const char *keyword, const char *spec,
			   bool next);

/* A filter's place in the chain.  cupsd does not pass it, so it is taken from the PPD's
 * cupsFilter2 lines, or from its cupsFilter lines if there are none of the former.  The
 * line for a job is the one whose destination (cupsFilter2) or source (cupsFilter) is the
 * job's FINAL_CONTENT_TYPE (may be NULL); if there is none, as under cupsfilter, the one
 * with the lowest cost whose source is what the filter takes: raster, or PDF. */
struct rip_place_in_chain {
	bool last; /* the line names this filter, which has no next one: it writes the page log */
	bool pwg;  /* write PWG raster: the final type or the line's destination says so, or its
		      source if there is a next filter */
	/* The filter that this one has to start behind itself: the PPD's riptideNextFilter, if the
	 * line names this filter.  NULL: none.  Lives as long as the queue is open. */
	const char *next;
};

void rip_queue_place(const struct rip_queue *queue, enum rip_filter filter,
		     const char *final_content_type, struct rip_place_in_chain *place);

/* Puts into why (size bytes) what libcups found wrong with the PPD that it read last. */
void rip_queue_ppd_error(char *why, size_t size);

/* Whether the PPD starts a filter of riptide: by a cupsPreFilter line, or by a cupsFilter2 line, or
 * by a cupsFilter line if there are none of the former.  Else the queue never prints our dots. */
bool rip_queue_starts_us(const struct rip_queue *queue);

/* Whether the PPD has such lines, and all start filters of others. */
bool rip_queue_is_foreign(const struct rip_queue *queue);

#endif
