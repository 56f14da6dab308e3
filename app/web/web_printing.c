#include "config.h"

#include "web_page.h"

#include <stdio.h>
#include <string.h>

/*
 * Printing defaults, in place of PAPPL's page: each a question with an answer in words.
 *
 * PAPPL's own options are rows of `known`; those of the driver come from its list.
 */

/* ---- PAPPL's own options ---- */

struct answer {
	const char *value; /* in the form */
	int number;        /* in the driver's data */
	enum rip_web_text title;
};

static const struct answer qualities[] = {
	{ "draft", IPP_QUALITY_DRAFT, RIP_SAY_DRAFT },
	{ "normal", IPP_QUALITY_NORMAL, RIP_SAY_NORMAL },
	{ "high", IPP_QUALITY_HIGH, RIP_SAY_BEST }, { NULL, 0, RIP_SAY_COUNT },
};

static const struct answer sides[] = {
	{ "one-sided", PAPPL_SIDES_ONE_SIDED, RIP_SAY_ONE_SIDE },
	{ "two-sided-long-edge", PAPPL_SIDES_TWO_SIDED_LONG_EDGE, RIP_SAY_LONG_EDGE },
	{ "two-sided-short-edge", PAPPL_SIDES_TWO_SIDED_SHORT_EDGE, RIP_SAY_SHORT_EDGE },
	{ NULL, 0, RIP_SAY_COUNT },
};

static const struct answer colours[] = {
	{ "auto", PAPPL_COLOR_MODE_AUTO, RIP_SAY_COLOUR_AUTO },
	{ "color", PAPPL_COLOR_MODE_COLOR, RIP_SAY_COLOUR_YES },
	{ "monochrome", PAPPL_COLOR_MODE_MONOCHROME, RIP_SAY_COLOUR_GREY },
	{ NULL, 0, RIP_SAY_COUNT },
};

static const struct answer scalings[] = {
	{ "auto", PAPPL_SCALING_AUTO, RIP_SAY_SCALING_AUTO },
	{ "auto-fit", PAPPL_SCALING_AUTO_FIT, RIP_SAY_SCALING_AUTO_FIT },
	{ "fit", PAPPL_SCALING_FIT, RIP_SAY_SCALING_FIT },
	{ "fill", PAPPL_SCALING_FILL, RIP_SAY_SCALING_FILL },
	{ "none", PAPPL_SCALING_NONE, RIP_SAY_SCALING_NONE }, { NULL, 0, RIP_SAY_COUNT },
};

struct question {
	const char *name;
	const struct answer *answers;
	enum rip_web_text title, why;
	unsigned offered; /* bits of numbers; 0: all */
	int now;
};

enum { QUALITY, SIDES, COLOUR, SCALING, QUESTIONS };

static void ask(const pappl_pr_driver_data_t *data, struct question questions[QUESTIONS])
{
	questions[QUALITY] = (struct question){ "print-quality", qualities, RIP_SAY_QUALITY,
		RIP_SAY_QUALITY_WHY, 0, (int)data->quality_default };
	questions[SIDES] = (struct question){ "sides", sides, RIP_SAY_SIDES, RIP_SAY_SIDES_WHY,
		data->sides_supported, (int)data->sides_default };
	questions[COLOUR] = (struct question){ "print-color-mode", colours, RIP_SAY_COLOUR,
		RIP_SAY_COLOUR_WHY, data->color_supported, (int)data->color_default };
	questions[SCALING] = (struct question){ "print-scaling", scalings, RIP_SAY_SCALING,
		RIP_SAY_SCALING_WHY, 0, (int)data->scaling_default };
}

static bool is_offered(const struct question *question, const struct answer *answer)
{
	return !question->offered || (question->offered & (unsigned)answer->number);
}

/* A page in grey has nothing to choose. */
static bool has_choice(const struct question *question)
{
	int count = 0;

	for (const struct answer *a = question->answers; a->value; a++)
		count += is_offered(question, a);
	return count > 1 && (question->answers != colours ||
			     (question->offered & PAPPL_COLOR_MODE_COLOR));
}

/* ---- the form comes back ---- */

/* Takes the answer to a question.  False: it is none of its answers. */
static bool take_answer(const struct rip_web *web, const struct question *question, int *number)
{
	const char *value = rip_web_value(web, question->name);

	if (!value)
		return true;
	for (const struct answer *a = question->answers; a->value; a++)
		if (!strcmp(a->value, value) && is_offered(question, a)) {
			*number = a->number;
			return true;
		}
	return false;
}

static bool take_tray(const struct rip_web *web, pappl_pr_driver_data_t *data)
{
	const char *value = rip_web_value(web, "media-source");

	for (rip_app_count i = 0; value && i < data->num_source; i++)
		if (!strcmp(data->source[i], value)) {
			data->media_default = data->media_ready[i];
			return true;
		}
	return !value;
}

