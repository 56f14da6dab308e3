/*
 * A session with a fake host, for tests and fuzzers: the host keeps the messages that are
 * sent, and does work items in the same thread, when it is told to.
 */
#ifndef RIP_DAEMON_WORLD_H
#define RIP_DAEMON_WORLD_H

#include "daemon/session.h"

#define WORLD_IN  (64 << 10) /* bytes of the ring's areas */
#define WORLD_OUT (32 << 10)
#define WORLD_SENT 64

struct world {
	struct rip_session session; /* first */
	/* what the host answers */
	enum rip_message_type admit;
	bool     admit_page;
	struct rip_engine *engine, *fallback;
	int64_t  started;           /* of all work items; 0: they wait */
	int64_t  progress;          /* when a work of anybody last ended */
	bool     heap_ring;         /* the ring is on the heap, where a sanitizer sees its
				       ends; nobody else has it */
	/* the messages that it was sent */
	struct rip_message sent[WORLD_SENT]; /* the last ones, as a ring */
	unsigned sent_count;
	unsigned fds_count;         /* messages that had descriptors */
	struct rip_work *submitted[8];
	unsigned submitted_count;
	uint64_t page_memory;
};

/* A session that has begun at time 0, with the CPU engine as both engines. */
void world_init(struct world *world);
void world_finish(struct world *world);

/* The last message that was sent, or NULL; and the number of messages. */
const struct rip_message *world_last(const struct world *world);

/* Does the oldest submitted work, and reports it to the session.  Returns false if there is
 * none. */
bool world_work(struct world *world, int64_t now_ms);

#endif
