/*
 * The planes of a page, halftoned in plain C, by a team of threads or by the caller: all
 * screens and levels that diffuse.h takes, and blue noise for colour.
 *
 * Used by one thread at a time.
 */
#ifndef RIP_PLAIN_PLANES_H
#define RIP_PLAIN_PLANES_H

#include "halftone/diffuse_colour.h"
#include "team.h"

struct rip_plain_planes {
	uint32_t planes;
	bool     couples;                /* the screen couples the planes: */
	struct rip_colour_planes colour;
	struct rip_diffuser  *diffusers; /* one for each plane */
	struct rip_team_queue queue;     /* without a team: push() computes */
};

/* Planes with a carry of 0.  collect: EC, else ED.  team: NULL for the caller's thread only.
 * -ENOMEM. */
int  rip_plain_planes_init(struct rip_plain_planes *planes, const struct rip_page_spec *spec,
			   const struct rip_tone *tone, bool collect, struct rip_team *team);
void rip_plain_planes_finish(struct rip_plain_planes *planes); /* waits; may be called twice */

/* As an engine's push() and pull(); coupled planes come together (rip_strips_check()).  -ENOMEM. */
int  rip_plain_planes_push(struct rip_plain_planes *planes, const struct rip_strip *strips,
			   unsigned count);
void rip_plain_planes_wait(struct rip_plain_planes *planes);

/* A plane, for its carry: may be used while nothing is pushed. */
struct rip_diffuser *rip_plain_planes_plane(const struct rip_plain_planes *planes, uint32_t plane);

#endif