static bool take_resolution(const struct rip_web *web, pappl_pr_driver_data_t *data)
{
	const char *value = rip_web_value(web, "printer-resolution");
	char text[32];

	for (rip_app_count i = 0; value && i < data->num_resolution; i++) {
		snprintf(text, sizeof text, "%dx%d", data->x_resolution[i], data->y_resolution[i]);
		if (!strcmp(text, value)) {
			data->x_default = data->x_resolution[i];
			data->y_default = data->y_resolution[i];
			return true;
		}
	}
	return !value;
}

/* Takes everything, or nothing. */
static bool take_form(struct rip_web *web, pappl_pr_driver_data_t *data)
{
	struct question questions[QUESTIONS];
	cups_option_t *vendor = NULL;
	int count = 0;
	bool ok = true;

	ask(data, questions);
	for (int i = 0; i < QUESTIONS; i++)
		ok = take_answer(web, &questions[i], &questions[i].now) && ok;
	ok = take_tray(web, data) && ok;
	ok = take_resolution(web, data) && ok;
	for (int i = 0; i < web->driver->option_count; i++) {
		const struct rip_app_option *option = &web->driver->options[i];
		const char *value = rip_web_value(web, option->name);

		if (value && rip_web_has_value(option, value))
			count = cupsAddOption(option->name, value, count, &vendor);
		else
			ok = !value && ok;
	}
	data->quality_default = (ipp_quality_t)questions[QUALITY].now;
	data->sides_default = (pappl_sides_t)questions[SIDES].now;
	data->color_default = (pappl_color_mode_t)questions[COLOUR].now;
	data->scaling_default = (pappl_scaling_t)questions[SCALING].now;
	ok = ok && papplPrinterSetDriverDefaults(web->printer, data, count, vendor);
	cupsFreeOptions(count, vendor);
	return ok;
}

/* ---- the form ---- */

static void begin_row(struct rip_web *web, const char *title, const char *why)
{
	rip_web_put(web, "<fieldset><legend>%s</legend>\n", title);
	if (why)
		rip_web_put(web, "<p>%s</p>\n", why);
}

static void put_radio(struct rip_web *web, const char *name, const char *value, bool checked,
		      const char *title, const char *why)
{
	rip_web_put(web, "<label class=\"answer\"><input type=\"radio\" name=\"%s\" value=\"%s\"%s>"
			 " <span><b>%s</b> %s</span></label>\n",
		    name, value, checked ? " checked" : "", title, why ? why : "");
}

static void put_question(struct rip_web *web, const struct question *question)
{
	if (!has_choice(question))
		return;
	begin_row(web, rip_web_say(web, question->title), rip_web_say(web, question->why));
	for (const struct answer *a = question->answers; a->value; a++)
		if (is_offered(question, a))
			put_radio(web, question->name, a->value, a->number == question->now,
				  rip_web_say(web, a->title), NULL);
	rip_web_put(web, "</fieldset>\n");
}

/* A tray's name in PAPPL's words, else the keyword. */
static const char *tray_name(const struct rip_web *web, const char *source, char key[96])
{
	const char *name;

	snprintf(key, 96, "media-source.%.64s", source);
	name = papplClientGetLocString(web->client, key);
	return name && strcmp(name, key) ? name : source;
}

/* The paper of a tray as people know it: "A4, 210 x 297 mm". */
static void put_trays(struct rip_web *web, const pappl_pr_driver_data_t *data)
{
	char path[256], text[96];

	begin_row(web, rip_web_say(web, RIP_SAY_TRAY), rip_web_say(web, RIP_SAY_TRAY_WHY));
	rip_web_put(web, "<select name=\"media-source\">");
	for (rip_app_count i = 0; i < data->num_source; i++) {
		const pappl_media_col_t *media = &data->media_ready[i];
		pwg_media_t *pwg = pwgMediaForPWG(media->size_name);

		rip_web_put(web, "<option value=\"%s\"%s>%s: %s, %d x %d mm</option>",
			    data->source[i],
			    strcmp(data->source[i], data->media_default.source) ? "" : " selected",
			    tray_name(web, data->source[i], text),
			    pwg && pwg->ppd ? pwg->ppd : media->size_name,
			    (media->size_width + 50) / 100, (media->size_length + 50) / 100);
	}
	rip_web_put(web, "</select> <a class=\"btn\" href=\"%s\">%s</a></fieldset>\n",
		    rip_web_path(web, "media", path, sizeof path),
		    papplClientGetLocString(web->client, "Configure Media"));
}

