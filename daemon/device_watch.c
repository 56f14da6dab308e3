/* Waits for the GPUs that are being looked for. */
#include "config.h"

#include "device_watch.h"

#include <poll.h>
#include <string.h>
#include <sys/epoll.h>

#include "log.h"
#include "scheduler.h"

#define GLANCE_MS 50

static void await_all(struct rip_device_watch *watch);

static void report_found(const struct rip_gpu *gpu, double seconds)
{
	if (gpu->failed_times)
		rip_log(LOG_INFO, RIP_EVENT_DEVICE, NULL,
			"halftones on %s again, after %u failure%s",
			gpu->engine->device, gpu->failed_times, gpu->failed_times == 1 ? "" : "s");
	else
		rip_log(LOG_INFO, RIP_EVENT_DEVICE, NULL, "halftones on %s, found after %.1f s",
			gpu->engine->device, seconds);
}

static void report_missing(const struct rip_device *device, const struct rip_gpu *gpu)
{
	if (gpu->lost)
		rip_log(LOG_WARNING, RIP_EVENT_DEVICE, NULL,
			"GPU %d still fails: %s; it is tried again later", gpu->number, gpu->why);
	else if (device->kind == RIP_DEVICE_GPU && !device->had_gpu && !rip_device_looking(device))
		rip_log(LOG_ERR, RIP_EVENT_DEVICE, NULL, "cannot work without a GPU: %s",
			device->why_no_gpu);
	else if (device->gpu_count > 1)
		rip_log(LOG_WARNING, RIP_EVENT_DEVICE, NULL, "GPU %d is not used: %s", gpu->number,
			gpu->why);
	else
		rip_log(LOG_INFO, RIP_EVENT_DEVICE, NULL, "no GPU: %s", gpu->why);
}

/* The probe has a result. */
static void take_result(struct rip_gpu_watch *own)
{
	struct rip_device_watch *watch = own->watch;
	struct rip_device *device = watch->device;
	const int64_t now_ms = rip_now_ms();

	/* Before the device closes its descriptor. */
	own->io = sd_event_source_disable_unref(own->io);
	if (rip_device_found(device, own->gpu, now_ms) == 0)
		report_found(own->gpu, (double)(now_ms - own->began_ms) / 1000);
	else
		report_missing(device, own->gpu);
	await_all(watch); /* there may be more GPUs */
	watch->changed(watch->argument);
}

static int result_ready(sd_event_source *source, int fd, uint32_t events, void *argument)
{
	(void)source;
	(void)fd;
	(void)events;
	take_result(argument);
	return 0;
}

/* Waits for the probes that the device has begun. */
static void await_all(struct rip_device_watch *watch)
{
	for (unsigned i = 0; i < watch->device->gpu_count; i++) {
		struct rip_gpu_watch *own = &watch->gpus[i];
		int r;

		own->watch = watch;
		own->gpu = &watch->device->gpus[i];
		if (!own->gpu->probe || own->io)
			continue;
		own->began_ms = rip_now_ms();
		r = sd_event_add_io(watch->event, &own->io, rip_probe_fd(own->gpu->probe), EPOLLIN,
				    result_ready, own);
		if (r < 0)
			rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "cannot wait for GPU %d: %s",
				own->gpu->number, strerror(-r));
	}
}

void rip_device_watch_init(struct rip_device_watch *watch, sd_event *event,
			   struct rip_device *device, void (*changed)(void *argument),
			   void *argument)
{
	struct pollfd pfd = { .events = POLLIN };

	*watch = (struct rip_device_watch){ .device = device, .event = event,
					    .changed = changed, .argument = argument };
	await_all(watch);
	if (!watch->gpus[0].io)
		return;
	pfd.fd = rip_probe_fd(device->gpus[0].probe);
	if (poll(&pfd, 1, GLANCE_MS) > 0)
		take_result(&watch->gpus[0]);
}

void rip_device_watch_finish(struct rip_device_watch *watch)
{
	for (unsigned i = 0; i < RIP_GPUS_MAX; i++)
		watch->gpus[i].io = sd_event_source_disable_unref(watch->gpus[i].io);
}

void rip_device_watch_look_again(struct rip_device_watch *watch)
{
	for (unsigned i = 0; i < watch->device->gpu_count; i++)
		rip_device_look(watch->device, &watch->device->gpus[i]);
	await_all(watch);
}

void rip_device_watch_resume(struct rip_device_watch *watch, int64_t now_ms)
{
	for (unsigned i = 0; i < RIP_GPUS_MAX; i++)
		watch->gpus[i].began_ms = now_ms;
}

/* For a GPU that is being looked for. */
static int64_t tick_search(struct rip_gpu_watch *own, int64_t now_ms)
{
	struct rip_device_watch *watch = own->watch;
	const int64_t limit = own->began_ms + RIP_LOOK_MS;

	if (own->gpu->overdue)
		return INT64_MAX;
	if (now_ms < limit)
		return limit;
	rip_device_overdue(watch->device, own->gpu);
	if (rip_device_gpus(watch->device))
		rip_log(LOG_WARNING, RIP_EVENT_DEVICE, NULL,
			"the driver of GPU %d has not answered for %d s; "
			"continuing without it until it does",
			own->gpu->number, RIP_LOOK_MS / 1000);
	else
		rip_log(LOG_WARNING, RIP_EVENT_DEVICE, NULL,
			"the GPU's driver has not answered for %d s; "
			"continuing without a GPU until it does", RIP_LOOK_MS / 1000);
	watch->changed(watch->argument);
	return INT64_MAX;
}

int64_t rip_device_watch_tick(struct rip_device_watch *watch, int64_t now_ms)
{
	int64_t next = INT64_MAX;

	for (unsigned i = 0; i < watch->device->gpu_count; i++) {
		struct rip_gpu *gpu = &watch->device->gpus[i];
		int64_t at = rip_device_retry_ms(watch->device, gpu, now_ms);

		if (at <= now_ms) {
			rip_device_look(watch->device, gpu);
			await_all(watch);
		}
		if (gpu->probe)
			at = tick_search(&watch->gpus[i], now_ms);
		next = at < next ? at : next;
	}
	return next;
}
