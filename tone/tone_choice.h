/*
 * What the user asks for about tones, and how it is spelled.
 *
 * Plain values; pure functions.
 */
#ifndef RIP_TONE_CHOICE_H
#define RIP_TONE_CHOICE_H

#include "tone/cal.h"
#include "tone/plane_curve.h"
#include "tone/preset.h"
#include "tone/printer.h"

struct rip_tone_choice {
	int      preset;    /* index in rip_printer_names[] */
	int      gain;      /* points, 0..RIP_GAIN_MAX; -1: the preset's */
	enum rip_target target;
	unsigned density;   /* percent, 50..200 */
	unsigned gamma;     /* thousandths, 200..5000 */
	unsigned ink_limit; /* percent of one full ink, 100..1600; 0: none */
	unsigned toner_save; /* percent of ink less, 10..RIP_TONER_SAVE_MAX; 0: none */
	char     calibration[RIP_CAL_NAME_MAX + 1]; /* a name, or empty: none */
	bool     ink_limit_set; /* the user or the PPD's options say so, be it none */
	int      registration; /* micrometres (blue_noise_colour.h), or RIP_REGISTRATION_AUTO */
	unsigned light_strength; /* of light inks, percent, 5..50; 0: the PPD's, or the usual one */
	unsigned edges;      /* 1: fine ones (halftone/page/fine_edges.h); 0: as inside areas */
	struct rip_drops drops;
};

/* What changes nothing. */
struct rip_tone_choice rip_tone_choice_nothing(void);

/* Values as options and commands spell them; -1: not valid. */

/* A preset's index, or RIP_GAIN_POINTS plus the points of a number from 0 to RIP_GAIN_MAX. */
#define RIP_GAIN_POINTS 1000
int rip_tone_parse_gain(const char *value);
/* Puts such a number into a choice: a preset, whose own gain counts, or points, for which the
 * preset stays, or becomes laser if it is none. */
void rip_tone_choose_gain(struct rip_tone_choice *choice, int parsed);

/* The printer that is chosen, at pixels an inch; 0: not known, taken as 600. */
void rip_tone_choice_printer(const struct rip_tone_choice *choice, double dpi,
			     struct rip_printer *printer);

/* The name of a calibration, or "none", which makes an empty one.  false: not valid. */
bool rip_tone_parse_calibration(const char *value, char name[RIP_CAL_NAME_MAX + 1]);

int rip_tone_parse_target(const char *value);    /* enum rip_target */
int rip_tone_parse_density(const char *value);   /* "120": percent, 50 to 200 */
int rip_tone_parse_gamma(const char *value);     /* "1.8": thousandths, 0.2 to 5 */
int rip_tone_parse_ink_limit(const char *value); /* "260": percent, 100 to 1600; "none": 0 */
/* "30": micrometres, 0 to 1000; "auto" */
#define RIP_REGISTRATION_AUTO 9999
int rip_tone_parse_registration(const char *value);
int rip_tone_parse_edges(const char *value); /* "off", "on": 0, 1 */
int rip_tone_parse_light_strength(const char *value); /* "30": percent, 5 to 50 */
/* "1" to "3", or percent as "30" or "30%", 10 to 80: percent; "0", "none": 0 */
int rip_tone_parse_toner_save(const char *value);

/* The valid values, for people. */
void rip_tone_list_gains(char *text, size_t size);
#define RIP_TONE_TARGETS    "print, linear"
#define RIP_TONE_DENSITIES  "50 to 200"
#define RIP_TONE_GAMMAS     "0.2 to 5"
#define RIP_TONE_INK_LIMITS "none, 100 to 1600"
#define RIP_TONE_TONER_SAVES "none, 0 to 3, and 10 to 80 percent"
#define RIP_TONE_EDGES "off, on"
#define RIP_TONE_REGISTRATIONS "auto, 0 to 1000"
#define RIP_TONE_LIGHT_STRENGTHS "5 to 50"
#define RIP_TONE_DROPS "none, picolitres such as 3,7,14, and percent such as 40%,70%,100%"
#define RIP_TONE_CALIBRATIONS "none, and names of letters, digits and . _ -"

#endif
