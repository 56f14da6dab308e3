#include "config.h"

#include "filter/contone_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter/report.h"
#include "system/child.h"
#include "system/large_pipe.h"

static const char *const names[] = { RIP_PDF_FILTER_NAME, RIP_CONTONE_FILTER_USUAL, "pdftoraster" };

#define NAMES (sizeof names / sizeof names[0])

const char *rip_contone_filter_chosen(const struct rip_options *options, const struct rip_queue *queue)
{
	const char *value = cupsGetOption("riptide-rip", options->count, options->job);

	if (!value)
		value = cupsGetOption("riptideRip", options->count, options->job);
	if (!value)
		value = rip_queue_default(queue, "riptideRip");
	for (size_t i = 0; value && i < NAMES; i++)
		if (!strcasecmp(value, names[i]))
			return i ? names[i] : NULL;
	if (value)
		rip_warning("riptide-rip=%.64s is not valid; valid values are pdftoriptide, gstoraster, "
			    "pdftoraster", value);
	return NULL;
}

/* What cupsd sets for a queue without pdftoriptide: the filter chooses its format by it. */
static void set_final_type(void)
{
	const char *final = getenv("FINAL_CONTENT_TYPE");

	if (final && (!strcasecmp(final, "application/vnd.cups-pdf") || !strcasecmp(final, "application/pdf")))
		setenv("FINAL_CONTENT_TYPE", "application/vnd.cups-raster", 1);
}

int rip_contone_filter_start(struct rip_contone_filter *filter, const char *name, char *const argv[],
			     int document, const struct rip_contone_files *files)
{
	char *const args[] = { argv[0], argv[1], argv[2], argv[3], argv[4], argv[5], NULL };
	const char *folder = getenv("CUPS_SERVERBIN");
	struct rip_child_fd fds[4];
	unsigned count = 2;
	char path[PATH_MAX];
	int ends[2], r;

	snprintf(path, sizeof path, "%s/filter/%s", folder && *folder ? folder : RIP_CUPS_SERVERBIN, name);
	set_final_type();
	r = lseek(document, 0, SEEK_SET) < 0 ? -errno : rip_child_pipe(ends);
	if (r < 0) {
		rip_error("cannot start %s: %s", name, strerror(-r));
		return r;
	}
	rip_large_pipe(ends[1]);
	fds[0] = (struct rip_child_fd){ document, STDIN_FILENO };
	fds[1] = (struct rip_child_fd){ ends[1], STDOUT_FILENO };
	filter->messages = files ? files->messages : -1;
	if (files)
		fds[count++] = (struct rip_child_fd){ files->messages, STDERR_FILENO };
	if (files && files->ppd >= 0)
		fds[count++] = (struct rip_child_fd){ files->ppd, 3 };
	filter->name = name;
	filter->raster = ends[0];
	filter->pid = rip_child_start_group(path, args, fds, count);
	close(ends[1]);
	if (filter->pid > 0) {
		rip_debug("started %s (process %d) in front of this filter", path, (int)filter->pid);
		return 0;
	}
	r = filter->pid;
	filter->pid = 0;
	close(ends[0]);
	rip_error("cannot run %s: %s%s", path, strerror(-r),
		  r == -ENOENT ? "; install cups-filters" : "");
	return r;
}

/* Reports the errors of a filter whose messages are in a file.  Returns whether there were any. */
static bool report_errors(const struct rip_contone_filter *filter)
{
	static const char prefix[] = "ERROR: ";
	const int fd = fcntl(filter->messages, F_DUPFD_CLOEXEC, 0);
	FILE *file = fd < 0 || lseek(fd, 0, SEEK_SET) < 0 ? NULL : fdopen(fd, "r");
	bool any = false;
	char line[512];

	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, prefix, strlen(prefix)))
			continue;
		rip_error("%s: %s", filter->name, line + strlen(prefix));
		any = true;
	}
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	return any;
}

int rip_contone_filter_end(struct rip_contone_filter *filter, int r)
{
	int status = 0;

	if (filter->pid <= 0)
		return r;
	/* What it still writes is nobody's. */
	close(filter->raster);
	if (r < 0)
		kill(filter->pid, SIGTERM);
	while (waitpid(filter->pid, &status, 0) < 0 && errno == EINTR)
		;
	filter->pid = 0;
	if (r < 0 || status == 0)
		return r;
	if (WIFSIGNALED(status))
		rip_error("%s was killed by signal %d (%s)", filter->name, WTERMSIG(status),
			  strsignal(WTERMSIG(status)));
	else if (filter->messages >= 0 && !report_errors(filter))
		rip_error("%s failed with exit status %d", filter->name, WEXITSTATUS(status));
	else /* which it has reported */
		rip_debug("%s failed with exit status %d", filter->name, WEXITSTATUS(status));
	return -EIO;
}
