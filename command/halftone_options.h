/*
 * The command line of `riptide halftone`.
 */
#ifndef RIP_HALFTONE_OPTIONS_H
#define RIP_HALFTONE_OPTIONS_H

#include <stdbool.h>

#include "filter/ink/light_inks.h"
#include "tone/ink_name.h"
#include "tone/tone_choice.h"
#include "image/tiff.h"
#include "command/common_options.h"

/* The printer as the command line names it. */
struct rip_printer_option {
	int printer;  /* its class, the place in rip_printer_names[]; -1: not given */
	int dot_gain; /* RIP_GAIN_POINTS and more, or the place of "none"; -1: that of the class */
};

struct rip_halftone_options {
	struct rip_image_options image;
	enum rip_method method;
	unsigned        band_rows; /* 0: chosen to suit the caches */
	struct rip_printer_option printer;
	struct rip_tone_choice tone; /* printer included, after rip_halftone_options_check() */
	const char     *socket;    /* the daemon's, or NULL: in-process */
	enum rip_ink    ink;       /* of an image with one plane */
	const char     *ink_named; /* how --ink names it, or NULL */
	unsigned        light_inks; /* of raster: a set of light_inks.h */
	/* For TIFF only: */
	enum rip_tiff_compression compression;
	bool            composite;   /* all inks in one file */
	const char     *plane_names; /* separated by commas, or NULL: those of the inks */
	const char     *tiff_option; /* one of these three that is given, or NULL */
};

#define RIP_PRINTER_DEFAULTS { .printer = -1, .dot_gain = -1 }
#define RIP_HALFTONE_DEFAULTS { .image = RIP_IMAGE_DEFAULTS, \
	.printer = RIP_PRINTER_DEFAULTS, .tone = rip_tone_choice_nothing(), .ink = RIP_INK_BLACK }

/* Rows of tables. */
extern const struct rip_option_row rip_printer_rows[]; /* of values in rip_printer_option */
extern const struct rip_option_row rip_tone_rows[];    /* of values in rip_tone_choice */

/* The options that the commands have in common; o: their rip_halftone_options. */
extern const struct rip_option_row rip_ink_rows[], rip_speed_rows[];
#define RIP_HALFTONE_DOTS_GROUPS(o) \
	{ rip_resolution_rows, &(o)->image, "Options that change the dots:\n" }, \
	{ rip_dots_rows, &(o)->image, NULL }, { rip_printer_rows, &(o)->printer, NULL }, \
	{ rip_tone_rows, &(o)->tone, NULL }, { rip_ink_rows, o, NULL }
#define RIP_HALFTONE_SPEED_GROUP(o) \
	{ rip_speed_rows, o, "Options that change only the speed:\n" }

/* Process inks, as letters in a char[RIP_INK_LETTERS]. */
#define RIP_PROCESS_INKS_ROW(name, at, help) \
	{ RIP_VALUE(name, "INKS", at, rip_set_process_inks, \
		    "letters of C, M, Y and K, or names such as cyan,black, each once", help), \
	  .meant = rip_ink_meant, .basic = true, .proposed = "C M Y K CMYK" }
int rip_set_process_inks(const char *value, void *letters);

#define RIP_REGISTRATION_ROW(at) \
	{ RIP_FOUND("registration", "UM", at, rip_tone_parse_registration, \
		    RIP_TONE_REGISTRATIONS, \
		    "blue-noise-colour: how far apart the printer puts dots of different inks" \
		    " that should meet, in micrometres (0)"), .job = "halftone-registration" }

/* A valid list of document.h. */
#define RIP_PAGES_ROW(at) \
	{ RIP_VALUE("pages", "LIST", at, rip_set_pages, "a list of pages such as 3 or 1-4,8", \
		    "only these pages: 3, 1-4,8, 5-"), .basic = true }
int rip_set_pages(const char *value, void *pages);

/* The value is an enum rip_tiff_compression; RIP_TIFF_COMPRESSIONS: not given. */
#define RIP_COMPRESSION_ROW(at, help) \
	{ RIP_NAME("compression", "NAME", at, rip_tiff_compressions, help) }

/* Puts the printer into the tones: its class first, then its own dot gain. */
void rip_printer_option_choose(const struct rip_printer_option *printer,
			       struct rip_tone_choice *tone);

/* After all options: takes the input, and refuses options that contradict each other. */
int rip_halftone_options_check(const char *command, const char *input, int argc, char **argv,
			       struct rip_halftone_options *options);

/* All of `riptide halftone`: RIP_GO_ON, or the exit status to end with, after any message was
 * written. */
int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv);

/* Whether there is a drop for each level, if there are any.  RIP_GO_ON, or the exit status to end
 * with, after a message was written. */
int rip_option_drops(const char *command, const struct rip_drops *drops, unsigned levels);

/* Checks --compression against --levels, in the same way, and replaces RIP_TIFF_COMPRESSIONS with
 * the default. */
int rip_option_compression_check(const char *command, enum rip_tiff_compression *compression,
				 unsigned levels);

#endif
