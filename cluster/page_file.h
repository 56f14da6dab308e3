/*
 * The image and its dots, as files that all ranks read and write at once, each its own rows.
 *
 * Errors are reported where they occur, and returned as a negative errno.
 */
#ifndef RIP_PAGE_FILE_H
#define RIP_PAGE_FILE_H

#include "halftone/page/band.h"
#include "image/image.h"
#include "image/out_file.h"
#include "ranks.h"

struct rip_page_file {
	struct rip_input    input;
	struct rip_image   *image;
	struct rip_out_file output;
	uint32_t levels;
	off_t    lines_at;  /* of the first row in the output */
	size_t   row_size;  /* of a row in the input, bytes */
	size_t   line_size; /* of a row in the output, bytes */
};

/* Opens the image and begins the output.  All ranks call it.  0 or -errno, the same in all
 * ranks; the files may be closed in both cases. */
int rip_page_file_open(struct rip_page_file *file, const struct rip_ranks *ranks, const char *in,
		       const char *out, uint32_t levels);

/* Ends the output: complete, and under its name.  All ranks call it.  0 or -errno, the same in
 * all ranks. */
int rip_page_file_commit(struct rip_page_file *file, const struct rip_ranks *ranks);

/* Removes an output that was not committed. */
void rip_page_file_close(struct rip_page_file *file);

/* Reads rows into an empty band.  Any thread, each with a band of its own. */
int rip_page_file_read(const struct rip_page_file *file, struct rip_band *band, uint32_t first,
		       uint32_t rows);

/* Tells the system that these rows will be read soon. */
void rip_page_file_expect(const struct rip_page_file *file, uint32_t first, uint32_t rows);

/* Writes the dots of a band as the rows from `first` on.  Any thread. */
int rip_page_file_write(const struct rip_page_file *file, const struct rip_band *band,
			uint32_t first);

#endif
