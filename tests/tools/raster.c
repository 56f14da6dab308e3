/* Rasters for tests. */
#include "tests/tools/common.h"

#include "raster.h"

#include <sys/resource.h>

#include "system/clock.h"

/* For a run of the filter, in seconds.  On a loaded machine it gets little processor time. */
#define PROCESSOR_SECONDS 60
#define WALL_SECONDS      900

void bytes_add(struct bytes *bytes, const void *data, size_t size)
{
	if (bytes->size + size > bytes->room) {
		bytes->room = (bytes->size + size) * 2 + 64;
		bytes->data = realloc(bytes->data, bytes->room);
		assert_non_null(bytes->data);
	}
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void bytes_free(struct bytes *bytes)
{
	free(bytes->data);
	memset(bytes, 0, sizeof *bytes);
}

ssize_t bytes_read(void *context, unsigned char *to, size_t n)
{
	struct bytes_reader *r = context;

	if (n > r->bytes->size - r->at)
		n = r->bytes->size - r->at;
	memcpy(to, r->bytes->data + r->at, n);
	r->at += n;
	return (ssize_t)n;
}

static void add_byte(struct bytes *bytes, unsigned byte)
{
	bytes_add(bytes, &(uint8_t){ byte }, 1);
}

/* ---- streams ---- */

void raster_begin(struct bytes *stream, enum raster_format format, bool foreign)
{
	static const uint32_t words[] = { 0x52615374, 0x52615332, 0x52615333, 0x554e4952 };
	uint32_t word = foreign ? __builtin_bswap32(words[format]) : words[format];

	bytes_add(stream, &word, 4);
	if (format == RASTER_APPLE)
		bytes_add(stream, "AST\0\0\0\0\1", 8);
}

static void apple_header(struct bytes *stream, const cups_page_header2_t *h)
{
	static const unsigned spaces[] = { CUPS_CSPACE_SW, CUPS_CSPACE_SRGB, CUPS_CSPACE_CIELab,
					   CUPS_CSPACE_ADOBERGB, CUPS_CSPACE_W, CUPS_CSPACE_RGB,
					   CUPS_CSPACE_CMYK };
	uint8_t raw[32] = { h->cupsBitsPerPixel, 99, 1, 4 };

	for (unsigned i = 0; i < 7; i++)
		if (spaces[i] == h->cupsColorSpace)
			raw[1] = i;
	for (int i = 0; i < 4; i++) {
		raw[12 + i] = h->cupsWidth >> (24 - 8 * i);
		raw[16 + i] = h->cupsHeight >> (24 - 8 * i);
		raw[20 + i] = h->HWResolution[0] >> (24 - 8 * i);
	}
	bytes_add(stream, raw, sizeof raw);
}

void raster_header(struct bytes *stream, enum raster_format format, bool foreign,
		   const cups_page_header2_t *header)
{
	cups_page_header2_t h = *header;
	uint32_t *words = (uint32_t *)&h.AdvanceDistance;

	if (format == RASTER_APPLE) {
		apple_header(stream, header);
		return;
	}
	for (int i = 0; foreign && i < 81; i++)
		words[i] = __builtin_bswap32(words[i]);
	bytes_add(stream, &h, format == RASTER_V1 ? sizeof(cups_page_header_t) : sizeof h);
}

static bool is_light(const cups_page_header2_t *h)
{
	return h->cupsColorSpace <= CUPS_CSPACE_RGB ||
	       (h->cupsColorSpace >= CUPS_CSPACE_SW && h->cupsColorSpace <= CUPS_CSPACE_ADOBERGB);
}

/* What a run's first byte says of its length: that, or more at the end of a line,
 * which readers cut off. */
static unsigned told(size_t n, bool last)
{
	return last && n < 128 && rip_test_random() % 4 == 0 ?
		       n + 1 + rip_test_random() % (128 - n) :
		       n;
}

/* A line in runs: repeats where there are some (but not always), and a line's end
 * cleared where that is possible (but not always). */
static void compress(struct bytes *stream, const cups_page_header2_t *h, const uint8_t *line,
		     size_t unit)
{
	const size_t units = h->cupsBytesPerLine / unit;
	const uint8_t clear = is_light(h) ? 255 : 0;
	size_t i = 0, end = units * unit;

	while (end > 0 && line[end - 1] == clear)
		end--;
	while (i < units) {
		const size_t most = units - i < 128 ? units - i : 128;
		size_t n = 1;

		if (i * unit >= end && rip_test_random() % 4) {
			add_byte(stream, 128);
			return;
		}
		while (n < most && !memcmp(line + i * unit, line + (i + n) * unit, unit))
			n++;
		if (n > 1 || most < 2 || rip_test_random() % 4 == 0) {
			add_byte(stream, told(n, i + n == units) - 1);
			bytes_add(stream, line + i * unit, unit);
		} else {
			n = 2 + rip_test_random() % (most - 1);
			add_byte(stream, 257 - told(n, i + n == units));
			bytes_add(stream, line + i * unit, n * unit);
		}
		i += n;
	}
}

void raster_lines(struct bytes *stream, enum raster_format format, bool foreign,
		  const cups_page_header2_t *h, const uint8_t *pixels, size_t lines)
{
	const size_t bytes = h->cupsBytesPerLine;
	const unsigned bits = h->cupsColorOrder == CUPS_ORDER_CHUNKED ? h->cupsBitsPerPixel :
									 h->cupsBitsPerColor;
	/* As libcups does it: also where there is nothing to swap. */
	const bool swap = foreign && (h->cupsBitsPerColor == 16 || h->cupsBitsPerPixel == 12 ||
				      h->cupsBitsPerPixel == 16);
	AUTO_FREE uint8_t *line = malloc(bytes);

	assert_non_null(line);
	for (size_t i = 0; i < lines; i++) {
		size_t same = 1;

		memcpy(line, pixels + i * bytes, bytes);
		for (size_t j = 0; swap && j + 1 < bytes; j += 2) {
			line[j] = pixels[i * bytes + j + 1];
			line[j + 1] = pixels[i * bytes + j];
		}
		if (format == RASTER_V1 || format == RASTER_V3) {
			bytes_add(stream, line, bytes);
			continue;
		}
		while (i + same < lines && same < 256 &&
		       !memcmp(pixels + i * bytes, pixels + (i + same) * bytes, bytes))
			same++;
		add_byte(stream, same - 1);
		compress(stream, h, line, (bits + 7) / 8);
		i += same - 1;
	}
}

/* ---- pages ---- */

void raster_damage(cups_page_header2_t *header, const struct raster_fault *fault)
{
	memcpy((char *)header + fault->at, &fault->value, sizeof fault->value);
}

unsigned raster_colors(cups_cspace_t space)
{
	switch (space) {
	case CUPS_CSPACE_RGB:
	case CUPS_CSPACE_SRGB:
	case CUPS_CSPACE_ADOBERGB:
	case CUPS_CSPACE_CMY:
		return 3;
	case CUPS_CSPACE_CMYK:
	case CUPS_CSPACE_KCMY:
	case CUPS_CSPACE_KCMYcm: /* of more than 1 bit */
		return 4;
	default:
		return space >= CUPS_CSPACE_DEVICE1 ? space - CUPS_CSPACE_DEVICE1 + 1 : 1;
	}
}

size_t raster_page_lines(const cups_page_header2_t *h)
{
	return (size_t)h->cupsHeight *
	       (h->cupsColorOrder == CUPS_ORDER_PLANAR ? raster_colors(h->cupsColorSpace) : 1);
}

cups_page_header2_t raster_page(cups_cspace_t space, cups_order_t order, unsigned bits,
				unsigned width, unsigned height)
{
	const unsigned colors = raster_colors(space);
	cups_page_header2_t h;

	memset(&h, 0, sizeof h);
	strcpy(h.MediaType, "Plain");
	strcpy(h.cupsPageSizeName, "A4");
	h.HWResolution[0] = h.HWResolution[1] = 300;
	h.PageSize[0] = 595;
	h.PageSize[1] = 842;
	h.NumCopies = 1;
	h.cupsWidth = width;
	h.cupsHeight = height;
	h.cupsBitsPerColor = bits;
	h.cupsBitsPerPixel = order == CUPS_ORDER_CHUNKED ? bits * colors : bits;
	h.cupsBytesPerLine = ((uint64_t)width * h.cupsBitsPerPixel + 7) / 8;
	if (order == CUPS_ORDER_BANDED)
		h.cupsBytesPerLine *= colors;
	h.cupsColorOrder = order;
	h.cupsColorSpace = space;
	h.cupsNumColors = colors;
	return h;
}

uint8_t *raster_pixels(const cups_page_header2_t *h)
{
	const size_t bytes = h->cupsBytesPerLine, lines = raster_page_lines(h);
	uint8_t *pixels = malloc(bytes * lines), *line = pixels;
	const bool empty = rip_test_random() % 8 == 0; /* all white, or all black */

	assert_non_null(pixels);
	for (size_t i = 0; i < lines; i++, line += bytes) {
		const unsigned kind = empty ? i > 0 ? 0 : 1 + rip_test_random() % 2 :
					      rip_test_random() % 8;
		const uint8_t tint = rip_test_random();

		if (kind == 0 && i > 0) {
			memcpy(line, line - bytes, bytes);
			continue;
		}
		for (size_t j = 0; j < bytes; j++)
			line[j] = kind == 1 ? 0 : kind == 2 ? 255 :
				  kind == 3 ? (rip_test_random() % 9 ? 255 : 0) :
				  kind == 4 ? tint : kind == 5 ? j * 255 / bytes :
				  kind == 6 ? (j < bytes / 2 ? tint : 255) : rip_test_random();
	}
	return pixels;
}

uint8_t *raster_noise(const cups_page_header2_t *header)
{
	const size_t size = (size_t)header->cupsBytesPerLine * raster_page_lines(header);
	uint8_t *pixels = malloc(size);

	assert_non_null(pixels);
	for (size_t i = 0; i < size; i++)
		pixels[i] = (uint8_t)rip_test_random();
	return pixels;
}

void raster_add(struct bytes *stream, enum raster_format format, bool foreign,
		cups_page_header2_t header, const uint8_t *pixels)
{
	AUTO_FREE uint8_t *own = pixels ? NULL : raster_pixels(&header);

	raster_header(stream, format, foreign, &header);
	raster_lines(stream, format, foreign, &header, own ? own : pixels,
		     raster_page_lines(&header));
}

uint8_t *raster_read(cups_raster_t *raster, cups_page_header2_t *header)
{
	uint8_t *pixels;

	if (!cupsRasterReadHeader2(raster, header))
		return NULL;
	pixels = malloc(raster_page_lines(header) * header->cupsBytesPerLine);
	assert_non_null(pixels);
	for (size_t i = 0; i < raster_page_lines(header); i++)
		assert_int_equal(cupsRasterReadPixels(raster, pixels + i * header->cupsBytesPerLine,
						      header->cupsBytesPerLine),
				 header->cupsBytesPerLine);
	return pixels;
}

unsigned raster_sample(const cups_page_header2_t *h, const uint8_t *pixels, unsigned p,
		       unsigned x, unsigned y)
{
	const unsigned colors = raster_colors(h->cupsColorSpace), bits = h->cupsBitsPerColor;
	size_t at = (size_t)y * h->cupsBytesPerLine * 8;
	uint16_t wide;

	if (h->cupsColorOrder == CUPS_ORDER_PLANAR) {
		at += ((size_t)p * h->cupsHeight * h->cupsBytesPerLine * 8) + (size_t)x * bits;
	} else if (h->cupsColorOrder == CUPS_ORDER_BANDED) {
		at += (size_t)p * (h->cupsBytesPerLine / colors) * 8 + (size_t)x * bits;
	} else {
		at += (size_t)x * h->cupsBitsPerPixel + p * bits;
		if (bits == 1) /* what is unused stands in front */
			at += h->cupsBitsPerPixel - colors;
	}
	if (bits == 16) {
		memcpy(&wide, pixels + at / 8, 2);
		return wide;
	}
	return pixels[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1);
}

/* ---- runs ---- */

const char *filter_path(void)
{
	static char path[4096];
	const char *build = getenv("RIPTIDE_BUILD");

	snprintf(path, sizeof path, "%s/rastertoriptide", build ? build : ".");
	return path;
}

static int file_of(const struct bytes *bytes)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	size_t done = 0;

	assert_true(fd >= 0);
	while (bytes && done < bytes->size) {
		ssize_t n = write(fd, bytes->data + done, bytes->size - done);

		assert_true(n > 0);
		done += n;
	}
	assert_true(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void bytes_of(int fd, struct bytes *bytes)
{
	uint8_t some[65536];
	ssize_t n;

	memset(bytes, 0, sizeof *bytes);
	assert_true(lseek(fd, 0, SEEK_SET) == 0);
	while ((n = read(fd, some, sizeof some)) > 0)
		bytes_add(bytes, some, n);
	close(fd);
}

static void write_all(int fd, const void *data, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, data, size);

		if (n < 0)
			_exit(1);
		data = (const uint8_t *)data + n;
		size -= n;
	}
}

