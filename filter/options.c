/* The filter's options: where they are set, and their values. */
#include "filter/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/ink/light_inks.h"
#include "filter/report.h"
#include "halftone/screen/arith.h"
#include "halftone/screen/mask_screen.h"
#include "system/ascii.h"

/* 2 to 16. */
static int parse_levels(const char *value)
{
	char *end;
	const long n = *value < '0' || *value > '9' ? -1 : strtol(value, &end, 10);

	return n < RIP_LEVELS_MIN || n > RIP_LEVELS_MAX || *end ? -1 : (int)n;
}

static int parse_inks(const char *value)
{
	return rip_same_name(value, "none") ? RIP_INKS_NONE :
	       rip_same_name(value, "cmyk") ? RIP_INKS_CMYK :
	       rip_same_name(value, "kcmy") ? RIP_INKS_KCMY : -1;
}

static int parse_black(const char *value)
{
	return rip_same_name(value, "profile") ? 0 : rip_same_name(value, "full") ? 1 : -1;
}

static int parse_keep_black(const char *value)
{
	return rip_same_name(value, "none") ? RIP_KEEP_BLACK_NONE :
	       rip_same_name(value, "text") ? RIP_KEEP_BLACK_TEXT :
	       rip_same_name(value, "text-and-graphics") ? RIP_KEEP_BLACK_TEXT_AND_GRAPHICS : -1;
}

static int parse_overprint(const char *value)
{
	return rip_same_name(value, "none") ? 0 : rip_same_name(value, "text") ? 1 : -1;
}

/* Of the values of IPP only one is for us: by the others, cupsd chooses among the PPD's colour
 * models. */
static int parse_color_mode(const char *value)
{
	static const char *const others[] = {
		"auto", "bi-level", "color", "highlight", "monochrome", "process-bi-level",
		"process-monochrome", NULL
	};

	for (int i = 0; others[i]; i++)
		if (rip_same_name(value, others[i]))
			return 0;
	return rip_same_name(value, "auto-monochrome") ? 1 : -1;
}

/* Our own name first: a vendor's PPD may use the second for something else. */
static const struct {
	const char *keyword, *name;
	int (*parse)(const char *value); /* -1: not valid; NULL: parse() does it */
	const char *values;              /* the valid ones, for a message; NULL: list() has them */
} names[RIP_OPTION_COUNT] = {
	[RIP_OPTION_METHOD] = { "riptideHalftone", "halftone", rip_method_find, NULL },
	[RIP_OPTION_SCREEN] = { "riptideScreen", "halftone-screen", rip_screen_find, NULL },
	[RIP_OPTION_LEVELS] = { "riptideLevels", "halftone-levels", parse_levels, NULL },
	[RIP_OPTION_DOT_GAIN] = { "riptideDotGain", "halftone-dot-gain",
				  rip_tone_parse_gain, NULL },
	[RIP_OPTION_TARGET] = { "riptideTarget", "halftone-target", rip_tone_parse_target,
				RIP_TONE_TARGETS },
	[RIP_OPTION_DENSITY] = { "riptideDensity", "halftone-density", rip_tone_parse_density,
				 RIP_TONE_DENSITIES },
	[RIP_OPTION_GAMMA] = { "riptideGamma", "halftone-gamma", rip_tone_parse_gamma,
			       RIP_TONE_GAMMAS },
	[RIP_OPTION_INK_LIMIT] = { "riptideInkLimit", "halftone-ink-limit",
				   rip_tone_parse_ink_limit, RIP_TONE_INK_LIMITS },
	[RIP_OPTION_CALIBRATION] = { "riptideCalibration", "halftone-calibration", NULL,
				     RIP_TONE_CALIBRATIONS },
	[RIP_OPTION_TONER_SAVE] = { "riptideTonerSave", "toner-save", rip_tone_parse_toner_save,
				    RIP_TONE_TONER_SAVES },
	[RIP_OPTION_EDGES] = { "riptideEdges", "halftone-edges", rip_tone_parse_edges,
			       RIP_TONE_EDGES },
	[RIP_OPTION_INKS] = { "riptideInks", "halftone-inks", parse_inks, "none, cmyk, kcmy" },
	[RIP_OPTION_LIGHT_INKS] = { "riptideLightInks", "halftone-light-inks",
				    rip_light_inks_parse, RIP_LIGHT_INKS_VALUES },
	[RIP_OPTION_LIGHT_STRENGTH] = { "riptideLightStrength", "halftone-light-strength",
					rip_tone_parse_light_strength, RIP_TONE_LIGHT_STRENGTHS },
	[RIP_OPTION_REGISTRATION] = { "riptideRegistration", "halftone-registration",
				      rip_tone_parse_registration, RIP_TONE_REGISTRATIONS },
	[RIP_OPTION_DROPS] = { "riptideDrops", "halftone-drops", NULL, RIP_TONE_DROPS },
	[RIP_OPTION_BLACK] = { "riptideBlack", "halftone-black", parse_black, "full, profile" },
	[RIP_OPTION_KEEP_BLACK] = { "riptideBlackPreservation", "black-preservation",
				    parse_keep_black, "none, text, text-and-graphics" },
	[RIP_OPTION_OVERPRINT] = { "riptideBlackOverprint", "black-overprint", parse_overprint,
				   "none, text" },
	[RIP_OPTION_COLOR_MODE] = { "riptideColorMode", "print-color-mode", parse_color_mode,
				    "auto-monochrome, or for other filters auto, bi-level, color, "
				    "highlight, monochrome, process-bi-level, process-monochrome" },
};

