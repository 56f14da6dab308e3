/* The filter's options: where they are set, and their values. */
#include "filter/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "filter/report.h"
#include "halftone/arith.h"

#define PREFIX "riptide:" /* of our cupsStrings */

/* Our own name first: a vendor's PPD may use the second for something else. */
static const struct {
	const char *keyword, *name;
	const char *aliases[2]; /* names whose unknown values are someone else's */
} names[RIP_OPTION_COUNT] = {
	[RIP_OPTION_METHOD] = { "riptideHalftone", "halftone",
				{ "halftone-type", "cupsHalftoneType" } },
	[RIP_OPTION_FILTER] = { "riptideErrorFilter", "halftone-error-filter", { NULL } },
	[RIP_OPTION_LEVELS] = { "riptideLevels", "halftone-levels", { NULL } },
};

static const char *const place_names[RIP_PLACE_COUNT] = {
	[RIP_PLACE_JOB] = "the job's options",
	[RIP_PLACE_PAGE] = "the page header's cupsString",
	[RIP_PLACE_PPD] = "the PPD's defaults",
};

/* The value as a number, or -1. */
static int parse(enum rip_option option, const char *value)
{
	char *end;
	long n;

	switch (option) {
	case RIP_OPTION_METHOD:
		return rip_method_find(value);
	case RIP_OPTION_FILTER:
		return rip_screen_find(value);
	default:
		if (*value < '0' || *value > '9')
			return -1;
		n = strtol(value, &end, 10);
		return *end || n < RIP_LEVELS_MIN || n > RIP_LEVELS_MAX ? -1 : n;
	}
}

/* The known values, for people. */
static void list(enum rip_option option, char *text, size_t size)
{
	text[0] = '\0';
	if (option == RIP_OPTION_LEVELS) {
		snprintf(text, size, "2 to 16");
		return;
	}
	for (int i = 0; i < (option == RIP_OPTION_METHOD ? (int)RIP_METHODS : RIP_SCREENS); i++) {
		size_t used = strlen(text);

		snprintf(text + used, size - used, "%s%s", i ? ", " : "",
			 option == RIP_OPTION_METHOD ? rip_method_name(i) : rip_screens[i].name);
	}
}

/* Parses a value that is meant for us.  If it is unknown, warns and returns -1. */
static int parse_ours(struct rip_options *options, enum rip_place place, enum rip_option option,
		      const char *name, const char *value)
{
	const int n = parse(option, value);
	char known[160];

	if (option == RIP_OPTION_LEVELS && n > options->max_levels) {
		if (!options->warned[place][option])
			rip_warning("%s=%.64s in %s exceeds the driver's limit of %d "
				    "(riptideMaxLevels in the queue's PPD)",
				    name, value, place_names[place], options->max_levels);
		options->warned[place][option] = true;
		return -1;
	}
	if (n < 0 && !options->warned[place][option]) {
		options->warned[place][option] = true;
		list(option, known, sizeof known);
		rip_warning("%s=%.64s in %s is not valid; valid values are %s", name, value,
			    place_names[place], known);
	}
	return n;
}

static int find_in_job(struct rip_options *options, enum rip_option option)
{
	const char *value;
	int n = -1;

	value = cupsGetOption(names[option].keyword, options->count, options->job);
	if (value)
		n = parse_ours(options, RIP_PLACE_JOB, option, names[option].keyword, value);
	value = cupsGetOption(names[option].name, options->count, options->job);
	if (n < 0 && value)
		n = option == RIP_OPTION_METHOD && options->own ? parse(option, value) :
			parse_ours(options, RIP_PLACE_JOB, option, names[option].name, value);
	for (int i = 0; n < 0 && i < 2 && names[option].aliases[i]; i++) {
		value = cupsGetOption(names[option].aliases[i], options->count, options->job);
		if (value)
			n = parse(option, value);
	}
	return n;
}

static int find_in_ppd(struct rip_options *options, const struct rip_queue *queue,
		       enum rip_option option)
{
	const char *const ours[2] = { names[option].keyword, names[option].name };
	const char *value;

