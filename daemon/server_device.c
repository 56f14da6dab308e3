/* The GPU's coming and going. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <systemd/sd-daemon.h>

#include "log.h"
#include "server_private.h"

#define GLANCE_MS 50

/* Tells systemd that we can do what we were set to. */
static void tell_ready(struct rip_server *server)
{
	if (server->ready || !rip_device_ready(server->device))
		return;
	server->ready = true;
	sd_notify(0, "READY=1");
}

/* The probe has a result. */
static void found(struct rip_event_source *source, uint32_t events)
{
	struct rip_server *server = source->server;
	struct rip_device *device = server->device;
	const double seconds = (double)(rip_now_ms() - server->look_ms) / 1000;
	int r;

	(void)events;
	r = rip_device_found(device); /* closes the descriptor, and so leaves the epoll */
	if (r == -EAGAIN)
		return;
	server->told_ms = 0; /* STATUS= changes now */
	if (r == 0) {
		rip_log(LOG_INFO, RIP_EVENT_DEVICE, NULL, "halftones on %s, found after %.1f s",
			device->gpu->device, seconds);
	} else if (device->kind == RIP_DEVICE_GPU) {
		rip_log(LOG_ERR, RIP_EVENT_DEVICE, NULL, "cannot work without a GPU: %s",
			device->why_no_gpu);
		rip_server_fail(server, device->why_no_gpu);
		return;
	} else {
		rip_log(LOG_INFO, RIP_EVENT_DEVICE, NULL, "no GPU: %s", device->why_no_gpu);
	}
	tell_ready(server);
}

/* Waits for the probe that the device has begun, if it has. */
static int await(struct rip_server *server)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = &server->probe_source };

	if (!server->device->probe)
		return 0;
	server->look_ms = rip_now_ms();
	server->probe_source = (struct rip_event_source){ found, server,
						    rip_probe_fd(server->device->probe) };
	return epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, server->probe_source.fd, &event) < 0
		       ? -errno : 0;
}

int rip_server_begin_device(struct rip_server *server)
{
	struct pollfd pfd = { .events = POLLIN };
	int r = await(server);

	/* Mostly there is no driver, and that is known at once: then the first client
	 * hears the truth. */
	if (r == 0 && server->device->probe) {
		pfd.fd = server->probe_source.fd;
		if (poll(&pfd, 1, GLANCE_MS) > 0)
			found(&server->probe_source, EPOLLIN);
	}
	if (!server->failed)
		tell_ready(server);
	return r;
}

void rip_server_look_again(struct rip_server *server)
{
	int r;

	if (!rip_device_look(server->device))
		return;
	r = await(server);
	if (r < 0)
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "the GPU cannot be waited for: %s",
			strerror(-r));
}

int64_t rip_server_tick_device(struct rip_server *server, int64_t now_ms)
{
	struct rip_device *device = server->device;
	const int64_t limit = server->look_ms + RIP_LOOK_MS;

	if (!device->probe || device->overdue)
		return INT64_MAX;
	if (now_ms < limit)
		return limit;
	rip_device_overdue(device);
	rip_log(LOG_WARNING, RIP_EVENT_DEVICE, NULL,
		"the GPU's driver has not answered for %d s: going on without a GPU until it does",
		RIP_LOOK_MS / 1000);
	server->told_ms = 0;
	return INT64_MAX;
}
