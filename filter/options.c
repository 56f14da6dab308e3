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

/* Our own name first: a vendor's PPD may use the second for something else. */
static const struct {
	const char *keyword, *name;
	const char *aliases[2]; /* names that others use too: unknown values are ignored */
} names[RIP_OPTION_COUNT] = {
	[RIP_OPTION_METHOD] = { "riptideHalftone", "halftone",
				{ "halftone-type", "cupsHalftoneType" } },
	[RIP_OPTION_SCREEN] = { "riptideScreen", "halftone-screen", { NULL } },
	[RIP_OPTION_LEVELS] = { "riptideLevels", "halftone-levels", { NULL } },
	[RIP_OPTION_DOT_GAIN] = { "riptideDotGain", "halftone-dot-gain", { NULL } },
	[RIP_OPTION_TARGET] = { "riptideTarget", "halftone-target", { NULL } },
	[RIP_OPTION_DENSITY] = { "riptideDensity", "halftone-density", { NULL } },
	[RIP_OPTION_GAMMA] = { "riptideGamma", "halftone-gamma", { NULL } },
	[RIP_OPTION_INK_LIMIT] = { "riptideInkLimit", "halftone-ink-limit", { NULL } },
	[RIP_OPTION_CALIBRATION] = { "riptideCalibration", "halftone-calibration", { NULL } },
	[RIP_OPTION_TONER_SAVE] = { "riptideTonerSave", "toner-save", { NULL } },
	[RIP_OPTION_INKS] = { "riptideInks", "halftone-inks", { NULL } },
	[RIP_OPTION_LIGHT_INKS] = { "riptideLightInks", "halftone-light-inks", { NULL } },
	[RIP_OPTION_LIGHT_STRENGTH] = { "riptideLightStrength", "halftone-light-strength",
					{ NULL } },
	[RIP_OPTION_DROPS] = { "riptideDrops", "halftone-drops", { NULL } },
};

static const char *const place_names[RIP_PLACE_COUNT] = {
	[RIP_PLACE_JOB] = "the job's options",
	[RIP_PLACE_PAGE] = "the page header's cupsString",
	[RIP_PLACE_PPD] = "the PPD's defaults",
};

const char *rip_place_name(enum rip_place place)
{
	return place_names[place];
}

static struct rip_setting number(int n)
{
	return (struct rip_setting){ .set = n >= 0, .number = n };
}

/* Returns a setting that is not set if the value is unknown. */
static struct rip_setting parse(enum rip_option option, const char *value)
{
	struct rip_setting setting;
	char *end;
	long n;

