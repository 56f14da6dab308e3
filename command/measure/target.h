/*
 * riptide target: a chart, what lies where on it, its pages, and the files that they are written
 * to.
 */
#ifndef RIP_TARGET_H
#define RIP_TARGET_H

#include <cups/raster.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/engine.h"
#include "halftone/screen/mask_screen.h"
#include "tone/ink_name.h"
#include "image/image_pdf.h"
#include "image/out_file.h"
#include "filter/page/header.h"

/*
 * A page of a chart: dots as they go to the printer, of one ink; and its texts and marks, which
 * are black for every ink, so that they can be read and found.
 *
 * Places and sizes are in pixels, from the top left; what is outside of the page is cut off.
 * Used by one thread.
 */

struct rip_chart {
	uint32_t width, height;
	uint32_t levels; /* of the dots: 2, 4 or 16 */
	uint32_t bits;   /* of a dot: 1, 2 or 4 */
	size_t   pitch;  /* bytes of a row of dots */
	uint8_t *ink;    /* dots, most significant bits first; 0: paper */
	uint8_t *black;  /* the same for texts and marks; equal to `ink` if that is black */
};

/* An empty page.  own_black: texts and marks get a plane of their own.  0 or -ENOMEM. */
int rip_chart_new(struct rip_chart *chart, uint32_t width, uint32_t height, uint32_t levels,
		  bool own_black);

/* The level of a pixel of a plane of the chart, in a row of its dots. */
static inline unsigned rip_chart_level(const struct rip_chart *chart,
				       const uint8_t *row, uint32_t x)
{
	const size_t bit = (size_t)x * chart->bits;

	return row[bit / 8] >> (8 - chart->bits - bit % 8) & (chart->levels - 1);
}

/* May be called twice. */
void rip_chart_finish(struct rip_chart *chart);

/* A box in black, or of paper. */
void rip_chart_mark(struct rip_chart *chart, int64_t x, int64_t y, uint32_t width, uint32_t height,
		    bool black);

/* Lines `ink` pixels wide in every `period` pixels, upright or flat, that fill a box. */
void rip_chart_lines(struct rip_chart *chart, int64_t x, int64_t y, uint32_t width,
		     uint32_t height, uint32_t period, uint32_t ink, bool upright);

/* Tints side by side: `count` boxes with these tones (0 to 65535), each `width` wide, halftoned
 * by a screen (plane 0 of it).  0 or -errno. */
int rip_chart_tints(struct rip_chart *chart, struct rip_engine *engine,
		    const struct rip_screen *screen, int64_t x, int64_t y, uint32_t width,
		    uint32_t height, unsigned count, const uint16_t tones[]);

/* A text of dots `scale` pixels large: a character is 6 of them wide and 7 high, and
 * some reach 1 below the line. */
void rip_chart_text(struct rip_chart *chart, int64_t x, int64_t y, uint32_t scale,
		    const char *text);

/*
 * Where a chart for ArgyllCMS has its patches: strips of an ink, one under the other, with bars of
 * black or paper between the patches, as printtarg lays them out for an i1 Pro.
 *
 * An ink has RIP_PATCH_STEPS even steps, from paper to solid ink.  They are mixed, so that
 * neighbours differ; what is left of the last strip is paper.  Strips are called A, B ... Z, AA,
 * those of the second ink follow those of the first; patches are counted from 1.
 *
 * Plain values, in pixels from the top left of the page; pure functions.
 */

#define RIP_PATCH_STEPS 33

struct rip_patch_layout {
	unsigned rows;          /* patches of a strip */
	unsigned strips;        /* of an ink */
	uint32_t x, y;          /* the first patch */
	uint32_t width, height; /* of a patch */
	uint32_t bar;           /* height of a bar */
	uint32_t pitch;         /* from strip to strip */
	uint32_t left, top, right, bottom; /* what the marks in the corners span */
};

struct rip_patch_box {
	uint32_t x, y, width, height;
};

/* Lays out the patches of an ink in this box of the page.  false: it is too small. */
bool rip_patch_layout_make(struct rip_patch_layout *layout, uint32_t dpi, uint32_t left,
			   uint32_t top, uint32_t width, uint32_t height);

/* The patches of an ink are rows * strips, one strip after the other. */
static inline unsigned rip_patch_count(const struct rip_patch_layout *layout)
{
	return layout->rows * layout->strips;
}

/* A patch's step, 0 to RIP_PATCH_STEPS - 1; -1: paper behind the last step. */
int rip_patch_step(unsigned patch);

