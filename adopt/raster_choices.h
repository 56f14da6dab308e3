/*
 * What raster a PPD asks Ghostscript for: which colour space and how many bits a colour, under
 * each combination of its choices.
 *
 * A choice's PostScript code may set cupsColorSpace and cupsBitsPerColor.  The choices in force
 * run in the order of their OrderDependency, and each overrides those before it.  All
 * combinations are tried, so that the result does not depend on how a vendor distributes the
 * two over his options.
 */
#ifndef RIP_RASTER_CHOICES_H
#define RIP_RASTER_CHOICES_H

#include "ppd_text.h"

/* Colour spaces by the numbers of the page header; bit n of a set is colour space n. */
enum { RIP_SPACE_RGB = 1, RIP_SPACE_K = 3, RIP_SPACE_CMY = 4, RIP_SPACE_CMYK = 6,
       RIP_SPACE_KCMY = 8, RIP_SPACES = 63 };

/* Where dots are ink: those that rastertoriptide makes of 8 bits are what Ghostscript makes. */
#define RIP_INK_SPACES \
	(1ull << RIP_SPACE_K | 1ull << RIP_SPACE_CMY | 1ull << RIP_SPACE_CMYK | \
	 1ull << RIP_SPACE_KCMY)

struct rip_raster_choices {
	/* One for each statement of the PPD. */
	struct rip_raster_statement {
		bool sets_one_bit;  /* its code sets 1 bit a colour */
		bool sets_contone;  /* its code sets more */
		int  space;         /* the colour space that its code sets; -1: none */
		bool gives_dots;    /* in some combination its 1 bit is in force, in an ink space */
		bool gives_others;  /* likewise, in another space */
	} *statements;
	unsigned long long dot_spaces;     /* ink spaces that some combination asks for at 1 bit */
	unsigned long long other_spaces;   /* other spaces at 1 bit */
	unsigned long long contone_spaces; /* at more bits */
	bool unset; /* in some combination no code sets the bits; CUPS takes 1 then */
};

/* 0; -E2BIG and why: the PPD has too many combinations; -ENOMEM and why. */
int rip_raster_choices_find(struct rip_raster_choices *choices, const struct rip_ppd_text *ppd,
			    char *why, size_t size);

/* May be called twice. */
void rip_raster_choices_finish(struct rip_raster_choices *choices);

/* The digit behind the next "/NAME " in code, from `from` on; NULL: there is none. */
const char *rip_code_number(struct rip_slice code, const char *from, const char *name);

/* "K", "CMY" ...; "other" for those that are no names here. */
const char *rip_space_name(int space);

#endif
