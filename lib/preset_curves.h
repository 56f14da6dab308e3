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
#include "tone/plane_curve.h"
#include "tone/printer.h"

/* What the curves are made for; compared as bytes. */
struct rip_preset_key {
	uint32_t planes, sample_bits;
	bool     callers; /* there are curves of the caller */
	struct rip_plane_wish wishes[RIP_PLANES_MAX]; /* for the printer and the calibration below */
};

/* Zeros are none. */
struct rip_preset_curves {
	struct rip_preset_key key; /* of the curves; no planes: there are none, or for another printer */
	int       gain; /* of printer, as rip_tone_parse_gain() returns it, at dpi; 0 dpi: there is none */
	uint32_t  dpi;
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
