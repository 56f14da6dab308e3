/*
 * A folder for the files of child processes, which is removed when this process and the children
 * have ended, by whatever means: a process of its own makes it and waits for that, the keeper.
 *
 * The keeper holds one end of a pipe; this process and its children hold the other one, which the
 * kernel closes for those that are killed.  The keeper has no other descriptor, ignores signals
 * and is no member of a terminal's process group.
 */
#ifndef RIP_PRIVATE_FOLDER_H
#define RIP_PRIVATE_FOLDER_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

struct rip_private_folder {
	char  path[PATH_MAX];
	int   fd;     /* of the folder */
	int   alive;  /* the pipe's end for children */
	pid_t keeper;
};

/* Makes one in the folder `in`; NULL: in TMPDIR.  Both descriptors are above RIP_CHILD_FD_MAX and
 * close-on-exec.  0 or -errno.  To be called while the process is small: the keeper is a copy of
 * it. */
int rip_private_folder_make(struct rip_private_folder *folder, const char *in);

/* Has it removed with its files, and waits for that if no child is left. */
void rip_private_folder_remove(struct rip_private_folder *folder);

#endif