/* Names of RIP_OPTION_METHOD that others use too: their unknown values are ignored. */
static const char *const method_aliases[] = { "halftone-type", "cupsHalftoneType" };

static const char *const place_names[RIP_PLACE_COUNT] = {
	[RIP_PLACE_JOB] = "the job's options",
	[RIP_PLACE_PAGE] = "the page header's cupsString",
	[RIP_PLACE_PPD] = "the PPD's defaults",
};

const char *rip_place_name(enum rip_place place)
{
	return place_names[place];
}

static const struct rip_setting not_set = { .number = -1 };

/* Returns a setting that is not set if the value is unknown. */
static struct rip_setting parse(enum rip_option option, const char *value)
{
	struct rip_setting setting = { .set = false };

	if (option == RIP_OPTION_DROPS) {
		setting.set = rip_drops_parse(&setting.drops, value);
	} else if (option == RIP_OPTION_CALIBRATION) {
		setting.set = rip_tone_parse_calibration(value, setting.calibration);
	} else {
		setting.number = names[option].parse(value);
		setting.set = setting.number >= 0;
	}
	if (option == RIP_OPTION_SCREEN && strlen(value) <= RIP_MASK_NAME_MAX &&
	    (rip_screen_is_labels(value) || (!setting.set && rip_mask_screen_known(value)))) {
		setting.set = true;
		strcpy(setting.mask, value);
	}
	return setting;
}

static void append(char *text, size_t size, const char *name)
{
	const size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
}

/* Lists the levels that the driver takes. */
static void list_levels(int most, char *text, size_t size)
{
	if (most == RIP_LEVELS_MIN)
		snprintf(text, size, "%d", RIP_LEVELS_MIN);
	else
		snprintf(text, size, "%d to %d", RIP_LEVELS_MIN, most);
	if (most < RIP_LEVELS_MAX)
		snprintf(text + strlen(text), size - strlen(text),
			 " (the driver takes no more: riptideMaxLevels in the queue's PPD)");
}

/* Lists the valid values, for a message. */
static void list(const struct rip_options *options, enum rip_option option, char *text, size_t size)
{
	text[0] = '\0';
	if (names[option].values)
		append(text, size, names[option].values);
	else if (option == RIP_OPTION_LEVELS)
		list_levels(options->max_levels, text, size);
	else if (option == RIP_OPTION_DOT_GAIN)
		rip_tone_list_gains(text, size);
	for (int i = 0; option == RIP_OPTION_METHOD && i < RIP_METHODS; i++)
		append(text, size, rip_method_name(i));
	for (unsigned i = 0; option == RIP_OPTION_SCREEN && rip_screen_choice(i); i++)
		append(text, size, rip_screen_choice(i));
}

/* Parses the value of an option of ours.  If it is unknown, warns once and returns a setting
 * that is not set. */
static struct rip_setting parse_ours(struct rip_options *options, enum rip_place place,
				     enum rip_option option, const char *name, const char *value)
{
	struct rip_setting setting = parse(option, value);
	bool *warned = &options->warned[place][option];
	char known[256];

