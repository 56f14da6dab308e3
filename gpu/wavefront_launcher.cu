/* Launches what pages submit: samples have arrived, launches start, dots come back. */
#include "wavefront_launcher.cuh"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>

/* Nanoseconds that a wait may take if a test wants a stall. */
static const uint64_t stall_patience = 50000000;

/* Waits for all launches, also after an error. */
static int wait_idle(rip_wave_launcher *launcher)
{
	int r = 0;

	for (cudaStream_t run : launcher->run) {
		const int waited = rip_cuda_try(launcher->device, cudaStreamSynchronize(run));

		r = r < 0 ? r : waited;
	}
	return r;
}

/* *overtaken, which kernels write. */
static uint32_t overtaken_now(const rip_wave_launcher *launcher)
{
	return *(volatile uint32_t *)launcher->overtaken;
}

/* ---- a launch ---- */

/* Adds a slot's slices to those of a launch; whether they still fit. */
static bool fits(const rip_wave_launcher *launcher, const rip_wave_slot *slot, uint32_t *slices)
{
	const uint32_t groups = launcher->tickets[slot->kind].groups;

	for (unsigned i = 0; i < slot->count; i++)
		*slices += rip_wave_slices(slot->tasks[i].rows, groups);
	return *slices <= RIP_WAVE_SLICES_MAX;
}

static bool has_arrived(rip_wave_slot *slot)
{
	if (!slot->arrived) {
		slot->arrived = cudaEventQuery(slot->sent) == cudaSuccess;
		cudaGetLastError(); /* "not ready", which a launch would find */
	}
	return slot->arrived;
}

/* ---- copies to the device ---- */

/* Of samples. */
static size_t bytes_of(const rip_wave_slot *slot)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < slot->transfer.count; i++)
		bytes += slot->transfer.planes[i].rows * slot->row->sample_bytes;
	return bytes;
}

/* Whether enough is being copied to keep the device busy until the launcher looks again. */
static bool enough_locked(const rip_wave_launcher *launcher)
{
	unsigned copies = 0;
	size_t bytes = 0;

	for (rip_wave_slot *slot = launcher->first; slot; slot = slot->next) {
		if (copies == 0 && has_arrived(slot)) /* they arrive one after the other */
			continue;
		copies++;
		bytes += bytes_of(slot);
		if (copies >= 2 && bytes >= launcher->enough_bytes)
			return true;
	}
	return false;
}

static int scan(rip_wave_launcher *launcher, const rip_wave_slot *slot)
{
	rip_cuda_device *device = launcher->device;
	const cudaError_t error = rip_cuda_launch_fails(device, launcher->gather)
					  ? cudaErrorMemoryAllocation
					  : rip_row_scan_run(&slot->scan, launcher->gather);

	return error == cudaSuccess ? 0 : rip_cuda_break(device, rip_cuda_error(device, error));
}

/* Starts to gather rows of the pixels that are being copied, and to scan rows. */
static int prepare(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	rip_cuda_device *device = launcher->device;
	int r = rip_cuda_try(device, cudaStreamWaitEvent(launcher->gather, slot->sent, 0));

	if (r == 0)
		r = rip_cuda_transfer_gather(device, &slot->transfer, slot->row,
					     launcher->gather);
	if (r == 0 && slot->tasks[0].colour)
		r = scan(launcher, slot);
	return r < 0 ? r : rip_cuda_try(device, cudaEventRecord(slot->sent, launcher->gather));
}

/* Starts to copy a slot's samples. */
static int send(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	int r;

	if (slot->panels)
		r = rip_cuda_transfer_send_panels(launcher->device, &slot->transfer, slot->row,
						  slot->tasks[0].width, launcher->in, slot->sent);
	else
		r = rip_cuda_transfer_send(launcher->device, &slot->transfer, slot->row,
					   launcher->in);
	if (r == 0 && !slot->panels)
		r = rip_cuda_try(launcher->device, cudaEventRecord(slot->sent, launcher->in));
	if (r == 0 && (slot->transfer.planes[0].pixels || slot->tasks[0].colour))
		r = prepare(launcher, slot);
	if (r < 0) { /* what is under way must not reach memory that is used again */
		cudaStreamSynchronize(launcher->in);
		cudaStreamSynchronize(launcher->gather);
	}
	return r;
}

static void append(rip_wave_slot **first, rip_wave_slot **last, rip_wave_slot *slot)
{
	slot->next = nullptr;
	if (*first)
		(*last)->next = slot;
	else
		*first = slot;
	*last = slot;
}

