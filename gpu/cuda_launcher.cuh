/*
 * The launcher: a thread for each engine that starts what its pages bring.
 *
 * A page copies a bite to the device on the stream `in`, and hands its slot over.  The
 * launcher waits for the copy, and starts at once what has arrived, up to RIP_CUDA_AT_ONCE
 * launches side by side: mostly there is one more band of a plane, and it runs close behind
 * the band before (wavefront.cuh says why launches may).  If that many are running, what
 * arrives meanwhile goes into one launch: bands of all planes, pages and jobs that one
 * kernel can do.  Behind each launch the dots of its bites are copied back on `out`.
 *
 * Launches go to RIP_CUDA_AT_ONCE streams in turn, dots to one stream: so when the dots of
 * a launch are copied all launches before have ended too.  If a launch's blocks were
 * overtaken by those of a later one (wavefront.cuh), its parts may be done later than it
 * ends, and its dots were copied too early: the page then waits for everything and
 * copies them again.  We have not seen it happen.
 *
 * Why each wait ends.  The launcher waits for pages, which is no work; for a copy to the
 * device, which waits for nothing; for a launch, all of whose waits end by themselves, at
 * the latest when their patience is over.  A page waits for the launcher to take its slot,
 * and for a copy that follows a launch.  All that ends too when the device fails, since
 * CUDA then says so to everyone.  A driver that says nothing at all cannot be helped
 * here: the daemon gives up such a session.
 *
 * submit and await may be called by any thread; a slot by one at a time.
 */
#ifndef RIP_CUDA_LAUNCHER_CUH
#define RIP_CUDA_LAUNCHER_CUH

#include "cuda_lane.cuh"

#define RIP_CUDA_AT_ONCE 4
#define RIP_CUDA_PARTS   4096 /* tickets at a time; a power of two */

/* Parts that a launch may have: those of the launches that run, and of one more, fit. */
#define RIP_CUDA_PARTS_MAX (RIP_CUDA_PARTS / (RIP_CUDA_AT_ONCE + 1))

/* Pages that one kernel can do. */
struct rip_cuda_kind {
	rip_wave_part *parts;   /* ring of RIP_CUDA_PARTS, pinned */
	uint32_t      *ticket;  /* on the device */
	uint32_t       tickets; /* given out so far */
	uint32_t       warps;   /* strips in a part */
};

struct rip_cuda_launcher {
	rip_cuda_engine *engine;
	cudaStream_t     in, out;
	cudaStream_t     run[RIP_CUDA_AT_ONCE];
	cudaEvent_t      made[RIP_CUDA_AT_ONCE]; /* the latest launch of each has ended */
	rip_cuda_kind    kind[RIP_WAVE_KINDS];
	rip_cuda_buffer  rings, tickets;  /* of all kinds: pinned; on the device */
	uint32_t        *swapped;         /* pinned: number of a launch that was overtaken */
	uint32_t        *stalled;         /* pinned: not 0 after a wait that did not end */
	/* the thread's: */
	uint32_t         number;          /* of the latest launch */
	uint32_t         seen;            /* of *swapped */
	rip_wave_part   *works;           /* for a launch */
	/* guarded by the lock: */
	pthread_mutex_t  lock;
	pthread_cond_t   come, gone;      /* a slot waits; a slot does not wait any more */
	rip_cuda_slot   *first, *last;    /* that wait */
	rip_cuda_counts  counts;
	bool             stopping;
	pthread_t        thread;
	bool             running;
};

/* Makes everything and starts the thread, for an engine whose device is current. */
int rip_cuda_launcher_init(rip_cuda_launcher *launcher, rip_cuda_engine *engine);

/* After all pages.  Also of one that was not made, or only half. */
void rip_cuda_launcher_finish(rip_cuda_launcher *launcher);

/* Hands over a slot that is idle; its event `arrived` has been recorded. */
void rip_cuda_launcher_submit(rip_cuda_launcher *launcher, rip_cuda_slot *slot);

/* Waits until the launcher has done with a slot.  0: its dots are in slot->dots[].stop or
 * .to; or a negative errno.  The slot is idle then. */
int rip_cuda_launcher_await(rip_cuda_launcher *launcher, rip_cuda_slot *slot);

rip_cuda_counts rip_cuda_launcher_counts(rip_cuda_launcher *launcher);

/* A published method: its launches for a slot, which has arrived, on a stream
 * (cuda_published.cu). */
int rip_cuda_published_launch(rip_cuda_engine *engine, rip_cuda_slot *slot, cudaStream_t stream);
uint64_t rip_cuda_published_scratch(rip_cuda_engine *engine, const rip_gpu_shape *shape,
				    uint32_t rows);

#endif
