/*
 * Waits for the search for a GPU, and reports its end.
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

struct rip_device_watch {
	struct rip_device *device;
	sd_event          *event;
	sd_event_source   *io;       /* of the probe, or NULL */
	int64_t            began_ms; /* when the search began */
	void             (*changed)(void *argument); /* there is a result, or none in time */
	void              *argument; /* of changed */
};

/* Starts to wait for the search that the device has begun, if any.  It also blocks for a
 * moment: usually there is no driver, which is known at once, and then even the first client
 * gets the final answer.  0 or -errno; the watch can be finished in any case. */
int rip_device_watch_init(struct rip_device_watch *watch, sd_event *event,
			  struct rip_device *device, void (*changed)(void *argument),
			  void *argument);
void rip_device_watch_finish(struct rip_device_watch *watch);

/* Looks for the GPU again if there is none. */
void rip_device_watch_look_again(struct rip_device_watch *watch);

/* To be called after a pause of the process: the driver gets its full time again. */
void rip_device_watch_resume(struct rip_device_watch *watch, int64_t now_ms);

/* Applies the deadline of the search.  Returns when to call it again. */
int64_t rip_device_watch_tick(struct rip_device_watch *watch, int64_t now_ms);

#endif
