/*
 * The wavefront: one launch, groups that wait for each other by flags.
 *
 * A group is 32 rows, one for each lane of a warp.  What a pixel does is a rule
 * (rule_floyd.cuh).  In step c lane i does column c - skew*i.  With Floyd and Steinberg's filter
 * the skew is 3.  The pixel above and to the right of it was done two steps before, so what a
 * row sends down has two steps to reach the lane below, by a shuffle.  So no step waits for a
 * shuffle, and the chain of dependent operations is mostly that of one row.
 *
 * A slice is up to four groups, and a thread block: one warp for each group, and two more
 * that receive and send carries, so that the code of a group is the same wherever it is:
 *
 *	words -> receiving warp -> ring 0 -> group 0 -> ring 1 -> ... -> ring n ->
 *	        sending warp -> the same words, for the slice after
 *
 * Rings are in shared memory: what comes to column j is at j modulo the size.  A word that
 * is 0 is empty; whoever has read a word sets it to 0 again.  A word is never 0
 * (rule::valid).  So a word itself says whether it is valid, and the next
 * group has it as soon as it is stored: without a counter, and without a fence.  That a
 * place is free again is reported by counters, used[r], as seldom as the size of the ring
 * allows; each has one writer, which releases, and one reader, which acquires.
 *
 * With a skew of 3, a group's last row makes what comes to column j in step j + 94.  The group
 * below looks for it in sixteens of columns, at the latest half a block of 32 columns before it is
 * needed, and so begins about 115 steps later; 124 were measured.  The critical path goes down an
 * edge of the image, and takes as many steps for each group.
 *
 * Between thread blocks carries travel as 64-bit words {sequence, two carries}
 * (wavefront.cuh).  A word is read and written by one access each; its number says whether
 * it is valid, so it needs no fence.
 *
 * Whoever has long to wait sleeps.  At its third block of columns a group tells the group
 * below, or the sending warp and through it the next slice, that there will soon be work
 * (awake[r], and the last of the plane's words).  These are hints: every word is checked
 * all the same.
 *
 * Why each wait ends.  Slices go by ticket: a thread block draws one when it starts, so
 * every slice with a smaller ticket runs or has ended.  The receiving warp waits for words
 * of the slice before, which has a smaller ticket, or for space in ring 0.  A group waits
 * for words of the ring above, or for space in the ring below.  The sending warp waits for
 * words only, never for space.  Data flows down, space flows up: a group that waits reports
 * from time to time that everything before its current block of columns is free.  So the
 * group above can compute the block that it waits for, as long as a ring holds 128 columns
 * or more.  Whatever still waits after `patience` is due to a broken device or a bug: it
 * says so and gives up, and all others do too.
 *
 * Memory safety does not depend on flags: samples are read up to the pitch, dots are
 * stored for columns and rows of the image only.
 */
#include "wavefront.cuh"

#include "group.cuh"
#include "handover.cuh"
#include "rule_blue.cuh"
#include "rule_filter.cuh"
#include "rule_floyd.cuh"

/* ---- the launch ---- */

/* Draws a ticket and loads the slice that it names.  The fences: the host's writing
 * happened before the launch that last drew from the counter, whichever that was. */
static __device__ void draw_slice(const rip_wave_launch &launch, uint64_t *task, uint32_t lane)
{
	uint32_t ticket = 0;

	__threadfence();
	if (lane == 0)
		ticket = atomicAdd(launch.ticket, 1u);
	__threadfence();
	ticket = __shfl_sync(~0u, ticket, 0);
	if (lane == 0 && ticket - launch.first >= launch.slices)
		*(volatile uint32_t *)launch.overtaken = launch.number;
	if (lane < sizeof(rip_wave_task) / 8)
		task[lane] = rip_load_system((const uint64_t *)&launch.ring[ticket & launch.mask] + lane);
}

