#include "page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/complain.h"
#include "image/out_file.h"
#include "image/image.h"

/* Rows are read, and lines written, about so many bytes at a time: they stay in the cache. */
#define PIECE 262144

/* --- input -------------------------------------------------------------------------------- */

/* 0; or -errno for an image whose rows cannot be read in any order. */
static int open_input(struct rip_page_file *file, const char *path)
{
	struct stat info;
	uint64_t size;
	int r = rip_input_open(&file->input, path);

	if (r == 0)
		r = rip_image_kind(&file->input);
	if (r < 0)
		return r;
	if (r != RIP_IMAGE_PNM)
		return rip_complain(-ENOTSUP, "%s is not a PGM file: convert it first, for"
				    " example with tifftopnm, pngtopnm or djpeg -grayscale -pnm",
				    path);
	r = rip_image_pnm_open(&file->input, &file->image);
	if (r < 0)
		return r;
	if (file->image->rows_at < 0 || fstat(file->input.fd, &info) < 0 || !S_ISREG(info.st_mode))
		return rip_complain(-ESPIPE, "%s is not a regular file, which all ranks must read",
				    path);
	file->row_size = (size_t)file->image->width * (file->image->sample_bits / 8);
	size = (uint64_t)info.st_size - (uint64_t)file->image->rows_at;
	if (size < (uint64_t)file->row_size * file->image->height)
		return rip_complain(-EBADMSG, "%s is truncated: it ends in row %llu of %u", path,
				    (unsigned long long)(size / file->row_size + 1),
				    file->image->height);
	return 0;
}

/* Only rank 0 looks at what follows the image. */
static int check_end(struct rip_page_file *file)
{
	char byte;
	off_t at = file->image->rows_at + (off_t)(file->row_size * file->image->height);

	while (pread(file->input.fd, &byte, 1, at) == 1) {
		if (byte != ' ' && (byte < '\t' || byte > '\r'))
			return rip_complain(-ENOTSUP, "%s goes on after the first image:"
					    " riptide-mpi takes files with one image",
					    file->input.name);
		at++;
	}
	return 0;
}

/* All ranks must see the same image as rank 0. */
static int check_same(const struct rip_page_file *file, const struct rip_ranks *ranks)
{
	const struct rip_image *image = file->image;
	const uint64_t mine[4] = {
		image->width, image->height, image->maxval, (uint64_t)image->rows_at,
	};
	uint64_t first[4];

	memcpy(first, mine, sizeof first);
	MPI_Bcast(first, 4, MPI_UINT64_T, 0, ranks->comm);
	if (memcmp(first, mine, sizeof first) != 0)
		return rip_complain(-ESTALE, "%s differs from the file that rank 0 reads",
				    file->input.name);
	return 0;
}

static int open_inputs(struct rip_page_file *file, const struct rip_ranks *ranks, const char *path)
{
	int r = ranks->rank == 0 ? open_input(file, path) : 0;

	if (r == 0 && ranks->rank == 0)
		r = check_end(file);
	r = rip_ranks_agree(ranks, r);
	if (r < 0)
		return r;
	if (ranks->rank > 0)
		r = open_input(file, path);
	r = rip_ranks_agree(ranks, r);
	return r < 0 ? r : rip_ranks_agree(ranks, check_same(file, ranks));
}

/* Linux cuts each request to what it reads ahead for a file, 128 KiB by default, or to the
 * largest request of the disk. */
#define AHEAD 131072

void rip_page_file_expect(const struct rip_page_file *file, uint32_t first, uint32_t rows)
{
	off_t at = file->image->rows_at + (off_t)(file->row_size * first);
	const off_t end = at + (off_t)(file->row_size * rows);

	for (; at < end; at += AHEAD)
		posix_fadvise(file->input.fd, at, end - at < AHEAD ? end - at : AHEAD,
			      POSIX_FADV_WILLNEED);
}

static int read_bytes(const struct rip_page_file *file, uint8_t *to, size_t size, off_t at)
{
	const char *name = file->input.name;
	const ssize_t n = rip_input_read_at(file->input.fd, name, to, size, at);
	const uint64_t end = (uint64_t)(at + n - file->image->rows_at);

	return n < 0 ? (int)n : (size_t)n == size ? 0 :
	       rip_complain(-EBADMSG, "%s is truncated: it ends in row %llu of %u", name,
			    (unsigned long long)(end / file->row_size + 1), file->image->height);
}

