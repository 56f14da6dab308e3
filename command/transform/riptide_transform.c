/*
 * riptide-transform, also called ipptransform: documents become pages for a printer.  See
 * riptide-transform(1).
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/start.h"
#include "halftone/simd/isa_environment.h"
#include "image/complain.h"
#include "system/standard_streams.h"
#include "tone/cal.h"
#include "transform.h"

#define NAME   "ipptransform"
#define PASSED "RIPTIDE_TRANSFORM_PASSED" /* the programs that had the call: "DEVICE:FILE," each */

/* Adds a program to those that had the call.  False: it had it before, or cannot be remembered. */
static bool pass(const struct stat *program, char *passed, size_t size)
{
	char mark[64];

	snprintf(mark, sizeof mark, ",%llu:%llu,", (unsigned long long)program->st_dev,
		 (unsigned long long)program->st_ino);
	if (strstr(passed, mark) || strlen(passed) + strlen(mark) > size - 2)
		return false;
	strcat(passed, *passed ? mark + 1 : mark);
	return true;
}

/* Becomes the next ipptransform in PATH that has not had the call, whatever names and links lead to
 * it.  Returns the exit status if there is none. */
static int become_next(char **argv, const struct rip_transform_request *request)
{
	const char *before = getenv(PASSED), *path = getenv("PATH");
	char passed[1024] = "", name[PATH_MAX];
	struct stat program;

	if (before && strlen(before) < sizeof passed)
		strcpy(passed, before);
	if (stat("/proc/self/exe", &program) == 0)
		pass(&program, passed, sizeof passed);
	for (size_t length; path && *path; path += length + (path[length] == ':')) {
		length = strcspn(path, ":");
		if (length == 0 || (size_t)snprintf(name, sizeof name, "%.*s/" NAME, (int)length,
						    path) >= sizeof name)
			continue;
		if (stat(name, &program) < 0 || !S_ISREG(program.st_mode) ||
		    access(name, X_OK) < 0 || !pass(&program, passed, sizeof passed))
			continue;
		setenv(PASSED, passed, 1);
		if (request->format == RIP_TRANSFORM_PCL) /* its name may have said so */
			setenv("OUTPUT_TYPE", "application/vnd.hp-pcl", 0);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
		argv[0] = name;
		execv(name, argv);
		rip_complain(0, "cannot start %s: %s", name, strerror(errno));
		return EXIT_FAILURE;
	}
	rip_complain(0, "%s, and there is no other " NAME " in PATH", request->why);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct rip_transform_request request;
	int status;

	if (rip_standard_streams_guard() < 0)
		return EXIT_FAILURE;
	rip_filter_set_signals();
	rip_complain_as("ERROR", NULL);
	rip_isa_limit_from_environment();
	rip_cal_use_folder(getenv("RIPTIDE_CALIBRATIONS"));
	status = rip_transform_request_read(&request, argc, argv);
	if (status == RIP_TRANSFORM_NEXT)
		status = become_next(argv, &request);
	else if (status == RIP_TRANSFORM_GO_ON)
		status = rip_transform_run(&request) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	rip_transform_request_finish(&request);
	return rip_standard_output_finish("ERROR", status);
}
