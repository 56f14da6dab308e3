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
#ifndef RIP_TIFF_READER_H
#define RIP_TIFF_READER_H

#include "input.h"
#include "tiff_page.h"

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

#endif
