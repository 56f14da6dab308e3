/*
 * A page through the halftoner: rows in, bands to and fro, rows out.  Reading,
 * halftoning and writing overlap.
 */
#ifndef RIP_PAGES_H
#define RIP_PAGES_H

#include "wire/halftoner.h"

struct rip_page_job {
	struct rip_page_spec spec;
	uint32_t       height;    /* rows */
	enum rip_start start;
	uint32_t       band_rows; /* rows a band, or 0: as many as are good */

	/* Puts the next row of all planes into the band and commits it.  0 or
	 * -errno, told. */
	int (*read)(void *context, struct rip_band *band);
	/* Writes a row of dots of all planes.  0 or -errno, told. */
	int (*write)(void *context, const struct rip_band *band, uint32_t row);
	void *context;

	const char *name;   /* for the progress line: what is halftoned, */
	uint32_t    number; /* and which page of it, from 1 */
};

/* Halftones one page.  0; or -errno, told, and then the halftoner was freed and
 * is NULL, since it had bands in flight. */
int rip_page_job_run(const struct rip_page_job *job, struct rip_halftoner **halftoner);

#endif