template <class rule, class source, int bits>
__global__ void __launch_bounds__((RIP_WAVE_GROUPS + 2) * 32, rule::blocks)
rip_wavefront(rip_wave_launch launch)
{
	const slice_memory m = slice_memory_of<rule>(launch.groups, source::bytes);
	const uint32_t lane = threadIdx.x % 32;
	const uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0); /* known to be uniform */

	if (warp == 0)
		draw_slice(launch, m.task, lane);
	if (threadIdx.x <= launch.groups)
		m.used[threadIdx.x] = m.awake[threadIdx.x] = 0;
	for (uint32_t i = threadIdx.x; i < (launch.groups + 1) * ring_size + 32; i += blockDim.x)
		m.rings[i] = i < (launch.groups + 1) * ring_size ? 0 : rule::nothing; /* then m.no_carry */
	if (threadIdx.x < 32)
		m.masks[threadIdx.x] = mask_of<rule>(threadIdx.x / 4, threadIdx.x % 4);
	rule::fill(m.rule);
	__syncthreads();

	const rip_wave_task task = *(const rip_wave_task *)m.task;
	const rip_gpu_shape shape = { task.width, task.levels, 8 * source::bytes, bits, task.screen,
				      task.targets };

	if (source::table) {
		for (uint32_t v = threadIdx.x; v < 256; v += blockDim.x)
			m.targets[v] = rule::entry((uint32_t)shape.targets[v]);
		__syncthreads();
	}

	const uint32_t groups = (task.rows + group_rows - 1) / group_rows;

	if (warp < groups) {
		const uint64_t row = warp * group_rows;
		group g;

		const uint32_t fetches = 2 * source::bytes; /* of 16 bytes, for a row of a block */
		const uint32_t tile_bytes = tile_pitch_of<rule>() * source::bytes; /* of a row */

		g.lane = lane;
		g.rows = task.rows - row < group_rows ? (uint32_t)(task.rows - row) : group_rows;
		g.last_row = lane == g.rows - 1;
		g.in = task.in + (row + lane / fetches) * task.in_pitch + lane % fetches * 16;
		g.in_pitch = task.in_pitch;
		g.in_rows = lane / fetches < g.rows ? g.rows - lane / fetches : 0;
		g.in_blocks = (task.in_pitch + 32 * source::bytes - 1) / (32 * source::bytes);
		g.out = task.out + (row + lane) * task.out_pitch;
		g.out_words = lane < g.rows ? (task.width + 31) / 32 : 0;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			/* Bits of the last dots in words up to this one. */
			const int valid = (int)((task.width - 1) % 32 + 1) * bits - 32 * i;

			g.out_mask[i] = valid >= 32 ? ~0u : valid <= 0 ? 0 : ~(~0u >> valid);
		}
		g.samples = m.samples;
		g.fetch_offset =
			rip_opaque((warp * group_rows + lane / fetches) * tile_bytes + lane % fetches * 16);
		g.row_offset = rip_opaque((warp * group_rows + lane) * tile_bytes);
		g.above = m.rings + warp * ring_size;
		g.below = g.above + ring_size;
		g.padded_width = (task.width + 15) / 16 * 16;
		g.sends = 32 - rule::skew * (g.rows - 1) - rule::lag;
		/* Not the same in all lanes: else the compiler leaves no uniform register for the
		 * address of shared memory, and adds it in instructions of their own. */
		g.incoming = lane == 0 ? g.above : m.no_carry;
		g.incoming_mask = lane == 0 ? ring_size - 1 : 0;
		g.no_carry = m.no_carry;
		g.used_above = &m.used[warp];
		g.used_below = &m.used[warp + 1];
		g.awake = &m.awake[warp];
		g.awake_below = &m.awake[warp + 1];
		g.targets = (uint32_t)((unsigned char *)m.targets - rip_shared());
		g.echo_mask = lane == 0 ? ~0u : 0;
		g.masks = (const unsigned char *)m.masks;
		g.no_mask = rip_load_one(m.masks + 4 * 7);
		g.screen = task.screen;
		run_group<rule, source, bits>(shape, launch, g);
	} else if (warp == launch.groups) {
		receive_carry<rule>(launch, m, task.words, rip_wave_words(rule::per_word, task.width) - 1,
				    task.sequence, lane);
	} else if (warp == launch.groups + 1) {
		send_carry<rule>(launch, m, groups, task.words,
				 rip_wave_words(rule::per_word, task.width) - 1, task.sequence + 1, lane);
	}
}

static const struct kernel {
	void   (*function)(rip_wave_launch);
	uint32_t sample_bytes;
	bool     table; /* in shared memory */
	uint32_t tile_pitch, rule_memory, groups;
} kernels[] = {
#define KERNEL(RULE, SOURCE, BITS)                                                             \
	{ rip_wavefront<RULE, SOURCE, BITS>, SOURCE::bytes, SOURCE::table, tile_pitch_of<RULE>(), \
	  RULE::memory, RULE::groups }
#define KERNELS(RULE)                                                                  \
	KERNEL(RULE, table8, 1), KERNEL(RULE, table8, 2), KERNEL(RULE, table8, 4),     \
		KERNEL(RULE, any16, 1), KERNEL(RULE, any16, 2), KERNEL(RULE, any16, 4)
	KERNEL(rule_floyd, plain8, 1),
	KERNELS(rule_floyd),
	KERNELS(rule_filter),
	KERNELS(rule_blue),
};

