#include "config.h"

#include "filter/start.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "filter/report.h"
#include "halftone/simd/isa_environment.h"
#include "system/large_pipe.h"
#include "system/standard_streams.h"
#include "tone/cal.h"

void rip_filter_set_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

int rip_filter_start(const char *name, const char *usage, int argc, char **argv)
{
	if (rip_standard_streams_guard() < 0)
		return EXIT_FAILURE;
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return rip_standard_output_finish(name, EXIT_SUCCESS);
	}
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("%s (" PACKAGE_NAME ") " PACKAGE_VERSION "\n", name);
		return rip_standard_output_finish(name, EXIT_SUCCESS);
	}
	if (argc != 6 && argc != 7) {
		fputs(usage, stderr);
		return EXIT_FAILURE;
	}
	rip_isa_limit_from_environment();
	rip_cal_use_folder(getenv("RIPTIDE_CALIBRATIONS"));
	rip_filter_set_signals();
	rip_large_pipe(STDIN_FILENO);
	rip_large_pipe(STDOUT_FILENO);
	/* Large blocks go back to the system when they are freed.  In the heap, the next
	 * page's blocks might not fit into the gaps. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	return RIP_FILTER_GO_ON;
}

const char *rip_filter_socket(void)
{
	const char *path = getenv("RIPTIDE_SOCKET");

	/* Keeps other processes of our uid from reading the ring's pixels through /proc. */
	if (!path || strcmp(path, "none"))
		prctl(PR_SET_DUMPABLE, 0);
	return path;
}

int rip_filter_input(int argc, char **argv)
{
	int fd = STDIN_FILENO;

	if (argc == 7 && !*argv[6]) {
		rip_error("the name of the document is empty");
		return -ENOENT;
	}
	if (argc == 7) {
		fd = open(argv[6], O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			fd = -errno;
			rip_error("cannot open %s: %s", argv[6], strerror(-fd));
		}
	}
	return fd;
}
