/*
 * The command line of `riptide calibrate`.
 */
#ifndef RIP_CALIBRATE_OPTIONS_H
#define RIP_CALIBRATE_OPTIONS_H

#include <stdbool.h>

#include "measured_file.h"
#include "command/common_options.h"
#include "tone/ink_name.h"

#define RIP_CALIBRATE_LISTS 16
#define RIP_CALIBRATE_FILES 16

struct rip_calibrate_options {
	const char *queue;   /* NULL: --output is there */
	const char *output;  /* NULL: the queue's file */
	const char *name;    /* of the calibration; NULL: the queue's */
	unsigned    lists;
	const char *match[RIP_CALIBRATE_LISTS];
	unsigned    files;
	const char *file[RIP_CALIBRATE_FILES];
	const char *screen;  /* NULL: the queue's, or clustered */
	const char *chart_screens; /* one or two; NULL: RIP_TARGET_SCREENS */
	char ink[RIP_INK_LETTERS]; /* of lists of numbers and of scans; those that are asked for */
	int printer;         /* the place in rip_printer_names[]; -1: the queue's, or laser */
	const char *picture; /* NULL: none */
	struct rip_dpi dpi;      /* 0: the queue's, or 600 */
	unsigned    levels;      /* 0: the queue's, or 2 */
	struct rip_drops drops;
	bool        has_drops; /* false: the queue's, or none */
	enum rip_unit unit;
	bool        undo, force;
	bool        to_standard; /* output or picture is standard output: nothing else goes there */
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_calibrate_options_parse(struct rip_calibrate_options *options, int argc, char **argv);

#endif
