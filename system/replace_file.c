#include "config.h"

#include "replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rip_file_sync(int fd)
{
	int r;

	do
		r = fsync(fd);
	while (r < 0 && errno == EINTR);
	/* Pipes and some file systems have nothing to synchronize. */
	return r == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP ? 0 : -errno;
}

/* Opens the folder that a name is in.  A descriptor or -errno. */
static int open_folder(int folder, const char *name)
{
	const char *slash = strrchr(name, '/');
	char *above = slash ? strndup(name, slash > name ? (size_t)(slash - name) : 1) :
			      strdup(".");
	int fd;

	if (!above)
		return -ENOMEM;
	fd = openat(folder, above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = fd < 0 ? -errno : fd;
	free(above);
	return fd;
}

int rip_file_rename(int folder, const char *from, const char *to)
{
	int above, r;

	if (renameat(folder, from, folder, to) < 0)
		return -errno;
	above = open_folder(folder, to);
	if (above < 0)
		return above == -EACCES ? 0 : above; /* a folder that may be written but not read */
	r = rip_file_sync(above);
	close(above);
	return r;
}
