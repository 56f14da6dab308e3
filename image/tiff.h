/*
 * TIFF files through libtiff: what happens behind it, a page and what its tags say, the reader, and
 * the writer.
 */
#ifndef RIP_TIFF_H
#define RIP_TIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <tiffio.h>

#include "out_file.h"
#include "halftone/screen/mask_screen.h"
#include "input.h"

/*
 * The files behind libtiff: where it reads and writes, and what becomes of its messages.
 *
 * libtiff reports in words, not in error numbers.  The first error is kept, to be reported as one
 * line if the call fails; later ones are its consequences and are dropped.  Used by one thread.
 */

/* The most memory that libtiff may take at once: for a compressed strip, for example. */
#define RIP_TIFF_BYTES_MAX ((size_t)256 << 20)

struct rip_tiff_io {
	const char *name; /* for messages */
	int   fd;         /* that can be read at any place */
	off_t at;
	const struct rip_out_file *output; /* that is written; NULL: only read */
	int   error;      /* -errno, reported; 0: none */
	char  failure[256]; /* the first error since it is strict, not reported; empty: none */
	bool  strict;     /* warnings are errors */
	char  warning[256]; /* the first one that was not an error; empty: none */
};

/* Opens the file of an io that has been filled in.  The io must stay where it is until TIFFClose(),
 * which does not close the file.  mode: as for TIFFOpen().  NULL: io->error says why. */
TIFF *rip_tiff_io_open(struct rip_tiff_io *io, const char *mode);

/* Whether something went wrong since the io became strict, even if the call has succeeded. */
bool rip_tiff_io_is_bad(const struct rip_tiff_io *io);

/* What to return after a call of libtiff has failed: io->error.  Reports the failure. */
int rip_tiff_io_failed(struct rip_tiff_io *io);

/* strict: from now on warnings are errors.  Not strict: they are only kept.  Errors that did no
 * harm so far become warnings. */
void rip_tiff_io_set_strict(struct rip_tiff_io *io, bool strict);

/*
 * What a page of a TIFF file is, from its tags: its size, samples and inks.
 *
 * Tags are hostile input: a page that has been described is within the limits here.  Errors are
 * reported where they occur, and returned as a negative errno.
 */

#define RIP_TIFF_INKS_MAX 15
#define RIP_TIFF_NAME_MAX 128 /* bytes of a name, with its NUL */
#define RIP_TIFF_SOFTWARE "riptide " /* the version follows */
#define RIP_TIFF_LINE_MAX ((uint64_t)64 << 20) /* bytes of a row of all planes */
#define RIP_TIFF_TILE_ROW_MAX ((uint64_t)1 << 30) /* bytes of a row of tiles */

/* Tags that describe the page on paper; the output has those of the input. */
struct rip_tiff_tags {
	float    x_resolution, y_resolution; /* pixels a unit; 0: no such tag */
	uint16_t unit;           /* RESUNIT_ */
	uint16_t orientation;    /* ORIENTATION_ */
	uint16_t page_number[2]; /* this one, from 0, and how many there are; 0, 0: no such tag */
	char     page_name[RIP_TIFF_NAME_MAX]; /* empty: no such tag */
};

enum rip_tiff_colours { RIP_TIFF_GREY, RIP_TIFF_INKS, RIP_TIFF_RGB };

struct rip_tiff_page {
	uint32_t width, height; /* 1..RIP_WIDTH_MAX */
	uint32_t planes;        /* 1 for grey, 3 for RGB, 1..RIP_TIFF_INKS_MAX inks */
	uint32_t bits;          /* a sample as it is read: 1, 8 or 16; of dots with levels 2 or 4 */
	uint32_t file_bits;     /* a sample in the file: 1, 2, 4, 8 or 16 */
	enum rip_tiff_colours colours;
	bool     inverted;      /* grey: 0 is white in the file */
	bool     separate;      /* a line of the file has one plane */
	bool     levels;        /* riptide made it: dots with levels, of 2 or 4 bits */
	enum rip_ink inks[RIP_TIFF_INKS_MAX];
	char     names[RIP_TIFF_INKS_MAX][RIP_TIFF_NAME_MAX]; /* of the inks */
	uint32_t x_dpi, y_dpi;  /* for paper; 0: not known */
	struct rip_tiff_tags tags;
};

/* Describes the current page.  Unless RGB is taken, it is refused with the way to separate it.
 * 0 or -errno. */
int rip_tiff_page_describe(struct rip_tiff_page *page, TIFF *tiff, struct rip_tiff_io *io,
			   bool takes_rgb);

/* The names of the inks 0 to 3 of a file that does not name them. */
extern const char rip_tiff_cmyk_names[4][RIP_TIFF_NAME_MAX];

/* Bytes of a line as it is read: of one plane if they are separate, else of all. */
size_t rip_tiff_page_line(const struct rip_tiff_page *page);

