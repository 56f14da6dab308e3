/* The files behind libtiff. */
#include "config.h"

#include "tiff.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"

static tmsize_t io_read(thandle_t handle, void *bytes, tmsize_t size)
{
	struct rip_tiff_io *io = handle;
	const ssize_t n = io->error ? 0 : rip_input_read_at(io->fd, io->name, bytes, (size_t)size,
							    io->at);

	if (n < 0)
		io->error = (int)n;
	io->at += n > 0 ? n : 0;
	return n > 0 ? n : 0;
}

static tmsize_t io_write(thandle_t handle, void *bytes, tmsize_t size)
{
	struct rip_tiff_io *io = handle;
	int r;

	if (!io->output)
		return 0;
	r = rip_out_file_write_at(io->output, bytes, (size_t)size, io->at);
	if (r < 0) {
		io->error = io->error ? io->error : r;
		return 0;
	}
	io->at += size;
	return size;
}

static toff_t io_size(thandle_t handle)
{
	const struct rip_tiff_io *io = handle;
	struct stat info;

	return fstat(io->fd, &info) < 0 ? 0 : (toff_t)info.st_size;
}

static toff_t io_seek(thandle_t handle, toff_t offset, int whence)
{
	struct rip_tiff_io *io = handle;
	const toff_t from = whence == SEEK_CUR ? (toff_t)io->at :
			    whence == SEEK_END ? io_size(io) : 0;

	/* The sum is modulo 2^64: libtiff passes negative offsets so. */
	if ((off_t)(from + offset) < 0)
		return (toff_t)-1;
	io->at = (off_t)(from + offset);
	return (toff_t)io->at;
}

static int io_close(thandle_t handle)
{
	return 0;
}

static void format_message(char *text, size_t size, const char *format, va_list arguments)
{
	size_t length;

	rip_format_line(text, size, format, arguments);
	length = strlen(text);
	if (length > 0 && text[length - 1] == '.')
		text[length - 1] = '\0';
}

static void report(struct rip_tiff_io *io, const char *text)
{
	const size_t length = strlen(io->name);

	/* libtiff begins some messages with the name. */
	if (!strncmp(text, io->name, length) && !strncmp(text + length, ": ", 2))
		text += length + 2;
	if (io->output)
		io->error = rip_complain(-EIO, "cannot write %s: %s", io->name, text);
	else if (strstr(text, "limit defined in open options"))
		io->error = rip_complain(-EFBIG, "%s needs more than %zu MiB of memory at once:"
					 " make its strips or tiles smaller"
					 " (tiffcp -r 16 or tiffcp -t -w 256 -l 256)",
					 io->name, RIP_TIFF_BYTES_MAX >> 20);
	else
		io->error = rip_complain(-EBADMSG, "%s: damaged TIFF: %s", io->name, text);
}

static int on_error(TIFF *tiff, void *context, const char *module, const char *format,
		    va_list arguments)
{
	struct rip_tiff_io *io = context;

	if (!*io->failure)
		format_message(io->failure, sizeof io->failure, format, arguments);
	return 1;
}

/* Whether a warning is about files as many programs write them: tags of their own, and inks beyond
 * CMYK. */
static bool is_usual(const char *text)
{
	return strstr(text, "Unknown field with tag") ||
	       strstr(text, "Defining non-color channels as ExtraSamples");
}

static int on_warning(TIFF *tiff, void *context, const char *module, const char *format,
		      va_list arguments)
{
	struct rip_tiff_io *io = context;
	char text[256];

	if (io->strict)
		return on_error(tiff, context, module, format, arguments);
	format_message(text, sizeof text, format, arguments);
	if (!*io->warning && !is_usual(text))
		snprintf(io->warning, sizeof io->warning, "%s", text);
	return 1;
}

TIFF *rip_tiff_io_open(struct rip_tiff_io *io, const char *mode)
{
	TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
	TIFF *tiff = NULL;

	io->at = 0;
	if (options) {
		TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)RIP_TIFF_BYTES_MAX);
		TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, io);
		TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, io);
		tiff = TIFFClientOpenExt(io->name, mode, io, io_read, io_write, io_seek, io_close,
					 io_size, NULL, NULL, options);
		TIFFOpenOptionsFree(options);
	}
	if (!tiff)
		rip_tiff_io_failed(io);
	return tiff;
}

bool rip_tiff_io_is_bad(const struct rip_tiff_io *io)
{
	return io->error || *io->failure;
}

int rip_tiff_io_failed(struct rip_tiff_io *io)
{
	if (io->error == 0)
		report(io, *io->failure ? io->failure : "libtiff does not say why");
	return io->error;
}

void rip_tiff_io_set_strict(struct rip_tiff_io *io, bool strict)
{
	if (*io->failure && !*io->warning)
		snprintf(io->warning, sizeof io->warning, "%s", io->failure);
	*io->failure = '\0';
	io->strict = strict;
}
