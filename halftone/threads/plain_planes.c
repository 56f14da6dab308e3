/* The planes of a page, in plain C. */
#include "plain_planes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * A thread computes a group of rows from left to right in blocks of COLUMNS, and each block
 * row by row; then it hands the block's carry to the group below.  Each row of a block begins
 * RIP_DIFFUSE_SHIFT columns to the left of the row above, which is therefore complete as far as
 * this row needs it (diffuse.h).
 */
#define ROWS_MAX 16  /* of a group: the fewer groups, the less moves from core to core */
#define COLUMNS  256

/* About what one thread takes for a pixel: decides whether to wake others. */
#define NS_PER_PIXEL 3

/* The strip of a plane, or those of all planes together. */
struct task {
	struct rip_team_task base;
	const struct rip_colour_planes *colour; /* NULL: a plane apart */
	struct rip_diffuser  before[RIP_PLANES_MAX]; /* before the first row */
	struct rip_strip     strips[RIP_PLANES_MAX];
	uint32_t             rows;   /* of a group */
};

/* What the rows of a group keep. */
union caches {
	struct rip_diffuser_cache apart[ROWS_MAX];
	struct rip_colour_cache   colour[ROWS_MAX];
};

/* Waits until the group above a group is as complete as its first row needs up to column
 * `to`.  seen: the last counter of the group above. */
static void wait_for_above(struct task *task, uint32_t group, uint32_t to, uint64_t *seen)
{
	const uint32_t needs = rip_diffuser_needs(&task->before[0], to);

	if (group > 0 && *seen < rip_team_counter_value(group - 1, needs))
		*seen = rip_team_task_wait(&task->base, group - 1, needs);
}

static void run_group(struct task *task, uint32_t group)
{
	const uint32_t width = task->before[0].width, first = group * task->rows;
	const uint32_t left = task->strips[0].rows - first;
	const uint32_t rows = left < task->rows ? left : task->rows;
	union caches caches;
	uint64_t seen = 0;

	for (uint64_t columns = COLUMNS;; columns += COLUMNS) {
		uint32_t done = 0;

		for (uint32_t i = 0; i < rows; i++) {
			const uint32_t from = rip_diffuser_end(columns - COLUMNS, i, width);

			done = rip_diffuser_end(columns, i, width);
			if (from == done)
				continue;
			if (i == 0)
				wait_for_above(task, group, done, &seen);
			if (task->colour)
				rip_colour_columns(task->colour, task->before, task->strips,
						   first + i, from, done, &caches.colour[i]);
			else
				rip_diffuser_columns(task->before, task->strips, first + i, from,
						     done, &caches.apart[i]);
		}
		rip_team_task_publish(&task->base, group, done);
		if (done == width)
			break;
	}
}

static void run(struct rip_team_task *base, void *memory)
{
	uint32_t group;

	(void)memory;
	while ((group = rip_team_task_draw(base)) < base->groups)
		run_group((struct task *)base, group);
}

/* Waiting ends: groups are drawn in order by threads that run, and the first group that is
 * not complete waits for none. */
static void task_init(struct task *task, const struct rip_colour_planes *colour,
		      struct rip_diffuser *diffusers, const struct rip_strip *strips,
		      unsigned threads)
{
	struct rip_team_task *base = &task->base;
	const uint32_t planes = colour ? colour->planes : 1;
	const uint32_t width = diffusers->width, rows = strips->rows;
	uint32_t behind; /* columns that a group is behind the group above */

	task->colour = colour;
	memcpy(task->before, diffusers, planes * sizeof *diffusers);
	memcpy(task->strips, strips, planes * sizeof *strips);
	task->rows = rip_least(rows / (4 * threads) + 1, ROWS_MAX);
	behind = 2 * COLUMNS + RIP_DIFFUSE_SHIFT * task->rows;
	base->run = run;
	base->groups = (rows - 1) / task->rows + 1;
	/* More threads would only wait. */
	base->threads_max = rip_least(1 + (width - 1) / behind,
				      rip_least(base->groups, RIP_TEAM_THREADS_MAX));
	base->ns = (uint64_t)width * rows * planes * NS_PER_PIXEL;
	base->carry = diffusers;
	rip_team_task_init(base);
	for (uint32_t i = 0; i < planes; i++)
		rip_diffuser_advance(&diffusers[i], rows);
}

int rip_plain_planes_init(struct rip_plain_planes *planes, const struct rip_page_spec *spec,
			  const struct rip_tone *tone, bool collect, struct rip_team *team)
{
	int r = 0;

	memset(planes, 0, sizeof *planes);
	planes->couples = rip_screen_couples(spec->screen);
	collect &= !planes->couples;
	if (planes->couples)
		rip_colour_planes_init(&planes->colour, spec);
	planes->diffusers = calloc(spec->planes, sizeof *planes->diffusers);
	if (!planes->diffusers)
		return -ENOMEM;
	for (; r == 0 && planes->planes < spec->planes; planes->planes++)
		r = rip_diffuser_init(&planes->diffusers[planes->planes], spec, tone, collect);
	if (r == 0 && team)
		r = rip_team_queue_init(&planes->queue, team, sizeof(struct task));
	if (r < 0)
		rip_plain_planes_finish(planes);
	return r;
}

void rip_plain_planes_finish(struct rip_plain_planes *planes)
{
	rip_team_queue_finish(&planes->queue);
	for (uint32_t i = 0; i < planes->planes; i++)
		rip_diffuser_finish(&planes->diffusers[i]);
	free(planes->diffusers);
	planes->diffusers = NULL;
	planes->planes = 0;
}

struct plain_push {
	struct rip_plain_planes *planes;
	const struct rip_strip  *strips;
};

static bool fill(struct rip_team_task *task, const void *context, uint32_t i)
{
	const struct plain_push *push = context;
	const struct rip_strip *strip = &push->strips[i];
	const struct rip_plain_planes *planes = push->planes;

	if (strip->rows > 0)
		task_init((struct task *)task, planes->couples ? &planes->colour : NULL,
			  &planes->diffusers[strip->plane], strip,
			  rip_team_threads(planes->queue.team));
	return strip->rows > 0;
}

/* Computes the strips of coupled planes here. */
static void run_colour(struct rip_plain_planes *planes, const struct rip_strip *strips)
{
	const uint32_t width = planes->diffusers[0].width;
	struct rip_colour_cache cache;

	for (uint32_t row = 0; row < strips[0].rows; row++)
		rip_colour_columns(&planes->colour, planes->diffusers, strips, row, 0, width,
				   &cache);
}

int rip_plain_planes_push(struct rip_plain_planes *planes, const struct rip_strip *strips,
			  unsigned count)
{
	const struct plain_push push = { planes, strips };

	if (planes->couples)
		count = count > 0; /* of all planes: one task */
	if (!planes->queue.team && planes->couples && count > 0) {
		run_colour(planes, strips);
		return 0;
	}
	if (!planes->queue.team) {
		for (unsigned i = 0; i < count; i++)
			rip_diffuser_run(&planes->diffusers[strips[i].plane], &strips[i]);
		return 0;
	}
	return rip_team_queue_push(&planes->queue, count, fill, &push);
}

void rip_plain_planes_wait(struct rip_plain_planes *planes)
{
	if (planes->queue.team)
		rip_team_queue_wait(&planes->queue);
}

struct rip_diffuser *rip_plain_planes_plane(const struct rip_plain_planes *planes, uint32_t plane)
{
	return &planes->diffusers[plane];
}
