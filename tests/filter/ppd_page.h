/* Pages through rastertoriptide, for queues with some lines in their PPD. */
#ifndef RIP_PPD_PAGE_H
#define RIP_PPD_PAGE_H

#include <stdio.h>

#include "tests/tools/raster.h"

/* Begins a PPD, for more lines; close it, and unlink() it afterwards.  env: PPD=PATH. */
FILE *new_ppd(char path[40], char env[64]);

/* Random pixels, never white paper only; free() them. */
uint8_t *page_pixels(const cups_page_header2_t *header);

/* Adds a page to a stream. */
void add_page(struct bytes *stream, enum raster_format format, const cups_page_header2_t *header,
	      const uint8_t *pixels);

/* Runs the filter with a stream of one page. */
void run_page(struct run *run, enum raster_format format, const cups_page_header2_t *header,
	      const uint8_t *pixels);

/* The filter succeeded, with so many lines of WARNING. */
void check_run(const struct run *run, unsigned warnings);

#endif
