/*
 * Finds programs as execvp() does.
 */
#ifndef RIP_PROGRAM_H
#define RIP_PROGRAM_H

#include <stdbool.h>

/* Whether execvp() finds a program of this name that the user may run. */
bool rip_program_exists(const char *name);

#endif
