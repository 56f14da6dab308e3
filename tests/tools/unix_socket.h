/* Sockets at a path.  What fails ends the process. */
#ifndef RIP_TEST_UNIX_SOCKET_H
#define RIP_TEST_UNIX_SOCKET_H

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static inline int unix_check(int result, const char *path)
{
	if (result < 0) {
		perror(path);
		_exit(99);
	}
	return result;
}

/* A socket whose file is there; an old one is removed. */
static inline int unix_bound(const char *path, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = unix_check(socket(AF_UNIX, type | SOCK_CLOEXEC, 0), path);

	unlink(path);
	strcpy(address.sun_path, path);
	unix_check(bind(fd, (struct sockaddr *)&address, sizeof address), path);
	return fd;
}

static inline int unix_listen(const char *path)
{
	const int fd = unix_bound(path, SOCK_STREAM);

	unix_check(listen(fd, 16), path);
	return fd;
}

static inline int unix_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = unix_check(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), path);

	strcpy(address.sun_path, path);
	unix_check(connect(fd, (struct sockaddr *)&address, sizeof address), path);
	return fd;
}

#endif
