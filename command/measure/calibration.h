/*
 * From what was read on a printed chart to a calibration.
 *
 * Readings are matches by eye (a tint looks like lines) and measured steps.  The tone model is
 * fitted to all of an ink (tone/fit.h) and serves every screen; a screen whose steps were
 * measured also keeps what was measured.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 * Used by one thread.
 */
#ifndef RIP_CALIBRATION_H
#define RIP_CALIBRATION_H

#include "halftone/screen/mask_screen.h"
#include "tone/cal.h"
#include "tone/calibrated.h"
#include "tone/steps.h"

#define RIP_CALIBRATION_INKS 8
#define RIP_CALIBRATION_MATCHES 64

struct rip_match {
	char     screen[32];
	unsigned lines; /* pixels of 16 that have ink */
	double   tone;  /* of the tint that looks the same, 0 to 1 */
};

struct rip_measured {
	char             screen[32];
	struct rip_steps steps;
};

struct rip_calibration_ink {
	char     name[4];
	unsigned matches;
	struct rip_match match[RIP_CALIBRATION_MATCHES];
	unsigned screens; /* that were measured */
	struct rip_measured measured[RIP_CALIBRATED_SCREENS];
	double   solid;   /* reflectance of a solid area as measured; 0: not known */
	/* What comes out: */
	struct rip_printer  printer;
	struct rip_response response; /* on the calibration's screen */
	double   residual;            /* L*, root mean square */
};

struct rip_calibration {
	const char *preset; /* the class of printer, which fills in what readings do not tell */
	const char *screen; /* the one whose curve the file's columns have */
	double      dpi;
	unsigned    levels;
	struct rip_drops drops; /* of the levels, which the chart was printed with */
	unsigned    inks;
	struct rip_calibration_ink *ink[RIP_CALIBRATION_INKS];
};

/* The ink of a name, which is added if it is new.  NULL (reported): there are too many, or no
 * memory. */
struct rip_calibration_ink *rip_calibration_ink(struct rip_calibration *calibration,
						const char *name);

/* Adds that a tint looks like lines, both percent as text.  0; -errno (reported); or
 * RIP_CALIBRATION_WRONG and why (size bytes). */
#define RIP_CALIBRATION_WRONG 1
int rip_calibration_add_reading(struct rip_calibration *calibration, const char *name,
				const char *screen, const char *lines_text, const char *tint_text,
				char *why, size_t size);

/* Adds the matches of a list: [INK:][SCREEN:]LINES=TINT,...  Without a screen: the
 * calibration's.  0; -errno; or RIP_CALIBRATION_WRONG, reported as wrong usage. */
int rip_calibration_add_matches(struct rip_calibration *calibration, const char *list);

/* The steps of a screen in an ink, to be filled.  NULL (reported): there are too many. */
struct rip_steps *rip_calibration_add_steps(struct rip_calibration *calibration,
					    struct rip_calibration_ink *ink, const char *screen);

/* Fits everything, and makes the calibration of it. */
int rip_calibration_fit(struct rip_calibration *calibration, struct rip_cal *cal);

/* Of an ink that was fitted: whether its readings agree, in words; and whether nobody should print
 * by them unasked, because they do not, or because one of them alone may be an error. */
const char *rip_calibration_agreement(const struct rip_calibration_ink *ink);
bool rip_calibration_is_doubtful(const struct rip_calibration_ink *ink);

void rip_calibration_finish(struct rip_calibration *calibration);

#endif
