#include "config.h"

#include "web_page.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/app_places.h"
#include "system/ascii.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

/* ---- the request ---- */

/* Whether a password would be read by others on its way, which TLS can prevent. */
static bool is_exposed(pappl_client_t *client)
{
	return !papplClientIsEncrypted(client) &&
	       !(papplSystemGetOptions(papplClientGetSystem(client)) & PAPPL_SOPTIONS_NO_TLS) &&
	       !httpAddrLocalhost(httpGetAddress(papplClientGetHTTP(client)));
}

/* PAPPL's pages call this one in place of PAPPL's own, which asks for the password without TLS. */
bool papplClientHTMLAuthorize(pappl_client_t *client)
{
	bool (*own)(pappl_client_t *);

	if (client && is_exposed(client)) {
		/* Leads a browser that gets the page to the encrypted one. */
		papplClientRespond(client, HTTP_STATUS_UPGRADE_REQUIRED, NULL, NULL, 0, 0);
		return false;
	}
	*(void **)&own = dlsym(RTLD_NEXT, "papplClientHTMLAuthorize");
	return own && own(client);
}

static void take_form(struct rip_web *web)
{
	const bool posts = papplClientGetMethod(web->client) == HTTP_STATE_POST;

	web->count = rip_web_read_form(web->client, &web->upload, &web->form);
	if (!posts)
		return;
	web->posted = papplClientIsValidForm(web->client, web->count, web->form);
	if (!web->posted)
		web->banner = rip_web_say(web, web->upload.too_large ? RIP_SAY_TOO_LARGE :
								       RIP_SAY_STALE);
}

static bool begin(struct rip_web *web, pappl_client_t *client, pappl_printer_t *printer, bool open)
{
	http_t *http = papplClientGetHTTP(client);

	open = open && papplClientGetMethod(client) == HTTP_STATE_GET;
	if (!open && !papplClientHTMLAuthorize(client))
		return false;
	memset(web, 0, sizeof *web);
	web->client = client;
	web->system = papplClientGetSystem(client);
	web->printer = printer;
	web->language = rip_web_language(httpGetField(http, HTTP_FIELD_ACCEPT_LANGUAGE));
	web->driver = printer ? rip_app_printer_driver(printer) : NULL;
	take_form(web);
	return true;
}

bool rip_web_begin(struct rip_web *web, pappl_client_t *client, pappl_printer_t *printer)
{
	return begin(web, client, printer, false);
}

void rip_web_end(struct rip_web *web)
{
	cupsFreeOptions(web->count, web->form);
	web->form = NULL;
	web->count = 0;
	free(web->upload.body);
	memset(&web->upload, 0, sizeof web->upload);
}

bool rip_web_answer(pappl_client_t *client, pappl_printer_t *printer,
		    const struct rip_web_page *page)
{
	struct rip_web web;

	if (!begin(&web, client, printer, page->is_open))
		return true;
	if (web.posted && page->act)
		page->act(&web);
	if (page->follows_jobs && papplPrinterGetNumberOfActiveJobs(printer))
		web.refresh = 10;
	rip_web_header(&web, page->title);
	page->put(&web);
	rip_web_footer(&web);
	rip_web_end(&web);
	return true;
}

const char *rip_web_say(const struct rip_web *web, enum rip_web_text text)
{
	return rip_web_text(web->language, text);
}

const char *rip_web_pappl_text(const struct rip_web *web, const char *name, const char *value,
			       char key[96])
{
	const char *text;

	snprintf(key, 96, "%.40s.%.50s", name, value);
	text = papplClientGetLocString(web->client, key);
	return text && strcmp(text, key) ? text : value;
}

const char *rip_web_value(const struct rip_web *web, const char *name)
{
	return cupsGetOption(name, web->count, web->form);
}

int rip_web_number(const struct rip_web *web, const char *name, int low, int high)
{
	const char *value = rip_web_value(web, name);
	int number = 0;

	if (!value || !*value || strlen(value) > 6 || value[strspn(value, "0123456789")])
		return -1;
	number = atoi(value);
	return number >= low && number <= high ? number : -1;
}

