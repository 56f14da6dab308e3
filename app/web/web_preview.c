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
#include "app/app_run.h"

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

/* What the printer is set to beyond the look. */
static const struct {
	const char *name, *option;
} others[] = {
	{ "halftone-dot-gain", "--dot-gain" }, { "halftone-edges", "--edges" },
	{ "halftone-registration", "--registration" },
};

#define OTHERS (sizeof others / sizeof others[0])

struct arguments {
	const char *argv[40];
	unsigned count;
	char ppd[PATH_MAX], sample[PATH_MAX], calibration[PATH_MAX];
	char name[80], other[OTHERS][64], zoom[16], crop[64];
};

static void add(struct arguments *all, const char *option, const char *value)
{
	if (*value) {
		all->argv[all->count++] = option;
		all->argv[all->count++] = value;
	}
}

/* The printer's defaults, where its PPD says otherwise. */
static void add_defaults(struct arguments *all, const struct rip_web *web)
{
	for (size_t i = 0; i < OTHERS; i++) {
		const struct rip_app_option *option = rip_web_option(web, others[i].name);
		const struct rip_app_choices *choices = option ? &option->choices : NULL;

		if (option && choices->count &&
		    strcmp(rip_web_default(web, option, all->other[i]),
			   choices->list[choices->preset].name) &&
		    rip_web_has_value(option, all->other[i]))
			add(all, others[i].option, all->other[i]);
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
	int place;

	papplPrinterGetDriverData(web->printer, &data);
	place = rip_app_resolution_index(&driver->resolutions, data.x_default, data.y_default);
	if (place >= 0)
		now.resolution = place;
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

	snprintf(all->zoom, sizeof all->zoom, "%d", dots ? zoom : RIP_WEB_PREVIEW_PPI);
	add(all, dots ? "--zoom" : "--ppi", all->zoom);
	if (!dots)
		return;
	snprintf(all->crop, sizeof all->crop, "%dx%d+%d+%d", RIP_WEB_PREVIEW_WIDTH / zoom,
		 RIP_WEB_PREVIEW_HEIGHT / zoom, left, top);
	add(all, "--crop", all->crop);
}

/* 0 or -errno. */
static int make_arguments(struct arguments *all, const struct rip_web *web,
			  const struct rip_web_look *look)
{
	const struct defaults now = printer_defaults(web);
	const int r = choose_ppd(web, &now, all->ppd);

	snprintf(all->sample, sizeof all->sample, "%s/sample.pdf", rip_app_places.data);
	rip_app_printer_file(web->printer, all->name, sizeof all->name);
	add(all, "riptide", "preview");
	add(all, "--ppd", all->ppd);
	add(all, "--screen", look->screen);
	add(all, "--density", look->density);
	add(all, "--toner-save", look->save);
	add_defaults(all, web);
	if (rip_app_printer_calibration(web->printer, ".cal", all->calibration))
		add(all, "--calibration", all->name);
	add_view(all, resolution(web, &now), look->dots);
	return r;
}

/* ---- the files ---- */

/* A name that is another one whenever the picture may be. */
static void name_file(const struct arguments *all, const struct rip_web *web, char name[80])
{
	const char *const files[] = { web->driver->ppd, all->calibration, all->sample };
	char text[8192], hex[80];
	unsigned char hash[32];
	struct stat st;
	size_t n = 0;

	for (unsigned i = 0; i < all->count && n < sizeof text; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", all->argv[i]);
	for (unsigned i = 0; i < sizeof files / sizeof files[0] && n < sizeof text; i++)
		if (stat(files[i], &st) == 0)
			n += (size_t)snprintf(text + n, sizeof text - n, "%u %lld.%09ld %lld\n",
					      i, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
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

static int make_picture(const struct rip_web *web, const struct rip_web_look *look,
			char path[PATH_MAX])
{
	char name[80];
	struct rip_app_said said;
	struct arguments *all = calloc(1, sizeof *all);
	int r;

	if (!all)
		return -ENOMEM;
	r = make_arguments(all, web, look);
	name_file(all, web, name);
	rip_web_file(web->printer, name, path); /* makes the folder, too */
	snprintf(said.error, sizeof said.error, "%.400s: %.100s", rip_app_places.cache,
		 strerror(-r));
	add(all, "-o", path);
	all->argv[all->count] = all->sample;
	if (access(path, R_OK) < 0)
		remove_old(path);
	if (r == 0)
		r = rip_app_run_in_turn(rip_app_places.command, all->argv, path, &said);
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
