/*
 * How Ghostscript converts the colours of a page, as a job wants it: all of them
 * (print-rendering-intent), and those of text, of graphics and of images on their own, each with a
 * profile of the printer (text-profile) and an intent (text-rendering-intent).
 *
 * A job may name profiles only in the system's folders of colours and in those that riptided.conf
 * adds to the jail.  What cannot be used is told in a WARNING, and left out.
 */
#ifndef RIP_OBJECT_COLOURS_H
#define RIP_OBJECT_COLOURS_H

#include <stdbool.h>

#include <cups/cups.h>
#include <cups/raster.h>

#define RIP_OBJECT_KINDS     3
#define RIP_OBJECT_ARGUMENTS (2 + 3 * RIP_OBJECT_KINDS)

struct rip_object_colours {
	const char *arguments[RIP_OBJECT_ARGUMENTS]; /* for Ghostscript */
	int         count;
	unsigned    by_kind;  /* so many, the last ones, are for one kind of objects each */
	char        profiles[RIP_OBJECT_KINDS][1100];
	char        intents[1 + RIP_OBJECT_KINDS][2][32];
};

/* Makes the arguments for pages with this header.  managed: colours are converted at all. */
void rip_object_colours_init(struct rip_object_colours *colours, const cups_page_header2_t *header,
			     bool managed, int count, cups_option_t *options);

/* Tells in one WARNING which of the job's profiles and intents for kinds of objects have no effect,
 * and why.  all: also the intent of all objects. */
void rip_object_colours_unused(const char *why, bool all, int count, cups_option_t *options);

#endif
