#include "option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/simd/isa.h"
#include "halftone/screen/mask_screen.h"
#include "image/complain.h"
#include "system/ascii.h"
#include "terminal.h"

/* Appends a name to a list in words. */
static void list(char *names, size_t size, const char *name)
{
	size_t used = strlen(names);

	snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

static int unknown(const char *command, const char *option, const char *value, const char *names)
{
	return rip_wrong_usage(command, "%s \"%s\" is not valid; valid values are %s", option, value, names);
}

/* Whether getopt_long() complains of a long option that it knows and that has a value.  It says the
 * same of an unknown letter, which may stand in the argument that comes next. */
static bool takes_no_value(char **argv)
{
	const char *last = argv[optind - 1], *next = argv[optind];
	const bool is_letter = next && optopt < 256 && next[0] == '-' && next[1] != '-' &&
			       strchr(next + 1, optopt);

	return optopt && !is_letter && !strncmp(last, "--", 2) && strchr(last, '=');
}

int rip_option_bad(const char *command, int what, char **argv)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	/* A long option has no letter, or a number that is none. */
	const char *option = optopt > 0 && optopt < 256 ? letter : argv[optind - 1];

	if (what == '?' && takes_no_value(argv))
		return rip_wrong_usage(command, "the option %.*s takes no value",
				       (int)strcspn(argv[optind - 1], "="), argv[optind - 1]);
	return rip_wrong_usage(command, what == ':' ? "the option %s requires a value"
						    : "unknown option %s", option);
}

/* The digits of a whole number, UINT_MAX and more as -1; -1 for anything else. */
static long long digits(const char *value)
{
	char *end;
	long long number;

	if (value[0] < '0' || value[0] > '9')
		return -1;
	errno = 0;
	number = strtoll(value, &end, 10);
	return errno || *end ? -1 : number;
}

int rip_option_number(const char *command, const char *option, const char *value, unsigned min,
		      unsigned max, unsigned *number)
{
	long long n = digits(value);

	if (n < (long long)min || n > (long long)max)
		return rip_wrong_usage(command, "%s \"%s\" is not a number from %u to %u", option,
				       value, min, max);
	*number = (unsigned)n;
	return RIP_GO_ON;
}

int rip_option_method(const char *command, const char *value, enum rip_method *method)
{
	char names[256] = "";
	int found = rip_method_find(value);

	if (found >= 0) {
		*method = (enum rip_method)found;
		return RIP_GO_ON;
	}
	if (!strcmp(value, "help")) {
		for (int i = 0; i < RIP_METHODS; i++)
			puts(rip_method_name(i));
		return 0;
	}
	for (int i = 0; i < RIP_METHODS; i++)
		list(names, sizeof names, rip_method_name(i));
	return unknown(command, "the method", value, names);
}

/* Calls `with` for each name. */
static void each_screen(void (*with)(char *names, size_t size, const char *name), char *names,
			size_t size)
{
	const char *name;

	for (unsigned i = 0; (name = rip_screen_choice(i)); i++)
		with(names, size, name);
}

static void print(char *names, size_t size, const char *name)
{
	(void)names;
	(void)size;
	puts(name);
}

int rip_option_screen(const char *command, const char *value, struct rip_screen_option *screen)
{
	char names[256] = "";
	const int found = rip_screen_find(value);

	if (found >= 0) {
		*screen = (struct rip_screen_option){ .screen = &rip_screens[found] };
		return RIP_GO_ON;
	}
	if (rip_mask_screen_known(value)) {
		*screen = (struct rip_screen_option){ .mask = value };
		return RIP_GO_ON;
	}
	if (!strcmp(value, "help")) {
		each_screen(print, NULL, 0);
		return 0;
	}
	each_screen(list, names, sizeof names);
	return unknown(command, "the screen", value, names);
}

#define RESOLUTION_MAX 100000

int rip_option_resolution(const char *command, const char *value, unsigned *x_dpi, unsigned *y_dpi)
{
	unsigned long x, y;
	char end;

	/* Only digits, and few enough of them. */
	if (strspn(value, "0123456789x") == strlen(value) && strlen(value) < 16) {
		switch (sscanf(value, "%lux%lu%c", &x, &y, &end)) {
		case 1:
			y = strchr(value, 'x') ? 0 : x;
			break;
		case 2:
			break;
		default:
			x = y = 0;
		}
		if (x >= 1 && x <= RESOLUTION_MAX && y >= 1 && y <= RESOLUTION_MAX) {
			*x_dpi = (unsigned)x;
			*y_dpi = (unsigned)y;
			return RIP_GO_ON;
		}
	}
	return rip_wrong_usage(command, "--resolution \"%s\" is not valid; it must be like 600 or"
			       " 600x1200, from 1 to %u", value, RESOLUTION_MAX);
}

