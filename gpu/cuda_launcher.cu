/* Starts what pages bring: copies have arrived, launches go out, dots come back. */
#include "cuda_launcher.cuh"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static const uint64_t patience = 5000000000ull;     /* ns: what a launch may wait for itself */
static const uint64_t stall_patience = 50000000ull; /* the same if a test wants a stall */

__global__ void rip_cuda_trap()
{
	rip_trap();
}

static int idle(rip_cuda_launcher *launcher)
{
	int r = 0;

	for (cudaStream_t run : launcher->run)
		if (r == 0)
			r = rip_cuda_try(launcher->engine, cudaStreamSynchronize(run));
	return r;
}

static int copy_back(rip_cuda_launcher *launcher, const rip_cuda_slot *slot)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < slot->count; i++) {
		const rip_cuda_dots *dots = &slot->dots[i];
		uint8_t *to = dots->stop ? dots->stop : dots->to;
		const size_t to_pitch = dots->stop ? dots->from_pitch : (size_t)dots->to_pitch;
		cudaError_t error;

		if (rip_cuda_fails(launcher->engine, RIP_CUDA_COPY))
			error = cudaErrorUnknown;
		else if (dots->stop || (to_pitch == dots->from_pitch && to_pitch == dots->bytes))
			error = cudaMemcpyAsync(to, dots->from, dots->rows * dots->from_pitch,
						cudaMemcpyDeviceToHost, launcher->out);
		else
			error = cudaMemcpy2DAsync(to, dots->rows > 1 ? to_pitch : dots->bytes, dots->from,
						  dots->from_pitch, dots->bytes, dots->rows,
						  cudaMemcpyDeviceToHost, launcher->out);
		r = rip_cuda_try(launcher->engine, error);
	}
	return r;
}

/* ---- a launch ---- */

/* Whether a slot that waits can go into a launch that has so many parts. */
static bool fits(const rip_cuda_launcher *launcher, const rip_cuda_slot *slot, uint32_t *parts)
{
	const uint32_t warps = launcher->kind[rip_wave_kind(&slot->shape)].warps;

	for (unsigned i = 0; i < slot->count; i++)
		*parts += rip_wave_parts(slot->parts[i].rows, warps);
	return *parts <= RIP_CUDA_PARTS_MAX;
}

static bool arrived(const rip_cuda_slot *slot)
{
	const bool has = cudaEventQuery(slot->arrived) == cudaSuccess;

	cudaGetLastError(); /* "not ready", which a launch would find */
	return has;
}

/* Takes what goes into one launch: the first slot that waits, and all of its kind that have
 * arrived, in order.  Where one has not, none behind it is looked at: it might be
 * the same page's. */
static rip_cuda_slot *take_locked(rip_cuda_launcher *launcher)
{
	rip_cuda_slot *batch = launcher->first, **to = &batch->next, *last = nullptr;
	const unsigned kind = rip_wave_kind(&batch->shape);
	uint32_t parts = 0;
	bool open = launcher->engine->flags;

	fits(launcher, batch, &parts);
	launcher->first = batch->next;
	for (rip_cuda_slot **at = &launcher->first; *at;) {
		rip_cuda_slot *slot = *at;
		const bool mine = open && rip_wave_kind(&slot->shape) == kind;

		if (mine && !(arrived(slot) && fits(launcher, slot, &parts)))
			open = false;
		if (mine && open) {
			*at = slot->next;
			*to = slot;
			to = &slot->next;
		} else {
			last = slot;
			at = &slot->next;
		}
	}
	*to = nullptr;
	launcher->last = last;
	return batch;
}

static int launch_wave(rip_cuda_launcher *launcher, const rip_cuda_slot *batch, cudaStream_t stream)
{
	const unsigned number = rip_wave_kind(&batch->shape);
	rip_cuda_kind *kind = &launcher->kind[number];
	unsigned count = 0;
	bool stall = false;
	rip_wave wave = {};

	for (const rip_cuda_slot *slot = batch; slot; slot = slot->next) {
		for (unsigned i = 0; i < slot->count; i++) {
			launcher->works[count] = slot->parts[i];
			if (slot->stall) /* no word will ever say that */
				launcher->works[count].sequence += 1u << 31;
			count++;
		}
		stall = stall || slot->stall;
	}
	wave.parts = kind->parts;
	wave.mask = RIP_CUDA_PARTS - 1;
	wave.first = kind->tickets;
	wave.warps = kind->warps;
	wave.ticket = kind->ticket;
	wave.number = launcher->number;
	wave.swapped = launcher->swapped;
	wave.stalled = launcher->stalled;
	wave.patience = stall ? stall_patience : patience;
	wave.blocks = rip_wave_order(kind->parts, wave.mask, wave.first, launcher->works, count,
				     kind->warps);
	kind->tickets += wave.blocks;
	return rip_cuda_try(launcher->engine, rip_wave_launch(number, &wave, stream));
}

