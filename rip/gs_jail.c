#include "config.h"

#include "gs_jail.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "renderer.h"
#include "system/child.h"
#include "system/refuse.h"

/* The user as whom cupsd runs filters, unless its configuration says otherwise. */
#define FILTER_USER "lp"

/* Address space that Ghostscript takes without using it: libraries, stacks and heaps of threads. */
#define RESERVED_BYTES (UINT64_C(2) << 30)

/* What a file may take if the folder for temporary files cannot tell what is free. */
#define FILE_BYTES (UINT64_C(512) << 20)

/* Ghostscript's own data, profiles, fontconfig's files, libraries, sizes of paper.  None of them is
 * secret. */
static const char *const usual[] = {
	"/usr/share/ghostscript", "/usr/local/share/ghostscript", "/usr/lib/ghostscript",
	"/usr/local/lib/ghostscript", "/var/lib/ghostscript", "/etc/ghostscript",
	"/usr/share/poppler",
	"/usr/share/color", "/usr/local/share/color", "/var/lib/color", "/var/lib/colord",
	"/etc/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig", "/usr/lib",
	"/usr/local/lib", "/lib", "/usr/lib64", "/lib64", "/usr/libexec/coreutils",
	"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/papersize", "/etc/paperspecs",
	"/etc/localtime", "/usr/share/zoneinfo", "/sys/devices/system/cpu/online",
};

/* Fonts, of which some are links to elsewhere. */
static const char *const fonts[] = {
	"/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/cups/fonts",
	"/usr/share/X11/fonts", "/usr/share/texmf/fonts", "/usr/share/texlive/texmf-dist/fonts",
	"/var/cache/fonts",
};

/* Fonts and caches of the user's own, for riptide rip. */
static const char *const of_home[] = {
	".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig",
};

/* Of the environment, which a document can read. */
static const char *const kept[] = {
	"GS_", "FONTCONFIG_", "LANG=", "LC_", "TZ=", "HOME=", "LD_LIBRARY_PATH=",
};

/* With which Ghostscript writes pixels in pieces of more than 4096 bytes: half of a text page's
 * time.  It is what the program stdbuf loads. */
static const char *const buffer_libraries[] = {
	"/usr/libexec/coreutils/libstdbuf.so", "/usr/lib/coreutils/libstdbuf.so",
	"/usr/lib64/coreutils/libstdbuf.so",
};

/* A file of fontconfig's is smaller. */
#define TEXT_BYTES (1 << 20)

/* So many folders of fonts below each other are looked through for links. */
#define LINKS_DEPTH 3

#define COUNT(array) (sizeof (array) / sizeof (array)[0])

/* ---- the program ---- */

static bool can_run(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* The program of this name that the user may run, as execvp() finds it.  0 or -ENOENT. */
static int find_program(const char *name, char path[PATH_MAX])
{
	const char *folder = getenv("PATH");

	if (strchr(name, '/')) {
		const int n = snprintf(path, PATH_MAX, "%s", name);

		return n < PATH_MAX && can_run(name) ? 0 : -ENOENT;
	}
	folder = folder ? folder : "/bin:/usr/bin"; /* execvp()'s */
	for (;;) {
		const size_t length = strcspn(folder, ":");
		const int n = snprintf(path, PATH_MAX, "%.*s/%s", length ? (int)length : 1,
				       length ? folder : ".", name);

		if (n > 0 && n < PATH_MAX && can_run(path))
			return 0;
		if (!folder[length])
			return -ENOENT;
		folder += length + 1;
	}
}

/* ---- the environment ---- */

/* Adds NAME=value.  0 or -ENOMEM. */
static int set(char **environment, size_t *count, const char *name, const char *value)
{
	return asprintf(&environment[(*count)++], "%s=%s", name, value) < 0 ? -ENOMEM : 0;
}

static bool is_kept(const char *variable)
{
	for (size_t i = 0; i < COUNT(kept); i++)
		if (!strncmp(variable, kept[i], strlen(kept[i])))
			return true;
	return false;
}

static int make_environment(struct rip_gs_jail *jail)
{
	size_t count = 0, have = 0;
	char folder[32];
	int r = 0;

	while (environ[have])
		have++;
	jail->environment = calloc(have + 5, sizeof *jail->environment);
	if (!jail->environment)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < COUNT(buffer_libraries); i++)
		if (access(buffer_libraries[i], R_OK) == 0) {
			r = set(jail->environment, &count, "LD_PRELOAD", buffer_libraries[i]);
			if (r == 0)
				r = set(jail->environment, &count, "_STDBUF_O", "131072");
			break;
		}
	/* By its descriptor, the folder is found also below folders of another user. */
	snprintf(folder, sizeof folder, "/dev/fd/%d", RIP_GS_FOLDER);
	if (r == 0 && jail->on)
		r = set(jail->environment, &count, "TMPDIR", folder);
	for (size_t i = 0; r == 0 && i < have; i++) {
		if (jail->on && !is_kept(environ[i]))
			continue;
		if (count && !strncmp(environ[i], "LD_PRELOAD=", 11))
			continue;
		jail->environment[count] = strdup(environ[i]);
		r = jail->environment[count++] ? 0 : -ENOMEM;
	}
	return r;
}