/* ---- the page ---- */

void rip_web_header(struct rip_web *web, enum rip_web_text title)
{
	const char *text = rip_web_say(web, title);

	if (web->printer) {
		papplClientHTMLPrinterHeader(web->client, web->printer, text, web->refresh, NULL,
					     NULL);
	} else {
		papplClientRespond(web->client, HTTP_STATUS_OK, NULL, "text/html", 0, 0);
		papplClientHTMLHeader(web->client, text, web->refresh);
		rip_web_put(web, "<div class=\"content\"><div class=\"row\">"
				 "<div class=\"col-12\"><h1 class=\"title\">%s</h1>\n", text);
	}
	rip_web_put(web, "<div class=\"riptide\" lang=\"%s\">\n",
		    rip_web_language_name(web->language));
	if (web->banner)
		rip_web_put(web, "<div class=\"banner\">%s %s</div>\n", web->banner, web->detail);
}

void rip_web_footer(struct rip_web *web)
{
	rip_web_put(web, "</div>\n");
	papplClientHTMLPrinterFooter(web->client);
}

bool rip_web_send_file(struct rip_web *web, const char *path)
{
	http_t *http = papplClientGetHTTP(web->client);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char buffer[16384];
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size <= 0) {
		if (fd >= 0)
			close(fd);
		return papplClientRespond(web->client, HTTP_STATUS_NOT_FOUND, NULL, NULL, 0, 0);
	}
	papplClientRespond(web->client, HTTP_STATUS_OK, NULL, "image/png", 0, (size_t)st.st_size);
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		if (httpWrite2(http, buffer, (size_t)n) < 0)
			break;
	httpFlushWrite(http);
	close(fd);
	return n == 0;
}

void rip_web_form(struct rip_web *web, const char *page)
{
	char address[512];

	papplClientHTMLStartForm(web->client, rip_web_address(web, page, address, sizeof address),
				 false);
}

void rip_web_put_text(struct rip_web *web, enum rip_web_text text)
{
	rip_web_put(web, "<p>%s</p>\n", rip_web_say(web, text));
}

void rip_web_put_link(struct rip_web *web, const char *page, enum rip_web_text text)
{
	char address[512];

	rip_web_put(web, "<a class=\"btn\" href=\"%s\">%s</a>\n",
		    rip_web_address(web, page, address, sizeof address), rip_web_say(web, text));
}

void rip_web_put_button(struct rip_web *web, const char *name, const char *value,
			enum rip_web_text text)
{
	rip_web_put(web, "<button name=\"%s\" value=\"%s\">%s</button>\n", name, value,
		    rip_web_say(web, text));
}

void rip_web_put_choice(struct rip_web *web, const char *value, const char *title,
			const char *chosen)
{
	rip_web_put(web, "<option value=\"%s\"%s>%s</option>", value,
		    chosen && !strcmp(value, chosen) ? " selected" : "", title);
}

const char *rip_web_address(const struct rip_web *web, const char *page, char *address,
			    size_t size)
{
	char path[256];

	rip_web_path(web, page, path, sizeof path);
	if (is_exposed(web->client))
		httpAssembleURI(HTTP_URI_CODING_ALL, address, (int)size, "https", NULL,
				papplClientGetHostName(web->client),
				papplClientGetHostPort(web->client), path);
	else
		snprintf(address, size, "%s", path);
	return address;
}

const char *rip_web_path(const struct rip_web *web, const char *page, char *path, size_t size)
{
	if (web->printer)
		return papplPrinterGetPath(web->printer, page, path, size);
	snprintf(path, size, "/%s", page);
	return path;
}

void rip_web_file(pappl_printer_t *printer, const char *name, char path[PATH_MAX])
{
	char file[80];
	int n = snprintf(path, PATH_MAX, "%s/web", rip_app_places.cache);

	mkdir(path, 0700);
	snprintf(path + n, (size_t)(PATH_MAX - n), "/%s-%s",
		 rip_app_printer_file(printer, file, sizeof file), name);
}

/* ---- numbers and names ---- */

