/*
 * The tone curve of a plane for a printer: what the user asks for (below), and what the
 * printer needs according to its calibration or to a model of it.
 *
 * A calibration counts before the model, which has the printer's drops in any case.  One by another
 * program than riptide is a finished curve, which replaces the target, too.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_PLANE_CURVE_H
#define RIP_PLANE_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tone/area.h"
#include "halftone/screen/mask_screen.h"
#include "tone/cal.h"
#include "tone/pattern.h"

/*
 * A plane that is printed with two inks of one colour: a dark one and a light one.
 *
 * Light tones are printed by the light ink alone, whose dots show less.  Where the light ink covers
 * the paper, the dark ink begins, and the light one fades out.
 *
 * Derivation.  Areas are as an instrument measures them (area.h), and q = 1 - R is what a solid
 * area of the dark ink absorbs.  A solid area of the light ink looks like a tint of the dark one
 * with the area s, so it absorbs s q.  The inks' dots lie over each other by chance (Demichel), and
 * the light that is left passes both, so areas l and d of the two inks print the area A with
 *
 *	1 - q A = (1 - s q l) (1 - q d).
 *
 * For any l there is one d that prints A.  So the light ink can fade as it likes, and the tone
 * never jumps.  With e the area from which on the dark ink prints alone:
 *
 *	A <= s         l = A / s                               d = 0
 *	s < A < e      l = min((e - A) / (e - s), m)           d from the equation
 *	e <= A         l = 0                                   d = A
 *
 * m keeps the areas of both from being more than 1 together.  It is the l that has d = 1 - l, the
 * smaller root of
 *
 *	s q l^2 - (1 - s + s q) l + 1 - A = 0,
 *
 * 1 for A = s and 0 for A = 1.  l falls and d rises from s to e.  A light ink of more than half the
 * strength (s > 1/2) has no such l near s: m is 1 then, and the areas add up to some more than 1.
 *
 * With a screen whose inks see each other (halftone/screen/blue_noise_colour.h) the dots avoid each
 * other instead.  Then no light passes both inks: A = s l + d, and the light ink can fade evenly,
 * since l + d <= 1.
 *
 * Each of the two areas has a tone that prints it (area.h).  A light ink loses less light in
 * the paper below its dots than a dark one, because its solid area reflects 1 - s q.
 *
 * libcupsfilters' cupsCMYKSetLtDk() has the same s and e, and fades linearly.
 *
 * Pure functions; any thread may call them.
 */

/* Zeros: there is no light ink. */
struct rip_light_ink {
	double strength; /* s: RIP_LIGHT_LEAST to below end */
	double end;      /* e: up to 1 */
	int64_t avoid;   /* 1: the dots of the two avoid each other; as wide as the others, since
			    wishes are compared as bytes */
};

#define RIP_LIGHT_LEAST    0.05
#define RIP_LIGHT_STRENGTH 0.30 /* of a light ink that nothing is known of */

/* The areas of the two inks that print an area together, all 0 to 1.  solid: reflectance of a solid
 * area of the dark ink. */
void rip_light_split(const struct rip_light_ink *ink, double solid, double area, double *dark,
		     double *light);

/*
 * The tone curve of a plane: from what a document asks for to what is halftoned, so that paper
 * shows it.
 *
 * In this order, on ink (light is turned into ink and back):
 *
 *	1. gamma       ink = 1 - (1 - ink)^(1 / gamma): above 1 lightens
 *	2. target      the area that paper is to show for that ink
 *	3. density     the printed optical density times a factor
 *	4. part        the share of one of two inks in that area (below)
 *	5. response    the tone that prints this area (area.h)
 *
 * The first three make up what is asked for; the last corrects the printer.  Without a response
 * there is no target either: area = ink.  The samples 0 and full stay 0 and full, unless a
 * density below 1 or a light ink is asked for.
 *
 * Pure functions; any thread may call them.
 */

/* What area paper is to show for a document's ink. */
enum rip_target {
	RIP_TARGET_PRINT,  /* as an offset press with a gain of 20 points at 50 %, which is what
			      documents are made for: ink 50 % covers 70 % */
	RIP_TARGET_LINEAR, /* as much as the ink: 50 % covers 50 % */
	RIP_TARGETS
};

/* "print", "linear" */
extern const char *const rip_target_names[RIP_TARGETS];

/* The area for an ink, both 0 to 1. */
double rip_target_area(enum rip_target target, double ink);

/* Which ink of a colour a plane prints. */
enum rip_ink_part { RIP_PART_WHOLE, RIP_PART_DARK, RIP_PART_LIGHT };

struct rip_wish {
	double          gamma;   /* 0.2 to 5; 1: no effect */
	double          density; /* 0.5 to 2; 1: no effect */
	enum rip_target target;
	const struct rip_response *response; /* NULL: dots as large as their pixels */
	double          solid;   /* reflectance of a solid area, for density and part */
	enum rip_ink_part part;
	struct rip_light_ink light_ink; /* unless the part is the whole */
};

/* What changes nothing. */
#define RIP_WISH_NOTHING ((struct rip_wish){ .gamma = 1, .density = 1, .solid = 0.05 })

/* Fills the curve of a plane: x by sample (struct rip_page_spec), `count` 256 or 65536 values.
 * light: the plane holds light.  Ascending, except for the part of a light ink. */
void rip_curve_for(const struct rip_wish *wish, bool light, uint32_t count, uint16_t *curve);

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

/* The same curve behind another one that comes first: x by sample, `count` values, to be freed.
 * first: x by sample, `count` values, or NULL.  NULL: no memory. */
uint16_t *rip_plane_curve_new(const struct rip_plane_wish *wish, const uint16_t *first,
			      uint32_t count);

/* Frees the curves of `planes` planes, some of which share one, and leaves NULL. */
void rip_plane_curves_free(uint16_t *curves[], uint32_t planes);

#endif