/* Launches a batch, and starts its way back. */
static int start(rip_cuda_launcher *launcher, rip_cuda_slot *batch, unsigned turn)
{
	rip_cuda_engine *engine = launcher->engine;
	const cudaStream_t stream = launcher->run[turn];
	bool swap;
	int r = 0;

	launcher->number++;
	if (*(volatile uint32_t *)launcher->swapped != launcher->seen) {
		/* Blocks of launches that told may still run: one that tells later must be of
		 * another launch. */
		r = idle(launcher);
		launcher->seen = *(volatile uint32_t *)launcher->swapped;
	}
	if (r == 0 && rip_cuda_fails(engine, RIP_CUDA_START))
		r = rip_cuda_error(engine, cudaErrorLaunchFailure);
	if (r == 0 && rip_cuda_fails(engine, RIP_CUDA_TRAP))
		RIP_LAUNCH(rip_cuda_trap, 1, 1, 0, stream);
	if (r == 0)
		r = engine->flags ? launch_wave(launcher, batch, stream)
				  : rip_cuda_published_launch(engine, batch, stream);
	if (r == 0)
		r = rip_cuda_try(engine, cudaEventRecord(launcher->made[turn], stream));
	if (r == 0)
		r = rip_cuda_try(engine, cudaStreamWaitEvent(launcher->out, launcher->made[turn], 0));
	swap = r == 0 && rip_cuda_fails(engine, RIP_CUDA_SWAP);
	for (rip_cuda_slot *slot = batch; r == 0 && slot; slot = slot->next) {
		slot->swapped = launcher->seen;
		if (!swap)
			r = copy_back(launcher, slot);
		if (r == 0)
			r = rip_cuda_try(engine, cudaEventRecord(slot->left, launcher->out));
	}
	if (r < 0) /* nothing may reach the pages' memory later */
		cudaStreamSynchronize(launcher->out);
	if (swap) /* as if it had been overtaken before it had made anything */
		*(volatile uint32_t *)launcher->swapped = launcher->number;
	return r;
}

static void *launcher_main(void *argument)
{
	rip_cuda_launcher *launcher = (rip_cuda_launcher *)argument;
	rip_cuda_engine *engine = launcher->engine;

	pthread_mutex_lock(&launcher->lock);
	for (;;) {
		if (!launcher->first && launcher->stopping)
			break;
		if (!launcher->first) {
			pthread_cond_wait(&launcher->come, &launcher->lock);
			continue;
		}

		const cudaEvent_t oldest = launcher->first->arrived;
		/* A published method takes the carry that its launch before has left. */
		const unsigned turn = engine->flags ? launcher->number % RIP_CUDA_AT_ONCE : 0;

		pthread_mutex_unlock(&launcher->lock);

		int r = rip_cuda_enter(engine);

		if (r == 0)
			r = rip_cuda_try(engine, cudaEventSynchronize(oldest));
		if (r == 0)
			r = rip_cuda_try(engine, cudaEventSynchronize(launcher->made[turn]));
		pthread_mutex_lock(&launcher->lock);

		rip_cuda_slot *batch = take_locked(launcher);

		pthread_mutex_unlock(&launcher->lock);
		if (r == 0)
			r = start(launcher, batch, turn);
		pthread_mutex_lock(&launcher->lock);
		launcher->counts.launches++;
		while (batch) {
			rip_cuda_slot *next = batch->next;

			batch->result = r;
			batch->state = RIP_CUDA_LAUNCHED;
			batch = next; /* not the slot's any more: its page may use it again */
			launcher->counts.bites++;
		}
		pthread_cond_broadcast(&launcher->gone);
	}
	pthread_mutex_unlock(&launcher->lock);
	return nullptr;
}

/* ---- for pages ---- */

void rip_cuda_launcher_submit(rip_cuda_launcher *launcher, rip_cuda_slot *slot)
{
	pthread_mutex_lock(&launcher->lock);
	slot->state = RIP_CUDA_WAITING;
	slot->next = nullptr;
	if (launcher->first)
		launcher->last->next = slot;
	else
		launcher->first = slot;
	launcher->last = slot;
	pthread_cond_signal(&launcher->come);
	pthread_mutex_unlock(&launcher->lock);
}

