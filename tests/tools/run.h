/*
 * Runs a program from a unit test, with files in memory as its standard streams; and captures
 * what a function writes to standard error.
 */
#ifndef RIP_TEST_RUN_H
#define RIP_TEST_RUN_H

#include "tests/tools/common.h"

struct rip_run {
	int      status;    /* exit status, or 128 and the signal */
	uint8_t *out;       /* what it wrote to standard output, and a NUL; free() it */
	size_t   out_size;
	char     err[2048]; /* the beginning of what it wrote to standard error */
};

/* A file in memory with these bytes, at its start. */
__attribute__((unused)) static int rip_run_file(const void *bytes, size_t size)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Everything in a file, and a NUL. */
__attribute__((unused)) static uint8_t *rip_run_contents(int fd, size_t *size)
{
	struct stat info;
	uint8_t *bytes;

	assert_int_equal(fstat(fd, &info), 0);
	*size = (size_t)info.st_size;
	bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(pread(fd, bytes, *size, 0), *size);
	bytes[*size] = '\0';
	return bytes;
}

/* The path of a program that was built; free() is not needed. */
__attribute__((unused)) static const char *rip_run_program(const char *name)
{
	static char path[4096];
	const char *build = getenv("RIPTIDE_BUILD");

	snprintf(path, sizeof path, "%s/%s", build ? build : ".", name);
	return path;
}

/* Runs argv[0], which may take a minute. */
__attribute__((unused)) static void rip_run(struct rip_run *run, const char *const argv[],
					    const void *in, size_t in_size)
{
	int fds[3] = { rip_run_file(in, in_size), rip_run_file("", 0), rip_run_file("", 0) };
	int status;
	AUTO_FREE uint8_t *err;
	size_t err_size;
	pid_t pid = fork_child();

	if (pid == 0) {
		for (int i = 0; i < 3; i++)
			dup2(fds[i], i);
		alarm(600);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	run->out = rip_run_contents(fds[1], &run->out_size);
	err = rip_run_contents(fds[2], &err_size);
	snprintf(run->err, sizeof run->err, "%s", (char *)err);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

/* Captures what is written to standard error between begin and end. */
struct rip_capture {
	int before, file;
};

__attribute__((unused)) static void rip_capture_begin(struct rip_capture *capture)
{
	fflush(stderr);
	capture->before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	capture->file = rip_run_file("", 0);
	assert_true(dup2(capture->file, STDERR_FILENO) >= 0);
}

/* Returns the text; free() it. */
__attribute__((unused)) static char *rip_capture_end(struct rip_capture *capture)
{
	size_t size;
	char *text;

	fflush(stderr);
	text = (char *)rip_run_contents(capture->file, &size);
	dup2(capture->before, STDERR_FILENO);
	close(capture->before);
	close(capture->file);
	return text;
}

#endif
