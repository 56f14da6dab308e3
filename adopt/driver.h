/*
 * The printer drivers of others: whether they print dots that were made before them.
 *
 * A driver is the program that a PPD's cupsFilter line names, or for foomatic-rip the driver
 * that the PPD describes.  Any thread.
 */
#ifndef RIP_DRIVER_H
#define RIP_DRIVER_H

#include "ppd_text.h"

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

/* The driver of that name; one with RIP_TAKES_UNKNOWN and no name if there is none. */
const struct rip_driver *rip_driver_find(struct rip_slice program);

/* The class of printers, as halftone-dot-gain names it: "laser", "inkjet" or "thermal"; NULL: none
 * of them, or not known. */
const char *rip_driver_printer(const struct rip_driver *driver, const struct rip_ppd_text *ppd);

#endif