	if (option == RIP_OPTION_LEVELS && setting.number > options->max_levels) {
		if (!*warned)
			rip_warning("%s=%.64s in %s exceeds the driver's limit of %d "
				    "(riptideMaxLevels in the queue's PPD)",
				    name, value, place_names[place], options->max_levels);
		*warned = true;
		return not_set;
	}
	if (!setting.set && !*warned) {
		*warned = true;
		list(options, option, known, sizeof known);
		rip_warning("%s=%.64s in %s is not valid; valid values are %s", name, value,
			    place_names[place], known);
	}
	return setting;
}

static struct rip_setting find_in_job(struct rip_options *options, enum rip_option option)
{
	struct rip_setting setting = not_set;
	const char *value;

	value = cupsGetOption(names[option].keyword, options->count, options->job);
	if (value)
		setting = parse_ours(options, RIP_PLACE_JOB, option, names[option].keyword, value);
	value = cupsGetOption(names[option].name, options->count, options->job);
	if (!setting.set && value)
		setting = options->foreign || (option == RIP_OPTION_METHOD && options->own) ?
			  parse(option, value) :
			  parse_ours(options, RIP_PLACE_JOB, option, names[option].name, value);
	for (int i = 0; !setting.set && option == RIP_OPTION_METHOD && i < 2; i++) {
		value = cupsGetOption(method_aliases[i], options->count, options->job);
		if (value)
			setting = parse(option, value);
	}
	return setting;
}

static struct rip_setting find_in_ppd(struct rip_options *options, const struct rip_queue *queue,
				      enum rip_option option)
{
	const char *const ours[2] = { names[option].keyword, names[option].name };
	const char *value;

	for (int i = 0; i < 2; i++) {
		value = rip_queue_default(queue, ours[i]);
		if (!value && (option == RIP_OPTION_DROPS || option == RIP_OPTION_REGISTRATION))
			value = rip_queue_attribute(queue, ours[i]);
		if (!value)
			continue;
		if (option == RIP_OPTION_METHOD)
			options->own = i == 0;
		return options->foreign && i > 0 ?
		       parse(option, value) :
		       parse_ours(options, RIP_PLACE_PPD, option, ours[i], value);
	}
	for (int i = 0; option == RIP_OPTION_METHOD && i < 2; i++) {
		value = rip_queue_default(queue, method_aliases[i]);
		if (value)
			return parse(option, value);
	}
	return not_set;
}

/* Takes one `NAME=VALUE` or `METHOD` of a cupsString, unless the option is set already. */
static void take_item(struct rip_options *options, char *item,
		      struct rip_setting page[RIP_OPTION_COUNT])
{
	char *value = strchr(item, '=');
	const char *name = names[RIP_OPTION_METHOD].name;

	if (value) {
		*value++ = '\0';
		name = item;
	} else {
		value = item;
	}
	for (int option = 0; option < RIP_OPTION_COUNT; option++)
		if (rip_same_name(name, names[option].name)) {
			struct rip_setting setting =
				parse_ours(options, RIP_PLACE_PAGE, option, name, value);

			if (!page[option].set)
				page[option] = setting;
			return;
		}
	if (!options->warned[RIP_PLACE_PAGE][RIP_OPTION_COUNT]) {
		char known[512] = "";

		options->warned[RIP_PLACE_PAGE][RIP_OPTION_COUNT] = true;
		for (int option = 0; option < RIP_OPTION_COUNT; option++)
			append(known, sizeof known, names[option].name);
		rip_warning("unknown option %s in %s; the options are %s", name,
			    place_names[RIP_PLACE_PAGE], known);
	}
}

static void find_in_page(struct rip_options *options, const cups_page_header2_t *header,
			 struct rip_setting page[RIP_OPTION_COUNT])
{
	const size_t prefix = sizeof RIP_OPTION_PREFIX - 1;

	for (int i = 0; i < 16; i++) {
		char text[sizeof header->cupsString[0] + 1], *rest, *item;

		if (strncmp(header->cupsString[i], RIP_OPTION_PREFIX, prefix))
			continue;
		snprintf(text, sizeof text, "%.*s", (int)sizeof header->cupsString[0],
			 header->cupsString[i]);
		for (item = strtok_r(text + prefix, ",", &rest); item;
		     item = strtok_r(NULL, ",", &rest))
			take_item(options, item, page);
	}
}

