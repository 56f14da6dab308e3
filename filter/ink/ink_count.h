/*
 * How much ink a page of dots takes: the sum of the levels of each plane.
 *
 * A full pixel has level levels - 1, so the share of the page that full ink would cover is
 * sum / (pixels * (levels - 1)).  Counting is a popcount for each bit of a dot and 64 bits of
 * a row.
 *
 * Plain values; pure functions.
 */
#ifndef RIP_INK_COUNT_H
#define RIP_INK_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "halftone/screen/mask_screen.h"

/* A page of dots. */
struct rip_dot_page {
	uint32_t     width, height;
	uint32_t     planes;        /* 1..RIP_PLANES_MAX */
	uint32_t     levels;        /* 2..16 */
	unsigned     x_dpi, y_dpi;  /* 0: not known */
	bool         light;         /* the highest level is paper, not ink */
	enum rip_ink inks[RIP_PLANES_MAX];
};

struct rip_ink_count {
	uint64_t levels[RIP_PLANES_MAX]; /* the sum of the levels of a plane, as they come */
};

/* The sum of the levels of a row of packed dots, `bits` (1, 2 or 4) bits each.  Bits behind the
 * last dot do not count. */
uint64_t rip_ink_count_row(const uint8_t *dots, uint32_t width, uint32_t bits);

/* The highest level of a row, likewise. */
unsigned rip_ink_count_highest(const uint8_t *dots, uint32_t width, uint32_t bits);

/* The sum of the levels of ink of a plane whose rows were all counted. */
uint64_t rip_ink_count_ink(const struct rip_ink_count *count, const struct rip_dot_page *page,
			   uint32_t plane);

/* The same as a share of full ink on the whole page, 0 to 1, and as an area of full ink in square
 * metres.  A resolution that is not known counts as 600. */
double rip_ink_count_share(const struct rip_ink_count *count, const struct rip_dot_page *page,
			   uint32_t plane);
double rip_ink_count_area(const struct rip_ink_count *count, const struct rip_dot_page *page,
			  uint32_t plane);

/* The area of the page, likewise. */
double rip_dot_page_area(const struct rip_dot_page *page);

/* "C", "M", "Y", "K", light ones "c", "m", "k", or the plane's number from 1: at most 12 bytes. */
#define RIP_INK_NAME_MAX 12
void rip_ink_name(const struct rip_dot_page *page, uint32_t plane, char name[RIP_INK_NAME_MAX]);

#endif