	switch (option) {
	case RIP_OPTION_METHOD:
		return number(rip_method_find(value));
	case RIP_OPTION_SCREEN:
		setting = number(rip_screen_find(value));
		if (!setting.set && strlen(value) <= RIP_MASK_NAME_MAX &&
		    rip_mask_screen_known(value)) {
			setting.set = true;
			strcpy(setting.mask, value);
		}
		return setting;
	case RIP_OPTION_DOT_GAIN:
		return number(rip_tone_parse_gain(value));
	case RIP_OPTION_TARGET:
		return number(rip_tone_parse_target(value));
	case RIP_OPTION_DENSITY:
		return number(rip_tone_parse_density(value));
	case RIP_OPTION_GAMMA:
		return number(rip_tone_parse_gamma(value));
	case RIP_OPTION_INK_LIMIT:
		return number(rip_tone_parse_ink_limit(value));
	case RIP_OPTION_INKS:
		return number(rip_same_name(value, "none") ? RIP_INKS_NONE :
			      rip_same_name(value, "cmyk") ? RIP_INKS_CMYK :
			      rip_same_name(value, "kcmy") ? RIP_INKS_KCMY : -1);
	case RIP_OPTION_LIGHT_INKS:
		return number(rip_light_inks_parse(value));
	case RIP_OPTION_LIGHT_STRENGTH:
		return number(rip_tone_parse_light_strength(value));
	case RIP_OPTION_DROPS:
		setting = number(0);
		setting.set = rip_drops_parse(&setting.drops, value);
		return setting;
	case RIP_OPTION_TONER_SAVE:
		return number(rip_tone_parse_toner_save(value));
	case RIP_OPTION_CALIBRATION:
		setting = number(0);
		setting.set = rip_tone_parse_calibration(value, setting.calibration);
		return setting;
	default:
		if (*value < '0' || *value > '9')
			return number(-1);
		n = strtol(value, &end, 10);
		return number(*end || n < RIP_LEVELS_MIN || n > RIP_LEVELS_MAX ? -1 : (int)n);
	}
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
	switch (option) {
	case RIP_OPTION_METHOD:
		for (int i = 0; i < RIP_METHODS; i++)
			append(text, size, rip_method_name(i));
		break;
	case RIP_OPTION_LEVELS:
		list_levels(options->max_levels, text, size);
		break;
	case RIP_OPTION_DOT_GAIN:
		rip_tone_list_gains(text, size);
		break;
	case RIP_OPTION_TARGET:
		append(text, size, RIP_TONE_TARGETS);
		break;
	case RIP_OPTION_DENSITY:
		append(text, size, RIP_TONE_DENSITIES);
		break;
	case RIP_OPTION_GAMMA:
		append(text, size, RIP_TONE_GAMMAS);
		break;
	case RIP_OPTION_INK_LIMIT:
		append(text, size, RIP_TONE_INK_LIMITS);
		break;
	case RIP_OPTION_INKS:
		append(text, size, "none, cmyk, kcmy");
		break;
	case RIP_OPTION_LIGHT_INKS:
		append(text, size, RIP_LIGHT_INKS_VALUES);
		break;
	case RIP_OPTION_LIGHT_STRENGTH:
		append(text, size, RIP_TONE_LIGHT_STRENGTHS);
		break;
	case RIP_OPTION_DROPS:
		append(text, size, RIP_TONE_DROPS);
		break;
	case RIP_OPTION_TONER_SAVE:
		append(text, size, RIP_TONE_TONER_SAVES);
		break;
	case RIP_OPTION_CALIBRATION:
		append(text, size, RIP_TONE_CALIBRATIONS);
		break;
	default:
		for (unsigned i = 0; rip_screen_choice(i); i++)
			append(text, size, rip_screen_choice(i));
	}
}

/* Parses the value of an option of ours.  If it is unknown, warns once and returns a setting
 * that is not set. */
static struct rip_setting parse_ours(struct rip_options *options, enum rip_place place,
				     enum rip_option option, const char *name, const char *value)
{
	struct rip_setting setting = parse(option, value);
	char known[256];

	if (option == RIP_OPTION_LEVELS && setting.number > options->max_levels) {
		if (!options->warned[place][option])
			rip_warning("%s=%.64s in %s exceeds the driver's limit of %d "
				    "(riptideMaxLevels in the queue's PPD)",
				    name, value, place_names[place], options->max_levels);
		options->warned[place][option] = true;
		return number(-1);
	}
	if (!setting.set && !options->warned[place][option]) {
		options->warned[place][option] = true;
		list(options, option, known, sizeof known);
		rip_warning("%s=%.64s in %s is not valid; valid values are %s", name, value,
			    place_names[place], known);
	}
	return setting;
}

static struct rip_setting find_in_job(struct rip_options *options, enum rip_option option)
{
	struct rip_setting setting = number(-1);
	const char *value;

