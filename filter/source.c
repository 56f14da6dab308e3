/* A raster that comes in. */
#include "filter/source.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(struct rip_source *s, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(struct rip_source *s, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(s->why, sizeof s->why, format, args);
	va_end(args);
	return error;
}

/* ---- bytes ---- */

/* One read().  How many bytes, 0 at the end, or -errno. */
static ssize_t read_some(struct rip_source *s, void *to, size_t n)
{
	ssize_t r;

	do
		r = read(s->fd, to, n);
	while (r < 0 && errno == EINTR);
	return r < 0 ? fail(s, -errno, "cannot read the raster: %s", strerror(errno)) : r;
}

/* The next bytes of the stream: n, fewer if it ends before, or -errno. */
static ssize_t take(struct rip_source *s, void *to, size_t n)
{
	uint8_t *at = to;
	size_t left = n;

	while (left > 0) {
		size_t some = s->end - s->start;
		ssize_t r;

		if (some > 0) {
			some = some < left ? some : left;
			memcpy(at, s->buffer + s->start, some);
			s->start += some;
		} else if (left >= RIP_SOURCE_BUFFER) {
			r = read_some(s, at, left);
			if (r <= 0)
				return r < 0 ? r : (ssize_t)(n - left);
			some = r;
		} else {
			r = read_some(s, s->buffer, RIP_SOURCE_BUFFER);
			if (r <= 0)
				return r < 0 ? r : (ssize_t)(n - left);
			s->start = 0;
			s->end = r;
		}
		at += some;
		left -= some;
	}
	return n;
}

/* Bytes of a line, which must be there. */
static int take_pixels(struct rip_source *s, void *to, size_t n)
{
	ssize_t r = take(s, to, n);

	if (r < 0)
		return r;
	if ((size_t)r < n)
		return fail(s, -EPROTO, "the raster ends in line %u of %u", s->line, s->lines);
	return 0;
}

/* ---- headers ---- */

static int not_a_raster(struct rip_source *s, const uint8_t *bytes, size_t n)
{
	char hex[3 * sizeof s->sync + 1] = "";

	for (size_t i = 0; i < n; i++)
		snprintf(hex + 3 * i, sizeof hex - 3 * i, " %02x", bytes[i]);
	return fail(s, -EPROTO, "the input is no CUPS, PWG or Apple raster: it begins with%s", hex);
}

int rip_source_open(struct rip_source *s, int fd)
{
	uint8_t word[sizeof s->sync];
	uint8_t apple[8]; /* "AST", a NUL, and a number of pages, which may be 0 */
	uint32_t sync, swapped;
	ssize_t n;

	memset(s, 0, sizeof *s);
	s->fd = fd;
	s->buffer = malloc(RIP_SOURCE_BUFFER);
	if (!s->buffer)
		return fail(s, -ENOMEM, "cannot read the raster: %s", strerror(ENOMEM));
	n = take(s, word, sizeof word);
	if (n <= 0)
		return n < 0 ? n : RIP_SOURCE_END;
	if (n < (ssize_t)sizeof word)
		return not_a_raster(s, word, n);

	memcpy(&sync, word, sizeof sync);
	swapped = __builtin_bswap32(sync);
	s->pwg = sync == htonl(CUPS_RASTER_SYNC_PWG);
	s->swapped = swapped == CUPS_RASTER_SYNC || swapped == CUPS_RASTER_SYNCv1 ||
		     swapped == CUPS_RASTER_SYNCv2 || swapped == CUPS_RASTER_SYNCapple;
	s->sync = s->swapped ? swapped : sync;
	switch (s->sync) {
	case CUPS_RASTER_SYNC:
	case CUPS_RASTER_SYNCv1:
		return 0;
	case CUPS_RASTER_SYNCv2:
		s->compressed = true;
		return 0;
	case CUPS_RASTER_SYNCapple:
		s->compressed = true;
		n = take(s, apple, sizeof apple);
		if (n < 0)
			return n;
		if (n < (ssize_t)sizeof apple || memcmp(apple, "AST", 4))
			return fail(s, -EPROTO, "the Apple raster's file header is cut off or damaged");
		return 0;
	default:
		return not_a_raster(s, word, n);
	}
}

