/*
 * Whether the driver that a PPD describes can print our dots, and why.
 *
 * It can if its filter prints 1-bit raster as it comes, and if the PPD asks for such raster in
 * some of its choices: with 8 bits in their place, rastertoriptide makes the dots.  Pages of
 * choices that ask for contone must be told from them by their colour space, so that
 * rastertoriptide passes them on unchanged.  Used by one thread.
 */
#ifndef RIP_ADOPTION_H
#define RIP_ADOPTION_H

#include "ppd_text.h"
#include "raster_choices.h"

/*
 * The printer drivers of others: whether they print dots that were made before them.
 *
 * A driver is the program that a PPD's cupsFilter line names, or for foomatic-rip the driver
 * that the PPD describes.  Any thread.
 */

enum rip_driver_takes {
	RIP_TAKES_DOTS,    /* prints 1-bit raster as it comes */
	RIP_TAKES_CONTONE, /* makes the dots itself, from grey or colour */
	RIP_TAKES_UNKNOWN, /* nobody has tried */
};

struct rip_driver {
	/* Without folders; if it ends with ".", a version follows, which is ignored. */
	const char *program;
	enum rip_driver_takes takes;
	const char *why;     /* of RIP_TAKES_CONTONE: what it does instead, behind its name */
	const char *printer; /* of RIP_TAKES_DOTS: the class of its printers; NULL: not one class */
	const char *only;    /* an option whose choices that ask for contone are dropped, or NULL */
};

enum rip_adoption_kind {
	RIP_ADOPTION_YES,
	RIP_ADOPTION_PARTLY,  /* in some choices only */
	RIP_ADOPTION_NO,
	RIP_ADOPTION_UNKNOWN, /* the driver is not known; choices of the PPD could be adopted */
	RIP_ADOPTION_DONE,    /* it was adopted before */
};

struct rip_adoption {
	enum rip_adoption_kind kind;
	char driver[64];          /* "rastertohp", "foomatic-rip: foo2zjs" ...; empty: none */
	char reason[400];         /* one sentence without full stop */
	const char *printer;      /* its class, or NULL */
	const char *only;         /* the option whose other choices are dropped, or NULL */
	char try_option[128];     /* "NAME=CHOICE" with which pages are halftoned; empty: any */
	bool foomatic;            /* the edit is edit.h's */
	unsigned long long pages; /* 0, or the colour spaces of the pages that are halftoned: all
				   * others pass */
	struct rip_raster_choices choices; /* for the edit; empty with RIP_ADOPTION_NO */
};

/* 0, or -ENOMEM.  A PPD that cannot be adopted is a verdict, not an error.  chain: as the only
 * filter, which starts the driver, not as prefilter. */
int rip_adoption_judge(struct rip_adoption *verdict, const struct rip_ppd_text *ppd, bool chain);

/* The verdict on what has no PPD of its own, as a class: no, for this reason, in two parts. */
void rip_adoption_refuse(struct rip_adoption *verdict, const char *before, const char *more);

/* May be called twice. */
void rip_adoption_finish(struct rip_adoption *verdict);

/* "yes", "partly", "no", "unknown" or "adopted". */
const char *rip_adoption_name(enum rip_adoption_kind kind);

/* Whether it is a cupsFilter or cupsFilter2 statement. */
bool rip_is_filter(const struct rip_ppd_statement *s);

/* The filter that a cupsFilter or cupsFilter2 statement names, if it takes raster: the last word of
 * its value.  Else an empty slice. */
struct rip_slice rip_raster_program(const struct rip_ppd_statement *s);

/*
 * PPDs of foomatic-rip whose command ends with a program that takes dots: the foo2zjs family and
 * ptouch.
 *
 * rastertofoomatic(8) runs that command with our dots, by the PPD's own FoomaticRIP lines, which
 * all stay.  Such a PPD leaves the raster to the command, so its options get the code that asks
 * Ghostscript for it: the page size, the resolution that the command's -r names, and 8 bits of
 * black or of four inks.  Used by one thread.
 */

#define RIP_FOOMATIC_FILTER "rastertofoomatic"

/* The driver behind foomatic-rip that the PPD describes; empty: none. */
struct rip_slice rip_foomatic_driver(const struct rip_ppd_text *ppd);

/* The class of the printers of a driver that takes our dots; NULL: it takes none. */
const char *rip_foomatic_printer(struct rip_slice driver);

/* What stands in such a PPD, for the edit. */
struct rip_foomatic_plan {
	bool     resolutions;  /* the user chooses the resolution */
	bool     colors;       /* and black or colour, by ColorMode */
	unsigned x_dpi, y_dpi; /* of one that is fixed */
};

void rip_foomatic_plan(struct rip_foomatic_plan *plan, const struct rip_ppd_text *ppd);

/* Whether a statement changes; then its new text is added, which may be none. */
bool rip_foomatic_replace(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			  const struct rip_foomatic_plan *plan, const struct rip_ppd_statement *s);

#endif