/* The PPD's riptidePrinter; -1: none. */
static int find_printer(const struct rip_queue *queue)
{
	const char *name = rip_queue_attribute(queue, "riptidePrinter");
	const int printer = name ? rip_tone_parse_gain(name) : -1;

	return printer < RIP_GAIN_POINTS ? printer : -1;
}

const char *rip_option_name(enum rip_option option)
{
	return names[option].name;
}

const char *rip_option_keyword(enum rip_option option)
{
	return names[option].keyword;
}

void rip_options_init(struct rip_options *options, const char *text,
		      const struct rip_queue *queue)
{
	memset(options, 0, sizeof *options);
	options->count = cupsParseOptions(text, 0, &options->job);
	options->max_levels = (int)rip_queue_max_levels(queue);
	options->printer = find_printer(queue);
	options->foreign = rip_queue_is_foreign(queue);
	for (int option = 0; option < RIP_OPTION_COUNT; option++)
		options->ppd[option] = find_in_ppd(options, queue, option);
}

/* The setting of an option at the first place that sets it; NULL: none does. */
static const struct rip_setting *first(struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
				       enum rip_option option)
{
	for (int place = 0; place < RIP_PLACE_COUNT; place++)
		if (at[place][option].set)
			return &at[place][option];
	return NULL;
}

static int first_number(struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
			enum rip_option option, int otherwise)
{
	const struct rip_setting *setting = first(at, option);

	return setting ? setting->number : otherwise;
}

/* A number of points says how much gain; what kind of printer, the preset of a later place, or the
 * PPD's. */
static void choose_gain(const struct rip_options *options,
			struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
			struct rip_tone_choice *tone)
{
	if (first(at, RIP_OPTION_DOT_GAIN) && options->printer >= 0)
		tone->preset = options->printer;
	for (int place = RIP_PLACE_COUNT; place-- > 0;)
		if (at[place][RIP_OPTION_DOT_GAIN].set)
			rip_tone_choose_gain(tone, at[place][RIP_OPTION_DOT_GAIN].number);
}

static void choose_tone(const struct rip_options *options,
			struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
			struct rip_tone_choice *tone)
{
	const struct rip_setting *calibration = first(at, RIP_OPTION_CALIBRATION);
	const struct rip_setting *drops = first(at, RIP_OPTION_DROPS);

	*tone = rip_tone_choice_nothing();
	choose_gain(options, at, tone);
	tone->target = (enum rip_target)first_number(at, RIP_OPTION_TARGET, (int)tone->target);
	tone->density = (unsigned)first_number(at, RIP_OPTION_DENSITY, (int)tone->density);
	tone->gamma = (unsigned)first_number(at, RIP_OPTION_GAMMA, (int)tone->gamma);
	tone->ink_limit = (unsigned)first_number(at, RIP_OPTION_INK_LIMIT, (int)tone->ink_limit);
	tone->toner_save = (unsigned)first_number(at, RIP_OPTION_TONER_SAVE, (int)tone->toner_save);
	tone->edges = (unsigned)first_number(at, RIP_OPTION_EDGES, (int)tone->edges);
	if (calibration)
		strcpy(tone->calibration, calibration->calibration);
	tone->ink_limit_set = first(at, RIP_OPTION_INK_LIMIT);
	tone->light_strength = (unsigned)first_number(at, RIP_OPTION_LIGHT_STRENGTH, 0);
	tone->registration = first_number(at, RIP_OPTION_REGISTRATION, tone->registration);
	if (drops)
		tone->drops = drops->drops;
}

/* Drops count only if there is one for each level.  Those of the PPD are the printer's, which may
 * also print with other levels. */
static void check_drops(struct rip_options *options,
			struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
			struct rip_choice *choice)
{
	const uint32_t count = choice->tone.drops.count;
	const bool asked_for = at[RIP_PLACE_JOB][RIP_OPTION_DROPS].set ||
			       at[RIP_PLACE_PAGE][RIP_OPTION_DROPS].set;

