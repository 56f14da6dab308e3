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

#include "driver.h"
#include "raster_choices.h"

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
	bool foomatic;            /* the edit is foomatic.h's */
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

#endif
