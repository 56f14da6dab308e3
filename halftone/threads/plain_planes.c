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

struct task {
	struct rip_team_task base;
	struct rip_diffuser  before; /* before the first row */
	struct rip_strip     strip;
	uint32_t             rows;   /* of a group */
};

/* Waits until the group above a group is as complete as its first row needs up to column
 * `to`.  seen: the last counter of the group above. */
static void wait_for_above(struct task *task, uint32_t group, uint32_t to, uint64_t *seen)
{
	const uint32_t needs = rip_diffuser_needs(&task->before, to);

	if (group > 0 && *seen < rip_team_counter_value(group - 1, needs))
		*seen = rip_team_task_wait(&task->base, group - 1, needs);
}

static void run_group(struct task *task, uint32_t group)
{
	const uint32_t width = task->before.width, first = group * task->rows;
	const uint32_t left = task->strip.rows - first;
	const uint32_t rows = left < task->rows ? left : task->rows;
	struct rip_diffuser_cache caches[ROWS_MAX];
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
			rip_diffuser_columns(&task->before, &task->strip, first + i, from, done,
					     &caches[i]);
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
static void task_init(struct task *task, struct rip_diffuser *diffuser,
		      const struct rip_strip *strip, unsigned threads)
{
	struct rip_team_task *base = &task->base;
	const uint32_t width = diffuser->width;
	uint32_t behind; /* columns that a group is behind the group above */

	task->before = *diffuser;
	task->strip = *strip;
	task->rows = rip_least(strip->rows / (4 * threads) + 1, ROWS_MAX);
	behind = 2 * COLUMNS + RIP_DIFFUSE_SHIFT * task->rows;
	base->run = run;
	base->groups = (strip->rows - 1) / task->rows + 1;
	/* More threads would only wait. */
	base->threads_max = rip_least(1 + (width - 1) / behind,
				      rip_least(base->groups, RIP_TEAM_THREADS_MAX));
	base->ns = (uint64_t)width * strip->rows * NS_PER_PIXEL;
	base->carry = diffuser;
	rip_team_task_init(base);
	rip_diffuser_advance(diffuser, strip->rows);
}

int rip_plain_planes_init(struct rip_plain_planes *planes, const struct rip_page_spec *spec,
			  const struct rip_tone *tone, bool collect, struct rip_team *team)
{
	int r = 0;

	memset(planes, 0, sizeof *planes);
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

	if (strip->rows > 0)
		task_init((struct task *)task, &push->planes->diffusers[strip->plane], strip,
			  rip_team_threads(push->planes->queue.team));
	return strip->rows > 0;
}

int rip_plain_planes_push(struct rip_plain_planes *planes, const struct rip_strip *strips,
			  unsigned count)
{
	const struct plain_push push = { planes, strips };

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
