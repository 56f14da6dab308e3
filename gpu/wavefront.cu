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
 * The last group of a task may have fewer rows than lanes.  It runs the same code, and what lanes
 * without a row compute is never read.  Its last row is ahead of where a 32nd row would be, by some
 * columns.  What it sends is stored where the 32nd row would store in the same step (shift_of() in
 * slice.cuh), so in aligned quads, too.
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
 * Clusters.  A page of one plane runs in clusters of thread blocks, which start at the same time
 * and reach each other's shared memory.  Slices that follow each other in a cluster are linked:
 * the sending warp of the upper one stores carries into ring 0 of the lower one, whose receiving
 * warp only reports space, in *room.  This takes half the time of the way through the plane's
 * words.  The first slice of a chain of linked ones still gets its carry from the words, and the
 * last one writes them, with its own number plus one.
 *
 * Whoever has long to wait sleeps.  At its third block of columns a group tells the group
 * below, or the sending warp and through it the next slice, that there will soon be work
 * (awake[r], and the last of the plane's words).  These are hints: every word is checked
 * all the same.
 *
 * Why each wait ends.  Slices go by ticket: a thread block, or a cluster, draws one when it
 * starts, so every slice with a smaller ticket runs or has ended, and those of a cluster run.
 * The receiving warp waits for words of the slice before, which has a smaller ticket, for samples
 * that are being copied, or for space in ring 0.  A group waits for words of the ring above, or for
 * space in the ring below.  The sending warp waits for words only, never for space.  Data flows
 * down, space flows up: a group that waits reports from time to time that everything before its
 * current block of columns is free.  So the group above can compute the block that it waits for, as
 * long as a ring holds 128 columns or more.  Whatever still waits after `patience` is due to a
 * broken device or a bug: it says so and gives up, and all others do too.
 *
 * Memory safety does not depend on flags: samples are read up to the pitch, dots are
 * stored for columns and rows of the image only.
 */
#include "wavefront.cuh"

#include "colour_clerk.cuh"
#include "colour_relay.cuh"
#include "colour_stage.cuh"
#include "group.cuh"
#include "handover.cuh"
#include "rule_blue.cuh"
#include "rule_filter.cuh"
#include "rule_floyd.cuh"

/* ---- the warps of a slice ---- */

/* The receiving warp, the groups, the sending warp.  A multiprocessor has four schedulers, and warp
 * i belongs to scheduler i modulo 4.  So with three groups or fewer, no group shares a scheduler
 * with one of the other two, which would slow it down by 4 %: in a page of one plane the slowest
 * group delays all others.  Many planes together are faster with four groups. */
static const uint32_t receiver = 0, first_group = 1, groups_alone = 3;

static __host__ __device__ constexpr uint32_t sender_of(uint32_t groups)
{
	return first_group + groups;
}

static __host__ __device__ constexpr uint32_t threads_of(uint32_t groups)
{
	return (sender_of(groups) + 1) * 32;
}

/* ---- the launch ---- */

/* Draws a ticket, with the first warp of a cluster.  The fences: the host's writing happened before
 * the launch that last drew from the counter, whichever that was. */
static __device__ uint32_t draw_ticket(const rip_wave_launch &launch, uint32_t lane)
{
	uint32_t ticket = 0;

	__threadfence();
	if (lane == 0)
		ticket = atomicAdd(launch.ticket, 1u);
	__threadfence();
	ticket = __shfl_sync(~0u, ticket, 0);
	if (lane == 0 && (ticket - launch.first) * launch.cluster >= launch.slices)
		*(volatile uint32_t *)launch.overtaken = launch.number;
	return ticket;
}

/* All blocks of the cluster get the ticket of the first, when the shared memory of each is ready
 * for the others.  Called by all threads. */
static __device__ uint32_t share_ticket(const rip_wave_launch &launch, const slice_memory &m,
					uint32_t ticket, uint32_t rank)
{
	if (launch.cluster == 1)
		return ticket;
	rip_cluster_sync();
	if (rank == 0 && threadIdx.x < launch.cluster)
		rip_store_one_far(rip_far_address(m.ticket, threadIdx.x), ticket);
	rip_cluster_sync();
	return rip_load_one(m.ticket);
}

/* Loads the block's slice. */
static __device__ void load_slice(const rip_wave_launch &launch, uint32_t number, uint64_t *task,
				  uint32_t lane)
{
	if (lane < sizeof(rip_wave_task) / 8)
		task[lane] = rip_load_system((const uint64_t *)&launch.ring[number & launch.mask] +
					     lane);
}

template <class rule, class source, int bits>
__global__ void __launch_bounds__(threads_of(RIP_WAVE_GROUPS), rule::blocks)
rip_wavefront(rip_wave_launch launch)
{
	const slice_memory m = slice_memory_of<rule>(launch.groups, source::bytes);
	const uint32_t lane = threadIdx.x % 32;
	const uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0); /* known to be uniform */

	const uint32_t rank = launch.cluster == 1 ? 0 : rip_cluster_rank();
	uint32_t ticket = 0;

	if (warp == 0 && rank == 0)
		ticket = draw_ticket(launch, lane);
	if (threadIdx.x <= launch.groups)
		m.used[threadIdx.x] = m.awake[threadIdx.x] = *m.room = 0;
	/* The rings, and behind them m.no_carry. */
	for (uint32_t i = threadIdx.x; i < (launch.groups + 1) * ring_size + 32; i += blockDim.x)
		m.rings[i] = i < (launch.groups + 1) * ring_size ? 0 : rule::nothing;
	if (threadIdx.x < 32)
		m.masks[threadIdx.x] = mask_of<rule>(threadIdx.x / 4, threadIdx.x % 4);
	rule::fill(m.rule);
	ticket = share_ticket(launch, m, ticket, rank);
	if (warp == 0)
		load_slice(launch, ticket * launch.cluster + rank, m.task, lane);
	__syncthreads();

	const rip_wave_task task = *(const rip_wave_task *)m.task;
	const rip_gpu_shape shape = { task.width, task.levels, 8 * source::bytes, bits, task.screen,
				      task.targets };

	if (task.rows == 0)
		return;
	if (source::table) {
		for (uint32_t v = threadIdx.x; v < 256; v += blockDim.x)
			m.targets[v] = rule::entry((uint32_t)shape.targets[v]);
		__syncthreads();
	}

	const uint32_t groups = (task.rows + group_rows - 1) / group_rows;
	const bool from_neighbour = task.links & RIP_WAVE_FROM_NEIGHBOUR;
	const bool to_neighbour = task.links & RIP_WAVE_TO_NEIGHBOUR;
	const uint32_t number = warp - first_group; /* of the group, if it is one */

	if (number < groups) {
		const uint64_t row = number * group_rows;
		group g;

		const uint32_t fetches = 2 * source::bytes; /* of 16 bytes, for a row of a block */
		const uint32_t tile_bytes = tile_pitch_of<rule>() * source::bytes; /* of a row */

		g.lane = lane;
		g.rows = task.rows - row < group_rows ? (uint32_t)(task.rows - row) : group_rows;
		g.last_row = lane == g.rows - 1;
		g.in = task.in + (row + lane / fetches) * task.in_pitch + lane % fetches * 16;
		g.in_rows = lane / fetches < g.rows ? g.rows - lane / fetches : 0;
		g.in_blocks = g.in_rows == 0 ? 0
					     : (task.in_pitch + 32 * source::bytes - 1) /
						       (32 * source::bytes);
		/* Of 8-bit samples a lane fetches two rows; if there is no second, it fetches the
		 * first twice, which costs less than to ask in each block. */
		g.in_step = source::bytes == 1 && g.in_rows <= 32 / fetches
				    ? 0
				    : 32 / fetches * (task.in_pitch / 16);
		g.out = task.out + (row + lane) * task.out_pitch;
		g.out_words = lane < g.rows ? (task.width + 31) / 32 : 0;
		/* From the first whole 16 bytes on, and without the last word, which has a mask. */
		g.out_head = (uint32_t)(0 - (uintptr_t)g.out) % 16 / (4 * bits);
		g.out_together = g.out_words > g.out_head
					 ? (g.out_words - 1 - g.out_head) / together<rule, bits>() *
						   together<rule, bits>()
					 : 0;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			/* Bits of the last dots in words up to this one. */
			const int valid = (int)((task.width - 1) % 32 + 1) * bits - 32 * i;

			g.out_mask[i] = valid >= 32 ? ~0u : valid <= 0 ? 0 : ~(~0u >> valid);
		}
		g.samples = m.samples;
		g.fetch_offset = rip_opaque((number * group_rows + lane / fetches) * tile_bytes +
					    lane % fetches * 16);
		g.row_offset = rip_opaque((number * group_rows + lane) * tile_bytes);
		g.above = m.rings + number * ring_size;
		g.below = g.above + ring_size;
		g.below_shift = shift_of<rule>(g.rows);
		g.padded_width = (task.width + 15) / 16 * 16;
		g.sends = 32 - rule::skew * (g.rows - 1) - rule::lag;
		/* Not the same in all lanes: else the compiler leaves no uniform register for the
		 * address of shared memory, and adds it in instructions of their own. */
		g.incoming = lane == 0 ? g.above : m.no_carry;
		g.incoming_mask = lane == 0 ? ring_size - 1 : 0;
		g.no_carry = m.no_carry;
		g.used_above = &m.used[number];
		g.used_below = &m.used[number + 1];
		g.awake = &m.awake[number];
		g.awake_below = &m.awake[number + 1];
		g.targets = (uint32_t)((unsigned char *)m.targets - rip_shared());
		g.echo_mask = lane == 0 ? ~0u : 0;
		g.masks = (const unsigned char *)m.masks;
		g.no_mask = rip_load_one(m.masks + 4 * 7);
		g.screen = task.screen;
		run_group<rule, source, bits>(shape, launch, g);
	} else if (warp == receiver && from_neighbour) {
		relay_space(launch, m, task.width, rank, lane);
	} else if (warp == receiver) {
		receive_carry<rule>(launch, m, task.from,
				    rip_wave_words(rule::per_word, task.width) - 1, task.sequence,
				    task.admitted, lane);
	} else if (warp == sender_of(launch.groups) && to_neighbour) {
		hand_over(launch, m, groups, task.width, rank, lane);
	} else if (warp == sender_of(launch.groups)) {
		const uint32_t rows = task.rows - (groups - 1) * group_rows; /* of the last group */

		send_carry<rule>(launch, m, groups, shift_of<rule>(rows), task.words,
				 rip_wave_words(rule::per_word, task.width) - 1, task.sequence + 1,
				 lane);
	}
}

