/*
 * The filter's options: rastertoriptide(8), OPTIONS.
 *
 * An option is looked up in the job's options (argv[5]), then in the page header's
 * cupsString, then among the PPD's defaults.  An unknown value gives one WARNING for each
 * place and job, and counts as not set there.
 *
 *	halftone               also riptideHalftone, halftone-type and cupsHalftoneType;
 *	                       unknown values of the last two are meant for other filters, and
 *	                       those of all names without "riptide" where the PPD starts only
 *	                       other filters
 *	halftone-screen        also riptideScreen
 *	halftone-levels        also riptideLevels; a value above riptideMaxLevels of the
 *	                       PPD counts as unknown
 *	halftone-dot-gain      also riptideDotGain; a number of points goes with the preset of
 *	                       the next place that names one, or with the PPD's
 *	                       riptidePrinter, or with laser
 *	halftone-calibration   also riptideCalibration
 *	halftone-target        also riptideTarget
 *	halftone-density       also riptideDensity
 *	halftone-gamma         also riptideGamma
 *	halftone-ink-limit     also riptideInkLimit
 *	toner-save             also riptideTonerSave
 *	halftone-edges         also riptideEdges
 *	halftone-inks          also riptideInks
 *	halftone-light-inks    also riptideLightInks
 *	halftone-light-strength also riptideLightStrength
 *	halftone-black         also riptideBlack; of documents that pdftoriptide draws
 *	black-preservation     also riptideBlackPreservation; likewise
 *	black-overprint        also riptideBlackOverprint; likewise
 *	print-color-mode       also riptideColorMode; likewise, and only auto-monochrome counts
 *	halftone-registration  also riptideRegistration, an attribute of the PPD, too
 *	halftone-drops         also riptideDrops, an attribute of the PPD, too; drops for another
 *	                       number of levels count as none, with one WARNING
 *
 * A method other than auto means error diffusion, unless the job itself names a mask:
 *
 *	method  screen in force, and the place that sets it   dots by
 *	------  --------------------------------------------  ------------------------------
 *	auto    none                                          floyd-steinberg
 *	auto    an error filter or blue-noise, anywhere       that screen
 *	auto    a mask or bi-level, anywhere                  that screen
 *	named   none                                          floyd-steinberg
 *	named   an error filter or blue-noise, anywhere       that screen
 *	named   a mask or bi-level, the job                   that screen
 *	named   a mask or bi-level, the page or the PPD       floyd-steinberg
 *
 * "Named" means set to a method other than auto, at any place.
 *
 * Names and values are not case-sensitive.  Used by one thread.
 */
#ifndef RIP_OPTIONS_H
#define RIP_OPTIONS_H

#include <stdbool.h>

#include <cups/cups.h>
#include <cups/raster.h>

#include "queue.h"
#include "rip/kept_black.h"
#include "filter/ink/separation.h"
#include "tone/tone_choice.h"
#include "halftone/screen/screen.h"
#include "halftone/screen/method.h"

#define RIP_OPTION_PREFIX "riptide:" /* of our cupsStrings */
#define RIP_MASK_NAME_MAX 31 /* bytes */

enum rip_option {
	RIP_OPTION_METHOD, RIP_OPTION_SCREEN, RIP_OPTION_LEVELS, RIP_OPTION_DOT_GAIN,
	RIP_OPTION_TARGET, RIP_OPTION_DENSITY, RIP_OPTION_GAMMA,
	RIP_OPTION_INK_LIMIT, RIP_OPTION_CALIBRATION, RIP_OPTION_TONER_SAVE, RIP_OPTION_INKS,
	RIP_OPTION_LIGHT_INKS, RIP_OPTION_LIGHT_STRENGTH, RIP_OPTION_DROPS, RIP_OPTION_BLACK,
	RIP_OPTION_KEEP_BLACK, RIP_OPTION_COLOR_MODE, RIP_OPTION_REGISTRATION, RIP_OPTION_EDGES,
	RIP_OPTION_OVERPRINT, RIP_OPTION_COUNT
};
enum rip_place { RIP_PLACE_JOB, RIP_PLACE_PAGE, RIP_PLACE_PPD, RIP_PLACE_COUNT };

