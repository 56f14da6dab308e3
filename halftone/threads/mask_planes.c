/* The planes of a page with a threshold mask. */
#include "mask_planes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/transparent.h"

#define LOOK_UP 512 /* samples that go through a curve at a time: a multiple of 8 */

#define GROUP_BYTES (64u << 10) /* of samples that a thread takes at a time */

struct mask_task {
	struct rip_team_task base;
	const struct rip_mask_planes *planes;
	struct rip_strip strip;
	uint32_t rows; /* of a group */
};

bool rip_mask_planes_takes(const struct rip_page_spec *spec)
{
	if (spec->screen->kind == RIP_SCREEN_BI_LEVEL)
		return true;
	if (spec->screen->kind != RIP_SCREEN_MASK || spec->screen->reach != 0)
		return false;
	for (uint32_t p = 0; p < spec->planes; p++) {
		const struct rip_mask *mask = spec->screen->masks[p];

		if (!mask || !mask->thresholds || mask->height < 1 || mask->width < 1 ||
		    mask->height > RIP_MASK_SIDE_MAX || mask->width > RIP_MASK_SIDE_MAX)
			return false;
	}
	return true;
}

/* ---- the rows of a mask ---- */

/* Whether v > m, with a byte m for each threshold, decides the dot of an 8-bit sample v. */
static bool bytes_do(const struct rip_tone *tone)
{
	if (tone->sample_bits != 8)
		return false;
	if (!tone->curve)
		return true;
	for (int v = 1; v < 256; v++)
		if (tone->curve[v] < tone->curve[v - 1])
			return false;
	return tone->levels == 2 && tone->curve[0] == 0;
}

/* Of a curve that rises from 0: the largest sample whose x is at most t. */
static uint8_t last_below(const uint16_t *curve, uint32_t t)
{
	unsigned v = 0;

	for (unsigned step = 128; step > 0; step /= 2)
		if (curve[v + step] <= t)
			v += step;
	return (uint8_t)v;
}

static int make_rows(const struct rip_mask_planes *planes, struct rip_mask_plane *plane)
{
	const struct rip_mask *mask = plane->mask;
	const uint32_t columns = mask->width + RIP_MASK_REPEAT;

	plane->pitch = columns * (planes->bytes ? sizeof(uint8_t) : sizeof(uint16_t));
	plane->rows = malloc(mask->height * plane->pitch);
	if (!plane->rows)
		return -ENOMEM;
	for (uint32_t i = 0; i < mask->height; i++)
		for (uint32_t j = 0; j < columns; j++) {
			uint32_t t = mask->thresholds[i * mask->width + j % mask->width];
			uint8_t *row = (uint8_t *)plane->rows + i * plane->pitch;

			t = t < RIP_FULL ? t : RIP_FULL - 1; /* full samples pass it anyway */
			if (!planes->bytes)
				((uint16_t *)(void *)row)[j] = (uint16_t)t;
			else if (planes->tone->curve)
				row[j] = last_below(planes->tone->curve, t);
			else
				row[j] = (uint8_t)(t / 257);
		}
	return 0;
}

/* Planes with the same mask share its rows. */
static int make_plane(struct rip_mask_planes *planes, uint32_t p, const struct rip_mask *mask)
{
	for (uint32_t q = 0; q < p; q++)
		if (planes->masks[q].mask == mask) {
			planes->masks[p] = planes->masks[q];
			return 0;
		}
	planes->masks[p].mask = mask;
	return make_rows(planes, &planes->masks[p]);
}

/* ---- a row ---- */

/* What a thread needs for a sample, at most. */
static uint64_t ns_of(const struct rip_mask_planes *planes, uint64_t samples)
{
	return planes->bytes && planes->tone->levels == 2 ? samples / 16 : samples / 2;
}

static void halftone(const struct rip_mask_planes *planes, const struct rip_mask_row *row)
{
	const bool two = planes->tone->levels == 2;

	if (planes->bytes)
		(two ? planes->ops.bytes : planes->ops.bytes_levels)(row);
	else
		(two ? planes->ops.words : planes->ops.words_levels)(row);
}

