/*
 * riptide-printer-app SUB-COMMAND [OPTION...] [FILE...]
 *
 * A printer application: offers printers to the network by IPP Everywhere and AirPrint, with a web
 * page, and prints with the dots of riptide.  See riptide-printer-app(1).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "app/app_driver.h"
#include "app/app_job.h"
#include "app/app_places.h"
#include "app/drivers.h"

#define FOOTER "Dots from <a href=\"https://www.apache.org/licenses/LICENSE-2.0\">riptide</a>"

static const char *option(int count, cups_option_t *options, const char *name, const char *preset)
{
	const char *value = cupsGetOption(name, count, options);

	return value ? value : preset;
}

static pappl_loglevel_t log_level(const char *name)
{
	static const char *const names[] = { "debug", "info", "warn", "error", "fatal" };
	unsigned i;

	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(names[i], name))
			return (pappl_loglevel_t)i;
	return PAPPL_LOGLEVEL_WARN;
}

static bool save(pappl_system_t *system, void *file)
{
	return papplSystemSaveState(system, file);
}

/* PAPPL's pages for administration are open to everybody unless there is PAM or a password.  So at
 * the first start there is one, in a file that only root and this user can read. */
static bool close_pages(pappl_system_t *system)
{
	char hash[128], password[32], path[PATH_MAX];
	unsigned char random[12];
	FILE *file;
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
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file || fprintf(file, "%s\n", password) < 0 || fclose(file)) {
		papplLog(system, PAPPL_LOGLEVEL_FATAL, "Cannot write %s: %s", path,
			 strerror(errno));
		return false;
	}
	papplSystemSetPassword(system, papplSystemHashPassword(system, NULL, password, hash,
							       sizeof hash));
	papplLog(system, PAPPL_LOGLEVEL_INFO, "The password of the web pages is in %s.", path);
	return true;
}

static pappl_system_t *make_system(int count, cups_option_t *options, void *data)
{
	static char state[PATH_MAX];
	const char *auth = option(count, options, "auth-service", NULL);
	const char *host = option(count, options, "server-hostname", NULL);
	const char *group = option(count, options, "admin-group", NULL);
	pappl_soptions_t what = PAPPL_SOPTIONS_MULTI_QUEUE | PAPPL_SOPTIONS_WEB_INTERFACE |
				PAPPL_SOPTIONS_WEB_LOG | PAPPL_SOPTIONS_WEB_SECURITY;
	pappl_system_t *system;

	(void)data;
	if (rip_app_places_find(option(count, options, "state-directory", NULL)) < 0)
		return NULL;
	signal(SIGPIPE, SIG_IGN);
	if (strstr(option(count, options, "server-options", ""), "no-tls"))
		what |= PAPPL_SOPTIONS_NO_TLS;
	system = papplSystemCreate(what, "riptide",
				   atoi(option(count, options, "server-port", "8010")),
				   "_print,_universal", rip_app_places.spool,
				   option(count, options, "log-file", "-"),
				   log_level(option(count, options, "log-level", "info")), auth,
				   false);
	if (!system)
		return NULL;
	papplSystemAddListeners(system, option(count, options, "listen-hostname", NULL));
	papplSystemSetPrinterDrivers(system, RIP_APP_DRIVERS, rip_app_drivers, rip_app_autoadd,
				     rip_app_driver_created, rip_app_driver_fill, NULL);
	papplSystemSetFooterHTML(system, FOOTER);
	rip_app_job_formats(system);
	if (group)
		papplSystemSetAdminGroup(system, group);
	if (host)
		papplSystemSetHostName(system, host);
	snprintf(state, sizeof state, "%s/printers.state", rip_app_places.state);
	papplSystemSetSaveCallback(system, save, state);
	if (!papplSystemLoadState(system, state))
		papplSystemSetDNSSDName(system, "riptide");
	if (!auth && !close_pages(system)) {
		papplSystemDelete(system);
		return NULL;
	}
	return system;
}

int main(int argc, char *argv[])
{
	return papplMainloop(argc, argv, PACKAGE_VERSION, FOOTER, RIP_APP_DRIVERS, rip_app_drivers,
			     rip_app_autoadd, rip_app_driver_fill, NULL, NULL, make_system, NULL,
			     NULL);
}
