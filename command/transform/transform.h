/*
 * riptide-transform: what a call asks for, what its pages are, and what is done to make them.
 *
 * The command line and the environment are those of libcups 3's ipptransform.  What that command
 * does and this one does not goes to the next ipptransform in PATH.
 *
 * Errors are reported on standard error where they occur, as lines that begin with "ERROR: ".  Used
 * by one thread, except rip_transform_place().
 */
#ifndef RIP_TRANSFORM_H
#define RIP_TRANSFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/cups.h>
#include <cups/raster.h>

#include "filter/page/header.h"
#include "filter/page/sink.h"
#include "image/image.h"
#include "rip/gs.h"

/* A pwg-raster-document-type. */
struct rip_transform_type {
	const char      *name; /* "black_1" */
	enum rip_contone contone;
	cups_cspace_t    space;
	unsigned         bits;  /* of a colour: 1 is dots, 8 is Ghostscript's pixels */
};

/* A sheet, in 1/100 mm; and what its name, material and tray are called in IPP. */
struct rip_transform_media {
	int  width, length, left, right, top, bottom;
	char name[64], color[64], source[64], type[64];
};

enum rip_transform_format { RIP_TRANSFORM_PWG, RIP_TRANSFORM_APPLE, RIP_TRANSFORM_PCL };
enum rip_transform_scaling { RIP_SCALING_AUTO, RIP_SCALING_AUTO_FIT, RIP_SCALING_FILL,
			     RIP_SCALING_FIT, RIP_SCALING_NONE };
enum rip_transform_back { RIP_BACK_NORMAL, RIP_BACK_FLIPPED, RIP_BACK_ROTATED,
			  RIP_BACK_MANUAL_TUMBLE };

struct rip_transform_request {
	const char *file;         /* the document */
	enum rip_image_kind image; /* RIP_IMAGE_UNKNOWN: it is PDF */
	const char *output;       /* a file, or NULL: standard output */
	enum rip_transform_format format;
	const struct rip_transform_type *type;
	unsigned    x_dpi, y_dpi;
	struct rip_transform_media media;
	unsigned    copies;
	bool        uncollated;   /* the printer makes the copies */
	const char *ranges;       /* of pages, valid; NULL: all */
	unsigned    orientation;  /* of IPP, 3 to 7; of an image, that of image-orientation, too: */
	bool        is_exact;     /* then it is not turned to suit the sheet */
	enum rip_transform_scaling scaling;
	bool        duplex, tumble;
	enum rip_transform_back back;
	unsigned    quality;      /* of IPP, 3 to 5; 0: not said */
	bool        bi_level;     /* print-color-mode asks for black without greys */
	char        optimize[64], intent[64];
	bool        debug;        /* also writes DEBUG lines */

	int            count;     /* of the -o options */
	cups_option_t *options;
	char           why[320];  /* why the call is not for this program */
};

#define RIP_TRANSFORM_GO_ON (-1)
#define RIP_TRANSFORM_NEXT  (-2) /* another program is to do it, for the reason in `why` */

/* Reads the command line and the environment.  RIP_TRANSFORM_GO_ON, RIP_TRANSFORM_NEXT, or the exit
 * status to end with.  The request, which keeps pointers to both, is to be finished in any case. */
int  rip_transform_request_read(struct rip_transform_request *request, int argc, char **argv);
void rip_transform_request_finish(struct rip_transform_request *request);

/* An option: as -o has it, or IPP_NAME of the environment, or IPP_NAME_DEFAULT; or NULL. */
const char *rip_transform_option(const struct rip_transform_request *request, const char *name);

/* Whether the document's page is asked for. */
bool rip_transform_has_page(const struct rip_transform_request *request, unsigned page);

/* The options of rastertoriptide(8) that make the dots, in the form of a job's options; later ones
 * replace earlier ones:
 *
 *	bi-level, if print-color-mode says so;
 *	transform.conf, by resolution, media and quality;
 *	RIPTIDE_SCREEN, IPP_HALFTONE_SCREEN and so on, -o
 *
 * The text, which the caller frees, or NULL (reported). */
char *rip_transform_dot_options(const struct rip_transform_request *request);

/* The header of a page, as libcups 3's cupsRasterInitHeader() makes it for its ipptransform: a
 * printer application compares nothing and expects exactly its own size.  pages: of the document
 * that are printed; sides: of all copies. */
void rip_transform_header(const struct rip_transform_request *request, unsigned pages,
			  unsigned sides, bool back, cups_page_header2_t *header);

/* Where a page of so many points comes on the sheet: the matrix that gs.h describes, to the pixels
 * of a header.  Any thread. */
void rip_transform_place(const struct rip_transform_request *request,
			 const cups_page_header2_t *header, double width, double height, bool back,
			 double matrix[6]);

/* Makes an image a PDF document of one page as large as the image is at its resolution, or at 72
 * dpi if the file does not say it.  A descriptor of the document, or -errno. */
int rip_transform_image(const struct rip_transform_request *request);

/* PostScript for Ghostscript's prologue: scaled images are averages of their pixels, not some of
 * them. */
#define RIP_TRANSFORM_SMOOTH "<< /InterpolateControl -1 >> setpagedevice\n"

/*
 * The output.  PAPPL looks at the data alone, not at the exit status, and takes what ends between
 * two pages for a complete job.  So the last line of each page is kept until the next page begins
 * or the job is done: what fails is always an incomplete page.
 */
struct rip_transform_output {
	const struct rip_transform_request *request;
	struct rip_sink     sink;   /* raster */
	cups_page_header2_t header; /* of the page at hand */
	uint8_t            *kept;   /* its last line, which is not written yet */
	bool                has_page, has_line;
	unsigned            pages;  /* that were begun */
	/* PCL */
	struct rip_pcl_place {
		uint32_t left, top, width, height; /* what the printer can print of it, pixels */
	} pcl;
	uint32_t            row, blank; /* the next row; rows that were white so far */
	uint8_t            *packed;
	char               *text;   /* bytes that are not written yet */
	size_t              used, room;
};

/* 0 or -errno (reported), as for the functions below. */
int  rip_transform_output_begin(struct rip_transform_output *output,
				const cups_page_header2_t *header);
/* line: cupsBytesPerLine bytes. */
int  rip_transform_output_line(struct rip_transform_output *output, const uint8_t *line);
/* All pages are complete. */
int  rip_transform_output_end(struct rip_transform_output *output);
/* Writes what is complete, and frees.  After end() there is nothing left to write. */
void rip_transform_output_finish(struct rip_transform_output *output);

/* Does it.  0 or -errno (reported). */
int rip_transform_run(const struct rip_transform_request *request);

#endif
