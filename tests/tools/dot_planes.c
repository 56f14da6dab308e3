/* Dots of a page, and files of them. */
#include "dot_planes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

void dots_init(struct dots *page, uint32_t planes, uint32_t maximum)
{
	if (planes < 1 || planes > DOTS_PLANES_MAX || maximum < 1 || maximum > 255)
		die("a page of %u planes with levels up to %u", planes, maximum);
	*page = (struct dots){ .planes = planes, .maximum = maximum };
}

void dots_finish(struct dots *page)
{
	for (uint32_t p = 0; p < page->planes; p++)
		free(page->level[p]);
	*page = (struct dots){ 0 };
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

void dots_grow(struct dots *page, uint32_t width, uint32_t height)
{
	page->width = larger(page->width, width);
	page->height = larger(page->height, height);
	if (page->width <= page->pitch && page->height <= page->rows)
		return;

	uint32_t pitch = page->width <= page->pitch ? page->pitch : larger(width, 2 * page->pitch);
	uint32_t rows = page->height <= page->rows ? page->rows : larger(height, 2 * page->rows);

	for (uint32_t p = 0; p < page->planes; p++) {
		uint8_t *level = calloc(rows ? rows : 1, pitch ? pitch : 1);

		if (!level)
			die("no memory for a page of %u x %u dots", pitch, rows);
		for (uint32_t y = 0; y < page->rows && page->pitch; y++)
			memcpy(level + (size_t)y * pitch, page->level[p] + (size_t)y * page->pitch,
			       page->pitch);
		free(page->level[p]);
		page->level[p] = level;
	}
	page->pitch = pitch;
	page->rows = rows;
}

void dots_set(struct dots *page, uint32_t plane, uint32_t x, uint32_t y, unsigned level)
{
	if (plane >= page->planes || level > page->maximum)
		die("level %u in plane %u of a page of %u planes", level, plane + 1, page->planes);
	if (x >= page->width || y >= page->height)
		dots_grow(page, x + 1, y + 1);
	page->level[plane][(size_t)y * page->pitch + x] = level;
}

unsigned dots_get(const struct dots *page, uint32_t plane, uint32_t x, uint32_t y)
{
	if (plane >= page->planes || x >= page->width || y >= page->height)
		return 0;
	return page->level[plane][(size_t)y * page->pitch + x];
}

void dots_draw(struct dots *page, uint32_t plane, uint32_t x, uint32_t y, const uint8_t *bits,
	       size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		for (unsigned b = 0; bits[i] && b < 8; b++)
			if (bits[i] & 0x80 >> b)
				dots_set(page, plane, x + 8 * i + b, y, 1);
}

static FILE *open_plane(const char *prefix, unsigned number, uint32_t plane, const char *suffix,
			const char *mode)
{
	char name[4096];
	FILE *file;

	if ((size_t)snprintf(name, sizeof(name), "%s-%u-%u.%s", prefix, number, plane + 1,
			     suffix) >= sizeof(name))
		die("%s: too long a name", prefix);
	file = fopen(name, mode);
	if (!file && (errno != ENOENT || mode[0] == 'w'))
		die("%s: %s", name, strerror(errno));
	return file;
}

static void write_row(FILE *file, const struct dots *page, uint32_t plane, uint32_t y)
{
	const uint8_t *level = page->level[plane] + (size_t)y * page->pitch;

	if (page->maximum > 1) {
		fwrite(level, 1, page->width, file);
		return;
	}
	for (uint32_t x = 0; x < page->width; x += 8) {
		static const uint8_t white[8];
		unsigned byte = 0;

		if (page->width - x >= 8 && !memcmp(level + x, white, 8)) { /* most of a page */
			putc_unlocked(0, file);
			continue;
		}
		for (unsigned b = 0; b < 8 && x + b < page->width; b++)
			byte |= level[x + b] << (7 - b);
		putc_unlocked(byte, file);
	}
}

void dots_write(const struct dots *page, const char *prefix, unsigned number)
{
	for (uint32_t p = 0; p < page->planes; p++) {
		FILE *file = open_plane(prefix, number, p, page->maximum > 1 ? "pgm" : "pbm", "wb");

		if (page->maximum > 1)
			fprintf(file, "P5\n%u %u\n%u\n", page->width, page->height, page->maximum);
		else
			fprintf(file, "P4\n%u %u\n", page->width, page->height);
		for (uint32_t y = 0; y < page->height; y++)
			write_row(file, page, p, y);
		if (fclose(file))
			die("%s: %s", prefix, strerror(errno));
	}
}

/* Levels, or bits of two levels.  The row is 0 to begin with, as most of a page stays. */
static void read_row(uint8_t *level, uint32_t width, bool levels, FILE *file)
{
	uint8_t bits[8192];

	if (levels && fread(level, 1, width, file) != width)
		die("a file of dots is truncated");
	for (uint32_t x = 0, bytes; !levels && x < width; x += 8 * bytes) {
		bytes = (width - x + 7) / 8;
		bytes = bytes < sizeof bits ? bytes : sizeof bits;
		if (fread(bits, 1, bytes, file) != bytes)
			die("a file of dots is truncated");
		for (uint32_t at = x, i = 0; i < bytes; i++, at += 8)
			for (unsigned b = 0; bits[i] && b < 8 && at + b < width; b++)
				level[at + b] = bits[i] >> (7 - b) & 1;
	}
}

static void read_plane(struct dots *page, uint32_t plane, FILE *file)
{
	unsigned type, width, height, maximum = 1;

	if (fscanf(file, "P%u %u %u", &type, &width, &height) != 3 ||
	    (type == 5 && fscanf(file, "%u", &maximum) != 1) || getc(file) != '\n')
		die("not a file of dots");
	if (!plane)
		dots_init(page, 1, maximum);
	page->planes = plane + 1;
	if (plane)
		page->level[plane] = calloc(page->rows, page->pitch);
	else
		dots_grow(page, width, height);
	if (width != page->width || height != page->height || maximum != page->maximum)
		die("planes of a page differ in size");
	if (width && height && !page->level[plane])
		die("no memory for a page of %u x %u dots", width, height);
	for (uint32_t y = 0; y < height; y++)
		read_row(page->level[plane] + (size_t)y * page->pitch, width, type == 5, file);
}

bool dots_read(struct dots *page, const char *prefix, unsigned number)
{
	uint32_t plane = 0;

	for (; plane < DOTS_PLANES_MAX; plane++) {
		FILE *file = open_plane(prefix, number, plane, "pbm", "rb");

		if (!file)
			file = open_plane(prefix, number, plane, "pgm", "rb");
		if (!file)
			break;
		read_plane(page, plane, file);
		fclose(file);
	}
	return plane > 0;
}
