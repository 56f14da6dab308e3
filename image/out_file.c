#include "config.h"

#include "out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"
#include "system/replace_file.h"

#define BUFFER 262144 /* bytes */

/* The files that a signal must remove.  The handler, in any thread, reads a name while its flag
 * is set; so the names are never freed. */
static struct {
	char name[PATH_MAX + 8];
	volatile sig_atomic_t exists;
	bool taken; /* by an open file */
} unfinished[RIP_OUT_FILES_MAX];

static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };

void rip_out_file_remove(void)
{
	for (int i = 0; i < RIP_OUT_FILES_MAX; i++)
		if (unfinished[i].exists)
			unlink(unfinished[i].name);
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

static int cannot_write(const char *path, int error)
{
	return rip_complain(-error, "cannot write %s: %s", path, strerror(error));
}

/* Bytes of a path with which the suffix still is a legal name: a long name loses characters of
 * UTF-8 at its end. */
static size_t room_for(const char *path, const char *suffix)
{
	const char *slash = strrchr(path, '/');
	const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
	const size_t most = folder + NAME_MAX - strlen(suffix);
	size_t length = strlen(path);

	if (length <= most)
		return length;
	for (length = most; length > folder + 1 && (path[length] & 0xc0) == 0x80;)
		length--;
	return length;
}

/* Takes a place for the name of the unfinished file.  0 or -errno (reported). */
static int take_place(struct rip_out_file *file, const char *name, const char *suffix)
{
	const int length = (int)room_for(name, suffix);
	size_t size;
	int i = 0;

	while (i < RIP_OUT_FILES_MAX && unfinished[i].taken)
		i++;
	if (i == RIP_OUT_FILES_MAX)
		return cannot_write(file->name, EMFILE);
	size = (size_t)snprintf(unfinished[i].name, sizeof unfinished[i].name, "%.*s%s",
				length, name, suffix);
	if (size >= sizeof unfinished[i].name)
		return cannot_write(file->name, ENAMETOOLONG);
	unfinished[i].taken = true;
	file->place = i + 1;
	catch_signals();
	return 0;
}

static char *unfinished_name(const struct rip_out_file *file)
{
	return unfinished[file->place - 1].name;
}

static void set_unfinished(const struct rip_out_file *file, bool exists)
{
	unfinished[file->place - 1].exists = exists;
}

static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Creates a file without a name in the folder of file->target: if this process is killed, nothing
 * is left of it.  False: the file system cannot do that, or without /proc it gets no name later. */
static bool make_unnamed(struct rip_out_file *file)
{
	const char *slash = strrchr(file->target, '/');
	const size_t length = slash && slash > file->target ? (size_t)(slash - file->target) : 1;
	char *folder = slash ? strndup(file->target, length) : strdup(".");
	char path[32];

	if (!folder)
		return false;
	file->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(folder);
	if (file->fd < 0)
		return false;
	snprintf(path, sizeof path, "/proc/self/fd/%d", file->fd);
	file->unnamed = access(path, F_OK) == 0;
	if (!file->unnamed) {
		close(file->fd);
		file->fd = -1;
	}
	return file->unnamed;
}

/* Gives the file the unfinished name.  Only rename() replaces a file, and only one with a name.
 * 0 or -errno (reported). */
static int give_name(struct rip_out_file *file)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* 32 */
	char *const name = unfinished_name(file), *const end = name + strlen(name);
	char path[32];
	sigset_t before;
	int error = 0;

	if (!file->unnamed)
		return 0;
	snprintf(path, sizeof path, "/proc/self/fd/%d", file->fd);
	block_signals(&before);
	for (int tries = 0; tries < 100; tries++) {
		unsigned char bytes[6];

		error = getrandom(bytes, sizeof bytes, 0) == sizeof bytes ? 0 : EAGAIN;
		for (int i = 0; error == 0 && i < 6; i++)
			end[i - 6] = letters[bytes[i] % 32];
		if (error == 0 && linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) < 0)
			error = errno;
		if (error != EEXIST)
			break;
	}
	if (error == 0) {
		file->unnamed = false;
		set_unfinished(file, true);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error ? cannot_write(file->name, error) : 0;
}

/* Creates the temporary file for file->target.  replaced: the file that it will replace, whose
 * owner and access it gets, or NULL.  0 or -errno (reported). */
