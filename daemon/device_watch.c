/* Waits for the GPU that is being looked for. */
#include "config.h"

#include "device_watch.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>

#include "log.h"
#include "scheduler.h"

#define GLANCE_MS 50

/* The probe has a result. */
static void take_result(struct rip_device_watch *watch)
{
	struct rip_device *device = watch->device;
	const double seconds = (double)(rip_now_ms() - watch->began_ms) / 1000;

	/* Before the device closes its descriptor. */
	watch->io = sd_event_source_disable_unref(watch->io);
	if (rip_device_found(device) == 0)
		rip_log(LOG_INFO, RIP_EVENT_DEVICE, NULL, "halftones on %s, found after %.1f s",
			device->gpu->device, seconds);
	else if (device->kind == RIP_DEVICE_GPU)
		rip_log(LOG_ERR, RIP_EVENT_DEVICE, NULL, "cannot work without a GPU: %s",
			device->why_no_gpu);
	else
		rip_log(LOG_INFO, RIP_EVENT_DEVICE, NULL, "no GPU: %s", device->why_no_gpu);
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

/* Waits for the probe that the device has begun, if it has. */
static int await(struct rip_device_watch *watch)
{
	if (!watch->device->probe)
		return 0;
	watch->began_ms = rip_now_ms();
	return sd_event_add_io(watch->event, &watch->io, rip_probe_fd(watch->device->probe),
			       EPOLLIN, result_ready, watch);
}

int rip_device_watch_init(struct rip_device_watch *watch, sd_event *event,
			  struct rip_device *device, void (*changed)(void *argument),
			  void *argument)
{
	struct pollfd pfd = { .events = POLLIN };
	int r;

	*watch = (struct rip_device_watch){ .device = device, .event = event,
					    .changed = changed, .argument = argument };
	r = await(watch);
	if (r < 0 || !watch->io)
		return r;
	pfd.fd = rip_probe_fd(device->probe);
	if (poll(&pfd, 1, GLANCE_MS) > 0)
		take_result(watch);
	return 0;
}

void rip_device_watch_finish(struct rip_device_watch *watch)
{
	watch->io = sd_event_source_disable_unref(watch->io);
}

void rip_device_watch_look_again(struct rip_device_watch *watch)
{
	int r;

	if (!rip_device_look(watch->device))
		return;
	r = await(watch);
	if (r < 0)
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "cannot wait for the GPU: %s",
			strerror(-r));
}

void rip_device_watch_resume(struct rip_device_watch *watch, int64_t now_ms)
{
	watch->began_ms = now_ms;
}

int64_t rip_device_watch_tick(struct rip_device_watch *watch, int64_t now_ms)
{
	struct rip_device *device = watch->device;
	const int64_t limit = watch->began_ms + RIP_LOOK_MS;

	if (!device->probe || device->overdue)
		return INT64_MAX;
	if (now_ms < limit)
		return limit;
	rip_device_overdue(device);
	rip_log(LOG_WARNING, RIP_EVENT_DEVICE, NULL,
		"the GPU's driver has not answered for %d s; continuing without a GPU until it does",
		RIP_LOOK_MS / 1000);
	watch->changed(watch->argument);
	return INT64_MAX;
}
