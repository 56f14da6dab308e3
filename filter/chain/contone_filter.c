#include "config.h"

#include "contone_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter/report.h"
#include "rip/document.h"
#include "system/ascii.h"
#include "system/child.h"
#include "system/large_pipe.h"

/* Of cups-filters 1 and 2. */
static const char *const from_raster[] = { "rastertopdf", "pwgtopdf" };

static const char *const names[] = { RIP_PDF_FILTER_NAME, RIP_CONTONE_FILTER_USUAL, "pdftoraster" };

#define STRING(n) #n
#define DIGITS(n) STRING(n)
#define LINE  512 /* bytes of a message that are shown */
#define NAMES (sizeof names / sizeof names[0])

const char *rip_contone_filter_chosen(const struct rip_options *options,
				      const struct rip_queue *queue)
{
	const char *value = cupsGetOption("riptide-rip", options->count, options->job);

	if (!value)
		value = cupsGetOption("riptideRip", options->count, options->job);
	if (!value)
		value = rip_queue_default(queue, "riptideRip");
	for (size_t i = 0; value && i < NAMES; i++)
		if (rip_same_name(value, names[i]))
			return i ? names[i] : NULL;
	if (value)
		rip_warning("riptide-rip=%.64s is not valid; valid values are pdftoriptide, "
			    "gstoraster, pdftoraster", value);
	return NULL;
}

/* What cupsd sets for a queue without pdftoriptide: the filter chooses its format by it. */
static void set_final_type(void)
{
	const char *final = getenv("FINAL_CONTENT_TYPE");

	if (final && (rip_same_name(final, "application/vnd.cups-pdf") ||
		      rip_same_name(final, "application/pdf")))
		setenv("FINAL_CONTENT_TYPE", "application/vnd.cups-raster", 1);
}

#define GS_OPTIONS "GS_OPTIONS"
#define PPD_FD     3
#define CMYK_FD    4

/* Ghostscript reads arguments from the environment, before those that the filter gives it.  It
 * takes the last one of several: what the system's administrator has set.  Returns what was there,
 * for free(), or NULL. */
static char *set_gs_options(void)
{
	static const char profile[] = "-sDefaultCMYKProfile=/dev/fd/" DIGITS(CMYK_FD);
	const char *before = getenv(GS_OPTIONS);
	char *kept = before ? strdup(before) : NULL, *both = NULL;

	if (kept && asprintf(&both, "%s %s", profile, kept) < 0)
		both = NULL;
	setenv(GS_OPTIONS, both ? both : profile, 1);
	free(both);
	return kept;
}

/* As it was, for the filters behind. */
static void restore_gs_options(char *kept)
{
	if (kept)
		setenv(GS_OPTIONS, kept, 1);
	else
		unsetenv(GS_OPTIONS);
	free(kept);
}

/* Where CUPS has a filter.  0, or -ENAMETOOLONG (reported). */
static int filter_path(const char *name, char path[PATH_MAX])
{
	const char *folder = getenv("CUPS_SERVERBIN");
	const int n = snprintf(path, PATH_MAX, "%s/filter/%s",
			       folder && *folder ? folder : RIP_CUPS_SERVERBIN, name);

	if (n >= 0 && n < PATH_MAX)
		return 0;
	rip_error("CUPS_SERVERBIN is too long");
	return -ENAMETOOLONG;
}

/* 0 or -errno (reported). */
static int rewind_document(int document)
{
	if (lseek(document, 0, SEEK_SET) == 0)
		return 0;
	rip_error("cannot read the document: %s", strerror(errno));
	return -EIO;
}

/* Starts a filter that reads `input` and writes into a pipe. */
static int start(struct rip_contone_filter *filter, const char *name, char *const argv[], int input,
		 const struct rip_contone_files *files)
{
	char *const args[] = { argv[0], argv[1], argv[2], argv[3], argv[4], argv[5], NULL };
	struct rip_child_fd fds[5];
	unsigned count = 2;
	char path[PATH_MAX], why[512], *gs_options = NULL;
	int ends[2], r = filter_path(name, path);

	if (r < 0)
		return r;
	r = rip_child_pipe(ends);
	if (r < 0) {
		rip_error("cannot start %s: %s", name, strerror(-r));
		return r;
	}
	rip_large_pipe(ends[1]);
	fds[0] = (struct rip_child_fd){ input, STDIN_FILENO };
	fds[1] = (struct rip_child_fd){ ends[1], STDOUT_FILENO };
	filter->messages = files->messages;
	if (files->messages >= 0)
		fds[count++] = (struct rip_child_fd){ files->messages, STDERR_FILENO };
	if (files->ppd >= 0)
		fds[count++] = (struct rip_child_fd){ files->ppd, PPD_FD };
	if (files->cmyk >= 0) {
		fds[count++] = (struct rip_child_fd){ files->cmyk, CMYK_FD };
		gs_options = set_gs_options();
	}
	filter->name = name;
	filter->raster = ends[0];
	filter->pid = rip_child_start_filter(path, args, fds, count, true, why, sizeof why);
	if (files->cmyk >= 0)
		restore_gs_options(gs_options);
	close(ends[1]);
	if (filter->pid > 0) {
		rip_debug("started %s (process %d) in front of this filter",
			  path, (int)filter->pid);
		return 0;
	}
	r = filter->pid;
	filter->pid = 0;
	close(ends[0]);
	rip_error("cannot run %s%s", why,
		  r == -ENOENT ? "; install cups-filters" : "");
	return r;
}

