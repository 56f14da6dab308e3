/*
 * riptide calibrate: its command line, readings and what is fitted to them, the files and scans
 * that they come from, and the calibration of a queue.
 */
#ifndef RIP_CALIBRATE_H
#define RIP_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tone/cal.h"
#include "tone/calibrated.h"
#include "tone/cgats.h"
#include "command/common_options.h"
#include "tone/ink_name.h"
#include "image/input.h"
#include "target.h"

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

/*
 * Files with measurements: ArgyllCMS's .ti3 and plain numbers.
 *
 * Areas are Murray and Davies's: between the paper and the solid ink that were measured.  Cyan
 * is measured in red light, magenta in green and yellow in blue light (X, Y, Z); all others in
 * Y.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */

/* What a list of numbers has beside the tones. */
enum rip_unit { RIP_UNIT_DENSITY, RIP_UNIT_LIGHTNESS, RIP_UNIT_REFLECTANCE, RIP_UNIT_AREA };

/* Adds the areas of patches to the steps of an ink on a screen.  patches: in place of areas, the
 * reflectance in the light of the ink, for any paper and any scale.  name: of the file. */
int rip_patches_to_steps(const struct rip_steps *patches, struct rip_calibration *calibration,
			 const char *ink, const char *screen, const char *name);

/* Takes the patches of single inks from a .ti3 file. */
int rip_ti3_read(struct rip_calibration *calibration, const struct rip_cgats_table *table,
		 const char *screen, const char *name);

/* Takes lines of a tone in percent and a value; # begins a comment.  The text ends with a
 * NUL. */
int rip_numbers_read(struct rip_calibration *calibration, const char *text, enum rip_unit unit,
		     const char *ink, const char *screen, const char *name);

/*
 * The command line of `riptide calibrate`.
 */

#define RIP_CALIBRATE_LISTS 16
#define RIP_CALIBRATE_FILES 16

struct rip_calibrate_options {
	const char *queue;   /* NULL: --output is there */
	const char *output;  /* NULL: the queue's file */
	const char *name;    /* of the calibration; NULL: the queue's */
	unsigned    lists;
	const char *match[RIP_CALIBRATE_LISTS];
	unsigned    files;
	const char *file[RIP_CALIBRATE_FILES];
	const char *screen;  /* NULL: the queue's, or clustered */
	const char *chart_screens; /* one or two; NULL: RIP_TARGET_SCREENS */
	char ink[RIP_INK_LETTERS]; /* of lists of numbers and of scans; those that are asked for */
	int printer;         /* the place in rip_printer_names[]; -1: the queue's, or laser */
	const char *picture; /* NULL: none */
	struct rip_dpi dpi;      /* 0: the queue's, or 600 */
	unsigned    levels;      /* 0: the queue's, or 2 */
	struct rip_drops drops;
	bool        has_drops; /* false: the queue's, or none */
	enum rip_unit unit;
	bool        undo, force;
	bool        to_standard; /* output or picture is standard output: nothing else goes there */
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_calibrate_options_parse(struct rip_calibrate_options *options, int argc, char **argv);

/*
 * A picture of a calibration: for each ink, what the printer prints for what is asked for (thin)
 * and what is sent to it with the calibration (thick), with a grid of tenths.
 */

/* Writes it to a file as PNG, or as PGM if the name ends so.  0 or -errno (reported). */
int rip_curve_picture_write(const struct rip_calibration *calibration, const struct rip_cal *cal,
			    const char *path);

/*
 * The calibration that a queue prints with: NAME.cal in the folder of calibrations, and NAME as the
 * queue's default of halftone-calibration.
 *
 * The file has notes of its queue and of what the queue had before; a file of another queue is
 * refused with -EPERM.  An older NAME.cal is kept as NAME.cal.old.
 * Errors are reported on standard error, and returned as a negative errno.  Used by one thread.
 */

/* Writes a calibration.  shared: everybody may read it, whatever the umask. */
int rip_calibration_write(const struct rip_cal *cal, const char *path, bool shared);

/* Whether a calibration may have this name.  0 or -EINVAL. */
int rip_queue_calibration_check(const char *name);

/* Whether this user may write calibrations.  0 or -EACCES: most often only root may. */
int rip_queue_calibration_may_write(void);

/* Makes a queue print with a calibration, which gets the note.  After an error the queue prints as
 * before.  defaults: the queue's (queue_request.h). */
int rip_queue_calibration_install(const char *queue, const char *defaults, const char *name,
				  struct rip_cal *cal);

/* Goes back to what the queue had before the last installation.  -ENOENT: it has none. */
int rip_queue_calibration_undo(const char *queue, const char *defaults);

/*
 * A scan of a chart: one channel of a picture in memory, and the wedge that is found in it.
 *
 * Pixels are taken as sRGB, which scanners and their programs write if no correction is asked
 * for; a PNG file that states another gamma is converted.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */

#define RIP_SCAN_PIXELS_MAX (400u << 20)

struct rip_scan {
	const char *name; /* of the file, for messages */
	uint32_t    width, height;
	uint8_t    *grey; /* grey, or the channel of an ink, row by row without gaps; owned */
};

/* 1 if an input begins like a picture: PGM, JPEG, PNG or TIFF; 0; or -errno.
 * Takes nothing from it. */
int rip_scan_is_picture(struct rip_input *input);

/* Reads a picture.  ink: a letter; a colour scan is read in the light that the ink takes away: cyan
 * in red, magenta in green, yellow in blue, others in grey.  0 or -errno; -EBADMSG also for yellow
 * in a grey scan. */
int  rip_scan_read(struct rip_scan *scan, struct rip_input *input, char ink);
void rip_scan_finish(struct rip_scan *scan); /* may be called twice */

/* Finds the wedge by its marks, at any angle up to 10 degrees from the edges of the picture or
 * from a quarter turn.  light: the light of each step, of the paper's around it, so that it
 * does not matter where the lamp is brighter.  -EBADMSG (reported) if a mark is missing, or
 * the resolution is too low. */
int rip_scan_wedge(const struct rip_scan *scan, double light[RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS]);

#endif
