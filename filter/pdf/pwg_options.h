/*
 * The job's options in a page header for PWG raster, as cupsRasterParseIPPOptions() of cups-filters
 * 1.28, which gstoraster calls, puts them there: IPP attributes and their older names, such as
 * media-type, print-color-mode, sides and print-quality.  Options of the PPD are left to its code.
 *
 * vendor-data is not taken over.  Pure; any thread.
 */
#ifndef RIP_PWG_OPTIONS_H
#define RIP_PWG_OPTIONS_H

#include <cups/cups.h>
#include <cups/raster.h>

#include "filter/queue.h"

/* Changes the header that the PPD's code has made. */
void rip_pwg_options(const struct rip_queue *queue, int count, cups_option_t *options,
		     cups_page_header2_t *job);

#endif
