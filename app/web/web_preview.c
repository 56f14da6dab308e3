#include "config.h"

#include "web_preview.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/app_places.h"
#include "web_child.h"

#define FILES_MAX 200  /* pictures that are kept */
#define DOTS_PPI  2400 /* under the magnifier, if a dot is 2 to 32 pixels large then */

/* ---- what is shown ---- */

static bool read_value(const struct rip_web *web, const char *field, const char *name,
		       char value[64])
{
	const struct rip_app_option *option = rip_web_option(web, name);
	const char *asked = rip_web_value(web, field);

	value[0] = '\0';
	if (!option)
		return !asked;
	if (asked && !rip_web_has_value(option, asked))
		return false;
	if (asked)
		snprintf(value, 64, "%s", asked);
	else
		rip_web_default(web, option, value);
	return rip_web_has_value(option, value);
}

bool rip_web_look_read(const struct rip_web *web, struct rip_web_look *look)
{
	const char *view = rip_web_value(web, "view");

	memset(look, 0, sizeof *look);
	look->dots = view && !strcmp(view, "dots");
	return (!view || look->dots || !strcmp(view, "paper")) &&
	       read_value(web, "screen", "halftone-screen", look->screen) &&
	       read_value(web, "density", "halftone-density", look->density) &&
	       read_value(web, "save", "toner-save", look->save);
}

void rip_web_look_address(const struct rip_web *web, const struct rip_web_look *look,
			  char address[768])
{
	char path[256];

	snprintf(address, 768, "%s?screen=%s&view=%s%s%s%s%s",
		 rip_web_path(web, "preview.png", path, sizeof path), look->screen,
		 look->dots ? "dots" : "paper", look->density[0] ? "&density=" : "",
		 look->density, look->save[0] ? "&save=" : "", look->save);
}

/* ---- the arguments ---- */

struct arguments {
	const char *argv[40];
	char  text[32][PATH_MAX / 2 + 64];
	unsigned count;
};

static __attribute__((format(printf, 2, 3)))
void add(struct arguments *all, const char *format, ...)
{
	va_list values;

	if (all->count == sizeof all->text / sizeof all->text[0])
		return;
	va_start(values, format);
	vsnprintf(all->text[all->count], sizeof all->text[0], format, values);
	va_end(values);
	all->argv[all->count] = all->text[all->count];
	all->argv[++all->count] = NULL;
}

/* What the printer is set to beyond the look, where its PPD says otherwise. */
static void add_defaults(struct arguments *all, const struct rip_web *web)
{
	static const struct {
		const char *name, *option;
	} others[] = {
		{ "halftone-dot-gain", "--dot-gain" }, { "halftone-edges", "--edges" },
		{ "halftone-registration", "--registration" },
	};
	char value[64];

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		const struct rip_app_option *option = rip_web_option(web, others[i].name);
		const struct rip_app_choices *choices = option ? &option->choices : NULL;

		if (!option || !choices->count)
			continue;
		rip_web_default(web, option, value);
		if (strcmp(value, choices->list[choices->preset].name) &&
		    rip_web_has_value(option, value)) {
			add(all, "%s", others[i].option);
			add(all, "%s", value);
		}
	}
}

/* The printer's resolution and colours as places in the driver's lists. */
struct defaults {
	int resolution, colours;
};

static struct defaults printer_defaults(const struct rip_web *web)
{
	const struct rip_app_driver *driver = web->driver;
	struct defaults now = { driver->resolutions.preset, driver->colours.preset };
	pappl_pr_driver_data_t data;

	papplPrinterGetDriverData(web->printer, &data);
	for (int i = 0; i < driver->resolutions.count; i++) {
		int x, y;
		const int n = sscanf(driver->resolutions.list[i].name, "%dx%d", &x, &y);

		if (n > 0 && x == data.x_default && (n == 2 ? y : x) == data.y_default)
			now.resolution = i;
	}
	if (data.color_default == PAPPL_COLOR_MODE_MONOCHROME && driver->mono >= 0)
		now.colours = driver->mono;
	else if (driver->colour >= 0)
		now.colours = driver->colour;
	return now;
}

static int resolution(const struct rip_web *web, const struct defaults *now)
{
	const struct rip_app_choices *all = &web->driver->resolutions;
	const int dpi = all->count ? atoi(all->list[now->resolution].name) : 0;

	return dpi > 0 ? dpi : 300;
}

