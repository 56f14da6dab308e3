/*
 * All of rastertoriptide: a job's options, and a stream of pages that libcups writes, so that most
 * of them are right, and of which numbers, bytes and the end are then wrong.
 *
 *	options   10 bytes, one for each choice in the tables below
 *	shape     the kind of stream, the kind of output, how much of the end is missing
 *	damage    3 bytes each, 4 times: where, what, the value; 0: none
 *	pages     8 bytes and 64 bytes of pixels each, which are repeated; up to three
 *
 * A job that succeeds has written a raster of as many pages, of the same size.
 */
#include "tests/fuzz/fuzz.h"

#include <arpa/inet.h>
#include <fcntl.h>

#include "filter/page/raster_job.h"
#include "filter/report.h"
#include "lib/engine_thread.h"
#include "tone/plane_curve.h"

#define PAGES_MAX  3
#define SAMPLES    1500 /* of a page, about: more of the same take longer, and reach no more */
#define STREAM_MAX (1u << 20)

#define COUNT(table)        (sizeof (table) / sizeof (table)[0])
#define pick(table, input)  ((table)[take_byte(input) % COUNT(table)])

/* Bytes of an input. */
#define OPTIONS 10
#define SHAPE   3
#define DAMAGES 4 /* of 3 bytes */
#define HEAD    (OPTIONS + SHAPE + 3 * DAMAGES)
#define PIXELS  64
#define PAGE    (8 + PIXELS)

/* What Apple and the first CUPS wrote before a page. */
#define APPLE_HEADER 32
#define APPLE_WIDTH  12 /* where it is in there */
#define APPLE_HEIGHT 16
#define FIRST_HEADER sizeof(cups_page_header_t)

/* Numbers of a CUPS header are between texts. */
#define FIRST_NUMBER offsetof(cups_page_header2_t, AdvanceDistance)
#define NUMBERS      ((offsetof(cups_page_header2_t, cupsString) - FIRST_NUMBER) / 4)

/* The stream, as libcups writes it and the filter reads it. */
struct stream {
	uint8_t bytes[STREAM_MAX];
	size_t  size;
	size_t  headers[PAGES_MAX]; /* where they begin */
	size_t  header_most; /* bytes of what is written now that the stream gets */
};

static const struct kind {
	cups_mode_t mode;
	bool        first;   /* made to what the first CUPS wrote */
	bool        swapped; /* made to what a machine of the other byte order writes */
} kinds[] = {
	{ .mode = CUPS_RASTER_WRITE },
	{ .mode = CUPS_RASTER_WRITE_COMPRESSED },
	{ .mode = CUPS_RASTER_WRITE_PWG },
	{ .mode = CUPS_RASTER_WRITE, .first = true },
	{ .mode = CUPS_RASTER_WRITE, .swapped = true },
	{ .mode = CUPS_RASTER_WRITE, .first = true, .swapped = true },
	{ .mode = CUPS_RASTER_WRITE_COMPRESSED, .swapped = true },
	{ .mode = CUPS_RASTER_WRITE_APPLE },
};

/* ---- what takes long ---- */

/*
 * The linker puts these in the place of functions.  Most of the time would pass with making again
 * and again the few curves that the options ask for, with reading how many processors this one may
 * use, and with starting and ending the thread of an engine, which bands as small as these hardly
 * ever reach.
 */
unsigned __wrap_rip_cpu_count(void);

NO_COVERAGE unsigned __wrap_rip_cpu_count(void)
{
	return 2;
}

int __real_rip_engine_thread_new(struct rip_engine *engine, bool alone,
				 struct rip_engine_thread **worker);
int __wrap_rip_engine_thread_new(struct rip_engine *engine, bool alone,
				 struct rip_engine_thread **worker);

NO_COVERAGE int __wrap_rip_engine_thread_new(struct rip_engine *engine, bool alone,
					     struct rip_engine_thread **worker)
{
	(void)alone;
	return __real_rip_engine_thread_new(engine, true, worker);
}

uint16_t *__real_rip_plane_curve_new(const struct rip_plane_wish *wish, const uint16_t *first,
				     uint32_t count);
uint16_t *__wrap_rip_plane_curve_new(const struct rip_plane_wish *wish, const uint16_t *first,
				     uint32_t count);

NO_COVERAGE uint16_t *__wrap_rip_plane_curve_new(const struct rip_plane_wish *wish,
						 const uint16_t *first, uint32_t count)
{
	static struct known {
		uint64_t  hash;
		uint32_t  count;
		uint16_t *curve;
	} all[1 << 15];
	struct rip_plane_wish key = *wish;
	struct known *known;
	uint64_t hash = count;
	uint16_t *copy;

	if (first)
		return __real_rip_plane_curve_new(wish, first, count);
	key.printer = NULL;
	for (size_t i = 0; i < sizeof key; i++)
		hash = (hash ^ ((const uint8_t *)&key)[i]) * 1099511628211;
	for (size_t i = 0; i < sizeof *wish->printer; i++)
		hash = (hash ^ ((const uint8_t *)wish->printer)[i]) * 1099511628211;
	known = &all[(hash ^ hash >> 32) % COUNT(all)];
	if (known->hash != hash || known->count != count) {
		free(known->curve);
		known->hash = hash;
		known->count = count;
		known->curve = __real_rip_plane_curve_new(wish, NULL, count);
	}
	copy = malloc(count * sizeof *copy);
	insist(known->curve && copy);
	return memcpy(copy, known->curve, count * sizeof *copy);
}

