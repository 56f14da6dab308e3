#include "config.h"

#include "web_page.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/app_places.h"
#include "app/app_run.h"
#include "app/web.h"
#include "system/replace_file.h"
#include "tone/cal.h"

/*
 * Calibration by eye: prints a chart of `riptide target`, takes what somebody reads on it, shows
 * the curve that `riptide calibrate` makes of it, and gives it to the printer.
 *
 * A printer's calibration is NAME.cal in the application's folder of calibrations; NAME.cal.old is
 * the one before it.
 */

/* The rows of the chart, and the tints of each, in steps of 2 %: those of `riptide target`
 * (rip_target_lines and rip_target_tints). */
static const struct {
	unsigned lines; /* tenths of a percent */
	int first, last;
} rows[] = {
	{ 125, 2, 24 }, { 250, 4, 40 }, { 500, 10, 68 }, { 750, 26, 86 }, { 875, 38, 98 },
};

#define ROWS (sizeof rows / sizeof rows[0])

/* ---- the printer ---- */

/* The inks of its chart, as `riptide target` orders them. */
static const char *inks(const struct rip_web *web)
{
	const struct rip_app_choices *colours = &web->driver->colours;
	const char *model = colours->count ? colours->list[colours->preset].name : "";

	return !strncmp(model, "cmyk", 4) || !strncmp(model, "kcmy", 4) ? "KCMY" : "K";
}

/* The screens that a chart can have: not that without tints. */
static bool has_tints(const struct rip_app_option *option, const char *screen)
{
	return rip_web_has_value(option, screen) && strcmp(screen, "bi-level");
}

/* The screen that the form names, else the printer's.  False: it is none. */
static bool read_screen(const struct rip_web *web, char screen[64])
{
	const struct rip_app_option *option = rip_web_option(web, "halftone-screen");
	const char *asked = rip_web_value(web, "screen");

	if (option)
		rip_web_default(web, option, screen);
	if (!option || !has_tints(option, screen))
		snprintf(screen, 64, "clustered");
	if (!asked || !strcmp(asked, screen))
		return true;
	snprintf(screen, 64, "%s", asked);
	return option && has_tints(option, asked);
}

/* ---- the files ---- */

static void say_failed(struct rip_web *web, const char *detail)
{
	web->banner = rip_web_say(web, RIP_SAY_FAILED);
	snprintf(web->detail, sizeof web->detail, "%.*s", (int)strcspn(detail, "\n"), detail);
}

/* Ways to change the printer's calibration `now`, and `old`, the one before it.  0 or -errno. */
typedef int change_fn(const char *now, const char *old, const char *made);

/* Gives the printer the one that was made; the one that it has becomes the earlier one. */
static int install(const char *now, const char *old, const char *made)
{
	int r = 0;

	if (unlink(old) < 0 && errno != ENOENT)
		r = -errno;
	/* A second name, so that a job finds a calibration at every moment. */
	if (r == 0 && link(now, old) < 0 && errno != ENOENT)
		r = -errno;
	if (r == 0)
		r = rip_file_rename(AT_FDCWD, made, now);
	if (r < 0)
		unlink(made);
	return r;
}

/* Goes back to the earlier one, which then is the later one. */
static int undo(const char *now, const char *old, const char *made)
{
	const int r = renameat2(AT_FDCWD, old, AT_FDCWD, now, RENAME_EXCHANGE) < 0 ? -errno : 0;

	return r == -ENOENT ? rip_file_rename(AT_FDCWD, old, now) : r;
}

/* Prints without: what there is becomes the earlier one. */
static int put_away(const char *now, const char *old, const char *made)
{
	return rip_file_rename(AT_FDCWD, now, old);
}

/* Changes it, and says so: `done`. */
static void change(struct rip_web *web, change_fn *way, const char *made, enum rip_web_text done)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* old and new must not mix */
	char now[PATH_MAX], old[PATH_MAX];
	int r;

	rip_app_printer_calibration(web->printer, ".cal", now);
	rip_app_printer_calibration(web->printer, ".cal.old", old);
	pthread_mutex_lock(&lock);
	r = way(now, old, made);
	pthread_mutex_unlock(&lock);
	if (r == -ENOENT)
		web->banner = rip_web_say(web, RIP_SAY_NO_EARLIER);
	else if (r < 0)
		say_failed(web, strerror(-r));
	else
		web->banner = rip_web_say(web, done);
}

/* ---- the chart ---- */

