/*
 * alternate RUNS FILE OUT -- COMMAND... -- COMMAND...
 *
 * Runs commands in turn, RUNS times each and once before, with FILE as standard
 * input and OUT, made anew, as standard output, and prints their times: wall, and
 * user + sys; median, and a quarter of the runs below and above it; and the medians
 * divided by those of the first command.  A command may begin with words NAME=VALUE
 * for its environment, and CPU=N binds it to that processor; what it writes to standard
 * error is thrown away.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS_MAX 16
#define RUNS_MAX     1001

struct command {
	char **words;
	double wall[RUNS_MAX], cpu[RUNS_MAX]; /* milliseconds */
};

static struct command commands[COMMANDS_MAX];

static void die(const char *what)
{
	fprintf(stderr, "alternate: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double ms(struct timeval t)
{
	return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec;
}

static void become(char **words, const char *in, const char *out)
{
	const int fds[3] = {
		open(in, O_RDONLY), open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600),
		open("/dev/null", O_WRONLY),
	};

	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	for (int i = 0; i < 3; i++)
		if (fds[i] < 0 || dup2(fds[i], i) < 0)
			_exit(126);
	for (; strchr(*words, '='); words++) {
		if (strncmp(*words, "CPU=", 4) != 0) {
			putenv(*words);
			continue;
		}
		CPU_SET((size_t)atoi(*words + 4), &cpus);
		if (sched_setaffinity(0, sizeof cpus, &cpus) < 0)
			_exit(125);
	}
	execvp(*words, words);
	_exit(127);
}

static void run(const struct command *command, const char *in, const char *out, double *wall,
		double *cpu)
{
	const double start = now();
	const pid_t pid = fork();
	struct rusage usage;
	int status;

	if (pid < 0)
		die("fork");
	if (pid == 0)
		become(command->words, in, out);
	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	*wall = now() - start;
	*cpu = ms(usage.ru_utime) + ms(usage.ru_stime);
	if (status != 0) {
		fprintf(stderr, "alternate: %s failed (%s %d)\n", command->words[0],
			WIFEXITED(status) ? "exit status" : "signal",
			WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		exit(EXIT_FAILURE);
	}
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(const char *what, double *times, int runs, double *first)
{
	qsort(times, (size_t)runs, sizeof *times, ascending);
	if (*first == 0)
		*first = times[runs / 2];
	printf("  %s %8.2f ms (%.2f to %.2f) %6.2f x", what, times[runs / 2], times[runs / 4],
	       times[runs - 1 - runs / 4], times[runs / 2] / *first);
}

int main(int argc, char *argv[])
{
	const int runs = argc > 5 ? atoi(argv[1]) : 0;
	double wall = 0, cpu = 0;
	int count = 0;

	if (runs < 1 || runs > RUNS_MAX || strcmp(argv[4], "--") != 0) {
		fprintf(stderr,
			"Usage: alternate RUNS FILE OUT -- COMMAND... [-- COMMAND...]...\n");
		return 2;
	}
	for (int i = 4; i < argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		if (i + 1 == argc || !strcmp(argv[i + 1], "--") || count == COMMANDS_MAX) {
			fprintf(stderr, "alternate: no command, or too many\n");
			return 2;
		}
		argv[i] = NULL;
		commands[count++].words = argv + i + 1;
	}
	for (int r = -1; r < runs; r++)
		for (int i = 0; i < count; i++)
			run(&commands[i], argv[2], argv[3], &commands[i].wall[r < 0 ? 0 : r],
			    &commands[i].cpu[r < 0 ? 0 : r]);
	for (int i = 0; i < count; i++) {
		print("wall", commands[i].wall, runs, &wall);
		print("  user+sys", commands[i].cpu, runs, &cpu);
		printf("  ");
		for (char **word = commands[i].words; *word; word++)
			printf(" %s", **word ? *word : "''");
		printf("\n");
	}
	return EXIT_SUCCESS;
}
