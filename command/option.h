/*
 * Options that riptide's commands share, and the values of options: numbers, names from a list,
 * devices, instruction sets.
 *
 * Each function parses the value of one option.  It returns RIP_GO_ON, or the exit status
 * with which the command must end, after any message was written: 2 for a wrong value, 1
 * for one that is not available here, 0 for `help`, which lists the values on standard
 * output.
 */
#ifndef RIP_OPTION_H
#define RIP_OPTION_H

#include "halftone/engine_cpu.h"
#include "halftone/screen/screen.h"
#include "halftone/screen/method.h"

#define RIP_GO_ON (-1)

enum rip_device_choice { RIP_CHOOSE_AUTO, RIP_CHOOSE_CPU, RIP_CHOOSE_GPU };

struct rip_device_option {
	enum rip_device_choice choice;
	int number; /* of the GPU, or -1: the first that works */
};

/* A screen by its name. */
struct rip_screen_option {
	const struct rip_screen *screen; /* NULL: a mask, which is made for each page */
	const char *mask; /* its name, known to rip_mask_screen_known(), or NULL */
};

/* The options that have the same values and meaning in several commands. */
struct rip_common_options {
	struct rip_device_option device;
	const char *isa;     /* NULL: the best that runs here */
	unsigned    threads; /* 0: one for each processor that may be used */
	unsigned    levels;  /* 2..16 */
	struct rip_screen_option screen;
};

#define RIP_COMMON_DEFAULTS \
	{ .device = { .number = -1 }, .levels = 2, \
	  .screen = { .screen = &rip_screens[RIP_FLOYD_STEINBERG] } }

/* What getopt_long() returns for them and for --help; a command's own options have letters, or
 * numbers from RIP_OPTION_OWN. */
enum {
	RIP_OPTION_DEVICE = 256, RIP_OPTION_ISA, RIP_OPTION_THREADS, RIP_OPTION_LEVELS,
	RIP_OPTION_SCREEN, RIP_OPTION_OWN
};

/* Their entries in a command's table of struct option. */
#define RIP_COMMON_LONG_OPTIONS \
	{ "device", required_argument, NULL, RIP_OPTION_DEVICE }, \
	{ "isa", required_argument, NULL, RIP_OPTION_ISA }, \
	{ "threads", required_argument, NULL, RIP_OPTION_THREADS }, \
	{ "levels", required_argument, NULL, RIP_OPTION_LEVELS }, \
	{ "screen", required_argument, NULL, RIP_OPTION_SCREEN }, \
	{ "help", no_argument, NULL, 'h' }

/* Parses one of them, prints help for 'h', and reports anything else as rip_option_bad() does. */
int rip_option_common(const char *command, int option, const char *value, char **argv,
		      const char *help, struct rip_common_options *options);

/* Reports an unknown option, one without its value, or one with a value that it does not take: what
 * getopt_long() returns as '?' or ':' if its short options begin with ":".  Returns 2. */
int rip_option_bad(const char *command, int what, char **argv);

/* A whole number from min to max. */
int rip_option_number(const char *command, const char *option, const char *value, unsigned min,
		      unsigned max, unsigned *number);

int rip_option_method(const char *command, const char *value, enum rip_method *method);
int rip_option_start(const char *command, const char *value, enum rip_start *start);

/* Dots an inch: 600, or 600x1200. */
int rip_option_resolution(const char *command, const char *value, unsigned *x_dpi, unsigned *y_dpi);

/* Any screen.  value must live as long as the screen is used. */
int rip_option_screen(const char *command, const char *value, struct rip_screen_option *screen);

int rip_option_device(const char *command, const char *value, struct rip_device_option *device);

/* *isa becomes the library's own string of that name. */
int rip_option_isa(const char *command, const char *value, const char **isa);

/* Some outputs have a format that the name cannot choose; a name with the suffix of another format
 * would mislead the programs that read the file. */
enum rip_file_kind {
	RIP_FILE_UNKNOWN, RIP_FILE_PNM, RIP_FILE_RASTER, /* CUPS, PWG or Apple */
	RIP_FILE_TIFF, RIP_FILE_PNG, RIP_FILE_JPEG, RIP_FILE_PDF,
};

#define RIP_SUFFIX(kind) (1u << RIP_FILE_##kind)

/* The kind that the suffix of out stands for.  out may be NULL: standard output. */
enum rip_file_kind rip_suffix_kind(const char *out);

/* RIP_GO_ON, also for a name without a suffix that is known; or wrong usage (2, reported) for a suffix of
 * another kind than these (RIP_SUFFIX()).  choices: the suffixes to choose from; more: what follows
 * in the message. */
int rip_suffix_check(const char *command, const char *out, unsigned kinds, const char *choices,
		     const char *more);

#endif