/*
 * Reads the pages of a TIFF file, line by line: strips and tiles, contiguous and separate
 * planes, in every compression that libtiff has here.
 *
 * Memory: some lines; in addition a compressed strip, or a row of tiles.
 *
 * libtiff's warnings about damaged pixels are errors: a print that looks almost right is worse
 * than none.  Errors are reported where they occur, and returned as a negative errno.  After an
 * error a file can only be closed.  Used by one thread.
 */

struct rip_tiff_reader;

/* Opens an input, which must be a file that can be read at any place, and stays the caller's.
 * takes_rgb: RGB is wanted, as of scans; otherwise it is refused, with the way to separate it.
 * 0 or -errno. */
int  rip_tiff_reader_open(struct rip_input *input, bool takes_rgb, struct rip_tiff_reader **reader);
void rip_tiff_reader_close(struct rip_tiff_reader *reader); /* NULL is allowed */

/* Goes to the next page, at first to the first one.  Previews and masks of other pages are
 * skipped.  1, and what the page is, which stays valid until the next call; 0 after the last one;
 * or -errno. */
int rip_tiff_reader_next(struct rip_tiff_reader *reader, const struct rip_tiff_page **page);

/* Goes back to the beginning. */
int rip_tiff_reader_rewind(struct rip_tiff_reader *reader);

/* Reads the next lines of the page as they are in the file: rip_tiff_page_line() bytes each,
 * 16-bit samples in host byte order, bits from the most significant one; but grey always with 0 as
 * black, and samples of 2 and 4 bits as 8, where full is 255.
 * plane: 0, unless planes are separate.  0 or -errno. */
int rip_tiff_reader_lines(struct rip_tiff_reader *reader, uint32_t plane, uint32_t lines, void *to);

/* Reports what libtiff found strange in the tags of the pages so far, in one line, for a file that
 * was read well in spite of it. */
void rip_tiff_reader_warn(struct rip_tiff_reader *reader);

/*
 * Writes pages of dots as TIFF: one plane, where full is light; or several, where full is ink.
 *
 * Memory: a strip of each plane.  Errors are reported where they occur, and returned as a
 * negative errno.  Used by one thread.
 */

/* How files are compressed. */
enum rip_tiff_compression {
	RIP_TIFF_LZW, RIP_TIFF_PACKBITS, RIP_TIFF_G4, RIP_TIFF_DEFLATE, RIP_TIFF_NONE,
	RIP_TIFF_COMPRESSIONS
};

extern const char *const rip_tiff_compressions[]; /* their names, ended by NULL */

/* A page of dots. */
struct rip_tiff_dots {
	uint32_t width, height;
	uint32_t levels; /* 2..16; 2 for G4 */
	uint32_t planes; /* 1, or the inks of a composite */
	bool     inks;   /* the samples are ink, and names has what they are called */
	const char (*names)[RIP_TIFF_NAME_MAX];
	const struct rip_tiff_tags *tags; /* or NULL */
};

struct rip_tiff_writer {
	TIFF *tiff;
	struct rip_tiff_io io;
	enum rip_tiff_compression compression;
	struct rip_tiff_dots dots; /* the page */
	size_t   line;             /* bytes */
	uint32_t rows;             /* of a strip */
	/* The next strip: its rows so far, and its number. */
	uint32_t filled[RIP_TIFF_INKS_MAX], strip[RIP_TIFF_INKS_MAX];
	uint8_t *strips[RIP_TIFF_INKS_MAX];
};

/* Whether a file of such pages may not fit into 4 GiB, whatever the dots are.  bytes: of all
 * dots. */
bool rip_tiff_writer_needs_big(enum rip_tiff_compression compression, uint64_t bytes);

/* Starts a file, which must be a regular one that was just opened, and stays the caller's.  big:
 * as BigTIFF.  0 or -errno. */
int rip_tiff_writer_open(struct rip_tiff_writer *writer, const struct rip_out_file *file,
			 enum rip_tiff_compression compression, bool big);

/* Starts a page.  What dots points to is only used in this call. */
int rip_tiff_writer_begin(struct rip_tiff_writer *writer, const struct rip_tiff_dots *dots);

/* Where the next row of a plane goes: rip_dot_bytes() bytes, as struct rip_strip has them.  It is
 * written by rip_tiff_writer_row(). */
uint8_t *rip_tiff_writer_place(struct rip_tiff_writer *writer, uint32_t plane);
int rip_tiff_writer_row(struct rip_tiff_writer *writer, uint32_t plane);

/* Ends a page; all rows have been written. */
int rip_tiff_writer_end(struct rip_tiff_writer *writer);

/* May be called at any time, and twice.  The file is complete after the end of a page. */
void rip_tiff_writer_finish(struct rip_tiff_writer *writer);

#endif
