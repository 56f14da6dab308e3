#include "config.h"

#include "standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int rip_standard_streams_guard(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			return -errno;
	return 0;
}

int rip_standard_output_finish(const char *program, int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno)
		fprintf(stderr, "%s: cannot write standard output: %s\n", program,
			strerror(errno));
	else /* an earlier write failed, whose errno is not known here */
		fprintf(stderr, "%s: cannot write all of standard output\n", program);
	return status ? status : 1;
}