/* ---- what it is refused ---- */

static bool is_readable(const struct rip_gs_jail *jail, const char *path)
{
	for (size_t i = 0; i < jail->readable_count; i++) {
		const size_t length = strlen(jail->readable[i]);

		if (!strncmp(path, jail->readable[i], length) &&
		    (path[length] == '/' || !path[length]))
			return true;
	}
	return false;
}

/* Whether the user does not know of this folder yet. */
static bool is_new(struct rip_gs_jail *jail, const char *folder)
{
	bool found = false, room = false;

	pthread_mutex_lock(&jail->lock);
	for (size_t i = 0; !found && !room && i < COUNT(jail->refused); i++) {
		found = !strncmp(jail->refused[i], folder, sizeof jail->refused[i] - 1);
		room = !jail->refused[i][0];
		if (room)
			snprintf(jail->refused[i], sizeof jail->refused[i], "%.255s", folder);
	}
	pthread_mutex_unlock(&jail->lock);
	return room && !found;
}

/* ---- what it may read ---- */

static int allow(struct rip_gs_jail *jail, const char *path, enum rip_jail_access access)
{
	char **more, real[PATH_MAX];

	/* What does not exist cannot be read. */
	if (rip_jail_allow(&jail->jail, path, access, real) < 0)
		return 0;
	more = realloc(jail->readable, (jail->readable_count + 1) * sizeof *more);
	if (!more)
		return -ENOMEM;
	jail->readable = more;
	more[jail->readable_count] = strdup(real);
	return more[jail->readable_count] ? (jail->readable_count++, 0) : -ENOMEM;
}

/* Whether a file or link is root's or this user's: others may not choose what is readable. */
static bool is_trusted(const char *path)
{
	struct stat info;

	return lstat(path, &info) == 0 && (info.st_uid == 0 || info.st_uid == geteuid());
}

/* Symbolic links in a folder of fonts lead to fonts that are elsewhere.  Ghostscript 10.00 crashes
 * if it finds such a font and cannot open it. */
static int allow_links(struct rip_gs_jail *jail, const char *folder, unsigned depth)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;
	char path[PATH_MAX], real[PATH_MAX];
	int r = 0;

	while (r == 0 && entries && (entry = readdir(entries))) {
		if (entry->d_name[0] == '.' ||
		    (entry->d_type != DT_DIR && entry->d_type != DT_LNK) ||
		    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_MAX)
			continue;
		if (entry->d_type == DT_DIR && depth < LINKS_DEPTH)
			r = allow_links(jail, path, depth + 1);
		else if (entry->d_type == DT_LNK && is_trusted(path) && realpath(path, real) &&
			 !is_readable(jail, real))
			r = allow(jail, real, RIP_JAIL_READ);
	}
	if (entries)
		closedir(entries);
	return r;
}

/* Absolute paths with colons between. */
static int allow_list(struct rip_gs_jail *jail, const char *list)
{
	int r = 0;

	while (r == 0 && list && *list) {
		const size_t length = strcspn(list, ":");
		char path[PATH_MAX];

		if (*list == '/' && length < sizeof path) {
			snprintf(path, sizeof path, "%.*s", (int)length, list);
			r = allow(jail, path, RIP_JAIL_READ);
		}
		list += length + (list[length] == ':');
	}
	return r;
}

/* Whether a job has named the profile: nothing but the usual folders is opened for it. */
static bool is_of_job(const char *argument)
{
	return !strncmp(argument, "-sTextICC", 9) || !strncmp(argument, "-sVectorICC", 11) ||
	       !strncmp(argument, "-sImageICC", 10);
}

