/* Where log lines go.  The journal's protocol is that of systemd's JOURNAL_NATIVE_PROTOCOL:
 * one datagram of fields.  libsystemd's calls wait until the journal has room. */
#include "config.h"

#include "log_output.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int journal_fd = -1;
static int text_fd = STDERR_FILENO;
static bool text_is_socket;

/* stderr with a file description of its own: others that share it may want to block. */
static void open_text(mode_t mode)
{
	int fd = -1;

	if (S_ISFIFO(mode) || S_ISCHR(mode))
		fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0)
		text_fd = fd;
	text_is_socket = S_ISSOCK(mode);
}

bool rip_log_output_init(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	rip_log_output_finish();
	if (fstat(STDERR_FILENO, &st) < 0)
		return false;
	open_text(st.st_mode);
	/* JOURNAL_STREAM is inherited; it counts only if stderr still is that stream. */
	if (stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	    st.st_dev == device && st.st_ino == inode)
		journal_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return journal_fd >= 0;
}

void rip_log_output_finish(void)
{
	if (journal_fd >= 0)
		close(journal_fd);
	journal_fd = -1;
	if (text_fd != STDERR_FILENO)
		close(text_fd);
	text_fd = STDERR_FILENO;
}

bool rip_log_output_fields(struct iovec *fields, int count)
{
	struct sockaddr_un address = { AF_UNIX, "/run/systemd/journal/socket" };
	const struct msghdr message = {
		.msg_name = &address,
		.msg_namelen = sizeof address,
		.msg_iov = fields,
		.msg_iovlen = (size_t)count,
	};

	return journal_fd >= 0 && sendmsg(journal_fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
}

bool rip_log_output_text(const char *line, size_t size)
{
	struct pollfd pfd = { .fd = text_fd, .events = POLLOUT };

	/* Where it could not be opened anew, a pipe with room takes a line at once. */
	if (poll(&pfd, 1, 0) <= 0 || !(pfd.revents & POLLOUT))
		return false;
	return (text_is_socket ? send(text_fd, line, size, MSG_DONTWAIT | MSG_NOSIGNAL)
			       : write(text_fd, line, size)) == (ssize_t)size;
}
