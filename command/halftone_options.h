/*
 * The command line of `riptide halftone`.
 */
#ifndef RIP_HALFTONE_OPTIONS_H
#define RIP_HALFTONE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/ink/light_inks.h"
#include "tone/tone_choice.h"
#include "image/tiff_writer.h"
#include "command/image_options.h"

struct rip_halftone_options {
	struct rip_image_options image;
	enum rip_method method;
	unsigned        band_rows; /* 0: chosen to suit the caches */
	struct rip_tone_choice tone;
	const char     *socket;    /* the daemon's, or NULL: in-process */
	enum rip_ink    ink;       /* of an image with one plane */
	bool            ink_named; /* that was an option */
	unsigned        light_inks; /* of raster: a set of light_inks.h */
	/* For TIFF only: */
	enum rip_tiff_compression compression;
	bool            composite;   /* all inks in one file */
	const char     *plane_names; /* separated by commas, or NULL: those of the inks */
	const char     *tiff_option; /* the first of these three that was given, or NULL */
};

#define RIP_HALFTONE_DEFAULTS { .image = RIP_IMAGE_DEFAULTS, .tone = rip_tone_choice_nothing(), \
	.ink = RIP_INK_BLACK }

/* For programs with the same options: as in image_options.h; a program's own options have letters,
 * or numbers from RIP_HALFTONE_OWN. */
enum {
	RIP_HALFTONE_METHOD = RIP_OPTION_PROGRAM, RIP_HALFTONE_BAND, RIP_HALFTONE_SOCKET,
	RIP_HALFTONE_DOT_GAIN, RIP_HALFTONE_TARGET, RIP_HALFTONE_DENSITY, RIP_HALFTONE_GAMMA,
	RIP_HALFTONE_INK_LIMIT, RIP_HALFTONE_TONER_SAVE, RIP_HALFTONE_INK, RIP_HALFTONE_LIGHT_INKS,
	RIP_HALFTONE_LIGHT_STRENGTH, RIP_HALFTONE_DROPS, RIP_HALFTONE_OWN
};

#define RIP_HALFTONE_LONG_OPTIONS \
	RIP_IMAGE_LONG_OPTIONS, \
	{ "method", required_argument, NULL, RIP_HALFTONE_METHOD }, \
	{ "band", required_argument, NULL, RIP_HALFTONE_BAND }, \
	{ "dot-gain", required_argument, NULL, RIP_HALFTONE_DOT_GAIN }, \
	{ "target", required_argument, NULL, RIP_HALFTONE_TARGET }, \
	{ "density", required_argument, NULL, RIP_HALFTONE_DENSITY }, \
	{ "gamma", required_argument, NULL, RIP_HALFTONE_GAMMA }, \
	{ "ink-limit", required_argument, NULL, RIP_HALFTONE_INK_LIMIT }, \
	{ "toner-save", required_argument, NULL, RIP_HALFTONE_TONER_SAVE }, \
	{ "ink", required_argument, NULL, RIP_HALFTONE_INK }, \
	{ "light-inks", required_argument, NULL, RIP_HALFTONE_LIGHT_INKS }, \
	{ "light-strength", required_argument, NULL, RIP_HALFTONE_LIGHT_STRENGTH }, \
	{ "drops", required_argument, NULL, RIP_HALFTONE_DROPS }, \
	{ "socket", required_argument, NULL, RIP_HALFTONE_SOCKET }

/* The help text: the options that change the dots, and those that change only the speed. */
#define RIP_HALFTONE_DOTS_HELP \
	RIP_IMAGE_HELP \
	"  --dot-gain GAIN       the printer: its dot gain in points, or laser, inkjet, thermal,\n" \
	"                        or none (none); help lists the printers\n" \
	"  --target TARGET       what paper shows with --dot-gain: print, linear (print)\n" \
	"  --density PERCENT     how dark to print, 50 to 200 (100)\n" \
	"  --gamma GAMMA         above 1 lightens, 0.2 to 5 (1)\n" \
	"  --ink-limit PERCENT   the most ink in a place, 100 for one full ink (none)\n" \
	RIP_TONER_SAVE_HELP \
	"  --ink NAME            the ink of an image with one plane: cyan, magenta, yellow, black, or\n" \
	"                        C, M, Y, K, or any other (black); masks have an angle for each ink\n" \
	"  --drops SIZES         the drops of the levels: 3,7,14 picolitres, or 40%,70%,100% of the\n" \
	"                        largest one's area (none)\n" \
	"  --light-inks INKS     raster: print cm, k or cmk with light inks, too (none)\n" \
	"  --light-strength PERCENT  a tint of the dark ink as dark as full light ink, 5 to 50 (30)\n"
#define RIP_HALFTONE_SPEED_HELP \
	"Options that change only the speed:\n" \
	"  --method NAME         who computes the dots (auto); help lists the methods\n" \
	"  --device DEVICE       auto, cpu, gpu or a GPU's number (auto)\n" \
	"  --isa NAME            the CPU's instruction set; help lists them\n" \
	"  --threads N           threads (one for each processor that may be used)\n" \
	"  --band LINES          rows that are halftoned at a time\n" \
	"  --socket PATH         use the riptided that listens on PATH; none: in-process\n"

/* Parses one of these options, or one that rip_option_image() takes. */
int rip_option_halftone(const char *command, int option, const char *value, char **argv,
			const char *help, struct rip_halftone_options *options);

/* After all options: takes the input, and refuses options that contradict each other. */
int rip_halftone_options_check(const char *command, const char *input, int argc, char **argv,
			       struct rip_halftone_options *options);

/* Whether the drops are for --levels, for pages that print with them. */
int rip_halftone_options_check_drops(const char *command, const struct rip_halftone_options *options);

/* All of `riptide halftone`: RIP_GO_ON, or the exit status to end with, after any message was
 * written. */
int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv);

/* Of these options, what other commands have too.  RIP_GO_ON, or the exit status to end with. */

#define RIP_TONER_SAVE_HELP \
	"  --toner-save LEVEL    less ink inside areas, not at edges: 0 to 3, or 10 to 80 percent\n" \
	"                        (0)\n"

/* Parses its value, to percent; 0: none.  RIP_GO_ON, or the exit status to end with. */
int rip_option_toner_save(const char *command, const char *value, unsigned *percent);

/* Whether there is a drop for each level, if there are any.  RIP_GO_ON, or the exit status to end with,
 * after a message was written. */
int rip_option_drops(const char *command, const struct rip_drops *drops, unsigned levels);

/* Parses the value of --compression.  RIP_GO_ON, or the exit status, as in option.h. */
int rip_option_compression(const char *command, const char *value, enum rip_tiff_compression *compression);

/* Checks it against --levels, in the same way. */
int rip_option_compression_check(const char *command, enum rip_tiff_compression compression, unsigned levels);

#endif
