/*
 * A folder for temporary files that does not outlive the process, by whatever it ends.
 *
 * A second process waits for the end of this one and removes the folder with all that is in it.  It
 * keeps no descriptor of this process open, and the signals that end this process do not end it.
 */
#ifndef RIP_TEMPORARY_FOLDER_H
#define RIP_TEMPORARY_FOLDER_H

#include <limits.h>
#include <sys/types.h>

struct rip_temporary_folder {
	char  path[PATH_MAX];
	pid_t guard;
	int   end; /* of a pipe: closed when this process ends */
};

/* Makes a folder in the folder `in`; NULL: in TMPDIR, or in /tmp.  0 or -errno (reported). */
int rip_temporary_folder_make(struct rip_temporary_folder *folder, const char *in);

/* Returns when the folder is gone, or cannot be removed. */
void rip_temporary_folder_remove(struct rip_temporary_folder *folder);

#endif