/* ---- the planes of a page together (colour.cuh) ---- */

/* Loads the block's slice, and its planes. */
static __device__ void load_colour(const rip_wave_launch &launch, uint32_t number,
				   uint64_t *task, uint64_t *colour, uint32_t lane)
{
	load_slice(launch, number, task, lane);
	__syncwarp();

	const uint64_t *from = (const uint64_t *)((const rip_wave_task *)task)->colour;

	for (uint32_t i = lane; i < sizeof(rip_wave_colour) / 8; i += 32)
		colour[i] = rip_load_word(from + i);
}

template <class source, int bits>
__global__ void __launch_bounds__(colour_threads(RIP_WAVE_COLOURS), 1)
	rip_colour(rip_wave_launch launch)
{
	const uint32_t lane = threadIdx.x % 32, planes = launch.planes;
	const uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0); /* known to be uniform */
	const colour_places at = colour_places_of(planes, source::bytes, bits);
	unsigned char *shared = rip_shared();
	uint32_t *counters = (uint32_t *)(shared + at.done);

	if (warp == 0)
		load_colour(launch, draw_ticket(launch, lane), (uint64_t *)(shared + at.task),
			    (uint64_t *)(shared + at.colour), lane);
	for (uint32_t i = threadIdx.x; i <= 4 * planes + 1; i += blockDim.x)
		counters[i] = i == 4 * planes + 1 ? all_columns : 0;
	colour_rule::fill(shared);
	__syncthreads();

	const rip_wave_task &task = *(const rip_wave_task *)(shared + at.task);
	const rip_wave_colour &colour = *(const rip_wave_colour *)(shared + at.colour);
	const rip_gpu_shape shape = { task.width, task.levels, 8 * source::bytes, bits, task.screen,
				      task.targets };
	const uint32_t clerks = colour_clerks(colour.planes);

	if (task.rows == 0)
		return;
	if (source::table) {
		uint2 *targets = (uint2 *)(shared + at.targets);

		for (uint32_t v = threadIdx.x; v < 256; v += blockDim.x) {
			targets[v] = rule_colour<false>::pixel((uint32_t)shape.targets[v]);
			targets[256 + v] = rule_colour<true>::pixel((uint32_t)shape.targets[v]);
		}
	}
	for (uint32_t i = threadIdx.x; i < 8 * 32; i += blockDim.x)
		((uint32_t *)(shared + at.none))[i] =
			colour.weights ? 4096u << 16 | 32768 : __float_as_uint(colour_none);
	__syncthreads();
	if (warp < colour.stages) {
		const uint32_t kind = colour.kind[warp];

		if (kind == RIP_WAVE_PAIR)
			do_stage<bits, 2, false>(launch, task, colour, at, warp, lane);
		else if (kind == RIP_WAVE_ALONE)
			do_stage<bits, 1, true>(launch, task, colour, at, warp, lane);
		else
			do_stage<bits, 1, false>(launch, task, colour, at, warp, lane);
		return;
	}

	const uint32_t helper = helper_of(colour, warp);

	if (helper < clerks) { /* different ones for the planes of a pair */
		do_clerk<source, bits>(shape, launch, task, colour, at, helper,
				       helper + clerks < colour.planes ? helper + clerks : helper,
				       lane);
	} else if (helper - clerks < colour_relays(colour.planes)) {
		const uint32_t step = 2 * (helper - clerks) + lane / relay_lanes;
		const bool there = step < colour.planes;
		const uint32_t place = there ? step : 0, plane = colour.order[place];
		relay r;

		r.from = task.from + (task.links & RIP_WAVE_LATER
					      ? (int64_t)(plane * colour.words)
					      : colour.from[plane]);
		r.to = task.words + plane * colour.words;
		r.count = (task.width + 15) / 16 * 16;
		r.sequence = task.sequence;
		r.ring = (uint32_t *)(shared + at.rings) + place * colour_ring;
		r.sent = (const uint32_t *)(shared + at.sent) + place * colour_ring;
		r.done = counters + stage_of(colour, place);
		r.received = counters + 2 * planes + place;
		r.forwarded = counters + 3 * planes + place;
		r.awake = counters + 4 * planes;
		r.late = rule_blue::skew * (task.rows - 1) + rule_blue::lag;
		r.end = 32 * colour_blocks(task.width, task.rows);
		relay_carries(launch, r, there, lane);
	}
}

