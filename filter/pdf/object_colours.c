#include "config.h"

#include "object_colours.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/page/header.h"
#include "filter/report.h"
#include "system/ascii.h"
#include "system/draw_settings.h"

/* Bytes of a profile that are looked at: its header, and a table of so many parts at most. */
#define PARTS 100
#define HEAD  (132 + 12 * PARTS)

#define ALL_INTENT "print-rendering-intent" /* of all objects */

/* Kinds of objects, and what Ghostscript calls them: its options with Graphic are not read. */
static const struct { const char *name, *title; } kinds[RIP_OBJECT_KINDS] = {
	{ "text", "Text" }, { "graphics", "Vector" }, { "image", "Image" },
};

/* Ghostscript's number, and whether it compensates for the black point; -1: as it likes. */
static const struct { const char *name; int number, black_point; } intents[] = {
	{ "perceptual", 0, -1 }, { "relative", 1, 0 }, { "relative-bpc", 1, 1 },
	{ "RelativeBpc", 1, 1 }, { "saturation", 2, -1 }, { "absolute", 3, -1 },
};

/* Adds the arguments of an intent, if it is one.  to: two strings of so many bytes. */
static bool add_intent(struct rip_object_colours *colours, char to[2][32], const char *value,
		       const char *intent, const char *black_point)
{
	size_t i = 0;

	while (i < sizeof intents / sizeof intents[0] && !rip_same_name(value, intents[i].name))
		i++;
	if (i == sizeof intents / sizeof intents[0])
		return false;
	snprintf(to[0], sizeof to[0], "-d%s=%d", intent, intents[i].number);
	colours->arguments[colours->count++] = to[0];
	if (intents[i].black_point < 0)
		return true;
	snprintf(to[1], sizeof to[1], "-d%s=%d", black_point, intents[i].black_point);
	colours->arguments[colours->count++] = to[1];
	return true;
}

static bool is_automatic(const char *value)
{
	return rip_same_name(value, "auto") || rip_same_name(value, "automatic");
}

static void check_intent(const char *name, const char *value)
{
	if (!is_automatic(value))
		rip_warning("%s=%.64s is not valid; valid values are auto, perceptual, relative, "
			    "relative-bpc, saturation, absolute", name, value);
}

/* Whether a path without links is in a folder, or below it. */
static bool is_below(const char *path, const char *folder)
{
	char real[PATH_MAX];
	const size_t n = realpath(folder, real) ? strlen(real) : 0;

	return n > 0 && !strncmp(path, real, n) && path[n] == '/';
}

/* Whether a job may name the file.  path: without links. */
static bool is_allowed(const char *path)
{
	static const char *const usual[] = {
		"/usr/share/color", "/usr/local/share/color", "/var/lib/color", "/var/lib/colord",
	};
	struct rip_draw_settings settings;
	char why[320];

	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		if (is_below(path, usual[i]))
			return true;
	if (rip_draw_settings_read(&settings, why, sizeof why) < 0)
		return false; /* who starts Ghostscript reports it */
	for (const char *at = settings.folders; *at; at += strspn(at, ":")) {
		const size_t length = strcspn(at, ":");
		char folder[PATH_MAX];

		snprintf(folder, sizeof folder, "%.*s", (int)length, at);
		if (length < sizeof folder && is_below(path, folder))
			return true;
		at += length;
	}
	return false;
}

