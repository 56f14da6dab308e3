/*
 * riptide-printer-app SUB-COMMAND [OPTION...] [FILE...]
 *
 * A printer application: offers printers to the network by IPP Everywhere and AirPrint, with a web
 * page, and prints with the dots of riptide.  See riptide-printer-app(1).
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app_adopt.h"
#include "app/app_devices.h"
#include "app/app_driver.h"
#include "app/app_job.h"
#include "app/app_places.h"
#include "app/app_state.h"
#include "app/compat.h"
#include "app/web.h"
#include "system/standard_streams.h"

#define FOOTER "Dots from <a href=\"https://www.apache.org/licenses/LICENSE-2.0\">riptide</a>"

#define LOG_BYTES (1 << 20)

static const char *option(rip_app_count count, cups_option_t *options, const char *name,
			  const char *preset)
{
	const char *value = cupsGetOption(name, count, options);

	return value ? value : preset;
}

/* 0: it is no port. */
static int port_number(const char *text)
{
	char *end;
	const unsigned long number = strtoul(text, &end, 10);

	if (*text >= '0' && *text <= '9' && !*end && number > 0 && number < 65536)
		return (int)number;
	fprintf(stderr, RIP_APP_NAME ": server-port=%s is no number from 1 to 65535\n", text);
	return 0;
}

static bool add_listener(pappl_system_t *system, const char *name)
{
	if (papplSystemAddListeners(system, name))
		return true;
	fprintf(stderr, RIP_APP_NAME ": cannot listen on %s: is another server running there? "
		"Set another server-port, listen-hostname or local-socket\n", name);
	return false;
}

/* Whether this machine has the address; a kernel without IPv6 has none of its addresses. */
static bool has_address(const struct addrinfo *address)
{
	const int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool has = fd >= 0 && (bind(fd, address->ai_addr, address->ai_addrlen) == 0 ||
			       errno != EADDRNOTAVAIL);

	if (fd >= 0)
		close(fd);
	return has;
}

/* A file of hosts that names an address twice has it twice here. */
static bool came_before(const struct addrinfo *list, const struct addrinfo *address)
{
	while (list != address && (list->ai_addrlen != address->ai_addrlen ||
				   memcmp(list->ai_addr, address->ai_addr, list->ai_addrlen)))
		list = list->ai_next;
	return list != address;
}

/* Listens on all addresses of a name, which may be one address; "*": on all of the machine.  PAPPL
 * 1.3 would take the first one that is free: with the port of another server, IPv6 alone, and else
 * IPv4 alone. */
static bool add_listeners(pappl_system_t *system, const char *name)
{
	const struct addrinfo hints = { .ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM };
	const size_t length = strlen(name);
	struct addrinfo *list = NULL, *address;
	char number[NI_MAXHOST], bracketed[NI_MAXHOST + 2];
	int count = 0, r;
	bool ok = true;

	if (*name == '[' && name[length - 1] == ']') /* IPv6, as URIs have it */
		snprintf(number, sizeof number, "%.*s", (int)length - 2, name + 1);
	else
		snprintf(number, sizeof number, "%s", name);
	r = strcmp(name, "*") ? getaddrinfo(number, NULL, &hints, &list) :
				getaddrinfo(NULL, "0", &hints, &list);

	for (address = list; r == 0 && ok && address; address = address->ai_next) {
		if (!has_address(address) || came_before(list, address))
			continue;
		r = getnameinfo(address->ai_addr, address->ai_addrlen, number, sizeof number, NULL,
				0, NI_NUMERICHOST);
		snprintf(bracketed, sizeof bracketed, "[%s]", number);
		ok = r == 0 && add_listener(system, strchr(number, ':') ? bracketed : number);
		count++;
	}
	if (r != 0 || count == 0)
		fprintf(stderr, RIP_APP_NAME ": listen-hostname=%s: %s\n", name,
			r ? gai_strerror(r) : "this machine does not have that address");
	if (list)
		freeaddrinfo(list);
	return ok && r == 0 && count > 0;
}

/* False, with a message: there is no such level. */
static bool find_log_level(const char *name, pappl_loglevel_t *level)
{
	static const char *const names[] = { "debug", "info", "warn", "error", "fatal" };

	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(names[i], name)) {
			*level = (pappl_loglevel_t)i;
			return true;
		}
	fprintf(stderr, RIP_APP_NAME ": log-level=%s: it is debug, info, warn, error or fatal\n",
		name);
	return false;
}

