/* Output files: what is synchronized and when, and what a process that is killed leaves.  fsync()
 * and renameat() of this program stand in for those of the C library. */
#include "tests/tools/testing.h"

#include <sys/syscall.h>

#include "filter/ink/ink_tally.h"
#include "image/out_file.h"

static char folder[] = "/tmp/riptide-out-XXXXXX", out[64];
static char events[100]; /* f: a file is synchronized, d: a folder, r: renamed */
static int file_error;

int fsync(int fd)
{
	struct stat info;

	assert_int_equal(fstat(fd, &info), 0);
	strcat(events, S_ISDIR(info.st_mode) ? "d" : "f");
	if (S_ISREG(info.st_mode) && file_error) {
		errno = file_error;
		return -1;
	}
	return 0;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	strcat(events, "r");
	return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static int begin(void **state)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(out, sizeof out, "%s/out", folder);
	*events = '\0';
	file_error = 0;
	return 0;
}

static int end(void **state)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static unsigned files(void)
{
	DIR *dir = opendir(folder);
	unsigned count = 0;

	assert_non_null(dir);
	for (const struct dirent *entry; (entry = readdir(dir));)
		count += *entry->d_name != '.';
	closedir(dir);
	return count;
}

static int put(const char *text)
{
	struct rip_out_file file;
	int r = rip_out_file_open(&file, out);

	if (r == 0)
		r = rip_out_file_write(&file, text, strlen(text));
	if (r == 0)
		r = rip_out_file_commit(&file);
	rip_out_file_abandon(&file);
	return r;
}

static void check(const char *text)
{
	char read[20] = "";
	FILE *file = fopen(out, "r");

	assert_non_null(file);
	assert_non_null(fgets(read, sizeof read, file));
	fclose(file);
	assert_string_equal(read, text);
	assert_int_equal(files(), 1);
}

TEST_WITH(begin, end, order)
{
	assert_int_equal(put("new"), 0);
	assert_string_equal(events, "frd");
	check("new");
	assert_int_equal(put("newer"), 0);
	assert_string_equal(events, "frdfrd");
	check("newer");
}

TEST_WITH(begin, end, errors)
{
	assert_int_equal(put("old"), 0);
	*events = '\0';
	file_error = EIO;
	assert_int_equal(put("new"), -EIO);
	assert_string_equal(events, "f");
	check("old");
	file_error = EINVAL; /* a file system that has nothing to synchronize */
	assert_int_equal(put("new"), 0);
	check("new");
}

TEST_WITH(begin, end, tally)
{
	const struct rip_ink_report report = { .pages = 1 };

	assert_int_equal(rip_ink_tally_add(folder, "queue", &report), 0);
	assert_string_equal(events, "frd");
	file_error = EIO;
	assert_int_equal(rip_ink_tally_add(folder, "queue", &report), -EIO);
	assert_string_equal(events, "frdf");
}

TEST_WITH(begin, end, killed)
{
	const int fd = open(folder, O_TMPFILE | O_RDWR, 0600);
	int status;
	pid_t pid;

	if (fd < 0)
		skip(); /* the file system has no files without names */
	close(fd);
	pid = fork();
	if (pid == 0) {
		struct rip_out_file file;

		if (rip_out_file_open(&file, out) == 0 && rip_out_file_write(&file, "a", 1) == 0 &&
		    rip_out_file_flush(&file) == 0)
			kill(getpid(), SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(files(), 0);
}
