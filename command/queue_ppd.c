#include "config.h"

#include "queue_ppd.h"

#include <cups/cups.h>
#include <cups/ppd.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adopt/adoption.h"
#include "adopt/ppd_text.h"
#include "filter/options.h"
#include "filter/report.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "queue_request.h"
#include "system/ascii.h"
#include "terminal.h"

/* libcups reads both kinds; the first bytes tell which one it is. */
static bool is_compressed(const char *path)
{
	unsigned char start[2] = { 0, 0 };
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, start, sizeof start);

	if (fd >= 0)
		close(fd);
	return n == sizeof start && start[0] == 0x1f && start[1] == 0x8b;
}

/* libcups reads a folder as an empty file. */
static int refuse_folder(const char *path)
{
	struct stat info;

	if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
		return rip_complain(-EISDIR, "cannot read %s: %s", path, strerror(EISDIR));
	return 0; /* opening it tells what else is wrong */
}

int rip_ppd_file_read(struct rip_ppd_file *file, const char *path)
{
	cups_file_t *in;
	ssize_t n;
	bool complete, empty;
	int r;

	*file = (struct rip_ppd_file){ .size = 0 };
	r = refuse_folder(path);
	if (r < 0)
		return r;
	file->text = malloc(RIP_PPD_BYTES_MAX + 1);
	if (!file->text)
		return rip_complain(-ENOMEM, "%s: out of memory", path);
	in = cupsFileOpen(path, "r");
	if (!in) {
		const int error = errno ? errno : EIO;

		rip_ppd_file_free(file);
		return rip_complain(-error, "cannot open %s: %s", path, strerror(error));
	}
	errno = 0;
	while (file->size <= RIP_PPD_BYTES_MAX) {
		n = cupsFileRead(in, file->text + file->size, RIP_PPD_BYTES_MAX + 1 - file->size);
		if (n <= 0)
			break;
		file->size += (size_t)n;
	}
	/* cupsFileRead() returns -1 at the end too, and libcups calls every failure the end, but
	 * finds none in an empty file.  Within compressed data that end too early, the
	 * compression is not over. */
	empty = !errno && file->size == 0 && cupsFileCompression(in) == CUPS_FILE_NONE;
	complete = cupsFileEOF(in) && !errno && cupsFileCompression(in) == CUPS_FILE_NONE;
	cupsFileClose(in);
	if (empty) {
		rip_ppd_file_free(file);
		return rip_complain(-EBADMSG, "%s: the file is empty", path);
	}
	if (!complete) {
		const bool large = file->size > RIP_PPD_BYTES_MAX;

		rip_ppd_file_free(file);
		return rip_complain(large ? -EFBIG : -EIO, "%s: %s", path,
				    large ? "it is too large for a PPD" :
					    "cannot read it to its end");
	}
	file->compressed = is_compressed(path);
	return 0;
}

/* Writes a text compressed, behind the back of the file's buffer, which is empty. */
static int write_compressed(const struct rip_out_file *out, const char *text, size_t size)
{
	const int fd = fcntl(out->fd, F_DUPFD_CLOEXEC, 0);
	cups_file_t *file = fd < 0 ? NULL : cupsFileOpenFd(fd, "w9");
	bool written;

	if (!file && fd >= 0)
		close(fd);
	errno = 0;
	written = file && cupsFileWrite(file, text, size) == (ssize_t)size;
	written = file && cupsFileClose(file) == 0 && written;
	return written ? 0 : rip_complain(-EIO, "cannot write %s: %s", out->name,
					  strerror(errno ? errno : EIO));
}

int rip_ppd_file_write(const char *text, size_t size, bool compressed, const char *path)
{
	struct rip_out_file out;
	int r = rip_out_file_open(&out, path);

	if (r == 0)
		r = compressed ? write_compressed(&out, text, size) :
		    rip_out_file_write(&out, text, size);
	if (r == 0)
		r = rip_out_file_commit(&out);
	rip_out_file_abandon(&out);
	return r;
}

void rip_ppd_file_free(struct rip_ppd_file *file)
{
	free(file->text);
	file->text = NULL;
	file->size = 0;
}

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

int rip_queue_ppd_open(const char *queue, const char *path, struct rip_queue *opened, int *fd)
{
	const char *name = queue ? queue : path;
	char fetched[RIP_QUEUE_PPD_PATH], why[256];
	struct stat status;
	int r = queue ? rip_queue_ppd_fetch(queue, fetched) : 0;

	*fd = -1;
	if (r == -ENODATA)
		rip_complain(r, "the queue %s has no PPD", queue);
	if (r < 0)
		return r;
	*fd = open_file(queue ? fetched : path);
	if (queue)
		unlink(fetched);
	if (*fd < 0)
		return rip_complain(*fd, "cannot read the PPD %s: %s", name, strerror(-*fd));
	if (fstat(*fd, &status) == 0 && status.st_size == 0) {
		snprintf(why, sizeof why, "the file is empty");
	} else {
		lseek(*fd, 0, SEEK_SET);
		opened->ppd = ppdOpenFd(fcntl(*fd, F_DUPFD_CLOEXEC, 0)); /* closes it */
		if (opened->ppd) {
			lseek(*fd, 0, SEEK_SET);
			ppdMarkDefaults(opened->ppd);
			return 0;
		}
		rip_queue_ppd_error(why, sizeof why);
	}
	close(*fd);
	*fd = -1;
	return rip_complain(-EBADMSG, "cannot read the PPD %s: %s", name, why);
}

