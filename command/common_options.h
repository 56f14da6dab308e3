/*
 * Options that riptide's commands share: rows of their tables, and what they make of values.
 */
#ifndef RIP_COMMON_OPTIONS_H
#define RIP_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "halftone/engine_cpu.h"
#include "halftone/screen/mask_screen.h"
#include "halftone/screen/screen.h"
#include "halftone/screen/method.h"
#include "option.h"
#include "tone/preset.h"

enum rip_device_choice { RIP_CHOOSE_AUTO, RIP_CHOOSE_CPU, RIP_CHOOSE_GPU };

struct rip_device_option {
	enum rip_device_choice choice;
	int number; /* of the GPU, or -1: the first that works */
};

/* A screen by its name. */
struct rip_screen_option {
	const struct rip_screen *screen; /* NULL: a mask, which is made for each page */
	const char *mask; /* its name, known to rip_mask_screen_known(), or NULL */
	bool labels; /* blue noise with symbols drawn anew (halftone/label/labels.h) */
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

/* Rows of tables; at: the offset of the value. */
#define RIP_DEVICE_ROW(at) \
	{ RIP_VALUE("device", "DEVICE", at, rip_set_device, "auto, cpu, gpu or a GPU's number", \
		    "auto, cpu, gpu or a GPU's number (auto)"), .proposed = "auto cpu gpu" }
#define RIP_ISA_ROW(at) \
	{ RIP_VALUE("isa", "NAME", at, rip_set_isa, NULL, \
		    "the CPU's instruction set; help lists them"), .list = rip_isa_choice }
#define RIP_THREADS_ROW(at, help) \
	{ RIP_NUMBER("threads", "N", at, 1, 1024, help) }
#define RIP_LEVELS_ROW(at) \
	{ RIP_NUMBER("levels", "N", at, RIP_LEVELS_MIN, RIP_LEVELS_MAX, \
		     "output levels, 2 to 16 (2)"), \
	  .job = "halftone-levels", .basic = true }
#define RIP_SCREEN_ROW(at, help) \
	{ RIP_VALUE("screen", "NAME", at, rip_set_screen, NULL, help), \
	  .list = rip_screen_choice_cells, .job = "halftone-screen", .basic = true }
#define RIP_PRINTER_ROW(at, help) /* the place in rip_printer_names[] */ \
	{ RIP_NAME("printer", "NAME", at, rip_printer_names, help), .job = "halftone-dot-gain", \
	  .basic = true }
#define RIP_OUTPUT_ROW(at, help) \
	{ RIP_ARGUMENT(OUTPUT, "output", "OUT", at, help), .letter = 'o', .basic = true }

/* For rows, as list and set of option.h. */
const char *rip_method_choice(unsigned i);
const char *rip_isa_choice(unsigned i);
/* The screens; behind clustered-LPI, each LPI with the lines an inch and the angle of every ink. */
const char *rip_screen_choice_cells(unsigned i);
int rip_set_device(const char *value, void *device_option);
int rip_set_isa(const char *value, void *name); /* the library's own string */
int rip_set_screen(const char *value, void *screen_option);
int rip_set_screen_name(const char *value, void *name); /* any screen's */
int rip_set_resolution(const char *value, void *dpi);

/* Dots an inch; 0: not given. */
struct rip_dpi {
	unsigned x, y;
};


/* Some outputs have a format that the name cannot choose; a name with the suffix of another format
 * would mislead the programs that read the file. */
enum rip_file_kind {
	RIP_FILE_UNKNOWN, RIP_FILE_PBM, RIP_FILE_PGM, RIP_FILE_PPM, RIP_FILE_PNM, /* any of these */
	RIP_FILE_RASTER, /* of CUPS */
	RIP_FILE_PWG, RIP_FILE_URF, RIP_FILE_TIFF, RIP_FILE_PNG, RIP_FILE_JPEG, RIP_FILE_PDF,
};

#define RIP_SUFFIX(kind) (1u << RIP_FILE_##kind)
#define RIP_SUFFIX_DOTS  (RIP_SUFFIX(PBM) | RIP_SUFFIX(PGM) | RIP_SUFFIX(PPM) | RIP_SUFFIX(PNM))

/* The kind that the suffix of out stands for.  out may be NULL: standard output. */
enum rip_file_kind rip_suffix_kind(const char *out);

/* RIP_GO_ON, also for a name without a suffix that is known; or wrong usage (2, reported) for a
 * suffix of another kind than these (RIP_SUFFIX()).  choices: the suffixes to choose from; more:
 * what follows in the message. */
int rip_suffix_check(const char *command, const char *out, unsigned kinds, const char *choices,
		     const char *more);

/* The same for dots of so many levels: what reads PGM reads PBM too, but not the other way round.
 * exact: 2 levels are refused for PGM, too.  Of other kinds nothing is said. */
int rip_suffix_check_levels(const char *command, enum rip_file_kind kind, unsigned levels,
			    bool exact);

/*
 * What the command lines of `riptide halftone`, `riptide rip` and riptide-mpi have in common: the
 * options that change the dots, the input and the output.
 */

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
extern const struct rip_option_row rip_resolution_rows[]; /* --resolution, for masks */

/* range: what the command takes of what rip_set_resolution() does, such as "1 to 100000". */
#define RIP_RESOLUTION_ROW(at, letter_, range, help) \
	{ RIP_VALUE("resolution", "DPI", at, rip_set_resolution, \
		    "600, 600x1200 or 600dpi, numbers from " range, help), \
	  .letter = letter_, .basic = true, .proposed = "203 300 360 600 600x1200 1200 2400" }

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
