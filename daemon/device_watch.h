/*
 * Waits for the search for GPUs, reports its end, and looks again for those that have failed.
 *
 * A driver may take seconds, and a broken one forever, so the search runs in a thread of its
 * own (probe.h), and its result comes through the event loop.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_DEVICE_WATCH_H
#define RIP_DEVICE_WATCH_H

#include <systemd/sd-event.h>

#include "device.h"

/* For one GPU. */
struct rip_gpu_watch {
	struct rip_device_watch *watch;
	struct rip_gpu  *gpu;
	sd_event_source *io;       /* of its probe, or NULL */
	int64_t          began_ms; /* when the search began */
};

struct rip_device_watch {
	struct rip_device *device;
	sd_event          *event;
	struct rip_gpu_watch gpus[RIP_GPUS_MAX];
	void             (*changed)(void *argument); /* there is a result, or none in time */
	void              *argument; /* of changed */
};

/* Starts to wait for the searches that the device has begun, if any.  It also blocks for a
 * moment: usually there is no driver, which is known at once, and then even the first client
 * gets the final answer. */
void rip_device_watch_init(struct rip_device_watch *watch, sd_event *event,
			   struct rip_device *device, void (*changed)(void *argument),
			   void *argument);
void rip_device_watch_finish(struct rip_device_watch *watch);

/* Looks again for the GPUs that are not in use. */
void rip_device_watch_look_again(struct rip_device_watch *watch);

/* To be called after a pause of the process: the driver gets its full time again. */
void rip_device_watch_resume(struct rip_device_watch *watch, int64_t now_ms);

/* Applies the deadline of the search, and tries GPUs again that have failed.  Returns when to call
 * it again. */
int64_t rip_device_watch_tick(struct rip_device_watch *watch, int64_t now_ms);

#endif