/* ---- which kernel ---- */

static const struct kernel {
	void   (*function)(rip_wave_launch); /* in clusters */
	void   (*many)(rip_wave_launch);     /* without */
	uint32_t sample_bytes;
	bool     table; /* in shared memory */
	uint32_t tile_pitch, rule_memory, groups;
} kernels[] = {
#define KERNEL(RULE, MANY, SOURCE, BITS)                                                  \
	{ rip_wavefront<RULE, SOURCE, BITS>, rip_wavefront<MANY, SOURCE, BITS>,           \
	  SOURCE::bytes, SOURCE::table, tile_pitch_of<RULE>(), RULE::memory, RULE::groups }
#define KERNELS(RULE, MANY)                                                                 \
	KERNEL(RULE, MANY, table8, 1), KERNEL(RULE, MANY, table8, 2),                       \
		KERNEL(RULE, RULE, table8, 4), KERNEL(RULE, MANY, any16, 1),                \
		KERNEL(RULE, MANY, any16, 2), KERNEL(RULE, RULE, any16, 4)
	KERNEL(rule_floyd, for_many<rule_floyd>, plain8, 1),
	KERNELS(rule_floyd, for_many<rule_floyd>),
	KERNELS(rule_filter, rule_filter),
	KERNELS(rule_blue, rule_blue),
};

