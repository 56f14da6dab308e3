#include "config.h"

#include "web_page.h"

#include <stddef.h>
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

/* Where the driver's data has what is offered, as bits of numbers (0: all is), and the default. */
static const struct question {
	const char *name;
	const struct answer *answers;
	enum rip_web_text title, why;
	size_t offered, preset;
} questions[] = {
#define AT(member) offsetof(pappl_pr_driver_data_t, member)
	{ "print-quality", qualities, RIP_SAY_QUALITY, RIP_SAY_QUALITY_WHY, 0,
	  AT(quality_default) },
	{ "sides", sides, RIP_SAY_SIDES, RIP_SAY_SIDES_WHY, AT(sides_supported),
	  AT(sides_default) },
	{ "print-color-mode", colours, RIP_SAY_COLOUR, RIP_SAY_COLOUR_WHY, AT(color_supported),
	  AT(color_default) },
	{ "print-scaling", scalings, RIP_SAY_SCALING, RIP_SAY_SCALING_WHY, 0,
	  AT(scaling_default) },
#undef AT
};

enum { QUALITY, SIDES, COLOUR, SCALING, QUESTIONS };

/* All of them are enumerations. */
static unsigned *member(const pappl_pr_driver_data_t *data, size_t at)
{
	return (unsigned *)((char *)data + at);
}

static bool is_offered(const pappl_pr_driver_data_t *data, const struct question *question,
		       const struct answer *answer)
{
	return !question->offered ||
	       (*member(data, question->offered) & (unsigned)answer->number);
}

/* A page in grey has nothing to choose. */
static bool has_choice(const pappl_pr_driver_data_t *data, const struct question *question)
{
	int count = 0;

	for (const struct answer *a = question->answers; a->value; a++)
		count += is_offered(data, question, a);
	return count > 1 && (question->answers != colours ||
			     (data->color_supported & PAPPL_COLOR_MODE_COLOR));
}

/* ---- the form comes back ---- */

/* Takes the answer to a question.  False: it is none of its answers. */
static bool take_answer(const struct rip_web *web, const struct question *question,
			pappl_pr_driver_data_t *data)
{
	const char *value = rip_web_value(web, question->name);

	for (const struct answer *a = question->answers; value && a->value; a++)
		if (!strcmp(a->value, value) && is_offered(data, question, a)) {
			*member(data, question->preset) = (unsigned)a->number;
			return true;
		}
	return !value;
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
	cups_option_t *vendor = NULL;
	int count = 0;
	bool ok = take_tray(web, data) && take_resolution(web, data);

	for (int i = 0; i < QUESTIONS; i++)
		ok = ok && take_answer(web, &questions[i], data);
	for (int i = 0; i < web->driver->option_count; i++) {
		const struct rip_app_option *option = &web->driver->options[i];
		const char *value = rip_web_value(web, option->name);

		if (value && rip_web_has_value(option, value))
			count = cupsAddOption(option->name, value, count, &vendor);
		else
			ok = !value && ok;
	}
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

static void put_question(struct rip_web *web, const pappl_pr_driver_data_t *data,
			 const struct question *question)
{
	const unsigned now = *member(data, question->preset);

	if (!has_choice(data, question))
		return;
	begin_row(web, rip_web_say(web, question->title), rip_web_say(web, question->why));
	for (const struct answer *a = question->answers; a->value; a++)
		if (is_offered(data, question, a))
			put_radio(web, question->name, a->value, (unsigned)a->number == now,
				  rip_web_say(web, a->title), NULL);
	rip_web_put(web, "</fieldset>\n");
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
			    rip_web_pappl_text(web, "media-source", data->source[i], text),
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

static void put_option(struct rip_web *web, const struct rip_app_option *option, bool sentences)
{
	const char *why, *title = rip_web_option_title(web, option->name, &why);
	char now[64];

	begin_row(web, title, why);
	rip_web_default(web, option, now);
	if (sentences)
		put_sentences(web, option, now);
	else
		rip_web_put_values(web, option->name, option, now);
	rip_web_put(web, "</fieldset>\n");
}

static const char *const main_options[] = { "halftone-screen", "halftone-density", "toner-save" };

#define MAIN_OPTIONS (sizeof main_options / sizeof main_options[0])

static bool is_main(const char *name)
{
	size_t i = 0;

	while (i < MAIN_OPTIONS && strcmp(main_options[i], name))
		i++;
	return i < MAIN_OPTIONS;
}

static void put_main_options(struct rip_web *web)
{
	for (size_t i = 0; i < MAIN_OPTIONS; i++) {
		const struct rip_app_option *option = rip_web_option(web, main_options[i]);

		if (!option)
			continue;
		put_option(web, option, i != 1);
		if (i == 0)
			rip_web_put_link(web, "screens", RIP_SAY_COMPARE);
	}
}

static void put_form(struct rip_web *web, const pappl_pr_driver_data_t *data)
{
	rip_web_form(web, "printing");
	rip_web_put(web, "<div class=\"questions\">\n");
	put_question(web, data, &questions[QUALITY]);
	put_main_options(web);
	put_question(web, data, &questions[COLOUR]);
	put_question(web, data, &questions[SIDES]);
	put_trays(web, data);
	rip_web_put(web, "<details><summary>%s</summary>\n",
		    rip_web_say(web, RIP_SAY_MORE_OPTIONS));
	put_question(web, data, &questions[SCALING]);
	put_resolutions(web, data);
	for (int i = 0; i < web->driver->option_count; i++)
		if (!is_main(web->driver->options[i].name))
			put_option(web, &web->driver->options[i], false);
	rip_web_put(web, "</details></div>\n<input type=\"submit\" value=\"%s\"></form>\n",
		    rip_web_say(web, RIP_SAY_SAVE));
}

static void act(struct rip_web *web)
{
	pappl_pr_driver_data_t data;

	papplPrinterGetDriverData(web->printer, &data);
	web->banner = rip_web_say(web, take_form(web, &data) ? RIP_SAY_SAVED : RIP_SAY_WRONG);
}

static void put(struct rip_web *web)
{
	pappl_pr_driver_data_t data;

	papplPrinterGetDriverData(web->printer, &data);
	put_form(web, &data);
}

bool rip_web_printing(pappl_client_t *client, void *printer)
{
	static const struct rip_web_page page = { RIP_SAY_PRINTING, .act = act, .put = put };

	return rip_web_answer(client, printer, &page);
}
