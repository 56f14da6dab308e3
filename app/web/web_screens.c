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

static void put_option(struct rip_web *web, const char *field, const char *name,
		       const char *chosen)
{
	const struct rip_app_option *option = rip_web_option(web, name);
	const char *why;

	if (!option)
		return;
	rip_web_put(web, "<label>%s: ", rip_web_option_title(web, name, &why));
	rip_web_put_values(web, field, option, chosen);
	rip_web_put(web, "</label>\n");
}

static void put_controls(struct rip_web *web, const struct rip_web_look *look, bool all)
{
	char path[256];

	rip_web_put(web, "<form class=\"controls\" method=\"GET\" action=\"%s\">\n",
		    rip_web_path(web, "screens", path, sizeof path));
	put_option(web, "density", "halftone-density", look->density);
	put_option(web, "save", "toner-save", look->save);
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
		rip_web_put_button(web, "use", screen, RIP_SAY_USE_SCREEN);
	rip_web_put(web, "</figcaption></figure>\n");
}

static void put_screens(struct rip_web *web, const struct rip_app_option *option,
			const struct rip_web_look *look, bool all)
{
	int places[RIP_WEB_VALUES], count = rip_web_order(option, places);
	char value[64];
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
	if (rare)
		rip_web_put_link(web, "screens?all=1", RIP_SAY_MORE_SCREENS);
	else if (all)
		rip_web_put_link(web, "screens", RIP_SAY_USUAL_SCREENS);
}

static void act(struct rip_web *web)
{
	const struct rip_app_option *option = rip_web_option(web, "halftone-screen");

	if (option)
		use_screen(web, option);
}

static void put(struct rip_web *web)
{
	const struct rip_app_option *option = rip_web_option(web, "halftone-screen");
	const bool all = rip_web_value(web, "all");
	struct rip_web_look look;

	if (!option) {
		rip_web_put_text(web, RIP_SAY_NO_SCREENS);
		return;
	}
	if (!rip_web_look_read(web, &look)) {
		rip_web_put(web, "<div class=\"banner\">%s</div>\n",
			    rip_web_say(web, RIP_SAY_WRONG));
		rip_web_end(web); /* without the form, the printer's defaults are shown */
		rip_web_look_read(web, &look);
	}
	rip_web_put_text(web, RIP_SAY_SCREENS_INTRO);
	put_controls(web, &look, all);
	put_screens(web, option, &look, all);
}

bool rip_web_screens(pappl_client_t *client, void *printer)
{
	static const struct rip_web_page page = { RIP_SAY_SCREENS, .act = act, .put = put };

	return rip_web_answer(client, printer, &page);
}
