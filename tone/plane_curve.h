/*
 * The tone curve of a plane for a printer: what the user asks for (curve_for.h), and what the
 * printer needs according to its calibration or to a model of it.
 *
 * A calibration counts before the model, which has the printer's drops in any case.  One by another program than riptide is a finished
 * curve, which replaces the target, too.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_PLANE_CURVE_H
#define RIP_PLANE_CURVE_H

#include "halftone/screen/mask_screen.h"
#include "tone/cal.h"
#include "tone/curve_for.h"
#include "tone/pattern.h"

struct rip_plane_wish {
	double          gamma;   /* 0.2 to 5; 1: no effect */
	double          density; /* 0.5 to 2; 1: no effect */
	enum rip_target target;
	const struct rip_printer *printer; /* its model; RIP_PRINTER_NONE: none */
	const struct rip_cal     *cal;     /* or NULL */
	enum rip_ink              ink;     /* of the plane */
	const struct rip_pattern *pattern; /* of the screen in this plane; NULL: bi-level */
	uint32_t levels;
	double   dpi;   /* pixels an inch, the lower resolution; 0: not known, taken as 600 */
	bool     light; /* the plane holds light */
	enum rip_ink_part    part;      /* of a colour with two inks */
	struct rip_light_ink light_ink; /* unless the part is the whole */
};

/* Fills the curve: x by sample, `count` 256 or 65536 values. */
void rip_plane_curve_make(const struct rip_plane_wish *wish, uint32_t count, uint16_t *curve);

/* The same curve behind another one that comes first: x by sample, `count` values, to be freed.  first:
 * x by sample, `count` values, or NULL.  NULL: no memory. */
uint16_t *rip_plane_curve_new(const struct rip_plane_wish *wish, const uint16_t *first, uint32_t count);

/* Frees the curves of `planes` planes, some of which share one, and leaves NULL. */
void rip_plane_curves_free(uint16_t *curves[], uint32_t planes);

#endif
