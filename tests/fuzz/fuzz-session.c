/*
 * A session of the daemon under any input: a sequence of steps, each a byte and
 * what belongs to it.
 *
 *	0  a message follows, as on the wire; what is none is a breach, as in daemon_client.c
 *	1  the oldest work is done
 *	2  time passes: a byte, times 50 ms
 *	3  the client writes into its ring: 2 bytes offset (times 2), 1 byte length, data
 *	4  the client goes away
 *	5  work items are begun (they wait before)
 *	6  the next page is refused
 *	f0 the daemon stops
 *	f1 a byte: an engine fails, the next page's, or the one that takes over from it:
 *	   which call, how, after how many good ones
 *	f2 a byte: what HELLO is answered
 *
 * The host aborts if the session sends what is no message, sends after its end, or
 * has more work items than it may; the ring is on the heap, where AddressSanitizer
 * watches its ends.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/daemon/daemon_world.h"
#include "tests/daemon/failing_engine.h"
#include "wire/codec.h"

static void step_message(struct world *world, struct input *input, int64_t now_ms)
{
	static struct rip_message message;
	const int length = rip_message_peek(input->data, input->size);
	char why[RIP_REASON_MAX + 1] = "the input ends within a message";

	if (length <= 0 || (size_t)length > input->size ||
	    rip_message_decode(&message, input->data, (size_t)length) < 0) {
		if (length < 0 || (length > 0 && (size_t)length <= input->size))
			rip_message_fault(input->data, length < 0 ? input->size : (size_t)length,
					  why);
		rip_session_breach(&world->session, why);
		return;
	}
	input->data += length;
	input->size -= (size_t)length;
	rip_session_receive(&world->session, &message, now_ms);
}

static void step_write(struct world *world, struct input *input)
{
	const unsigned high = take_byte(input), offset = 2 * (high << 8 | take_byte(input));
	unsigned length = take_byte(input);

	for (; length; length--) {
		const uint8_t byte = (uint8_t)take_byte(input);
		const unsigned at = offset + length;

		if (world->session.ring_page.ring.in && at < WORLD_IN)
			world->session.ring_page.ring.in[at] = byte;
	}
}

/* An engine fails: the one of the next page, or the one that takes over. */
static void step_fail(struct world *world, struct failing_engine engines[2], struct input *input)
{
	static const int errors[] = { -EIO, -ENOMEM, -ENOTSUP, -EINVAL };
	const unsigned how = take_byte(input);
	struct failing_engine *engine = &engines[how / 128];

	engine->kind = how % 4;
	engine->error = errors[how / 4 % 4];
	engine->good = how / 16 % 8;
	if (engine == &engines[0])
		world->engine = &engine->base;
	else if (world->session.engine && !world->submitted_count) /* the workers have it else */
		world->session.ring_page.fallback = &engine->base;
}

/* Bytes that are no step of their own are one of the first seven. */
static unsigned take_step(struct input *input)
{
	const unsigned byte = take_byte(input);

	return byte >= 0xf0 && byte <= 0xf2 ? byte : byte % 7;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum rip_message_type answers[] = {
		RIP_READY, RIP_BUSY, RIP_NO_ACCELERATOR, RIP_REFUSED
	};
	struct input input = { data, size };
	struct failing_engine engines[2];
	static struct world world;
	int64_t now_ms = 1;

	world_init(&world);
	world.heap_ring = true;
	for (int i = 0; i < 2; i++)
		failing_engine_init(&engines[i], world.fallback);
	while (input.size && world.session.state != RIP_SESSION_ENDED) {
		switch (take_step(&input)) {
		case 0:
			step_message(&world, &input, now_ms);
			break;
		case 1:
			world_work(&world, now_ms);
			break;
		case 2:
			now_ms += 50 * take_byte(&input);
			if (rip_session_tick(&world.session, now_ms) <= now_ms &&
			    world.session.state != RIP_SESSION_ENDED)
				abort(); /* the loop would spin */
			break;
		case 3:
			step_write(&world, &input);
			break;
		case 4:
			rip_session_gone(&world.session);
			break;
		case 5:
			world.started = now_ms;
			break;
		case 6:
			world.admit_page = !world.admit_page;
			break;
		case 0xf0:
			rip_session_stop(&world.session);
			break;
		case 0xf1:
			step_fail(&world, engines, &input);
			break;
		case 0xf2:
			world.admit = answers[take_byte(&input) % 4];
			break;
		}
		if (rip_session_in_flight(&world.session) > RIP_BANDS_IN_FLIGHT)
			abort();
	}
	while (world_work(&world, now_ms))
		;
	world_finish(&world);
	return 0;
}
