#include "config.h"

#include "tests/filter/ppd_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

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

uint8_t *page_pixels(const cups_page_header2_t *header)
{
	const size_t size = (size_t)header->cupsBytesPerLine * raster_page_lines(header);
	uint8_t *pixels = malloc(size);

	assert_non_null(pixels);
	for (size_t i = 0; i < size; i++)
		pixels[i] = (uint8_t)raster_random();
	return pixels;
}

void add_page(struct bytes *stream, enum raster_format format, const cups_page_header2_t *header,
	      const uint8_t *pixels)
{
	raster_header(stream, format, false, header);
	raster_lines(stream, format, false, header, pixels, raster_page_lines(header));
}

void run_page(struct run *run, enum raster_format format, const cups_page_header2_t *header,
	      const uint8_t *pixels)
{
	struct bytes stream = { 0 };

	raster_begin(&stream, format, false);
	add_page(&stream, format, header, pixels);
	run_filter(run, &stream);
	bytes_free(&stream);
}

void check_run(const struct run *run, unsigned warnings)
{
	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != 0)
		fail_msg("status %x: %s", run->status, (char *)run->err.data);
	if (run_count(run, "WARNING:") != warnings)
		fail_msg("not %u warnings: %s", warnings, (char *)run->err.data);
}
