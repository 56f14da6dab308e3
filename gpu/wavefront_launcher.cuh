/*
 * The launcher: a thread of the production engine that launches what its pages submit.
 *
 * A page submits a slot that holds a chunk of rows, which are copied to the device on the stream
 * `in`.  The launcher waits for the copy, or its first panel, and launches the chunk at once, up to
 * RIP_WAVE_AT_ONCE launches side by side.  Mostly a chunk is one more band of some planes:
 * it runs close behind the band before (wavefront.cuh says why launches may overlap).  If
 * that many launches are running, whatever arrives in the meantime goes into one launch:
 * bands of all planes, pages and jobs that one kernel can compute.  After each launch the
 * dots of its chunks are copied back on the stream `out`.
 *
 * Each copy costs some microseconds more than its bytes.  So while enough others are under way, a
 * slot is held, and the page may still add the next band to it.  The launcher sends it when there
 * is little left to copy.  Rows that have to go through staging, and those that are submitted, are
 * sent by the page at once.  When a page begins to wait for its last chunk of one plane, and that
 * is still held, it is sent in panels of columns.  A launch needs its columns one after the other,
 * so that it begins when the first panel is there, and lets words in only as far as the panels
 * have come.
 *
 * Rows in lines of pixels are gathered on a stream of its own, `gather`, so that the next copy does
 * not wait for that.  Then they have arrived.  There, too, the rows of pages whose planes are
 * halftoned together are scanned (scan.cuh).
 *
 * Launches go to RIP_WAVE_AT_ONCE streams in turn, dots to one stream.  So when the dots of
 * a launch are copied, all launches before it have ended too.  If blocks of a later launch
 * have overtaken those of a launch (wavefront.cuh), it may end before its slices are done,
 * and its dots were copied too early.  The page then waits for everything and copies them
 * again.  We have never seen this happen.
 *
 * Why each wait ends.  The launcher waits for pages when it has no work; for a copy to the device,
 * which waits for nothing, and a kernel that gathers, which waits for its copy and a place; for a
 * launch, whose own waits all end, at the latest when they time out.  A slot is held only while
 * others wait for their samples; each time the launcher has taken some of these, it looks at those
 * that are held.  A page waits for the launcher to take its slot, and for a copy that follows a
 * launch.  If the device fails, all waits end too, since CUDA then returns an error to everyone.
 * Nothing here helps against a driver that never returns: the daemon gives up such a session.
 *
 * Rows that were submitted (halftone/engine.h) nobody waits for: a second thread does, for one slot
 * after the other as they were launched, since their dots come back in that order.
 *
 * The launcher also frees what was released (cuda_workspace.cuh): it waits until its launches
 * have ended, and begins no other meanwhile.
 *
 * Any thread may call submit, take_back, hurry and await, for one slot one thread at a time.
 */
#ifndef RIP_WAVEFRONT_LAUNCHER_CUH
#define RIP_WAVEFRONT_LAUNCHER_CUH

#include "cuda_transfer.cuh"
#include "scan.cuh"
#include "wavefront.cuh"

#define RIP_WAVE_AT_ONCE 4
#define RIP_WAVE_QUEUE   2048 /* slices; a power of two */

/* Slices that a launch may have: those of five launches fit into the ring, each with slices without
 * rows that fill its last cluster.
 *
 * Why no slice is overwritten before the thread block that has drawn it has read it.  Launch k
 * is cut when launch k-4, and all before it, have ended, since the same stream ran k-4, k-8, ...
 * one after the other, and so did the other streams with k-5, k-6, k-7.  It overwrites slices of
 * launch k-5 or earlier: four launches lie between.  The n-th of all slices has been
 * drawn by now, because n blocks have ended.  Which block has drawn it?
 *
 *	- A block of launch k-4 or earlier: it has ended.
 *	- A block of launch k-3 to k-1: then some block of launch k-4 or earlier has drawn a
 *	  ticket of a later launch instead, and stored its number in *overtaken before it ended.
 *	  So start_batch() has seen that *overtaken has changed since it last waited for all
 *	  launches, and has waited for them again, before it cuts launch k.
 */
#define RIP_WAVE_SLICES_MAX (RIP_WAVE_QUEUE / (RIP_WAVE_AT_ONCE + 1) - RIP_WAVE_CLUSTER_MAX)

enum rip_wave_slot_state {
	RIP_WAVE_IDLE,     /* the page's */
	RIP_WAVE_HELD,     /* the launcher's: its samples wait for others that are being copied */
	RIP_WAVE_WAITING,  /* the launcher's: its samples are on their way to the device */
	RIP_WAVE_LAUNCHED  /* the page's, or if it was submitted the second thread's: its event
			      `received` will say when the dots are back */
};

/* A slot: the buffers of a chunk, from the copy to the device until its dots are back. */
struct wavefront_page;