static uint32_t number_at(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t half_at(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

/* A part of a profile that makes colours of colours: where it is, and how many each have. */
struct profile_table {
	int      fd;
	uint64_t at, size;
	uint32_t in, out;
};

/* A grid's values, in bytes; 0: it has none, or more than any file. */
static uint64_t grid_bytes(const uint8_t *points, uint32_t step,
			   const struct profile_table *table, unsigned value)
{
	uint64_t all = (uint64_t)table->out * value;

	for (uint32_t i = 0; i < table->in; i++)
		all = all > UINT32_MAX ? 0 : all * points[i * step];
	return all;
}

/* Of two curves and a matrix each, with or without a grid: lutAToBType, lutBToAType. */
static bool is_whole_lut(const struct profile_table *table, const uint8_t *head)
{
	const uint64_t grid = number_at(head + 24);
	uint8_t of_grid[20];
	uint64_t bytes;

	for (int i = 0; i < 5; i++)
		if (number_at(head + 12 + 4 * i) >= table->size)
			return false;
	if (!grid)
		return table->in == table->out && number_at(head + 12);
	if (grid + sizeof of_grid > table->size ||
	    pread(table->fd, of_grid, sizeof of_grid, (off_t)(table->at + grid)) !=
		    sizeof of_grid || of_grid[16] < 1 || of_grid[16] > 2)
		return false;
	bytes = grid_bytes(of_grid, 1, table, of_grid[16]);
	return bytes && number_at(head + 12) && number_at(head + 28) &&
	       grid + sizeof of_grid + bytes <= table->size;
}

/* Whether a table is one, and all there. */
static bool is_whole_table(const struct profile_table *table)
{
	uint8_t head[52];
	uint64_t grid, n, m;

	if (table->size < sizeof head ||
	    pread(table->fd, head, sizeof head, (off_t)table->at) != sizeof head)
		return false;
	if (!memcmp(head, "mpet", 4)) /* elements one after another */
		return half_at(head + 8) == table->in && half_at(head + 10) == table->out &&
		       number_at(head + 12) > 0;
	if (head[8] != table->in || head[9] != table->out)
		return false;
	if (!memcmp(head, "mAB ", 4) || !memcmp(head, "mBA ", 4))
		return is_whole_lut(table, head);
	grid = head[10] > 1 ? grid_bytes(head + 10, 0, table, 1) : 0;
	n = half_at(head + 48);
	m = half_at(head + 50);
	if (!memcmp(head, "mft1", 4))
		return grid && 48 + 256 * (table->in + table->out) + grid <= table->size;
	return !memcmp(head, "mft2", 4) && grid && n > 1 && m > 1 &&
	       52 + 2 * (n * table->in + grid + m * table->out) <= table->size;
}

/* Whether a part of a matrix is one, and all there: a colour, or a curve. */
static bool is_whole_part(const struct profile_table *part, bool colour)
{
	static const uint8_t parameters[] = { 1, 3, 4, 5, 7 }; /* of parametricCurveType, 10.18 */
	uint8_t head[12];
	uint32_t kind;

	if (pread(part->fd, head, sizeof head, (off_t)part->at) != sizeof head)
		return false;
	kind = half_at(head + 8);
	if (colour)
		return !memcmp(head, "XYZ ", 4) && part->size >= 20;
	if (!memcmp(head, "curv", 4))
		return 12 + 2 * (uint64_t)number_at(head + 8) <= part->size;
	return !memcmp(head, "para", 4) && kind < sizeof parameters &&
	       12 + 4u * parameters[kind] <= part->size;
}

/* Whether all parts are in the file, of so many bytes, and those that make colours of a printer,
 * with whatever intent, or find its black point, are whole: with others, Ghostscript prints white,
 * and says nothing.  See ICC.1:2010, 7 to 10. */
static bool is_whole(int fd, const uint8_t *head, size_t read, uint64_t size)
{
	static const char matrix[][5] = { "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC" };
	const uint32_t inks = !memcmp(head + 16, "CMYK", 4) ? 4 : 3;
	const uint32_t parts = number_at(head + 128);
	unsigned of_matrix = 0;
	bool has_table = false;

	if (number_at(head) > size || parts > PARTS || 132 + 12 * (size_t)parts > read)
		return false;
	for (uint32_t i = 0; i < parts; i++) {
		const uint8_t *part = head + 132 + 12 * (size_t)i;
		const bool to = !memcmp(part, "B2A", 3) || !memcmp(part, "B2D", 3);
		const bool from = !memcmp(part, "A2B", 3) || !memcmp(part, "D2B", 3);
		const struct profile_table table = { fd, number_at(part + 4), number_at(part + 8),
						     to ? 3 : inks, to ? inks : 3 };

		if (table.at < 128 || table.at + table.size > size)
			return false;
		if ((to || from) && part[3] <= '3' && !is_whole_table(&table))
			return false;
		has_table |= !memcmp(part, "B2A0", 4);
		for (size_t k = 0; k < sizeof matrix / sizeof matrix[0]; k++)
			if (!memcmp(part, matrix[k], 4) && is_whole_part(&table, k < 3))
				of_matrix |= 1u << k;
	}
	return has_table || (inks == 3 && of_matrix == 0x3f);
}

/* Why the file cannot be the profile of a printer with these colours; or NULL. */
static const char *refused(const char *path, const char *space)
{
	static const char *const classes[] = { "prtr", "mntr", "spac" };
	static const char not_whole[] = "it is no ICC profile, or not all of one";
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t head[HEAD];
	struct stat info;
	bool is_known = false, whole;
	ssize_t n;

	if (fd < 0)
		return strerror(errno);
	n = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? pread(fd, head, sizeof head, 0) : 0;
	whole = n >= 132 && is_whole(fd, head, (size_t)n, (uint64_t)info.st_size);
	close(fd);
	if (n < 132 || memcmp(head + 36, "acsp", 4))
		return not_whole;
	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
		is_known |= !memcmp(head + 12, classes[i], 4);
	if (!is_known)
		return "it is no profile of a printer";
	if (memcmp(head + 16, space, 4))
		return "it is for other colours than those of the queue";
	return whole ? NULL : not_whole;
}

static void add_profile(struct rip_object_colours *colours, int kind, const char *space,
			const char *value)
{
	char path[PATH_MAX];
	const char *why = *value != '/' ? "not an absolute path" :
			  !realpath(value, path) ? strerror(errno) :
			  strchr(path, ':') ? "Ghostscript takes a colon for the end of a path" :
			  !is_allowed(path) ?
				"it is in no folder of colour profiles, and in none of"
				" riptide-jail-folders" : refused(path, space);

	if (!why && (size_t)snprintf(colours->profiles[kind], sizeof colours->profiles[kind],
				     "-s%sICCProfile=%s", kinds[kind].title, path) >=
		    sizeof colours->profiles[kind])
		why = strerror(ENAMETOOLONG);
	if (why)
		rip_warning("%s-profile=%.200s is not used: %s", kinds[kind].name, value, why);
	else
		colours->arguments[colours->count++] = colours->profiles[kind];
}

static void add_kind(struct rip_object_colours *colours, int kind, const char *space, int count,
		     cups_option_t *options)
{
	const int before = colours->count;
	char profile[32], intent[40], title[16], black_point[16];
	const char *path, *value;

	snprintf(profile, sizeof profile, "%s-profile", kinds[kind].name);
	snprintf(intent, sizeof intent, "%s-rendering-intent", kinds[kind].name);
	path = cupsGetOption(profile, count, options);
	value = cupsGetOption(intent, count, options);
	if (path)
		add_profile(colours, kind, space, path);
	snprintf(title, sizeof title, "%sIntent", kinds[kind].title);
	snprintf(black_point, sizeof black_point, "%sBlackPt", kinds[kind].title);
	if (value && !add_intent(colours, colours->intents[1 + kind], value, title, black_point))
		check_intent(intent, value);
	colours->by_kind += (unsigned)(colours->count - before);
}

void rip_object_colours_init(struct rip_object_colours *colours, const cups_page_header2_t *header,
			     bool managed, int count, cups_option_t *options)
{
	const unsigned planes = rip_color_space_planes(header->cupsColorSpace);
	const char *asked = cupsGetOption(ALL_INTENT, count, options);
	/* Of grey pages, none: without compensation of the black point, black of CMYK would not
	 * be black there. */
	const char *unused = planes == 1 ? "the pages are in grey" :
			     !managed ? "the colours of this job are not managed" : NULL;

	memset(colours, 0, sizeof *colours);
	if (planes > 1 && !add_intent(colours, colours->intents[0],
				      asked ? asked : header->cupsRenderingIntent, "RenderIntent",
				      "BlackPtComp") && asked)
		check_intent(ALL_INTENT, asked);
	if (unused)
		rip_object_colours_unused(unused, false, count, options);
	for (int kind = 0; !unused && kind < RIP_OBJECT_KINDS; kind++)
		add_kind(colours, kind, planes == 3 ? "RGB " : "CMYK", count, options);
}

void rip_object_colours_unused(const char *why, bool all, int count, cups_option_t *options)
{
	static const char *const names[] = {
		ALL_INTENT, "text-profile", "graphics-profile", "image-profile",
		"text-rendering-intent", "graphics-rendering-intent", "image-rendering-intent",
	};
	char list[200] = "";
	unsigned found = 0;

	for (size_t i = all ? 0 : 1; i < sizeof names / sizeof names[0]; i++) {
		const char *value = cupsGetOption(names[i], count, options);

		if (value && !is_automatic(value))
			snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
				 found++ ? ", " : "", names[i]);
	}
	if (found)
		rip_warning("%s %s no effect: %s", list, found > 1 ? "have" : "has", why);
}
