#include "config.h"

#include "ppd_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* Compresses a text into a new memory file.  The descriptor, or -errno. */
static int compress(const char *text, size_t size)
{
	const int fd = memfd_create("riptide-ppd", MFD_CLOEXEC), own = fd < 0 ? -1 : dup(fd);
	cups_file_t *out = own < 0 ? NULL : cupsFileOpenFd(own, "w9");
	const bool written = out && cupsFileWrite(out, text, size) == (ssize_t)size;

	if (!out && own >= 0)
		close(own);
	if (out && cupsFileClose(out) == 0 && written)
		return fd;
	if (fd >= 0)
		close(fd);
	return -EIO;
}

/* Copies what is compressed. */
static int write_compressed(struct rip_out_file *out, const char *text, size_t size,
			    const char *name)
{
	const int fd = compress(text, size);
	struct stat info;
	void *bytes;
	int r = fd < 0 ? fd : 0;

	if (r == 0 && fstat(fd, &info) < 0)
		r = -errno;
	bytes = r < 0 ? MAP_FAILED :
		mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (r < 0 || bytes == MAP_FAILED) {
		r = rip_complain(-EIO, "cannot compress %s", name);
	} else {
		r = rip_out_file_write(out, bytes, (size_t)info.st_size);
		munmap(bytes, (size_t)info.st_size);
	}
	if (fd >= 0)
		close(fd);
	return r;
}

int rip_ppd_file_write(const char *text, size_t size, bool compressed, const char *path)
{
	struct rip_out_file out;
	int r = rip_out_file_open(&out, path);

	if (r == 0)
		r = compressed ? write_compressed(&out, text, size, path) :
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
