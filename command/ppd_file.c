#include "config.h"

#include "ppd_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>

#include "adopt/ppd_text.h"
#include "image/complain.h"
#include "image/out_file.h"

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