struct rip_wave_slot {
	rip_cuda_transfer transfer;
	const rip_cuda_row *row;                 /* of the page */
	cudaEvent_t       sent, received;        /* samples (or first panel) copied, rows gathered;
						    dots copied */
	uint32_t          number;                /* of the page's chunks */
	unsigned          kind;                  /* rip_wave_kind() */
	rip_wave_task     tasks[RIP_PLANES_MAX];
	unsigned          count;                 /* of tasks: one for each plane of the transfer, or
						    one for all that are halftoned together */
	rip_row_scan          scan;                  /* of these: fills the planes of the task */
	unsigned          copies[RIP_PLANES_MAX]; /* of carries that the tasks begin with */
	rip_submission   *submission;            /* or NULL: the page will wait */
	wavefront_page   *page;
	bool              stall;                 /* a test wants it to wait in vain */
	/* guarded by the launcher's lock: */
	bool              panels;                /* samples go in panels of columns; fixed then */
	rip_wave_slot_state state;
	bool              arrived;               /* if WAITING: `sent` is known to have come */
	int               result;                /* of the launch, when no longer WAITING */
	uint32_t          overtaken;             /* *launcher.overtaken before the launch */
	rip_wave_slot    *next;                  /* that waits, is held, or is to be completed */
};

/* Completes a submission that has come back, or failed; the slot becomes idle after it. */
typedef void rip_wave_complete(rip_wave_slot *slot, int result);

/* What the launches of one kind share. */
struct rip_wave_tickets {
	rip_wave_task *ring;    /* RIP_WAVE_QUEUE slices, page-locked */
	uint32_t      *counter; /* on the device */
	uint32_t       given;   /* so far: clusters */
	uint32_t       groups;  /* in a slice */
	uint32_t       cluster; /* slices in a cluster */
};

struct rip_wave_launcher {
	rip_cuda_device *device;
	size_t           enough_bytes;
	cudaStream_t     in, gather, out;
	cudaStream_t     run[RIP_WAVE_AT_ONCE];
	cudaEvent_t      ended[RIP_WAVE_AT_ONCE]; /* the latest launch of each stream */
	rip_wave_tickets tickets[RIP_WAVE_KINDS];
	rip_cuda_buffer  host_rings;        /* rings of all kinds, *overtaken, *stalled */
	rip_cuda_buffer  counters;          /* of all kinds, on the device */
	uint32_t        *overtaken;         /* number of a launch that was overtaken */
	uint32_t        *stalled;           /* not 0 after a wait that did not end */
	/* the thread's: */
	uint32_t         number;            /* of the latest launch */
	uint32_t         overtaken_seen;    /* *overtaken, as it was last seen */
	rip_wave_task   *tasks;             /* of a launch */
	/* guarded by the lock: */
	pthread_mutex_t  lock;
	pthread_cond_t   submitted, launched; /* signals: a slot waits; slots wait no longer */
	rip_wave_slot   *first, *last;      /* that wait */
	rip_wave_slot   *first_held, *last_held;
	rip_wave_slot   *first_away, *last_away; /* submissions that were launched */
	bool             stopping;
	unsigned         reaps, reaped;     /* frees that were requested, and that were done */
	pthread_cond_t   away;              /* signals: there is one */
	rip_wave_complete *complete;
	pthread_t        thread, completer;
	bool             running, completes; /* the threads */
};

/* Makes everything and starts the thread, for a device that is current.  enough_bytes: of samples
 * on their way to the device, which keep it busy until the launcher sends more.  0 or a negative
 * errno; rip_wave_launcher_finish() is needed either way. */
int rip_wave_launcher_init(rip_wave_launcher *launcher, rip_cuda_device *device,
			   size_t enough_bytes, rip_wave_complete *complete);

/* After all pages.  A launcher that was never initialised but cleared is allowed. */
void rip_wave_launcher_finish(rip_wave_launcher *launcher);

/* Hands over a slot that is idle: its transfer, row, kind and tasks are set.  0, or a negative
 * errno if its samples cannot be sent; then the slot is still the page's. */
int rip_wave_launcher_submit(rip_wave_launcher *launcher, rip_wave_slot *slot);

/* Takes back the slot that the page submitted last, if it is still held; false: it is not. */
bool rip_wave_launcher_take_back(rip_wave_launcher *launcher, rip_wave_slot *slot);

/* Says that the page will now wait for the slot that it submitted last.  If that is still held, and
 * large, its samples are sent in panels of columns: a launch takes long to get from column to
 * column, and so it begins while the others are still copied. */
void rip_wave_launcher_hurry(rip_wave_launcher *launcher, rip_wave_slot *slot);

/* Has the launcher free what the device's engine has released, as soon as no launch runs; wait:
 * returns when that is done. */
void rip_wave_launcher_reap(rip_wave_launcher *launcher, bool wait);

/* Whether a slot was submitted, and is idle again. */
bool rip_wave_launcher_completed(rip_wave_launcher *launcher, const rip_wave_slot *slot);

/* Waits until a slot is done, and makes it idle.  0: its dots are where the transfer's
 * dots[] say, or it was completed; or a negative errno. */
int rip_wave_launcher_await(rip_wave_launcher *launcher, rip_wave_slot *slot);

#endif
