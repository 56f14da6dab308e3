/* Waves: strips whose carry arrives column by column. */
#include "wave.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diffuse.h"
#include "engine_cpu.h"
#include "halftone/simd/simd.h"
#include "halftone/threads/simd_planes.h"

_Static_assert(RIP_WAVE_PAD >= RIP_SIMD_PAD && RIP_WAVE_PAD >= RIP_DIFFUSE_PAD,
	       "every way to compute a strip finds its pad");

/* How a wave computes a strip. */
struct way {
	void (*begin)(struct rip_wave *wave);
	int (*advance)(struct rip_wave *wave, uint32_t arrived, uint32_t *ready);
};

/* A group of rows in SIMD. */
struct simd_group {
	struct rip_simd_task *task;
	void *memory; /* of the kernel */
	bool  is_ready, is_done;
};

struct rip_wave {
	const struct way    *way;
	struct rip_page_spec spec; /* curve is NULL; tone has it */
	struct rip_tone      tone;
	const struct rip_isa *isa;
	uint32_t             rows_max;
	struct rip_strip     strip;
	int16_t             *carry[RIP_REACH_MAX];
	uint32_t             ready;
	/* SIMD */
	const struct rip_simd_kernel *kernel;
	struct simd_group   *groups;
	uint32_t             groups_max, count;
	/* plain C, by columns */
	struct rip_diffuser  diffuser; /* its rows are the strip's carry meanwhile */
	int16_t             *own_rows[2];
	struct rip_diffuser_cache *caches;
	uint32_t             columns; /* of the first row */
	/* whole strips */
	struct rip_engine   *engine;
	struct rip_page     *page;
	int16_t             *whole_carry;
};

/* --- SIMD: groups of rows, each behind the group above ------------------------------------ */

static uint32_t lanes_of(const struct rip_wave *wave)
{
	return wave->kernel->lanes;
}

static void group_begin(struct rip_wave *wave, uint32_t number)
{
	struct simd_group *group = &wave->groups[number];
	const struct rip_strip *from = &wave->strip;
	const uint32_t first = number * lanes_of(wave);
	const struct rip_simd_strip strip = {
		.in = (const uint8_t *)from->in + (ptrdiff_t)first * from->in_pitch,
		.in_pitch = from->in_pitch,
		.out = from->out + (ptrdiff_t)first * from->out_pitch,
		.out_pitch = from->out_pitch,
		.width = wave->spec.width,
		.rows = rip_least(lanes_of(wave), from->rows - first),
		.tone = &wave->tone,
		.screen = wave->spec.screen,
		.carry = { wave->carry[0], wave->carry[1] },
		.kernel = wave->kernel,
	};

	if (!group->is_ready)
		wave->kernel->init(group->memory);
	group->is_ready = true;
	group->is_done = false;
	rip_simd_task_init(group->task, wave->isa, &strip, 1);
}

static void simd_begin(struct rip_wave *wave)
{
	wave->count = (wave->strip.rows - 1) / lanes_of(wave) + 1;
	for (uint32_t i = 0; i < wave->count; i++)
		group_begin(wave, i);
}

static int simd_advance(struct rip_wave *wave, uint32_t arrived, uint32_t *ready)
{
	for (uint32_t i = 0; i < wave->count; i++) {
		struct simd_group *group = &wave->groups[i];

		if (!group->is_done)
			group->is_done = wave->kernel->resume(group->memory, group->task, arrived);
		arrived = rip_simd_carry_ready(group->task);
		/* The carry is complete a block before the last dots are. */
		if (!group->is_done)
			arrived = rip_least(arrived, wave->spec.width - 1);
	}
	*ready = arrived;
	return 0;
}

static const struct way simd_way = { simd_begin, simd_advance };