/* Appends a slot to those that wait. */
static void wait_locked(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	slot->state = RIP_WAVE_WAITING;
	slot->arrived = false;
	append(&launcher->first, &launcher->last, slot);
	pthread_cond_signal(&launcher->submitted);
}

/* A slot was launched, or could not be. */
static void launched_locked(rip_wave_launcher *launcher, rip_wave_slot *slot, int result)
{
	slot->result = result;
	slot->state = RIP_WAVE_LAUNCHED;
	if (!slot->submission)
		return;
	append(&launcher->first_away, &launcher->last_away, slot);
	pthread_cond_signal(&launcher->away);
}

/* Sends slots that are held, as many as the device needs to be busy, or all of them.  If that
 * fails, the engine is broken. */
static void send_held_locked(rip_wave_launcher *launcher, bool all)
{
	while (launcher->first_held && (all || !enough_locked(launcher))) {
		rip_wave_slot *slot = launcher->first_held;
		const int r = send(launcher, slot);

		launcher->first_held = slot->next;
		if (r == 0) {
			wait_locked(launcher, slot);
		} else { /* chunks that follow would wait for these rows in vain */
			launched_locked(launcher, slot, rip_cuda_break(launcher->device, r));
			pthread_cond_broadcast(&launcher->launched);
		}
	}
}

/* Takes what goes into one launch: the first slot that waits, and all of the same kind
 * that have arrived, in order.  After one that has not arrived it takes no more: they might
 * belong to the same page. */
