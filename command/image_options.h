/*
 * What the command lines of `riptide halftone`, `riptide rip` and riptide-mpi have in common: the
 * options that change the dots, the input and the output.
 */
#ifndef RIP_IMAGE_OPTIONS_H
#define RIP_IMAGE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common_options.h"

struct rip_image_options {
	struct rip_common_options common;
	struct rip_dpi dpi;          /* 0: the image's */
	enum rip_start start;
	const char    *curve;        /* a file, or NULL */
	const char    *out, *in;     /* NULL or "-": standard output, standard input */
};

#define RIP_IMAGE_DEFAULTS { .common = RIP_COMMON_DEFAULTS }

/* Rows of tables, of values in rip_image_options. */
extern const struct rip_option_row rip_dots_rows[]; /* --levels, --screen, --curve, --start */

#define RIP_RESOLUTION_ROW(at, letter_, help) \
	{ RIP_VALUE("resolution", "DPI", at, rip_set_resolution, RIP_RESOLUTION_CHOICES, help), \
	  .letter = letter_, .basic = true, .proposed = RIP_RESOLUTIONS_PROPOSED }

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
