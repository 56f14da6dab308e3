/*
 * Files with measurements: ArgyllCMS's .ti3 and plain numbers.
 *
 * Areas are Murray and Davies's: between the paper and the solid ink that were measured.  Cyan
 * is measured in red light, magenta in green and yellow in blue light (X, Y, Z); all others in
 * Y.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */
#ifndef RIP_MEASURED_FILE_H
#define RIP_MEASURED_FILE_H

#include "calibration.h"
#include "tone/cgats.h"

/* What a list of numbers has beside the tones. */
enum rip_unit { RIP_UNIT_DENSITY, RIP_UNIT_LIGHTNESS, RIP_UNIT_REFLECTANCE, RIP_UNIT_AREA };

/* The patches of an ink: reflectance in its light, for any paper and any scale. */
struct rip_patches {
	unsigned count;
	struct {
		double tone;  /* 0 to 1 */
		double light; /* 0 or more */
	} patch[RIP_STEPS_MAX];
};

/* false: there are too many. */
bool rip_patches_add(struct rip_patches *patches, double tone, double light);

/* Adds the areas of patches to the steps of an ink on a screen.  name: of the file. */
int rip_patches_to_steps(const struct rip_patches *patches, struct rip_calibration *calibration,
			 const char *ink, const char *screen, const char *name);

/* Takes the patches of single inks from a .ti3 file. */
int rip_ti3_read(struct rip_calibration *calibration, const struct rip_cgats_table *table,
		 const char *screen, const char *name);

/* Takes lines of a tone in percent and a value; # begins a comment.  The text ends with a
 * NUL. */
int rip_numbers_read(struct rip_calibration *calibration, const char *text, enum rip_unit unit,
		     const char *ink, const char *screen, const char *name);

#endif
