/*
 * The command line of `riptide halftone`.
 */
#ifndef RIP_HALFTONE_OPTIONS_H
#define RIP_HALFTONE_OPTIONS_H

#include <stdint.h>

#include "filter/tone_choice.h"
#include "option.h"

struct rip_halftone_options {
	struct rip_common_options common;
	enum rip_method   method;
	unsigned          x_dpi, y_dpi; /* dots an inch; 0: the image's */
	unsigned          band_rows; /* 0: chosen to suit the caches */
	enum rip_start    start;
	const char       *curve;     /* a file, or NULL */
	struct rip_tone_choice tone;
	const char       *socket;    /* the daemon's, or NULL: in-process */
	const char       *out;       /* NULL or "-": standard output */
	const char       *in;        /* NULL or "-": standard input */
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv);

#endif
