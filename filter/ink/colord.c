#include "config.h"

#include "colord.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <systemd/sd-bus.h>

#include "system/clock.h"

#define SERVICE     "org.freedesktop.ColorManager"
#define DEVICE      SERVICE ".Device"
#define PROFILE     SERVICE ".Profile"
#define SYSTEM_BUS  "unix:path=/run/dbus/system_bus_socket"
#define KEYS        5 /* qualifiers, the best one first */
#define WAIT_US     (RIP_COLORD_WAIT_S * UINT64_C(1000000))

/* Waits until the bus has accepted us.  sd-bus itself would wait for 90 seconds. */
static int wait_until_ready(sd_bus *bus)
{
	const uint64_t end = (uint64_t)rip_clock_us() + WAIT_US;

	for (;;) {
		int r = sd_bus_is_ready(bus);
		uint64_t now;

		if (r)
			return r < 0 ? r : 0;
		r = sd_bus_process(bus, NULL);
		if (r < 0)
			return r;
		now = (uint64_t)rip_clock_us();
		if (now >= end)
			return -ETIMEDOUT;
		if (r == 0)
			r = sd_bus_wait(bus, end - now);
		if (r < 0 && r != -EINTR)
			return r;
	}
}

/* Connects to the system's bus, as sd_bus_open_system() does, but with a limit of time from the
 * beginning. */
static int open_bus(sd_bus **bus)
{
	const char *address = getenv("DBUS_SYSTEM_BUS_ADDRESS");
	int r = sd_bus_new(bus);

	if (r >= 0)
		r = sd_bus_set_address(*bus, address && *address ? address : SYSTEM_BUS);
	if (r >= 0)
		r = sd_bus_set_bus_client(*bus, true);
	if (r >= 0)
		r = sd_bus_set_method_call_timeout(*bus, WAIT_US);
	if (r >= 0)
		r = sd_bus_start(*bus);
	return r < 0 ? r : wait_until_ready(*bus);
}

/* The object of the queue; the reply owns the path. */
static int find_device(sd_bus *bus, const char *printer, sd_bus_message **reply, const char **path)
{
	char id[300];
	int r;

	snprintf(id, sizeof id, "cups-%s", printer);
	r = sd_bus_call_method(bus, SERVICE, "/org/freedesktop/ColorManager", SERVICE,
			       "FindDeviceById", NULL, reply, "s", id);
	return r < 0 ? r : sd_bus_message_read(*reply, "o", path);
}

static int find_inhibitors(sd_bus *bus, const char *device, bool *inhibited)
{
	char **names = NULL;
	int r = sd_bus_get_property_strv(bus, SERVICE, device, DEVICE, "ProfilingInhibitors",
					 NULL, &names);

	if (r < 0)
		return r;
	*inhibited = names && names[0];
	for (char **name = names; name && *name; name++)
		free(*name);
	free(names);
	return 0;
}

/* Adds "COLOURS.PAPER.RESOLUTION" and what is less exact. */
static int add_keys(sd_bus_message *call, const char *const choices[3])
{
	char keys[KEYS][400];
	char *list[KEYS + 1];

	snprintf(keys[0], sizeof keys[0], "%.99s.%.99s.%.99s", choices[0], choices[1], choices[2]);
	snprintf(keys[1], sizeof keys[1], "%.99s.%.99s.*", choices[0], choices[1]);
	snprintf(keys[2], sizeof keys[2], "%.99s.*.%.99s", choices[0], choices[2]);
	snprintf(keys[3], sizeof keys[3], "%.99s.*.*", choices[0]);
	snprintf(keys[4], sizeof keys[4], "*");
	for (int i = 0; i < KEYS; i++)
		list[i] = keys[i];
	list[KEYS] = NULL;
	return sd_bus_message_append_strv(call, list);
}

static int find_profile(sd_bus *bus, const char *device, const char *const choices[3], char *path,
			size_t size)
{
	sd_bus_message *call = NULL, *reply = NULL;
	const char *profile;
	char *file = NULL;
	int r = sd_bus_message_new_method_call(bus, &call, SERVICE, device, DEVICE,
					       "GetProfileForQualifiers");

	if (r >= 0)
		r = add_keys(call, choices);
	if (r >= 0)
		r = sd_bus_call(bus, call, 0, NULL, &reply);
	if (r >= 0)
		r = sd_bus_message_read(reply, "o", &profile);
	if (r >= 0)
		r = sd_bus_get_property_string(bus, SERVICE, profile, PROFILE, "Filename",
					       NULL, &file);
	if (r >= 0 && strlen(file) < size)
		strcpy(path, file);
	free(file);
	sd_bus_message_unref(reply);
	sd_bus_message_unref(call);
	return r < 0 ? r : 0;
}

int rip_colord_ask(const char *printer, const char *const choices[3], bool *inhibited, char *path,
		   size_t size)
{
	sd_bus_message *reply = NULL;
	sd_bus *bus = NULL;
	const char *device;
	int r = open_bus(&bus);

	*inhibited = false;
	path[0] = '\0';
	if (r >= 0)
		r = find_device(bus, printer, &reply, &device);
	if (r >= 0)
		r = find_inhibitors(bus, device, inhibited);
	/* A queue without a profile is an error to colord. */
	if (r >= 0 && !*inhibited && find_profile(bus, device, choices, path, size) < 0)
		path[0] = '\0';
	sd_bus_message_unref(reply);
	sd_bus_close_unref(bus); /* a flush could wait for a bus that does not read */
	if (r == -EHOSTUNREACH || r == -ECONNREFUSED || r == -ENOTDIR)
		r = -ENOENT;
	return r < 0 ? r : 0;
}