static int make_temporary(struct rip_out_file *file, const struct stat *replaced)
{
	sigset_t before;
	int error = 0, r = take_place(file, file->target, ".XXXXXX");

	if (r < 0)
		return r;
	if (!make_unnamed(file)) {
		block_signals(&before);
		file->fd = mkostemp(unfinished_name(file), O_CLOEXEC);
		if (file->fd < 0)
			error = errno;
		else
			set_unfinished(file, true);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (error)
		return rip_complain(-error, "cannot create a temporary file next to %s: %s",
				    file->name, strerror(error));
	/* Filters read PPDs by their group lp.  Only root may give files away: those of others
	 * become the user's own. */
	if (replaced && fchown(file->fd, replaced->st_uid, replaced->st_gid) < 0 && geteuid() == 0)
		return rip_complain(-errno, "cannot keep the owner of %s: %s", file->name,
				    strerror(errno));
	/* So far only the owner has access. */
	fchmod(file->fd, replaced ? replaced->st_mode & 0777 : default_mode());
	return 0;
}

/* Uses what is open already as a descriptor of this process: opened by its name, the file would be
 * written from its beginning, and not at its end if it was opened for that.  0 or -errno
 * (reported). */
static int use_descriptor(struct rip_out_file *file, int descriptor)
{
	const int flags = fcntl(descriptor, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return cannot_write(file->name, EBADF);
	file->fd = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return file->fd < 0 ? cannot_write(file->name, errno) : 0;
}

int rip_out_file_open(struct rip_out_file *file, const char *path)
{
	struct stat info;
	int descriptor;

	*file = (struct rip_out_file){ .name = path, .fd = -1 };
	file->buffer = malloc(BUFFER);
	if (!path || strcmp(path, "-") == 0) {
		file->name = "standard output";
		if (!file->buffer)
			return cannot_write(file->name, ENOMEM);
		file->fd = STDOUT_FILENO;
		return 0;
	}
	if (!file->buffer)
		return cannot_write(path, ENOMEM);
	if (!*path)
		return rip_complain(-ENOENT, "the name of an output file is empty");
	descriptor = rip_out_name_descriptor(path);
	if (descriptor >= 0)
		return use_descriptor(file, descriptor);
	if (stat(path, &info) == 0) {
		if (!S_ISREG(info.st_mode)) {
			file->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
			return file->fd < 0 ? cannot_write(path, errno) : 0;
		}
		if (descriptor == -EPERM)
			return rip_complain(-EPERM, "cannot write %s: another process has this"
					    " file open: name the file itself", path);
		/* Behind a symbolic link, the file is replaced, not the link. */
		file->target = realpath(path, NULL);
		if (!file->target)
			return cannot_write(path, errno);
		return make_temporary(file, &info);
	}
	if (errno != ENOENT)
		return cannot_write(path, errno);
	if (lstat(path, &info) == 0)
		return rip_complain(-ENOENT, "cannot write %s: it is a dangling symbolic link",
				    path);
	file->target = strdup(path);
	if (!file->target)
		return cannot_write(path, ENOMEM);
	return make_temporary(file, NULL);
}

int rip_out_file_unfinished(struct rip_out_file *file, const char **name)
{
	*name = file->place ? unfinished_name(file) : NULL;
	return file->place ? give_name(file) : 0;
}

int rip_out_file_join(struct rip_out_file *file, const char *path, const char *name)
{
	int r;

	*file = (struct rip_out_file){ .name = path, .fd = -1, .joined = true };
	r = name ? take_place(file, name, "") : 0;
	if (r < 0)
		return r;
	file->fd = open(name ? name : path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0)
		return cannot_write(name ? name : path, errno);
	if (name)
		set_unfinished(file, true);
	return 0;
}

int rip_out_file_write_at(const struct rip_out_file *file, const void *bytes, size_t size,
			  off_t offset)
{
	const uint8_t *from = bytes;

	for (size_t done = 0; done < size;) {
		const ssize_t n = offset < 0 ? write(file->fd, from + done, size - done)
					     : pwrite(file->fd, from + done, size - done,
						      offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cannot_write(file->name, errno);
		done += (size_t)n;
	}
	return 0;
}

int rip_out_file_flush(struct rip_out_file *file)
{
	int r = rip_out_file_write_at(file, file->buffer, file->used, -1);

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
		return rip_out_file_write_at(file, bytes, size, -1);
	memcpy(file->buffer + file->used, bytes, size);
	file->used += size;
	return 0;
}

/* Writes the rest and closes.  0 or -errno. */
static int finish(struct rip_out_file *file)
{
	int r = rip_out_file_flush(file);

	if (r == 0 && file->place) {
		r = rip_file_sync(file->fd);
		r = r < 0 ? cannot_write(file->name, -r) : give_name(file);
	}
	/* NFS and quotas report some errors only here. */
	if (r == 0 && close(file->fd) < 0 && errno != EINTR)
		r = cannot_write(file->name, errno);
	if (r == 0)
		file->fd = -1;
	return r;
}

int rip_out_files_commit(struct rip_out_file files[], unsigned count)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < count; i++)
		r = finish(&files[i]);
	for (unsigned i = 0; r == 0 && i < count; i++) {
		if (files[i].place == 0)
			continue;
		if (!files[i].joined)
			r = rip_file_rename(AT_FDCWD, unfinished_name(&files[i]), files[i].target);
		if (r < 0)
			cannot_write(files[i].name, -r);
		else
			set_unfinished(&files[i], false);
	}
	for (unsigned i = 0; i < count; i++)
		rip_out_file_abandon(&files[i]);
	return r;
}

int rip_out_file_commit(struct rip_out_file *file)
{
	return rip_out_files_commit(file, 1);
}

void rip_out_file_abandon(struct rip_out_file *file)
{
	if (file->fd > STDERR_FILENO)
		close(file->fd);
	file->fd = -1;
	if (file->place) {
		if (unfinished[file->place - 1].exists)
			unlink(unfinished_name(file));
		set_unfinished(file, false);
		unfinished[file->place - 1].taken = false;
	}
	file->place = 0;
	free(file->target);
	free(file->buffer);
	file->target = NULL;
	file->buffer = NULL;
	file->used = 0;
}
