/*
 * The SIMD wavefront: Floyd-Steinberg, 2 levels, many rows at a time.
 *
 * Error diffusion is a chain from pixel to pixel of a row, so a vector holds pixels of
 * different rows: its lanes are rows, and each lane runs a few columns behind the lane
 * above, whose errors it needs.  A strip is as many rows as there are lanes.  A lane that
 * ends its row goes on with its row of the next strip at once, so that only the first and
 * the last strip of a job have a ramp.  simd_wave.inc says how; here is what the rest of
 * the engine sees.
 *
 * A job is some rows of one plane.  Several threads may run it at once, each in memory of
 * its own: each draws the next strip that nobody has, and follows the thread that has the
 * strip above by the columns that are done there.
 *
 * Why waiting ends.  Strips are drawn in order, by threads that run.  A block of a strip
 * waits for the strip above to be `ramp` blocks ahead, and so, through T strips, for the
 * same thread's last strip to be T*ramp blocks ahead.  There it is, if T*ramp is less than
 * a strip's blocks: rip_simd_job.limit is the largest such T.
 */
#ifndef RIP_SIMD_H
#define RIP_SIMD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIP_SIMD_THREADS_MAX 32  /* that may run one job at once */

/* Values before and after a carry that a kernel may read and write: it takes the widest
 * geometry's narrowest page for that many columns, and touches one value more on either
 * side.  simd_block.inc asserts it for each.  A multiple of 32 (a cache line). */
#define RIP_SIMD_PAD 352

struct rip_simd_job;

/* A wave: the wavefront of one instruction set, with some number of lanes. */
struct rip_simd_wave {
	uint32_t lanes; /* rows of a strip */
	uint32_t block; /* columns that are computed at a time */
	uint32_t ramp;  /* blocks that a strip is behind the one above */
	uint32_t cost;  /* of a step of all lanes, against the other wave of the set */
	size_t   size;  /* bytes that a thread needs, aligned to 64 */
	void (*init)(void *memory);
	/* Draws strips and does them until there are no more. */
	void (*run)(void *memory, struct rip_simd_job *job);
};

/* The waves of an instruction set. */
struct rip_simd_isa {
	const char *name;     /* as --isa spells it */
	unsigned    features; /* of cpu.h that it needs */
	const struct rip_simd_wave *wide;   /* for pages */
	const struct rip_simd_wave *narrow; /* for few rows and narrow pages; may be NULL */
};

/* All that this build has for its processor, best last, ended by one without a name. */
extern const struct rip_simd_isa rip_simd_isas[];

/* How many columns of carry a strip has left for the strip below.  The strip's number is
 * in the upper half: a counter belongs to every RIP_SIMD_STRIPSth strip, and a later
 * strip's count says that an earlier one is done. */
struct rip_simd_progress {
	_Alignas(64) _Atomic uint64_t columns;
};

#define RIP_SIMD_STRIPS 128 /* more than can be unfinished: two of each thread */

/* Some rows of a plane; buffers as in struct rip_strip (engine.h). */
struct rip_simd_rows {
	const void     *in;
	ptrdiff_t       in_pitch;
	uint8_t        *out;
	ptrdiff_t       out_pitch;
	uint32_t        width;
	uint32_t        count; /* 1 or more */
	uint32_t        sample_bytes; /* 1 or 2 */
	const uint16_t *curve; /* 256 or 65536 values of x by sample, or NULL: 257*v, v */
	/* In place, before these rows and after them: width values, with room for
	 * RIP_SIMD_PAD before and RIP_SIMD_PAD after them that may be overwritten. */
	int16_t        *carry;
};

struct rip_simd_job {
	struct rip_simd_rows rows;
	const struct rip_simd_wave *wave;
	uint32_t strips;
	uint32_t limit;   /* threads that may run it at once */
	uint32_t workers; /* threads that are likely to: says what to fetch ahead */
	_Alignas(64) _Atomic uint32_t next; /* the next strip to draw */
	struct rip_simd_progress progress[RIP_SIMD_STRIPS];
};

/* Chooses the wave, and gets ready for some threads (1 or more) to run the job. */
void rip_simd_job_init(struct rip_simd_job *job, const struct rip_simd_isa *isa,
		       const struct rip_simd_rows *rows, uint32_t threads);

/* Whether all strips are drawn. */
static inline bool rip_simd_job_drawn(struct rip_simd_job *job)
{
	return atomic_load_explicit(&job->next, memory_order_relaxed) >= job->strips;
}

/* The next strip; job->strips: there is none. */
static inline uint32_t rip_simd_draw(struct rip_simd_job *job)
{
	uint32_t n = job->strips;

	if (!rip_simd_job_drawn(job))
		n = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
	return n < job->strips ? n : job->strips;
}

/* What a counter says at least when strip n has left that many. */
static inline uint64_t rip_simd_count(uint32_t n, uint32_t columns)
{
	return (uint64_t)n << 32 | columns;
}

/* Strip n has left that many columns of carry. */
static inline void rip_simd_publish(struct rip_simd_job *job, uint32_t n, uint32_t columns)
{
	atomic_store_explicit(&job->progress[n % RIP_SIMD_STRIPS].columns, rip_simd_count(n, columns),
			      memory_order_release);
}

/* What the counter of strip n says. */
static inline uint64_t rip_simd_published(struct rip_simd_job *job, uint32_t n)
{
	return atomic_load_explicit(&job->progress[n % RIP_SIMD_STRIPS].columns,
				    memory_order_acquire);
}

/* Waits until strip n has left that many; returns what its counter then says. */
uint64_t rip_simd_wait(struct rip_simd_job *job, uint32_t n, uint32_t columns);

/* Tells the processor that this is a loop that waits. */
static inline void rip_simd_pause(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("yield");
#endif
}

#endif
