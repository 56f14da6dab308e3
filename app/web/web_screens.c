#include "config.h"

#include "web_preview.h"

#include <stdio.h>
#include <string.h>

/* ---- the printer's default ---- */

static void use_screen(struct rip_web *web, const struct rip_app_option *option)
{
	const char *screen = rip_web_value(web, "use");
	pappl_pr_driver_data_t data;
	cups_option_t *vendor = NULL;
	int count;

	if (!screen || !rip_web_has_value(option, screen)) {
		web->banner = rip_web_say(web, RIP_SAY_WRONG);
		return;
	}
	papplPrinterGetDriverData(web->printer, &data);
	count = cupsAddOption(option->name, screen, 0, &vendor);
	if (papplPrinterSetDriverDefaults(web->printer, &data, count, vendor))
		web->banner = rip_web_say(web, RIP_SAY_SAVED);
	cupsFreeOptions(count, vendor);
}

/* ---- the page ---- */

/* A list of an option's values, of which the one that is shown is chosen. */
static void put_select(struct rip_web *web, const char *field, const char *name,
		       const char *chosen)
{
	const struct rip_app_option *option = rip_web_option(web, name);
	int places[RIP_WEB_VALUES], count = option ? rip_web_order(option, places) : 0;
	const char *why;
	char text[96];

	if (!option)
		return;
	rip_web_put(web, "<label>%s: <select name=\"%s\">",
		    rip_web_option_title(web, name, &why), field);
	for (int i = 0; i < count; i++) {
		const char *value = option->choices.list[places[i]].name;

		rip_web_put(web, "<option value=\"%s\"%s>%s</option>", value,
			    strcmp(value, chosen) ? "" : " selected",
			    rip_web_value_title(web, name, value, text, &why));
	}
	rip_web_put(web, "</select></label>\n");
}

static void put_controls(struct rip_web *web, const struct rip_web_look *look, bool all)
{
	char path[256];

	rip_web_put(web, "<form class=\"controls\" method=\"GET\" action=\"%s\">\n",
		    rip_web_path(web, "screens", path, sizeof path));
	put_select(web, "density", "halftone-density", look->density);
	put_select(web, "save", "toner-save", look->save);
	rip_web_put(web, "<label>%s: <select name=\"view\"><option value=\"paper\">%s</option>"
			 "<option value=\"dots\"%s>%s</option></select></label>\n",
		    rip_web_say(web, RIP_SAY_VIEW), rip_web_say(web, RIP_SAY_VIEW_PAPER),
		    look->dots ? " selected" : "", rip_web_say(web, RIP_SAY_VIEW_DOTS));
	if (all)
		rip_web_put(web, "<input type=\"hidden\" name=\"all\" value=\"1\">\n");
	rip_web_put(web, "<input type=\"submit\" value=\"%s\"></form>\n",
		    rip_web_say(web, RIP_SAY_SHOW));
}

/* One screen: its picture, which leads to the other view, what it is for, and a button. */
static void put_screen(struct rip_web *web, const struct rip_web_look *look, const char *screen,
		       bool in_use)
{
	struct rip_web_look shown = *look, other;
	char picture[768], larger[768], text[96];
	const char *why, *title;

	snprintf(shown.screen, sizeof shown.screen, "%s", screen);
	other = shown;
	other.dots = !shown.dots;
	rip_web_look_address(web, &shown, picture);
	rip_web_look_address(web, &other, larger);
	title = rip_web_value_title(web, "halftone-screen", screen, text, &why);
	rip_web_put(web, "<figure class=\"%s\"><h2>%s</h2><a href=\"%s\"><img src=\"%s\" "
			 "width=\"%d\" height=\"%d\" loading=\"lazy\" alt=\"%s\"></a>\n"
			 "<figcaption><p>%s</p>\n",
		    in_use ? "used" : "free", title, larger, picture,
		    RIP_WEB_PREVIEW_WIDTH, RIP_WEB_PREVIEW_HEIGHT, title, why ? why : "");
	if (in_use)
		rip_web_put(web, "<p><b>%s</b></p>", rip_web_say(web, RIP_SAY_IN_USE));
	else
		rip_web_put(web, "<button name=\"use\" value=\"%s\">%s</button>", screen,
			    rip_web_say(web, RIP_SAY_USE_SCREEN));
	rip_web_put(web, "</figcaption></figure>\n");
}

static void put_screens(struct rip_web *web, const struct rip_app_option *option,
			const struct rip_web_look *look, bool all)
{
	int places[RIP_WEB_VALUES], count = rip_web_order(option, places);
	char value[64], path[256];
	bool rare = false;

	rip_web_default(web, option, value);
	rip_web_form(web, "screens");
	rip_web_put(web, "<div class=\"screens\">\n");
	for (int i = 0; i < count; i++) {
		const char *screen = option->choices.list[places[i]].name;
		const bool in_use = !strcmp(screen, value);

		if (all || in_use || !rip_web_screen_is_rare(screen))
			put_screen(web, look, screen, in_use);
		else
			rare = true;
	}
	rip_web_put(web, "</div></form>\n");
	if (rare || all)
		rip_web_put(web, "<p><a class=\"btn\" href=\"%s%s\">%s</a></p>\n",
			    rip_web_path(web, "screens", path, sizeof path), rare ? "?all=1" : "",
			    rip_web_say(web, rare ? RIP_SAY_MORE_SCREENS :
						    RIP_SAY_USUAL_SCREENS));
}

bool rip_web_screens(pappl_client_t *client, void *printer)
{
	const struct rip_app_option *option;
	struct rip_web_look look;
	struct rip_web web;
	bool all;

	if (!rip_web_begin(&web, client, printer))
		return true;
	option = rip_web_option(&web, "halftone-screen");
	all = rip_web_value(&web, "all") != NULL;
	if (web.posted && option)
		use_screen(&web, option);
	if (!rip_web_look_read(&web, &look)) {
		if (option)
			web.banner = rip_web_say(&web, RIP_SAY_WRONG);
		rip_web_end(&web);
		rip_web_look_read(&web, &look);
	}
	rip_web_header(&web, RIP_SAY_SCREENS);
	rip_web_put(&web, "<p>%s</p>\n",
		    rip_web_say(&web, option ? RIP_SAY_SCREENS_INTRO : RIP_SAY_NO_SCREENS));
	if (option) {
		put_controls(&web, &look, all);
		put_screens(&web, option, &look, all);
	}
	rip_web_footer(&web);
	rip_web_end(&web);
	return true;
}