/* The place of a patch, and of the bar above a row of a strip (row `rows`: below the last one). */
struct rip_patch_box rip_patch_box(const struct rip_patch_layout *layout, unsigned patch);
struct rip_patch_box rip_patch_bar(const struct rip_patch_layout *layout, unsigned strip,
				   unsigned row);

/* Whether that bar is black: whichever differs most from its neighbours. */
bool rip_patch_bar_is_black(const struct rip_patch_layout *layout, unsigned strip, unsigned row);

/* The name of a strip, counted over all inks. */
#define RIP_PATCH_NAME_MAX 4
void rip_patch_strip_name(unsigned strip, char name[RIP_PATCH_NAME_MAX]);

/*
 * Where the wedge of `riptide target --wedge` has its patches and marks: what is printed, and
 * what is looked for in a scan.
 *
 * Four marks, squares in squares, span a frame.  Three are in its corners; the fourth, at the
 * bottom right, is moved to the left, so that the marks fit a scan in one way only.  In the
 * frame are two wedges of 33 steps, 0 to 100 %, one for each screen, in three rows each, with
 * paper around every step.
 *
 * Places are in units of the frame, from the middle of the mark at the top left; a unit is
 * about a millimetre on paper.
 */

#define RIP_WEDGE_SCREENS 2
#define RIP_WEDGE_STEPS   33
#define RIP_WEDGE_COLUMNS 11

#define RIP_WEDGE_WIDTH  180.0 /* of the frame */
#define RIP_WEDGE_HEIGHT 110.0
#define RIP_WEDGE_INSET  20.0  /* of the fourth mark */

/* A mark: 7 x 7 modules; black, with a ring of paper inside, around 3 x 3 black ones. */
#define RIP_WEDGE_MODULE 1.0
#define RIP_WEDGE_MARKS  4

/* Steps: the middle of the first, the distance from one to the next, and the size. */
#define RIP_WEDGE_X      12.0
#define RIP_WEDGE_Y      17.5
#define RIP_WEDGE_DX     15.6
#define RIP_WEDGE_DY     15.0
#define RIP_WEDGE_PATCH_WIDTH  9.6
#define RIP_WEDGE_PATCH_HEIGHT 9.0

static const struct {
	double x, y;
} rip_wedge_marks[RIP_WEDGE_MARKS] = {
	{ 0, 0 },
	{ RIP_WEDGE_WIDTH, 0 },
	{ 0, RIP_WEDGE_HEIGHT },
	{ RIP_WEDGE_WIDTH - RIP_WEDGE_INSET, RIP_WEDGE_HEIGHT },
};

/* The middle of a step, 0 to RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS - 1. */
static inline double rip_wedge_x(unsigned step)
{
	return RIP_WEDGE_X + RIP_WEDGE_DX * (step % RIP_WEDGE_COLUMNS);
}

static inline double rip_wedge_y(unsigned step)
{
	return RIP_WEDGE_Y + RIP_WEDGE_DY * (step / RIP_WEDGE_COLUMNS);
}

/* The tone of a step, 0 to 65535. */
static inline unsigned rip_wedge_tone(unsigned step)
{
	return (65535 * (step % RIP_WEDGE_STEPS) + (RIP_WEDGE_STEPS - 1) / 2) /
	       (RIP_WEDGE_STEPS - 1);
}

/*
 * The charts of `riptide target`, page by page.
 *
 * All tints are halftoned here, at the resolution of the printer, so that a page consists of
 * dots and paper only.  Such samples pass through every filter and curve unchanged.
 */

#define RIP_TARGET_SCREENS_MAX 2
#define RIP_TARGET_SCREENS "blue-noise-mask,clustered" /* of a chart, unless others are asked for */
#define RIP_TARGET_INKS_MAX 4

/* Lines of this many pixels, in which the ink has 2, 4, 8, 12 or 14. */
#define RIP_TARGET_PERIOD 16

/* Tints beside lines; steps for a scanner; patches for ArgyllCMS. */
enum rip_target_chart { RIP_TARGET_EYE, RIP_TARGET_WEDGE, RIP_TARGET_PATCHES };

#define RIP_TARGET_COMMAND_MAX 400 /* bytes */