/* Writes a line of the PPD, or its default of an option as the printer has it.  Whether it did. */
static bool put_default(FILE *to, const char *line, const struct rip_app_choices *choices, int now)
{
	const size_t length = strlen(choices->keyword);

	if (!choices->count || !length || now == choices->preset ||
	    strncmp(line, "*Default", 8) || strncmp(line + 8, choices->keyword, length) ||
	    line[8 + length] != ':')
		return false;
	fprintf(to, "*Default%s: %s\n", choices->keyword, choices->list[now].choice);
	return true;
}

/* The PPD that `riptide preview` gets: the driver's, or a copy with the printer's defaults, because
 * a preview of a PDF has no other way to say them.  0 or -errno. */
static int choose_ppd(const struct rip_web *web, const struct defaults *now, char path[PATH_MAX])
{
	const struct rip_app_driver *driver = web->driver;
	char name[64], line[1024], new[PATH_MAX];
	FILE *from, *to;
	bool failed;

	snprintf(path, PATH_MAX, "%s", driver->ppd);
	if (now->resolution == driver->resolutions.preset &&
	    now->colours == driver->colours.preset)
		return 0;
	snprintf(name, sizeof name, "%d-%d.ppd", now->resolution, now->colours);
	rip_web_file(web->printer, name, path);
	snprintf(name, sizeof name, "%lx.tmp", (unsigned long)pthread_self());
	rip_web_file(web->printer, name, new);
	from = fopen(driver->ppd, "re");
	to = from ? fopen(new, "we") : NULL;
	failed = !to;
	while (to && fgets(line, sizeof line, from))
		if (!put_default(to, line, &driver->resolutions, now->resolution) &&
		    !put_default(to, line, &driver->colours, now->colours))
			fputs(line, to);
	if (to)
		failed = ferror(from) || ferror(to);
	if (to && fclose(to))
		failed = true;
	if (from)
		fclose(from);
	return failed || rename(new, path) < 0 ? -EIO : 0;
}

static void add_view(struct arguments *all, int dpi, bool dots)
{
	/* Where a letter, a thin line and a sphere are, in pixels of the page. */
	const int left = RIP_WEB_SAMPLE_WIDTH * dpi / 72 * 56 / 100;
	const int top = RIP_WEB_SAMPLE_HEIGHT * dpi / 72 * 67 / 100;
	const int wanted = DOTS_PPI / dpi, zoom = wanted < 2 ? 2 : wanted > 32 ? 32 : wanted;

	if (dots) {
		add(all, "--zoom");
		add(all, "%d", zoom);
		add(all, "--crop");
		add(all, "%dx%d+%d+%d", RIP_WEB_PREVIEW_WIDTH / zoom,
		    RIP_WEB_PREVIEW_HEIGHT / zoom, left, top);
	} else {
		add(all, "--ppi");
		add(all, "%d", RIP_WEB_PREVIEW_PPI);
	}
}

/* 0 or -errno. */
static int make_arguments(struct arguments *all, const struct rip_web *web,
			  const struct rip_web_look *look)
{
	const struct defaults now = printer_defaults(web);
	char name[80], path[PATH_MAX];
	const int r = choose_ppd(web, &now, path);

	add(all, "riptide");
	add(all, "preview");
	add(all, "--ppd");
	add(all, "%s", path);
	if (look->screen[0]) {
		add(all, "--screen");
		add(all, "%s", look->screen);
	}
	if (look->density[0]) {
		add(all, "--density");
		add(all, "%s", look->density);
	}
	if (look->save[0]) {
		add(all, "--toner-save");
		add(all, "%s", look->save);
	}
	add_defaults(all, web);
	rip_app_printer_file(web->printer, name, sizeof name);
	snprintf(path, sizeof path, "%s/%s.cal", rip_app_places.calibrations, name);
	if (access(path, R_OK) == 0) {
		add(all, "--calibration");
		add(all, "%s", name);
	}
	add_view(all, resolution(web, &now), look->dots);
	return r;
}

/* ---- the files ---- */

