#include "config.h"

#include "web_page.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app_adopt.h"
#include "app/app_devices.h"
#include "app/app_driver.h"
#include "app/app_places.h"
#include "app/app_ppd.h"
#include "app/app_run.h"
#include "system/ascii.h"

/*
 * Adds a printer, with one of our drivers, one that was adopted before, or a vendor's PPD that
 * comes with the form and is adopted.  In place of PAPPL's page, which needs JavaScript, knows no
 * PPD, and aborts where avahi-daemon does not run.
 */

struct new_printer {
	const char *name, *device, *address, *driver;
};

static void read_wish(const struct rip_web *web, struct new_printer *wish)
{
	wish->name = rip_web_value(web, "name");
	wish->device = rip_web_value(web, "device");
	wish->address = rip_web_value(web, "address");
	wish->driver = rip_web_value(web, "driver");
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static bool fail(struct rip_web *web, enum rip_web_text text, const char *detail)
{
	web->banner = rip_web_say(web, text);
	snprintf(web->detail, sizeof web->detail, "%.500s", detail);
	return false;
}

/* A name that is the same in addresses, files and DNS-SD. */
static bool is_name(const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	const char *at;

	for (at = name; *at; at++)
		if (!strchr(letters, *at) && !(*at & 0x80) &&
		    (at == name || !strchr("0123456789-.", *at)))
			return false;
	return at > name && at - name < 64;
}

/* ---- where the printer is ---- */

static bool is_device(const char *uri)
{
	static const char *const schemes[] = { "socket://", "usb://", "dnssd://", "snmp://" };

	for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
		if (!strncmp(uri, schemes[i], strlen(schemes[i])))
			return true;
	return false;
}

/* Of the list: "URI|DEVICE-ID"; or "HOST" or "HOST:PORT", as people know it, or a URI.  A file is
 * no printer here: it would be written with the rights of the server. */
static bool find_device(struct rip_web *web, const struct new_printer *wish, char uri[1024],
			const char **id)
{
	const char *address = or_empty(wish->address);
	char host[256];
	unsigned port = 9100;
	int length = 0;

	*id = NULL;
	if (wish->device && *wish->device) {
		const size_t n = strcspn(wish->device, "|");

		if (n >= 1024)
			return fail(web, RIP_SAY_NO_ADDRESS, wish->device);
		snprintf(uri, 1024, "%.*s", (int)n, wish->device);
		if (wish->device[n] && wish->device[n + 1])
			*id = wish->device + n + 1;
	} else if (strlen(address) < 1024 && strstr(address, "://")) {
		snprintf(uri, 1024, "%s", address);
	} else if ((sscanf(address, " %255[A-Za-z0-9.-]%n:%u%n", host, &length, &port, &length) >=
			    1 || sscanf(address, " [%250[0-9a-fA-F:.]]%n", host, &length) == 1) &&
		   length > 0 && !address[length + (int)strspn(address + length, " ")] &&
		   port > 0 && port < 65536) {
		httpAssembleURI(HTTP_URI_CODING_ALL, uri, 1024, "socket", NULL, host, (int)port,
				"/");
	} else {
		return fail(web, RIP_SAY_NO_ADDRESS, address);
	}
	return is_device(uri) || fail(web, RIP_SAY_NO_ADDRESS, uri);
}

/* ---- the vendor's driver ---- */

/* What came, as a file beside the drivers: a new one, that nobody else can have made.  0 or
 * -errno. */
static int write_upload(const struct rip_web_upload *upload, char path[PATH_MAX])
{
	int fd, r = 0;
	FILE *file;

	snprintf(path, PATH_MAX, "%s/.upload-XXXXXX", rip_app_places.ppds);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	file = fdopen(fd, "wb");
	if (!file) {
		r = -errno;
		close(fd);
	} else {
		if (fwrite(upload->data, 1, upload->size, file) != upload->size)
			r = -errno;
		if (fclose(file) && r == 0)
			r = -errno;
	}
	if (r < 0)
		unlink(path);
	return r;
}

/* The first line of what was said, with the browser's name of the file in place of ours. */
static void name_file(const char *said, const char *path, const char *name, char line[512])
{
	const size_t length = strcspn(said, "\n");
	const char *at = strstr(said, path);

	if (at && (size_t)(at - said) < length)
		snprintf(line, 512, "%.*s%s%.*s", (int)(at - said), said, name,
			 (int)(said + length - at - (ptrdiff_t)strlen(path)), at + strlen(path));
	else
		snprintf(line, 512, "%.100s: %.*s", name, (int)length, said);
}

/* Whether a PPD has a text, in small letters or capitals, and with control characters in it, some
 * of which CUPS drops; or cannot be read. */
static bool has_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "re");
	size_t n = 0;
	int c;

	while (file && text[n] && (c = getc(file)) != EOF)
		if (c >= ' ')
			n = rip_lower((char)c) == text[n] ? n + 1 : rip_lower((char)c) == text[0];
	if (file)
		fclose(file);
	return !file || !text[n];
}

