#include "config.h"

#include "profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/ppd.h>
#include <systemd/sd-bus.h>

#include "filter/report.h"
#include "system/ascii.h"
#include "system/clock.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define SERVICE     "org.freedesktop.ColorManager"
#define DEVICE      SERVICE ".Device"
#define PROFILE     SERVICE ".Profile"
#define SYSTEM_BUS  "unix:path=/run/dbus/system_bus_socket"
#define KEYS        5 /* qualifiers, the best one first */
#define WAIT_US     UINT64_C(3000000) /* for each answer of colord */

/* ---- what colord says, the system's service for colour profiles, over the system's D-Bus ---- */

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

/* Asks for the profile of a queue for the choices of colours, paper and resolution (none is
 * NULL): an exact match, or one for fewer of them, as colord decides.  *inhibited: colours must
 * not be changed, because somebody measures this printer.  path: the profile's file, or "".
 * 0; -ENOENT: there is no bus, no colord or no such queue in it; -ETIMEDOUT; other -errno.
 * After an error, false and "". */
static int ask_colord(const char *printer, const char *const choices[3], bool *inhibited,
		      char *path, size_t size)
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

/* ---- what the PPD says ---- */

/* A text of the PPD; NULL: none, or empty. */
static const char *text_of(const struct rip_queue *queue, const char *keyword)
{
	const char *text = rip_queue_attribute(queue, keyword);

	return text && *text ? text : NULL;
}

/* The choice of an option of the PPD for this job, or what the PPD has as its default without an
 * option of that name; NULL. */
static const char *choice_of(const struct rip_queue *queue, const char *keyword)
{
	const ppd_choice_t *choice = ppdFindMarkedChoice(queue->ppd, keyword);
	char name[PPD_MAX_NAME];

	snprintf(name, sizeof name, "Default%s", keyword);
	return choice ? choice->choice : text_of(queue, name);
}

/* The choice for one part of a profile's qualifier. */
static const char *qualifier(const struct rip_queue *queue, const char *attribute,
			     const char *first, const char *second)
{
	const char *named = text_of(queue, attribute);
	const char *choice = choice_of(queue, named ? named : first);

	if (!choice && !named && second)
		choice = choice_of(queue, second);
	return choice ? choice : "";
}

/* Finds the PPD's profile.  "": there is none. */
static void find_in_ppd(ppd_file_t *ppd, const char *const choices[3], char *path, size_t size)
{
	static const char *const keywords[] = { "APTiogaProfile", "cupsICCProfile" };
	const char *data = getenv("CUPS_DATADIR");
	char wanted[3 * PPD_MAX_NAME];
	ppd_attr_t *attr = NULL;
	int k;

	path[0] = '\0';
	snprintf(wanted, sizeof wanted, "%.40s.%.40s.%.40s", choices[0], choices[1], choices[2]);
	for (k = 0; k < 2 && !attr; k++)
		attr = ppdFindAttr(ppd, keywords[k], NULL);
	for (; attr; attr = ppdFindNextAttr(ppd, keywords[k - 1], NULL)) {
		if (!attr->value || strcmp(attr->spec, wanted))
			continue;
		if (attr->value[0] == '/')
			snprintf(path, size, "%s", attr->value);
		else
			snprintf(path, size, "%s/profiles/%s", data ? data : "/usr/share/cups",
				 attr->value);
		if (access(path, R_OK) == 0)
			return;
		path[0] = '\0';
	}
}

/* cm-calibration, with any value but a no. */
static bool is_calibration(int count, cups_option_t *options)
{
	const char *value = cupsGetOption("cm-calibration", count, options);

	return value && !rip_same_name(value, "false") && !rip_same_name(value, "off") &&
	       !rip_same_name(value, "no");
}

void rip_profile_find(const struct rip_queue *queue, const char *printer, int count,
		      cups_option_t *options, struct rip_profile *profile)
{
	const char *const choices[3] = {
		qualifier(queue, "cupsICCQualifier1", "ColorModel", "ColorSpace"),
		qualifier(queue, "cupsICCQualifier2", "MediaType", NULL),
		qualifier(queue, "cupsICCQualifier3", "Resolution", NULL),
	};
	bool inhibited = false;
	int r;

	profile->path[0] = '\0';
	profile->managed = !is_calibration(count, options);
	if (!profile->managed)
		return;
	r = printer && *printer ? ask_colord(printer, choices, &inhibited, profile->path,
					     sizeof profile->path) : -ENOENT;
	if (r < 0)
		rip_debug("colord knows nothing of this queue: %s", strerror(-r));
	profile->managed = !inhibited;
	if (profile->managed && !profile->path[0])
		find_in_ppd(queue->ppd, choices, profile->path, sizeof profile->path);
}
