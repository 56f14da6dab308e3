/* Filters that are started as child processes: which of them cupsd's rule refuses, that none can be
 * exchanged after it was checked, and that a group of processes ends although it ignores
 * SIGTERM.  And that a killed process leaves no private folder. */
#include "tests/tools/testing.h"

#include <pthread.h>

#include "system/child.h"
#include "system/private_folder.h"

static char folder[] = "/tmp/test-child-XXXXXX";
static char why[300];

static void shell(const char *command)
{
	assert_int_equal(system(command), 0);
}

/* A script that ends with a status. */
static void make_script(const char *path, int status)
{
	FILE *file;

	unlink(path);
	file = fopen(path, "we");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\nexit %d\n", status);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static pid_t start(const char *name)
{
	char path[sizeof folder + 100], queue[] = "queue";
	char *const argv[] = { queue, NULL };

	snprintf(path, sizeof path, "%s/%s", folder, name);
	why[0] = '\0';
	return rip_child_start_filter(path, argv, NULL, 0, false, why, sizeof why);
}

/* The exit status of a filter in the folder, or -errno. */
static int status_of(const char *name)
{
	const pid_t pid = start(name);
	int status;

	if (pid < 0) {
		assert_true(why[0]);
		return pid;
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void refused(const char *name, const char *words)
{
	assert_int_equal(status_of(name), -EPERM);
	if (!strstr(why, words))
		fail_msg("%s: %s", name, why);
}

/* In the folder, and with a folder d in it. */
static int set_up(void **state)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	if (!mkdtemp(folder) || chdir(folder) < 0 || mkdir("d", 0755) < 0)
		return -1;
	make_script("d/f", 3);
	return 0;
}

static int tear_down(void **state)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return chdir("/") < 0 || system(command) ? -1 : 0;
}

TEST_WITH(set_up, tear_down, runs)
{
	assert_int_equal(status_of("d/f"), 3);
	assert_int_equal(status_of("d/../d/f"), 3);
	shell("cp /bin/false d/binary");
	assert_int_equal(status_of("d/binary"), 1);
	shell("ln -s d/f link; ln -s d linked");
	assert_int_equal(status_of("link"), 3);
	assert_int_equal(status_of("linked/f"), 3);
	assert_int_equal(status_of("d/none"), -ENOENT);
	assert_int_equal(status_of("none/f"), -ENOENT);
	shell("chmod 644 d/f");
	assert_int_equal(status_of("d/f"), -EACCES);
	shell("printf '#!/none\\n' >d/f; chmod 755 d/f");
	assert_int_equal(status_of("d/f"), -ENOENT);
}

TEST_WITH(set_up, tear_down, refuses)
{
	for (unsigned bits = 01; bits < 07000; bits <<= 1) {
		assert_int_equal(chmod("d/f", 0755 | bits), 0);
		if (bits & 06022)
			refused("d/f", bits & 06000 ? "setuid" : "may write");
		else
			assert_int_equal(status_of("d/f"), 3);
	}
	chmod("d/f", 0755);
	chmod("d", 0775);
	refused("d/f", "/d: its group or others may write");
	chmod("d", 0757);
	refused("d/f", "/d: its group or others may write");
	chmod("d", 0755);
	shell("mkfifo -m 755 d/fifo");
	refused("d/fifo", "no regular file");
	refused("d", "no regular file");
	/* Neither the folder of a link nor that of its target may be anybody's. */
	shell("mkdir -m 777 open; ln -s ../d/f open/link; cp d/f open/f; ln -s ../open/f d/link");
	refused("open/link", "/open: ");
	refused("d/link", "/open: ");
}

TEST_WITH(set_up, tear_down, others)
{
	if (geteuid() != 0) {
		print_message("not root: other owners are not tested\n");
		skip();
	}
	assert_int_equal(chown("d/f", 65534, 0), 0);
	refused("d/f", "/d/f: it does not belong to root");
	assert_int_equal(chown("d/f", 0, 65534), 0);
	assert_int_equal(status_of("d/f"), 3);
	assert_int_equal(chown("d", 65534, 0), 0);
	refused("d/f", "/d: it does not belong to root");
}

static const char *exchange;

/* Between check and start. */
static void before_fork(void)
{
	if (exchange)
		shell(exchange);
}

/* Somebody who may change the folder above, or where a link points, puts another filter there. */
TEST_WITH(set_up, tear_down, exchanged)
{
	static const struct {
		const char *filter, *command;
	} ways[] = {
		{ "d/f", "mv d gone; mv e d" },
		{ "d/binary", "mv d gone; mv e d" },
		{ "link", "ln -sf e/f link" },
		{ "linked/f", "ln -sfn e linked" },
	};

	shell("mkdir e; printf '#!/bin/sh\\nexit 4\\n' >e/f; cp e/f e/binary; chmod 755 e/*; cp "
	      "/bin/false d/binary;"
	      "ln -s d/f link; ln -s d linked");
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		int status;

		exchange = ways[i].command;
		status = status_of(ways[i].filter);
		exchange = NULL;
		assert_int_equal(status, strstr(ways[i].filter, "binary") ? 1 : 3);
		assert_int_equal(status_of(ways[i].filter), 4);
		shell("[ ! -d gone ] || { mv d e; mv gone d; }");
	}
}

/* The filter and a child of it ignore SIGTERM. */
TEST_WITH(set_up, tear_down, ends_a_group)
{
	char path[sizeof folder + 4], queue[] = "queue", byte;
	int ends[2], status;
	pid_t pid;

	shell("printf '#!/bin/sh\\ntrap \"\" TERM\\nsleep 1000 &\\necho\\nsleep 1000\\n' >d/f");
	assert_int_equal(rip_child_pipe(ends), 0);
	snprintf(path, sizeof path, "%s/d/f", folder);
	pid = rip_child_start_filter(path, (char *[]){ queue, NULL },
				     (const struct rip_child_fd[]){ { ends[1], STDOUT_FILENO } }, 1,
				     true, why, sizeof why);
	close(ends[1]);
	assert_true(pid > 0);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(read(ends[0], &byte, 1), 0); /* the child has ended, too */
	close(ends[0]);
}

/* Before it has started the process that would remove the folder. */
TEST_WITH(set_up, tear_down, leaves_no_folder_when_killed)
{
	struct rip_private_folder private;
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		exchange = "kill -9 $PPID";
		rip_private_folder_make(&private, folder);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	shell("! ls -d riptide-gs-* 2>/dev/null");
}

BEFORE_TESTS
{
	umask(022);
	pthread_atfork(before_fork, NULL, NULL);
}
