/* Input and output of a job that may be canceled. */
#include "filter/cancel.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <sys/stat.h>

#include "system/write_all.h"

#define WAIT 200 /* ms */

int rip_cancel_wait(const struct rip_cancel *cancel, int fd, short events)
{
	struct pollfd one = { .fd = fd, .events = events };
	int r = 0;

	while (cancel && r == 0) {
		if (cancel->canceled(cancel->context))
			return -ECANCELED;
		r = poll(&one, 1, WAIT);
		if (r < 0 && errno != EINTR)
			return -errno;
		r = r < 0 ? 0 : r;
	}
	return 0;
}

int rip_cancel_write(const struct rip_cancel *cancel, int fd, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	struct stat file;
	const bool may_block = cancel && (fstat(fd, &file) < 0 || !S_ISREG(file.st_mode));
	/* A pipe that can be written to has room for so much; more could block. */
	const size_t most = may_block ? PIPE_BUF : n;
	int r = 0;

	while (r == 0 && n > 0) {
		const size_t part = n < most ? n : most;

		r = rip_cancel_wait(cancel, fd, POLLOUT);
		if (r == 0)
			r = rip_write_all(fd, at, part);
		at += part;
		n -= part;
	}
	return r;
}
