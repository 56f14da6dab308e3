/* The input raster. */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "header.h"

#define APPLE_PAGE_HEADER 32 /* bytes */

/* libcups asks for a header or for a run of compressed pixels, at most 128 pixels of 30 bytes.
 * Anything larger is a buffer that it wants to fill. */
#define RUN_MAX 4096

/* Reads of this size and more go directly to their destination, not through the buffer. */
#define DIRECT_MIN (32u << 10)

#define fail(of, error, ...) rip_refuse_as(error, (of)->why, sizeof (of)->why, __VA_ARGS__)

/* ---- bytes ---- */

/* One read().  Returns the number of bytes, 0 at the end, or -errno. */
static ssize_t read_some(struct rip_source *s, void *to, size_t n)
{
	ssize_t r;

	do
		r = read(s->fd, to, n);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		s->error = fail(s, -errno, "cannot read the raster: %s", strerror(errno));
	return r < 0 ? s->error : r;
}

/* Reads up to n bytes of the stream, at least one: those that are available.  Returns their
 * number, 0 at the end, or -errno. */
static ssize_t take_some(struct rip_source *s, void *to, size_t n)
{
	if (s->start == s->end) {
		ssize_t r;

		if (n >= DIRECT_MIN)
			return read_some(s, to, n);
		r = read_some(s, s->buffer, RIP_SOURCE_BUFFER);
		if (r <= 0)
			return r;
		s->start = 0;
		s->end = (size_t)r;
	}
	n = n < s->end - s->start ? n : s->end - s->start;
	memcpy(to, s->buffer + s->start, n);
	s->start += n;
	return (ssize_t)n;
}

/* Reads n bytes ahead, to check them before libcups gets them.  Returns n, less if the stream
 * ends, or -errno. */
static ssize_t take_ahead(struct rip_source *s, size_t n)
{
	s->ahead_start = s->ahead_end = 0;
	while (s->ahead_end < n) {
		ssize_t r = take_some(s, s->ahead + s->ahead_end, n - s->ahead_end);

		if (r < 0)
			return r;
		if (r == 0)
			break;
		s->ahead_end += (size_t)r;
	}
	return (ssize_t)s->ahead_end;
}

/* The minimum number of bytes of compressed lines that follow the line that libcups reads: up
 * to 256 equal lines take at least two bytes, and the current line may be the first of 256. */
static size_t certain(const struct rip_source *s)
{
	const uint64_t line = s->line_bytes ? s->done / s->line_bytes : 0;

	return line < s->lines ? 2 * ((s->lines - 1 - line) / 256) : 0;
}

/* Reads for libcups: never more than its page needs, so that the next header is still in the
 * stream after the page. */
static ssize_t give(void *context, unsigned char *to, size_t n)
{
	struct rip_source *s = context;
	ssize_t r;

	if (s->ahead_start < s->ahead_end) {
		n = n < s->ahead_end - s->ahead_start ? n : s->ahead_end - s->ahead_start;
		memcpy(to, s->ahead + s->ahead_start, n);
		s->ahead_start += n;
		return (ssize_t)n;
	}
	if (s->compressed && n > RUN_MAX) {
		n = 1 + certain(s);
		n = n < RUN_MAX ? n : RUN_MAX;
	}
	r = take_some(s, to, n);
	if (r > 0)
		s->arrived += (size_t)r;
	return r;
}

/* ---- headers ---- */

static int not_a_raster(struct rip_source *s)
{
	char hex[3 * 4 + 1] = "";

	for (size_t i = 0; i < s->ahead_end && i < 4; i++)
		snprintf(hex + 3 * i, sizeof hex - 3 * i, " %02x", s->ahead[i]);
	return fail(s, -EPROTO, "the input is no CUPS, PWG or Apple raster: it begins with%s", hex);
}