struct rip_target_plan {
	enum rip_target_chart chart;
	uint32_t      dpi;
	uint32_t      levels;        /* of the dots: 2, 4 or 16 */
	uint32_t      width, height; /* of the page, pixels */
	uint32_t      margin;        /* that the printer leaves free, pixels */
	const char   *larger;        /* how the user gets larger paper, for messages */
	const char   *command;       /* that calibrates by the chart, without FILE */
	char          inks[RIP_INK_LETTERS]; /* such as "CMYK" */
	unsigned      screens;
	const char   *screen[RIP_TARGET_SCREENS_MAX]; /* names */
	unsigned      rows_on_page;  /* of the chart by eye */
	unsigned      pages_of_ink;
	struct rip_patch_layout patches; /* of the chart for ArgyllCMS */
	struct rip_engine *engine;
};

/* How many lines are read by eye, and how much of each is ink, in thousandths. */
#define RIP_TARGET_LINES 5
extern const unsigned rip_target_lines[RIP_TARGET_LINES];

/* The first and the last tint beside each of these lines, in percent. */
struct rip_target_tints {
	unsigned first, last;
};
extern const struct rip_target_tints rip_target_tints[RIP_TARGET_LINES];

/* The screen of a name at the plan's resolution for an ink.  mask: memory for it.  0, or
 * -errno and why. */
int rip_target_screen(const char *name, uint32_t dpi, char ink, struct rip_mask_screen *mask,
		      const struct rip_screen **screen, char *why, size_t size);

/* Completes a plan, whose pages then are counted, and tries its screens.  0, or -errno and why
 * (size bytes). */
int rip_target_prepare(struct rip_target_plan *plan, char *why, size_t size);

/* Pages of the whole target. */
unsigned rip_target_pages(const struct rip_target_plan *plan);

/* The letter of the ink of a page, 0 to rip_target_pages() - 1. */
char rip_target_page_ink(const struct rip_target_plan *plan, unsigned page);

/* Draws a page, which is to be finished.  0 or -errno. */
int rip_target_page(const struct rip_target_plan *plan, unsigned page, struct rip_chart *chart);

/*
 * Files that charts are written to: PDF, CUPS raster for a queue, PBM or PGM.
 *
 * PDF: target.h.  Raster has the header that the queue's PPD asks for, and its
 * samples are the levels of the chart.  PBM (P4) and, for more than two levels, PGM (P5, where 0 is
 * full ink) have the dots alone, an image for each page.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */

/*
 * Charts as PDF 1.4: an image for each page, with 1 to 8 bits for each pixel of the printer, on a
 * page whose edges are edges of such pixels.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */

/* In the order of --format. */
enum rip_target_format {
	RIP_TARGET_PDF, RIP_TARGET_RASTER, RIP_TARGET_PBM, RIP_TARGET_PGM, RIP_TARGET_BY_SUFFIX
};

/* A file that is being written; zeros but for the first fields. */
struct rip_target_file {
	enum rip_target_format format;
	struct rip_out_file   *out;
	uint32_t               dpi;
	const cups_page_header2_t *header; /* of raster */
	const struct rip_geometry *geometry;

	struct rip_image_pdf pdf;
	cups_raster_t       *raster;
	int                  error; /* of writing the raster: -errno, reported */
};

/* Begins the file. */
int rip_target_file_begin(struct rip_target_file *file);

/* Adds a page with this ink. */
int rip_target_file_page(struct rip_target_file *file, const struct rip_chart *chart, char ink);

/* Ends the file, which is then to be committed; or gives it up. */
int  rip_target_file_end(struct rip_target_file *file);
void rip_target_file_abandon(struct rip_target_file *file);

/*
 * What ArgyllCMS must know of a chart, in files beside it (CGATS text): the patches (.ti1), what
 * targen writes; their places (.ti2), what printtarg writes and chartread reads; and their boxes on
 * each page (.cht), for scanin.
 *
 * Errors are reported on standard error, and returned as a negative errno.  Used by one thread.
 */

#define RIP_ARGYLL_FILES_MAX (2 + RIP_TARGET_INKS_MAX)

/* Zeros to begin with. */
struct rip_argyll_files {
	unsigned count;
	char    *paths[RIP_ARGYLL_FILES_MAX];
};

/* Opens and writes the files of a chart that is in the file `out`: its name, with other endings.
 * ppd: a file that none of them may replace, or NULL.
 * opened: room for RIP_ARGYLL_FILES_MAX, of which files->count are to be committed, or abandoned
 * after an error, before the names are finished. */
int  rip_argyll_files_open(struct rip_argyll_files *files, const struct rip_target_plan *plan,
			   const char *out, const char *ppd, struct rip_out_file opened[]);
void rip_argyll_files_finish(struct rip_argyll_files *files);

#endif
