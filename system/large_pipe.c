#include "config.h"

#include "large_pipe.h"

#include <fcntl.h>

#define PIPE_SIZE (1 << 20)

void rip_large_pipe(int fd)
{
	const int now = fcntl(fd, F_GETPIPE_SZ);

	if (now <= 0)
		return;
	for (int size = PIPE_SIZE; size > now && fcntl(fd, F_SETPIPE_SZ, size) < 0; size /= 2)
		;
}
