/*
 * What colord, the system's service for colour profiles, says about a queue, asked over the
 * system's D-Bus.  Used by one thread.
 */
#ifndef RIP_COLORD_H
#define RIP_COLORD_H

#include <stdbool.h>
#include <stddef.h>

#define RIP_COLORD_WAIT_S 3 /* for each answer */

/* Asks for the profile of a queue for the choices of colours, paper and resolution (none is
 * NULL): an exact match, or one for fewer of them, as colord decides.  *inhibited: colours must
 * not be changed, because somebody measures this printer.  path: the profile's file, or "".
 * 0; -ENOENT: there is no bus, no colord or no such queue in it; -ETIMEDOUT; other -errno.
 * After an error, false and "". */
int rip_colord_ask(const char *printer, const char *const choices[3], bool *inhibited, char *path,
		   size_t size);

#endif
