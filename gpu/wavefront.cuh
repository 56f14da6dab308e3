/*
 * The wavefront, for the production engine: one launch computes all rows at hand, in groups
 * that wait for their neighbours by flags in memory instead of for launches.
 *
 * Words.  A task is some rows of one plane.  It is cut into slices of up to 128 rows, each
 * for one thread block.  A launch takes tasks of any planes, pages and jobs that the same
 * kernel can compute (rip_wave_kernel()), and several of one plane if they are in order.
 *
 * The carry of a plane stays on the device, as 64-bit words {sequence, two values}: those of
 * columns 0 and 1, 2 and 3, ..., or the two values of column 0, 1, ... if the carry has two rows;
 * the last word has no carries and only announces the others.  A slice with sequence n waits until
 * a word says n.  It then writes the word again, with n + 1 and what its own last row sends.  So
 * the slices of a plane follow each other, in one launch or in several.  A word is read by one
 * access, and its number says whether it is valid.
 *
 * The slices of a task write to the task's own words; only the first of them reads others, those of
 * the task before.  So the carry after a task can be copied while the next ones run.  A task may
 * use words again that an earlier one of its plane had: a slice writes a word only after the slices
 * before it have read theirs of that column, and so has the task that read what it overwrites.
 * What was there has smaller numbers, as no page has 2^32 slices.
 *
 * Pages of one plane run in clusters of thread blocks (task.h): there a ticket names as many slices
 * as a cluster has blocks, and slices without rows fill the last cluster of a launch.  Slices that
 * follow each other in a cluster hand carries over in shared memory.  Launches with and without
 * clusters are of different kinds and have different counters.
 *
 * Why launches may overlap, and wait for each other.  Slices lie in a ring, in dependency
 * order over all launches of a kind.  A block draws a ticket, which names its slice, from
 * one counter for all of them.  The launches that have begun have as many blocks as slices,
 * and only a block that runs draws a ticket.  So every slice before one that runs has ended
 * or runs too, whichever launch's block has drawn it.  Nothing needs a free place on the
 * device, or a launch that has not begun, to end.  The caller makes sure that rows are on
 * the device before it starts the launch with their slices, or that copies which bring them are
 * under way and wait for nothing (rip_wave_task.admitted), and starts the launches of a kind in the
 * order of their slices.
 *
 * What the end of a launch means.  Normally its own blocks have computed its own slices.
 * But blocks of a later launch may have overtaken its last ones: then these have drawn
 * tickets of the later launch, and the end of their own launch does not mean that its
 * slices are done.  A block that draws a ticket of another launch stores its own launch's
 * number in *overtaken before it ends.  If all launches up to some launch have ended and
 * *overtaken has not changed, their slices are done: they drew as many tickets as they have
 * slices, and all of them were their own.  Otherwise they are done when all launches that
 * have begun have ended.
 */
#ifndef RIP_WAVEFRONT_CUH
#define RIP_WAVEFRONT_CUH

#include "intrinsics.cuh"
#include "task.h"

#define RIP_WAVE_KERNELS 25
#define RIP_WAVE_APART   19 /* kernels before it compute each plane apart */
#define RIP_WAVE_KINDS (2 * RIP_WAVE_KERNELS)

/* Whether there are kernels for a screen (enum rip_screen_id) that halftones planes apart. */
bool rip_wave_takes(uint32_t screen);

/* Columns that a word of the carry has with a screen: 2, or 1 if a column has two values. */
uint32_t rip_wave_per_word(uint32_t screen);

/* Which kernel computes pages of this shape: 0..RIP_WAVE_KERNELS-1.  Only pages of Floyd and
 * Steinberg's filter with 8 bits and two levels can do without targets by sample. */
unsigned rip_wave_kernel(const rip_gpu_shape *shape);

/* Pages that run with one kernel and the same clusters are of one kind: a kernel, or
 * RIP_WAVE_KERNELS more for those in clusters.  Launches of a kind share tickets.  Clusters
 * make a page of one plane faster, and many planes at once slower.  Of pages whose planes are
 * halftoned together, those with more than RIP_WAVE_FEW planes are of the second kind. */
