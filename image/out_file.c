#include "config.h"

#include "out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"

#define BUFFER 262144 /* bytes */

/* The file that a signal must remove.  The handler, in any thread, reads the name while the
 * flag is set; so the name is never freed. */
static char unfinished[PATH_MAX + 8];
static volatile sig_atomic_t is_unfinished;

static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP };

void rip_out_file_remove(void)
{
	if (is_unfinished)
		unlink(unfinished);
}

static void take_away(int signal_number)
{
	rip_out_file_remove();
	/* Because of SA_RESETHAND the signal now has its usual effect. */
	raise(signal_number);
}

static void block_signals(sigset_t *before)
{
	sigset_t fatal;

	sigemptyset(&fatal);
	for (size_t i = 0; i < sizeof fatal_signals / sizeof fatal_signals[0]; i++)
		sigaddset(&fatal, fatal_signals[i]);
	pthread_sigmask(SIG_BLOCK, &fatal, before);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = take_away, .sa_flags = SA_RESETHAND };

	for (size_t i = 0; i < sizeof fatal_signals / sizeof fatal_signals[0]; i++) {
		struct sigaction before;

		/* Signals that nohup or a shell has set to be ignored stay ignored. */
		if (sigaction(fatal_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &action, NULL);
	}
}

static int complain_open(const char *path, int error)
{
	return rip_complain(-error, "cannot write %s: %s", path, strerror(error));
}

/* Creates the temporary file for file->target.  0 or -errno (reported). */
static int make_temporary(struct rip_out_file *file, mode_t mode)
{
	sigset_t before;
	int error = 0;

	if ((size_t)snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", file->target) >=
	    sizeof unfinished)
		return complain_open(file->name, ENAMETOOLONG);
	catch_signals();
	block_signals(&before);
	file->fd = mkostemp(unfinished, O_CLOEXEC);
	if (file->fd < 0)
		error = errno;
	else
		is_unfinished = 1;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		return rip_complain(-error, "cannot create a temporary file next to %s: %s", file->name,
				    strerror(error));
	/* mkostemp() gives access to the owner only. */
	fchmod(file->fd, mode);
	return 0;
}

static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

int rip_out_file_open(struct rip_out_file *file, const char *path)
{
	struct stat info;

	*file = (struct rip_out_file){ .name = path, .fd = -1 };
	file->buffer = malloc(BUFFER);
	if (!path || strcmp(path, "-") == 0) {
		file->name = "standard output";
		if (!file->buffer)
			return complain_open(file->name, ENOMEM);
		file->fd = STDOUT_FILENO;
		return 0;
	}
	if (!file->buffer)
		return complain_open(path, ENOMEM);
	if (stat(path, &info) == 0) {
		if (!S_ISREG(info.st_mode)) {
			file->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
			return file->fd < 0 ? complain_open(path, errno) : 0;
		}
		/* Behind a symbolic link, the file is replaced, not the link. */
		file->target = realpath(path, NULL);
		if (!file->target)
			return complain_open(path, errno);
		return make_temporary(file, info.st_mode & 0777);
	}
	if (errno != ENOENT)
		return complain_open(path, errno);
	if (lstat(path, &info) == 0)
		return rip_complain(-ENOENT, "cannot write %s: it is a dangling symbolic link",
				    path);
	file->target = strdup(path);
	if (!file->target)
		return complain_open(path, ENOMEM);
	return make_temporary(file, default_mode());
}

const char *rip_out_file_unfinished(const struct rip_out_file *file)
{
	return file->target ? unfinished : NULL;
}

int rip_out_file_join(struct rip_out_file *file, const char *path, const char *name)
{
	*file = (struct rip_out_file){ .name = path, .fd = -1, .joined = true };
	if (name) {
		if ((size_t)snprintf(unfinished, sizeof unfinished, "%s", name) >= sizeof unfinished)
			return complain_open(path, ENAMETOOLONG);
		catch_signals();
	}
	file->fd = open(name ? name : path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0)
		return complain_open(name ? name : path, errno);
	is_unfinished = name != NULL;
	return 0;
}

/* Writes all bytes: at an offset, or where the file is if that is negative. */
static int put(const struct rip_out_file *file, const uint8_t *bytes, size_t size, off_t offset)
{
	for (size_t done = 0; done < size;) {
		const ssize_t n = offset < 0 ? write(file->fd, bytes + done, size - done)
					     : pwrite(file->fd, bytes + done, size - done,
						      offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			const int error = errno;

			return rip_complain(-error, "cannot write %s: %s", file->name,
					    strerror(error));
		}
		done += (size_t)n;
	}
	return 0;
}

int rip_out_file_write_at(const struct rip_out_file *file, const void *bytes, size_t size,
			  off_t offset)
{
	return put(file, bytes, size, offset);
}

int rip_out_file_flush(struct rip_out_file *file)
{
	int r = put(file, file->buffer, file->used, -1);

	file->used = 0;
	return r;
}

int rip_out_file_write(struct rip_out_file *file, const void *bytes, size_t size)
{
	if (file->used + size > BUFFER) {
		int r = rip_out_file_flush(file);

		if (r < 0)
			return r;
	}
	if (size >= BUFFER)
		return put(file, bytes, size, -1);
	memcpy(file->buffer + file->used, bytes, size);
	file->used += size;
	return 0;
}

int rip_out_file_commit(struct rip_out_file *file)
{
	int r = rip_out_file_flush(file);

	/* NFS and quotas report some errors only here. */
	if (r == 0 && close(file->fd) < 0 && errno != EINTR)
		r = rip_complain(-errno, "cannot write %s: %s", file->name, strerror(errno));
	if (r == 0)
		file->fd = -1;
	if (r == 0 && file->joined)
		is_unfinished = 0;
	if (r == 0 && file->target) {
		if (rename(unfinished, file->target) < 0)
			r = complain_open(file->name, errno);
		else
			is_unfinished = 0;
	}
	rip_out_file_abandon(file);
	return r;
}

void rip_out_file_abandon(struct rip_out_file *file)
{
	if (file->fd > STDERR_FILENO)
		close(file->fd);
	file->fd = -1;
	if (is_unfinished && (file->target || file->joined))
		unlink(unfinished);
	is_unfinished = 0;
	free(file->target);
	free(file->buffer);
	file->target = NULL;
	file->buffer = NULL;
	file->used = 0;
}