/* A name that no job of a client's has, in the spool: there PAPPL deletes it after the job. */
#define CHART "chart-"

static void chart_file(const struct rip_web *web, char path[PATH_MAX])
{
	static atomic_uint number;
	char name[80];

	snprintf(path, PATH_MAX, "%s/" CHART "%s-%ld-%u.pdf", rip_app_places.spool,
		 rip_app_printer_file(web->printer, name, sizeof name), (long)time(NULL),
		 atomic_fetch_add(&number, 1));
}

/* The chart has the PPD's paper, resolution and inks, and must be printed on them as it is: with
 * the PPD's defaults, whatever the printer's are. */
const char *rip_app_web_options(pappl_job_t *job)
{
	const char *path = papplJobGetFilename(job);
	const char *name = path ? strrchr(path, '/') : NULL;

	return name && !strncmp(name + 1, CHART, strlen(CHART)) ?
		       "print-scaling=none cm-calibration=true toner-save=0 "
		       "halftone-density=100" : NULL;
}

static void print_chart(struct rip_web *web, const char *screen)
{
	const char *user = papplClientGetUsername(web->client);
	struct rip_app_said said;
	char path[PATH_MAX];
	const char *argv[] = { "riptide", "target", "--levels", "2", "--screens", screen, "--inks",
			       inks(web), "--ppd", web->driver->ppd, "-o", path, NULL };
	int r;

	chart_file(web, path);
	r = rip_app_run_in_turn(rip_app_places.command, argv, NULL, &said);
	if (r) {
		say_failed(web, said.error);
		return;
	}
	if (papplJobCreateWithFile(web->printer, user && *user ? user : "web", "application/pdf",
				   rip_web_say(web, RIP_SAY_CHART_NAME), 0, NULL, path)) {
		web->banner = rip_web_say(web, RIP_SAY_CHART_PRINTS);
	} else {
		unlink(path);
		say_failed(web, "");
	}
}

/* ---- readings ---- */

static void field_name(char ink, size_t row, char name[8])
{
	snprintf(name, 8, "%c%u", ink, rows[row].lines);
}

/* The list for --match.  How many there are, or -1: one is none of the chart's. */
static int read_readings(const struct rip_web *web, const char *screen, char *list, size_t size)
{
	size_t used = 0;
	int count = 0;
	char name[8];

	*list = '\0';
	for (const char *ink = inks(web); *ink; ink++)
		for (size_t i = 0; i < ROWS; i++) {
			const char *value;
			int tint;

			field_name(*ink, i, name);
			value = rip_web_value(web, name);
			if (!value || !*value)
				continue;
			tint = rip_web_number(web, name, rows[i].first, rows[i].last);
			if (tint < 0)
				return -1;
			used += (size_t)snprintf(list + used, size - used, "%s%c:%s:%u.%u=%d",
						 count ? "," : "", *ink, screen,
						 rows[i].lines / 10, rows[i].lines % 10, tint);
			count++;
		}
	return count;
}

/* Makes a calibration of the readings in a file beside the printer's.  False: what is wrong has
 * been said; else *said has what was found. */
static bool make_calibration(struct rip_web *web, const char *screen, char made[PATH_MAX],
			     struct rip_app_said *said)
{
	static atomic_uint number;
	const struct rip_app_choices *all = &web->driver->resolutions;
	char list[20 * 96], dpi[16];
	const char *argv[] = { "riptide", "calibrate", "--force", "--levels", "2", "--drops",
			       "none", "--screen", screen, "--printer", web->driver->class,
			       "--resolution", dpi, "--match", list, "-o", made, NULL };
	const int count = read_readings(web, screen, list, sizeof list);
	int r;

	snprintf(dpi, sizeof dpi, "%d", all->count ? atoi(all->list[all->preset].name) : 600);
	/* No printer's file begins with a dot: the next start removes what is left of it. */
	snprintf(made, PATH_MAX, "%s/.try-%u.cal", rip_app_places.calibrations,
		 atomic_fetch_add(&number, 1));
	if (count <= 0) {
		web->banner = rip_web_say(web, count < 0 ? RIP_SAY_WRONG : RIP_SAY_NO_READINGS);
		return false;
	}
	r = rip_app_run_in_turn(rip_app_places.command, argv, NULL, said);
	if (r)
		say_failed(web, said->error);
	return r == 0;
}

/* ---- the curve ---- */