static void run_row(const struct rip_mask_planes *planes, const struct rip_strip *strip, uint32_t i)
{
	const struct rip_tone *tone = planes->tone;
	const struct rip_mask_plane *plane = &planes->masks[strip->plane];
	const uint8_t *in = (const uint8_t *)strip->in + (ptrdiff_t)i * strip->in_pitch;
	struct rip_mask_row row = {
		.in = in, .width = planes->width, .levels = tone->levels,
		.out = strip->out + (ptrdiff_t)i * strip->out_pitch,
	};
	uint16_t x[LOOK_UP];

	if (planes->bi_level) { /* its tone leaves only extremes */
		rip_row_transparent(tone, in, planes->width, row.out);
		return;
	}
	row.period = plane->mask->width;
	row.mask = (const uint8_t *)plane->rows +
		   (strip->row_numbers ? strip->row_numbers[i] % plane->mask->height : 0) *
			   plane->pitch;
	if (planes->bytes || !tone->curve) {
		halftone(planes, &row);
		return;
	}
	for (uint32_t j = 0; j < planes->width; j += LOOK_UP) {
		row.width = planes->width - j < LOOK_UP ? planes->width - j : LOOK_UP;
		if (tone->sample_bits == 8)
			for (uint32_t k = 0; k < row.width; k++)
				x[k] = tone->curve[in[j + k]];
		else
			for (uint32_t k = 0; k < row.width; k++)
				x[k] = tone->curve[((const uint16_t *)(const void *)in)[j + k]];
		row.in = x;
		row.phase = j % row.period;
		halftone(planes, &row);
		row.out += LOOK_UP / 8 * rip_dot_bits(tone->levels);
	}
}

/* ---- strips ---- */

static void run(struct rip_team_task *base, void *memory)
{
	const struct mask_task *task = (struct mask_task *)base;
	uint32_t group;

	(void)memory;
	while ((group = rip_team_task_draw(base)) < base->groups)
		for (uint32_t i = group * task->rows;
		     i < task->strip.rows && i < (group + 1) * task->rows; i++)
			run_row(task->planes, &task->strip, i);
}

static void task_init(struct mask_task *task, const struct rip_mask_planes *planes,
		      const struct rip_strip *strip)
{
	const uint32_t row = planes->width * (planes->tone->sample_bits / 8);
	struct rip_team_task *base = &task->base;

	task->planes = planes;
	task->strip = *strip;
	task->rows = GROUP_BYTES / row + 1;
	base->run = run;
	base->groups = (strip->rows - 1) / task->rows + 1;
	base->threads_max = rip_least(base->groups, RIP_TEAM_THREADS_MAX);
	base->ns = ns_of(planes, (uint64_t)planes->width * strip->rows);
	base->carry = task; /* there is none: tasks do not wait for each other */
	rip_team_task_init(base);
}

int rip_mask_planes_init(struct rip_mask_planes *planes, const struct rip_page_spec *spec,
			 const struct rip_tone *tone, unsigned features, struct rip_team *team)
{
	int r = 0;

	memset(planes, 0, sizeof *planes);
	planes->tone = tone;
	planes->bi_level = spec->screen->kind == RIP_SCREEN_BI_LEVEL;
	planes->bytes = bytes_do(tone);
	planes->width = spec->width;
	planes->planes = spec->planes;
	rip_mask_ops_init(&planes->ops, features);
	for (uint32_t p = 0; r == 0 && p < spec->planes && !planes->bi_level; p++)
		r = make_plane(planes, p, spec->screen->masks[p]);
	if (r == 0 && team)
		r = rip_team_queue_init(&planes->queue, team, sizeof(struct mask_task));
	if (r < 0)
		rip_mask_planes_finish(planes);
	return r;
}

void rip_mask_planes_finish(struct rip_mask_planes *planes)
{
	rip_team_queue_finish(&planes->queue);
	for (uint32_t p = 0; p < planes->planes; p++) {
		bool shared = false;

		for (uint32_t q = 0; q < p; q++)
			shared |= planes->masks[q].mask == planes->masks[p].mask;
		if (!shared)
			free(planes->masks[p].rows);
	}
	planes->planes = 0;
}

struct mask_push {
	const struct rip_mask_planes *planes;
	const struct rip_strip       *strips;
};

static bool fill(struct rip_team_task *task, const void *context, uint32_t i)
{
	const struct mask_push *push = context;

	if (push->strips[i].rows > 0)
		task_init((struct mask_task *)task, push->planes, &push->strips[i]);
	return push->strips[i].rows > 0;
}

int rip_mask_planes_push(struct rip_mask_planes *planes, const struct rip_strip *strips,
			 unsigned count)
{
	const struct mask_push push = { planes, strips };

	for (unsigned i = 0; i < count; i++)
		if (strips[i].rows > 0 && !strips[i].row_numbers && !planes->bi_level &&
		    planes->masks[strips[i].plane].mask->height > 1)
			return -EINVAL;
	if (!planes->queue.team) {
		for (unsigned i = 0; i < count; i++)
			for (uint32_t k = 0; k < strips[i].rows; k++)
				run_row(planes, &strips[i], k);
		return 0;
	}
	return rip_team_queue_push(&planes->queue, count, fill, &push);
}

void rip_mask_planes_wait(struct rip_mask_planes *planes)
{
	if (planes->queue.team)
		rip_team_queue_wait(&planes->queue);
}