/* PAPPL 1.3 waits for itself for ever when it begins another log, so we do that, at the start. */
static void begin_log(const char *file)
{
	char old[PATH_MAX];
	struct stat st;

	if (stat(file, &st) < 0 || st.st_size < LOG_BYTES)
		return;
	snprintf(old, sizeof old, "%s.O", file);
	rename(file, old);
}

/* PAPPL's callback. */
static void take_event(pappl_system_t *system, pappl_printer_t *printer, pappl_job_t *job,
		       pappl_event_t event, void *data)
{
	if (printer && (event & PAPPL_EVENT_PRINTER_DELETED))
		rip_app_web_forget(printer);
}

static pappl_system_t *make_system(rip_app_count count, cups_option_t *options, void *data)
{
	const char *auth = option(count, options, "auth-service", NULL);
	const char *host = option(count, options, "server-hostname", NULL);
	const char *local = option(count, options, "local-socket", NULL);
	const char *group = option(count, options, "admin-group", NULL);
	const char *log = option(count, options, "log-file", "-");
	const int port = port_number(option(count, options, "server-port", "8010"));
	pappl_soptions_t what = PAPPL_SOPTIONS_MULTI_QUEUE | PAPPL_SOPTIONS_WEB_INTERFACE |
				PAPPL_SOPTIONS_WEB_SECURITY | RIP_APP_SYSTEM;
	pappl_loglevel_t level;
	pappl_system_t *system;

	/* Sub-commands that find no server start one for themselves, as the user who calls them. */
	if (cupsGetOption("private-server", count, options)) {
		fprintf(stderr, RIP_APP_NAME ": no server is running here; start it with "
			"\"" RIP_APP_NAME " server\" or \"systemctl start " RIP_APP_NAME "\"\n");
		return NULL;
	}
	if (!port || !find_log_level(option(count, options, "log-level", "info"), &level) ||
	    rip_app_places_find(option(count, options, "state-directory", NULL)) < 0)
		return NULL;
	signal(SIGPIPE, SIG_IGN);
	begin_log(log);
	if (strcmp(log, "-") && strcmp(log, "syslog"))
		what |= PAPPL_SOPTIONS_WEB_LOG;
	if (strstr(option(count, options, "server-options", ""), "no-tls"))
		what |= PAPPL_SOPTIONS_NO_TLS;
	system = papplSystemCreate(what, "riptide", port, "_print,_universal", rip_app_places.spool,
				   log, level, auth, false);
	if (!system)
		return NULL;
	papplSystemSetMaxLogSize(system, 0);
	if (!add_listeners(system, option(count, options, "listen-hostname", "*")) ||
	    (local && !add_listener(system, local))) {
		papplSystemDelete(system);
		return NULL;
	}
	papplSystemSetPrinterDrivers(system, RIP_APP_DRIVERS, rip_app_drivers, rip_app_autoadd,
				     rip_app_driver_created, rip_app_driver_fill, NULL);
	papplSystemSetFooterHTML(system, FOOTER);
	papplSystemSetEventCallback(system, take_event, NULL);
	rip_app_job_formats(system);
	rip_app_web_start(system);
	RIP_APP_NAME_UNKNOWN(system);
	if (group)
		papplSystemSetAdminGroup(system, group);
	if (host)
		papplSystemSetHostName(system, host);
	rip_app_state_load(system);
	if (!auth && !rip_app_state_close_pages(system)) {
		papplSystemDelete(system);
		return NULL;
	}
	return system;
}

/* Puts the driver's name into the arguments of add.  0 or -errno. */
static int choose_driver(int argc, char *argv[])
{
	const int r = rip_app_adopt(argc, argv);

	if (r == 0)
		rip_app_devices_choose(argc, argv);
	return r;
}

int main(int argc, char *argv[])
{
	int status = EXIT_SUCCESS;

	if (argc == 2 && !strcmp(argv[1], "--version"))
		puts(RIP_APP_NAME " (" PACKAGE_NAME ") " PACKAGE_VERSION);
	else if (rip_app_devices_command(argc, argv))
		status = EXIT_SUCCESS;
	else if (argc > 1 && !strcmp(argv[1], "add") && choose_driver(argc, argv) < 0)
		status = EXIT_FAILURE;
	else
		status = papplMainloop(argc, argv, PACKAGE_VERSION, FOOTER, RIP_APP_DRIVERS,
				       rip_app_drivers, rip_app_autoadd, rip_app_driver_fill, NULL,
				       NULL, make_system, NULL, NULL);
	return rip_standard_output_finish(RIP_APP_NAME, status);
}
