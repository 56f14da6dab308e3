/* The output raster. */
#include "sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dots.h"
#include "filter/report.h"
#include "system/write_all.h"

static int write_bytes(struct rip_sink *sink, const uint8_t *bytes, size_t n)
{
	const int r = rip_write_all(sink->fd, bytes, n);

	if (r < 0) {
		sink->error = -r;
		if (r != -EPIPE || !sink->quiet)
			rip_error("cannot write the raster: %s", strerror(-r));
	}
	return r;
}

static int flush(struct rip_sink *sink)
{
	const size_t n = sink->used;

	sink->used = 0;
	return write_bytes(sink, sink->buffer, n);
}

/* Writes for libcups: collects small pieces, and writes large ones at once. */
static ssize_t put(void *context, unsigned char *bytes, size_t n)
{
	struct rip_sink *sink = context;

	if (sink->error)
		return -1;
	if (n > RIP_SINK_BUFFER - sink->used && flush(sink) < 0)
		return -1;
	if (n >= RIP_SINK_BUFFER / 2) {
		if (flush(sink) < 0 || write_bytes(sink, bytes, n) < 0)
			return -1;
		return n;
	}
	memcpy(sink->buffer + sink->used, bytes, n);
	sink->used += n;
	return n;
}

/* Returns an error that write_bytes() has reported, or reports one that libcups found. */
static int failed(struct rip_sink *sink)
{
	if (!sink->error) {
		sink->error = EIO;
		rip_error("cannot write the raster: %s",
			  cupsRasterErrorString() ? cupsRasterErrorString() : "libcups refuses it");
	}
	return -sink->error;
}

void rip_sink_init(struct rip_sink *sink, int fd, bool pwg, bool quiet)
{
	memset(sink, 0, sizeof *sink);
	sink->fd = fd;
	sink->pwg = pwg;
	sink->quiet = quiet;
}

/* A page that begins, for whoever counts or receives its dots. */
static void describe(struct rip_sink *sink, const cups_page_header2_t *header,
		     const struct rip_output *output)
{
	sink->page = (struct rip_dot_page){
		.width = output->width, .height = output->height, .planes = output->planes,
		.levels = output->levels, .x_dpi = header->HWResolution[0],
		.y_dpi = header->HWResolution[1],
		.light = output->invert || rip_color_space_light(header->cupsColorSpace),
	};
	memcpy(sink->page.inks, output->inks, sizeof sink->page.inks);
	memset(&sink->ink, 0, sizeof sink->ink);
	sink->plane = sink->rows = 0;
}

static int begin_receiver(struct rip_sink *sink)
{
	int r;

	if (sink->output.order == CUPS_ORDER_PLANAR && sink->output.planes > 1) {
		rip_error("the page is planar: all colours of a row must come together");
		sink->error = EINVAL;
		return -EINVAL;
	}
	r = sink->receiver->begin(sink->receiver->context, &sink->page);
	sink->error = r < 0 ? -r : 0;
	return r;
}

int rip_sink_begin(struct rip_sink *sink, const cups_page_header2_t *header,
		   const struct rip_output *output)
{
	cups_page_header2_t copy = *header;

	if (sink->error)
		return -sink->error;
	sink->output = *output;
	describe(sink, header, output);
	if (sink->receiver)
		return begin_receiver(sink);
	free(sink->line);
	sink->line = malloc(output->line_bytes);
	if (!sink->buffer)
		sink->buffer = malloc(RIP_SINK_BUFFER);
	if (!sink->line || !sink->buffer) {
		sink->error = ENOMEM;
		rip_error("cannot write the raster: %s", strerror(ENOMEM));
		return -ENOMEM;
	}
	if (!sink->raster)
		sink->raster = cupsRasterOpenIO(put, sink, sink->apple ? CUPS_RASTER_WRITE_APPLE :
						sink->pwg ? CUPS_RASTER_WRITE_PWG :
							    CUPS_RASTER_WRITE);
	if (!sink->raster || !cupsRasterWriteHeader2(sink->raster, &copy))
		return failed(sink);
	return 0;
}

static void count(struct rip_sink *sink, const uint8_t *const planes[])
{
	const struct rip_output *o = &sink->output;

	if (o->order != CUPS_ORDER_PLANAR) {
		for (uint32_t p = 0; p < o->planes; p++)
			sink->ink.levels[p] += rip_ink_count_row(planes[p], o->width, o->bits);
		return;
	}
	sink->ink.levels[sink->plane] += rip_ink_count_row(planes[0], o->width, o->bits);
	if (++sink->rows == o->height) {
		sink->rows = 0;
		sink->plane = (sink->plane + 1) % o->planes;
	}
}

int rip_sink_row(struct rip_sink *sink, const uint8_t *const planes[])
{
	const struct rip_output *o = &sink->output;
	const uint32_t bytes = rip_dots_bytes(o->width, o->bits);
	int r;

	if (sink->error)
		return -sink->error;
	if (sink->receiver) { /* which counts for itself */
		r = sink->receiver->row(sink->receiver->context, planes);
		sink->error = r < 0 ? -r : 0;
		return r;
	}
	count(sink, planes);
	if (o->order == CUPS_ORDER_CHUNKED && o->planes > 1)
		rip_dots_join(planes, o->width, o->bits, o->planes, sink->line);
	else
		for (uint32_t p = 0; p < (o->order == CUPS_ORDER_PLANAR ? 1 : o->planes); p++)
			rip_dots_copy(planes[p], o->width, o->bits, o->levels, o->invert,
				      sink->line + (size_t)p * bytes);
	return rip_sink_line(sink, sink->line);
}

int rip_sink_line(struct rip_sink *sink, uint8_t *line)
{
	const uint32_t n = sink->output.line_bytes;

	if (sink->error)
		return -sink->error;
	return cupsRasterWritePixels(sink->raster, line, n) == n ? 0 : failed(sink);
}

int rip_sink_end(struct rip_sink *sink)
{
	int r = sink->error ? -sink->error : 0;

	if (r == 0 && sink->receiver) {
		r = sink->receiver->end(sink->receiver->context);
		sink->error = r < 0 ? -r : 0;
		return r;
	}
	return r < 0 ? r : flush(sink);
}

void rip_sink_finish(struct rip_sink *sink)
{
	if (sink->raster)
		cupsRasterClose(sink->raster);
	free(sink->line);
	free(sink->buffer);
	sink->raster = NULL;
	sink->line = sink->buffer = NULL;
}
