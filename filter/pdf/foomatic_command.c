#include "foomatic_command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/ppd.h>

#include "system/ascii.h"
#include "system/refuse.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define SETTING_MAX 4096

/* An option of the command line. */
struct spot_option {
	char   name[PPD_MAX_NAME];
	char   type[16];
	char   spot;  /* 'A' to 'Z' */
	double order; /* of settings at the same spot */
};

/* ---- text ---- */

/* Decodes a value as it stands in the PPD: folded lines end with &&, and some characters have
 * names.  Whether all of it fits. */
static bool decode(const char *from, char *to, size_t size)
{
	static const struct { const char *name; char character; } names[] = {
		{ "&apos;", '\'' }, { "&quot;", '"' }, { "&lt;", '<' }, { "&gt;", '>' },
		{ "&amp;", '&' },
	};
	const char *const end = to + size - 1;

	while (*from && to < end) {
		size_t i = 0, skip = 0;

		if (!strncmp(from, "&&", 2))
			skip = 2 + strspn(from + 2, "\r");
		if (skip && from[skip] == '\n') {
			from += skip + 1;
			continue;
		}
		while (i < 5 && strncmp(from, names[i].name, strlen(names[i].name)) != 0)
			i++;
		*to++ = i < 5 ? names[i].character : *from;
		from += i < 5 ? strlen(names[i].name) : 1;
	}
	*to = '\0';
	return !*from;
}

/* Replaces the first `key` in a setting by a number.  Whether there is room. */
static bool put_number(char *setting, size_t size, const char *key, long number)
{
	char *at = strstr(setting, key), rest[SETTING_MAX];
	size_t left;

	if (!at)
		return true;
	left = size - (size_t)(at - setting);
	snprintf(rest, sizeof rest, "%s", at + strlen(key));
	return (size_t)snprintf(at, left, "%ld%s", number, rest) < left;
}

/* ---- options ---- */

/* The type and spot of an option: "enum CmdLine A [order]". */
static bool parse_option(ppd_file_t *ppd, const ppd_attr_t *attr, struct spot_option *option)
{
	const ppd_option_t *shown = ppdFindOption(ppd, attr->spec);
	char style[16];

	if (!attr->value)
		return false;
	option->order = shown ? shown->order : 100;
	snprintf(option->name, sizeof option->name, "%s", attr->spec);
	return sscanf(attr->value, "%15s %15s %c %lf", option->type, style, &option->spot,
		      &option->order) >= 3 &&
	       rip_same_name(style, "CmdLine") && rip_is_upper(option->spot);
}

/* The value of FoomaticRIP... for a spec "NAME=CHOICE", or NULL. */
static const char *setting_of(ppd_file_t *ppd, const char *name, const char *choice)
{
	char spec[2 * PPD_MAX_NAME + 1];
	const ppd_attr_t *attr;

	snprintf(spec, sizeof spec, "%s=%s", name, choice);
	attr = ppdFindAttr(ppd, "FoomaticRIPOptionSetting", spec);
	return attr ? attr->value : NULL;
}

/* The only setting of an option that users cannot choose. */
static const char *fixed_setting(ppd_file_t *ppd, const char *name)
{
	const size_t length = strlen(name);
	const ppd_attr_t *attr = ppdFindAttr(ppd, "FoomaticRIPOptionSetting", NULL);

	for (; attr; attr = ppdFindNextAttr(ppd, "FoomaticRIPOptionSetting", NULL))
		if (rip_same_start(attr->spec, name, length) && attr->spec[length] == '=')
			return attr->value;
	return NULL;
}

/* These three: whether the setting has room for all of it. */
static bool enum_setting(ppd_file_t *ppd, const struct spot_option *option,
			 const cups_page_header2_t *page, char *setting)
{
	const ppd_choice_t *choice = ppdFindMarkedChoice(ppd, option->name);
	const char *value = choice ? setting_of(ppd, option->name, choice->choice) :
				     fixed_setting(ppd, option->name);

	if (!value)
		return true;
	if (!decode(value, setting, SETTING_MAX))
		return false;
	return !choice || !rip_same_name(choice->choice, "Custom") ||
	       (put_number(setting, SETTING_MAX, "%0", page->PageSize[0]) &&
		put_number(setting, SETTING_MAX, "%1", page->PageSize[1]));
}

static bool bool_setting(ppd_file_t *ppd, const struct spot_option *option, char *setting)
{
	const ppd_attr_t *attr = ppdFindAttr(ppd, "FoomaticRIPOptionSetting", option->name);

	return !attr || !attr->value || !ppdIsMarked(ppd, option->name, "True") ||
	       decode(attr->value, setting, SETTING_MAX);
}

