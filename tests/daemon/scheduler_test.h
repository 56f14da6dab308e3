/* What tests of the scheduler share: flows of processes of their own, and items that are done. */
#ifndef RIP_SCHEDULER_TEST_H
#define RIP_SCHEDULER_TEST_H

#include <poll.h>

#include "daemon/scheduler.h"
#include "tests/tools/common.h"

#define FLOWS 4
#define WORKS 200

/* Flows that are processes of their own: share i is flow i's. */
static struct rip_share shares[WORKS];

static void init_flow(struct rip_flow *flow, unsigned share)
{
	rip_share_init(&shares[share]);
	rip_flow_init(flow, &shares[share]);
}

static void collect(struct rip_scheduler *scheduler, unsigned count)
{
	struct pollfd pfd = { .fd = rip_scheduler_fd(scheduler), .events = POLLIN };

	while (count) {
		assert_int_equal(poll(&pfd, 1, 10000), 1);
		while (rip_scheduler_collect(scheduler))
			count--;
	}
	/* A worker may tell a moment later of what was collected already. */
	while (poll(&pfd, 1, 0) == 1)
		assert_null(rip_scheduler_collect(scheduler));
}

#endif
