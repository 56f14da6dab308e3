#include "config.h"

#include "app/app_devices.h"

#include <stdio.h>
#include <string.h>

#include "app/app_driver.h"
#include "app/app_places.h"
#include "app/app_run.h"

/* ---- the sub-commands ---- */

/* PAPPL's callback.  What was written stays when PAPPL aborts. */
static bool write_device(const char *info, const char *uri, const char *id, void *verbose)
{
	puts(uri);
	if (verbose)
		printf("    %s\n    %s\n", info, id ? id : "");
	fflush(stdout);
	return false;
}

/* PAPPL's callback. */
static void write_error(RIP_APP_DEVICE_ERROR)
{
	fprintf(stderr, RIP_APP_NAME ": %s\n", message);
}

/* DNS-SD comes last, as the only one that aborts.  Those of IPP are no printers for our drivers. */
static void list_devices(const char *verbose)
{
	papplDeviceList(PAPPL_DEVTYPE_USB | PAPPL_DEVTYPE_SNMP, write_device, (void *)verbose,
			write_error, NULL);
	papplDeviceList(PAPPL_DEVTYPE_SOCKET | PAPPL_DEVTYPE_DNS_SD, write_device, (void *)verbose,
			write_error, NULL);
}

static void list_drivers(const char *id)
{
	const char *only = id ? rip_app_autoadd(NULL, NULL, id, NULL) : NULL;

	for (unsigned i = 0; i < RIP_APP_DRIVERS; i++)
		if (!id || (only && !strcmp(only, rip_app_drivers[i].name)))
			printf("%s \"%s\" \"\"\n", rip_app_drivers[i].name,
			       rip_app_drivers[i].description);
}

/* The value of an option of PAPPL's, NULL without it.  Others say how a server would be, which is
 * not needed.  False: an argument is no such option. */
static bool find_option(int argc, char *argv[], const char *name, const char **value)
{
	const size_t length = strlen(name);

	*value = NULL;
	if (argc % 2)
		return false;
	for (int i = 2; i < argc; i += 2) {
		if (strcmp(argv[i], "-o"))
			return false;
		if (!strncmp(argv[i + 1], name, length))
			*value = argv[i + 1] + length;
	}
	return true;
}

bool rip_app_devices_command(int argc, char *argv[])
{
	const char *value;

	if (argc < 2)
		return false;
	if (!strcmp(argv[1], "devices") && find_option(argc, argv, "verbose", &value))
		list_devices(value);
	else if (!strcmp(argv[1], "drivers") && find_option(argc, argv, "device-id=", &value))
		list_drivers(value);
	else
		return false;
	return true;
}

/* ---- what `devices` says ---- */

/* For each device its URI in a line, and behind four spaces each what it is and its device id.
 * Where there was no room for all, the last one may lack a line. */
static void read_said(struct rip_app_said *found, pappl_device_cb_t put, void *data)
{
	char *said = found->out, *uri = NULL, *info = NULL, *id = NULL, *end;
	const bool is_whole = strlen(said) + 1 < sizeof found->out;
	bool enough = false;

	for (; !enough && (end = strchr(said, '\n')) != NULL; said = end + 1) {
		*end = '\0';
		if (!strncmp(said, "    ", 4)) {
			*(info ? &id : &info) = said + 4;
			continue;
		}
		if (uri)
			enough = put(info ? info : uri, uri, id, data);
		uri = said;
		info = id = NULL;
	}
	if (uri && is_whole && !enough)
		put(info ? info : uri, uri, id, data);
}

int rip_app_devices_find(pappl_device_cb_t put, void *data, char why[512])
{
	const char *argv[] = { RIP_APP_NAME, "devices", "-o", "verbose=yes", NULL };
	struct rip_app_said said = { .out = "" };
	const int r = rip_app_run_in_turn("/proc/self/exe", argv, NULL, &said);

	read_said(&said, put, data);
	snprintf(why, 512, "%s", said.error);
	return r;
}

/* ---- the driver of one ---- */

struct sought {
	const char *uri, *driver;
};

static bool choose(const char *info, const char *uri, const char *id, void *data)
{
	struct sought *sought = data;

	if (strcmp(uri, sought->uri))
		return false;
	sought->driver = rip_app_autoadd(info, uri, id, NULL);
	return true;
}

void rip_app_devices_choose(int argc, char *argv[])
{
	struct sought sought = { NULL, NULL };
	char **driver = NULL, why[512];

	for (int i = 2; i < argc - 1; i++)
		if (!strcmp(argv[i], "-m") && !strcmp(argv[i + 1], "auto"))
			driver = &argv[i + 1];
		else if (!strcmp(argv[i], "-v") && !strncmp(argv[i + 1], "dnssd://", 8))
			sought.uri = argv[i + 1];
	if (!driver || !sought.uri)
		return;
	rip_app_devices_find(choose, &sought, why);
	if (sought.driver)
		*driver = (char *)sought.driver;
}
