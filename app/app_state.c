#include "config.h"

#include "app/app_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "app/app_places.h"
#include "app/app_raster.h"

#define SAVE_SECONDS 1 /* at most from a change until it is saved */

static bool save(pappl_system_t *system, void *data)
{
	char file[PATH_MAX], new[PATH_MAX];

	(void)data;
	snprintf(file, sizeof file, "%s/printers.state", rip_app_places.state);
	snprintf(new, sizeof new, "%s/printers.state.new", rip_app_places.state);
	if (papplSystemSaveState(system, new) && rename(new, file) == 0)
		return true;
	papplLog(system, PAPPL_LOGLEVEL_ERROR, "Cannot save %s: %s", file, strerror(errno));
	return false;
}

static void start_jobs(pappl_printer_t *printer, void *data)
{
	(void)data;
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
static void renew_jobs(const char *file)
{
	static const char was[] = " state=\"5\"";
	char new[PATH_MAX + 16], *line = NULL, *at;
	FILE *from = fopen(file, "r"), *to;
	size_t size = 0;

	snprintf(new, sizeof new, "%s.renewed", file);
	to = from ? fopen(new, "w") : NULL;
	while (to && getline(&line, &size, from) >= 0) {
		at = strncmp(line + strspn(line, " "), "Job ", 4) ? NULL : strstr(line, was);
		if (at)
			at[sizeof was - 3] = '3';
		fputs(line, to);
	}
	free(line);
	if (from)
		fclose(from);
	if (to && fclose(to) == 0)
		rename(new, file);
}

/* Raster that a server that was killed has left. */
static void clean_spool(void)
{
	DIR *folder = opendir(rip_app_places.spool);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)) != NULL)
		if (!strncmp(entry->d_name, RIP_APP_RASTER_PREFIX, strlen(RIP_APP_RASTER_PREFIX)))
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
}

void rip_app_state_load(pappl_system_t *system)
{
	static bool started;
	char file[PATH_MAX];

	clean_spool();
	snprintf(file, sizeof file, "%s/printers.state", rip_app_places.state);
	papplSystemSetSaveCallback(system, save, NULL);
	papplSystemAddTimerCallback(system, 0, SAVE_SECONDS, wake, &started);
	renew_jobs(file);
	if (access(file, F_OK) < 0 || !papplSystemLoadState(system, file))
		papplSystemSetDNSSDName(system, "riptide");
}

bool rip_app_state_close_pages(pappl_system_t *system)
{
	char hash[128], password[32], path[PATH_MAX];
	unsigned char random[12];
	int fd;

	if (*papplSystemGetPassword(system, hash, sizeof hash))
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
	papplLog(system, PAPPL_LOGLEVEL_INFO, "The password of the web pages is in %s.", path);
	return true;
}
