/* The planes of a page, in SIMD. */
#include "simd_planes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "simd_costs.h"

bool rip_simd_planes_takes(const struct rip_page_spec *spec)
{
	return rip_screen_id(spec->screen) == RIP_FLOYD_STEINBERG && spec->levels == 2;
}

/* Values in a cache line.  The carry of a block has its own lines, so that no thread reads a
 * line that another one writes. */
#define LINE 32

_Static_assert(RIP_SIMD_PAD % LINE == 0, "carries begin with a line");

static size_t carry_pitch(const struct rip_simd_planes *planes)
{
	return (RIP_SIMD_PAD + planes->width + RIP_SIMD_PAD + LINE - 1) / LINE * LINE;
}

int rip_simd_planes_init(struct rip_simd_planes *planes, const struct rip_page_spec *spec,
			 const struct rip_tone *tone, const struct rip_isa *isa,
			 struct rip_team *team)
{
	size_t size;
	int r;

	memset(planes, 0, sizeof *planes);
	planes->tone = tone;
	planes->isa = isa;
	planes->width = spec->width;
	planes->planes = spec->planes;
	r = rip_simd_costs_get(isa, tone, &planes->costs);
	if (r < 0)
		return r;
	size = spec->planes * carry_pitch(planes) * sizeof *planes->carry;
	planes->carry = aligned_alloc(LINE * sizeof *planes->carry, size);
	if (!planes->carry)
		return -ENOMEM;
	memset(planes->carry, 0, size);
	r = rip_team_queue_init(&planes->queue, team, sizeof(struct rip_simd_task));
	if (r < 0)
		rip_simd_planes_finish(planes);
	return r;
}

void rip_simd_planes_finish(struct rip_simd_planes *planes)
{
	rip_team_queue_finish(&planes->queue);
	free(planes->carry);
	planes->carry = NULL;
}

int rip_simd_planes_push(struct rip_simd_planes *planes, const struct rip_strip *strips,
			 unsigned count)
{
	struct rip_simd_strip *ready = calloc(count ? count : 1, sizeof *ready);
	uint32_t n = 0;
	int r;

	if (!ready)
		return -ENOMEM;
	for (unsigned i = 0; i < count; i++) {
		if (strips[i].rows == 0)
			continue;
		ready[n] = (struct rip_simd_strip){
			.in = strips[i].in,
			.in_pitch = strips[i].in_pitch,
			.out = strips[i].out,
			.out_pitch = strips[i].out_pitch,
			.width = planes->width,
			.rows = strips[i].rows,
			.tone = planes->tone,
			.carry = rip_simd_planes_carry(planes, strips[i].plane),
		};
		ready[n].kernel = rip_simd_costs_choose(planes->costs, planes->isa, planes->width,
							strips[i].rows, &ready[n].ns);
		n++;
	}
	r = rip_simd_queue_push(&planes->queue, planes->isa, ready, n);
	free(ready);
	return r;
}

void rip_simd_planes_wait(struct rip_simd_planes *planes)
{
	rip_team_queue_wait(&planes->queue);
}

int16_t *rip_simd_planes_carry(const struct rip_simd_planes *planes, uint32_t plane)
{
	return planes->carry + plane * carry_pitch(planes) + RIP_SIMD_PAD;
}
