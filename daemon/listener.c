/* The sockets that clients connect to, and who may. */
#include "config.h"

#include "listener.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

#define BACKLOG       128
#define LOCK_TRIES    20
#define LOCK_PAUSE_NS 50000000 /* 50 ms */

static void add_group(struct rip_listener *listener, gid_t gid)
{
	for (int i = 0; i < listener->group_count; i++)
		if (listener->groups[i] == gid)
			return;
	listener->groups[listener->group_count++] = gid;
}

/* The group of a socket's file: who may write to it may connect. */
static void add_group_of(struct rip_listener *listener, int fd)
{
	union {
		struct sockaddr    any;
		struct sockaddr_un un;
	} address;
	socklen_t length = sizeof address;
	char path[sizeof address.un.sun_path + 1];
	struct stat st;

	memset(&address, 0, sizeof address);
	if (getsockname(fd, &address.any, &length) < 0 || address.un.sun_path[0] != '/')
		return;
	snprintf(path, sizeof path, "%.*s", (int)sizeof address.un.sun_path, address.un.sun_path);
	if (stat(path, &st) == 0)
		add_group(listener, st.st_gid);
}

static int take_passed(struct rip_listener *listener, int count, const char *group, char *error,
		       size_t size)
{
	const struct group *entry = *group ? getgrnam(group) : NULL;

	if (count > RIP_LISTENERS_MAX) {
		snprintf(error, size, "%d sockets were passed, at most %d can be used", count,
			 RIP_LISTENERS_MAX);
		return -E2BIG;
	}
	for (int i = 0; i < count; i++) {
		int fd = SD_LISTEN_FDS_START + i;

		if (sd_is_socket_unix(fd, SOCK_STREAM, 1, NULL, 0) <= 0) {
			snprintf(error, size, "descriptor %d that was passed is no listening UNIX "
				 "stream socket (ListenStream=/path in the socket unit)", fd);
			return -EINVAL;
		}
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
		listener->fds[listener->count++] = fd;
		add_group_of(listener, fd);
	}
	if (entry)
		add_group(listener, entry->gr_gid);
	listener->passed = true;
	return 0;
}

/* Makes the last folder of the path if it is missing: /run/riptide is gone after
 * a boot.  Returns it open and locked (as far as that can be had in a second), so
 * that two daemons that start at once do not replace each other's socket. */
static int lock_folder(const char *path, char *error, size_t size)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };
	char folder[sizeof(((struct sockaddr_un *)0)->sun_path)];
	char *slash;
	int fd, r;

	snprintf(folder, sizeof folder, "%s", path);
	slash = strrchr(folder, '/');
	if (!slash)
		strcpy(folder, ".");
	else
		slash[slash == folder] = '\0';
	if (mkdir(folder, 0755) < 0 && errno != EEXIST && errno != EROFS) {
		r = -errno;
		snprintf(error, size, "cannot make the folder %s for the socket: %s", folder,
			 strerror(-r));
		return r;
	}
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		r = -errno;
		snprintf(error, size, "cannot open the folder %s of the socket: %s", folder,
			 strerror(-r));
		return r;
	}
	for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) < 0; i++)
		nanosleep(&pause, NULL);
	return fd;
}

/* Makes room for our socket at this address: 0; -errno if something is in the way
 * that is not ours to remove. */
static int clear_the_way(const struct sockaddr_un *address, char *error, size_t size)
{
	const char *path = address->sun_path;
	struct stat st;
	int fd, r = 0;

	if (lstat(path, &st) < 0)
		return 0; /* bind() will say what is wrong, if anything is */
	if (!S_ISSOCK(st.st_mode)) {
		snprintf(error, size, "%s exists and is no socket: remove it or choose another "
			 "--socket", path);
		return -EEXIST;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	/* Nobody listens at a socket that refuses; one whose queue is full is alive. */
	if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 ||
	    errno != ECONNREFUSED) {
		r = -EADDRINUSE;
		snprintf(error, size, "another riptided listens on %s", path);
	} else if (unlink(path) < 0) {
		r = -errno;
		snprintf(error, size, "cannot remove the stale socket %s: %s", path, strerror(-r));
	}
	close(fd);
	return r;
}

/* Nobody can connect before the mode is right, for the file is made with 0600. */
static int bind_and_listen(struct rip_listener *listener, const struct sockaddr_un *address,
			   const char *group)
{
	const char *path = address->sun_path;
	const struct group *entry = *group ? getgrnam(group) : NULL;
	mode_t before;
	struct stat st;
	int r, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	before = umask(0177);
	r = bind(fd, (const struct sockaddr *)address, sizeof *address) < 0 ? -errno : 0;
	umask(before);
	if (r < 0 || lstat(path, &st) < 0) {
		r = r < 0 ? r : -errno;
		close(fd);
		return r;
	}
	listener->fds[listener->count++] = fd;
	strcpy(listener->path, path);
	listener->device = st.st_dev;
	listener->inode = st.st_ino;
	if (entry && (st.st_gid == entry->gr_gid || chown(path, -1, entry->gr_gid) == 0)) {
		if (chmod(path, 0660) < 0)
			return -errno;
		add_group(listener, entry->gr_gid);
	}
	return listen(fd, BACKLOG) < 0 ? -errno : 0;
}

static int make(struct rip_listener *listener, const char *path, const char *group, char *error,
		size_t size)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int folder, r;

	if (strlen(path) >= sizeof address.sun_path) {
		snprintf(error, size, "the socket's path is too long, at most %zu bytes can be "
			 "used: %s", sizeof address.sun_path - 1, path);
		return -ENAMETOOLONG;
	}
	strcpy(address.sun_path, path);
	folder = lock_folder(path, error, size);
	if (folder < 0)
		return folder;
	r = clear_the_way(&address, error, size);
	if (r == 0) {
		r = bind_and_listen(listener, &address, group);
		if (r < 0)
			snprintf(error, size, "cannot listen on %s: %s", path, strerror(-r));
	}
	close(folder);
	return r;
}

int rip_listener_init(struct rip_listener *listener, const char *path, const char *group,
		      char *error, size_t size)
{
	int r = sd_listen_fds(1);

	*listener = (struct rip_listener){ .count = 0 };
	if (r < 0)
		snprintf(error, size, "the sockets that were passed cannot be used: %s",
			 strerror(-r));
	else if (r > 0)
		r = take_passed(listener, r, group, error, size);
	else
		r = make(listener, path, group, error, size);
	if (r < 0)
		rip_listener_finish(listener);
	return r;
}

void rip_listener_give_up(const char *why)
{
	const int count = sd_listen_fds(0);

	for (int i = 0; i < count && i < RIP_LISTENERS_MAX; i++) {
		int listener = SD_LISTEN_FDS_START + i, fd;

		if (sd_is_socket_unix(listener, SOCK_STREAM, 1, NULL, 0) <= 0)
			continue;
		fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK);
		while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
			rip_peer_refuse(fd, why);
	}
}

void rip_listener_finish(struct rip_listener *listener)
{
	struct stat st;

	for (int i = 0; i < listener->count; i++)
		close(listener->fds[i]);
	listener->count = 0;
	if (listener->path[0] && lstat(listener->path, &st) == 0 &&
	    st.st_dev == listener->device && st.st_ino == listener->inode)
		unlink(listener->path);
	listener->path[0] = '\0';
}

bool rip_listener_allows(const struct rip_listener *listener, int fd, const struct rip_peer *peer)
{
	return peer->uid == 0 || peer->uid == geteuid() ||
	       rip_peer_in_groups(fd, peer, listener->groups, listener->group_count);
}