static const struct {
	void   (*function)(rip_wave_launch);
	uint32_t sample_bytes, bits;
} colour_kernels[] = {
#define COLOUR(SOURCE, BITS) { rip_colour<SOURCE, BITS>, SOURCE::bytes, BITS }
	COLOUR(table8, 1), COLOUR(table8, 2), COLOUR(table8, 4),
	COLOUR(any16, 1),  COLOUR(any16, 2),  COLOUR(any16, 4),
#undef COLOUR
};

static const unsigned apart = sizeof kernels / sizeof *kernels;

static_assert(apart + sizeof colour_kernels / sizeof *colour_kernels == RIP_WAVE_KERNELS &&
		      apart == RIP_WAVE_APART,
	      "all kernels have a number");

bool rip_wave_takes(uint32_t screen)
{
	return screen <= RIP_ATKINSON || screen == RIP_BLUE_NOISE;
}

uint32_t rip_wave_per_word(uint32_t screen)
{
	if (screen == RIP_BLUE_NOISE_COLOUR)
		return colour_rule::per_word;
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

	if (shape->screen == RIP_BLUE_NOISE_COLOUR)
		return RIP_WAVE_APART + (shape->sample_bits == 16 ? 3 : 0) + more;
	if (shape->sample_bits == 8 && !shape->targets)
		return 0; /* Floyd and Steinberg's */
	return 1 + 6 * rule + (shape->sample_bits == 16 ? 3 : 0) + more;
}