/* ---- a job ---- */

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
	/* Rare: their masks take ten times as long as all else. */
	static const char *const lights[] = { "", "halftone-light-inks=cm",
					      "halftone-light-inks=cmk", "", "", "", "", "", "", "",
					      "", "", "", "", "", "" };
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

/* ---- its stream ---- */

static ssize_t write_stream(void *context, unsigned char *bytes, size_t n)
{
	struct stream *stream = context;
	const size_t kept = n < stream->header_most ? n : stream->header_most;

	if (kept > sizeof stream->bytes - stream->size)
		return -1;
	memcpy(stream->bytes + stream->size, bytes, kept);
	stream->size += kept;
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
	/* 16 is rare: its curves are 256 times as large. */
	static const unsigned bits[] = { 8, 8, 8, 16, 1, 8, 8, 1, 8, 8, 8, 8, 1, 8, 8, 8, 8, 8, 8,
					 8 };
	static const unsigned dpis[] = { 300, 600, 72, 1200, 2400 };
	const unsigned space = take_byte(input) % COUNT(spaces), depth = pick(bits, input),
		order = take_byte(input) % 3;
	unsigned colours = spaces[space].colours, pixel;

	memset(header, 0, sizeof *header);
	strcpy(header->MediaClass, "PwgRaster");
	header->cupsWidth = 1 + take_byte(input);
	header->cupsHeight = 1 + take_byte(input) % (1 + SAMPLES / (header->cupsWidth * colours));
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
static unsigned make_pages(struct input *input, struct stream *stream, const struct kind *kind,
			   cups_page_header2_t headers[PAGES_MAX])
{
	static uint8_t line[256 * 16 * 2];
	cups_raster_t *raster;
	unsigned pages = 0;

	raster = cupsRasterOpenIO(write_stream, stream, kind->mode);
	for (; pages < PAGES_MAX && input->size > 8; pages++) {
		cups_page_header2_t *header = &headers[pages];
		size_t used, lines;

		make_header(input, header);
		stream->header_most = kind->first ? FIRST_HEADER : SIZE_MAX;
		if (!cupsRasterWriteHeader2(raster, header))
			break;
		stream->header_most = SIZE_MAX;
		stream->headers[pages] = stream->size -
			(kind->first ? FIRST_HEADER :
			 kind->mode == CUPS_RASTER_WRITE_APPLE ? APPLE_HEADER : sizeof *header);
		used = input->size < PIXELS ? input->size : PIXELS;
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

static void swap_word(uint8_t *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof word);
	word = __builtin_bswap32(word);
	memcpy(at, &word, sizeof word);
}

/* Makes what libcups wrote to what others write. */
static void make_kind(struct stream *stream, const struct kind *kind, unsigned pages)
{
	const uint32_t first = CUPS_RASTER_SYNCv1;
	const size_t numbers = kind->first ? (FIRST_HEADER - FIRST_NUMBER) / 4 : NUMBERS;

	if (kind->first)
		memcpy(stream->bytes, &first, sizeof first);
	if (kind->swapped)
		swap_word(stream->bytes);
	for (unsigned page = 0; kind->swapped && page < pages; page++)
		for (size_t i = 0; i < numbers; i++)
			swap_word(stream->bytes + stream->headers[page] + FIRST_NUMBER + 4 * i);
}

/* A number of a header, in the byte order of the kind. */
static uint32_t swap(const struct kind *kind, uint32_t number)
{
	return kind->swapped || kind->mode == CUPS_RASTER_WRITE_APPLE ||
	       kind->mode == CUPS_RASTER_WRITE_PWG ? __builtin_bswap32(number) : number;
}

/* Compressed pixels and lines repeat, so that damage could make a page large, which takes long. */
static void shrink(uint8_t *at, const struct kind *kind)
{
	uint32_t number;

	memcpy(&number, at, sizeof number);
	number = swap(kind, number);
	if (number <= SAMPLES + 1 || number > RIP_WIDTH_MAX)
		return;
	number = swap(kind, number % 300);
	memcpy(at, &number, sizeof number);
}

static void shrink_pages(struct stream *stream, const struct kind *kind, unsigned pages)
{
	for (unsigned page = 0; page < pages; page++) {
		uint8_t *header = stream->bytes + stream->headers[page];

		if (kind->mode != CUPS_RASTER_WRITE_APPLE) {
			shrink(header + offsetof(cups_page_header2_t, cupsHeight), kind);
			continue;
		}
		shrink(header + APPLE_WIDTH, kind);
		shrink(header + APPLE_HEIGHT, kind);
	}
}

/* Makes a number of a header another one, or changes a byte anywhere.  Whether it did. */
static bool damage(struct stream *stream, const struct kind *kind, unsigned pages,
		   const uint8_t how[3])
{
	static const uint32_t edges[] = {
		0, 1, 2, 3, 4, 6, 7, 8, 15, 16, 17, 18, 19, 20, 24, 32, 48, 62, 63, 64, 127, 128,
		255, 256, 257, 4096, 32767, 32768, 65535, 65536, 1 << 18, 1 << 19, (1 << 19) + 1,
		(1 << 24) - 1, 1 << 24, INT32_MAX, 1u << 31, UINT32_MAX - 7, UINT32_MAX,
	};
	uint32_t number;
	size_t at;

	if (how[0] == 0 || pages == 0)
		return false;
	if (how[0] % 4 == 0) {
		at = (how[0] / 4 * 256u + how[1]) * stream->size >> 14;
		stream->bytes[at] ^= how[2];
		return how[2] != 0;
	}
	at = stream->headers[how[0] % pages];
	if (kind->mode == CUPS_RASTER_WRITE_APPLE)
		at += how[1] % (APPLE_HEADER / 4) * 4;
	else
		at += FIRST_NUMBER + 4 * (how[1] % NUMBERS);
	if (at + sizeof number > stream->size)
		return false;
	memcpy(&number, stream->bytes + at, sizeof number);
	number = swap(kind, number);
	number = swap(kind, how[2] < 224 ? edges[how[2] % COUNT(edges)] : number + how[2] - 240);
	memcpy(stream->bytes + at, &number, sizeof number);
	return true;
}

static int new_file(const void *bytes, size_t size)
{
	const int fd = memfd_create("stream", MFD_CLOEXEC);

	insist(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void check_output(int fd, const cups_page_header2_t headers[], unsigned pages, bool damaged)
{
	static uint8_t line[RIP_LINE_MAX];
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
	const struct kind *kind = &pick(kinds, &input);
	const unsigned pwg = take_byte(&input) % 2, missing = take_byte(&input);
	uint8_t damages[DAMAGES][3];
	/* Apple's headers do not tell all that pages may be. */
	bool damaged = missing > 0 || kind->mode == CUPS_RASTER_WRITE_APPLE;
	unsigned pages;
	int in, out, standard, r;

	for (unsigned i = 0; i < DAMAGES * 3; i++)
		damages[i / 3][i % 3] = (uint8_t)take_byte(&input);
	rip_report_listen(&listener); /* again, so that the first error of each job is one */
	stream.size = 0;
	stream.header_most = SIZE_MAX;
	pages = make_pages(&input, &stream, kind, headers);
	make_kind(&stream, kind, pages);
	for (unsigned i = 0; i < DAMAGES; i++)
		damaged |= damage(&stream, kind, pages, damages[i]);
	shrink_pages(&stream, kind, pages);
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

/* ---- other inputs from one ---- */

/* libFuzzer has these. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Changes one part of an input, and leaves the others where they are. */
NO_COVERAGE size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	size_t pages = size > HEAD ? (size - HEAD + PAGE - 1) / PAGE : 0, from, part, to;
	unsigned short random[3] = { (unsigned short)seed, (unsigned short)(seed >> 16), 0 };

	if (most < HEAD + PAGE)
		return LLVMFuzzerMutate(data, size, most);
	pages = pages < 1 ? 1 : pages > PAGES_MAX ? PAGES_MAX : pages;
	if (HEAD + pages * PAGE > most)
		pages = (most - HEAD) / PAGE;
	if (size < HEAD + pages * PAGE)
		memset(data + size, 0, HEAD + pages * PAGE - size);
	part = (size_t)nrand48(random);
	from = HEAD + part / 16 % pages * PAGE;
	switch (part % 8) {
	case 0:
	case 1: /* options and shape: most are a number in a table */
		data[part / 16 % (OPTIONS + SHAPE)] = (uint8_t)nrand48(random);
		break;
	case 2:
	case 3: /* damage, or none */
		to = OPTIONS + SHAPE + part / 16 % DAMAGES * 3;
		for (unsigned i = 0; i < 3; i++)
			data[to + i] = part / 64 % 4 ? (uint8_t)nrand48(random) : 0;
		break;
	case 4:
	case 5:
		data[from + part / 64 % 8] = (uint8_t)nrand48(random);
		break;
	case 6:
		LLVMFuzzerMutate(data + from + 8, PIXELS, PIXELS);
		break;
	default: /* a page more, like one that is there, or a page less */
		if (part / 8 % 2 && pages > 1) {
			pages--;
		} else if (pages < PAGES_MAX && HEAD + (pages + 1) * PAGE <= most) {
			memcpy(data + HEAD + pages * PAGE, data + from, PAGE);
			pages++;
		}
	}
	return HEAD + pages * PAGE;
}