	if (count == 0 || rip_drops_known(&choice->tone.drops, choice->levels))
		return;
	if (asked_for && !options->warned_of_drops) {
		char needed[RIP_DROPS_NEEDED_MAX];

		rip_drops_needed(choice->levels, needed);
		rip_warning("halftone-drops has %u drop%s, and halftone-levels=%u needs %s: "
			    "printing as without", count, count == 1 ? "" : "s",
			    choice->levels, needed);
		options->warned_of_drops = true;
	}
	memset(&choice->tone.drops, 0, sizeof choice->tone.drops);
}

/* The toners of a laser come from drums of their own, which do not meet exactly; an inkjet prints
 * all inks with one carriage. */
static int usual_keep_black(const struct rip_options *options, const struct rip_choice *choice)
{
	const int nothing = rip_tone_choice_nothing().preset;
	const int printer = choice->tone.preset != nothing ? choice->tone.preset : options->printer;

	return printer >= 0 && rip_same_start(rip_printer_names[printer], "laser", 5) ?
	       RIP_KEEP_BLACK_TEXT : RIP_KEEP_BLACK_NONE;
}

void rip_options_page(struct rip_options *options, const cups_page_header2_t *header,
		      struct rip_choice *choice)
{
	struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT] = { { { .set = false } } };
	for (int option = 0; option < RIP_OPTION_COUNT; option++)
		at[RIP_PLACE_JOB][option] = find_in_job(options, option);
	find_in_page(options, header, at[RIP_PLACE_PAGE]);
	memcpy(at[RIP_PLACE_PPD], options->ppd, sizeof options->ppd);

	memset(choice, 0, sizeof *choice);
	choice->method = (enum rip_method)first_number(at, RIP_OPTION_METHOD, RIP_METHOD_AUTO);
	choice->levels = (unsigned)first_number(at, RIP_OPTION_LEVELS, 2);
	choice->inks = (enum rip_inks)first_number(at, RIP_OPTION_INKS, RIP_INKS_NONE);
	choice->light_inks = (unsigned)first_number(at, RIP_OPTION_LIGHT_INKS, 0);
	choice->pure_black = first_number(at, RIP_OPTION_BLACK, 1);
	choose_tone(options, at, &choice->tone);
	choice->keep_black = (enum rip_keep_black)first_number(at, RIP_OPTION_KEEP_BLACK,
							       usual_keep_black(options, choice));
	choice->black_overprint = first_number(at, RIP_OPTION_OVERPRINT, 0);
	choice->auto_monochrome = first_number(at, RIP_OPTION_COLOR_MODE, 0);
	check_drops(options, at, choice);
	for (int place = 0; place < RIP_PLACE_COUNT; place++) {
		const struct rip_setting *screen = &at[place][RIP_OPTION_SCREEN];
		struct rip_screen_wish wish = { .place = place, .id = screen->number };

		if (!screen->set)
			continue;
		strcpy(wish.mask, screen->mask);
		if (wish.id < 0 && place != RIP_PLACE_JOB && choice->method != RIP_METHOD_AUTO) {
			/* It is in force, so no later place counts. */
			choice->ignored = wish;
			break;
		}
		choice->wishes[choice->wish_count++] = wish;
	}
}

const char *rip_options_printer(const struct rip_options *options, const struct rip_choice *choice)
{
	const int nothing = rip_tone_choice_nothing().preset;

	if (choice->tone.preset != nothing)
		return rip_printer_names[choice->tone.preset];
	return options->printer >= 0 && options->printer != nothing ?
	       rip_printer_names[options->printer] : "laser";
}

void rip_options_refuse_mask(struct rip_options *options, const struct rip_screen_wish *wish,
			     const char *why)
{
	if (!options->warned[wish->place][RIP_OPTION_SCREEN])
		rip_warning("halftone-screen=%s in %s is not possible: %s", wish->mask,
			    place_names[wish->place], why);
	options->warned[wish->place][RIP_OPTION_SCREEN] = true;
}

const char *rip_options_color_model(const struct rip_options *options,
				    const struct rip_queue *queue)
{
	const char *model = cupsGetOption("ColorModel", options->count, options->job);

	return model ? model : rip_queue_default(queue, "ColorModel");
}

void rip_options_finish(struct rip_options *options)
{
	cupsFreeOptions(options->count, options->job);
	options->count = 0;
	options->job = NULL;
}