void rip_web_put_tenths(struct rip_web *web, unsigned long tenths)
{
	rip_web_put(web, "%lu%s%lu", tenths / 10, web->language == RIP_WEB_GERMAN ? "," : ".",
		    tenths % 10);
}

void rip_web_put_date(struct rip_web *web, long long when)
{
	const time_t t = (time_t)when;
	const bool german = web->language == RIP_WEB_GERMAN;
	char date[32] = "";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(date, sizeof date, german ? "%d.%m.%Y %H:%M" : "%Y-%m-%d %H:%M", &tm);
	rip_web_put(web, "%s", date);
}

const char *rip_web_ink_name(const struct rip_web *web, const char *ink)
{
	static const char letters[] = "CMYKcmk";
	const char *at = ink[0] && !ink[1] ? strchr(letters, *ink) : NULL;

	return at ? rip_web_say(web, (enum rip_web_text)(RIP_SAY_CYAN + (at - letters))) : ink;
}

/* ---- options ---- */

const struct rip_app_option *rip_web_option(const struct rip_web *web, const char *name)
{
	for (int i = 0; i < web->driver->option_count; i++)
		if (!strcmp(web->driver->options[i].name, name))
			return &web->driver->options[i];
	return NULL;
}

bool rip_web_has_value(const struct rip_app_option *option, const char *value)
{
	return *value != '-' && !value[strspn(value, PLAIN)] &&
	       rip_app_choice_index(&option->choices, value) >= 0;
}

const char *rip_web_default(const struct rip_web *web, const struct rip_app_option *option,
			    char value[64])
{
	return rip_app_printer_default(web->printer, option->name, value, 64);
}

const char *rip_web_option_title(const struct rip_web *web, const char *name, const char **why)
{
	static const struct {
		const char *name;
		enum rip_web_text title, why;
	} known[] = {
		{ "halftone-screen", RIP_SAY_SCREEN, RIP_SAY_SCREEN_WHY },
		{ "halftone-density", RIP_SAY_DENSITY, RIP_SAY_DENSITY_WHY },
		{ "toner-save", RIP_SAY_TONER_SAVE, RIP_SAY_TONER_SAVE_WHY },
		{ "halftone-dot-gain", RIP_SAY_DOT_GAIN, RIP_SAY_DOT_GAIN_WHY },
		{ "halftone-edges", RIP_SAY_EDGES, RIP_SAY_EDGES_WHY },
		{ "halftone-black", RIP_SAY_BLACK, RIP_SAY_BLACK_WHY },
		{ "black-preservation", RIP_SAY_KEEP_BLACK, RIP_SAY_KEEP_BLACK_WHY },
		{ "black-overprint", RIP_SAY_OVERPRINT, RIP_SAY_OVERPRINT_WHY },
		{ "pages-without-color", RIP_SAY_NO_COLOUR, RIP_SAY_NO_COLOUR_WHY },
		{ "halftone-registration", RIP_SAY_REGISTRATION, RIP_SAY_REGISTRATION_WHY },
	};

	*why = NULL;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (!strcmp(known[i].name, name)) {
			*why = rip_web_say(web, known[i].why);
			return rip_web_say(web, known[i].title);
		}
	return name;
}

