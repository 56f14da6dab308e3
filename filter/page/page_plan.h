/*
 * The plan of a page: all that is decided before its first dot is made.
 *
 * The job's options decide, before a page's cupsString, before the PPD's defaults, before other
 * lines of the PPD:
 *
 *	what               options (filter/options.h)    lines of the PPD      nobody
 *	-----------------  ----------------------------  --------------------  --------------------
 *	screen             halftone-screen                                     floyd-steinberg
 *	registration       halftone-registration         riptideRegistration   RIP_REGISTRATION,
 *	                                                                       in a program 0
 *	levels             halftone-levels                                     2
 *	fine edges         halftone-edges                                      off
 *	dot gain           halftone-calibration, if it                         none
 *	                   can be used; or else
 *	                   halftone-dot-gain             riptidePrinter, for a
 *	                                                 number of points
 *	curve of an ink                                  cupsCyanXY, ...       none
 *	ink limit          halftone-ink-limit            cupsInkLimit          none
 *	inks of RGB pages  halftone-inks                                       stay RGB
 *	light inks         halftone-light-inks                                 those of KCMYcm
 *	their tones        halftone-light-strength       cupsCyanLtDk, ...     RIP_LIGHT_STRENGTH
 *
 * A mask that the page cannot have is reported, and the next one of them decides.
 *
 * A program without a queue fills a plan as far as the screen, and rip_page_plan_tones() makes the
 * rest.
 *
 * A planner belongs to a job, and is used by one thread at a time; libcups' PPD allows no more.  A
 * plan that was made is only read, until that of the next page is made in its place.
 */
#ifndef RIP_PAGE_PLAN_H
#define RIP_PAGE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <cups/raster.h>

#include "header.h"
#include "filter/ink/separation.h"
#include "filter/queue.h"
#include "halftone/screen/method.h"
#include "lib/riptide.h"
#include "tone_curves.h"

struct rip_choice;
struct rip_options;

/* How dots look on paper, for a picture of them. */
struct rip_shown {
	int printer; /* the queue's: its class or dot gain, as rip_tone_parse_gain() parses it */
	/* The calibration that it prints with, which knows it better: the planner's, or NULL. */
	const struct rip_cal *cal;
	struct rip_drops      drops;
	/* By plane of the dots: how strong a light ink is (tone/plane_curve.h); 0: not a light ink,
	 * or not known. */
	double strengths[RIP_PLANES_MAX];
};

/* What the pages of a job have in common.  Zeros to begin with, but for what the caller sets. */
struct rip_planner {
	/* the caller's */
	const struct rip_queue *queue;   /* NULL: none, and no options */
	struct rip_options     *options;
	struct rip_separation  *separation; /* NULL: no page is separated */
	struct rip_shown       *shown;   /* gets how the dots of each page look; or NULL */
	bool pwg;                        /* the dots become PWG raster */
	bool from_pwg, compressed;       /* the samples come as PWG raster; in compressed lines */

	struct rip_cal cal;              /* the last one that a page asked for, */
	char cal_name[RIP_CAL_NAME_MAX + 1];
	bool has_cal;                    /* which could be loaded */
	bool warned_of_ppd, warned_of_dots, warned_of_limit, warned_of_order, warned_of_profile;
	bool warned_of_edges, warned_of_mode;
};

/* How far apart inkjets put dots of different inks that should meet, in micrometres: with a
 * calibration that was made with the screen for inks together, and else. */
#define RIP_REGISTRATION_CALIBRATED 15
#define RIP_REGISTRATION            30

/* Zeros to begin with. */
struct rip_page_plan {
	unsigned             number;   /* of the page, from 1 */
	cups_page_header2_t  in;       /* of raster: of the samples, when they are separated, */
	cups_page_header2_t  out;      /* and of the dots */
	struct rip_geometry  geometry; /* of the samples */
	struct rip_output    output;   /* of the dots */
	struct rip_mask_use  use;
	const uint16_t      *first;    /* a curve before all others, x by sample, or NULL */
	uint32_t             flags, band_rows; /* as in riptide.h */
	enum rip_method      method;
	struct rip_tone_choice tone;
	const struct rip_screen *screen; /* NULL: the page has dots already */
	bool                     labels; /* symbols are drawn anew (halftone/label/labels.h) */
	struct rip_mask_screen   mask;   /* memory for one, */
	struct rip_mask_screen   finer;  /* and for that at edges */
	struct rip_separation   *separation; /* that has begun; NULL: none */
	struct rip_tone_curves   curves;
};

/* Plans a page by its header.  A page that is like the one before keeps its curves.  0; -EINVAL,
 * -EFBIG, -ENOENT or -ENOMEM, and why. */
int rip_page_plan_make(struct rip_page_plan *plan, struct rip_planner *planner, unsigned number,
		       const cups_page_header2_t *header, char *why, size_t size);

/* Makes the curves and limits of a plan that has all but those.  0 or -ENOMEM. */
int rip_page_plan_tones(struct rip_page_plan *plan, struct rip_planner *planner);

/* Writes a DEBUG line about the tones of a page. */
void rip_page_plan_tell(const struct rip_page_plan *plan);

/* Puts a plan into a page of libriptide; inks: memory for its text.  What it points to is the
 * plan's. */
void rip_page_plan_put(const struct rip_page_plan *plan, char inks[RIP_PLANES_MAX + 1],
		       struct riptide_page *page);

/* May be called twice. */
void rip_page_plan_finish(struct rip_page_plan *plan);

/* The screen's name, as options spell it. */
static inline const char *rip_page_plan_screen(const struct rip_page_plan *plan)
{
	return plan->labels ? RIP_SCREEN_LABELS : plan->screen->name;
}

/* What a mask has to suit: the resolution in a header that was checked, the inks of its colour
 * space, and behind them the page's light inks. */
void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use);

/* Makes what the lines of a page go through (around.h); NULL: nothing.  read: as they are.  0 or
 * -ENOMEM. */
int rip_page_plan_around(const struct rip_page_plan *plan,
			 int (*read)(void *context, void *to, uint32_t lines), void *context,
			 struct rip_around **around);

/* How the dots of a page look, with no light inks. */
void rip_planner_show(struct rip_planner *planner, const struct rip_choice *choice,
		      struct rip_shown *shown);

#endif
