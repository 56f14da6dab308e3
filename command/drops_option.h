/*
 * --drops of several commands.
 */
#ifndef RIP_DROPS_OPTION_H
#define RIP_DROPS_OPTION_H

#include "tone/drops.h"

/* Whether there is a drop for each level, if there are any.  RIP_GO_ON, or the exit status to end with,
 * after a message was written. */
int rip_option_drops(const char *command, const struct rip_drops *drops, unsigned levels);

#endif
