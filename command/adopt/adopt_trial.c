#include "config.h"

#include "adopt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>

#include "image/complain.h"
#include "system/ascii.h"
#include "system/private_folder.h"
#include "system/write_all.h"

/* What our filters say, at DEBUG level, of a page that they halftone. */
#define HALFTONED "halftone-screen="

/* The files of a trial, in a folder of its own. */
struct trial {
	struct rip_private_folder folder;
	char ppd[PATH_MAX + 8], page[PATH_MAX + 8], out[PATH_MAX + 8], log[PATH_MAX + 8];
	const char *program; /* our filter that has to halftone */
	struct rip_trial_user    user;
	struct rip_trial_signals signals;
};

/* Writes a file that the filters may read. */
static int write_file(const struct trial *trial, const char *path, const char *text, size_t size)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int r = fd < 0 ? -errno : rip_write_all(fd, text, size);

	if (r == 0 && trial->user.other &&
	    (fchown(fd, (uid_t)-1, trial->user.gid) < 0 || fchmod(fd, 0640) < 0))
		r = -errno;
	if (fd >= 0 && close(fd) < 0 && r == 0)
		r = -errno;
	return r < 0 ? rip_complain(r, "cannot write %s: %s", path, strerror(-r)) : 0;
}

/* A page of A4 as PDF, with operators of 80 bytes at most: filled up to that, so that the offsets
 * are known. */
static const char page[] =
	"%%PDF-1.4\n"
	"1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
	"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
	"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
	" /Resources << >> >>\nendobj\n"
	"4 0 obj\n<< /Length 80 >>\nstream\n%-80s\nendstream\nendobj\n"
	"xref\n0 5\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n"
	"0000000115 00000 n \n0000000219 00000 n \n"
	"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n349\n%%%%EOF\n";

/* Writes trial->page, with these operators. */
static int write_page(const struct trial *trial, const char *content)
{
	char text[sizeof page + 80];
	const int used = snprintf(text, sizeof text, page, content);

	return write_file(trial, trial->page, text, (size_t)used);
}

/* Puts the page in trial->page through the filters.  The exit status, or -errno. */
static int run_cupsfilter(struct trial *trial, const char *option)
{
	const char *arguments[] = {
		"cupsfilter", "-p", trial->ppd, "-m", "printer/riptide-trial", "-e",
		"-i", "application/pdf", "-o", "print-scaling=fit",
		"-o", option ? option : "halftone=auto", trial->page, NULL
	};

	return rip_trial_process_run(&trial->user, &trial->signals, (char *const *)arguments,
				     trial->out, trial->log);
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
static int convert(struct trial *trial, const char *name, const char *content,
		   const char *option, char **out, size_t *out_size)
{
	char started[64]; /* what cupsfilter says */
	size_t log_size;
	char *log;
	int r = write_page(trial, content), status;

	unlink(trial->out); /* the mapping of the page before needs the old file */
	if (r < 0)
		return r;
	status = run_cupsfilter(trial, option);
	if (status < 0)
		return status;
	snprintf(started, sizeof started, "%s (PID ", trial->program);
	log = read_all(trial->log, &log_size);
	*out = read_all(trial->out, out_size);
	if (status)
		r = rip_complain(-EIO, "%s: a page does not come through the filters", name);
	else if (!*out)
		r = rip_complain(-EIO, "%s: nothing comes out of the filters", name);
	else if (!log || !memmem(log, log_size, HALFTONED, strlen(HALFTONED)) ||
		 !memmem(log, log_size, started, strlen(started)))
		r = rip_complain(-EIO, "%s: %s got nothing to halftone", name, trial->program);
	if (r < 0 && log)
		show_errors(log, log_size);
	if (log)
		munmap(log, log_size);
	return r;
}

static const char tints[] =
	"0.2 g 60 600 475 150 re f 0.5 g 60 400 475 150 re f 0.8 g 60 100 475 250 re f";

_Static_assert(sizeof tints <= 81, "they fit into the page");

static int compare(struct trial *trial, const char *name, const char *option)
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

/* Root runs no filters that a PPD from another machine names. */
static int check_server(void)
{
	const char *server = cupsServer();

	if (geteuid() != 0 || server[0] == '/' || rip_same_name(server, "localhost"))
		return 0;
	return rip_complain(-EPERM, "the queue is on %s: run riptide adopt there,"
			    " or here as another user than root", server);
}

/* Makes the folder, and writes the PPD into it. */
static int begin(struct trial *trial, const char *text, size_t size)
{
	const char *folder = trial->folder.path;
	int r;

	*trial = (struct trial){ .folder.keeper = 0 };
	rip_trial_signals_hold(&trial->signals);
	r = check_server();
	if (r == 0)
		r = rip_trial_user_find(&trial->user);
	if (r < 0)
		return r;
	/* TMPDIR may be closed to the filters. */
	r = rip_private_folder_make(&trial->folder, "/tmp");
	if (r < 0)
		return rip_complain(r, "cannot create a folder in /tmp: %s", strerror(-r));
	snprintf(trial->ppd, sizeof trial->ppd, "%s/ppd", folder);
	snprintf(trial->page, sizeof trial->page, "%s/page", folder);
	snprintf(trial->out, sizeof trial->out, "%s/out", folder);
	snprintf(trial->log, sizeof trial->log, "%s/log", folder);
	/* The filters may read it, but not write: root must find no links there. */
	if (trial->user.other &&
	    (chown(folder, (uid_t)-1, trial->user.gid) < 0 || chmod(folder, 0750) < 0))
		return rip_complain(-errno, "cannot give %s access to %s: %s",
				    trial->user.name, folder, strerror(errno));
	return write_file(trial, trial->ppd, text, size);
}

/* Removes the files.  A signal that came meanwhile ends the process then. */
static void end(struct trial *trial)
{
	rip_private_folder_remove(&trial->folder);
	rip_trial_signals_release(&trial->signals);
}

int rip_adopt_trial(const char *name, const char *text, size_t size, const char *option,
		    const char *program)
{
	struct trial trial;
	int r = begin(&trial, text, size);

	trial.program = program;
	if (r == 0)
		r = compare(&trial, name, option);
	end(&trial);
	return r;
}

void rip_adopt_trial_vendor(const char *name, const char *text, size_t size, const char *option)
{
	struct trial trial;

	if (begin(&trial, text, size) == 0 && write_page(&trial, tints) == 0 &&
	    run_cupsfilter(&trial, option) > 0)
		rip_complain(0, "%s: its driver fails in the same way without riptide", name);
	end(&trial);
}
