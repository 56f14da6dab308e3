/*
 * The command line of `riptide halftone`.
 */
#ifndef RIP_HALFTONE_OPTIONS_H
#define RIP_HALFTONE_OPTIONS_H

#include <stdint.h>

#include "filter/tone_choice.h"
#include "image_options.h"

struct rip_halftone_options {
	struct rip_image_options image;
	enum rip_method method;
	unsigned        band_rows; /* 0: chosen to suit the caches */
	struct rip_tone_choice tone;
	const char     *socket;    /* the daemon's, or NULL: in-process */
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv);

#endif