static int simd_init(struct rip_wave *wave)
{
	wave->kernel = wave->isa->kernels[rip_screen_id(wave->spec.screen)].wavefront;
	wave->groups_max = (wave->rows_max - 1) / lanes_of(wave) + 1;
	wave->groups = calloc(wave->groups_max, sizeof *wave->groups);
	if (!wave->groups)
		return -ENOMEM;
	for (uint32_t i = 0; i < wave->groups_max; i++) {
		struct simd_group *group = &wave->groups[i];

		group->task = aligned_alloc(_Alignof(struct rip_simd_task), sizeof *group->task);
		group->memory = aligned_alloc(64, wave->kernel->size);
		if (!group->task || !group->memory)
			return -ENOMEM;
	}
	wave->way = &simd_way;
	return 0;
}

/* --- plain C: each row some columns behind the row above ---------------------------------- */

#define COLUMNS 256 /* that a row is ahead of its turn at most */

/* Columns next to a pixel that are complete later than the pixel. */
static uint32_t margin(const struct rip_wave *wave)
{
	return rip_diffuser_needs(&wave->diffuser, 0);
}

static void plain_begin(struct rip_wave *wave)
{
	for (int i = 0; i < wave->spec.screen->reach; i++)
		wave->diffuser.rows[i] = wave->carry[i];
	wave->columns = 0;
}

static int plain_advance(struct rip_wave *wave, uint32_t arrived, uint32_t *ready)
{
	const uint32_t width = wave->spec.width, rows = wave->strip.rows;
	const uint32_t limit = arrived == width ? width + RIP_DIFFUSE_SHIFT * (rows - 1) :
			       arrived / RIP_DIFFUSE_SHIFT * RIP_DIFFUSE_SHIFT;
	uint32_t done;

	while (wave->columns < limit) {
		const uint32_t next = rip_least(wave->columns + COLUMNS, limit);

		for (uint32_t i = 0; i < rows; i++) {
			const uint32_t from = rip_diffuser_end(wave->columns, i, width);
			const uint32_t to = rip_diffuser_end(next, i, width);

			if (from < to)
				rip_diffuser_columns(&wave->diffuser, &wave->strip, i, from, to,
						     &wave->caches[i]);
		}
		wave->columns = next;
	}
	done = rip_diffuser_end(wave->columns, rows - 1, width);
	*ready = done == width ? width : done > margin(wave) ? done - margin(wave) : 0;
	return 0;
}

static const struct way plain_way = { plain_begin, plain_advance };

static int plain_init(struct rip_wave *wave)
{
	int r = rip_diffuser_init(&wave->diffuser, &wave->spec, &wave->tone, false);

	if (r < 0)
		return r;
	memcpy(wave->own_rows, wave->diffuser.rows, sizeof wave->own_rows);
	wave->caches = calloc(wave->rows_max, sizeof *wave->caches);
	if (!wave->caches)
		return -ENOMEM;
	wave->way = &plain_way;
	return 0;
}

static void plain_finish(struct rip_wave *wave)
{
	memcpy(wave->diffuser.rows, wave->own_rows, sizeof wave->own_rows);
	rip_diffuser_finish(&wave->diffuser);
	free(wave->caches);
}

/* --- whole strips, by an engine ------------------------------------------------------------ */

static void engine_begin(struct rip_wave *wave)
{
	(void)wave;
}

static int engine_advance(struct rip_wave *wave, uint32_t arrived, uint32_t *ready)
{
	const struct rip_engine_ops *ops = wave->engine->ops;
	const int reach = wave->spec.screen->reach;
	const size_t width = wave->spec.width;
	int r = 0;

	if (reach > 0 && arrived < width)
		return 0;
	for (int i = 0; i < reach; i++)
		memcpy(wave->whole_carry + i * width, wave->carry[i], width * sizeof(int16_t));
	if (reach > 0)
		r = ops->import_carry(wave->page, 0, wave->whole_carry);
	if (r == 0)
		r = ops->push(wave->page, &wave->strip, 1);
	if (r == 0)
		r = ops->pull(wave->page);
	if (r == 0 && reach > 0)
		r = ops->export_carry(wave->page, 0, wave->whole_carry);
	if (r < 0)
		return r;
	for (int i = 0; i < reach; i++)
		memcpy(wave->carry[i], wave->whole_carry + i * width, width * sizeof(int16_t));
	*ready = wave->spec.width;
	return 0;
}

