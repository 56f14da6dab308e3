#include "config.h"

#include "temporary_space.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "write_all.h"

#define WRITTEN_BYTES (64u << 10)

const char *rip_temporary_space_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

int rip_temporary_space_file(void)
{
	const char *folder = rip_temporary_space_folder();
	char name[4096];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Some file systems have no such files. */
	snprintf(name, sizeof name, "%s/riptide.XXXXXX", folder);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(name);
	return fd;
}

int rip_temporary_space_refuse(int error, char *why, size_t size)
{
	const char *folder = rip_temporary_space_folder(), *set = getenv("TMPDIR");

	snprintf(why, size,
		 "cannot write temporary files to %.160s%s: %s: %sset TMPDIR to another folder",
		 folder, set && *set ? " (TMPDIR)" : "", strerror(error),
		 error == ENOSPC || error == EDQUOT ? "make room there, or " : "");
	return -error;
}

bool rip_temporary_space_is_free(uint64_t bytes)
{
	const int fd = rip_temporary_space_file();
	struct statvfs info;
	bool enough;

	if (fd < 0)
		return false;
	enough = fstatvfs(fd, &info) == 0 && (uint64_t)info.f_bavail * info.f_frsize >= bytes;
	close(fd);
	return enough;
}

/* Writes zeros until the file has so many bytes.  0 or -errno. */
static int fill(int fd, size_t done, size_t bytes)
{
	static const char nothing[4096];
	int r = 0;

	for (; r == 0 && done < bytes; done += sizeof nothing)
		r = rip_write_all(fd, nothing,
				  bytes - done < sizeof nothing ? bytes - done : sizeof nothing);
	return r;
}

/* Reserves so many bytes for the file.  0; -EOPNOTSUPP: nothing can be reserved; other -errno. */
static int reserve(int fd, size_t bytes)
{
	int r;

	do
		r = fallocate(fd, 0, 0, (off_t)bytes) < 0 ? -errno : 0;
	while (r == -EINTR);
	return r == -ENOSYS ? -EOPNOTSUPP : r;
}

int rip_temporary_space_check(size_t bytes, char *why, size_t size)
{
	/* Some file systems do not refuse what is only reserved, so the first bytes are written.
	 * All would take long for a large document. */
	const size_t written = bytes < WRITTEN_BYTES ? bytes : WRITTEN_BYTES;
	const int fd = rip_temporary_space_file();
	int r = fd < 0 ? fd : fill(fd, 0, written);

	if (r == 0 && written < bytes)
		r = reserve(fd, bytes);
	if (r == -EOPNOTSUPP)
		r = fill(fd, written, bytes);
	if (fd >= 0)
		close(fd);
	return r < 0 ? rip_temporary_space_refuse(-r, why, size) : 0;
}