/* Whether a vendor's PPD, or what was made of it, would start what is no filter of CUPS: by a
 * command that rastertofoomatic would give to a shell, or by the filter behind ours, which is
 * adopt's alone to say. */
static bool has_program(const char *vendors, const char *made)
{
	return has_text(made, "foomaticripcommandline") ||
	       has_text(vendors, "riptidenextfilter") || has_text(made, "riptidenextfilter: \"/");
}

/* Adopts it as a driver, but none that names a program: the password of the pages is no login of
 * the server's user.  made: there was no driver of this name. */
static bool adopt(struct rip_web *web, char driver[64], bool *made)
{
	char path[PATH_MAX] = "", new[PATH_MAX + 8], line[512], why[256];
	const char *argv[] = { "riptide", "adopt", "--rip", "-o", new, "--", path, NULL };
	const char *name = web->upload.name;
	struct rip_app_ppd_facts facts;
	struct rip_app_driver *read;
	enum rip_web_text wrong = RIP_SAY_FAILED;
	bool good = false;
	struct rip_app_said said;
	int r = write_upload(&web->upload, path);

	if (r < 0)
		return fail(web, RIP_SAY_FAILED, strerror(-r));
	snprintf(new, sizeof new, "%s.ppd", path);
	r = rip_app_run_in_turn(rip_app_places.command, argv, NULL, &said);
	read = r == 0 ? rip_app_ppd_read(new, &facts, why, sizeof why) : NULL;
	if (r)
		name_file(said.error, path, name, line);
	else if (!read)
		name_file(why, new, name, line);
	else if (has_program(path, new))
		snprintf(line, sizeof line, "%.100s", name), wrong = RIP_SAY_PPD_PROGRAM;
	else if ((r = rip_app_adopt_keep(new, name, driver, made)) < 0)
		snprintf(line, sizeof line, "%.100s: %s", name, strerror(-r));
	else
		good = true;
	rip_app_ppd_free(read);
	unlink(path);
	unlink(new);
	return good || fail(web, wrong, line);
}

/* ---- the form comes back ---- */

static bool create(struct rip_web *web, const struct new_printer *wish, const char *driver)
{
	pappl_printer_t *printer;
	char uri[1024];
	const char *id;

	if (!find_device(web, wish, uri, &id))
		return false;
	errno = 0;
	printer = papplPrinterCreate(web->system, 0, wish->name, driver, id, uri);
	if (!printer)
		return fail(web, errno == EEXIST ? RIP_SAY_NAME_TAKEN :
				 errno == EINVAL ? RIP_SAY_NAME_WRONG : RIP_SAY_NO_DRIVER, "");
	web->printer = printer;
	return true;
}

static bool add(struct rip_web *web, const struct new_printer *wish)
{
	char path[PATH_MAX], adopted[64] = "";
	bool made = false;

	if (web->upload.data && !adopt(web, adopted, &made))
		return false;
	if (create(web, wish, *adopted ? adopted : wish->driver))
		return true;
	if (made) {
		snprintf(path, sizeof path, "%s/%s.ppd", rip_app_places.ppds, adopted);
		unlink(path);
	}
	return false;
}

/* False: a banner says why. */
static bool take_form(struct rip_web *web, const struct new_printer *wish)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	bool added;

	if (!wish->name || !is_name(wish->name))
		return fail(web, RIP_SAY_NAME_WRONG, "");
	if (!web->upload.data && (!wish->driver || strchr(wish->driver, '/')))
		return fail(web, RIP_SAY_NO_DRIVER, "");
	/* One at a time: PAPPL 1.3 makes two printers of one name, and a driver that is removed
	 * because its printer failed may be another printer's by then. */
	pthread_mutex_lock(&lock);
	added = add(web, wish);
	pthread_mutex_unlock(&lock);
	return added;
}

/* ---- the form ---- */

