/*
 * Values of options that riptide's commands share: numbers, names from a list, devices,
 * instruction sets.
 *
 * Each function parses the value of one option.  It returns RIP_GO_ON, or the exit status
 * with which the command must end, after any message was written: 2 for a wrong value, 1
 * for one that is not available here, 0 for `help`, which lists the values on standard
 * output.
 */
#ifndef RIP_OPTION_H
#define RIP_OPTION_H

#include "halftone/engine_cpu.h"
#include "halftone/screen.h"
#include "halftone/method.h"

#define RIP_GO_ON (-1)

enum rip_device_choice { RIP_CHOOSE_AUTO, RIP_CHOOSE_CPU, RIP_CHOOSE_GPU };

struct rip_device_option {
	enum rip_device_choice choice;
	int number; /* of the GPU, or -1: the first that works */
};

/* Reports an unknown option, or one without its value: what getopt_long() returns as '?' or
 * ':' if its short options begin with ":".  Returns 2. */
int rip_option_bad(const char *command, int what, char **argv);

/* A whole number from min to max. */
int rip_option_number(const char *command, const char *option, const char *value, unsigned min,
		      unsigned max, unsigned *number);

int rip_option_method(const char *command, const char *value, enum rip_method *method);
int rip_option_screen(const char *command, const char *value, const struct rip_screen **screen);
int rip_option_device(const char *command, const char *value, struct rip_device_option *device);

/* *isa becomes the library's own string of that name. */
int rip_option_isa(const char *command, const char *value, const char **isa);

#endif