static void put_resolutions(struct rip_web *web, const pappl_pr_driver_data_t *data)
{
	if (data->num_resolution < 2)
		return;
	begin_row(web, rip_web_say(web, RIP_SAY_RESOLUTION),
		  rip_web_say(web, RIP_SAY_RESOLUTION_WHY));
	rip_web_put(web, "<select name=\"printer-resolution\">");
	for (rip_app_count i = 0; i < data->num_resolution; i++) {
		const int x = data->x_resolution[i], y = data->y_resolution[i];

		rip_web_put(web, "<option value=\"%dx%d\"%s>%d x %d</option>", x, y,
			    x == data->x_default && y == data->y_default ? " selected" : "", x, y);
	}
	rip_web_put(web, "</select></fieldset>\n");
}

/* Radio buttons with sentences; screens for special purposes are folded up. */
static void put_sentences(struct rip_web *web, const struct rip_app_option *option,
			  const char *now)
{
	int places[RIP_WEB_VALUES], count = rip_web_order(option, places);
	const bool screens = !strcmp(option->name, "halftone-screen");
	bool folded = false;
	const char *why, *title;
	char text[96];

	for (int i = 0; i < count; i++) {
		const char *value = option->choices.list[places[i]].name;

		if (screens && !folded && rip_web_screen_is_rare(value)) {
			folded = true;
			rip_web_put(web, "<details%s><summary>%s</summary>\n",
				    rip_web_screen_is_rare(now) ? " open" : "",
				    rip_web_say(web, RIP_SAY_MORE_SCREENS));
		}
		title = rip_web_value_title(web, option->name, value, text, &why);
		put_radio(web, option->name, value, !strcmp(value, now), title, why);
	}
	rip_web_put(web, folded ? "</details>" : "");
}

static void put_list(struct rip_web *web, const struct rip_app_option *option, const char *now)
{
	int places[RIP_WEB_VALUES], count = rip_web_order(option, places);
	const char *why;
	char text[96];

	rip_web_put(web, "<select name=\"%s\">", option->name);
	for (int i = 0; i < count; i++) {
		const char *value = option->choices.list[places[i]].name;

		rip_web_put(web, "<option value=\"%s\"%s>%s</option>", value,
			    strcmp(value, now) ? "" : " selected",
			    rip_web_value_title(web, option->name, value, text, &why));
	}
	rip_web_put(web, "</select>");
}

static void put_option(struct rip_web *web, const struct rip_app_option *option, bool sentences)
{
	const char *why, *title = rip_web_option_title(web, option->name, &why);
	char now[64];

	begin_row(web, title, why);
	rip_web_default(web, option, now);
	if (sentences)
		put_sentences(web, option, now);
	else
		put_list(web, option, now);
	rip_web_put(web, "</fieldset>\n");
}

static bool is_main(const char *name)
{
	return !strcmp(name, "halftone-screen") || !strcmp(name, "halftone-density") ||
	       !strcmp(name, "toner-save");
}

static void put_main_options(struct rip_web *web)
{
	static const char *const names[] = { "halftone-screen", "halftone-density", "toner-save" };
	const struct rip_app_option *option;
	char path[256];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		option = rip_web_option(web, names[i]);
		if (!option)
			continue;
		put_option(web, option, i != 1);
		if (i == 0)
			rip_web_put(web, "<p><a class=\"btn\" href=\"%s\">%s</a></p>\n",
				    rip_web_path(web, "screens", path, sizeof path),
				    rip_web_say(web, RIP_SAY_COMPARE));
	}
}

static void put_form(struct rip_web *web, const pappl_pr_driver_data_t *data)
{
	struct question questions[QUESTIONS];

	ask(data, questions);
	rip_web_form(web, "printing");
	rip_web_put(web, "<div class=\"questions\">\n");
	put_question(web, &questions[QUALITY]);
	put_main_options(web);
	put_question(web, &questions[COLOUR]);
	put_question(web, &questions[SIDES]);
	put_trays(web, data);
	rip_web_put(web, "<details><summary>%s</summary>\n",
		    rip_web_say(web, RIP_SAY_MORE_OPTIONS));
	put_question(web, &questions[SCALING]);
	put_resolutions(web, data);
	for (int i = 0; i < web->driver->option_count; i++)
		if (!is_main(web->driver->options[i].name))
			put_option(web, &web->driver->options[i], false);
	rip_web_put(web, "</details></div>\n<input type=\"submit\" value=\"%s\"></form>\n",
		    rip_web_say(web, RIP_SAY_SAVE));
}

bool rip_web_printing(pappl_client_t *client, void *printer)
{
	pappl_pr_driver_data_t data;
	struct rip_web web;

	if (!rip_web_begin(&web, client, printer))
		return true;
	papplPrinterGetDriverData(printer, &data);
	if (web.posted)
		web.banner = rip_web_say(&web, take_form(&web, &data) ? RIP_SAY_SAVED :
								       RIP_SAY_WRONG);
	papplPrinterGetDriverData(printer, &data);
	rip_web_header(&web, RIP_SAY_PRINTING);
	put_form(&web, &data);
	rip_web_footer(&web);
	rip_web_end(&web);
	return true;
}
