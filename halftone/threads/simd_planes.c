/* The planes of a page, in SIMD. */
#include "simd_planes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/simd/simd.h"

/* In narrower pages plain C is faster: a row takes a wavefront several blocks. */
#define WIDTH_LEAST 16 /* EPYC 9005, 2026-11: from 10 to 24 columns both are equal */

bool rip_simd_planes_takes(const struct rip_isa *isa, const struct rip_page_spec *spec)
{
	const int id = rip_screen_id(spec->screen);

	return id >= 0 && isa->kernels[id].wavefront && spec->width >= WIDTH_LEAST;
}

/* Values in a cache line.  The carry of a block has its own lines, so that no thread reads a
 * line that another one writes.  Rows begin with a line. */
#define LINE 32

_Static_assert(RIP_SIMD_PAD % LINE == 0, "carries begin with a line");

static size_t carry_pitch(const struct rip_simd_planes *planes)
{
	return (RIP_SIMD_PAD + planes->width + RIP_SIMD_PAD + LINE - 1) / LINE * LINE;
}

/* A row of the carry of a plane. */
static int16_t *carry_row(const struct rip_simd_planes *planes, uint32_t plane, int row)
{
	const size_t rows = (size_t)plane * (size_t)planes->screen->reach + (size_t)row;

	return planes->carry + rows * carry_pitch(planes) + RIP_SIMD_PAD;
}

int rip_simd_planes_init(struct rip_simd_planes *planes, const struct rip_page_spec *spec,
			 const struct rip_tone *tone, const struct rip_isa *isa,
			 struct rip_team *team)
{
	size_t size;
	int r;

	memset(planes, 0, sizeof *planes);
	planes->tone = tone;
	planes->spec = *spec;
	planes->screen = spec->screen;
	planes->isa = isa;
	planes->kernels = &isa->kernels[rip_screen_id(spec->screen)];
	planes->width = spec->width;
	planes->planes = spec->planes;
	rip_colour_planes_init(&planes->colour, spec);
	size = spec->planes * (size_t)spec->screen->reach * carry_pitch(planes) *
	       sizeof *planes->carry;
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

/* Nanoseconds of work that is not worth passing on to a team. */
#define AT_ONCE_NS 20000

/* Computes strips here, if they are small and nothing is before them in the queue. */
static bool run_at_once(struct rip_simd_planes *planes, const struct rip_simd_strip *strips,
			uint32_t count)
{
	uint64_t ns = 0;

	if (!rip_team_queue_is_empty(&planes->queue))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		ns += strips[i].ns;
		if (!strips[i].kernel->run_rows || ns > AT_ONCE_NS)
			return false;
	}
	for (uint32_t i = 0; i < count; i++)
		rip_simd_run_rows(planes->queue.memory, planes->isa, &strips[i]);
	return true;
}

/* Returns how many strips are ready. */
static uint32_t prepare(struct rip_simd_planes *planes, const struct rip_strip *strips,
			unsigned count, struct rip_simd_strip *ready)
{
	uint32_t n = 0;

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
			.screen = planes->screen,
			.colour = rip_screen_couples(planes->screen) ? &planes->colour : NULL,
		};
		for (int row = 0; row < planes->screen->reach; row++)
			ready[n].carry[row] = carry_row(planes, strips[i].plane, row);
		rip_simd_strip_choose(&ready[n++], planes->kernels);
	}
	return n;
}

int rip_simd_planes_push(struct rip_simd_planes *planes, const struct rip_strip *strips,
			 unsigned count)
{
	struct rip_simd_strip few[4], *ready = few;
	uint32_t n;
	int r = 0;

	if (count > sizeof few / sizeof few[0])
		ready = calloc(count, sizeof *ready);
	if (!ready)
		return -ENOMEM;
	n = prepare(planes, strips, count, ready);
	if (!run_at_once(planes, ready, n))
		r = rip_simd_queue_push(&planes->queue, planes->isa, ready, n);
	if (ready != few)
		free(ready);
	return r;
}

void rip_simd_planes_wait(struct rip_simd_planes *planes)
{
	rip_team_queue_wait(&planes->queue);
}

void rip_simd_planes_export(const struct rip_simd_planes *planes, uint32_t plane, int16_t *carry)
{
	for (int row = 0; row < planes->screen->reach; row++)
		memcpy(carry + (size_t)row * planes->width, carry_row(planes, plane, row),
		       planes->width * sizeof *carry);
}

void rip_simd_planes_import(struct rip_simd_planes *planes, uint32_t plane, const int16_t *carry)
{
	for (int row = 0; row < planes->screen->reach; row++)
		memcpy(carry_row(planes, plane, row), carry + (size_t)row * planes->width,
		       planes->width * sizeof *carry);
}

void rip_simd_planes_start(struct rip_simd_planes *planes, uint32_t plane, enum rip_start start)
{
	for (int row = 0; row < planes->screen->reach; row++)
		rip_carry_start_row(&planes->spec, row, plane, start,
				    carry_row(planes, plane, row));
}