/* -I and -sNAME= tell Ghostscript paths: of fonts, of a profile. */
static int allow_arguments(struct rip_gs_jail *jail, const char *const *arguments)
{
	int r = 0;

	for (size_t i = 0; r == 0 && arguments && arguments[i]; i++) {
		const char *equals = strchr(arguments[i], '=');

		if (!strncmp(arguments[i], "-I", 2))
			r = allow_list(jail, arguments[i] + 2);
		else if (!strncmp(arguments[i], "-s", 2) && equals && !is_of_job(arguments[i]))
			r = allow_list(jail, equals + 1);
	}
	return r;
}

/* The text of a file, which others may not choose.  To be freed; NULL: there is none. */
static char *read_text(int fd)
{
	struct stat info;
	char *text = NULL;
	ssize_t n;

	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
	    (info.st_uid == 0 || info.st_uid == geteuid()) && info.st_size < TEXT_BYTES)
		text = malloc((size_t)info.st_size + 1);
	n = text ? read(fd, text, (size_t)info.st_size) : -1;
	if (n >= 0)
		text[n] = '\0';
	else
		free(text);
	return n >= 0 ? text : NULL;
}

/* Whether a link in fontconfig's folder leads to one of usual[].  To ask the kernel where the links
 * lead takes longer than to read the files. */
static bool is_usual_link(int folder, const char *name)
{
	static const char data[] = "/usr/share/fontconfig/", available[] = "../conf.avail/";
	char target[PATH_MAX];
	const ssize_t n = readlinkat(folder, name, target, sizeof target - 1);

	target[n > 0 ? n : 0] = '\0';
	return !strncmp(target, data, strlen(data)) ||
	       !strncmp(target, available, strlen(available));
}

/* A file of fontconfig's, and the folders that it names: about a font that it may not read,
 * Ghostscript says nothing and uses another one. */
static int allow_font_folders(struct rip_gs_jail *jail, int folder, const char *name)
{
	const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : read_text(fd), *at = text, *end;
	char real[PATH_MAX];
	int r = 0;

	if (text && !is_usual_link(folder, name) && rip_jail_real_path(fd, name, real) &&
	    !is_readable(jail, real))
		r = allow(jail, real, RIP_JAIL_READ);
	for (; r == 0 && text && (at = strstr(at, "<dir")) && (at = strchr(at, '>'));
	     at = end + 1) {
		at++;
		end = at + strcspn(at, "<");
		if (!*end)
			break;
		*end = '\0';
		/* relative ones are a user's: of_home[] */
		if (*at == '/' && at[1] && !is_readable(jail, at))
			r = allow(jail, at, RIP_JAIL_READ);
	}
	free(text);
	if (fd >= 0)
		close(fd);
	return r;
}

static int allow_fontconfig(struct rip_gs_jail *jail)
{
	const char *named = getenv("FONTCONFIG_FILE");
	DIR *entries = opendir("/etc/fonts/conf.d");
	const struct dirent *entry;
	int r = allow_font_folders(jail, AT_FDCWD, "/etc/fonts/fonts.conf");

	if (r == 0)
		r = allow_font_folders(jail, AT_FDCWD, "/etc/fonts/local.conf");
	while (r == 0 && entries && (entry = readdir(entries)))
		if (entry->d_name[0] != '.')
			r = allow_font_folders(jail, dirfd(entries), entry->d_name);
	if (entries)
		closedir(entries);
	if (r == 0 && named && *named == '/' && is_trusted(named)) {
		r = allow(jail, named, RIP_JAIL_READ);
		if (r == 0)
			r = allow_font_folders(jail, AT_FDCWD, named);
	}
	return r;
}

static int allow_all(struct rip_gs_jail *jail, const char *const *arguments)
{
	static const char *const lists[] = { "GS_LIB", "GS_FONTPATH", "LD_LIBRARY_PATH" };
	const char *home = getenv("HOME");
	char path[PATH_MAX];
	size_t others;
	int r = allow(jail, "/dev/null", RIP_JAIL_DEVICE);

	for (size_t i = 0; r == 0 && i < COUNT(usual); i++)
		r = allow(jail, usual[i], RIP_JAIL_READ);
	others = jail->readable_count;
	for (size_t i = 0; r == 0 && i < COUNT(fonts); i++)
		r = allow(jail, fonts[i], RIP_JAIL_READ);
	for (size_t i = 0; r == 0 && home && *home == '/' && i < COUNT(of_home); i++)
		if (snprintf(path, sizeof path, "%s/%s", home, of_home[i]) < PATH_MAX &&
		    is_trusted(path))
			r = allow(jail, path, RIP_JAIL_READ);
	for (size_t i = 0; r == 0 && i < COUNT(lists); i++)
		r = allow_list(jail, getenv(lists[i]));
	if (r == 0)
		r = allow_fontconfig(jail);
	if (r == 0)
		r = allow_arguments(jail, arguments);
	if (r == 0)
		r = allow_list(jail, jail->settings.folders);
	for (size_t i = others, count = jail->readable_count; r == 0 && i < count; i++)
		r = allow_links(jail, jail->readable[i], 0);
	return r;
}

