/*
 * The sheet of a PPD that a page of a certain size goes on, with its margins: as Ghostscript's cups
 * device chooses it.  Pure functions, any thread, except rip_sheet_duplexer().
 */
#ifndef RIP_SHEET_H
#define RIP_SHEET_H

#include <stdbool.h>

#include <cups/raster.h>

#include "filter/queue.h"

struct rip_sheet {
	float media[2];   /* width and height in points of what Ghostscript draws */
	float margins[4]; /* points: left, bottom, right, top */
	bool  landscape;  /* the page is turned by 90 degrees on the sheet */
	char  name[64];   /* the PPD's, or Custom.WIDTHxHEIGHT */
};

/* What a PPD says about the printer's duplexer. */
struct rip_duplexer {
	bool flipped, manual_tumble; /* cupsBackSide is that */
	bool rotated;                /* so is cupsBackSide, or the PPD only says cupsFlipDuplex */
	bool margin, no_margin;      /* APDuplexRequiresFlippedMargin is true; is false */
};

/* Reads it.  Not while another thread reads the PPD, because libcups moves a position in it. */
void rip_sheet_duplexer(const struct rip_queue *queue, struct rip_duplexer *duplexer);

/* What happens to the back of a sheet, so that it suits a printer's duplexer. */
struct rip_back {
	bool margins_x, margins_y; /* left and right margins, or bottom and top, are exchanged */
	bool mirror_x, mirror_y;   /* columns, or rows, come in reverse order */
};

/* The same for a page (0-based): nothing happens to the front, or without duplex. */
void rip_sheet_back(const struct rip_duplexer *duplexer, const cups_page_header2_t *header,
		    unsigned index, struct rip_back *back);

/* Finds the sheet for a page of this size in points: the one whose size, or failing that whose
 * imageable area, it has within a percent; of several, rather the one that the job asks for by
 * name.  Any size gets a sheet: one that the PPD lacks is custom. */
void rip_sheet_find(const struct rip_queue *queue, const char *asked, float width, float height,
		    const struct rip_back *back, struct rip_sheet *sheet);

#endif
