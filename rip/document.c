#include "config.h"

#include "document.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/refuse.h"
#include "system/temporary_space.h"
#include "system/write_all.h"

#define COPY_BYTES (256u << 10)
#define HEAD_BYTES 1024 /* in which readers of PDF look for its mark */

static int refuse(char *why, size_t size, int error)
{
	return rip_refuse_as(-error, why, size, "cannot read the document: %s", strerror(error));
}

bool rip_document_is_raster(int document)
{
	/* PWG raster as rastertopdf knows it: some lack "PwgRaster" in the first page's header. */
	static const char pwg[] = "RaS2", apple[8] = "UNIRAST"; /* with its NUL */
	char head[sizeof apple] = "";

	return pread(document, head, sizeof head, 0) == sizeof head &&
	       (!memcmp(head, pwg, strlen(pwg)) || !memcmp(head, apple, sizeof apple));
}

bool rip_document_is_postscript(int document)
{
	static const char job[] = "\033%-12345X"; /* PJL, in whatever language comes then */
	char head[HEAD_BYTES + 1] = "";
	const ssize_t n = pread(document, head, HEAD_BYTES, 0);
	const char *pdf = n > 0 ? memmem(head, (size_t)n, "%PDF-", 5) : NULL;

	/* In a line of its own, or behind bytes that are no text. */
	for (const char *at = head; n > 0 && at + 1 < head + n; at++)
		if (at[0] == '%' && at[1] == '!' &&
		    (at == head || at[-1] < ' ' || at[-1] > '~'))
			return !pdf || at < pdf;
	return !pdf && !strncmp(head, job, strlen(job));
}

/* 0, or -errno and why, if it is no PDF, nor raster or PostScript where these will do. */
static int check(int fd, bool raster, char *why, size_t size)
{
	char head[HEAD_BYTES + 1];
	const ssize_t n = pread(fd, head, HEAD_BYTES, 0);

	if (n < 0)
		return refuse(why, size, errno);
	if (n == 0)
		return rip_refuse_as(-ENODATA, why, size, "the document is empty");
	if (raster && (rip_document_is_raster(fd) || rip_document_is_postscript(fd)))
		return 0;
	if (n >= 4 && !memcmp(head, "PK\3\4", 4))
		return rip_refuse_as(-EBADMSG, why, size,
				     "the document is no PDF but a ZIP file, as XPS is; make a PDF "
				     "of XPS first: xpstopdf (package libgxps-utils) does that");
	return memmem(head, (size_t)n, "%PDF-", 5) ? 0 :
	       rip_refuse_as(-EBADMSG, why, size,
			     "the document is no PDF: its first %d bytes lack %%PDF-", HEAD_BYTES);
}

/* Copies a stream.  What is no PDF may be endless, so it is refused after its first bytes.
 * The copy, or -errno. */
