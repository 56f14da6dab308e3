/*
 * The filter's options: rastertoriptide(8), OPTIONS.
 *
 * An option is looked up in the job's options (argv[5]), then in the page header's
 * cupsString, then among the PPD's defaults.  An unknown value gives one WARNING for each
 * place and job, and counts as not set there.
 *
 *	halftone               also riptideHalftone, halftone-type and cupsHalftoneType;
 *	                       unknown values of the last two are meant for other filters
 *	halftone-error-filter  also riptideErrorFilter
 *	halftone-levels        also riptideLevels; a value above riptideMaxLevels of the
 *	                       PPD counts as unknown
 *
 * Names and values are not case-sensitive.  Used by one thread.
 */
#ifndef RIP_OPTIONS_H
#define RIP_OPTIONS_H

#include <stdbool.h>

#include <cups/cups.h>
#include <cups/raster.h>

#include "filter/queue.h"
#include "halftone/screen.h"
#include "halftone/method.h"

enum rip_option { RIP_OPTION_METHOD, RIP_OPTION_FILTER, RIP_OPTION_LEVELS, RIP_OPTION_COUNT };
enum rip_place { RIP_PLACE_JOB, RIP_PLACE_PAGE, RIP_PLACE_PPD, RIP_PLACE_COUNT };

/* The options of a page. */
struct rip_choice {
	enum rip_method          method;
	const struct rip_screen *screen;
	unsigned                 levels; /* 2..16 */
};

struct rip_options {
	int            count;  /* the job's options */
	cups_option_t *job;
	int            max_levels; /* the most that the printer's driver takes */
	bool           own;    /* the PPD has riptideHalftone: `halftone` may be its vendor's */
	int            ppd[RIP_OPTION_COUNT]; /* the queue's defaults, -1: not set */
	bool           warned[RIP_PLACE_COUNT][RIP_OPTION_COUNT + 1]; /* + 1: an unknown option */
};

/* text: argv[5].  Neither is needed afterwards. */
void rip_options_init(struct rip_options *options, const char *text,
		      const struct rip_queue *queue);

/* The options for a page with this header, whose strings may lack NULs. */
void rip_options_page(struct rip_options *options, const cups_page_header2_t *header,
		      struct rip_choice *choice);

/* May be called twice. */
void rip_options_finish(struct rip_options *options);

#endif