/* The value of an option at a place. */
struct rip_setting {
	bool set;
	int  number; /* the method, the levels, the screen's id (-1: the screen is `mask`), or as
			tone_choice.h parses the value */
	char mask[RIP_MASK_NAME_MAX + 1]; /* its name as it was set, else empty */
	char calibration[RIP_CAL_NAME_MAX + 1]; /* its name, else empty */
	struct rip_drops drops;
};

/* A screen that a place asks for. */
struct rip_screen_wish {
	enum rip_place place;
	int  id;   /* of rip_screens[], or -1: `mask` */
	char mask[RIP_MASK_NAME_MAX + 1]; /* known to rip_mask_screen_known(), or `labels`, which is
					     blue noise; else empty */
};

/* The options of a page. */
struct rip_choice {
	enum rip_method method;
	unsigned        levels; /* 2..16 */
	struct rip_tone_choice tone;
	enum rip_inks   inks;   /* that RGB pages are separated into */
	unsigned        light_inks; /* a set of light_inks.h */
	bool            pure_black; /* of CMYK in grey, as kept_black.h says */
	enum rip_keep_black keep_black; /* of RGB in CMYK, as kept_black.h says */
	bool            black_overprint; /* of text in CMYK, as overprint.c says */
	bool            auto_monochrome; /* as page_colour.h says */
	/* The screens that the places ask for, the one in force first.  The next one counts if
	 * the page cannot have that mask, and Floyd-Steinberg after the last one. */
	struct rip_screen_wish wishes[RIP_PLACE_COUNT];
	unsigned               wish_count;
	/* A mask that is not used, because a method is named: its place is not the job.  Its
	 * name is empty if there is none. */
	struct rip_screen_wish ignored;
};

struct rip_options {
	int            count;  /* the job's options */
	cups_option_t *job;
	int            max_levels; /* the most that the printer's driver takes */
	int            printer;    /* the PPD's riptidePrinter, an index in rip_printer_names[]: the
				      preset that a number of points goes with; -1: none */
	bool           own;    /* the PPD has riptideHalftone: `halftone` may be its vendor's */
	bool           foreign; /* only a picture is made of the queue's pages: all names without
				   "riptide" may be its vendor's */
	struct rip_setting ppd[RIP_OPTION_COUNT]; /* the queue's defaults */
	bool           warned[RIP_PLACE_COUNT][RIP_OPTION_COUNT + 1]; /* + 1: an unknown option */
	bool           warned_of_drops; /* that are for another number of levels */
};

/* text: argv[5].  Neither is needed afterwards. */
void rip_options_init(struct rip_options *options, const char *text,
		      const struct rip_queue *queue);

/* The name of an option, "halftone-screen". */
const char *rip_option_name(enum rip_option option);

/* Its other name, which no vendor's PPD uses for something else. */
const char *rip_option_keyword(enum rip_option option);

/* The options for a page with this header, whose strings may lack NULs. */
void rip_options_page(struct rip_options *options, const cups_page_header2_t *header,
		      struct rip_choice *choice);

/* Warns, once for its place and job, that a page cannot have the mask of a wish. */
void rip_options_refuse_mask(struct rip_options *options, const struct rip_screen_wish *wish,
			     const char *why);

/* The colour model that the job has chosen, or the queue's default; NULL: not known.  Lives as
 * long as options and queue. */
const char *rip_options_color_model(const struct rip_options *options,
				    const struct rip_queue *queue);

/* The class of the queue's printer, one of rip_printer_names[]: the preset of a page, or the PPD's
 * riptidePrinter, or laser. */
const char *rip_options_printer(const struct rip_options *options, const struct rip_choice *choice);

/* The place in words: "the job's options". */
const char *rip_place_name(enum rip_place place);

/* May be called twice. */
void rip_options_finish(struct rip_options *options);

#endif
