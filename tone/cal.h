/*
 * A printer's calibration: for each ink, how much of it to print for how much was asked for.
 *
 * On disk it is a .cal file as ArgyllCMS writes and reads it (CGATS, table CAL): the column
 * "<COLOR_REP>_I" has the amount asked for, 0 to 1, and "<COLOR_REP>_<ink>" the amount to
 * print.  Inks have Argyll's names: C M Y K, light ones c m y k, R G B for light.  GRAY_K is
 * another name of K_K.
 *
 * riptide adds keywords of its own, which begin with RIPTIDE_ and which other programs skip.
 *
 * A calibration is plain data without pointers.  Any thread may read it.
 */
#ifndef RIP_CAL_H
#define RIP_CAL_H

#include <stddef.h>
#include <stdint.h>

#define RIP_CAL_POINTS 256
#define RIP_CAL_INKS_MAX 16
#define RIP_CAL_NOTES_MAX 48
#define RIP_CAL_NOTE_MAX 256  /* bytes of a value, with its NUL */
#define RIP_CAL_BYTES_MAX (1u << 20) /* of a file */
#define RIP_CAL_NAME_MAX 64          /* bytes of NAME in NAME.cal */

struct rip_cal_ink {
	char     name[4]; /* "K", "c", "2c" */
	/* Of 65535: point i is the ink to print where 257*i is asked for.  Never falls. */
	uint16_t curve[RIP_CAL_POINTS];
};

/* A keyword of riptide's, and its value: printable ASCII without quotes. */
struct rip_cal_note {
	char name[32];   /* begins with RIPTIDE_ */
	char value[RIP_CAL_NOTE_MAX];
};

struct rip_cal {
	unsigned            inks; /* 1 or more */
	struct rip_cal_ink  ink[RIP_CAL_INKS_MAX];
	unsigned            notes;
	struct rip_cal_note note[RIP_CAL_NOTES_MAX];
};

/* A note: the screen that the queue printed with when it was calibrated. */
#define RIP_CAL_SCREEN "RIPTIDE_SCREEN"

/* Takes the curves from the text of a .cal file.  0; or -EBADMSG and why (size bytes), or
 * -ENOMEM: for a text that is no such file, a curve that falls (by more than a thousandth,
 * the rounding of other programs), or a value outside of 0 to 1.  *cal is then as it was. */
int rip_cal_parse(struct rip_cal *cal, const char *text, size_t bytes, char *why, size_t size);

/* Reads the file of a calibration that a printer's filter may trust: a regular file of at
 * most RIP_CAL_BYTES_MAX, owned by root or by this process's user, and not writable by
 * anybody else.  0; -EPERM: somebody else may have written it; -EBADMSG: it is damaged, too large
 * or no file; -ENOMEM; or the -errno of opening or reading it; and why, without the path. */
int rip_cal_load(struct rip_cal *cal, const char *path, char *why, size_t size);

/* The text of a .cal file.  created: a date, as ctime() writes it but without its newline.
 * Returns memory to be freed, or NULL. */
char *rip_cal_format(const struct rip_cal *cal, const char *created, size_t *bytes);

/* An ink's curve; NULL if the calibration has none. */
const struct rip_cal_ink *rip_cal_ink(const struct rip_cal *cal, const char *name);

/* The value of a note; NULL if there is none.  Sets a note, or changes it: 0; -EINVAL if the
 * name or the value cannot stand in a file; -ENOSPC. */
const char *rip_cal_note(const struct rip_cal *cal, const char *name);
int rip_cal_set_note(struct rip_cal *cal, const char *name, const char *value);

/* The path of the calibration NAME in a folder: FOLDER/NAME.cal.  0, or -EINVAL and why if
 * NAME is not made of letters, digits, and . _ - (not in front), which leave no folder, if it
 * is "none" (in any case), the option's value for no calibration, or if it is too long. */
int rip_cal_path(const char *folder, const char *name, char *path, size_t path_size, char *why,
		 size_t size);

/* The folder of this system's calibrations: sysconfdir/riptide/calibration, unless the program set
 * another for the whole process when it started.  Our programs do so for tests, if the environment
 * has RIPTIDE_CALIBRATIONS.  NULL or "" sets none. */
const char *rip_cal_folder(void);
void rip_cal_use_folder(const char *folder);

#endif
