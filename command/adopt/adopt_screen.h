/*
 * Whether the resolutions of a PPD have the screen that riptide adopt --screen names.
 */
#ifndef RIP_ADOPT_SCREEN_H
#define RIP_ADOPT_SCREEN_H

#include <stddef.h>

/* Looks for a resolution (HWResolution) in the text of a PPD that has the screen; a PPD without
 * resolutions is accepted.  name: of the queue or the file, for the message; screen: a name that
 * rip_option_screen() accepts.  0, or -ENOENT, which is reported on standard error. */
int rip_adopt_screen_check(const char *name, const char *screen, const char *text, size_t size);

#endif