int rip_contone_filter_start(struct rip_contone_filter *filter, const char *name,
			     char *const argv[], int document,
			     const struct rip_contone_files *files)
{
	set_final_type();
	return rewind_document(document) < 0 ? -EIO : start(filter, name, argv, document, files);
}

/* Reads a line, and the rest of a long one, which is dropped. */
static bool next_line(FILE *file, char *line, int size)
{
	int c;

	if (!fgets(line, size, file))
		return false;
	if (!strchr(line, '\n'))
		while ((c = getc(file)) != EOF && c != '\n')
			;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* Takes a line that is not empty: the reason is Ghostscript's error, with the system's where it
 * read or wrote (Ghostscript repeats an old one elsewhere), or the last line. */
static void take_reason(const char *line, bool *told, char reason[LINE])
{
	const size_t used = strlen(reason);

	if (*told && begins(reason, "Error: /ioerror") && begins(line, "Last OS error: "))
		snprintf(reason + used, LINE - used, ": %s", line + strlen("Last OS error: "));
	else if (!*told)
		snprintf(reason, LINE, "%s", line);
	*told |= begins(line, "Error: /");
}

/* Reports the errors of a filter whose messages are in a file.  level: that of the first one.
 * reason: gets that of Ghostscript, or the last line.  Returns whether there were any errors. */
static bool report_errors(const struct rip_contone_filter *filter, enum riptide_log_level level,
			  char reason[LINE])
{
	static const char prefix[] = "ERROR: ";
	bool any = false, told = false;
	char path[32], line[LINE];
	FILE *file;

	*reason = '\0';
	/* Opened again, because the filter may still write at the offset of its descriptor. */
	snprintf(path, sizeof path, "/dev/fd/%d", filter->messages);
	file = filter->messages < 0 ? NULL : fopen(path, "re");
	while (file && next_line(file, line, sizeof line)) {
		if (*line)
			take_reason(line, &told, reason);
		if (!begins(line, prefix))
			continue;
		rip_report_write(any ? RIPTIDE_LOG_DEBUG : level, "%s: %s", filter->name,
				 line + strlen(prefix));
		any = true;
	}
	if (file)
		fclose(file);
	return any;
}

/* Reports how the filter failed, and why.  status: of waitpid(). */
static void report_end(const struct rip_contone_filter *filter, int status)
{
	char how[128], reason[LINE];
	const bool told = report_errors(filter, RIPTIDE_LOG_ERROR, reason) ||
			  (filter->messages < 0 && !WIFSIGNALED(status));

	if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(how, sizeof how, "failed with exit status %d", WEXITSTATUS(status));
	rip_report_write(told ? RIPTIDE_LOG_DEBUG : RIPTIDE_LOG_ERROR, "%s %s%s%s",
			 filter->name, how, *reason ? ": " : "", reason);
}

int rip_contone_filter_end(struct rip_contone_filter *filter, int r)
{
	char reason[LINE];
	int status = 0;

	if (filter->pid <= 0)
		return r;
	/* Before it is ended, which it may report as an error.  A warning, because only the first
	 * error is shown, and that was what r says. */
	if (r < 0 && r != -ECANCELED)
		report_errors(filter, RIPTIDE_LOG_WARNING, reason);
	/* What it still writes is nobody's. */
	close(filter->raster);
	if (r < 0)
		kill(filter->pid, SIGTERM);
	while (waitpid(filter->pid, &status, 0) < 0 && errno == EINTR)
		;
	filter->pid = 0;
	if (r < 0 || status == 0 ||
	    (filter->refused && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE))
		return r;
	report_end(filter, status);
	return -EIO;
}

/* ---- from raster or PostScript to PDF ---- */

/* The first of the filters that there is. */
static const char *find_from_raster(void)
{
	char path[PATH_MAX];

	return filter_path(from_raster[0], path) == 0 && access(path, F_OK) < 0 &&
	       filter_path(from_raster[1], path) == 0 && access(path, F_OK) == 0 ?
	       from_raster[1] : from_raster[0];
}

int rip_contone_document(char *const argv[], int raster)
{
	static const struct rip_contone_files none = { -1, -1, -1 };
	struct rip_contone_filter first = { .pid = 0 }, second = { .pid = 0 };
	char why[320];
	int document = -1, r = rewind_document(raster);

	if (r == 0)
		r = start(&first, rip_document_is_postscript(raster) ? "gstopdf" :
			  find_from_raster(), argv, raster, &none);
	if (r == 0)
		r = start(&second, "pdftopdf", argv, first.raster, &none);
	if (r == 0)
		document = rip_document_open(second.raster, false, why, sizeof why);
	if (r == 0 && document < 0 && document != -ENODATA && document != -EBADMSG) {
		rip_error("%s", why);
		r = document;
	}
	/* What is no PDF comes from a filter that fails and says why, or that works but is not of
	 * CUPS. */
	first.refused = second.refused = document == -EBADMSG;
	r = rip_contone_filter_end(&second, r);
	r = rip_contone_filter_end(&first, r);
	if (r == 0 && document == -EBADMSG) {
		rip_error("%s", why);
		r = document;
	}
	if (r < 0 && document >= 0)
		close(document);
	return r < 0 ? r : document;
}