/* An ink's curve as a picture: what is sent for what is asked for, and the mirror of that, which is
 * what the printer would print without. */
static void put_curve(struct rip_web *web, const struct rip_cal_ink *ink)
{
	rip_web_put(web, "<figure class=\"curve\"><svg viewBox=\"-60 -60 2670 2670\" role=\"img\" "
			 "aria-label=\"%s\"><path class=\"grid\" d=\"",
		    rip_web_ink_name(web, ink->name));
	for (int i = 0; i <= 2550; i += 510)
		rip_web_put(web, "M%d 0V2550M0 %dH2550", i, i);
	rip_web_put(web, "\"/><path class=\"thin\" d=\"M");
	for (int i = 0; i < RIP_CAL_POINTS; i += 5)
		rip_web_put(web, " %d %d", ink->curve[i] * 10 / 257, 2550 - 10 * i);
	rip_web_put(web, "\"/><path class=\"thick\" d=\"M");
	for (int i = 0; i < RIP_CAL_POINTS; i += 5)
		rip_web_put(web, " %d %d", 10 * i, 2550 - ink->curve[i] * 10 / 257);
	rip_web_put(web, "\"/></svg><figcaption>%s</figcaption></figure>\n",
		    rip_web_ink_name(web, ink->name));
}

static void put_curves(struct rip_web *web, const char *path)
{
	struct rip_cal *cal = malloc(sizeof *cal);
	char why[200] = "";

	if (cal && rip_cal_load(cal, path, why, sizeof why) == 0) {
		rip_web_put(web, "<div class=\"curves\">\n");
		for (unsigned i = 0; i < cal->inks; i++)
			put_curve(web, &cal->ink[i]);
		rip_web_put(web, "</div><p><b>%s</b> %s</p>\n",
			    rip_web_say(web, RIP_SAY_CURVE_THICK),
			    rip_web_say(web, RIP_SAY_CURVE_THIN));
	} else {
		rip_web_put(web, "<p>%s</p>\n", why);
	}
	free(cal);
}

/* Whether the readings agree: in the words of `riptide calibrate`, a line for each ink. */
static void put_findings(struct rip_web *web, const char *said)
{
	const bool doubtful = strstr(said, "do not agree") || strstr(said, "nothing confirms");

	rip_web_put(web, "<p><b>%s</b></p>\n",
		    rip_web_say(web, doubtful			? RIP_SAY_DOUBTFUL :
				     strstr(said, "roughly") ? RIP_SAY_ROUGHLY :
							       RIP_SAY_AGREE));
}

/* The printer's calibration, and ways back. */
static void put_state(struct rip_web *web)
{
	char path[PATH_MAX];
	struct stat st;
	bool there;

	there = rip_app_printer_calibration(web->printer, ".cal", path) && stat(path, &st) == 0;
	if (there) {
		rip_web_put(web, "<p>%s ", rip_web_say(web, RIP_SAY_CURVE_NOW));
		rip_web_put_date(web, (long long)st.st_mtime);
		rip_web_put(web, ".</p>\n");
		put_curves(web, path);
	} else {
		rip_web_put_text(web, RIP_SAY_UNCALIBRATED);
	}
	rip_web_form(web, "calibrate");
	if (rip_app_printer_calibration(web->printer, ".cal.old", path))
		rip_web_put_button(web, "action", "undo", RIP_SAY_UNDO);
	if (there)
		rip_web_put_button(web, "action", "without", RIP_SAY_WITHOUT);
	rip_web_put(web, "</form>\n");
}

/* ---- the form ---- */

/* A row of patches as the chart has them; of the ink's colour, about as dark. */
static void put_row(struct rip_web *web, char ink, size_t row)
{
	const int cyan = ink == 'M' || ink == 'Y', magenta = ink == 'C' || ink == 'Y';
	const int yellow = ink == 'C' || ink == 'M';
	char name[8];
	int chosen;

	field_name(ink, row, name);
	chosen = rip_web_number(web, name, rows[row].first, rows[row].last);
	rip_web_put(web, "<fieldset><legend>%s ", rip_web_say(web, RIP_SAY_ROW));
	if (rows[row].lines % 10)
		rip_web_put_tenths(web, rows[row].lines);
	else
		rip_web_put(web, "%u", rows[row].lines / 10);
	rip_web_put(web, " %%</legend><div class=\"patches\"><label class=\"patch none\">"
			 "<input type=\"radio\" name=\"%s\" value=\"\"%s><span>%s</span></label>\n",
		    name, chosen < 0 ? " checked" : "", rip_web_say(web, RIP_SAY_LEFT_OUT));
	for (int tint = rows[row].first; tint <= rows[row].last; tint += 2) {
		const int light = 255 - tint * 230 / 100;

		rip_web_put(web, "<label class=\"patch\"><input type=\"radio\" name=\"%s\" "
				 "value=\"%d\"%s><span style=\"background:rgb(%d,%d,%d);"
				 "color:%s\">%d</span></label>\n",
			    name, tint, tint == chosen ? " checked" : "", cyan ? 255 : light,
			    magenta ? 255 : light, yellow ? 255 : light,
			    light < 128 && ink != 'Y' ? "#fff" : "#000", tint);
	}
	rip_web_put(web, "</div></fieldset>\n");
}