/* ---- the jail ---- */

/* Makes the folder for files, which belongs to the user that root becomes. */
static int make_folder(struct rip_gs_jail *jail, char *why, size_t size)
{
	const struct passwd *user = geteuid() == 0 ? getpwnam(FILTER_USER) : NULL;
	struct statvfs info;
	int r = rip_private_folder_make(&jail->folder, NULL);

	jail->jail.file = FILE_BYTES;
	if (r < 0) /* a folder without files, as its parent: no file can be made */
		return 0;
	if (user && fchown(jail->folder.fd, user->pw_uid, user->pw_gid) == 0) {
		jail->jail.user = user->pw_uid;
		jail->jail.group = user->pw_gid;
	}
	jail->jail.folder = RIP_GS_FOLDER;
	r = rip_jail_allow_fd(&jail->jail, jail->folder.fd, RIP_JAIL_FILES);
	if (r < 0)
		return rip_refuse_as(r, why, size, "the jail of Ghostscript: %s: %s",
				     jail->folder.path, strerror(-r));
	if (fstatvfs(jail->folder.fd, &info) == 0 &&
	    (uint64_t)info.f_bavail * info.f_frsize > FILE_BYTES)
		jail->jail.file = (uint64_t)info.f_bavail * info.f_frsize;
	return 0;
}

static uint64_t address_space(size_t band)
{
	const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	const uint64_t machine = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;

	return (machine > 2 * band ? machine : 2 * band) + RESERVED_BYTES;
}

static int refuse_program(const struct rip_gs_jail *jail, int error, const char *path, char *why,
			  size_t size)
{
	if (error == -ENOEXEC)
		return rip_refuse_as(error, why, size, "%s is a script, and %s's jail "
				     "starts no second program: set riptide-jail = off in %s", path,
				     jail->renderer->title, rip_draw_settings_path());
	return rip_refuse_as(error, why, size, "cannot start %s: %s", path, strerror(-error));
}

int rip_gs_jail_refuse(char *why, size_t size)
{
	return rip_refuse_as(-EOPNOTSUPP, why, size, "this system does not have all of the jail "
			     "that riptide-jail = require in %s wants",
			     rip_draw_settings_path());
}

static int make(struct rip_gs_jail *jail, const char *const *arguments, int document, size_t band,
		char *why, size_t size)
{
	int r = rip_jail_init(&jail->jail, RIP_GS_COMMANDS + 1,
			      jail->settings.jail == RIP_JAIL_REQUIRE);

	if (r < 0)
		return rip_gs_jail_refuse(why, size);
	jail->jail.memory = address_space(band);
	if (jail->second[0]) {
		r = rip_jail_program(&jail->jail, jail->second);
		if (r < 0)
			return refuse_program(jail, r, jail->second, why, size);
		jail->second_fd = jail->jail.program;
	}
	r = rip_jail_program(&jail->jail, jail->program);
	if (r < 0)
		return refuse_program(jail, r, jail->program, why, size);
	r = allow_all(jail, arguments);
	if (r == 0)
		r = rip_jail_allow_fd(&jail->jail, document, RIP_JAIL_READ);
	if (r < 0)
		return rip_refuse_as(r, why, size, "the jail of Ghostscript: %s", strerror(-r));
	return make_folder(jail, why, size);
}

int rip_gs_jail_open(struct rip_gs_jail *jail, const char *program, const char *const *arguments,
		     int document, size_t band, char *why, size_t size)
{
	int r;

	memset(jail, 0, sizeof *jail);
	jail->is_open = true;
	jail->jail.ruleset = jail->jail.program = jail->second_fd = -1;
	pthread_mutex_init(&jail->lock, NULL);
	r = rip_draw_settings_read(&jail->settings, why, size);
	if (r < 0)
		goto failed;
	jail->on = jail->settings.jail != RIP_JAIL_OFF;
	jail->renderer = !program && jail->settings.renderer == RIP_POPPLER ? &rip_poppler :
									     &rip_ghostscript;
	program = program ? program : jail->renderer->program;
	r = find_program(program, jail->program);
	if (r == 0 && jail->renderer->second) {
		program = jail->renderer->second;
		r = find_program(program, jail->second);
	}
	if (r < 0)
		rip_refuse_as(r, why, size, "there is no program %s: install %s (the package %s)",
			      program, jail->renderer->title, jail->renderer->package);
	else if (jail->on)
		r = make(jail, arguments, document, band, why, size);
	if (r == 0 && make_environment(jail) < 0)
		r = rip_refuse_as(-ENOMEM, why, size, "%s", strerror(ENOMEM));
failed:
	if (r < 0)
		rip_gs_jail_close(jail);
	return r;
}