static rip_wave_slot *take_batch_locked(rip_wave_launcher *launcher)
{
	rip_wave_slot *batch = launcher->first, **to = &batch->next, *last = nullptr;
	uint32_t slices = 0;
	bool open = true;

	fits(launcher, batch, &slices);
	launcher->first = batch->next;
	for (rip_wave_slot **at = &launcher->first; *at;) {
		rip_wave_slot *slot = *at;
		const bool same = open && slot->kind == batch->kind;

		if (same && !(has_arrived(slot) && fits(launcher, slot, &slices)))
			open = false;
		if (same && open) {
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

/* Launches a batch.  Tickets are given only for a launch that was accepted: otherwise the
 * device's counter would be behind for ever, and later blocks would draw slices whose buffers
 * are gone. */
static int run_batch(rip_wave_launcher *launcher, const rip_wave_slot *batch, cudaStream_t stream)
{
	rip_cuda_device *device = launcher->device;
	rip_wave_tickets *tickets = &launcher->tickets[batch->kind];
	unsigned count = 0;
	bool stall = false;
	rip_wave_launch launch = {};
	int r;

	for (const rip_wave_slot *slot = batch; slot; slot = slot->next) {
		for (unsigned i = 0; i < slot->count; i++) {
			launcher->tasks[count] = slot->tasks[i];
			if (slot->panels)
				launcher->tasks[count].admitted =
					rip_cuda_transfer_admitted(&slot->transfer);
			if (slot->stall) /* no word will ever have this number */
				launcher->tasks[count].sequence += 1u << 31;
			count++;
		}
		stall = stall || slot->stall;
	}
	launch.ring = tickets->ring;
	launch.mask = RIP_WAVE_QUEUE - 1;
	launch.first = tickets->given;
	launch.groups = tickets->groups;
	launch.planes = rip_wave_planes(batch->kind);
	launch.cluster = tickets->cluster;
	launch.ticket = tickets->counter;
	launch.number = launcher->number;
	launch.overtaken = launcher->overtaken;
	launch.stalled = launcher->stalled;
	launch.shared = launcher->device->shared;
	launch.patience = stall ? stall_patience : launcher->device->patience;
	launch.slices = rip_wave_cut(tickets->ring, launch.mask, launch.first, launcher->tasks,
				     count, tickets->groups, tickets->cluster);
	r = rip_cuda_try(device,
			 rip_cuda_launch_fails(device, stream)
				 ? cudaErrorMemoryAllocation
				 : rip_wave_run(batch->kind % RIP_WAVE_KERNELS, &launch, stream));
	if (r == 0)
		tickets->given += launch.slices / launch.cluster;
	return r;
}

/* Launches a batch on stream number `turn`, and starts to copy its dots back. */
static int start_batch(rip_wave_launcher *launcher, rip_wave_slot *batch, unsigned turn)
{
	rip_cuda_device *device = launcher->device;
	const cudaStream_t stream = launcher->run[turn];
	bool overtake;
	int r = 0;

	launcher->number++;
	if (overtaken_now(launcher) != launcher->overtaken_seen) {
		/* Blocks of launches that were overtaken may still run.  A later number must be
		 * that of another launch. */
		r = wait_idle(launcher);
		launcher->overtaken_seen = overtaken_now(launcher);
	}
	if (r == 0)
		r = run_batch(launcher, batch, stream);
	if (r == 0)
		r = rip_cuda_try(device, cudaEventRecord(launcher->ended[turn], stream));
	if (r == 0)
		r = rip_cuda_try(device,
				 cudaStreamWaitEvent(launcher->out, launcher->ended[turn], 0));
	overtake = r == 0 && rip_cuda_fails(device, RIP_CUDA_FAIL_OVERTAKE);
	for (rip_wave_slot *slot = batch; r == 0 && slot; slot = slot->next) {
		slot->overtaken = launcher->overtaken_seen;
		if (!overtake)
			r = rip_cuda_transfer_receive(device, &slot->transfer, launcher->out);
		if (r == 0)
			r = rip_cuda_try(device, cudaEventRecord(slot->received, launcher->out));
	}
	if (r < 0) /* nothing may reach the pages' memory later */
		cudaStreamSynchronize(launcher->out);
	if (overtake) /* as if the launch had ended before any dot was there */
		*(volatile uint32_t *)launcher->overtaken = launcher->number;
	return r;
}

/* Frees what was released, between launches. */
static void reap_locked(rip_wave_launcher *launcher)
{
	const unsigned reaps = launcher->reaps;

	pthread_mutex_unlock(&launcher->lock);
	cudaSetDevice(launcher->device->number);
	wait_idle(launcher);
	rip_cuda_free_released(launcher->device);
	pthread_mutex_lock(&launcher->lock);
	launcher->reaped = reaps;
	pthread_cond_broadcast(&launcher->launched);
}

static void *launcher_main(void *argument)
{
	rip_wave_launcher *launcher = (rip_wave_launcher *)argument;
	rip_cuda_device *device = launcher->device;

	cudaSetDevice(device->number); /* an error breaks the engine later */
	pthread_mutex_lock(&launcher->lock);
	for (;;) {
		if (launcher->reaped != launcher->reaps) {
			reap_locked(launcher);
			continue;
		}
		send_held_locked(launcher, false);
		if (!launcher->first && launcher->stopping)
			break;
		if (!launcher->first) {
			pthread_cond_wait(&launcher->submitted, &launcher->lock);
			continue;
		}

		const cudaEvent_t oldest = launcher->first->sent;
		const unsigned turn = launcher->number % RIP_WAVE_AT_ONCE;

		pthread_mutex_unlock(&launcher->lock);

		int r = rip_cuda_enter(device);

		if (r == 0)
			r = rip_cuda_await(device, oldest);
		if (r == 0)
			r = rip_cuda_await(device, launcher->ended[turn]);
		pthread_mutex_lock(&launcher->lock);

		rip_wave_slot *batch = take_batch_locked(launcher);
		rip_cuda_device_counts counts = { 1, 0, 0, 0 };

		pthread_mutex_unlock(&launcher->lock);
		for (const rip_wave_slot *slot = batch; slot; slot = slot->next) {
			counts.chunks++;
			counts.panels += slot->panels;
		}
		if (r == 0)
			r = start_batch(launcher, batch, turn);
		if (r < 0) /* chunks that follow would wait for these rows in vain */
			r = rip_cuda_break(device, r);
		rip_cuda_count(device, counts);
		pthread_mutex_lock(&launcher->lock);
		while (batch) {
			rip_wave_slot *next = batch->next;

			launched_locked(launcher, batch, r);
			batch = next; /* the page may now use the slot again */
		}
		pthread_cond_broadcast(&launcher->launched);
	}
	pthread_mutex_unlock(&launcher->lock);
	return nullptr;
}

/* ---- for pages ---- */

int rip_wave_launcher_submit(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	int r = 0;

	slot->panels = false;
	pthread_mutex_lock(&launcher->lock);
	if (rip_cuda_transfer_is_direct(&slot->transfer) && !slot->submission) {
		slot->state = RIP_WAVE_HELD;
		append(&launcher->first_held, &launcher->last_held, slot);
		send_held_locked(launcher, false);
	} else {
		/* Earlier chunks of the page come first. */
		send_held_locked(launcher, true);
		pthread_mutex_unlock(&launcher->lock);
		r = send(launcher, slot);
		pthread_mutex_lock(&launcher->lock);
		if (r == 0)
			wait_locked(launcher, slot);
	}
	pthread_mutex_unlock(&launcher->lock);
	return r;
}

bool rip_wave_launcher_take_back(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	rip_wave_slot *before = nullptr;
	bool held;

	pthread_mutex_lock(&launcher->lock);
	held = slot->state == RIP_WAVE_HELD;
	if (held && launcher->first_held == slot) {
		launcher->first_held = slot->next;
	} else if (held) {
		for (before = launcher->first_held; before->next != slot;)
			before = before->next;
		before->next = slot->next;
	}
	if (held && launcher->last_held == slot)
		launcher->last_held = before;
	if (held)
		slot->state = RIP_WAVE_IDLE;
	pthread_mutex_unlock(&launcher->lock);
	return held;
}

void rip_wave_launcher_hurry(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	pthread_mutex_lock(&launcher->lock);
	if (slot->state == RIP_WAVE_HELD)
		slot->panels = bytes_of(slot) >= launcher->enough_bytes / 2 &&
			       rip_cuda_transfer_takes_panels(launcher->device, &slot->transfer,
							      slot->tasks[0].width);
	pthread_mutex_unlock(&launcher->lock);
}

void rip_wave_launcher_reap(rip_wave_launcher *launcher, bool wait)
{
	pthread_mutex_lock(&launcher->lock);

	const unsigned number = ++launcher->reaps;

	pthread_cond_signal(&launcher->submitted);
	while (wait && (int)(launcher->reaped - number) < 0)
		pthread_cond_wait(&launcher->launched, &launcher->lock);
	pthread_mutex_unlock(&launcher->lock);
}

/* Waits until the dots of a slot that was launched are back. */
static int receive(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	rip_cuda_device *device = launcher->device;
	int r = slot->result;

	if (r == 0)
		r = rip_cuda_await(device, slot->received);
	if (r == 0 && *(volatile uint32_t *)launcher->stalled)
		r = rip_cuda_break(device, -ETIMEDOUT);
	if (r == 0 && overtaken_now(launcher) != slot->overtaken) {
		r = wait_idle(launcher);
		if (r == 0)
			r = rip_cuda_transfer_receive(device, &slot->transfer, launcher->out);
		if (r == 0)
			r = rip_cuda_try(device, cudaStreamSynchronize(launcher->out));
	}
	if (r < 0) /* panels must not be read from memory that is used again */
		cudaStreamSynchronize(launcher->in);
	return r;
}

bool rip_wave_launcher_completed(rip_wave_launcher *launcher, const rip_wave_slot *slot)
{
	bool idle;

	pthread_mutex_lock(&launcher->lock);
	idle = slot->submission && slot->state == RIP_WAVE_IDLE;
	pthread_mutex_unlock(&launcher->lock);
	return idle;
}

int rip_wave_launcher_await(rip_wave_launcher *launcher, rip_wave_slot *slot)
{
	pthread_mutex_lock(&launcher->lock);
	while (slot->state == RIP_WAVE_HELD || slot->state == RIP_WAVE_WAITING ||
	       (slot->submission && slot->state != RIP_WAVE_IDLE))
		pthread_cond_wait(&launcher->launched, &launcher->lock);

	const bool completed = slot->state == RIP_WAVE_IDLE;

	slot->state = RIP_WAVE_IDLE;
	pthread_mutex_unlock(&launcher->lock);
	return completed ? 0 : receive(launcher, slot);
}

static void *completer_main(void *argument)
{
	rip_wave_launcher *launcher = (rip_wave_launcher *)argument;

	cudaSetDevice(launcher->device->number);
	pthread_mutex_lock(&launcher->lock);
	for (;;) {
		rip_wave_slot *slot = launcher->first_away;

		if (!slot && launcher->stopping)
			break;
		if (!slot) {
			pthread_cond_wait(&launcher->away, &launcher->lock);
			continue;
		}
		launcher->first_away = slot->next;
		pthread_mutex_unlock(&launcher->lock);
		launcher->complete(slot, receive(launcher, slot));
		pthread_mutex_lock(&launcher->lock);
		slot->state = RIP_WAVE_IDLE;
		pthread_cond_broadcast(&launcher->launched);
	}
	pthread_mutex_unlock(&launcher->lock);
	return nullptr;
}

/* ---- init and finish ---- */

static int make_tickets(rip_wave_launcher *launcher)
{
	rip_cuda_device *device = launcher->device;
	const size_t ring = RIP_WAVE_QUEUE * sizeof(rip_wave_task);
	int r = rip_cuda_grow(device, &launcher->host_rings,
			      RIP_WAVE_KINDS * ring + 2 * sizeof(uint32_t), true);

	if (r == 0)
		r = rip_cuda_grow(device, &launcher->counters, RIP_WAVE_KINDS * RIP_GPU_ALIGN,
				  false);
	if (r == 0)
		r = rip_cuda_try(device,
				 cudaMemset(launcher->counters.at, 0, launcher->counters.size));
	if (r < 0)
		return r;
	for (unsigned i = 0; i < RIP_WAVE_KINDS; i++)
		launcher->tickets[i] = { (rip_wave_task *)(launcher->host_rings.at + i * ring),
					 (uint32_t *)(launcher->counters.at + i * RIP_GPU_ALIGN), 0,
					 rip_wave_groups(i, device->shared),
					 rip_wave_cluster(i, device->shared) };
	launcher->overtaken = (uint32_t *)(launcher->host_rings.at + RIP_WAVE_KINDS * ring);
	launcher->stalled = launcher->overtaken + 1;
	*launcher->overtaken = *launcher->stalled = 0;
	return 0;
}

int rip_wave_launcher_init(rip_wave_launcher *launcher, rip_cuda_device *device,
			   size_t enough_bytes, rip_wave_complete *complete)
{
	sigset_t all, before;
	int r;

	launcher->device = device;
	launcher->enough_bytes = enough_bytes;
	launcher->complete = complete;
	pthread_mutex_init(&launcher->lock, nullptr);
	pthread_cond_init(&launcher->submitted, nullptr);
	pthread_cond_init(&launcher->launched, nullptr);
	pthread_cond_init(&launcher->away, nullptr);
	launcher->tasks = (rip_wave_task *)malloc(RIP_WAVE_SLICES_MAX * sizeof *launcher->tasks);
	r = launcher->tasks ? make_tickets(launcher) : -ENOMEM;
	for (cudaStream_t *stream : { &launcher->in, &launcher->out })
		if (r == 0)
			r = rip_cuda_try(device,
					 cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
	/* At the highest priority: its blocks do not wait until those of launches have begun. */
	if (r == 0)
		r = rip_cuda_try(device, cudaStreamCreateWithPriority(&launcher->gather,
								      cudaStreamNonBlocking,
								      INT_MIN));
	for (unsigned i = 0; r == 0 && i < RIP_WAVE_AT_ONCE; i++) {
		r = rip_cuda_try(device, cudaStreamCreateWithFlags(&launcher->run[i],
								   cudaStreamNonBlocking));
		if (r == 0)
			r = rip_cuda_try(device, cudaEventCreateWithFlags(&launcher->ended[i],
									  cudaEventDisableTiming));
	}
	if (r < 0)
		return r;
	/* A driver may have the function for devices that cannot do it. */
	if (device->write_value && rip_cuda_write_value(device, (uint32_t *)launcher->counters.at,
							0, launcher->in) != cudaSuccess)
		device->write_value = nullptr;
	/* Signals are for the program's own threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = -pthread_create(&launcher->thread, nullptr, launcher_main, launcher);
	launcher->running = r == 0;
	if (r == 0)
		r = -pthread_create(&launcher->completer, nullptr, completer_main, launcher);
	launcher->completes = r == 0;
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
	return r;
}

void rip_wave_launcher_finish(rip_wave_launcher *launcher)
{
	if (!launcher->device)
		return;
	pthread_mutex_lock(&launcher->lock);
	launcher->stopping = true;
	pthread_cond_signal(&launcher->submitted);
	pthread_cond_signal(&launcher->away);
	pthread_mutex_unlock(&launcher->lock);
	if (launcher->running)
		pthread_join(launcher->thread, nullptr);
	if (launcher->completes)
		pthread_join(launcher->completer, nullptr);
	for (cudaStream_t stream : { launcher->in, launcher->gather, launcher->out })
		if (stream)
			cudaStreamDestroy(stream);
	for (unsigned i = 0; i < RIP_WAVE_AT_ONCE; i++) {
		if (launcher->run[i])
			cudaStreamDestroy(launcher->run[i]);
		if (launcher->ended[i])
			cudaEventDestroy(launcher->ended[i]);
	}
	rip_cuda_release(launcher->device, &launcher->host_rings, true);
	rip_cuda_release(launcher->device, &launcher->counters, false);
	free(launcher->tasks);
	pthread_cond_destroy(&launcher->submitted);
	pthread_cond_destroy(&launcher->launched);
	pthread_cond_destroy(&launcher->away);
	pthread_mutex_destroy(&launcher->lock);
	launcher->device = nullptr;
}
