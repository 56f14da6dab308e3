/*
 * The output: raster through filter/page/sink.h, or PCL 5.
 *
 * PCL as in HP's PCL 5 Printer Language Technical Reference Manual (1992), chapters 4 to 6 and 15.
 * Raster begins at the left edge of the logical page, which is 1/4 inch from the edge of the sheet,
 * and 71/300 inch on A4 (figure 2-3); the printer prints nothing within 1/6 inch of the edges.  So
 * a row is what is between these.
 */
#include "config.h"

#include "transform.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/complain.h"
#include "system/write_all.h"

#define ROOM (256u << 10) /* bytes of PCL that are written at once */

/* ---- PCL ---- */

static int flush_text(struct rip_transform_output *output)
{
	const int r = rip_write_all(STDOUT_FILENO, output->text, output->used);

	output->used = 0;
	return r < 0 ? rip_complain(r, "cannot write the pages: %s", strerror(-r)) : 0;
}

static int put(struct rip_transform_output *output, const void *bytes, size_t n)
{
	int r = 0;

	if (output->used + n > output->room)
		r = flush_text(output);
	if (r == 0 && n > output->room)
		return -EFBIG; /* not possible: room is for the longest row */
	if (r == 0) {
		memcpy(output->text + output->used, bytes, n);
		output->used += n;
	}
	return r;
}

static int say(struct rip_transform_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int say(struct rip_transform_output *output, const char *format, ...)
{
	char text[256];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return put(output, text, (size_t)n);
}

/* The number of a sheet in ESC & l # A; 0: the printer's usual one, or the user knows. */
static unsigned sheet_of(const cups_page_header2_t *header)
{
	static const struct {
		unsigned width, length, number; /* points, rounded down */
	} sheets[] = {
		{ 522, 756, 1 }, { 612, 792, 2 }, { 612, 1008, 3 }, { 792, 1224, 6 },
		{ 419, 595, 25 }, { 595, 841, 26 }, { 841, 1190, 27 }, { 515, 728, 45 },
		{ 728, 1031, 46 }, { 283, 419, 71 }, { 278, 540, 80 }, { 297, 684, 81 },
		{ 311, 623, 90 }, { 459, 649, 91 }, { 498, 708, 100 },
	};

	for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++) {
		const int x = (int)header->PageSize[0] - (int)sheets[i].width;
		const int y = (int)header->PageSize[1] - (int)sheets[i].length;

		if (abs(x) <= 1 && abs(y) <= 1)
			return sheets[i].number;
	}
	return 0;
}

/* What is printed of a page. */
static struct rip_pcl_place pcl_place(const cups_page_header2_t *h)
{
	const unsigned dpi = h->HWResolution[0];
	const unsigned left = sheet_of(h) == 26 ? 71 * dpi / 300 : dpi / 4, top = dpi / 6;
	const bool has_room = h->cupsWidth > 2 * left && h->cupsHeight > 2 * top;

	return has_room ? (struct rip_pcl_place){ left, top, h->cupsWidth - 2 * left,
						  h->cupsHeight - 2 * top } :
			  (struct rip_pcl_place){ 0, 0, h->cupsWidth, h->cupsHeight };
}

static int begin_sheet(struct rip_transform_output *output)
{
	const cups_page_header2_t *h = &output->header;
	const unsigned sheet = sheet_of(h);
	int r = say(output, "\033&l%uX", h->NumCopies); /* copies */

	if (r == 0 && sheet)
		r = say(output, "\033&l%uA", sheet);
	/* Portrait, no top margin, no skip over the perforation, sides. */
	return r < 0 ? r : say(output, "\033&l0O\033&l0E\033&l0L\033&l%uS",
			       !h->Duplex ? 0 : h->Tumble ? 2 : 1);
}

static int begin_pcl(struct rip_transform_output *output)
{
	const unsigned dpi = output->header.HWResolution[0];
	const bool back = output->header.Duplex && output->pages % 2;
	int r = 0;

	output->pcl = pcl_place(&output->header);
	output->row = output->blank = 0;
	if (output->pages == 0)
		r = say(output, "\033E");
	if (r == 0)
		r = back ? say(output, "\033&a2G") : begin_sheet(output);
	/* Resolution, size, place (in 1/720 inch), PackBits. */
	return r < 0 ? r : say(output, "\033*t%uR\033*r%uS\033*r%uT\033&a0H\033&a%uV"
			       "\033*r1A\033*b2M", dpi, output->pcl.width, output->pcl.height,
			       output->pcl.top * 720 / dpi);
}

/* PackBits.  Returns the end of the packed bytes, at most a third more: abbcddeff takes 12. */
static uint8_t *pack(const uint8_t *from, size_t n, uint8_t *to)
{
	const uint8_t *end = from + n;

	while (from < end) {
		const uint8_t *at = from + 1;

		while (at < end && at - from < 128 && *at == *from)
			at++;
		if (at - from > 1) {
			*to++ = (uint8_t)(257 - (at - from));
			*to++ = *from;
			from = at;
			continue;
		}
		while (at < end && at - from < 128 && (at + 1 == end || at[0] != at[1]))
			at++;
		*to++ = (uint8_t)(at - from - 1);
		memcpy(to, from, (size_t)(at - from));
		to += at - from;
		from = at;
	}
	return to;
}

