#include "config.h"

#include "app/app_state.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "app/app_password.h"
#include "app/app_places.h"
#include "app/app_raster.h"
#include "system/replace_file.h"

#define SAVE_SECONDS 1 /* at most from a change until it is saved */

/* ---- the file ---- */

/* Copies a file of the state by `pass`, which may change it, to one that replaces `file`.  0 or
 * -errno; then `file` is as it was. */
static int replace(const char *from_path, const char *file, bool (*pass)(FILE *from, FILE *to))
{
	char new[PATH_MAX + 16];
	FILE *from = fopen(from_path, "re"), *to;
	int r;

	snprintf(new, sizeof new, "%s.next", file);
	to = from ? fopen(new, "we") : NULL;
	r = to ? 0 : -errno;
	if (to && (!pass(from, to) || ferror(from) || fflush(to) || ferror(to)))
		r = -EIO;
	if (r == 0)
		r = rip_file_sync(fileno(to));
	if (from)
		fclose(from);
	if (to && fclose(to) && r == 0)
		r = -errno;
	if (r == 0)
		r = rip_file_rename(AT_FDCWD, new, file);
	if (r < 0 && to)
		unlink(new);
	return r;
}

/* The longest text in quotes that a line may have; 0: it has none. */
static size_t text_max(const char *line)
{
	if (!strncmp(line, "Job ", 4))
		return 400;
	return !strncmp(line, "<Printer ", 9) || !strncmp(line, "Contact ", 8) ? SIZE_MAX : 0;
}

/* Anybody may give a job a name, and PAPPL writes line ends in it as they are, and reads lines of
 * up to 2047 bytes: so a name could bring lines of its own, such as another password of the web
 * pages.  False: the file is not whole; the disk may be full. */
static bool clean_lines(FILE *from, FILE *to)
{
	bool whole = false, quoted = false, escape;
	size_t size = 0, max = 0, length = 0;
	char *line = NULL, *at;

	while (getline(&line, &size, from) >= 0) {
		if (!quoted) {
			max = text_max(line);
			whole = !strncmp(line, "UUID ", 5) || !strcmp(line, "</Printer>\n") ||
				(whole && strncmp(line, "<Printer ", 9));
		}
		for (at = line; *at; at++) {
			escape = quoted && *at == '\\' && at[1];
			if (max && *at == '"') {
				quoted = !quoted;
				length = 0;
			} else if (quoted && ++length > max) {
				at += escape;
				continue;
			}
			putc(quoted && iscntrl((unsigned char)*at) ? ' ' : *at, to);
			if (escape)
				putc(*++at, to);
		}
	}
	free(line);
	return whole && !quoted;
}

static bool save(pappl_system_t *system, void *data)
{
	char file[PATH_MAX], new[PATH_MAX];
	int r;

	snprintf(file, sizeof file, "%s/printers.state", rip_app_places.state);
	snprintf(new, sizeof new, "%s/printers.state.new", rip_app_places.state);
	r = papplSystemSaveState(system, new) ? replace(new, file, clean_lines) : -errno;
	unlink(new);
	if (r < 0)
		papplLog(system, PAPPL_LOGLEVEL_ERROR, "Cannot save %s: %s", file, strerror(-r));
	return r == 0;
}

/* ---- jobs ---- */

static void start_jobs(pappl_printer_t *printer, void *data)
{
	if (papplPrinterGetNumberOfActiveJobs(printer) > 0)
		papplPrinterResume(printer);
}

/* PAPPL saves after it has waited for clients, for half a minute: this wakes it.  And it does not
 * start the jobs that it has loaded. */
static bool wake(pappl_system_t *system, void *started)
{
	if (!*(bool *)started)
		papplSystemIteratePrinters(system, start_jobs, NULL);
	*(bool *)started = true;
	return true;
}