static void write_noise(int fd, size_t size)
{
	uint64_t some[8192];

	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		some[i] = rip_test_random();
	for (; size > sizeof some; size -= sizeof some)
		write_all(fd, some, sizeof some);
	write_all(fd, some, size);
}

/* Lines of a compressed raster that do not repeat: long, and of few bytes. */
static void write_tints(int fd, const struct run *run)
{
	uint8_t some[32] = { 0, 127 };

	for (size_t i = 0; i < run->tint_runs; i++) {
		const size_t first = i % run->tint_line == 0 ? 0 : 1;

		memset(some + 2, 1 + i % 253, run->tint_unit);
		write_all(fd, some + first, 2 + run->tint_unit - first);
	}
}

/* A process that feeds the input in pieces of odd sizes, and what follows it. */
static int feed(const struct bytes *input, const struct run *run, pid_t *feeder)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	*feeder = fork();
	if (*feeder == 0) {
		size_t done = 0;

		close(fds[0]);
		signal(SIGPIPE, SIG_DFL);
		while (done < input->size) {
			size_t n = 1 + rip_test_random() % 3000;

			n = n < input->size - done ? n : input->size - done;
			write_all(fds[1], input->data + done, n);
			done += n;
		}
		write_noise(fds[1], run->noise);
		write_tints(fds[1], run);
		_exit(0);
	}
	close(fds[1]);
	return fds[0];
}

