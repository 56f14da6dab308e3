/*
 * Pages that this filter leaves alone: those in the colour spaces in which the printer's driver
 * makes the dots itself.
 *
 * A PPD that riptide adopt has edited for some of its choices only has a line such as
 * *riptideColorSpaces: "K": pages in other colour spaces pass unchanged.  Used by one thread.
 */
#ifndef RIP_PASS_H
#define RIP_PASS_H

#include "filter/queue.h"
#include "sink.h"
#include "source.h"

/* Whether pages in that colour space pass. */
bool rip_pass_wanted(const struct rip_queue *queue, unsigned color_space);

/* Passes a page whose header was read and is not checked yet.  0 or -errno, reported. */
int rip_pass_page(struct rip_source *source, struct rip_sink *sink,
		  const cups_page_header2_t *header);

#endif
