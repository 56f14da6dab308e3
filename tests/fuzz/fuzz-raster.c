/*
 * All of rastertoriptide: a job's options, and a stream of pages that libcups writes, so that most
 * of them are right, and of which a word or the end is then wrong.
 *
 *	options   10 bytes, one for each choice in the tables below
 *	damage    4 bytes: which word of the first header, its value, how much of the end is missing
 *(2) pages     8 bytes each and up to 64 bytes of pixels, which are repeated
 *
 * A job that succeeds has written a raster of as many pages, of the same size.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>

#include "filter/page/raster_job.h"
#include "filter/report.h"

#define PAGES_MAX  3
#define STREAM_MAX (1u << 20)

/* The stream, as libcups writes it and the filter reads it. */
struct stream {
	uint8_t bytes[STREAM_MAX];
	size_t  size;
};

#define COUNT(table)        (sizeof (table) / sizeof (table)[0])
#define pick(table, input)  ((table)[take_byte(input) % COUNT(table)])

static char *make_options(struct input *input)
{
	static const char *const screens[] = {
		"",
		"halftone-screen=blue-noise",
		"halftone-screen=clustered",
		"halftone-screen=stucki",
		"halftone-screen=dispersed",
		"halftone-screen=bi-level",
		"halftone-screen=atkinson",
		"halftone-screen=blue-noise-colour",
		"halftone-screen=floyd-steinberg",
	};
	static const char *const tones[] = {
		"", "halftone-dot-gain=laser", "halftone-dot-gain=20 halftone-target=linear",
		"halftone-gamma=1.8 halftone-density=0.7", "halftone-calibration=none",
	};
	static const char *const savings[] = { "", "toner-save=30", "toner-save=80" };
	static const char *const limits[] = { "", "halftone-ink-limit=200",
					      "halftone-ink-limit=120" };
	static const char *const inks[] = { "", "halftone-inks=cmyk", "halftone-inks=cmy",
					    "halftone-inks=k", "halftone-inks=rgb" };
	static const char *const lights[] = { "", "halftone-light-inks=cm",
					      "halftone-light-inks=cmk" };
	static const char *const strengths[] = { "", "halftone-light-strength=30" };
	static const char *const drops[] = { "", "halftone-drops=0.3,0.6",
					     "halftone-registration=0" };
	static const char *const methods[] = { "", "halftone=auto", "halftone=simd" };
	const unsigned levels = take_byte(input) % 17;
	char *text = NULL, number[40] = "";

	if (levels >= 2)
		snprintf(number, sizeof number, "halftone-levels=%u", levels);
	insist(asprintf(&text, "%s %s %s %s %s %s %s %s %s %s", number, pick(screens, input),
			pick(tones, input), pick(savings, input), pick(limits, input),
			pick(inks, input), pick(lights, input), pick(strengths, input),
			pick(drops, input), pick(methods, input)) > 0);
	return text;
}

static ssize_t write_stream(void *context, unsigned char *bytes, size_t n)
{
	struct stream *stream = context;

	if (n > sizeof stream->bytes - stream->size)
		return -1;
	memcpy(stream->bytes + stream->size, bytes, n);
	stream->size += n;
	return (ssize_t)n;
}

static void make_header(struct input *input, cups_page_header2_t *header)
{
	static const struct { cups_cspace_t space; unsigned colours;
	} spaces[] = {
		{ CUPS_CSPACE_K, 1 },       { CUPS_CSPACE_W, 1 },        { CUPS_CSPACE_SW, 1 },
		{ CUPS_CSPACE_RGB, 3 },     { CUPS_CSPACE_SRGB, 3 },     { CUPS_CSPACE_CMYK, 4 },
		{ CUPS_CSPACE_CMY, 3 },     { CUPS_CSPACE_KCMY, 4 },     { CUPS_CSPACE_KCMYcm, 4 },
		{ CUPS_CSPACE_RGBW, 4 },    { CUPS_CSPACE_ADOBERGB, 3 }, { CUPS_CSPACE_DEVICE2, 2 },
		{ CUPS_CSPACE_DEVICE5, 5 }, { CUPS_CSPACE_DEVICEF, 15 }, { CUPS_CSPACE_YMCK, 4 },
		{ CUPS_CSPACE_GOLD, 1 },
	};
	static const unsigned bits[] = { 8, 8, 8, 16, 1 }, dpis[] = { 300, 600, 72, 1200, 2400 };
	const unsigned space = take_byte(input) % COUNT(spaces), depth = pick(bits, input),
		order = take_byte(input) % 3;
	unsigned colours = spaces[space].colours, pixel;

	memset(header, 0, sizeof *header);
	strcpy(header->MediaClass, "PwgRaster");
	header->cupsWidth = 1 + take_byte(input);
	header->cupsHeight = 1 + take_byte(input) % 64;
	header->HWResolution[0] = pick(dpis, input);
	header->HWResolution[1] = pick(dpis, input);
	header->cupsColorSpace = spaces[space].space;
	header->cupsColorOrder = (cups_order_t)order;
	header->cupsBitsPerColor = depth;
	if (spaces[space].space == CUPS_CSPACE_KCMYcm && depth == 1)
		colours = 6;
	header->cupsNumColors = colours;
	pixel = depth == 1 && order == 0 && colours > 1 ? (colours > 4 ? 8 : 4) : depth * colours;
	header->cupsBitsPerPixel = order == 0 ? pixel : depth;
	header->cupsBytesPerLine = (header->cupsWidth * header->cupsBitsPerPixel + 7) / 8;
	if (order == CUPS_ORDER_BANDED)
		header->cupsBytesPerLine *= colours;
	header->PageSize[0] = header->PageSize[1] = 72;
	header->cupsPageSize[0] = header->cupsPageSize[1] = 72;
	header->NumCopies = take_byte(input) % 4;
}