/* In the order in which they are shown. */
static const struct {
	const char *name;
	enum rip_web_text title, why; /* title RIP_SAY_COUNT: the name, with a capital */
	bool rare;
} screens[] = {
	{ "clustered", RIP_SAY_CLUSTERED, RIP_SAY_CLUSTERED_WHY, false },
	{ "blue-noise", RIP_SAY_BLUE_NOISE, RIP_SAY_BLUE_NOISE_WHY, false },
	{ "blue-noise-colour", RIP_SAY_BLUE_NOISE_COLOUR, RIP_SAY_BLUE_NOISE_COLOUR_WHY, false },
	{ "labels", RIP_SAY_LABELS, RIP_SAY_LABELS_WHY, false },
	{ "floyd-steinberg", RIP_SAY_FLOYD, RIP_SAY_FLOYD_WHY, false },
	{ "bi-level", RIP_SAY_BI_LEVEL, RIP_SAY_BI_LEVEL_WHY, false },
	{ "blue-noise-mask", RIP_SAY_MASK, RIP_SAY_MASK_WHY, true },
	{ "bayer", RIP_SAY_BAYER, RIP_SAY_BAYER_WHY, true },
	{ "atkinson", RIP_SAY_ATKINSON, RIP_SAY_ATKINSON_WHY, true },
	{ "jarvis-judice-ninke", RIP_SAY_JARVIS, RIP_SAY_WIDE_WHY, true },
	{ "stucki", RIP_SAY_COUNT, RIP_SAY_WIDE_WHY, true },
	{ "burkes", RIP_SAY_COUNT, RIP_SAY_WIDE_WHY, true },
	{ "sierra", RIP_SAY_COUNT, RIP_SAY_WIDE_WHY, true },
};

#define SCREENS (sizeof screens / sizeof screens[0])

/* Its place among them; those with a number of lines follow the one without. */
static size_t screen_rank(const char *name)
{
	size_t i = 0;

	if (!strncmp(name, "clustered-", 10))
		return 1;
	while (i < SCREENS && strcmp(screens[i].name, name))
		i++;
	return 2 * i;
}

bool rip_web_screen_is_rare(const char *name)
{
	const size_t rank = screen_rank(name);

	return rank == 2 * SCREENS || (rank % 2 == 0 && screens[rank / 2].rare);
}

int rip_web_order(const struct rip_app_option *option, int places[RIP_WEB_VALUES])
{
	const bool sorted = !strcmp(option->name, "halftone-screen");
	int count = 0, j;

	for (int i = 0; i < option->choices.count && count < RIP_WEB_VALUES; i++) {
		const char *name = option->choices.list[i].name;

		if (!rip_web_has_value(option, name))
			continue;
		for (j = count++; sorted && j > 0 &&
		     screen_rank(option->choices.list[places[j - 1]].name) > screen_rank(name); j--)
			places[j] = places[j - 1];
		places[j] = i;
	}
	return count;
}

void rip_web_put_values(struct rip_web *web, const char *field,
			const struct rip_app_option *option, const char *chosen)
{
	int places[RIP_WEB_VALUES], count = rip_web_order(option, places);
	const char *why, *value;
	char text[96];

	rip_web_put(web, "<select name=\"%s\">", field);
	for (int i = 0; i < count; i++) {
		value = option->choices.list[places[i]].name;
		rip_web_put_choice(web, value,
				   rip_web_value_title(web, option->name, value, text, &why),
				   chosen);
	}
	rip_web_put(web, "</select>");
}

static const char *screen_title(const struct rip_web *web, const char *name, char text[96],
				const char **why)
{
	for (size_t i = 0; i < SCREENS; i++) {
		if (strcmp(screens[i].name, name))
			continue;
		*why = rip_web_say(web, screens[i].why);
		if (screens[i].title != RIP_SAY_COUNT)
			return rip_web_say(web, screens[i].title);
	}
	snprintf(text, 96, "%s", name);
	*text = rip_upper(*text);
	if (!strncmp(name, "clustered-", 10)) {
		*why = rip_web_say(web, RIP_SAY_CLUSTERED_LPI_WHY);
		snprintf(text, 96, "%s, %.8s %s", rip_web_say(web, RIP_SAY_CLUSTERED), name + 10,
			 rip_web_say(web, RIP_SAY_CLUSTERED_LPI));
	}
	return text;
}

const char *rip_web_value_title(const struct rip_web *web, const char *name, const char *value,
				char text[96], const char **why)
{
	*why = NULL;
	if (!strcmp(name, "halftone-screen"))
		return screen_title(web, value, text, why);
	if (!strcmp(name, "toner-save") && *value >= '0' && *value <= '3' && !value[1])
		return rip_web_say(web, (enum rip_web_text)(RIP_SAY_SAVE_0 + *value - '0'));
	snprintf(text, 96, "%.64s%s", value, !strcmp(name, "halftone-density") ? " %" : "");
	return text;
}