/* The jobs that were being printed are to be printed again: PAPPL would not touch them. */
static bool renew_jobs(FILE *from, FILE *to)
{
	static const char was[] = " state=\"5\"";
	char *line = NULL, *at;
	size_t size = 0;

	while (getline(&line, &size, from) >= 0) {
		at = strncmp(line, "Job ", 4) ? NULL : strstr(line, was);
		if (at)
			at[sizeof was - 3] = '3';
		fputs(line, to);
	}
	free(line);
	return true;
}

static bool is_raster(const char *name)
{
	return !strncmp(name, RIP_APP_RASTER_PREFIX, strlen(RIP_APP_RASTER_PREFIX));
}

/* No printer's file and no driver's begins with a dot. */
static bool is_hidden(const char *name)
{
	return *name == '.' && name[strspn(name, ".")];
}

/* What was to get the name of a file: as of `riptide -o FILE.png`, and of ours. */
static bool is_new(const char *name)
{
	static const char random[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789";
	const size_t length = strlen(name);

	return (length > 11 && !strncmp(name + length - 11, ".png.", 5) &&
		strspn(name + length - 6, random) == 6) ||
	       (length > 4 && (!strcmp(name + length - 4, ".new") ||
			       !strcmp(name + length - 4, ".tmp")));
}

/* Removes what a server that was killed has left in a folder. */
static void clean(const char *folder, bool (*is_left)(const char *name))
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	while (entries && (entry = readdir(entries)) != NULL)
		if (is_left(entry->d_name))
			unlinkat(dirfd(entries), entry->d_name, 0);
	if (entries)
		closedir(entries);
}

static void clean_all(void)
{
	char folder[PATH_MAX];

	clean(rip_app_places.spool, is_raster);
	clean(rip_app_places.calibrations, is_hidden);
	clean(rip_app_places.ppds, is_hidden);
	clean(rip_app_places.cache, is_new);
	snprintf(folder, sizeof folder, "%s/web", rip_app_places.cache);
	clean(folder, is_new);
	snprintf(folder, sizeof folder, "%s/jobs", rip_app_places.cache);
	clean(folder, is_new);
}

void rip_app_state_load(pappl_system_t *system)
{
	static bool started;
	char file[PATH_MAX];
	int r;

	clean_all();
	snprintf(file, sizeof file, "%s/printers.state", rip_app_places.state);
	papplSystemSetSaveCallback(system, save, NULL);
	papplSystemAddTimerCallback(system, 0, SAVE_SECONDS, wake, &started);
	r = replace(file, file, renew_jobs);
	if (r < 0 && r != -ENOENT)
		papplLog(system, PAPPL_LOGLEVEL_ERROR, "Cannot write %s: %s", file, strerror(-r));
	if (access(file, F_OK) < 0 || !papplSystemLoadState(system, file))
		papplSystemSetDNSSDName(system, "riptide");
}

bool rip_app_state_close_pages(pappl_system_t *system)
{
	char hash[128], password[32], path[PATH_MAX];
	unsigned char random[12];
	int fd;

	if (rip_app_password_load(system))
		return true;
	if (getrandom(random, sizeof random, 0) != sizeof random)
		return false;
	for (fd = 0; fd < (int)sizeof random; fd++)
		password[fd] = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789_-+.=,:"
			[random[fd] % 64];
	password[fd] = '\0';
	snprintf(path, sizeof path, "%s/web-password", rip_app_places.state);
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || dprintf(fd, "%s\n", password) < 0 || close(fd) < 0) {
		papplLog(system, PAPPL_LOGLEVEL_FATAL, "Cannot write %s: %s", path,
			 strerror(errno));
		return false;
	}
	papplSystemSetPassword(system, papplSystemHashPassword(system, NULL, password, hash,
							       sizeof hash));
	if (!rip_app_password_load(system)) {
		papplLog(system, PAPPL_LOGLEVEL_FATAL, "Cannot make a hash of the password.");
		return false;
	}
	papplLog(system, PAPPL_LOGLEVEL_INFO, "The password of the web pages is in %s.", path);
	return true;
}
