#include "config.h"

#include "adopt_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image/complain.h"
#include "terminal.h"

extern char **environ;

#define SECONDS_MAX 120

/* What rastertoriptide says, at DEBUG level, of a page that it halftones. */
#define HALFTONED "halftone-screen="

/* The files of a trial, in a folder of its own. */
struct trial {
	char folder[64];
	char ppd[96], page[96], out[96], log[96];
};

static int write_file(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "w");
	const bool written = file && fwrite(text, 1, size, file) == size;

	if (file && fclose(file) == 0 && written)
		return 0;
	return rip_complain(-EIO, "cannot write %s: %s", path, strerror(errno));
}

/* A page of A4 as PDF.  content: its operators. */
static int write_page(const char *path, const char *content)
{
	char text[2048];
	size_t at[5], used = 0, table;
	const char *const objects[] = {
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>",
	};

	used += (size_t)snprintf(text, sizeof text, "%%PDF-1.4\n");
	for (unsigned i = 0; i < 4; i++) {
		at[i] = used;
		if (i < 3)
			used += (size_t)snprintf(text + used, sizeof text - used, "%u 0 obj\n%s\nendobj\n", i + 1,
						 objects[i]);
		else
			used += (size_t)snprintf(text + used, sizeof text - used,
						 "4 0 obj\n<< /Length %zu >>\nstream\n%s\nendstream\nendobj\n",
						 strlen(content), content);
	}
	table = used;
	used += (size_t)snprintf(text + used, sizeof text - used, "xref\n0 5\n0000000000 65535 f \n");
	for (unsigned i = 0; i < 4; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%010zu 00000 n \n", at[i]);
	used += (size_t)snprintf(text + used, sizeof text - used,
				 "trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n", table);
	return write_file(path, text, used);
}

/* Waits for the end of a process, and ends its group after SECONDS_MAX.  Its exit status. */
static int wait_for(pid_t pid)
{
	const int64_t end = rip_clock_ms() + SECONDS_MAX * 1000;
	const struct timespec pause = { 0, 10 * 1000 * 1000 };
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (rip_clock_ms() > end) {
			kill(-pid, SIGKILL);
			waitpid(pid, &status, 0);
			return 255;
		}
		nanosleep(&pause, NULL);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int start_cupsfilter(const struct trial *trial, const char *option, pid_t *pid)
{
	static const char *const programs[] = { "cupsfilter", "/usr/sbin/cupsfilter" };
	const char *arguments[] = {
		"cupsfilter", "-p", trial->ppd, "-m", "printer/riptide-trial", "-e", "-i", "application/pdf",
		"-o", "print-scaling=fit", "-o", option ? option : "halftone=auto", trial->page, NULL
	};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int r = ENOENT;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, trial->out,
					 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, trial->log,
					 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	for (size_t i = 0; r == ENOENT && i < sizeof programs / sizeof *programs; i++)
		r = posix_spawnp(pid, programs[i], &files, &attributes, (char *const *)arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return r ? rip_complain(-r, "cannot start cupsfilter: %s", strerror(r)) : 0;
}

/* Reads a whole file into memory; NULL and 0 if it is empty or cannot be read. */
static char *read_all(const char *path, size_t *size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info = { .st_size = 0 };
	char *bytes = NULL;

	*size = 0;
	if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0)
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (!bytes || bytes == MAP_FAILED)
		return NULL;
	*size = (size_t)info.st_size;
	return bytes;
}

/* Shows the lines of a log that tell what went wrong. */
static void show_errors(const char *log, size_t size)
{
	for (const char *line = log, *end; line < log + size; line = end + 1) {
		end = memchr(line, '\n', (size_t)(log + size - line));
		if (!end)
			break;
		if (!strncmp(line, "ERROR:", 6) || !strncmp(line, "WARNING:", 8) ||
		    !strncmp(line, "cupsfilter: ", 12))
			if (!memmem(line, (size_t)(end - line), "permissions OK", 14))
				rip_complain(0, "trial: %.*s", (int)(end - line), line);
	}
}

/* Converts one page.  *out: what came, which the caller unmaps. */
static int convert(const struct trial *trial, const char *name, const char *content,
		   const char *option, char **out, size_t *out_size)
{
	size_t log_size;
	char *log;
	pid_t pid;
	int r = write_page(trial->page, content), status;

	unlink(trial->out); /* the mapping of the page before needs the old file */
	if (r == 0)
		r = start_cupsfilter(trial, option, &pid);
	if (r < 0)
		return r;
	status = wait_for(pid);
	log = read_all(trial->log, &log_size);
	*out = read_all(trial->out, out_size);
	if (status)
		r = rip_complain(-EIO, "%s: a page does not come through the filters", name);
	else if (!*out)
		r = rip_complain(-EIO, "%s: nothing comes out of the filters", name);
	else if (!log || !memmem(log, log_size, HALFTONED, strlen(HALFTONED)))
		r = rip_complain(-EIO, "%s: rastertoriptide got nothing to halftone", name);
	if (r < 0 && log)
		show_errors(log, log_size);
	if (log)
		munmap(log, log_size);
	return r;
}

static const char tints[] =
	"0.2 g 60 600 475 150 re f 0.5 g 60 400 475 150 re f 0.8 g 60 100 475 250 re f";

static int compare(const struct trial *trial, const char *name, const char *option)
{
	char *empty = NULL, *grey = NULL;
	size_t empty_size = 0, grey_size = 0;
	int r = convert(trial, name, "1 g 0 0 595 842 re f", option, &empty, &empty_size);

	if (r == 0)
		r = convert(trial, name, tints, option, &grey, &grey_size);
	if (r == 0 && empty_size == grey_size && !memcmp(empty, grey, grey_size))
		r = rip_complain(-EIO, "%s: an empty page and one with tints print the same", name);
	if (empty)
		munmap(empty, empty_size);
	if (grey)
		munmap(grey, grey_size);
	return r;
}

/* Makes the folder, and writes the PPD into it. */
static int begin(struct trial *trial, const char *text, size_t size)
{
	*trial = (struct trial){ .folder = "/tmp/riptide-trial.XXXXXX" };
	if (!mkdtemp(trial->folder))
		return rip_complain(-errno, "cannot create a folder in /tmp: %s", strerror(errno));
	snprintf(trial->ppd, sizeof trial->ppd, "%s/ppd", trial->folder);
	snprintf(trial->page, sizeof trial->page, "%s/page", trial->folder);
	snprintf(trial->out, sizeof trial->out, "%s/out", trial->folder);
	snprintf(trial->log, sizeof trial->log, "%s/log", trial->folder);
	return write_file(trial->ppd, text, size);
}

static void end(const struct trial *trial)
{
	unlink(trial->ppd);
	unlink(trial->page);
	unlink(trial->out);
	unlink(trial->log);
	rmdir(trial->folder);
}

int rip_adopt_trial(const char *name, const char *text, size_t size, const char *option)
{
	struct trial trial;
	int r = begin(&trial, text, size);

	if (r == 0)
		r = compare(&trial, name, option);
	end(&trial);
	return r;
}

void rip_adopt_trial_vendor(const char *name, const char *text, size_t size, const char *option)
{
	struct trial trial;
	pid_t pid;

	if (begin(&trial, text, size) == 0 && write_page(trial.page, tints) == 0 &&
	    start_cupsfilter(&trial, option, &pid) == 0 && wait_for(pid) != 0)
		rip_complain(0, "%s: its driver fails in the same way without riptide", name);
	end(&trial);
}
