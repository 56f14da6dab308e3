/*
 * Reads the rows of a page that Ghostscript draws: its chunked pixels become planes of ink or
 * light, which go through the page's tones.  Used by one thread.
 */
#ifndef RIP_PAGE_READER_H
#define RIP_PAGE_READER_H

#include "gs.h"
#include "halftone/page/around_rules.h"
#include "lib/riptide.h"

/* What a plane's samples are made of: a sample of Ghostscript's pixels, and whether light
 * becomes ink (255 minus the sample). */
struct rip_plane_source {
	unsigned sample;
	bool     invert;
};

/* How a page is drawn and halftoned. */
struct rip_placed_page {
	double               matrix[6];  /* from points to pixels, see gs.h */
	/* No dots: the lines are Ghostscript's pixels, chunked, as ink: of light, 255 minus the
	 * sample, because white then takes no room.  Of what follows, only the page's width and
	 * height count, and `around`. */
	bool                 contone;
	/* How libriptide halftones it: 8-bit samples.  What it points to lives until the same
	 * worker places its next page. */
	struct riptide_page  page;
	char                 inks[RIPTIDE_PLANES_MAX + 1]; /* for page.inks */
	/* What the samples of Ghostscript go through first; all planes or none are inverted, and
	 * full and empty samples are those of Ghostscript. */
	struct rip_around_rules around;
	uint32_t             ink_limit;  /* as in struct riptide_stream */
	/* Of each plane; there are as many planes as samples of a pixel. */
	struct rip_plane_source sources[RIP_CONTONE_SAMPLES_MAX];
};

/* The buffers of a page, and how far it is read. */
struct rip_page_reader {
	struct rip_gs *gs;
	const struct rip_placed_page *placed;
	uint8_t       *chunked;     /* lines of chunked pixels */
	size_t         chunked_size;
	uint32_t       ready, fill; /* lines at its end that are not taken yet, of so many */
	struct rip_around *around; /* of this page, or NULL */
	uint64_t       left;        /* lines that are still to be read */
	/* Of a page whose colours are looked for: */
	struct rip_kept_rows kept;  /* rows that come before those in the pipe */
	uint8_t       *row;         /* memory for one */
	bool           decided;     /* whether the page has colours is known: */
	bool           grey;        /* it has none */
};

/* A page has to be drawn once more. */
#define RIP_READER_AGAIN 1

/* Refuses planes that are not made of samples of their own: the rows have no room for others.  0,
 * or -EINVAL and gs->why. */
int rip_page_reader_check(struct rip_gs *gs, const struct rip_placed_page *placed);

/* Begins a page that was checked and that gs is about to draw; both live until it is read.  The
 * reader is zeros before its first page.  0, or -ENOMEM. */
int rip_page_reader_begin(struct rip_page_reader *reader, struct rip_gs *gs,
			  const struct rip_placed_page *placed);

/* With auto_monochrome, finds out whether the page that gs has begun to draw has colours; without,
 * or if that is known, nothing.  Rows that were read for that are kept, in `limit` bytes.
 * RIP_READER_AGAIN: there was no room for them, and the page, which is read to its end, has to be
 * drawn and begun once more; what was found out is known then.  0, or as rip_gs_read(). */
int rip_page_reader_decide(struct rip_page_reader *reader, size_t limit);

/* Reads lines into the rows of their planes; one line if there are several planes.  0, or as
 * rip_gs_read(). */
int rip_page_reader_lines(struct rip_page_reader *reader, void *const rows[], uint32_t lines);

/* The same, of pixels as they are; from the first time that lines are read, no more.  Only of a
 * page for which the next function says that nothing else is to be done to them. */
int rip_page_reader_pixels(struct rip_page_reader *reader, void *pixels, uint32_t lines);
bool rip_page_reader_has_pixels(const struct rip_page_reader *reader);

/* Reads a line of a page that is contone.  0, or as rip_gs_read(). */
int rip_page_reader_ink(struct rip_page_reader *reader, uint8_t *line);

/* May be called twice. */
void rip_page_reader_finish(struct rip_page_reader *reader);

#endif
