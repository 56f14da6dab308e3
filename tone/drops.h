/*
 * The sizes of a printer's drops, for dots with more than two levels.
 *
 * As text, one number for each level above 0, ascending, with commas or slashes between them:
 * "3,7,14" are picolitres, "40%,70%,100%" what a drop covers of what the largest one does.  A drop
 * spreads on paper to a disc whose diameter grows with that of the drop, so drops of volume V cover
 * areas in proportion to V^(2/3).
 *
 * Plain values; pure functions; any thread may call them.
 */
#ifndef RIP_DROPS_H
#define RIP_DROPS_H

#include <stdbool.h>
#include <stdint.h>

#define RIP_DROPS_MAX 15

/* Zeros: the area of a drop grows with its level. */
struct rip_drops {
	uint32_t count;                /* levels - 1 */
	double   share[RIP_DROPS_MAX]; /* of the area of the largest drop; ascending to 1 */
};

/* "none" makes zeros.  false: not valid: no numbers, more than RIP_DROPS_MAX, not ascending, or
 * some with % and some without; percent that do not end with 100; or a first drop of less than a
 * thousandth of the last one. */
bool rip_drops_parse(struct rip_drops *drops, const char *text);

/* The share of the largest drop's area that a level covers, 0 to 1.  Drops for another number of
 * levels count as none. */
double rip_drops_share(const struct rip_drops *drops, unsigned levels, unsigned level);

/* Whether drops are known for this number of levels. */
bool rip_drops_known(const struct rip_drops *drops, unsigned levels);

/* How many drops so many levels need, for a message: a number, or "none". */
#define RIP_DROPS_NEEDED_MAX 12 /* bytes, with the NUL */
void rip_drops_needed(unsigned levels, char text[RIP_DROPS_NEEDED_MAX]);

#endif
