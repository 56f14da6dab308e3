/*
 * The production path of BWED and BWEC: one launch for all rows at hand, in which
 * strips wait for their neighbours by flags instead of launches.
 *
 * Work comes in parts: up to 128 rows of one plane.  A launch takes parts of any planes,
 * pages and jobs, as long as one kernel can do them (rip_wave_kind()), and several parts
 * of a plane if they are in order.
 *
 * The carry of a plane stays on the device, as 64-bit words {sequence, two carries}, for
 * columns 0 and 1, 2 and 3, ...; the last word has none and only says that the others
 * will come soon.  A part with sequence n waits until a word says n, and
 * leaves it there with n + 1 and what its own last row sends.  So parts of a plane
 * follow each other whether they are in one launch or in several, a word is taken by
 * one access that says itself whether it is there, and numbers may wrap: of a plane
 * all words say n when part n begins, and only it writes n + 1.
 *
 * Why launches may overlap, and wait for each other.  Parts lie in a ring, in dependency
 * order over all launches of a kind, and a block draws the ticket that names its
 * part from one counter for all of them.  The launches that have begun have as many blocks
 * as parts, and a ticket is drawn only by a block that runs; so every part before a
 * part that runs has ended or runs too, whichever launch's block has drawn it, and
 * nothing needs a free place on the device, or a launch that has not begun, to end.
 * What the caller has to see to: rows are on the device before a launch is begun that
 * brings parts for them, and launches of a kind are begun in the order of their parts.
 *
 * What a launch's end means.  Mostly its own blocks have done its own parts.  But blocks of
 * a later launch may have overtaken its last ones; then these have drawn tickets of the
 * later launch, and its end says nothing about its own parts.  A block that draws a
 * ticket of another launch leaves its own launch's number in *swapped before it ends.  So
 * if all launches up to some launch have ended and *swapped has not changed, their parts
 * are done: as many tickets were drawn as they have parts, and all of them theirs.  Else
 * they are done when all launches have ended that have begun.
 */
#ifndef RIP_WAVEFRONT_CUH
#define RIP_WAVEFRONT_CUH

#include "device.cuh"
#include "work.h"

#define RIP_WAVE_WARPS 4  /* strips that a part can have */
#define RIP_WAVE_ROWS  32 /* of a strip */
#define RIP_WAVE_KINDS 7

/* A part; or rows of a plane that are to be cut into parts.  Arrays are on the device. */
struct rip_wave_part {
	const uint8_t *in;        /* aligned to RIP_GPU_ALIGN */
	uint8_t       *out;
	uint64_t      *words;     /* the plane's carry */
	const int32_t *targets;   /* as in rip_gpu_shape */
	uint32_t       in_pitch;  /* a multiple of 16 */
	uint32_t       out_pitch;
	uint32_t       sequence;
	uint32_t       rows;      /* of a part: 1..RIP_WAVE_ROWS * warps */
	uint32_t       width, levels;
	uint32_t       depth;     /* rip_wave_order()'s */
	uint32_t       reserved;
};

struct rip_wave {
	const rip_wave_part *parts; /* ring, memory that the host has written */
	uint32_t  mask;     /* its size - 1; a power of two */
	uint32_t  first;    /* ticket of the launch's first part */
	uint32_t  blocks;   /* parts of the launch */
	uint32_t  warps;    /* strips in a part, 1..RIP_WAVE_WARPS */
	uint32_t *ticket;   /* counts on from launch to launch of a kind */
	uint32_t  number;   /* of the launch */
	uint32_t *swapped;  /* it is written here by a block that draws another's ticket */
	uint32_t *stalled;  /* not 0 after a wait that did not end in time: then all give up */
	uint64_t  patience; /* nanoseconds */
};

/* Which kernel does pages of this shape: 0..RIP_WAVE_KINDS-1. */
unsigned rip_wave_kind(const rip_gpu_shape *shape);

/* How many strips a part can have when a block may take so many bytes of shared
 * memory. */
uint32_t rip_wave_warps(unsigned kind, uint32_t shared);

/* Once for each device, before the first launch on it: the kernels may take that much
 * shared memory. */
cudaError_t rip_wave_prepare(uint32_t shared);

cudaError_t rip_wave_launch(unsigned kind, const rip_wave *wave, cudaStream_t stream);

/* Parts of so many rows. */
static inline uint32_t rip_wave_parts(uint32_t rows, uint32_t warps)
{
	return (rows + RIP_WAVE_ROWS * warps - 1) / (RIP_WAVE_ROWS * warps);
}

/* Cuts works, which are rows of planes, into parts, and puts them into the ring from ticket
 * `first` on: parts in dependency order, and beside each other what can run beside each
 * other.  Works of one plane stand in order.  Returns how many parts that are. */
uint32_t rip_wave_order(rip_wave_part *ring, uint32_t mask, uint32_t first, rip_wave_part *works,
			unsigned count, uint32_t warps);

/* Words of a plane: two columns in each, as many as make whole turns of four columns, and
 * the one that goes before. */
static __host__ __device__ __forceinline__ uint32_t rip_wave_words(uint32_t width)
{
	return (width + 3) / 4 * 2 + 1;
}

/* The words for a carry of width values; and back, if all say that sequence. */
static inline void rip_wave_pack(uint64_t *words, uint32_t sequence, const int16_t *carry,
				 uint32_t width)
{
	for (uint32_t w = 0; w < rip_wave_words(width); w++) {
		const uint32_t low = 2 * w < width ? (uint16_t)carry[2 * w] : 0;
		const uint32_t high = 2 * w + 1 < width ? (uint16_t)carry[2 * w + 1] : 0;

		words[w] = (uint64_t)sequence << 32 | high << 16 | low;
	}
}

static inline bool rip_wave_unpack(int16_t *carry, uint32_t sequence, const uint64_t *words,
				   uint32_t width)
{
	bool right = true;

	for (uint32_t w = 0; w < rip_wave_words(width); w++) {
		if (2 * w < width)
			carry[2 * w] = (int16_t)words[w];
		if (2 * w + 1 < width)
			carry[2 * w + 1] = (int16_t)(words[w] >> 16);
		right = right && words[w] >> 32 == sequence;
	}
	return right;
}

#endif
