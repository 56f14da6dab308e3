#include "config.h"

#include "standard_streams.h"

#include <errno.h>
#include <fcntl.h>

int rip_standard_streams_guard(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			return -errno;
	return 0;
}