int rip_source_open_after(struct rip_source *s, int fd, const void *bytes, size_t size)
{
	uint32_t sync, swapped;
	ssize_t n;

	memset(s, 0, sizeof *s);
	s->fd = fd;
	s->buffer = malloc(RIP_SOURCE_BUFFER);
	if (!s->buffer)
		return fail(s, -ENOMEM, "cannot read the raster: %s", strerror(ENOMEM));
	if (size > 0)
		memcpy(s->buffer, bytes, size);
	s->end = size;
	n = take_ahead(s, sizeof sync);
	if (n <= 0)
		return n < 0 ? (int)n : RIP_SOURCE_END;
	if ((size_t)n < sizeof sync)
		return not_a_raster(s);

	memcpy(&sync, s->ahead, sizeof sync);
	swapped = __builtin_bswap32(sync);
	s->pwg = sync == htonl(CUPS_RASTER_SYNC_PWG);
	s->swapped = swapped == CUPS_RASTER_SYNC || swapped == CUPS_RASTER_SYNCv1 ||
		     swapped == CUPS_RASTER_SYNCv2 || swapped == CUPS_RASTER_SYNCapple;
	s->sync = s->swapped ? swapped : sync;
	s->compressed = s->sync == CUPS_RASTER_SYNCv2 || s->sync == CUPS_RASTER_SYNCapple;
	if (!s->compressed && s->sync != CUPS_RASTER_SYNC && s->sync != CUPS_RASTER_SYNCv1)
		return not_a_raster(s);
	s->raster = cupsRasterOpenIO(give, s, CUPS_RASTER_READ);
	if (s->raster)
		return 0;
	if (s->error)
		return s->error;
	return s->sync == CUPS_RASTER_SYNCapple ?
		fail(s, -EPROTO, "the Apple raster's file header is truncated") : not_a_raster(s);
}

int rip_source_open(struct rip_source *s, int fd)
{
	return rip_source_open_after(s, fd, NULL, 0);
}