int rip_option_start(const char *command, const char *value, enum rip_start *start)
{
	if (rip_same_name(value, "noise"))
		*start = RIP_START_NOISE;
	else if (rip_same_name(value, "zero"))
		*start = RIP_START_ZERO;
	else
		return unknown(command, "the start", value, "noise, zero");
	return RIP_GO_ON;
}

int rip_option_device(const char *command, const char *value, struct rip_device_option *device)
{
	long long number = digits(value);

	device->number = -1;
	if (rip_same_name(value, "auto")) {
		device->choice = RIP_CHOOSE_AUTO;
	} else if (rip_same_name(value, "cpu")) {
		device->choice = RIP_CHOOSE_CPU;
	} else if (rip_same_name(value, "gpu")) {
		device->choice = RIP_CHOOSE_GPU;
	} else if (number >= 0 && number < 1024) {
		device->choice = RIP_CHOOSE_GPU;
		device->number = (int)number;
	} else {
		return unknown(command, "the device", value, "auto, cpu, gpu or a GPU's number");
	}
	return RIP_GO_ON;
}

int rip_option_isa(const char *command, const char *value, const char **isa)
{
	const struct rip_isa *found = rip_isa_find(value);
	char names[256] = "";

	if (!strcmp(value, "help")) {
		for (const struct rip_isa *i = rip_isas; i->name; i++)
			if (i->built)
				printf("%-10s %s\n", i->name, rip_isa_usable(i) ?
				       "runs here" : "not on this CPU");
		return 0;
	}
	for (const struct rip_isa *i = rip_isas; i->name; i++)
		if (i->built)
			list(names, sizeof names, i->name);
	if (!found)
		return unknown(command, "the instruction set", value, names);
	if (!found->built) {
		rip_complain(-ENOTSUP, "this build does not support instruction set %s"
			     " (it supports %s)", found->name, names);
		return 1;
	}
	if (!rip_isa_usable(found)) {
		rip_complain(-ENOTSUP, "this CPU does not support instruction set %s",
			     found->name);
		return 1;
	}
	*isa = found->name;
	return RIP_GO_ON;
}

int rip_option_common(const char *command, int option, const char *value, char **argv,
		      const char *help, struct rip_common_options *options)
{
	switch (option) {
	case RIP_OPTION_DEVICE:
		return rip_option_device(command, value, &options->device);
	case RIP_OPTION_ISA:
		return rip_option_isa(command, value, &options->isa);
	case RIP_OPTION_THREADS:
		return rip_option_number(command, "--threads", value, 1, 1024, &options->threads);
	case RIP_OPTION_LEVELS:
		return rip_option_number(command, "--levels", value, RIP_LEVELS_MIN, RIP_LEVELS_MAX,
					 &options->levels);
	case RIP_OPTION_SCREEN:
		return rip_option_screen(command, value, &options->screen);
	case 'h':
		fputs(help, stdout);
		return 0;
	default:
		return rip_option_bad(command, option, argv);
	}
}

static const struct {
	const char        *suffix;
	enum rip_file_kind kind;
} suffixes[] = {
	{ ".pbm", RIP_FILE_PNM }, { ".pgm", RIP_FILE_PNM }, { ".ppm", RIP_FILE_PNM }, { ".pnm", RIP_FILE_PNM },
	{ ".ras", RIP_FILE_RASTER }, { ".raster", RIP_FILE_RASTER }, { ".pwg", RIP_FILE_RASTER },
	{ ".urf", RIP_FILE_RASTER }, { ".tif", RIP_FILE_TIFF }, { ".tiff", RIP_FILE_TIFF },
	{ ".png", RIP_FILE_PNG }, { ".jpg", RIP_FILE_JPEG }, { ".jpeg", RIP_FILE_JPEG }, { ".pdf", RIP_FILE_PDF },
};

static const char *suffix_of(const char *out)
{
	const char *folder = out ? strrchr(out, '/') : NULL;

	return out ? strrchr(folder ? folder : out, '.') : NULL;
}

enum rip_file_kind rip_suffix_kind(const char *out)
{
	const char *suffix = suffix_of(out);

	for (size_t i = 0; suffix && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (rip_same_name(suffix, suffixes[i].suffix))
			return suffixes[i].kind;
	return RIP_FILE_UNKNOWN;
}

int rip_suffix_check(const char *command, const char *out, unsigned kinds, const char *choices,
		     const char *more)
{
	const enum rip_file_kind kind = rip_suffix_kind(out);

	if (kind == RIP_FILE_UNKNOWN || kinds & 1u << kind)
		return RIP_GO_ON;
	return rip_wrong_usage(command, "-o %s: choose a name with %s, not %s%s", out, choices,
			       suffix_of(out), more);
}
