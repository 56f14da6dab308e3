/*
 * The tone curves of a page from what riptide.h lets a program ask for: curves of its own, and a
 * preset or a calibration with target, density and gamma.
 *
 * Used by one thread.
 */
#ifndef RIP_PRESET_CURVES_H
#define RIP_PRESET_CURVES_H

#include "riptide.h"
#include "halftone/engine.h"
#include "halftone/screen/mask_screen.h"
#include "tone/cal.h"
#include "tone/pattern.h"
#include "tone/printer.h"

#define RIP_PRESET_SIZE 32 /* bytes of a preset's name or points, at most */

/* What the curves are made for; compared as bytes. */
struct rip_preset_key {
	char     preset[RIP_PRESET_SIZE];
	char     calibration[RIP_CAL_NAME_MAX + 256]; /* empty: none */
	uint32_t target, density, gamma;
	uint32_t planes, sample_bits, levels, dpi, light;
	enum rip_ink inks[RIP_PLANES_MAX];
	const struct rip_pattern *patterns[RIP_PLANES_MAX];
	bool     callers; /* there are curves of the caller */
};

/* Zeros are none. */
struct rip_preset_curves {
	struct rip_preset_key key;
	char      printer_name[RIP_PRESET_SIZE]; /* of printer, at printer_dpi; empty: none was found */
	uint32_t  printer_dpi;
	struct rip_printer printer;
	bool      has_cal;
	char      cal_name[RIP_CAL_NAME_MAX + 256]; /* of cal */
	struct rip_cal cal;
	unsigned  made; /* how often the curves were made */
	uint16_t *curves[RIP_PLANES_MAX]; /* x by sample; planes with the same curve share it; NULL: none */
};

/* Makes the curves of a page, whose values are complete and in range.  spec: its planes, bits,
 * levels and screen.  Pages that are alike keep theirs.  0, or
 * -errno and why (size bytes). */
int rip_preset_curves_make(struct rip_preset_curves *curves, const struct riptide_page *page,
			   const struct rip_page_spec *spec, const struct rip_mask_use *use, char *why,
			   size_t size);

/* May be called twice. */
void rip_preset_curves_finish(struct rip_preset_curves *curves);

#endif
