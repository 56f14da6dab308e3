/* A kernel in plain C, for strips so small that it is faster than SIMD. */
#include "diffuse.h"
#include "simd.h"

_Static_assert(RIP_DIFFUSE_PAD <= RIP_SIMD_PAD, "plain C works on the same carry");

static void run_rows(void *memory, const struct rip_simd_strip *from)
{
	const struct rip_strip strip = {
		.rows = from->rows,
		.in = from->in,
		.in_pitch = from->in_pitch,
		.out = from->out,
		.out_pitch = from->out_pitch,
	};
	struct rip_diffuser diffuser = {
		.screen = from->screen,
		.tone = from->tone,
		.width = from->width,
		.rows = { from->carry[0], from->carry[1] },
	};

	(void)memory;
	rip_diffuser_run(&diffuser, &strip);
}

static void run(void *memory, struct rip_simd_task *task)
{
	if (rip_team_task_draw(&task->base) == 0)
		run_rows(memory, &task->strip);
}

const struct rip_simd_kernel rip_simd_plain = {
	.lanes = UINT32_MAX, /* all rows are one group */
	.block = 1,
	.lag = 1,
	.run = run,
	.run_rows = run_rows,
};
