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

static void check_intent(const char *name, const char *value)
{
	if (!rip_same_name(value, "auto") && !rip_same_name(value, "automatic"))
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

/* Whether all parts are in the file, of so many bytes, and one of them makes colours of a printer:
 * with others, Ghostscript prints white, and says nothing.  See ICC.1:2010, 7. */
static bool is_whole(int fd, const uint8_t *head, size_t read, uint64_t size)
{
	static const char *const tables[] = { "mft1", "mft2", "mBA " };
	const uint32_t parts = number_at(head + 128);
	bool converts = false;

	if (memcmp(head + 36, "acsp", 4) || number_at(head) > size || parts > PARTS ||
	    132 + 12 * (size_t)parts > read)
		return false;
	for (uint32_t i = 0; i < parts; i++) {
		const uint8_t *part = head + 132 + 12 * (size_t)i;
		const uint64_t at = number_at(part + 4);
		char type[4];

		if (at < 128 || at + number_at(part + 8) > size)
			return false;
		converts |= !memcmp(part, "rXYZ", 4);
		if (memcmp(part, "B2A0", 4) || pread(fd, type, sizeof type, (off_t)at) != 4)
			continue;
		for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
			converts |= !memcmp(type, tables[t], sizeof type);
	}
	return converts;
}

/* Why the file cannot be the profile of a printer with these colours; or NULL. */
static const char *refused(const char *path, const char *space)
{
	static const char *const classes[] = { "prtr", "mntr", "spac" };
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t head[HEAD];
	struct stat info;
	bool is_known = false, is_profile;
	ssize_t n;

	if (fd < 0)
		return strerror(errno);
	n = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? pread(fd, head, sizeof head, 0) : 0;
	is_profile = n >= 132 && is_whole(fd, head, (size_t)n, (uint64_t)info.st_size);
	close(fd);
	if (!is_profile)
		return "it is no ICC profile, or not all of one";
	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
		is_known |= !memcmp(head + 12, classes[i], 4);
	if (!is_known)
		return "it is no profile of a printer";
	return memcmp(head + 16, space, 4) ? "it is for other colours than those of the queue" :
					     NULL;
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

static void add_kind(struct rip_object_colours *colours, int kind, const char *unused,
		     const char *space, int count, cups_option_t *options)
{
	const int before = colours->count;
	char profile[32], intent[40], title[16], black_point[16];
	const char *path, *value;

	snprintf(profile, sizeof profile, "%s-profile", kinds[kind].name);
	snprintf(intent, sizeof intent, "%s-rendering-intent", kinds[kind].name);
	path = cupsGetOption(profile, count, options);
	value = cupsGetOption(intent, count, options);
	if (unused && (path || value)) {
		rip_warning("%s has no effect: %s", path ? profile : intent, unused);
		return;
	}
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
	static const char all[] = "print-rendering-intent";
	const unsigned planes = rip_color_space_planes(header->cupsColorSpace);
	const char *asked = cupsGetOption(all, count, options);
	/* Of grey pages, none: without compensation of the black point, black of CMYK would not
	 * be black there. */
	const char *unused = planes == 1 ? "the pages are in grey" :
			     !managed ? "the colours of this job are not managed" : NULL;

	memset(colours, 0, sizeof *colours);
	if (planes > 1 && !add_intent(colours, colours->intents[0],
				      asked ? asked : header->cupsRenderingIntent, "RenderIntent",
				      "BlackPtComp") && asked)
		check_intent(all, asked);
	for (int kind = 0; kind < RIP_OBJECT_KINDS; kind++)
		add_kind(colours, kind, unused, planes == 3 ? "RGB " : "CMYK", count, options);
}
