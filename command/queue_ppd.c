#include "config.h"

#include "queue_ppd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "filter/options.h"
#include "filter/report.h"
#include "image/complain.h"
#include "queue_request.h"

/* CUPS 2 has no other functions for it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define LARGEST (64 << 20) /* bytes of a PPD that comes through a pipe */

/* Copies a file into memory.  Returns a descriptor of the copy, or -errno. */
static int copy(int from)
{
	const int to = memfd_create("ppd", MFD_CLOEXEC);
	int error = to < 0 ? errno : 0;
	char buffer[16384];
	size_t size = 0;
	ssize_t n = 1;

	while (!error && n > 0) {
		n = read(from, buffer, sizeof buffer);
		if (n > 0)
			size += (size_t)n;
		if (n < 0 || (n > 0 && write(to, buffer, (size_t)n) < n))
			error = errno;
		else if (size > LARGEST)
			error = EFBIG;
	}
	if (!error)
		return to;
	if (to >= 0)
		close(to);
	return -error;
}

/* Opens a PPD so that it can be read several times.  Returns a descriptor, or -errno. */
static int open_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	int r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	r = copy(fd);
	close(fd);
	return r;
}

/* Reads the PPD of a descriptor, which the caller keeps, at its beginning.  NULL: rip_queue_ppd_error() says why. */
static ppd_file_t *read_ppd(int fd)
{
	ppd_file_t *ppd;

	lseek(fd, 0, SEEK_SET);
	ppd = ppdOpenFd(fcntl(fd, F_DUPFD_CLOEXEC, 0)); /* closes it */
	lseek(fd, 0, SEEK_SET);
	return ppd;
}

/* Opens the PPD with its defaults marked.  fd: or NULL; gets a descriptor of the file, or -1. */
static int open_ppd(const char *queue, const char *path, ppd_file_t **ppd, int *fd)
{
	const char *fetched = queue ? cupsGetPPD(queue) : NULL, *name = queue ? queue : path;
	struct stat status;
	char why[256];
	int opened;

	*ppd = NULL;
	if (queue && !fetched) {
		if (rip_queue_is_raw(queue))
			return rip_complain(-ENODATA, "the queue %s has no PPD", queue);
		return rip_complain(-ENOENT, "cannot read the PPD of the queue %s: %s", queue,
				    rip_queue_error());
	}
	if (queue && (opened = rip_queue_ppd_is_whole(queue, fetched)) < 0) {
		unlink(fetched);
		return opened;
	}
	opened = open_file(queue ? fetched : path);
	if (queue)
		unlink(fetched);
	if (opened < 0)
		return rip_complain(opened, "cannot read the PPD %s: %s", name, strerror(-opened));
	if (fstat(opened, &status) == 0 && status.st_size == 0) {
		close(opened);
		return rip_complain(-EBADMSG, "cannot read the PPD %s: the file is empty", name);
	}
	*ppd = read_ppd(opened);
	if (fd && *ppd)
		*fd = opened;
	else
		close(opened);
	if (!*ppd) {
		rip_queue_ppd_error(why, sizeof why);
		return rip_complain(-EBADMSG, "cannot read the PPD %s: %s", name, why);
	}
	ppdMarkDefaults(*ppd);
	return 0;
}

/* The header by the defaults of an open PPD.  name: for messages. */
static int interpret(ppd_file_t *ppd, const char *name, cups_page_header2_t *header)
{
	memset(header, 0, sizeof *header);
	if (cupsRasterInterpretPPD(header, ppd, 0, NULL, NULL) != 0)
		return rip_complain(-EBADMSG, "%s: the PPD describes no raster", name);
	return 0;
}

int rip_queue_ppd_header(const char *queue, const char *path, cups_page_header2_t *header)
{
	ppd_file_t *ppd;
	int r = open_ppd(queue, path, &ppd, NULL);

	if (r < 0)
		return r;
	r = interpret(ppd, queue ? queue : path, header);
	ppdClose(ppd);
	return r;
}

int rip_queue_ppd_open(const char *queue, const char *path, struct rip_queue *opened, int *fd)
{
	ppd_file_t *ppd;
	int r;

	*fd = -1;
	r = open_ppd(queue, path, &ppd, fd);

	opened->ppd = ppd;
	return r;
}

/* Reports what the filter's rules for options warn of. */
static void warn(void *context, enum riptide_log_level level, const char *text)
{
	if (level >= RIPTIDE_LOG_WARNING)
		rip_complain(0, "%s: %s", (const char *)context, text);
}

/* name: of the queue, or of its PPD. */
static int check_filter(const struct rip_queue *queue, const char *name)
{
	return rip_queue_starts_us(queue) ? 0 :
	       rip_complain(-EINVAL, "%s prints without riptide: its PPD starts no filter of riptide; run"
			    " riptide adopt %s first", name, name);
}

int rip_queue_page(const char *queue, const char *path, const char *defaults,
		   struct rip_queue_page *page)
{
	char name[256];
	const struct rip_report_listener listener = { warn, NULL, name };
	cups_page_header2_t header;
	struct rip_options options;
	struct rip_choice choice;
	const char *called = queue ? queue : path;
	ppd_file_t *ppd;
	struct rip_queue opened;
	int r = open_ppd(queue, path, &ppd, NULL);

	if (r < 0)
		return r;
	opened.ppd = ppd;
	r = check_filter(&opened, called);
	if (r == 0)
		r = interpret(ppd, called, &header);
	if (r == 0) {
		snprintf(name, sizeof name, "%s", called);
		rip_report_listen(&listener);
		rip_options_init(&options, defaults, &opened);
		rip_options_page(&options, &header, &choice);
		rip_report_listen(NULL);
		page->x_dpi = header.HWResolution[0];
		page->y_dpi = header.HWResolution[1];
		page->levels = choice.levels;
		page->max_levels = rip_queue_max_levels(&opened);
		page->drops = choice.tone.drops;
		snprintf(page->screen, sizeof page->screen, "%s",
			 !choice.wish_count ? rip_screens[RIP_FLOYD_STEINBERG].name :
			 choice.wishes[0].id < 0 ? choice.wishes[0].mask :
						   rip_screens[choice.wishes[0].id].name);
		snprintf(page->printer, sizeof page->printer, "%s",
			 rip_options_printer(&options, &choice));
		rip_options_finish(&options);
	}
	ppdClose(ppd);
	return r;
}

int rip_queue_page_check_levels(const struct rip_queue_page *page, const char *name, unsigned levels)
{
	return levels <= page->max_levels ? 0 :
	       rip_complain(-EINVAL, "%s prints at most %u levels (riptideMaxLevels in its PPD), and not %u",
			    name, page->max_levels, levels);
}