/* The size of struct slice_memory's arrays. */
static uint32_t shared_bytes(const struct kernel *kernel, uint32_t groups)
{
	return kernel->rule_memory +
	       groups * group_rows * kernel->tile_pitch * kernel->sample_bytes +
	       (groups + 1) * (ring_size + 2) * 4 + 2 * 32 * 4 + 8 +
	       (uint32_t)sizeof(rip_wave_task) + (kernel->table ? 1024 : 0);
}

uint32_t rip_wave_planes(unsigned kind)
{
	return kind % RIP_WAVE_KERNELS < RIP_WAVE_APART ? 1
	       : kind < RIP_WAVE_KERNELS		? RIP_WAVE_FEW
							: RIP_WAVE_COLOURS;
}

static uint32_t colour_bytes(unsigned kind)
{
	const auto &colour = colour_kernels[kind % RIP_WAVE_KERNELS - RIP_WAVE_APART];

	return colour_places_of(rip_wave_planes(kind), colour.sample_bytes, colour.bits).end;
}

bool rip_wave_fits(unsigned kind, uint32_t shared)
{
	return kind % RIP_WAVE_KERNELS < RIP_WAVE_APART || colour_bytes(kind) <= shared;
}

uint32_t rip_wave_groups(unsigned kind, uint32_t shared)
{
	if (kind % RIP_WAVE_KERNELS >= RIP_WAVE_APART)
		return 1;

	const struct kernel *kernel = &kernels[kind % RIP_WAVE_KERNELS];
	uint32_t groups = kernel->groups;

	if (kind >= RIP_WAVE_KERNELS && groups > groups_alone)
		groups = groups_alone;
	while (groups > 1 && shared_bytes(kernel, groups) > shared)
		groups--;
	return groups;
}

/* The part of a task that a slice is. */
static void set_slice(rip_wave_task *slice, const rip_wave_task *task, uint32_t number,
		      uint32_t rows_of_slice)
{
	const uint32_t row = number * rows_of_slice;

	*slice = *task;
	slice->in += (uint64_t)row * task->in_pitch;
	slice->out += (uint64_t)row * task->out_pitch;
	slice->sequence += number;
	slice->rows = task->rows - row < rows_of_slice ? task->rows - row : rows_of_slice;
	slice->links = 0;
	if (task->colour) { /* planes have pitches of their own */
		slice->in = task->in;
		slice->out = task->out;
		slice->row = row;
	}
	if (number > 0) { /* its words come from the slice before */
		slice->admitted = nullptr;
		slice->from = task->words;
		slice->links = task->colour ? RIP_WAVE_LATER : 0;
	}
}

