/*
 * What ArgyllCMS must know of a chart, in files beside it (CGATS text): the patches (.ti1), what
 * targen writes; their places (.ti2), what printtarg writes and chartread reads; and their boxes on
 * each page (.cht), for scanin.
 *
 * Errors are reported on standard error, and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_ARGYLL_FILES_H
#define RIP_ARGYLL_FILES_H

#include "image/out_file.h"
#include "target_pages.h"

#define RIP_ARGYLL_FILES_MAX (2 + RIP_TARGET_INKS_MAX)

/* Zeros to begin with. */
struct rip_argyll_files {
	unsigned count;
	char    *paths[RIP_ARGYLL_FILES_MAX];
};

/* Opens and writes the files of a chart that is in the file `out`: its name, with other endings.
 * ppd: a file that none of them may replace, or NULL.
 * opened: room for RIP_ARGYLL_FILES_MAX, of which files->count are to be committed, or abandoned
 * after an error, before the names are finished. */
int  rip_argyll_files_open(struct rip_argyll_files *files, const struct rip_target_plan *plan,
			   const char *out, const char *ppd, struct rip_out_file opened[]);
void rip_argyll_files_finish(struct rip_argyll_files *files);

#endif
