#include "config.h"

#include "app/app_places.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rip_app_places rip_app_places;

/* Makes a folder and those above it. */
static int make_folder(const char *path)
{
	char part[PATH_MAX];
	struct stat st;
	size_t i;

	snprintf(part, sizeof part, "%s", path);
	for (i = 1; part[i]; i++) {
		if (part[i] != '/')
			continue;
		part[i] = '\0';
		mkdir(part, 0755);
		part[i] = '/';
	}
	if (mkdir(part, 0700) == 0 || (errno == EEXIST && stat(part, &st) == 0 &&
				       S_ISDIR(st.st_mode) && access(part, W_OK) == 0))
		return 0;
	i = (size_t)errno;
	fprintf(stderr, RIP_APP_NAME ": cannot use the folder %s: %s; set it with "
		"-o state-directory=DIR\n", part, strerror((int)i));
	return -(int)i;
}

/* A text that is kept until the process ends. */
__attribute__((format(printf, 1, 2))) static const char *keep(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return text ? text : "";
}

/* systemd's StateDirectory=, root's, or the user's own. */
static const char *find_state(void)
{
	const char *home = getenv("HOME"), *given = getenv("STATE_DIRECTORY");

	if (given && *given == '/')
		return given;
	if (getuid() == 0 || !home)
		return "/var/lib/" RIP_APP_NAME;
	return keep("%s/.local/state/" RIP_APP_NAME, home);
}

/* What filters and the command riptide learn from CUPS's cupsd, for all children.  A job's filters
 * learn more (app_child.c), which may not come from whoever started the server. */
static void set_environment(void)
{
	static const char *const of_jobs[] = {
		"PPD", "PRINTER", "CONTENT_TYPE", "DEVICE_URI", "FINAL_CONTENT_TYPE",
	};

	for (size_t i = 0; i < sizeof of_jobs / sizeof of_jobs[0]; i++)
		unsetenv(of_jobs[i]);
	setenv("CHARSET", "utf-8", true);
	setenv("CUPS_SERVERBIN", rip_app_places.serverbin, true);
	setenv("CUPS_CACHEDIR", rip_app_places.cache, true);
	setenv("RIPTIDE_CALIBRATIONS", rip_app_places.calibrations, true);
}

int rip_app_places_find(const char *state)
{
	struct rip_app_places *places = &rip_app_places;
	const char *serverbin = getenv("CUPS_SERVERBIN");
	const char *data = getenv("RIPTIDE_APP_DATA"), *command = getenv("RIPTIDE_APP_COMMAND");
	int r;

	places->state = state ? state : find_state();
	places->calibrations = keep("%s/calibration", places->state);
	places->cache = keep("%s/cache", places->state);
	places->spool = keep("%s/spool", places->state);
	places->ppds = keep("%s/ppd", places->state);
	/* The tests set these: there the programs are not installed. */
	places->data = data ? data : RIP_APP_DATA;
	places->command = command ? command : RIP_COMMAND;
	places->transform = keep("%s-transform", places->command);
	places->serverbin = keep("%s", serverbin && *serverbin ? serverbin : RIP_CUPS_SERVERBIN);
	set_environment();
	if ((r = make_folder(places->state)) < 0 || (r = make_folder(places->calibrations)) < 0 ||
	    (r = make_folder(places->cache)) < 0 || (r = make_folder(places->spool)) < 0 ||
	    (r = make_folder(places->ppds)) < 0)
		return r;
	return 0;
}