uint32_t rip_wave_cut(rip_wave_task *ring, uint32_t mask, uint32_t first, rip_wave_task *tasks,
		      unsigned count, uint32_t groups, uint32_t cluster)
{
	const uint32_t rows_of_slice = group_rows * groups;
	uint32_t deepest = 0, n = 0;

	/* The depth of a slice is the number of slices of its plane that come before it. */
	for (unsigned i = 0; i < count; i++) {
		tasks[i].depth = 0;
		for (unsigned k = 0; k < i; k++)
			if (tasks[k].words == tasks[i].from)
				tasks[i].depth = tasks[k].depth +
						 rip_wave_slices(tasks[k].rows, groups);

		const uint32_t end = tasks[i].depth + rip_wave_slices(tasks[i].rows, groups);

		deepest = end > deepest ? end : deepest;
	}
	/* So many slices of a task as a cluster has are next to each other, and linked if they
	 * are in the same cluster. */
	for (uint32_t depth = 0; depth < deepest; depth++)
		for (unsigned i = 0; i < count; i++) {
			const rip_wave_task *task = &tasks[i];
			const uint32_t number = depth - task->depth;
			const uint32_t all = rip_wave_slices(task->rows, groups);

			if (depth < task->depth || number % cluster)
				continue;
			for (uint32_t k = number; k < all && k < number + cluster; k++, n++) {
				rip_wave_task *slice = &ring[(first * cluster + n) & mask];

				set_slice(slice, task, k, rows_of_slice);
				if (k == number || n % cluster == 0)
					continue;
				slice->links = RIP_WAVE_FROM_NEIGHBOUR;
				ring[(first * cluster + n - 1) & mask].links |=
					RIP_WAVE_TO_NEIGHBOUR;
			}
		}
	for (; n % cluster; n++)
		ring[(first * cluster + n) & mask] = rip_wave_task(); /* no rows */
	return n;
}

/* So much shared memory that no two blocks fit into a multiprocessor. */
static uint32_t alone(uint32_t shared)
{
	return shared / 2 + 2048;
}

uint32_t rip_wave_cluster(unsigned kind, uint32_t shared)
{
	if (kind % RIP_WAVE_KERNELS >= RIP_WAVE_APART)
		return 1;

	const struct kernel *kernel = &kernels[kind % RIP_WAVE_KERNELS];
	const uint32_t groups = rip_wave_groups(kind, shared);
	uint32_t cluster = kind < RIP_WAVE_KERNELS ? 1 : RIP_WAVE_CLUSTER_MAX;

	while (cluster > 1 && !rip_clusters_fit(kernel->function, cluster, dim3(threads_of(groups)),
						alone(shared)))
		cluster /= 2;
	return cluster;
}

cudaError_t rip_wave_prepare(uint32_t shared)
{
	cudaError_t error = cudaSuccess;

	for (const struct kernel &kernel : kernels)
		for (const auto function : { kernel.function, kernel.many })
			if (error == cudaSuccess)
				error = cudaFuncSetAttribute(
					function, cudaFuncAttributeMaxDynamicSharedMemorySize,
					(int)shared);
	for (const auto &kernel : colour_kernels)
		if (error == cudaSuccess)
			error = cudaFuncSetAttribute(kernel.function,
						     cudaFuncAttributeMaxDynamicSharedMemorySize,
						     (int)shared);
	return error;
}

/* A launch of so few slices, such as all of a plane, gives each a multiprocessor of its own: each
 * slice waits for the one before, so that the slowest delays all. */
static const uint32_t few_slices = 512;

static cudaError_t run_colour(unsigned kernel, const rip_wave_launch *launch, cudaStream_t stream)
{
	const auto &colour = colour_kernels[kernel - RIP_WAVE_APART];
	uint32_t shared = colour_places_of(launch->planes, colour.sample_bytes, colour.bits).end;

	if (launch->slices <= few_slices && shared < alone(launch->shared) &&
	    alone(launch->shared) <= launch->shared)
		shared = alone(launch->shared);
	RIP_LAUNCH(colour.function, dim3(launch->slices), colour_threads(launch->planes), shared,
		   stream, *launch);
	return cudaGetLastError();
}

cudaError_t rip_wave_run(unsigned kernel, const rip_wave_launch *launch, cudaStream_t stream)
{
	if (kernel >= RIP_WAVE_APART)
		return run_colour(kernel, launch, stream);

	uint32_t shared = shared_bytes(&kernels[kernel], launch->groups);

	if (launch->slices <= few_slices && shared < alone(launch->shared) &&
	    alone(launch->shared) <= launch->shared)
		shared = alone(launch->shared);
	if (launch->cluster > 1)
		return rip_launch_clusters(kernels[kernel].function, launch->cluster,
					   dim3(launch->slices), dim3(threads_of(launch->groups)),
					   shared, stream, *launch);
	RIP_LAUNCH(kernels[kernel].many, dim3(launch->slices), threads_of(launch->groups), shared,
		   stream, *launch);
	return cudaGetLastError();
}