static uint32_t big_endian(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Passes the header that was read ahead to libcups. */
static int pass_header(struct rip_source *s, cups_page_header2_t *header)
{
	if (cupsRasterReadHeader2(s->raster, header))
		return 0;
	if (s->error)
		return s->error;
	return fail(s, -EPROTO, "libcups refuses the page's header: %s",
		    cupsRasterErrorString() ? cupsRasterErrorString() : "a field is out of range");
}

/* Converts a header to the byte order of this machine. */
static void understand(const struct rip_source *s, cups_page_header2_t *header)
{
	memset(header, 0, sizeof *header);
	memcpy(header, s->ahead, s->ahead_end);
	if (!s->swapped)
		return;
	/* All numbers are contiguous, between the strings. */
	for (uint8_t *p = (uint8_t *)&header->AdvanceDistance; p < (uint8_t *)header->cupsString;
	     p += 4) {
		uint32_t word;

		memcpy(&word, p, sizeof word);
		word = __builtin_bswap32(word);
		memcpy(p, &word, sizeof word);
	}
}

int rip_source_header(struct rip_source *s, cups_page_header2_t *header)
{
	const size_t length = s->sync == CUPS_RASTER_SYNCapple ? APPLE_PAGE_HEADER :
			      s->sync == CUPS_RASTER_SYNCv1    ? sizeof(cups_page_header_t) :
								 sizeof *header;
	ssize_t n = take_ahead(s, length);

	if (n <= 0)
		return n < 0 ? (int)n : RIP_SOURCE_END;
	s->page++;
	if ((size_t)n < length)
		return fail(s, -EPROTO,
			    "the raster ends in the page's header, after %zd of %zu bytes",
			    n, length);
	if (s->sync != CUPS_RASTER_SYNCapple) {
		understand(s, header);
		return 0;
	}
	/* Only libcups can convert this to a header.  The line that it allocates follows from the
	 * width and the bits of a pixel. */
	if ((uint64_t)big_endian(s->ahead + 12) * s->ahead[0] / 8 > RIP_LINE_MAX)
		return fail(s, -EPROTO,
			    "the width is %u: lines of %u bits a pixel have at most %u bytes",
			    big_endian(s->ahead + 12), s->ahead[0], RIP_LINE_MAX);
	return pass_header(s, header);
}

/* ---- lines ---- */

/* Corrects cupsNumColors in the header for libcups, because newer versions insist on it:
 * Ghostscript says four where a pixel or a line has three, or the other way round.  libcups
 * uses the number only for the lines of a planar page. */
static void put_colors_right(struct rip_source *s, const cups_page_header2_t *header)
{
	uint32_t colors = rip_page_planes(header);

	if (header->cupsColorOrder == CUPS_ORDER_CHUNKED)
		colors = header->cupsBitsPerPixel / header->cupsBitsPerColor;
	if (s->swapped)
		colors = __builtin_bswap32(colors);
	if (s->sync != CUPS_RASTER_SYNCv1) /* it has no such field */
		memcpy(s->ahead + offsetof(cups_page_header2_t, cupsNumColors), &colors,
		       sizeof colors);
}

int rip_source_begin(struct rip_source *s, const cups_page_header2_t *header, uint32_t lines)
{
	cups_page_header2_t copy;

	if (s->padded) /* rip_source_begin_cut() has done it */
		return 0;
	s->line_bytes = header->cupsBytesPerLine;
	s->lines = lines;
	s->done = 0;
	if (s->sync == CUPS_RASTER_SYNCapple)
		return 0;
	put_colors_right(s, header);
	return pass_header(s, &copy);
}

/* Reads bytes of the input's page. */
static int read_all(struct rip_source *s, void *to, size_t n)
{
	uint8_t *at = to;

	while (n > 0) {
		/* libcups does not say how many compressed lines came before an error. */
		const size_t most = s->compressed ? s->line_bytes : n;
		const size_t part = n < most ? n : most;

		s->arrived = 0;
		if (cupsRasterReadPixels(s->raster, at, (unsigned)part) != part) {
			s->done += s->compressed ? 0 : s->arrived;
			if (s->error)
				return s->error;
			return fail(s, -EPROTO, "the raster ends in line %llu of %u",
				    (unsigned long long)(s->done / s->line_bytes) + 1, s->lines);
		}
		s->done += part;
		at += part;
		n -= part;
	}
	return 0;
}

off_t rip_source_tell(const struct rip_source *s)
{
	const off_t at = lseek(s->fd, 0, SEEK_CUR);

	return at < 0 ? -errno : at - (off_t)(s->end - s->start);
}

/* ---- a part of a page ---- */

int rip_source_begin_cut(struct rip_source *s, const cups_page_header2_t *header,
			 const struct rip_source_cut *cut)
{
	const uint32_t pixel = header->cupsBitsPerPixel / 8;
	const int64_t right = (int64_t)cut->left + cut->width - header->cupsWidth;
	const size_t before = (size_t)(cut->left < 0 ? -cut->left : 0) * pixel;
	const size_t bytes = before + header->cupsBytesPerLine +
			     (size_t)(right > 0 ? right : 0) * pixel;
	const int r = rip_source_begin(s, header, header->cupsHeight);

	if (r < 0)
		return r;
	s->padded = malloc(bytes);
	if (!s->padded)
		return fail(s, -ENOMEM, "cannot read the raster: %s", strerror(ENOMEM));
	memset(s->padded, cut->white, bytes);
	s->padding = before;
	s->cut = *cut;
	s->cut_start = s->cut_end = 0;
	s->pixel = pixel;
	s->row = 0;
	s->height = header->cupsHeight;
	return 0;
}

/* Reads lines of the input until there is the next one of the part. */
static int next_line(struct rip_source *s)
{
	uint8_t *line = s->padded + s->padding;
	int r = 0;

	s->cut_start = (size_t)((ptrdiff_t)s->padding + (ptrdiff_t)s->cut.left * s->pixel);
	s->cut_end = s->cut_start + (size_t)s->cut.width * s->pixel;
	if (s->cut.top < 0 || s->row == s->height) {
		s->cut.top += s->cut.top < 0;
		memset(line, s->cut.white, s->line_bytes);
		return 0;
	}
	do
		r = read_all(s, line, s->line_bytes);
	while (r == 0 && s->row++ < (uint32_t)s->cut.top);
	for (uint32_t i = 0; r == 0 && s->cut.invert && i < s->line_bytes; i++)
		line[i] ^= 0xff;
	return r;
}

int rip_source_read(struct rip_source *s, void *to, size_t n)
{
	uint8_t *at = to;
	int r = 0;

	if (!s->padded)
		return read_all(s, to, n);
	while (r == 0 && n > 0) {
		size_t part;

		if (s->cut_start == s->cut_end)
			r = next_line(s);
		part = s->cut_end - s->cut_start;
		part = n < part ? n : part;
		memcpy(at, s->padded + s->cut_start, part);
		s->cut_start += part;
		at += part;
		n -= part;
	}
	return r;
}

void rip_source_close(struct rip_source *s)
{
	if (s->raster)
		cupsRasterClose(s->raster);
	free(s->buffer);
	free(s->padded);
	s->raster = NULL;
	s->buffer = s->padded = NULL;
}