static uint32_t big_endian(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* The header of a page of Apple raster, as libcups translates it. */
static void translate_apple(const uint8_t raw[32], cups_page_header2_t *h)
{
	static const struct {
		uint8_t space, colors;
	} spaces[] = {
		{ CUPS_CSPACE_SW, 1 }, { CUPS_CSPACE_SRGB, 3 }, { CUPS_CSPACE_CIELab, 3 },
		{ CUPS_CSPACE_ADOBERGB, 3 }, { CUPS_CSPACE_W, 1 }, { CUPS_CSPACE_RGB, 3 },
		{ CUPS_CSPACE_CMYK, 4 }, { CUPS_CSPACE_DEVICE1, 1 },
	};
	static const char *const media[] = {
		"auto", "stationery", "transparency", "envelope", "cardstock", "labels",
		"stationery-letterhead", "disc", "photographic-matte", "photographic-satin",
		"photographic-semi-gloss", "photographic-glossy", "photographic-high-gloss", "other",
	};
	const size_t last_space = sizeof spaces / sizeof *spaces - 1;
	const size_t last_media = sizeof media / sizeof *media - 1;
	const size_t space = raw[1] < last_space ? raw[1] : last_space;

	strcpy(h->MediaClass, "PwgRaster");
	strcpy(h->MediaType, media[raw[4] < last_media ? raw[4] : last_media]);
	h->Duplex = raw[2] >= 2;
	h->Tumble = raw[2] == 2;
	h->MediaPosition = raw[5];
	h->cupsColorSpace = spaces[space].space;
	h->cupsNumColors = spaces[space].colors;
	h->cupsBitsPerPixel = raw[0];
	h->cupsBitsPerColor = raw[0] / spaces[space].colors;
	h->cupsColorOrder = CUPS_ORDER_CHUNKED;
	h->cupsWidth = big_endian(raw + 12);
	h->cupsHeight = big_endian(raw + 16);
	h->cupsBytesPerLine = ((uint64_t)h->cupsWidth * h->cupsBitsPerPixel + 7) / 8;
	h->HWResolution[0] = h->HWResolution[1] = big_endian(raw + 20);
	h->cupsInteger[CUPS_RASTER_PWG_AlternatePrimary] = 0xffffff;
	h->cupsInteger[CUPS_RASTER_PWG_PrintQuality] = raw[3];
	if (h->HWResolution[0])
		for (int i = 0; i < 2; i++) {
			uint64_t pixels = i ? h->cupsHeight : h->cupsWidth;

			h->PageSize[i] = pixels * 72 / h->HWResolution[0];
			h->cupsPageSize[i] = pixels * 72.0 / h->HWResolution[0];
		}
}

int rip_source_header(struct rip_source *s, cups_page_header2_t *h)
{
	const size_t length = s->sync == CUPS_RASTER_SYNCapple ? 32 :
			      s->sync == CUPS_RASTER_SYNCv1 ? sizeof(cups_page_header_t) : sizeof *h;
	uint8_t raw[sizeof *h];
	ssize_t n = take(s, raw, length);

	if (n <= 0)
		return n < 0 ? n : RIP_SOURCE_END;
	s->page++;
	if ((size_t)n < length)
		return fail(s, -EPROTO, "the raster ends in the page's header, after %zd of %zu bytes",
			    n, length);
	memset(h, 0, sizeof *h);
	if (s->sync == CUPS_RASTER_SYNCapple) {
		translate_apple(raw, h);
		return 0;
	}
	memcpy(h, raw, length);
	if (s->swapped) /* all that is a number lies in one piece between the strings */
		for (uint8_t *p = (uint8_t *)&h->AdvanceDistance; p < (uint8_t *)h->cupsString; p += 4) {
			uint32_t word;

			memcpy(&word, p, sizeof word);
			word = __builtin_bswap32(word);
			memcpy(p, &word, sizeof word);
		}
	return 0;
}

/* ---- lines ---- */

int rip_source_begin(struct rip_source *s, const cups_page_header2_t *h, uint32_t lines)
{
	const unsigned bits = h->cupsColorOrder == CUPS_ORDER_CHUNKED ? h->cupsBitsPerPixel :
									 h->cupsBitsPerColor;

	s->lines = lines;
	s->line = 0;
	s->line_bytes = h->cupsBytesPerLine;
	s->unit = (bits + 7) / 8;
	s->again = 0;
	s->left = 0;
	s->run_left = 0;
	/* The streams that this matters for were written by libcups, whose rule it is. */
	s->swap_samples = s->swapped && (h->cupsBitsPerColor == 16 || h->cupsBitsPerPixel == 12 ||
					 h->cupsBitsPerPixel == 16);
	switch (h->cupsColorSpace) {
	case CUPS_CSPACE_W:
	case CUPS_CSPACE_RGB:
	case CUPS_CSPACE_RGBW:
	case CUPS_CSPACE_SW:
	case CUPS_CSPACE_SRGB:
	case CUPS_CSPACE_ADOBERGB:
		s->clear = 0xff;
		break;
	default:
		s->clear = 0;
	}
	if (s->compressed && (s->unit > sizeof s->pattern || s->line_bytes % s->unit))
		return fail(s, -EPROTO, "cupsBytesPerLine is %u: compressed lines are whole pixels "
			    "of %u bytes", s->line_bytes, s->unit);
	return 0;
}

int rip_source_line(struct rip_source *s, bool *again)
{
	uint8_t repeats;
	int r;

	s->line++;
	*again = s->again > 0;
	if (*again) {
		s->again--;
		return 0;
	}
	s->left = s->line_bytes;
	if (!s->compressed)
		return 0;
	s->run_left = 0;
	r = take_pixels(s, &repeats, 1);
	if (r == 0)
		s->again = repeats;
	return r;
}

/* The next run.  What of it is longer than the line is not there: the next line
 * begins with a run of its own. */
static int next_run(struct rip_source *s)
{
	uint8_t count;
	int r = take_pixels(s, &count, 1);

	if (r < 0)
		return r;
	if (count == 128) {
		s->run = RIP_RUN_CLEAR;
		s->run_left = s->left;
		return 0;
	}
	s->run = count > 128 ? RIP_RUN_LITERAL : RIP_RUN_REPEAT;
	s->run_left = (count > 128 ? 257u - count : count + 1u) * s->unit;
	s->phase = 0;
	return s->run == RIP_RUN_REPEAT ? take_pixels(s, s->pattern, s->unit) : 0;
}

/* n bytes of the pattern over and over, from its phase on. */
static void repeat(struct rip_source *s, uint8_t *to, size_t n)
{
	size_t done;

	if (s->unit == 1) {
		memset(to, s->pattern[0], n);
		return;
	}
	for (done = 0; done < n && done < s->unit; done++)
		to[done] = s->pattern[(s->phase + done) % s->unit];
	s->phase = (s->phase + n) % s->unit;
	while (done < n) {
		size_t some = done < n - done ? done : n - done;

		memcpy(to + done, to, some);
		done += some;
	}
}

static int decompress(struct rip_source *s, uint8_t *to, size_t n)
{
	while (n > 0) {
		size_t some;
		int r = 0;

		if (s->run_left == 0) {
			r = next_run(s);
			if (r < 0)
				return r;
		}
		some = n < s->run_left ? n : s->run_left;
		if (s->run == RIP_RUN_LITERAL)
			r = take_pixels(s, to, some);
		else if (s->run == RIP_RUN_REPEAT)
			repeat(s, to, some);
		else
			memset(to, s->clear, some);
		if (r < 0)
			return r;
		s->run_left -= some;
		s->left -= some;
		to += some;
		n -= some;
	}
	return 0;
}

int rip_source_read(struct rip_source *s, void *to, size_t n)
{
	uint8_t *p = to;
	int r;

	if (s->compressed) {
		r = decompress(s, to, n);
	} else {
		r = take_pixels(s, to, n);
		s->left -= n;
	}
	if (r == 0 && s->swap_samples)
		for (size_t i = 0; i + 1 < n; i += 2) {
			uint8_t byte = p[i];

			p[i] = p[i + 1];
			p[i + 1] = byte;
		}
	return r;
}

void rip_source_close(struct rip_source *s)
{
	free(s->buffer);
	s->buffer = NULL;
}