/* What the parts are, in words. */
static void tell_missing(unsigned parts, char text[RIP_GS_JAIL_TEXT])
{
	snprintf(text, RIP_GS_JAIL_TEXT, "its jail lacks what this system does not have:%s%s%s%s%s",
		 parts & RIP_JAIL_NO_LANDLOCK ? " Landlock" : "",
		 parts & RIP_JAIL_NO_SECCOMP ? " seccomp" : "",
		 parts & RIP_JAIL_NO_MDWE ? " MDWE" : "",
		 parts & RIP_JAIL_NO_MOUNTS ? " namespaces of mounts for users" : "",
		 parts & RIP_JAIL_NO_USER ? " the user " FILTER_USER : "");
}

pid_t rip_gs_jail_start(struct rip_gs_jail *jail, char *const argv[], const int fds[5],
			char text[RIP_GS_JAIL_TEXT])
{
	const bool folder = jail->folder.keeper > 0;
	const struct rip_child_fd all[] = {
		{ fds[0], STDIN_FILENO }, { fds[1], STDOUT_FILENO }, { fds[2], STDERR_FILENO },
		{ fds[3], RIP_GS_DOCUMENT }, { fds[4], RIP_GS_COMMANDS },
		{ jail->folder.fd, RIP_GS_FOLDER }, { jail->folder.alive, RIP_GS_ALIVE },
	};
	const bool second = jail->second[0] && !strcmp(argv[0], jail->renderer->second);
	struct rip_jail as = jail->jail;
	unsigned missing;
	pid_t pid;

	*text = '\0';
	if (second)
		as.program = jail->second_fd;
	pid = rip_child_start_as(second ? jail->second : jail->program, jail->on ? &as : NULL, argv,
				 jail->environment, all, folder ? 7 : 5, &missing);
	pthread_mutex_lock(&jail->lock);
	if (missing && !jail->told)
		tell_missing(missing, text);
	jail->told |= missing != 0;
	pthread_mutex_unlock(&jail->lock);
	return pid;
}

bool rip_gs_jail_refused(struct rip_gs_jail *jail, const char *message,
			 char text[RIP_GS_JAIL_TEXT])
{
	const char *start = jail->on ? strchr(message, '/') : NULL;
	char path[PATH_MAX], real[PATH_MAX], *slash;
	size_t length = start ? strlen(start) : 0;
	struct stat info;

	/* The end of a name cannot be told from what follows it.  Descriptors, such as that of the
	 * folder for files, are others here. */
	if (length >= sizeof path || (start && !strncmp(start, "/dev/fd/", strlen("/dev/fd/"))))
		return false;
	memcpy(path, start ? start : "", length);
	for (path[length] = '\0'; length > 1; path[--length] = '\0')
		if (realpath(path, real) && stat(real, &info) == 0 && S_ISREG(info.st_mode))
			break;
	if (length <= 1 || is_readable(jail, real))
		return false;
	slash = strrchr(real, '/');
	if (slash != real)
		*slash = '\0';
	if (!is_new(jail, real))
		return false;
	snprintf(text, RIP_GS_JAIL_TEXT, "the jail of %s refuses files of %.250s: if they "
		 "are needed, add it to riptide-jail-folders in %.240s", jail->renderer->title,
		 real, rip_draw_settings_path());
	return true;
}

void rip_gs_jail_close(struct rip_gs_jail *jail)
{
	if (!jail->is_open)
		return;
	rip_private_folder_remove(&jail->folder);
	rip_jail_finish(&jail->jail);
	if (jail->second_fd >= 0)
		close(jail->second_fd);
	for (size_t i = 0; jail->environment && jail->environment[i]; i++)
		free(jail->environment[i]);
	free(jail->environment);
	for (size_t i = 0; i < jail->readable_count; i++)
		free(jail->readable[i]);
	free(jail->readable);
	pthread_mutex_destroy(&jail->lock);
	memset(jail, 0, sizeof *jail);
}
