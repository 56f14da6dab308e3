/*
 * The difference between two texts that are equal but for some lines, in the form of diff -u0,
 * which patch(1) takes.  Used by one thread.
 */
#ifndef RIP_PPD_DIFF_H
#define RIP_PPD_DIFF_H

#include <stddef.h>
#include <stdio.h>

/* Writes the difference.  Lines are compared; where they differ, the next place is searched where
 * three lines are equal.  name: of both files.  0 or -EIO. */
int rip_ppd_diff(FILE *out, const char *name, const char *before, size_t before_size,
		 const char *after, size_t after_size);

#endif