/* PAPPL's callback. */
static bool put_device(const char *info, const char *uri, const char *id, void *data)
{
	struct rip_web *web = data;
	char value[2048];

	snprintf(value, sizeof value, "%s|%s", uri, or_empty(id));
	if (is_device(uri))
		rip_web_put_choice(web, value, info, rip_web_value(web, "device"));
	return false;
}

/* Puts what is plugged in or answers in the network. */
static void put_found(struct rip_web *web)
{
	char why[512];

	if (rip_app_devices_find(put_device, web, why))
		papplLog(web->system, PAPPL_LOGLEVEL_WARN, "Cannot look for all printers: %s", why);
}

/* Looking for devices takes seconds: it needs a click. */
static void put_devices(struct rip_web *web, const struct new_printer *wish)
{
	char uri[1024];

	rip_web_put(web, "<label>%s<select name=\"device\">", rip_web_say(web, RIP_SAY_DEVICE));
	rip_web_put_choice(web, "", rip_web_say(web, RIP_SAY_DEVICE_BY_ADDRESS), NULL);
	snprintf(uri, sizeof uri, "%.*s", (int)strcspn(or_empty(wish->device), "|"),
		 or_empty(wish->device));
	if (rip_web_value(web, "search"))
		put_found(web);
	else if (*uri)
		rip_web_put_choice(web, wish->device, uri, wish->device);
	rip_web_put(web, "</select></label>\n");
	rip_web_put_link(web, "addprinter?search=1", RIP_SAY_SEARCH);
}

static int is_ppd(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return *entry->d_name != '.' && length > 4 && length < 68 &&
	       !strcmp(entry->d_name + length - 4, ".ppd");
}

static void put_drivers(struct rip_web *web, const char *chosen)
{
	struct dirent **entries = NULL;
	const int count = scandir(rip_app_places.ppds, &entries, is_ppd, alphasort);

	rip_web_put(web, "<label>%s<select name=\"driver\">", rip_web_say(web, RIP_SAY_DRIVER));
	rip_web_put_choice(web, "auto", rip_web_say(web, RIP_SAY_DRIVER_AUTO), chosen);
	for (unsigned i = 0; i < RIP_APP_DRIVERS; i++)
		rip_web_put_choice(web, rip_app_drivers[i].name, rip_app_drivers[i].description,
				   chosen);
	for (int i = 0; i < count; i++) {
		entries[i]->d_name[strlen(entries[i]->d_name) - 4] = '\0';
		rip_web_put_choice(web, entries[i]->d_name, entries[i]->d_name, chosen);
		free(entries[i]);
	}
	free(entries);
	rip_web_put(web, "</select></label>\n");
}

static void put_form(struct rip_web *web, const struct new_printer *wish)
{
	char address[512];

	papplClientHTMLStartForm(web->client, rip_web_address(web, "addprinter", address,
							      sizeof address), true);
	rip_web_put(web, "<div class=\"fields\">\n<label>%s<input type=\"text\" name=\"name\" "
			 "value=\"%s\" maxlength=\"63\" required></label>\n",
		    rip_web_say(web, RIP_SAY_NAME), or_empty(wish->name));
	put_devices(web, wish);
	rip_web_put(web, "<label>%s<input type=\"text\" name=\"address\" value=\"%s\" "
			 "placeholder=\"192.0.2.7\" maxlength=\"255\"></label>\n",
		    rip_web_say(web, RIP_SAY_ADDRESS), or_empty(wish->address));
	put_drivers(web, wish->driver);
	rip_web_put(web, "<label>%s<input type=\"file\" name=\"ppd\" accept=\".ppd\"></label>\n"
			 "<p>%s</p>\n</div>\n<input type=\"submit\" value=\"%s\"></form>\n",
		    rip_web_say(web, RIP_SAY_PPD), rip_web_say(web, RIP_SAY_PPD_WHY),
		    rip_web_say(web, RIP_SAY_ADD));
}

bool rip_web_add(pappl_client_t *client, void *data)
{
	struct new_printer wish;
	struct rip_web web;
	char path[256];

	if (!rip_web_begin(&web, client, NULL))
		return true;
	read_wish(&web, &wish);
	if (web.posted && take_form(&web, &wish)) {
		papplClientRespondRedirect(client, HTTP_STATUS_FOUND,
					   rip_web_path(&web, "", path, sizeof path));
	} else {
		rip_web_header(&web, RIP_SAY_ADD);
		put_form(&web, &wish);
		rip_web_footer(&web);
	}
	rip_web_end(&web);
	return true;
}