	for (int i = 0; i < 2; i++) {
		value = rip_queue_default(queue, ours[i]);
		if (!value)
			continue;
		if (option == RIP_OPTION_METHOD)
			options->own = i == 0;
		return parse_ours(options, RIP_PLACE_PPD, option, ours[i], value);
	}
	for (int i = 0; i < 2 && names[option].aliases[i]; i++) {
		value = rip_queue_default(queue, names[option].aliases[i]);
		if (value)
			return parse(option, value);
	}
	return -1;
}

/* Takes one `NAME=VALUE` or `METHOD` of a cupsString, unless the option is set already. */
static void take_item(struct rip_options *options, char *item, int set[RIP_OPTION_COUNT])
{
	char *value = strchr(item, '=');
	const char *name = names[RIP_OPTION_METHOD].name;

	if (value) {
		*value++ = '\0';
		name = item;
	} else {
		value = item;
	}
	for (int option = 0; option < RIP_OPTION_COUNT; option++)
		if (!strcasecmp(name, names[option].name)) {
			int n = parse_ours(options, RIP_PLACE_PAGE, option, name, value);

			if (set[option] < 0)
				set[option] = n;
			return;
		}
	if (!options->warned[RIP_PLACE_PAGE][RIP_OPTION_COUNT]) {
		options->warned[RIP_PLACE_PAGE][RIP_OPTION_COUNT] = true;
		rip_warning("unknown option %s in %s; the options are %s, %s, %s", name,
			    place_names[RIP_PLACE_PAGE], names[0].name, names[1].name, names[2].name);
	}
}

static void find_in_page(struct rip_options *options, const cups_page_header2_t *header,
			 int set[RIP_OPTION_COUNT])
{
	const size_t prefix = sizeof PREFIX - 1;

	for (int i = 0; i < 16; i++) {
		char text[sizeof header->cupsString[0] + 1], *rest, *item;

		if (strncmp(header->cupsString[i], PREFIX, prefix))
			continue;
		snprintf(text, sizeof text, "%.*s", (int)sizeof header->cupsString[0],
			 header->cupsString[i]);
		for (item = strtok_r(text + prefix, ",", &rest); item;
		     item = strtok_r(NULL, ",", &rest))
			take_item(options, item, set);
	}
}

void rip_options_init(struct rip_options *options, const char *text,
		      const struct rip_queue *queue)
{
	memset(options, 0, sizeof *options);
	options->count = cupsParseOptions(text, 0, &options->job);
	options->max_levels = (int)rip_queue_max_levels(queue);
	for (int option = 0; option < RIP_OPTION_COUNT; option++)
		options->ppd[option] = find_in_ppd(options, queue, option);
}

void rip_options_page(struct rip_options *options, const cups_page_header2_t *header,
		      struct rip_choice *choice)
{
	static const int otherwise[RIP_OPTION_COUNT] = {
		[RIP_OPTION_METHOD] = RIP_METHOD_AUTO,
		[RIP_OPTION_FILTER] = RIP_FLOYD_STEINBERG,
		[RIP_OPTION_LEVELS] = 2,
	};
	int page[RIP_OPTION_COUNT] = { -1, -1, -1 }, is[RIP_OPTION_COUNT];

	find_in_page(options, header, page);
	for (int option = 0; option < RIP_OPTION_COUNT; option++) {
		is[option] = find_in_job(options, option);
		if (is[option] < 0)
			is[option] = page[option];
		if (is[option] < 0)
			is[option] = options->ppd[option];
		if (is[option] < 0)
			is[option] = otherwise[option];
	}
	choice->method = is[RIP_OPTION_METHOD];
	choice->screen = &rip_screens[is[RIP_OPTION_FILTER]];
	choice->levels = is[RIP_OPTION_LEVELS];
}

void rip_options_finish(struct rip_options *options)
{
	cupsFreeOptions(options->count, options->job);
	options->count = 0;
	options->job = NULL;
}