int rip_page_file_read(const struct rip_page_file *file, struct rip_band *band, uint32_t first,
		       uint32_t rows)
{
	const uint32_t piece = PIECE / file->row_size > 0 ? (uint32_t)(PIECE / file->row_size) : 1;

	rip_band_reset(band, first);
	while (rows > 0) {
		uint32_t n = rip_band_room(band, 0);
		uint8_t *to = rip_band_row(band, 0);
		int r;

		n = n < rows ? n : rows;
		n = n < piece ? n : piece;
		r = read_bytes(file, to, n * file->row_size,
			       file->image->rows_at + (off_t)(file->row_size * first));
		for (uint32_t i = 0; r == 0 && i < n; i++)
			r = file->image->ops->decode(file->image, first + i,
						     to + i * file->row_size);
		if (r < 0)
			return r;
		rip_band_commit_rows(band, 0, n);
		first += n;
		rows -= n;
	}
	return 0;
}

/* --- output ------------------------------------------------------------------------------- */

/* Rank 0 makes the file and tells the others its name. */
static int open_outputs(struct rip_page_file *file, const struct rip_ranks *ranks, const char *path)
{
	char name[PATH_MAX + 8] = "";
	const char *unfinished = NULL;
	int r = 0;

	if (ranks->rank == 0) {
		r = rip_out_name_check_input(path, file->input.fd);
		if (r == 0)
			r = rip_out_file_open(&file->output, path);
		if (r == 0)
			r = rip_out_file_unfinished(&file->output, &unfinished);
		if (r == 0 && unfinished)
			strncpy(name, unfinished, sizeof name - 1);
	}
	r = rip_ranks_agree(ranks, r);
	if (r < 0)
		return r;
	MPI_Bcast(name, sizeof name, MPI_BYTE, 0, ranks->comm);
	if (ranks->rank > 0)
		r = rip_out_file_join(&file->output, path, name[0] ? name : NULL);
	return rip_ranks_agree(ranks, r);
}

static int begin_output(struct rip_page_file *file, const struct rip_ranks *ranks)
{
	char header[RIP_PNM_HEADER_MAX];
	const struct rip_image *image = file->image;
	const size_t size = rip_pnm_header(image->width, image->height, file->levels, header);
	int r = 0;

	file->lines_at = (off_t)size;
	file->line_size = rip_pnm_line_size(image->width, file->levels);
	if (ranks->rank == 0)
		r = rip_out_file_write_at(&file->output, header, size, 0);
	return rip_ranks_agree(ranks, r);
}

int rip_page_file_open(struct rip_page_file *file, const struct rip_ranks *ranks, const char *in,
		       const char *out, uint32_t levels)
{
	int r;

	*file = (struct rip_page_file){ .input.fd = -1, .output.fd = -1, .levels = levels };
	r = open_inputs(file, ranks, in);
	if (r == 0)
		r = open_outputs(file, ranks, out);
	return r < 0 ? r : begin_output(file, ranks);
}

int rip_page_file_write(const struct rip_page_file *file, const struct rip_band *band,
			uint32_t first)
{
	const uint32_t rows = rip_band_rows(band), width = file->image->width;
	const uint32_t fit = (uint32_t)(PIECE / file->line_size), piece = fit > 0 ? fit : 1;
	uint8_t *lines = malloc((rows < piece ? rows : piece) * file->line_size);
	off_t at;
	int r = 0;

	if (!lines)
		return rip_complain(-ENOMEM, "cannot write %s: out of memory", file->output.name);
	for (uint32_t row = 0, n; r == 0 && row < rows; row += n) {
		n = rows - row < piece ? rows - row : piece;
		for (uint32_t i = 0; i < n; i++)
			rip_pnm_line(rip_band_dots(band, 0, row + i), width, file->levels,
				     lines + i * file->line_size);
		at = file->lines_at + (off_t)(file->line_size * (first + row));
		r = rip_out_file_write_at(&file->output, lines, n * file->line_size, at);
	}
	free(lines);
	return r;
}

int rip_page_file_commit(struct rip_page_file *file, const struct rip_ranks *ranks)
{
	int r = ranks->rank > 0 ? rip_out_file_commit(&file->output) : 0;

	r = rip_ranks_agree(ranks, r);
	if (r == 0 && ranks->rank == 0)
		r = rip_out_file_commit(&file->output);
	return rip_ranks_agree(ranks, r);
}

void rip_page_file_close(struct rip_page_file *file)
{
	rip_out_file_abandon(&file->output);
	if (file->image)
		file->image->ops->close(file->image);
	file->image = NULL;
	rip_input_close(&file->input);
}