static const struct way engine_way = { engine_begin, engine_advance };

static int engine_init(struct rip_wave *wave, const struct rip_page_spec *spec)
{
	const struct rip_cpu_config config = { .isa = wave->isa->name, .threads = 1 };
	int r = rip_engine_cpu_new(&config, &wave->engine);

	if (r == 0 && !wave->engine->ops->takes(wave->engine, spec))
		r = -EINVAL;
	if (r == 0)
		r = wave->engine->ops->open(wave->engine, spec, &wave->page);
	if (r < 0)
		return r;
	wave->whole_carry = rip_carry_new(spec, 1);
	if (!wave->whole_carry)
		return -ENOMEM;
	wave->way = &engine_way;
	return 0;
}

/* --- a wave -------------------------------------------------------------------------------- */

int rip_wave_new(const struct rip_page_spec *spec, const struct rip_isa *isa, uint32_t rows,
		 struct rip_wave **out)
{
	struct rip_wave *wave;
	int r = rip_page_spec_check(spec);

	*out = NULL;
	if (r < 0 || spec->planes != 1 || rows < 1)
		return -EINVAL;
	wave = calloc(1, sizeof *wave);
	if (!wave)
		return -ENOMEM;
	wave->isa = isa ? isa : rip_isa_best();
	wave->spec = *spec;
	wave->rows_max = rows;
	r = rip_tone_init(&wave->tone, spec);
	if (r == 0 && rip_simd_planes_takes(wave->isa, spec))
		r = simd_init(wave);
	else if (r == 0 && rip_diffuser_takes(spec))
		r = plain_init(wave);
	else if (r == 0)
		r = engine_init(wave, spec);
	wave->spec.curve = NULL;
	if (r < 0) {
		rip_wave_free(wave);
		return r;
	}
	*out = wave;
	return 0;
}

void rip_wave_free(struct rip_wave *wave)
{
	if (!wave)
		return;
	for (uint32_t i = 0; wave->groups && i < wave->groups_max; i++) {
		free(wave->groups[i].task);
		free(wave->groups[i].memory);
	}
	free(wave->groups);
	plain_finish(wave);
	if (wave->engine) {
		wave->engine->ops->close(wave->page);
		wave->engine->ops->free(wave->engine);
	}
	free(wave->whole_carry);
	rip_tone_finish(&wave->tone);
	free(wave);
}

void rip_wave_begin(struct rip_wave *wave, const struct rip_strip *strip, int16_t *const carry[])
{
	wave->strip = *strip;
	wave->ready = 0;
	for (int i = 0; i < wave->spec.screen->reach; i++)
		wave->carry[i] = carry[i];
	if (strip->rows > 0)
		wave->way->begin(wave);
}

int rip_wave_advance(struct rip_wave *wave, uint32_t arrived, uint32_t *ready)
{
	int r = 0;

	if (wave->strip.rows == 0)
		wave->ready = arrived;
	else if (wave->ready < wave->spec.width)
		r = wave->way->advance(wave, arrived, &wave->ready);
	*ready = wave->ready;
	return r;
}

uint32_t rip_wave_lag(const struct rip_wave *wave, uint32_t rows)
{
	if (wave->way == &simd_way)
		return ((rows - 1) / lanes_of(wave) + 1) * wave->kernel->lag * wave->kernel->block;
	if (wave->way == &plain_way)
		return RIP_DIFFUSE_SHIFT * (rows - 1) + margin(wave);
	return wave->spec.screen->reach > 0 ? wave->spec.width : 0;
}

uint32_t rip_wave_block(const struct rip_wave *wave)
{
	return wave->way == &simd_way ? wave->kernel->block : RIP_DIFFUSE_SHIFT;
}

uint32_t rip_wave_lanes(const struct rip_wave *wave)
{
	return wave->way == &simd_way ? wave->kernel->lanes : 1;
}
