/*
 * The tone curve of a plane: from what a document asks for to what is halftoned, so that paper
 * shows it.
 *
 * In this order, on ink (light is turned into ink and back):
 *
 *	1. gamma       ink = 1 - (1 - ink)^(1 / gamma): above 1 lightens
 *	2. target      the area that paper is to show for that ink
 *	3. density     the printed optical density times a factor
 *	4. part        the share of one of two inks in that area (light_ink.h)
 *	5. response    the tone that prints this area (response.h)
 *
 * The first three make up what is asked for; the last corrects the printer.  Without a response
 * there is no target either: area = ink.  The samples 0 and full stay 0 and full, unless a
 * density below 1 or a light ink is asked for.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_CURVE_FOR_H
#define RIP_CURVE_FOR_H

#include <stdbool.h>
#include <stdint.h>

#include "tone/light_ink.h"
#include "tone/response.h"

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

#endif