static int copy(int from, bool raster, char *why, size_t size)
{
	uint8_t *buffer = malloc(COPY_BYTES);
	int to = rip_temporary_space_file(), r = 0;
	bool checked = false;
	off_t copied = 0;
	ssize_t n;

	if (to < 0)
		to = rip_temporary_space_refuse(-to, why, size);
	if (!buffer && to >= 0)
		r = refuse(why, size, ENOMEM);
	while (buffer && to >= 0 && r == 0) {
		n = read(from, buffer, COPY_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			r = refuse(why, size, errno);
		if (n <= 0)
			break;
		r = rip_write_all(to, buffer, (size_t)n);
		if (r < 0)
			r = rip_temporary_space_refuse(-r, why, size);
		copied += n;
		if (r == 0 && !checked && copied >= HEAD_BYTES) {
			r = check(to, raster, why, size);
			checked = true;
		}
	}
	free(buffer);
	if (r < 0 && to >= 0) {
		close(to);
		to = r;
	}
	if (to >= 0)
		fchmod(to, 0444); /* Ghostscript may run as another user */
	return to;
}

/* Whether the file behind a descriptor can be opened again, as Ghostscript does it.  That needs
 * permission for the file; the descriptor may come from a process that had it, and root's
 * Ghostscript runs as another user. */
static bool can_open_again(int fd, const struct stat *info)
{
	char name[32];
	int again;

	if (geteuid() == 0 && !(info->st_mode & S_IROTH))
		return false;
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	again = open(name, O_RDONLY | O_CLOEXEC);
	if (again >= 0)
		close(again);
	return again >= 0;
}

int rip_document_open(int fd, bool raster, char *why, size_t size)
{
	struct stat info;
	int r, document;

	if (fstat(fd, &info) < 0)
		return refuse(why, size, errno);
	/* A file that was read in part is copied from there on. */
	if (S_ISREG(info.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 && can_open_again(fd, &info)) {
		document = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (document < 0)
			return refuse(why, size, errno);
	} else {
		document = copy(fd, raster, why, size);
		if (document < 0)
			return document;
	}
	r = check(document, raster, why, size);
	if (r == 0)
		return document;
	close(document);
	return r;
}

/* Whether the bytes have this name, with the value OFF if `off`. */
static bool has_state(const uint8_t *bytes, size_t n, const char *name, bool off)
{
	const size_t length = strlen(name);
	const uint8_t *at = bytes, *end = bytes + n;

	while ((at = memmem(at, (size_t)(end - at), name, length))) {
		at += length;
		while (at < end && strchr(" \t\r\n", *at) && *at)
			at++;
		if (!off || (end - at >= 4 && !memcmp(at, "/OFF", 4)))
			return true;
	}
	return false;
}

bool rip_document_has_print_layers(int fd)
{
	uint8_t *bytes = malloc(COPY_BYTES);
	bool print = false, off = false;
	ssize_t n;

	/* A name and its value may end in the next part. */
	for (off_t at = 0; bytes && !(print && off); at += n - HEAD_BYTES) {
		n = pread(fd, bytes, COPY_BYTES, at);
		if (n > 0) {
			print |= has_state(bytes, (size_t)n, "/PrintState", false);
			off |= has_state(bytes, (size_t)n, "/PrintState", true) ||
			       has_state(bytes, (size_t)n, "/ViewState", true);
		}
		if (n <= HEAD_BYTES)
			break;
	}
	free(bytes);
	return print && off;
}

/* A number; *text is left behind it.  False: none, or one that is too large. */
static bool read_number(const char **text, unsigned *number)
{
	const char *start = *text;

	for (*number = 0; **text >= '0' && **text <= '9'; (*text)++) {
		*number = *number * 10 + (unsigned)(**text - '0');
		if (*number > 100000000)
			return false;
	}
	return *text > start && *number > 0;
}

/* The next range; first is 1 and last 0 (the end) where they are not said.  False: it is none. */
static bool read_range(const char **text, unsigned *first, unsigned *last)
{
	*first = 1;
	*last = 0;
	if (**text == '-') {
		(*text)++;
		return read_number(text, last);
	}
	if (!read_number(text, first))
		return false;
	*last = *first;
	if (**text != '-')
		return true;
	(*text)++;
	*last = 0;
	if (**text < '0' || **text > '9')
		return true;
	return read_number(text, last) && *last >= *first;
}

bool rip_page_list_valid(const char *text)
{
	unsigned first, last;

	for (;;) {
		if (!read_range(&text, &first, &last))
			return false;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

/* Goes through the ranges, and stores their pages if list is not NULL.  Returns how many they are;
 * 0: *missing is not in the document. */
static size_t expand(const char *text, unsigned pages, unsigned *list, unsigned *missing)
{
	unsigned first, last;
	size_t count = 0;

	for (; read_range(&text, &first, &last); text += *text == ',') {
		last = last ? last : pages;
		if (first > pages || last > pages) {
			*missing = first > pages ? first : last;
			return 0;
		}
		for (unsigned page = first; list && page <= last; page++)
			list[count + page - first] = page;
		count += last - first + 1;
	}
	return count;
}

int rip_page_list_resolve(const char *text, unsigned pages, unsigned **list, unsigned *count,
			  unsigned *missing)
{
	size_t all;

	*list = NULL;
	*count = 0;
	if (!text && pages == 0)
		return 0;
	text = text ? text : "1-";
	all = expand(text, pages, NULL, missing);
	if (all == 0)
		return -ERANGE;
	if (all > RIP_PAGE_LIST_MAX)
		return -E2BIG;
	*list = malloc(all * sizeof **list);
	if (!*list)
		return -ENOMEM;
	*count = (unsigned)expand(text, pages, *list, missing);
	return 0;
}

bool rip_page_list_has(const char *text, unsigned page)
{
	unsigned first, last;

	for (; text && read_range(&text, &first, &last); text += *text == ',')
		if (page >= first && (page <= last || last == 0))
			return true;
	return !text;
}

unsigned rip_page_list_last(const char *text)
{
	unsigned first, last, most = text ? 0 : UINT_MAX;

	for (; text && read_range(&text, &first, &last); text += *text == ',') {
		last = last ? last : UINT_MAX;
		most = last > most ? last : most;
	}
	return most;
}

unsigned rip_page_list_missing(const char *text, unsigned pages)
{
	unsigned missing = 0;

	return text && expand(text, pages, NULL, &missing) == 0 ? missing : 0;
}
