/*
 * The planes of a page with a threshold mask, or in two extremes only (bi-level): by a team
 * of threads or by the caller.  No row depends on another.
 *
 * Used by one thread at a time.
 */
#ifndef RIP_MASK_PLANES_H
#define RIP_MASK_PLANES_H

#include "halftone/mask_rows.h"
#include "team.h"
#include "halftone/page/tone.h"

/* The mask of a plane, as the functions of mask_rows.h want its rows. */
struct rip_mask_plane {
	const struct rip_mask *mask;
	void    *rows;   /* bytes or 16-bit values */
	size_t   pitch;  /* bytes */
};

struct rip_mask_planes {
	const struct rip_tone *tone; /* the caller's, outlives this */
	struct rip_mask_ops    ops;
	bool     bi_level;
	bool     bytes;  /* samples of 8 bits are compared as they are */
	uint32_t width, planes;
	struct rip_mask_plane masks[RIP_PLANES_MAX]; /* planes may share rows */
	struct rip_team_queue queue; /* without a team: push() computes */
};

/* Whether the page's screen is a mask, sound and with all planes, or bi-level. */
bool rip_mask_planes_takes(const struct rip_page_spec *spec);

/* For a page that is taken.  features: of cpu.h, that may be used.  team: NULL for the caller's
 * thread only.  -ENOMEM. */
int  rip_mask_planes_init(struct rip_mask_planes *planes, const struct rip_page_spec *spec,
			  const struct rip_tone *tone, unsigned features, struct rip_team *team);
void rip_mask_planes_finish(struct rip_mask_planes *planes); /* waits; may be called twice */

/* As an engine's push() and pull().  -ENOMEM; -EINVAL for a strip without row numbers where the
 * mask has several rows. */
int  rip_mask_planes_push(struct rip_mask_planes *planes, const struct rip_strip *strips,
			  unsigned count);
void rip_mask_planes_wait(struct rip_mask_planes *planes);

#endif
