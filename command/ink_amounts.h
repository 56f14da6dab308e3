/*
 * What inks take of their supply: --ink-per-m2.
 */
#ifndef RIP_INK_AMOUNTS_H
#define RIP_INK_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "command/option.h"
#include "halftone/engine.h"

/* What a square metre of full ink takes. */
struct rip_ink_amounts {
	unsigned count;   /* 0: not known; 1: all inks the same */
	bool     volume;  /* millilitres, else grams */
	double   amount[RIP_PLANES_MAX];
};

/* Parses "5g" or "0.8ml,1ml" for a row of options; the unit of all is that of the first one. */
int rip_ink_amounts_set(const char *value, void *amounts);

#define RIP_INK_AMOUNTS_ROW(at) \
	{ RIP_VALUE("ink-per-m2", "AMOUNT", at, rip_ink_amounts_set, \
		    "amounts such as 5g or 5g,5g,5g,6g: above 0 to 1000, all in g or all in ml", \
		    "what a square metre of full ink takes: 5g, 12ml; or one for each ink:" \
		    " 5g,5g,5g,6g") }

/* What an area of full ink takes, in square metres; ink: counted from 0, and those behind the last
 * one are as that.  0: not known. */
double rip_ink_amount(const struct rip_ink_amounts *amounts, uint32_t ink, double area);

/* "g" or "ml" */
const char *rip_ink_amounts_unit(const struct rip_ink_amounts *amounts);

#endif
