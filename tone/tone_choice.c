/* What the user asks for about tones. */
#include "tone/tone_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/toner_save.h"
#include "halftone/screen/blue_noise_colour.h"
#include "system/ascii.h"

static int find_name(const char *const *names, int count, const char *value)
{
	for (int i = 0; i < count; i++)
		if (rip_same_name(names[i], value))
			return i;
	return -1;
}

static int preset_count(void)
{
	int count = 0;

	while (rip_printer_names[count])
		count++;
	return count;
}

struct rip_tone_choice rip_tone_choice_nothing(void)
{
	return (struct rip_tone_choice){
		.preset = find_name(rip_printer_names, preset_count(), "none"), .gain = -1,
		.target = RIP_TARGET_PRINT, .density = 100, .gamma = 1000,
		.registration = RIP_REGISTRATION_AUTO,
	};
}

/* A whole number of at most four digits, which may have a percent sign; -1: it is none, or out
 * of range. */
static int parse_number(const char *value, int least, int most)
{
	const size_t digits = strspn(value, "0123456789");
	int n;

	if (digits < 1 || digits > 4 || (value[digits] && strcmp(value + digits, "%")))
		return -1;
	n = (int)strtol(value, NULL, 10);
	return n < least || n > most ? -1 : n;
}

int rip_tone_parse_gain(const char *value)
{
	const int points = parse_number(value, 0, RIP_GAIN_MAX);

	return points < 0 ? find_name(rip_printer_names, preset_count(), value) :
			    RIP_GAIN_POINTS + points;
}

void rip_tone_choose_gain(struct rip_tone_choice *choice, int parsed)
{
	if (parsed < RIP_GAIN_POINTS) {
		choice->preset = parsed;
		choice->gain = -1;
		return;
	}
	choice->gain = parsed - RIP_GAIN_POINTS;
	if (choice->preset == rip_tone_choice_nothing().preset)
		choice->preset = rip_tone_parse_gain("laser");
}

void rip_tone_choice_printer(const struct rip_tone_choice *choice, double dpi,
			     struct rip_printer *printer)
{
	rip_printer_preset(printer, rip_printer_names[choice->preset], dpi > 0 ? dpi : 600);
	if (choice->gain >= 0)
		rip_printer_set_gain(printer, choice->gain);
	printer->drops = choice->drops;
}

int rip_tone_parse_target(const char *value)
{
	return find_name(rip_target_names, RIP_TARGETS, value);
}

int rip_tone_parse_density(const char *value)
{
	return parse_number(value, 50, 200);
}

int rip_tone_parse_gamma(const char *value)
{
	const size_t whole = strspn(value, "0123456789");
	const char *rest = value + whole;
	size_t digits = 0;
	int n;

	if (whole > 1 || (whole == 0 && *rest != '.'))
		return -1;
	n = whole ? (*value - '0') * 1000 : 0;
	if (*rest == '.') {
		rest++;
		for (int unit = 100; rest[digits] >= '0' && rest[digits] <= '9' && digits < 3;
		     unit /= 10)
			n += (rest[digits++] - '0') * unit;
		if (digits == 0)
			return -1;
	}
	return rest[digits] || n < 200 || n > 5000 ? -1 : n;
}

int rip_tone_parse_ink_limit(const char *value)
{
	return rip_same_name(value, "none") ? 0 : parse_number(value, 100, 1600);
}

int rip_tone_parse_registration(const char *value)
{
	if (rip_same_name(value, "auto"))
		return RIP_REGISTRATION_AUTO;
	return strchr(value, '%') ? -1 : parse_number(value, 0, RIP_REGISTRATION_MAX);
}

int rip_tone_parse_edges(const char *value)
{
	static const char *const names[] = { "off", "on" };

	return find_name(names, 2, value);
}

int rip_tone_parse_light_strength(const char *value)
{
	return parse_number(value, 5, 50);
}

int rip_tone_parse_toner_save(const char *value)
{
	static const int levels[] = { 0, 25, 40, 60 };
	const int level = strchr(value, '%') ? -1 : parse_number(value, 0, 3);

	if (rip_same_name(value, "none"))
		return 0;
	return level >= 0 ? levels[level] : parse_number(value, 10, RIP_TONER_SAVE_MAX);
}

void rip_tone_list_gains(char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "0 to %d", RIP_GAIN_MAX);

	for (int i = 0; rip_printer_names[i] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, ", %s", rip_printer_names[i]);
}

bool rip_tone_parse_calibration(const char *value, char name[RIP_CAL_NAME_MAX + 1])
{
	char path[RIP_CAL_NAME_MAX + 16], why[160];

	memset(name, 0, RIP_CAL_NAME_MAX + 1);
	if (rip_same_name(value, "none"))
		return true;
	if (rip_cal_path("", value, path, sizeof path, why, sizeof why) < 0)
		return false;
	memcpy(name, value, strlen(value));
	return true;
}
