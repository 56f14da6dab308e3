#include "config.h"

#include "out_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"

#define LINKS_MAX 40 /* as many as the kernel follows */

/* The folder of a path, which is cut for that, without symbolic links.  False: there is none. */
static bool find_folder(char *path, char folder[PATH_MAX])
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return realpath(".", folder) != NULL;
	if (slash == path)
		return realpath("/", folder) != NULL;
	*slash = '\0';
	return realpath(path, folder) != NULL;
}

/* What a name in a folder is there: a descriptor in /proc/PID/fd or /proc/PID/task/TID/fd.
 * Results as of rip_out_name_descriptor(). */
static int descriptor_in(const char *folder, const char *name)
{
	const size_t length = strlen(folder);
	long process, number;
	char *end;

	if (strncmp(folder, "/proc/", 6) || length < 3 || strcmp(folder + length - 3, "/fd"))
		return -ENOENT;
	process = strtol(folder + 6, &end, 10);
	if (end == folder + 6 || *end != '/' || *name < '0' || *name > '9')
		return -ENOENT;
	number = strtol(name, &end, 10);
	if (*end || number > INT_MAX)
		return -ENOENT;
	return process == getpid() ? (int)number : -EPERM;
}

int rip_out_name_descriptor(const char *path)
{
	char folder[PATH_MAX], name[PATH_MAX], aim[PATH_MAX];
	int r;

	if ((size_t)snprintf(name, sizeof name, "%s", path) >= sizeof name)
		return -ENOENT;
	/* The last link of such a name leads from /proc to the file: realpath() of all of it would
	 * tell the file only. */
	for (unsigned links = 0; links < LINKS_MAX; links++) {
		const char *last = strrchr(name, '/');
		char own[NAME_MAX + 1];
		ssize_t n;

		if ((size_t)snprintf(own, sizeof own, "%s", last ? last + 1 : name) >= sizeof own ||
		    !find_folder(name, folder))
			return -ENOENT;
		r = descriptor_in(folder, own);
		if (r != -ENOENT)
			return r;
		if (snprintf(name, sizeof name, "%s/%s", folder, own) >= (int)sizeof name)
			return -ENOENT;
		n = readlink(name, aim, sizeof aim - 1);
		if (n <= 0)
			return -ENOENT;
		aim[n] = '\0';
		if (snprintf(name, sizeof name, "%s%s%s", *aim == '/' ? "" : folder,
			     *aim == '/' ? "" : "/", aim) >= (int)sizeof name)
			return -ENOENT;
	}
	return -ENOENT;
}

/* Whether an output would replace that file. */
static bool replaces(const char *path, const struct stat *in)
{
	struct stat out;

	return path && stat(path, &out) == 0 && S_ISREG(out.st_mode) && in->st_dev == out.st_dev &&
	       in->st_ino == out.st_ino && rip_out_name_descriptor(path) < 0;
}

int rip_out_name_check_input(const char *path, int input)
{
	struct stat in;

	if (fstat(input, &in) < 0 || !replaces(path, &in))
		return 0;
	return rip_complain(-EEXIST, "cannot write %s: it is the input:"
			    " name another file with -o", path);
}

int rip_out_name_check_file(const char *path, const char *file, const char *what)
{
	struct stat in;

	if (!file || stat(file, &in) < 0 || !replaces(path, &in))
		return 0;
	return rip_complain(-EEXIST, "cannot write %s: it is the %s: name another file", path,
			    what);
}

int rip_out_name_check_regular(const char *path)
{
	const char *slash = strrchr(path, '/');
	const bool folder = !*path || (slash && !slash[1]);
	struct stat info;

	if (!folder && rip_out_name_descriptor(path) == -ENOENT &&
	    (stat(path, &info) < 0 || S_ISREG(info.st_mode)))
		return 0;
	return rip_complain(-EINVAL, "cannot write to \"%s\", because it is %s:"
			    " name a file with -o", path,
			    !*path ? "empty" :
			    folder || (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) ?
			    "a folder" : "no regular file");
}

char *rip_out_name_numbered(const char *out, unsigned number)
{
	const char *name = strrchr(out, '/'), *suffix = strrchr(name ? name : out, '.');
	const size_t stem = suffix ? (size_t)(suffix - out) : strlen(out), size = strlen(out) + 16;
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%.*s-%u%s", (int)stem, out, number, suffix ? suffix : "");
	return path;
}