static inline unsigned rip_wave_kind(unsigned kernel, unsigned planes)
{
	const bool second = kernel < RIP_WAVE_APART ? planes == 1 : planes > RIP_WAVE_FEW;

	return second ? kernel + RIP_WAVE_KERNELS : kernel;
}

/* Planes that a thread block of a kind has room for. */
uint32_t rip_wave_planes(unsigned kind);

/* Whether a thread block of a kind needs no more than `shared` bytes of shared memory. */
bool rip_wave_fits(unsigned kind, uint32_t shared);

/* The slices in a cluster of a kind on the current device, whose thread blocks may use `shared`
 * bytes of shared memory: 1 for devices without clusters. */
uint32_t rip_wave_cluster(unsigned kind, uint32_t shared);

/* How many groups a slice of a kind should have when a thread block may use `shared` bytes of
 * shared memory. */
uint32_t rip_wave_groups(unsigned kind, uint32_t shared);

/* Once for each device, before the first launch on it: allows the kernels to use that much
 * shared memory. */
cudaError_t rip_wave_prepare(uint32_t shared);

/* Puts a launch on a stream. */
cudaError_t rip_wave_run(unsigned kernel, const rip_wave_launch *launch, cudaStream_t stream);

/* How many slices so many rows have. */
static inline uint32_t rip_wave_slices(uint32_t rows, uint32_t groups)
{
	return (rows + RIP_WAVE_LANES * groups - 1) / (RIP_WAVE_LANES * groups);
}

/* Cuts tasks into slices, and puts these into the ring from ticket `first` on: in
 * dependency order, those that can run at once next to each other, but in clusters those that
 * follow each other.  Tasks of one plane are in order.  Returns how many slices there are: a
 * multiple of the cluster. */
uint32_t rip_wave_cut(rip_wave_task *ring, uint32_t mask, uint32_t first, rip_wave_task *tasks,
		      unsigned count, uint32_t groups, uint32_t cluster);

/* Words of a plane: one for two columns, or for each, for a multiple of 16 columns, and the
 * one that announces them.  per_word: of the page's screen. */
static __host__ __device__ __forceinline__ uint32_t rip_wave_words(uint32_t per_word,
								   uint32_t width)
{
	return (width + 15) / 16 * 16 / per_word + 1;
}

/* Makes the words of a carry: width values for each row of the screen's reach. */
static inline void rip_wave_pack(uint64_t *words, uint32_t sequence, const int16_t *carry,
				 uint32_t per_word, uint32_t width, int reach)
{
	for (uint32_t w = 0; w < rip_wave_words(per_word, width); w++) {
		const uint64_t j = (uint64_t)per_word * w; /* the low half's column */
		/* Where the high half is: in the next column, or row. */
		const uint64_t high_at = per_word == 2 ? j + 1 : width + j;
		const bool has_high = per_word == 2 ? j + 1 < width : j < width && reach == 2;
		const uint32_t low = j < width ? (uint16_t)carry[j] : 0;
		const uint32_t high = has_high ? (uint16_t)carry[high_at] : 0;

		words[w] = (uint64_t)sequence << 32 | high << 16 | low;
	}
}

/* The carry that words have; false if one has another number. */
static inline bool rip_wave_unpack(int16_t *carry, uint32_t sequence, const uint64_t *words,
				   uint32_t per_word, uint32_t width, int reach)
{
	bool right = true;

	for (uint32_t w = 0; w < rip_wave_words(per_word, width); w++) {
		const uint64_t j = (uint64_t)per_word * w;

		if (j < width)
			carry[j] = (int16_t)words[w];
		if (per_word == 2 && j + 1 < width)
			carry[j + 1] = (int16_t)(words[w] >> 16);
		if (per_word == 1 && j < width && reach == 2)
			carry[width + j] = (int16_t)(words[w] >> 16);
		right = right && words[w] >> 32 == sequence;
	}
	return right;
}

#endif
