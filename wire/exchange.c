#include "config.h"

#include "exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "system/clock.h"

int rip_exchange_fault(rip_reason reason, int fault)
{
	switch (fault) {
	case -ETIMEDOUT:
		snprintf(reason, sizeof(rip_reason), "it has been silent for %d s",
			 RIP_SILENCE_MS / 1000);
		break;
	case -ECONNRESET:
	case -EPIPE:
		snprintf(reason, sizeof(rip_reason), "it has closed the connection");
		break;
	case -EPROTO:
		snprintf(reason, sizeof(rip_reason), "it broke the protocol");
		break;
	default:
		snprintf(reason, sizeof(rip_reason), "%s", strerror(-fault));
	}
	return fault;
}

int rip_exchange_nonsense(rip_reason reason, const char *nonsense)
{
	snprintf(reason, sizeof(rip_reason), "%s", nonsense);
	return -EPROTO;
}

int rip_exchange_other_version(rip_reason reason, uint32_t version)
{
	snprintf(reason, sizeof(rip_reason), "it speaks version %u of the protocol and not %u: "
		 "restart riptided after an update", (unsigned)version, RIP_PROTOCOL_VERSION);
	return -EPROTO;
}

int rip_exchange_await_until(struct rip_connection *connection, int64_t end,
			     struct rip_message *message, rip_reason reason)
{
	const int64_t silence = rip_clock_ms() + RIP_SILENCE_MS;
	const int64_t deadline = silence < end ? silence : end;
	bool late = false;

	for (;;) {
		struct pollfd pfd = { .fd = connection->fd, .events = POLLIN };
		int64_t left;
		int r = rip_connection_receive(connection, message);

		if (r == 0)
			break;
		if (r != -EAGAIN)
			return rip_exchange_fault(reason, r);
		/* Look at the socket once more after the deadline: this process may have
		 * been stopped meanwhile. */
		if (late)
			return rip_exchange_fault(reason, -ETIMEDOUT);
		/* If the peer is gone, its last messages may still lie in the socket. */
		if (rip_connection_flush(connection) == 0 && rip_connection_pending(connection))
			pfd.events |= POLLOUT;
		left = deadline - rip_clock_ms();
		if (left > 0 && poll(&pfd, 1, (int)left) < 0 && errno != EINTR)
			return rip_exchange_fault(reason, -errno);
		late = rip_clock_ms() >= deadline;
	}
	if (message->type == RIP_GOODBYE) {
		rip_reason why;

		rip_text_escape(why, sizeof why, message->reason.text);
		snprintf(reason, sizeof(rip_reason), "it has ended the session%s%.90s",
			 *why ? ": " : "", why);
		return -ECONNRESET;
	}
	return 0;
}

int rip_exchange_await(struct rip_connection *connection, struct rip_message *message,
		       rip_reason reason)
{
	return rip_exchange_await_until(connection, INT64_MAX, message, reason);
}

int rip_exchange_say(struct rip_connection *connection, const struct rip_message *message,
		     rip_reason reason)
{
	int r = rip_connection_send(connection, message, NULL);

	if (r == -EPIPE || r == -ECONNRESET)
		return 0;
	return r < 0 ? rip_exchange_fault(reason, r) : 0;
}

/* The folder on the way to a path that this process may not enter.  False: there is none. */
static bool find_closed_folder(const char *path, char *folder, size_t size)
{
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(folder, size, "%.*s", (int)(slash - path), path);
		if (faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS) < 0 && errno == EACCES)
			return true;
	}
	return false;
}

/* Says why we may not connect: a folder is closed to us, or we are not in the socket's group; where
 * the socket cannot be seen for another reason, the group that this build gives it to. */
static int explain_denial(const char *path, rip_reason reason)
{
	char group[48] = RIP_CUPS_GROUP;
	char folder[sizeof(((struct sockaddr_un *)0)->sun_path)];
	struct stat socket_file;
	const struct group *entry;

	if (find_closed_folder(path, folder, sizeof folder)) {
		snprintf(reason, sizeof(rip_reason), "permission denied by the folder %.95s",
			 folder);
		return -EACCES;
	}
	if (stat(path, &socket_file) == 0) {
		entry = getgrgid(socket_file.st_gid);
		if (!(socket_file.st_mode & S_IWGRP))
			*group = '\0';
		else if (entry)
			snprintf(group, sizeof group, "%s", entry->gr_name);
		else
			snprintf(group, sizeof group, "%u", (unsigned)socket_file.st_gid);
	}
	if (*group)
		snprintf(reason, sizeof(rip_reason),
			 "permission denied; root and members of the group %s may connect", group);
	else
		snprintf(reason, sizeof(rip_reason),
			 "permission denied; root and the owner of the socket may connect");
	return -EACCES;
}

int rip_exchange_connect(struct rip_connection *connection, const char *path, rip_reason reason)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t length = strlen(path);
	int fd, error;

	connection->fd = -1;
	if (length == 0 || length >= sizeof address.sun_path) {
		snprintf(reason, sizeof(rip_reason), "the path must have 1 to %zu bytes",
			 sizeof address.sun_path - 1);
		return -EINVAL;
	}
	memcpy(address.sun_path, path, length);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return rip_exchange_fault(reason, -errno);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
		rip_connection_init(connection, fd);
		return 0;
	}
	error = errno;
	close(fd);
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ECONNREFUSED:
		rip_exchange_fault(reason, -error);
		return RIP_CLIENT_ABSENT;
	case EAGAIN:
		snprintf(reason, sizeof(rip_reason), "its queue of connections is full");
		return RIP_CLIENT_BUSY;
	case EACCES:
		return explain_denial(path, reason);
	default:
		return rip_exchange_fault(reason, -error);
	}
}

int rip_exchange_refusal(const struct rip_message *answer, rip_reason reason)
{
	switch (answer->type) {
	case RIP_BUSY:
	case RIP_NO_ACCELERATOR:
	case RIP_REFUSED:
		if (answer->reason.version != RIP_PROTOCOL_VERSION)
			return rip_exchange_other_version(reason, answer->reason.version);
		rip_text_escape(reason, sizeof(rip_reason), answer->reason.text);
		return answer->type == RIP_BUSY             ? RIP_CLIENT_BUSY
		       : answer->type == RIP_NO_ACCELERATOR ? RIP_CLIENT_NO_ACCELERATOR
							    : -EACCES;
	default:
		return rip_exchange_fault(reason, -EPROTO);
	}
}
