/*
 * Rows of a page through the halftoner: from who reads them to who writes the
 * dots, in bands.  The next band is read and the last one is written while others
 * are halftoned.
 *
 * Errors are told by messages, those of the callbacks by the callbacks.  Used by
 * one thread.
 */
#ifndef RIP_PUMP_H
#define RIP_PUMP_H

#include "lib/halftoner.h"

#define RIP_PUMP_BANDS 8 /* at most */

/* The bands, which a page needs and another one like it can use again. */
struct rip_pump {
	struct rip_page_spec spec;
	struct rip_band     *bands[RIP_PUMP_BANDS];
	unsigned             count;
};

/* A page. */
struct rip_pump_page {
	unsigned             number;    /* for messages */
	struct rip_page_spec spec;
	uint32_t             height;    /* rows */
	bool                 planar;    /* one plane after the other, else all in each line */
	enum rip_start       start;
	uint32_t             band_rows; /* rows of a band, if they fit; 0: as many as are good */

	/* The next lines: a row for each of their planes.  More than one only of lines
	 * of one plane, and then row after row behind each other.  0 or -errno. */
	int (*read)(void *context, void *const rows[], uint32_t lines);
	/* The next line of dots.  0 or -errno. */
	int (*write)(void *context, const uint8_t *const dots[]);
	/* So many of all lines are written (a planar page has height * planes). */
	void (*progress)(void *context, uint64_t written, uint64_t lines);
	void *context;
};

/* Zeros are a pump without bands.  Runs one page; 0 or -errno, and then the
 * halftoner is freed before the pump. */
int rip_pump_run(struct rip_pump *pump, const struct rip_pump_page *page,
		 struct rip_halftoner *halftoner);

/* May be called twice. */
void rip_pump_finish(struct rip_pump *pump);

#endif
