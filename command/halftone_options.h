/*
 * The command line of `riptide halftone`.
 */
#ifndef RIP_HALFTONE_OPTIONS_H
#define RIP_HALFTONE_OPTIONS_H

#include <stdint.h>

#include "filter/tone_choice.h"
#include "image/tiff_writer.h"
#include "image_options.h"

struct rip_halftone_options {
	struct rip_image_options image;
	enum rip_method method;
	unsigned        band_rows; /* 0: chosen to suit the caches */
	struct rip_tone_choice tone;
	const char     *socket;    /* the daemon's, or NULL: in-process */
	enum rip_ink    ink;       /* of an image with one plane */
	/* For TIFF only: */
	enum rip_tiff_compression compression;
	bool            composite;   /* all inks in one file */
	const char     *plane_names; /* separated by commas, or NULL: those of the inks */
	const char     *tiff_option; /* the first of these three that was given, or NULL */
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv);

#endif