static void put_screen_choice(struct rip_web *web, const char *screen)
{
	const struct rip_app_option *option = rip_web_option(web, "halftone-screen");
	int places[RIP_WEB_VALUES], count = option ? rip_web_order(option, places) : 0;

	if (!option)
		return;
	rip_web_put(web, "<p><label>%s: <select name=\"screen\">",
		    rip_web_say(web, RIP_SAY_CHART_SCREEN));
	for (int i = 0; i < count; i++) {
		const char *value = option->choices.list[places[i]].name;

		if (has_tints(option, value))
			rip_web_put_choice(web, value, value, screen);
	}
	rip_web_put(web, "</select></label></p>\n");
}

static void put_form(struct rip_web *web, const char *screen)
{
	const char *all = inks(web);

	rip_web_form(web, "calibrate");
	put_screen_choice(web, screen);
	rip_web_put_button(web, "action", "print", RIP_SAY_PRINT_CHART);
	rip_web_put_text(web, RIP_SAY_READ_CHART);
	for (const char *ink = all; *ink; ink++) {
		if (all[1])
			rip_web_put(web, "<h2>%s</h2>\n",
				    rip_web_ink_name(web, (char[]){ *ink, '\0' }));
		for (size_t row = 0; row < ROWS; row++)
			put_row(web, *ink, row);
	}
	rip_web_put_button(web, "action", "look", RIP_SAY_LOOK);
	rip_web_put_button(web, "action", "save", RIP_SAY_KEEP);
	rip_web_put(web, "</form>\n");
}

/* ---- the page ---- */

/* Does what a button asks for.  made: the file of a curve that is to be looked at, or empty; said:
 * what was found. */
static void act(struct rip_web *web, const char *screen, char made[PATH_MAX],
		struct rip_app_said *said)
{
	const char *action = rip_web_value(web, "action");

	made[0] = '\0';
	if (!action)
		action = "";
	if (!strcmp(action, "print")) {
		print_chart(web, screen);
	} else if (!strcmp(action, "undo")) {
		change(web, undo, NULL, RIP_SAY_GONE_BACK);
	} else if (!strcmp(action, "without")) {
		change(web, put_away, NULL, RIP_SAY_REMOVED);
	} else if (!strcmp(action, "look") || !strcmp(action, "save")) {
		if (!make_calibration(web, screen, made, said))
			made[0] = '\0';
		else if (*action == 's')
			change(web, install, made, RIP_SAY_SAVED);
		if (*action == 's')
			made[0] = '\0';
	} else {
		web->banner = rip_web_say(web, RIP_SAY_WRONG);
	}
}

bool rip_web_calibrate(pappl_client_t *client, void *printer)
{
	char screen[64], made[PATH_MAX] = "";
	struct rip_app_said said;
	struct rip_web web;
	bool known;

	if (!rip_web_begin(&web, client, printer))
		return true;
	known = read_screen(&web, screen);
	if (!known)
		web.banner = rip_web_say(&web, RIP_SAY_WRONG);
	else if (web.posted)
		act(&web, screen, made, &said);
	rip_web_header(&web, RIP_SAY_CALIBRATE);
	rip_web_put_text(&web, RIP_SAY_CALIBRATE_INTRO);
	if (made[0]) {
		rip_web_put(&web, "<p><b>%s</b></p>\n", rip_web_say(&web, RIP_SAY_CURVE_TRY));
		put_curves(&web, made);
		put_findings(&web, said.out);
		unlink(made);
	} else {
		put_state(&web);
	}
	put_form(&web, screen);
	rip_web_footer(&web);
	rip_web_end(&web);
	return true;
}
