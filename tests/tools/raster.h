/*
 * Rasters for tests: pages of any kind, even invalid ones, as streams of every format and byte
 * order; and runs of the filter with such a stream.
 *
 * The writer is not that of libcups: it writes whatever a header says, and uses everything
 * that compressed lines may contain.  An error inside it ends the test.
 */
#ifndef RIP_TESTS_RASTER_H
#define RIP_TESTS_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <cups/raster.h>

/* Bytes that grow. */
struct bytes {
	uint8_t *data;
	size_t   size, room;
};

void bytes_add(struct bytes *bytes, const void *data, size_t size);
void bytes_free(struct bytes *bytes);

/* Reads bytes by libcups. */
struct bytes_reader {
	const struct bytes *bytes;
	size_t              at;
};

/* For cupsRasterOpenIO(); context: a reader. */
ssize_t bytes_read(void *context, unsigned char *to, size_t n);

enum raster_format { RASTER_V1, RASTER_V2, RASTER_V3, RASTER_APPLE, RASTER_FORMATS };

/* A stream: its first word.  foreign: of a machine of the other byte order (a PWG
 * raster is a V2 that is foreign on a little-endian machine). */
void raster_begin(struct bytes *stream, enum raster_format format, bool foreign);

/* A page's header, and its lines (of header->cupsBytesPerLine bytes, in the
 * machine's byte order); compressed as the format wants it. */
void raster_header(struct bytes *stream, enum raster_format format, bool foreign,
		   const cups_page_header2_t *header);
void raster_lines(struct bytes *stream, enum raster_format format, bool foreign,
		  const cups_page_header2_t *header, const uint8_t *pixels, size_t lines);

/* A valid header.  bits: of a colour. */
cups_page_header2_t raster_page(cups_cspace_t space, cups_order_t order, unsigned bits,
				unsigned width, unsigned height);

/* A field of a header with a wrong value, and the text with which the message names it. */
struct raster_fault {
	size_t      at;
	unsigned    value;
	const char *text;
};

#define RASTER_FIELD(name) offsetof(cups_page_header2_t, name)

void raster_damage(cups_page_header2_t *header, const struct raster_fault *fault);

/* How many colours a space has (by a table of its own), and how many lines a page. */
unsigned raster_colors(cups_cspace_t space);
size_t   raster_page_lines(const cups_page_header2_t *header);

/* Pixels as pages have them: white, black, text, tints, noise, lines like the last
 * one.  For free(). */
uint8_t *raster_pixels(const cups_page_header2_t *header);

/* Random pixels, never white paper only; for free(). */
uint8_t *raster_noise(const cups_page_header2_t *header);

/* A page: its header and its lines.  pixels: NULL for some of its own. */
void raster_add(struct bytes *stream, enum raster_format format, bool foreign,
		cups_page_header2_t header, const uint8_t *pixels);

/* The next page that libcups reads: its lines, for free(); NULL after the last one. */
uint8_t *raster_read(cups_raster_t *raster, cups_page_header2_t *header);

/* Sample x of plane p of row y, among the pixels of a page with 1 to 16 bits. */
unsigned raster_sample(const cups_page_header2_t *header, const uint8_t *pixels, unsigned p,
		       unsigned x, unsigned y);

/* A run of the filter. */
struct run {
	const char *options;       /* argv[5], or NULL */
	const char *file;          /* argv[6], or NULL */
	const char *env[8];        /* "NAME=value"; beside these there is only the socket */
	bool        by_pipe;       /* the input comes in small pieces */
	size_t      noise;         /* so many random bytes follow it, by the same pipe, */
	size_t      tint_runs;     /* or so many runs of 128 pixels ... */
	size_t      tint_line;     /* ... of which each line has that many, */
	unsigned    tint_unit;     /* and a pixel this many bytes */
	bool        daemon;        /* env says where: there may be one */
	const char *out_path;      /* stdout, instead of a file */
	unsigned    closed;        /* bit i: descriptor i (0, 1, 2) is closed */
	size_t      file_size;     /* RLIMIT_FSIZE; 0: as it is */
	/* afterwards */
	struct bytes out, err;     /* err ends with a NUL */
	int          status;       /* as wait() has it */
	long         max_rss_kib;
	double       seconds, processor_seconds;
};

void run_filter(struct run *run, const struct bytes *input);
void run_free(struct run *run);

/* Runs the filter with so many pages like this one. */
void run_pages(struct run *run, enum raster_format format, cups_page_header2_t header,
	       const uint8_t *pixels, unsigned count);

/* The filter succeeded, with so many lines of WARNING. */
void run_succeeded(const struct run *run, unsigned warnings);

/* The filter failed as it should: exit 1, one ERROR, whose line has all these words (strings; after
 * a NULL no more). */
#define FAILED(run, ...) \
	run_failed(run, (const char *const[]){ __VA_ARGS__ }, \
		   sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *))

void run_failed(const struct run *run, const char *const words[], size_t count);

/* How many lines of stderr begin with that word. */
unsigned run_count(const struct run *run, const char *word);

/* The path of the filter that was built. */
const char *filter_path(void);

/* Begins a PPD, for more lines; close it, and unlink() it afterwards.  env: PPD=PATH. */
FILE *new_ppd(char path[40], char env[64]);

#endif