static_assert(sizeof kernels / sizeof *kernels == RIP_WAVE_KERNELS, "all kernels have a number");

bool rip_wave_takes(uint32_t screen)
{
	return screen <= RIP_ATKINSON || screen == RIP_BLUE_NOISE;
}

uint32_t rip_wave_per_word(uint32_t screen)
{
	return screen == RIP_FLOYD_STEINBERG ? rule_floyd::per_word
	       : screen == RIP_BLUE_NOISE    ? rule_blue::per_word
					     : rule_filter::per_word;
}

unsigned rip_wave_kernel(const rip_gpu_shape *shape)
{
	const unsigned rule = shape->screen == RIP_FLOYD_STEINBERG ? 0
			      : shape->screen == RIP_BLUE_NOISE    ? 2
								   : 1;
	const unsigned more = shape->bits == 1 ? 0 : shape->bits == 2 ? 1 : 2;

	if (shape->sample_bits == 8 && !shape->targets)
		return 0; /* Floyd and Steinberg's */
	return 1 + 6 * rule + (shape->sample_bits == 16 ? 3 : 0) + more;
}

/* The size of struct slice_memory's arrays. */
static uint32_t shared_bytes(const struct kernel *kernel, uint32_t groups)
{
	return kernel->rule_memory + groups * group_rows * kernel->tile_pitch * kernel->sample_bytes +
	       (groups + 1) * (ring_size + 2) * 4 + 2 * 32 * 4 + (uint32_t)sizeof(rip_wave_task) +
	       (kernel->table ? 1024 : 0);
}

uint32_t rip_wave_groups(unsigned kernel, uint32_t shared)
{
	uint32_t groups = kernels[kernel].groups;

	while (groups > 1 && shared_bytes(&kernels[kernel], groups) > shared)
		groups--;
	return groups;
}

uint32_t rip_wave_cut(rip_wave_task *ring, uint32_t mask, uint32_t first, rip_wave_task *tasks,
		      unsigned count, uint32_t groups)
{
	const uint32_t rows_of_slice = group_rows * groups;
	uint32_t deepest = 0, n = 0;

	/* The depth of a slice is the number of slices of its plane that come before it. */
	for (unsigned i = 0; i < count; i++) {
		tasks[i].depth = 0;
		for (unsigned k = 0; k < i; k++)
			if (tasks[k].words == tasks[i].words)
				tasks[i].depth += rip_wave_slices(tasks[k].rows, groups);

		const uint32_t end = tasks[i].depth + rip_wave_slices(tasks[i].rows, groups);

		deepest = end > deepest ? end : deepest;
	}
	for (uint32_t depth = 0; depth < deepest; depth++)
		for (unsigned i = 0; i < count; i++) {
			const rip_wave_task *task = &tasks[i];
			const uint32_t row = (depth - task->depth) * rows_of_slice;
			rip_wave_task *slice = &ring[(first + n) & mask];

			if (depth < task->depth || row >= task->rows)
				continue;
			*slice = *task;
			slice->in += (uint64_t)row * task->in_pitch;
			slice->out += (uint64_t)row * task->out_pitch;
			slice->sequence += depth - task->depth;
			slice->rows = task->rows - row < rows_of_slice ? task->rows - row : rows_of_slice;
			n++;
		}
	return n;
}

cudaError_t rip_wave_prepare(uint32_t shared)
{
	cudaError_t error = cudaSuccess;

	for (const struct kernel &kernel : kernels)
		if (error == cudaSuccess)
			error = cudaFuncSetAttribute(kernel.function,
						     cudaFuncAttributeMaxDynamicSharedMemorySize,
						     (int)shared);
	return error;
}

/* A launch of so few slices, such as all of a plane, gives each a multiprocessor of its own: each
 * slice waits for the one before, so that the slowest delays all. */
static const uint32_t few_slices = 512;

cudaError_t rip_wave_run(unsigned kernel, const rip_wave_launch *launch, cudaStream_t stream)
{
	const auto function = kernels[kernel].function;
	const uint32_t alone = launch->shared / 2 + 2048;
	uint32_t shared = shared_bytes(&kernels[kernel], launch->groups);

	/* No two blocks fit into a multiprocessor. */
	if (launch->slices <= few_slices && shared < alone && alone <= launch->shared)
		shared = alone;
	RIP_LAUNCH(function, dim3(launch->slices), (launch->groups + 2) * 32, shared, stream, *launch);
	return cudaGetLastError();
}
