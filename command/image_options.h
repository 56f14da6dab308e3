/*
 * What the command lines of `riptide halftone`, `riptide rip` and riptide-mpi have in common: the
 * options that change the dots, the input and the output.
 */
#ifndef RIP_IMAGE_OPTIONS_H
#define RIP_IMAGE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "option.h"

struct rip_image_options {
	struct rip_common_options common;
	unsigned       x_dpi, y_dpi; /* dots an inch; 0: the image's */
	enum rip_start start;
	const char    *curve;        /* a file, or NULL */
	const char    *out, *in;     /* NULL or "-": standard output, standard input */
};

#define RIP_IMAGE_DEFAULTS { .common = RIP_COMMON_DEFAULTS }

/* As in option.h; a program's own options have letters, or numbers from RIP_OPTION_PROGRAM. */
enum {
	RIP_OPTION_RESOLUTION = RIP_OPTION_OWN, RIP_OPTION_CURVE, RIP_OPTION_START, RIP_OPTION_PROGRAM
};

#define RIP_IMAGE_SHORT_OPTIONS ":o:h"
#define RIP_IMAGE_LONG_OPTIONS \
	RIP_COMMON_LONG_OPTIONS, \
	{ "resolution", required_argument, NULL, RIP_OPTION_RESOLUTION }, \
	{ "curve", required_argument, NULL, RIP_OPTION_CURVE }, \
	{ "start", required_argument, NULL, RIP_OPTION_START }, \
	{ "output", required_argument, NULL, 'o' }

/* The options that change the dots, for the help text. */
#define RIP_IMAGE_HELP \
	"Options that change the dots:\n" \
	"  --resolution DPI      dots an inch, for masks: 600, 600x1200 (the image's, or 600)\n" \
	RIP_DOTS_HELP

/* The same without those that a program explains differently. */
#define RIP_DOTS_HELP \
	"  --levels N            output levels, 2 to 16 (2)\n" \
	"  --screen NAME         how dots are placed (floyd-steinberg); help lists the screens\n" \
	"  --curve FILE          a tone curve: 256 or 65536 numbers from 0 to 65535\n" \
	"  --start noise|zero    the errors that a page starts with (noise)\n"

/* Parses one of these options, or one that rip_option_common() takes. */
int rip_option_image(const char *command, int option, const char *value, char **argv,
		     const char *help, struct rip_image_options *options);

/* Takes the input, the only argument after the options, from argv.  input: what it is, for
 * messages: "image". */
int rip_option_image_name(const char *command, const char *input, int argc, char **argv,
			  struct rip_image_options *options);

/* Refuses an input or output that is a terminal.  output: what it is, for messages: "dots". */
int rip_option_image_terminals(const char *command, const char *input, const char *output,
			       const struct rip_image_options *options);

/* Whether a name means standard input or output. */
bool rip_is_standard(const char *name);

/* Replaces an image's resolution with that of the command line, if there is one. */
void rip_image_options_resolution(const struct rip_image_options *options, uint32_t *x_dpi,
				  uint32_t *y_dpi);

#endif
