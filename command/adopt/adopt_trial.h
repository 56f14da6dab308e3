/*
 * A trial of a PPD: pages go through the filters that a queue with it would start, into a file.
 */
#ifndef RIP_ADOPT_TRIAL_H
#define RIP_ADOPT_TRIAL_H

#include <stddef.h>

/* Converts an empty page and one with tints, with cupsfilter(8) and the filters of this machine.
 * If this is root, the filters run as cupsd's user.  option: "NAME=VALUE" for the trial, or NULL.
 * program: our filter that has to halftone the pages.  0; -EIO, reported, if a filter fails, if
 * nothing comes out, if the program had nothing to halftone or did not run, or if both pages come
 * out the same; -EPERM, reported: this is root, and the server is another machine; other -errno if
 * it cannot be tried.  SIGINT, SIGTERM and SIGHUP have their effect when the filters and files are
 * gone, and these do not outlive this process, by whatever it ends. */
int rip_adopt_trial(const char *name, const char *text, size_t size, const char *option,
		    const char *program);

/* Whether a page does not come through the filters of the PPD as its vendor made it either, which
 * takes away the blame.  Reports nothing but that. */
void rip_adopt_trial_vendor(const char *name, const char *text, size_t size, const char *option);

#endif