/* Writes the pages.  Their number; *headers gets them. */
static unsigned make_stream(struct input *input, struct stream *stream,
			    cups_page_header2_t headers[PAGES_MAX])
{
	static const cups_mode_t modes[] = {
		CUPS_RASTER_WRITE, CUPS_RASTER_WRITE_COMPRESSED, CUPS_RASTER_WRITE_PWG,
	};
	static uint8_t line[256 * 16 * 2];
	cups_raster_t *raster;
	unsigned pages = 0;

	stream->size = 0;
	raster = cupsRasterOpenIO(write_stream, stream, pick(modes, input));
	for (; pages < PAGES_MAX && input->size > 8; pages++) {
		cups_page_header2_t *header = &headers[pages];
		size_t used, lines;

		make_header(input, header);
		if (!cupsRasterWriteHeader2(raster, header))
			break;
		used = input->size < 64 ? input->size : 64;
		lines = header->cupsHeight * (header->cupsColorOrder == CUPS_ORDER_PLANAR ?
					      header->cupsNumColors : 1);
		for (size_t y = 0, at = 0; y < lines; y++) {
			for (size_t i = 0; i < header->cupsBytesPerLine; i++, at++)
				line[i] = used ? input->data[at % used] : (uint8_t)at;
			at += y % 3;
			if (!cupsRasterWritePixels(raster, line, header->cupsBytesPerLine))
				break;
		}
		input->data += used;
		input->size -= used;
	}
	cupsRasterClose(raster);
	return pages;
}

static int new_file(const void *bytes, size_t size)
{
	const int fd = memfd_create("stream", MFD_CLOEXEC);

	insist(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void check_output(int fd, const cups_page_header2_t headers[], unsigned pages, bool damaged)
{
	static uint8_t line[RIP_LINE_MAX / 64];
	struct rip_source source;
	cups_page_header2_t header;
	struct rip_geometry g;
	char why[256];
	unsigned page = 0;

	insist(lseek(fd, 0, SEEK_SET) == 0);
	if (rip_source_open(&source, fd) == 0)
		for (; rip_source_header(&source, &header) == 0; page++) {
			insist(rip_header_check_dots(&header, &g, why, sizeof why) == 0);
			insist(damaged || (page < pages && g.width == headers[page].cupsWidth &&
					   g.height == headers[page].cupsHeight));
			insist(rip_source_begin(&source, &header, g.lines) == 0);
			insist(g.line_bytes <= sizeof line);
			for (uint32_t y = 0; y < g.lines; y++)
				insist(rip_source_read(&source, line, g.line_bytes) == 0);
		}
	insist(damaged || page == pages);
	rip_source_close(&source);
}

static unsigned errors;

static void hear(void *context, enum riptide_log_level level, const char *text)
{
	(void)context;
	insist_reason(text, strlen(text) + 1);
	errors += level == RIPTIDE_LOG_ERROR;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct rip_report_listener listener = { .log = hear };
	static struct rip_raster_job job;
	static struct stream stream;
	static cups_page_header2_t headers[PAGES_MAX];
	struct input input = { data, size };
	struct rip_queue queue = { NULL };
	struct rip_options options;
	char *text = make_options(&input);
	const unsigned word = take_byte(&input), value = take_byte(&input),
		       pwg = take_byte(&input) % 2, missing = take_byte(&input);
	const bool damaged = word > 0 || missing > 0;
	unsigned pages;
	int in, out, standard, r;

	rip_report_listen(&listener); /* again, so that the first error of each job is one */
	pages = make_stream(&input, &stream, headers);
	/* Numbers of a header: from word 64 on. */
	if (word && stream.size > 4 + 4 * (64 + word % 64) + 4)
		stream.bytes[4 + 4 * (64 + word % 64) + word / 64] = (uint8_t)value;
	stream.size -= missing < stream.size ? missing : stream.size;
	memset(&job, 0, sizeof job);
	errors = 0;
	job.socket = "none";
	job.queue = &queue;
	job.options = &options;
	job.place.pwg = pwg;
	rip_options_init(&options, text, &queue);
	in = new_file(stream.bytes, stream.size);
	out = new_file("", 0);
	standard = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	insist(standard >= 0 && dup2(out, STDOUT_FILENO) == STDOUT_FILENO);
	r = rip_raster_job_run(&job, in);
	insist(dup2(standard, STDOUT_FILENO) == STDOUT_FILENO);
	insist(r == 0 ? errors == 0 : errors > 0);
	if (r == 0)
		check_output(out, headers, pages, damaged);
	rip_raster_job_finish(&job);
	rip_options_finish(&options);
	close(standard);
	close(out);
	close(in);
	free(text);
	return 0;
}