void rip_queue_ppd_advise(int fd, const char *name, char *advice, size_t size)
{
	struct rip_adoption verdict = { .kind = RIP_ADOPTION_YES };
	struct rip_ppd_file file = { .size = 0 };
	struct rip_ppd_text text = { .count = 0 };
	char path[64], why[200];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (rip_ppd_file_read(&file, path) == 0 &&
	    rip_ppd_text_parse(&text, file.text, file.size, why, sizeof why) == 0 &&
	    rip_adoption_judge(&verdict, &text, false) == 0 && verdict.kind == RIP_ADOPTION_NO)
		snprintf(advice, size, "riptide adopt cannot change that: %s", verdict.reason);
	else
		snprintf(advice, size, "run riptide adopt %s%s first",
			 verdict.kind == RIP_ADOPTION_UNKNOWN ? "--force " : "", name);
	rip_adoption_finish(&verdict);
	rip_ppd_text_finish(&text);
	rip_ppd_file_free(&file);
}

/* fd: the PPD.  name: of the queue, or of its PPD. */
static int check_filter(const struct rip_queue *queue, int fd, const char *name)
{
	char advice[512];

	if (rip_queue_starts_us(queue))
		return 0;
	rip_queue_ppd_advise(fd, name, advice, sizeof advice);
	return rip_complain(-EINVAL, "%s prints without riptide:"
			    " its PPD starts no filter of riptide; %s", name, advice);
}

void rip_queue_ppd_compare(const struct rip_queue *queue, const char *defaults, const char *name)
{
	cups_option_t *options = NULL;
	const int count = cupsParseOptions(defaults, 0, &options);

	for (int option = 0; option < RIP_OPTION_COUNT; option++) {
		const char *const names[] = { rip_option_keyword(option), rip_option_name(option) };
		const char *own = NULL, *ppd = NULL, *own_name = NULL, *ppd_name = NULL;

		for (int i = 0; i < 2; i++) {
			if (!own && (own = cupsGetOption(names[i], count, options)) != NULL)
				own_name = names[i];
			if (!ppd && (ppd = rip_queue_default(queue, names[i])) != NULL)
				ppd_name = names[i];
		}
		if (own && ppd && !rip_same_name(own, ppd))
			rip_complain(0, "%s: its default %s=%s counts, and not %s=%s of its PPD;"
				     " lpadmin -p %s -R %s-default removes it",
				     name, own_name, own, ppd_name, ppd, name, own_name);
	}
	cupsFreeOptions(count, options);
}

int rip_queue_page(const char *queue, const char *path, const char *defaults,
		   struct rip_queue_page *page)
{
	char name[256];
	const struct rip_report_listener listener = { rip_complain_log, NULL, name };
	cups_page_header2_t *header = &page->header;
	struct rip_options options;
	struct rip_choice choice;
	const char *called = queue ? queue : path;
	struct rip_queue opened;
	int fd, r = rip_queue_ppd_open(queue, path, &opened, &fd);

	if (r < 0)
		return r;
	r = check_filter(&opened, fd, called);
	memset(header, 0, sizeof *header);
	if (r == 0 && cupsRasterInterpretPPD(header, opened.ppd, 0, NULL, NULL) != 0)
		r = rip_complain(-EBADMSG, "%s: the PPD describes no raster", called);
	if (r == 0) {
		if (queue)
			rip_queue_ppd_compare(&opened, defaults, queue);
		snprintf(name, sizeof name, "%s", called);
		rip_report_listen(&listener);
		rip_options_init(&options, defaults, &opened);
		rip_options_page(&options, header, &choice);
		rip_report_listen(NULL);
		page->x_dpi = header->HWResolution[0];
		page->y_dpi = header->HWResolution[1];
		page->levels = choice.levels;
		page->max_levels = rip_queue_max_levels(&opened);
		page->drops = choice.tone.drops;
		snprintf(page->screen, sizeof page->screen, "%s",
			 !choice.wish_count ? rip_screens[RIP_FLOYD_STEINBERG].name :
			 *choice.wishes[0].mask ? choice.wishes[0].mask :
						   rip_screens[choice.wishes[0].id].name);
		snprintf(page->printer, sizeof page->printer, "%s",
			 rip_options_printer(&options, &choice));
		rip_options_finish(&options);
	}
	close(fd);
	ppdClose(opened.ppd);
	return r;
}

int rip_queue_page_check_levels(const struct rip_queue_page *page, const char *name,
				unsigned levels)
{
	return levels <= page->max_levels ? 0 :
	       rip_complain(-EINVAL, "%s prints at most %u levels (riptideMaxLevels in its PPD),"
			    " and not %u", name, page->max_levels, levels);
}
