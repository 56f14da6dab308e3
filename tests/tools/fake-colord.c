/*
 * fake-colord FOLDER: a colord on the bus of DBUS_SYSTEM_BUS_ADDRESS, for one queue.  In the
 * folder:
 *
 *	asked     gets a line for each device and for each list of qualifiers that is asked for
 *	profile   has the profile's file name, or is missing: then there is none
 *	inhibit   exists while somebody measures the printer
 *	slow      exists if it does not answer
 *
 * It knows the queue "known", and writes the file "ready" when it can be asked.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <systemd/sd-bus.h>

#define SERVICE "org.freedesktop.ColorManager"
#define DEVICE  "/org/freedesktop/ColorManager/devices/known"
#define PROFILE "/org/freedesktop/ColorManager/profiles/one"

static void note(const char *text)
{
	FILE *file = fopen("asked", "a");

	if (file) {
		fprintf(file, "%s\n", text);
		fclose(file);
	}
}

static int find_device(sd_bus_message *call, void *data, sd_bus_error *error)
{
	const char *id = "";

	if (access("slow", F_OK) == 0)
		return 1; /* no answer */
	sd_bus_message_read(call, "s", &id);
	note(id);
	if (strcmp(id, "cups-known"))
		return sd_bus_error_set(error, SERVICE ".Failed", "device does not exist");
	return sd_bus_reply_method_return(call, "o", DEVICE);
}

static int find_profile(sd_bus_message *call, void *data, sd_bus_error *error)
{
	const char *key;
	char keys[1000] = "";

	sd_bus_message_enter_container(call, 'a', "s");
	while (sd_bus_message_read(call, "s", &key) > 0)
		snprintf(keys + strlen(keys), sizeof keys - strlen(keys), " %s", key);
	note(keys + 1);
	if (access("profile", F_OK) < 0)
		return sd_bus_error_set(error, SERVICE ".Failed", "nothing matches");
	return sd_bus_reply_method_return(call, "o", PROFILE);
}

static int get_inhibitors(sd_bus *bus, const char *path, const char *interface,
			  const char *property, sd_bus_message *reply, void *data,
			  sd_bus_error *error)
{
	return access("inhibit", F_OK) == 0 ? sd_bus_message_append(reply, "as", 1, ":1.1") :
					      sd_bus_message_append(reply, "as", 0);
}

static int get_file(sd_bus *bus, const char *path, const char *interface, const char *property,
		    sd_bus_message *reply, void *data, sd_bus_error *error)
{
	char name[1000] = "";
	FILE *file = fopen("profile", "r");

	if (file) {
		if (!fgets(name, sizeof name, file))
			name[0] = '\0';
		fclose(file);
	}
	name[strcspn(name, "\n")] = '\0';
	return sd_bus_message_append(reply, "s", name);
}

static const sd_bus_vtable manager[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("FindDeviceById", "s", "o", find_device, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END
};
static const sd_bus_vtable device[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("GetProfileForQualifiers", "as", "o", find_profile,
		      SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_PROPERTY("ProfilingInhibitors", "as", get_inhibitors, 0, 0), SD_BUS_VTABLE_END
};
static const sd_bus_vtable profile[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_PROPERTY("Filename", "s", get_file, 0, 0),
	SD_BUS_VTABLE_END
};

int main(int argc, char **argv)
{
	sd_bus *bus = NULL;
	FILE *ready;

	if (argc != 2 || chdir(argv[1]) < 0 || sd_bus_open_system(&bus) < 0 ||
	    sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/ColorManager", SERVICE, manager,
				     NULL) < 0 ||
	    sd_bus_add_object_vtable(bus, NULL, DEVICE, SERVICE ".Device", device, NULL) < 0 ||
	    sd_bus_add_object_vtable(bus, NULL, PROFILE, SERVICE ".Profile", profile, NULL) < 0 ||
	    sd_bus_request_name(bus, SERVICE, 0) < 0) {
		fprintf(stderr, "fake-colord: no bus\n");
		return 99;
	}
	ready = fopen("ready", "w");
	if (ready)
		fclose(ready);
	for (;;) {
		int r = sd_bus_process(bus, NULL);

		if (r == 0)
			r = sd_bus_wait(bus, UINT64_MAX);
		if (r < 0 && r != -EINTR)
			return 0; /* the bus has gone */
	}
}