void run_filter(struct run *run, const struct bytes *input)
{
	const char *argv[] = { "queue", "7", "user", "title", "1", run->options ? run->options : "",
			       run->file, NULL };
	const char *env[sizeof run->env / sizeof *run->env + 2];
	double began;
	struct rusage usage;
	pid_t feeder = 0, pid;
	int n = 0, in, out, err;

	for (size_t i = 0; i < sizeof run->env / sizeof *run->env && run->env[i]; i++)
		env[n++] = run->env[i];
	if (!run->daemon)
		env[n++] = "RIPTIDE_SOCKET=none";
	env[n] = NULL;
	in = run->by_pipe || run->noise || run->tint_runs ? feed(input, run, &feeder) :
							    file_of(input);
	out = run->out_path ? open(run->out_path, O_WRONLY | O_CLOEXEC) : file_of(NULL);
	err = file_of(NULL);
	assert_true(in >= 0 && out >= 0);
	began = rip_clock_s();
	pid = fork_child();
	if (pid == 0) {
		setrlimit(RLIMIT_CPU, &(struct rlimit){ PROCESSOR_SECONDS, PROCESSOR_SECONDS + 5 });
		alarm(WALL_SECONDS);
		dup2(in, 0);
		dup2(out, 1);
		dup2(err, 2);
		for (int fd = 0; fd < 3; fd++)
			if (run->closed & 1u << fd)
				close(fd);
		if (run->file_size)
			setrlimit(RLIMIT_FSIZE, &(struct rlimit){ run->file_size, run->file_size });
		execve(filter_path(), (char **)argv, (char **)env);
		_exit(127);
	}
	close(in);
	assert_true(wait4(pid, &run->status, 0, &usage) == pid);
	run->seconds = rip_clock_s() - began;
	if (feeder)
		waitpid(feeder, NULL, 0);
	run->processor_seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
				 (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	run->max_rss_kib = usage.ru_maxrss;
	if (run->out_path)
		close(out);
	else
		bytes_of(out, &run->out);
	bytes_of(err, &run->err);
	add_byte(&run->err, 0);
}

void run_pages(struct run *run, enum raster_format format, cups_page_header2_t header,
	       const uint8_t *pixels, unsigned count)
{
	AUTO(bytes_free) struct bytes stream = { 0 };

	raster_begin(&stream, format, false);
	while (count--)
		raster_add(&stream, format, false, header, pixels);
	run_filter(run, &stream);
}

void run_succeeded(const struct run *run, unsigned warnings)
{
	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != 0)
		fail_msg("status %x: %s", run->status, (char *)run->err.data);
	if (run_count(run, "WARNING:") != warnings)
		fail_msg("not %u warnings: %s", warnings, (char *)run->err.data);
}

