/*
 * The planes of a page, halftoned by a team of threads in SIMD.
 *
 * Used by one thread at a time.
 */
#ifndef RIP_SIMD_PLANES_H
#define RIP_SIMD_PLANES_H

#include "halftone/simd/simd.h"
#include "halftone/page/tone.h"

struct rip_simd_planes {
	const struct rip_tone *tone; /* the caller's, outlives this */
	struct rip_page_spec spec;   /* its curve must not be read */
	const struct rip_screen *screen;
	struct rip_colour_planes colour; /* if the screen couples them */
	uint32_t  width, planes;
	int16_t  *carry;             /* of all planes, RIP_SIMD_PAD before and after each row */
	const struct rip_isa *isa;
	const struct rip_simd_kernels *kernels;
	struct rip_team_queue queue;
};

/* Whether a set has kernels for pages like this; diffuse.h takes the others. */
bool rip_simd_planes_takes(const struct rip_isa *isa, const struct rip_page_spec *spec);

/* Planes with a carry of 0.  The team has rip_simd_memory(isa).  -ENOMEM. */
int  rip_simd_planes_init(struct rip_simd_planes *planes, const struct rip_page_spec *spec,
			  const struct rip_tone *tone, const struct rip_isa *isa,
			  struct rip_team *team);
void rip_simd_planes_finish(struct rip_simd_planes *planes); /* waits; may be called twice */

/* As an engine's push() and pull().  -ENOMEM. */
int  rip_simd_planes_push(struct rip_simd_planes *planes, const struct rip_strip *strips,
			  unsigned count);
void rip_simd_planes_wait(struct rip_simd_planes *planes);

/* The carry of a plane, as an engine's export_carry(), import_carry() and start(); while nothing
 * is pushed.  Import does not check the values. */
void rip_simd_planes_export(const struct rip_simd_planes *planes, uint32_t plane, int16_t *carry);
void rip_simd_planes_import(struct rip_simd_planes *planes, uint32_t plane, const int16_t *carry);
void rip_simd_planes_start(struct rip_simd_planes *planes, uint32_t plane, enum rip_start start);

#endif