int rip_cuda_launcher_await(rip_cuda_launcher *launcher, rip_cuda_slot *slot)
{
	rip_cuda_engine *engine = launcher->engine;
	int r;

	pthread_mutex_lock(&launcher->lock);
	while (slot->state == RIP_CUDA_WAITING)
		pthread_cond_wait(&launcher->gone, &launcher->lock);
	slot->state = RIP_CUDA_IDLE;
	r = slot->result;
	pthread_mutex_unlock(&launcher->lock);
	if (r == 0)
		r = rip_cuda_try(engine, cudaEventSynchronize(slot->left));
	if (r == 0 && *(volatile uint32_t *)launcher->stalled)
		r = rip_cuda_break(engine, -ETIMEDOUT);
	if (r == 0 && *(volatile uint32_t *)launcher->swapped != slot->swapped) {
		r = idle(launcher);
		if (r == 0)
			r = copy_back(launcher, slot);
		if (r == 0)
			r = rip_cuda_try(engine, cudaStreamSynchronize(launcher->out));
	}
	return r;
}

rip_cuda_counts rip_cuda_launcher_counts(rip_cuda_launcher *launcher)
{
	pthread_mutex_lock(&launcher->lock);

	const rip_cuda_counts counts = launcher->counts;

	pthread_mutex_unlock(&launcher->lock);
	return counts;
}

/* ---- its life ---- */

static int make_kinds(rip_cuda_launcher *launcher)
{
	rip_cuda_engine *engine = launcher->engine;
	const size_t ring = RIP_CUDA_PARTS * sizeof(rip_wave_part);
	int r = rip_cuda_grow(engine, &launcher->rings, RIP_WAVE_KINDS * ring + 2 * sizeof(uint32_t), true);

	if (r == 0)
		r = rip_cuda_grow(engine, &launcher->tickets, RIP_WAVE_KINDS * RIP_GPU_ALIGN, false);
	if (r == 0)
		r = rip_cuda_try(engine, cudaMemset(launcher->tickets.at, 0, launcher->tickets.size));
	if (r < 0)
		return r;
	for (unsigned i = 0; i < RIP_WAVE_KINDS; i++)
		launcher->kind[i] = { (rip_wave_part *)(launcher->rings.at + i * ring),
				      (uint32_t *)(launcher->tickets.at + i * RIP_GPU_ALIGN), 0,
				      rip_wave_warps(i, engine->shared) };
	launcher->swapped = (uint32_t *)(launcher->rings.at + RIP_WAVE_KINDS * ring);
	launcher->stalled = launcher->swapped + 1;
	*launcher->swapped = *launcher->stalled = 0;
	return 0;
}

int rip_cuda_launcher_init(rip_cuda_launcher *launcher, rip_cuda_engine *engine)
{
	sigset_t all, before;
	int r;

	launcher->engine = engine;
	pthread_mutex_init(&launcher->lock, nullptr);
	pthread_cond_init(&launcher->come, nullptr);
	pthread_cond_init(&launcher->gone, nullptr);
	launcher->works = (rip_wave_part *)malloc(RIP_CUDA_PARTS_MAX * sizeof *launcher->works);
	r = launcher->works ? make_kinds(launcher) : -ENOMEM;
	for (cudaStream_t *stream : { &launcher->in, &launcher->out })
		if (r == 0)
			r = rip_cuda_try(engine, cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
	for (unsigned i = 0; r == 0 && i < RIP_CUDA_AT_ONCE; i++) {
		r = rip_cuda_try(engine,
				 cudaStreamCreateWithFlags(&launcher->run[i], cudaStreamNonBlocking));
		if (r == 0)
			r = rip_cuda_try(engine, cudaEventCreateWithFlags(&launcher->made[i],
									  cudaEventDisableTiming));
	}
	if (r < 0)
		return r;
	/* Signals are for the program's own threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = -pthread_create(&launcher->thread, nullptr, launcher_main, launcher);
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
	launcher->running = r == 0;
	return r;
}

void rip_cuda_launcher_finish(rip_cuda_launcher *launcher)
{
	if (!launcher->engine)
		return;
	if (launcher->running) {
		pthread_mutex_lock(&launcher->lock);
		launcher->stopping = true;
		pthread_cond_signal(&launcher->come);
		pthread_mutex_unlock(&launcher->lock);
		pthread_join(launcher->thread, nullptr);
	}
	for (cudaStream_t stream : { launcher->in, launcher->out })
		if (stream)
			cudaStreamDestroy(stream);
	for (unsigned i = 0; i < RIP_CUDA_AT_ONCE; i++) {
		if (launcher->run[i])
			cudaStreamDestroy(launcher->run[i]);
		if (launcher->made[i])
			cudaEventDestroy(launcher->made[i]);
	}
	cudaFreeHost(launcher->rings.at);
	cudaFree(launcher->tickets.at);
	free(launcher->works);
	pthread_cond_destroy(&launcher->come);
	pthread_cond_destroy(&launcher->gone);
	pthread_mutex_destroy(&launcher->lock);
	launcher->engine = nullptr;
}
