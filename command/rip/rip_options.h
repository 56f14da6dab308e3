/*
 * The command line of `riptide rip`.
 */
#ifndef RIP_RIP_OPTIONS_H
#define RIP_RIP_OPTIONS_H

#include <stdbool.h>

#include "image/tiff.h"
#include "command/halftone_options.h"
#include "rip/gs.h"
#include "tone/tone_choice.h"

enum rip_format { RIP_FORMAT_PNM, RIP_FORMAT_CUPS, RIP_FORMAT_PWG, RIP_FORMAT_TIFF, RIP_FORMAT_PNG,
	RIP_FORMATS /* none: the suffix of the output chooses */ };

struct rip_rip_options {
	struct rip_image_options image; /* the document, its dots per inch, the output */
	enum rip_contone model;   /* of separations, too */
	enum { RIP_PLATES_PROCESS, RIP_PLATES_SEPARATIONS } inks;
	enum { RIP_BLACK_FULL, RIP_BLACK_PROFILE } black; /* of CMYK in grey: rip/kept_black.h */
	enum rip_keep_black keep_black; /* of RGB in CMYK */
	enum { RIP_OVERPRINT_NONE, RIP_OVERPRINT_TEXT } black_overprint; /* rip/overprint.c */
	bool              auto_monochrome; /* as rip/page_colour.h says */
	const char      *pages;   /* a valid list, or NULL: all */
	unsigned         workers; /* 0: one for each processor that may be used */
	unsigned         page_seconds; /* that Ghostscript may take for a page; 0: any */
	enum rip_format  format;
	struct rip_printer_option printer;
	struct rip_tone_choice tone; /* printer included */
	enum rip_tiff_compression compression; /* of TIFF */
	bool             json;
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_rip_options_parse(struct rip_rip_options *options, int argc, char **argv);

#endif