	value = cupsGetOption(names[option].keyword, options->count, options->job);
	if (value)
		setting = parse_ours(options, RIP_PLACE_JOB, option, names[option].keyword, value);
	value = cupsGetOption(names[option].name, options->count, options->job);
	if (!setting.set && value)
		setting = options->foreign || (option == RIP_OPTION_METHOD && options->own) ?
			  parse(option, value) :
			  parse_ours(options, RIP_PLACE_JOB, option, names[option].name, value);
	for (int i = 0; !setting.set && i < 2 && names[option].aliases[i]; i++) {
		value = cupsGetOption(names[option].aliases[i], options->count, options->job);
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
		if (!value && option == RIP_OPTION_DROPS)
			value = rip_queue_attribute(queue, ours[i]);
		if (!value)
			continue;
		if (option == RIP_OPTION_METHOD)
			options->own = i == 0;
		return options->foreign && i > 0 ?
		       parse(option, value) :
		       parse_ours(options, RIP_PLACE_PPD, option, ours[i], value);
	}
	for (int i = 0; i < 2 && names[option].aliases[i]; i++) {
		value = rip_queue_default(queue, names[option].aliases[i]);
		if (value)
			return parse(option, value);
	}
	return number(-1);
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
	cups_option_t *job = NULL;
	const int count = cupsParseOptions(text, 0, &job);

	rip_options_init_parsed(options, count, job, queue);
}

void rip_options_init_parsed(struct rip_options *options, int count, cups_option_t *job,
			     const struct rip_queue *queue)
{
	memset(options, 0, sizeof *options);
	options->count = count;
	options->job = job;
	options->max_levels = (int)rip_queue_max_levels(queue);
	options->printer = find_printer(queue);
	options->foreign = rip_queue_is_foreign(queue);
	for (int option = 0; option < RIP_OPTION_COUNT; option++)
		options->ppd[option] = find_in_ppd(options, queue, option);
}

/* The number of an option that the first place sets; `otherwise` if none does. */
static int first_number(struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
			enum rip_option option, int otherwise)
{
	for (int place = 0; place < RIP_PLACE_COUNT; place++)
		if (at[place][option].set)
			return at[place][option].number;
	return otherwise;
}

/* A number of points says how much gain; what kind of printer, the preset of a later place, or the
 * PPD's. */
static void choose_gain(const struct rip_options *options,
			struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
			struct rip_tone_choice *tone)
{
	bool is_set = false;

	for (int place = 0; place < RIP_PLACE_COUNT; place++)
		is_set |= at[place][RIP_OPTION_DOT_GAIN].set;
	if (is_set && options->printer >= 0)
		tone->preset = options->printer;
	for (int place = RIP_PLACE_COUNT; place-- > 0;)
		if (at[place][RIP_OPTION_DOT_GAIN].set)
			rip_tone_choose_gain(tone, at[place][RIP_OPTION_DOT_GAIN].number);
}

static void choose_tone(const struct rip_options *options,
			struct rip_setting at[RIP_PLACE_COUNT][RIP_OPTION_COUNT],
			struct rip_tone_choice *tone)
{
	*tone = rip_tone_choice_nothing();
	choose_gain(options, at, tone);
	tone->target = (enum rip_target)first_number(at, RIP_OPTION_TARGET, (int)tone->target);
	tone->density = (unsigned)first_number(at, RIP_OPTION_DENSITY, (int)tone->density);
	tone->gamma = (unsigned)first_number(at, RIP_OPTION_GAMMA, (int)tone->gamma);
	tone->ink_limit = (unsigned)first_number(at, RIP_OPTION_INK_LIMIT, (int)tone->ink_limit);
	tone->toner_save = (unsigned)first_number(at, RIP_OPTION_TONER_SAVE, (int)tone->toner_save);
	for (int place = RIP_PLACE_COUNT; place-- > 0;)
		if (at[place][RIP_OPTION_CALIBRATION].set)
			memcpy(tone->calibration, at[place][RIP_OPTION_CALIBRATION].calibration,
			       sizeof tone->calibration);
	tone->ink_limit_set = first_number(at, RIP_OPTION_INK_LIMIT, -1) >= 0;
	tone->light_strength = (unsigned)first_number(at, RIP_OPTION_LIGHT_STRENGTH, 0);
	for (int place = RIP_PLACE_COUNT; place-- > 0;)
		if (at[place][RIP_OPTION_DROPS].set)
			tone->drops = at[place][RIP_OPTION_DROPS].drops;
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
	choose_tone(options, at, &choice->tone);
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