/* The printer's part of a row, from its first dot on, in whole bytes. */
static void cut(const struct rip_transform_output *output, const uint8_t *line, uint8_t *row)
{
	const uint32_t first = output->pcl.left, bytes = (output->pcl.width + 7) / 8;
	const unsigned shift = first % 8;

	for (uint32_t i = 0; i < bytes; i++) {
		const uint32_t at = first / 8 + i;
		const unsigned next = at + 1 < output->header.cupsBytesPerLine ? line[at + 1] : 0;

		row[i] = (uint8_t)(line[at] << shift | next >> (8 - shift));
	}
	if (output->pcl.width % 8)
		row[bytes - 1] &= (uint8_t)(0xff00 >> output->pcl.width % 8);
}

static int pcl_line(struct rip_transform_output *output, const uint8_t *line)
{
	const uint32_t bytes = (output->pcl.width + 7) / 8, row = output->row++;
	uint8_t *cut_row = output->packed, *packed = output->packed + bytes;
	uint32_t ink = 0;
	int r = 0;

	if (row < output->pcl.top || row - output->pcl.top >= output->pcl.height)
		return 0;
	cut(output, line, cut_row);
	while (ink < bytes && !cut_row[ink])
		ink++;
	if (ink == bytes) {
		output->blank++;
		return 0;
	}
	if (output->blank)
		r = say(output, "\033*b%uY", output->blank);
	output->blank = 0;
	for (ink = bytes; !cut_row[ink - 1];) /* what is not sent is white */
		ink--;
	if (r == 0) {
		const size_t n = (size_t)(pack(cut_row, ink, packed) - packed);

		r = say(output, "\033*b%zuW", n);
		if (r == 0)
			r = put(output, packed, n);
	}
	return r;
}

static int end_pcl_page(struct rip_transform_output *output)
{
	int r = say(output, "\033*rB\f");

	return r < 0 ? r : flush_text(output);
}

/* ---- all formats ---- */

static bool is_pcl(const struct rip_transform_output *output)
{
	return output->request->format == RIP_TRANSFORM_PCL;
}

static int write_line(struct rip_transform_output *output, uint8_t *line)
{
	return is_pcl(output) ? pcl_line(output, line) : rip_sink_line(&output->sink, line);
}

/* Writes the last line of the page at hand, which completes it. */
static int end_page(struct rip_transform_output *output)
{
	int r = 0;

	if (!output->has_page)
		return 0;
	if (output->has_line)
		r = write_line(output, output->kept);
	if (r == 0)
		r = is_pcl(output) ? end_pcl_page(output) : 0;
	output->has_page = output->has_line = false;
	output->pages++;
	return r;
}

static int begin_raster(struct rip_transform_output *output)
{
	const cups_page_header2_t *h = &output->header;
	const struct rip_output page = {
		.width = h->cupsWidth, .height = h->cupsHeight, .planes = h->cupsNumColors,
		.levels = 2, .bits = h->cupsBitsPerColor, .order = CUPS_ORDER_CHUNKED,
		.line_bytes = h->cupsBytesPerLine, .pwg = true,
	};

	if (output->pages == 0) {
		rip_sink_init(&output->sink, STDOUT_FILENO, true, false);
		output->sink.apple = output->request->format == RIP_TRANSFORM_APPLE;
	}
	return rip_sink_begin(&output->sink, h, &page);
}

int rip_transform_output_begin(struct rip_transform_output *output,
			       const cups_page_header2_t *header)
{
	const size_t bytes = header->cupsBytesPerLine;
	int r = end_page(output);

	if (r < 0)
		return r;
	output->header = *header;
	if (!output->kept) {
		output->kept = malloc(bytes);
		if (is_pcl(output)) {
			output->room = ROOM > 2 * bytes + 256 ? ROOM : 2 * bytes + 256;
			output->text = malloc(output->room);
			output->packed = malloc(3 * bytes + 2);
		}
		if (!output->kept || (is_pcl(output) && (!output->text || !output->packed)))
			return rip_complain(-ENOMEM, "out of memory");
	}
	output->has_page = true;
	return is_pcl(output) ? begin_pcl(output) : begin_raster(output);
}

int rip_transform_output_line(struct rip_transform_output *output, const uint8_t *line)
{
	const int r = output->has_line ? write_line(output, output->kept) : 0;

	memcpy(output->kept, line, output->header.cupsBytesPerLine);
	output->has_line = true;
	return r;
}

int rip_transform_output_end(struct rip_transform_output *output)
{
	int r = end_page(output);

	if (r == 0 && is_pcl(output)) {
		r = say(output, "\033E");
		if (r == 0)
			r = flush_text(output);
	} else if (r == 0 && output->pages) {
		r = rip_sink_end(&output->sink);
	}
	return r;
}

void rip_transform_output_finish(struct rip_transform_output *output)
{
	if (is_pcl(output)) {
		if (output->used)
			flush_text(output);
	} else if (output->sink.raster) {
		rip_sink_end(&output->sink);
	}
	rip_sink_finish(&output->sink);
	free(output->kept);
	free(output->packed);
	free(output->text);
	output->kept = output->packed = NULL;
	output->text = NULL;
}