void run_failed(const struct run *run, const char *const words[], size_t count)
{
	const char *error;

	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != 1)
		fail_msg("status %x: %s", run->status, (char *)run->err.data);
	assert_int_equal(run_count(run, "ERROR:"), 1);
	error = strstr((char *)run->err.data, "ERROR:");
	for (size_t i = 0; i < count && words[i]; i++) {
		const char *at = strstr(error, words[i]);

		if (!at || memchr(error, '\n', at - error))
			fail_msg("no \"%s\" in %s", words[i], error);
	}
}

void run_free(struct run *run)
{
	bytes_free(&run->out);
	bytes_free(&run->err);
}

unsigned run_count(const struct run *run, const char *word)
{
	const size_t length = strlen(word);
	unsigned count = 0;

	for (const char *line = (const char *)run->err.data; line && *line;) {
		count += !strncmp(line, word, length);
		line = strchr(line, '\n');
		line += line ? 1 : 0;
	}
	return count;
}

FILE *new_ppd(char path[40], char env[64])
{
	FILE *file;
	int fd;

	snprintf(path, 40, "/tmp/riptide-ppd-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	file = fdopen(fd, "w");
	assert_non_null(file);
	fputs("*PPD-Adobe: \"4.3\"\n", file);
	snprintf(env, 64, "PPD=%s", path);
	return file;
}