/* The number is the page's copies, or the chosen one, or the default. */
static bool int_setting(ppd_file_t *ppd, const struct spot_option *option,
			const cups_page_header2_t *page, char *setting)
{
	const ppd_attr_t *prototype = ppdFindAttr(ppd, "FoomaticRIPOptionPrototype", option->name);
	const ppd_attr_t *range = ppdFindAttr(ppd, "FoomaticRIPOptionRange", option->name);
	const ppd_choice_t *choice = ppdFindMarkedChoice(ppd, option->name);
	long value = choice ? strtol(choice->choice, NULL, 10) : 0, least, most;

	if (!prototype || !prototype->value)
		return true;
	if (rip_same_name(option->name, "Copies"))
		value = page->NumCopies > 1 ? (long)page->NumCopies : 1;
	if (range && range->value && sscanf(range->value, "%ld %ld", &least, &most) == 2)
		value = value < least ? least : value > most ? most : value;
	return decode(prototype->value, setting, SETTING_MAX) &&
	       put_number(setting, SETTING_MAX, "%s", value);
}

/* An option's part of the command; "" if it has none.  False: it is too long. */
static bool make_setting(ppd_file_t *ppd, const struct spot_option *option,
			 const cups_page_header2_t *page, char *setting)
{
	setting[0] = '\0';
	if (rip_same_start(option->name, "Nup", 3))
		return true;
	if (rip_same_name(option->type, "enum"))
		return enum_setting(ppd, option, page, setting);
	if (rip_same_name(option->type, "bool"))
		return bool_setting(ppd, option, setting);
	if (rip_same_name(option->type, "int"))
		return int_setting(ppd, option, page, setting);
	return true;
}

/* ---- the command ---- */

static int compare(const void *a, const void *b)
{
	const struct spot_option *one = a, *other = b;

	return (one->order > other->order) - (one->order < other->order);
}

/* All options of the command line in their order.  Returns how many; the caller frees them. */
static size_t find_options(ppd_file_t *ppd, struct spot_option **options)
{
	const ppd_attr_t *attr = ppdFindAttr(ppd, "FoomaticRIPOption", NULL);
	size_t count = 0;

	*options = calloc((size_t)ppd->num_attrs + 1, sizeof **options);
	for (; *options && attr; attr = ppdFindNextAttr(ppd, "FoomaticRIPOption", NULL))
		if (parse_option(ppd, attr, *options + count))
			count++;
	/* libcups sorts attributes by name.  No two options of a command contradict each other, so
	 * the order of equals does not matter. */
	if (*options)
		qsort(*options, count, sizeof **options, compare);
	return count;
}

/* Writes the line with its settings to `to`, which has room for everything.
 * False: a setting is too long. */
static bool fill(ppd_file_t *ppd, const char *line, const struct spot_option *options, size_t count,
		 const cups_page_header2_t *page, FILE *to)
{
	char setting[SETTING_MAX];

	for (; *line; line++) {
		if (line[0] != '%' || (!rip_is_upper(line[1]) && line[1] != '%')) {
			fputc(*line, to);
			continue;
		}
		line++;
		if (*line == '%')
			fputc('%', to);
		for (size_t i = 0; i < count; i++)
			if (options[i].spot == *line) {
				if (!make_setting(ppd, &options[i], page, setting))
					return false;
				fputs(setting, to);
			}
	}
	return true;
}

/* A part of a command must not run. */
static int too_long(char *why, size_t size)
{
	return rip_refuse(why, size,
			  "the PPD's command, or one of its settings, is longer than %d bytes",
			  SETTING_MAX - 1);
}

int rip_foomatic_command(const struct rip_queue *queue, const char *options,
			 const cups_page_header2_t *page, char **command, char *why, size_t size)
{
	const char *value = rip_queue_attribute(queue, "FoomaticRIPCommandLine");
	struct spot_option *spots;
	cups_option_t *list = NULL;
	char line[SETTING_MAX];
	size_t count, bytes;
	bool fits = true;
	FILE *to;

	if (!value)
		return rip_refuse_as(-ENOENT, why, size,
				     "the queue's PPD has no FoomaticRIPCommandLine");
	if (!decode(value, line, sizeof line))
		return too_long(why, size);
	count = (size_t)cupsParseOptions(options, 0, &list);
	ppdMarkDefaults(queue->ppd);
	cupsMarkOptions(queue->ppd, (int)count, list);
	cupsFreeOptions((int)count, list);

	count = find_options(queue->ppd, &spots);
	*command = NULL;
	to = spots ? open_memstream(command, &bytes) : NULL;
	if (to) {
		fits = fill(queue->ppd, line, spots, count, page, to);
		if (fclose(to) != 0 || !fits) {
			free(*command);
			*command = NULL;
		}
	}
	free(spots);
	if (!fits)
		return too_long(why, size);
	return *command ? 0 : rip_refuse_as(-ENOMEM, why, size, "%s", strerror(ENOMEM));
}