/* A name that is another one whenever the picture may be. */
static void name_file(const struct arguments *all, const struct rip_web *web, char name[80])
{
	char text[8192], hex[80], calibration[PATH_MAX];
	unsigned char hash[32];
	struct stat st;
	size_t n = 0;

	for (unsigned i = 0; i < all->count && n < sizeof text; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", all->argv[i]);
	if (stat(web->driver->ppd, &st) == 0 && n < sizeof text)
		n += (size_t)snprintf(text + n, sizeof text - n, "%lld %lld\n",
				      (long long)st.st_mtime, (long long)st.st_size);
	snprintf(calibration, sizeof calibration, "%s/%s.cal", rip_app_places.calibrations,
		 rip_app_printer_file(web->printer, hex, sizeof hex));
	if (stat(calibration, &st) == 0 && n < sizeof text)
		n += (size_t)snprintf(text + n, sizeof text - n, "%lld.%09ld %lld\n",
				      (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
				      (long long)st.st_ino);
	if (n > sizeof text)
		n = sizeof text;
	cupsHashData("sha2-256", text, n, hash, sizeof hash);
	cupsHashString(hash, sizeof hash, hex, sizeof hex);
	snprintf(name, 80, "%.40s.png", hex);
}

static int is_picture(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > 4 && !strcmp(entry->d_name + length - 4, ".png");
}

/* Keeps the folder small: if there are too many, all but the newest minute's go. */
static void remove_old(const char *file)
{
	char folder[PATH_MAX];
	struct dirent **entries = NULL;
	struct stat st;
	int count, fd;

	snprintf(folder, sizeof folder, "%s", file);
	*strrchr(folder, '/') = '\0';
	count = scandir(folder, &entries, is_picture, NULL);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < count; i++) {
		if (count > FILES_MAX && fd >= 0 &&
		    fstatat(fd, entries[i]->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    st.st_mtime < time(NULL) - 60)
			unlinkat(fd, entries[i]->d_name, 0);
		free(entries[i]);
	}
	free(entries);
	if (fd >= 0)
		close(fd);
}

/* The page, once for each run of the server: an update may bring another one. */
static int make_sample(char path[PATH_MAX])
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static bool made;
	int r = 0;

	snprintf(path, PATH_MAX, "%s/web/sample.pdf", rip_app_places.cache);
	pthread_mutex_lock(&lock);
	if (!made || access(path, R_OK) < 0)
		r = rip_web_sample_write(path);
	made = r == 0;
	pthread_mutex_unlock(&lock);
	return r;
}

static int make_picture(const struct rip_web *web, const struct rip_web_look *look,
			char path[PATH_MAX])
{
	char name[80], sample[PATH_MAX];
	struct rip_web_said said;
	struct arguments *all = calloc(1, sizeof *all);
	int r;

	if (!all)
		return -ENOMEM;
	r = make_arguments(all, web, look);
	name_file(all, web, name);
	rip_web_file(web->printer, name, path); /* makes the folder, too */
	if (r == 0)
		r = make_sample(sample);
	snprintf(said.error, sizeof said.error, "%.400s: %.100s", rip_app_places.cache,
		 strerror(-r));
	if (r == 0) {
		add(all, "-o");
		add(all, "%s", path);
		add(all, "%s", sample);
		if (access(path, R_OK) < 0)
			remove_old(path);
		r = rip_web_run_for(all->argv, path, &said);
	}
	if (r)
		papplLogPrinter(web->printer, PAPPL_LOGLEVEL_ERROR, "No preview with %s: %s",
				look->screen, said.error);
	free(all);
	return r;
}

bool rip_web_preview(pappl_client_t *client, void *printer)
{
	struct rip_web_look look;
	char path[PATH_MAX];
	struct rip_web web;
	bool alive;
	int r;

	if (!rip_web_begin(&web, client, printer))
		return true;
	r = papplClientGetMethod(client) == HTTP_STATE_GET && rip_web_look_read(&web, &look) ?
		    make_picture(&web, &look, path) : -EINVAL;
	if (r == 0)
		alive = rip_web_send_file(&web, path);
	else
		alive = papplClientRespond(client, r == -EINVAL ? HTTP_STATUS_BAD_REQUEST :
						   r == -EBUSY  ? HTTP_STATUS_SERVICE_UNAVAILABLE :
								  HTTP_STATUS_SERVER_ERROR,
					   NULL, NULL, 0, 0);
	rip_web_end(&web);
	return alive;
}
