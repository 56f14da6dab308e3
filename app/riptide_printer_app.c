/*
 * riptide-printer-app SUB-COMMAND [OPTION...] [FILE...]
 *
 * A printer application: offers printers to the network by IPP Everywhere and AirPrint, with a web
 * page, and prints with the dots of riptide.  See riptide-printer-app(1).
 */
#include "config.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

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

/* Administration from the machine itself only.  PAPPL asks for it where no PAM service is set. */
static http_status_t authorize(pappl_client_t *client, const char *group, gid_t gid, void *data)
{
	(void)group, (void)gid, (void)data;
	return httpAddrLocalhost(httpGetAddress(papplClientGetHTTP(client))) ?
		HTTP_STATUS_CONTINUE : HTTP_STATUS_FORBIDDEN;
}

static pappl_system_t *make_system(int count, cups_option_t *options, void *data)
{
	static char state[PATH_MAX];
	const char *auth = option(count, options, "auth-service", NULL);
	const char *host = option(count, options, "server-hostname", NULL);
	const char *group = option(count, options, "admin-group", NULL);
	pappl_soptions_t what = PAPPL_SOPTIONS_MULTI_QUEUE | PAPPL_SOPTIONS_WEB_INTERFACE |
				PAPPL_SOPTIONS_WEB_LOG;
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
	if (!auth)
		papplSystemSetAuthCallback(system, "none", authorize, NULL);
	if (group)
		papplSystemSetAdminGroup(system, group);
	if (host)
		papplSystemSetHostName(system, host);
	snprintf(state, sizeof state, "%s/printers.state", rip_app_places.state);
	papplSystemSetSaveCallback(system, save, state);
	if (!papplSystemLoadState(system, state))
		papplSystemSetDNSSDName(system, "riptide");
	return system;
}

int main(int argc, char *argv[])
{
	return papplMainloop(argc, argv, PACKAGE_VERSION, FOOTER, RIP_APP_DRIVERS, rip_app_drivers,
			     rip_app_autoadd, rip_app_driver_fill, NULL, NULL, make_system, NULL,
			     NULL);
}
