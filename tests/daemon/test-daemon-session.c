/* The session's state machine: every message in every state, deadlines,
 * heartbeats, and an engine that fails in mid-page. */
#include "tests/tools/testing.h"

#include "daemon_world.h"
#include "failing_engine.h"
#include "wire/codec.h"

#define WIDTH 100
#define ROWS  8

static struct world world;

/* --- what a client says -------------------------------------------------------- */

static struct rip_message hello(void)
{
	struct rip_message message = { .type = RIP_HELLO };

	message.hello.magic = RIP_PROTOCOL_MAGIC;
	message.hello.version = RIP_PROTOCOL_VERSION;
	message.hello.job = 7;
	message.hello.method = RIP_METHOD_EC;
	rip_text_set(message.hello.queue, sizeof message.hello.queue, "queue");
	return message;
}

static struct rip_message page(uint32_t number)
{
	return (struct rip_message){ .type = RIP_PAGE,
		.page = { .page = number, .width = WIDTH, .height = 1000, .planes = 1,
			  .levels = 2, .sample_bits = 8 } };
}

/* A band whose rows, dots and carry lie in the slot of its number. */
static struct rip_message band(uint32_t seq)
{
	const uint64_t slot = seq % RIP_BANDS_IN_FLIGHT;
	struct rip_message message = { .type = RIP_BAND };

	message.band.seq = seq;
	message.band.rows = ROWS * (seq + 1);
	message.band.count = 1;
	message.band.strips[0] = (struct rip_band_strip){
		.rows = ROWS, .in_pitch = WIDTH, .out_pitch = 13,
		.in_offset = 4096 * slot, .out_offset = 4096 * slot,
		.carry_offset = 4096 * slot + 2048,
	};
	return message;
}

static struct rip_message plain(uint32_t type)
{
	return (struct rip_message){ .type = type };
}

static void say(struct rip_message message, int64_t now_ms)
{
	rip_session_receive(&world.session, &message, now_ms);
}

static uint32_t last_type(void)
{
	const struct rip_message *last = world_last(&world);

	return last ? last->type : 0;
}

/* A new world whose session is in a state. */
static void world_in(enum rip_session_state state)
{
	world_init(&world);
	switch (state) {
	case RIP_SESSION_NEW:
		break;
	case RIP_SESSION_ASKING:
		say(plain(RIP_STATUS), 0);
		break;
	case RIP_SESSION_OPEN:
	case RIP_SESSION_OPENING:
	case RIP_SESSION_PAGE:
		say(hello(), 0);
		if (state == RIP_SESSION_OPEN)
			break;
		say(page(1), 0);
		if (state == RIP_SESSION_PAGE)
			assert_true(world_work(&world, 0));
		break;
	case RIP_SESSION_ENDED:
		rip_session_gone(&world.session);
		break;
	}
	assert_int_equal(world.session.state, state);
}

static void finish(void)
{
	while (world_work(&world, 0))
		;
	world_finish(&world);
}

/* --- every message in every state ---------------------------------------------- */

static const enum rip_session_state states[] = {
	RIP_SESSION_NEW,  RIP_SESSION_ASKING, RIP_SESSION_OPEN,
	RIP_SESSION_OPENING, RIP_SESSION_PAGE, RIP_SESSION_ENDED,
};

static const uint32_t types[] = {
	RIP_HELLO, RIP_PAGE, RIP_BAND, RIP_END, RIP_STATUS, RIP_READY, RIP_BUSY,
	RIP_NO_ACCELERATOR, RIP_REFUSED, RIP_PAGE_READY, RIP_PAGE_REFUSED, RIP_QUEUED,
	RIP_WORKING, RIP_BAND_DONE, RIP_GOODBYE, RIP_STATUS_REPLY, RIP_DEVICES, RIP_DEVICES_REPLY,
	0, 7, 63, 80, UINT32_MAX,
};

/* The state after a good message; -1: the message is a breach there. */
static int expected(enum rip_session_state state, uint32_t type)
{
	switch (type) {
	case RIP_HELLO:
		return state == RIP_SESSION_NEW ? (int)RIP_SESSION_OPEN : -1;
	case RIP_STATUS:
		return state == RIP_SESSION_NEW || state == RIP_SESSION_ASKING
			? (int)RIP_SESSION_ASKING : -1;
	case RIP_DEVICES:
		return state == RIP_SESSION_ASKING ? (int)RIP_SESSION_ASKING : -1;
	case RIP_PAGE:
		return state == RIP_SESSION_OPEN || state == RIP_SESSION_PAGE
			? (int)RIP_SESSION_OPENING : -1;
	case RIP_BAND:
		return state == RIP_SESSION_PAGE ? (int)RIP_SESSION_PAGE : -1;
	case RIP_END:
		return state == RIP_SESSION_NEW ? -1 : (int)RIP_SESSION_ENDED;
	default:
		return -1;
	}
}

TEST(every_message)
{
	for (size_t s = 0; s < sizeof states / sizeof states[0]; s++)
		for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
			const int after = expected(states[s], types[t]);
			struct rip_message message = plain(types[t]);
			unsigned sent;

			if (types[t] == RIP_HELLO)
				message = hello();
			else if (types[t] == RIP_PAGE)
				message = page(1);
			else if (types[t] == RIP_BAND)
				message = band(0);
			world_in(states[s]);
			sent = world.sent_count;
			say(message, 1);
			if (states[s] == RIP_SESSION_ENDED) {
				assert_int_equal(world.session.end, RIP_END_GONE);
				assert_int_equal(world.sent_count, sent);
			} else if (after >= 0) {
				assert_int_equal(world.session.state, after);
				assert_true(last_type() != RIP_GOODBYE);
			} else {
				assert_int_equal(world.session.end, RIP_END_BREACH);
				assert_int_equal(world.sent_count, sent + 1);
				assert_int_equal(last_type(), states[s] == RIP_SESSION_NEW
						 ? RIP_REFUSED : RIP_GOODBYE);
				assert_true(world_last(&world)->reason.text[0]);
			}
			finish();
		}
}

/* --- beginnings ---------------------------------------------------------------- */

TEST(hello)
{
	static const enum rip_message_type refusals[] = {
		RIP_BUSY, RIP_NO_ACCELERATOR, RIP_REFUSED
	};
	struct rip_message message;

	world_in(RIP_SESSION_OPEN);
	assert_int_equal(world_last(&world)->type, RIP_READY);
	assert_int_equal(world_last(&world)->ready.in_size, WORLD_IN);
	assert_int_equal(world_last(&world)->ready.out_size, WORLD_OUT);
	assert_int_equal(world.fds_count, 1);
	finish();

	for (int i = 0; i < 3; i++) {
		world_init(&world);
		world.admit = refusals[i];
		say(hello(), 0);
		assert_int_equal(last_type(), refusals[i]);
		assert_string_equal(world_last(&world)->reason.text, "a test says so");
		assert_int_equal(world.session.end, RIP_END_REFUSED);
		finish();
	}

	world_init(&world);
	message = hello();
	message.hello.version++;
	say(message, 0);
	assert_int_equal(last_type(), RIP_REFUSED);
	assert_int_equal(world_last(&world)->reason.version, RIP_PROTOCOL_VERSION);
	assert_int_equal(world.fds_count, 0);
	finish();
}

TEST(page_refused)
{
	struct rip_message message = page(1);

	world_in(RIP_SESSION_OPEN);
	message.page.width = WORLD_IN + 1;
	say(message, 1);
	assert_int_equal(last_type(), RIP_PAGE_REFUSED);
	assert_int_equal(world.session.state, RIP_SESSION_OPEN);
	message = page(1);
	message.page.screen = RIP_SCREENS;
	say(message, 1);
	assert_int_equal(last_type(), RIP_PAGE_REFUSED);
	assert_non_null(strstr(world_last(&world)->reason.text, "does not know screen "));
	assert_int_equal(world.session.state, RIP_SESSION_OPEN);
	world.admit_page = false;
	say(page(1), 2);
	assert_int_equal(last_type(), RIP_PAGE_REFUSED);
	assert_int_equal(world.session.page_memory, 0);
	world.admit_page = true;
	say(page(1), 3);
	assert_true(world.session.page_memory >= WIDTH * 4);
	assert_true(world_work(&world, 4));
	assert_int_equal(last_type(), RIP_PAGE_READY);
	finish();
}

/* A carry out of range is found in the copy that is used; one in range is taken. */
TEST(start_carry)
{
	struct rip_message message = page(1);
	int16_t *carry;

	message.page.start = RIP_PAGE_CARRY;
	message.page.carry_offset = 512;
	for (int bad = 0; bad < 2; bad++) {
		world_in(RIP_SESSION_OPEN);
		carry = mmap(NULL, WORLD_IN, PROT_READ | PROT_WRITE, MAP_SHARED,
			     world.session.ring_page.ring.in_fd, 0);
		assert_ptr_not_equal(carry, MAP_FAILED);
		carry[256 + WIDTH - 1] = bad ? -18433 : -18432;
		say(message, 1);
		assert_true(world_work(&world, 2));
		if (bad) {
			assert_int_equal(last_type(), RIP_GOODBYE);
			assert_int_equal(world.session.end, RIP_END_BREACH);
		} else {
			assert_int_equal(last_type(), RIP_PAGE_READY);
			assert_int_equal(world.session.ring_page.carry[WIDTH - 1], -18432);
			/* It was copied: later changes do not count. */
			carry[256 + WIDTH - 1] = 32767;
			assert_int_equal(world.session.ring_page.carry[WIDTH - 1], -18432);
		}
		munmap(carry, WORLD_IN);
		finish();
	}
}

/* --- bands --------------------------------------------------------------------- */

TEST(bands)
{
	world_in(RIP_SESSION_PAGE);
	for (uint32_t seq = 0; seq < RIP_BANDS_IN_FLIGHT; seq++)
		say(band(seq), 1);
	assert_int_equal(rip_session_in_flight(&world.session), RIP_BANDS_IN_FLIGHT);
	for (uint32_t seq = 0; seq < 20; seq++) {
		assert_true(world_work(&world, 2));
		assert_int_equal(last_type(), RIP_BAND_DONE);
		assert_int_equal(world_last(&world)->state.seq, seq);
		assert_int_equal(world.session.rows, ROWS * (seq + 1));
		say(band(seq + RIP_BANDS_IN_FLIGHT), 3);
	}
	assert_int_equal(world.session.samples, 20 * ROWS * WIDTH);
	/* One too many. */
	say(band(24), 4);
	assert_int_equal(world.session.end, RIP_END_BREACH);
	/* What was at work comes back to nobody. */
	assert_true(world_work(&world, 5));
	assert_int_equal(last_type(), RIP_GOODBYE);
	finish();
}

TEST(band_breaches)
{
	struct rip_message message;

	for (int which = 0; which < 4; which++) {
		world_in(RIP_SESSION_PAGE);
		say(band(0), 1);
		message = band(1);
		if (which == 0)
			message.band.seq = 2;
		else if (which == 1)
			message.band.strips[0].in_offset = WORLD_IN - WIDTH * ROWS + 1;
		else if (which == 2)
			message.band.count = 2;
		else
			message = page(2); /* while a band is in flight */
		say(message, 1);
		assert_int_equal(world.session.end, RIP_END_BREACH);
		assert_int_equal(last_type(), RIP_GOODBYE);
		finish();
	}
}

TEST(status_entry)
{
	struct rip_session_status status;

	world_in(RIP_SESSION_PAGE);
	say(band(0), 1);
	rip_session_describe(&world.session, 1500, &status);
	assert_int_equal(status.job, 7);
	assert_string_equal(status.queue, "queue");
	assert_int_equal(status.page, 1);
	assert_int_equal(status.width, WIDTH);
	assert_int_equal(status.height, 1000);
	assert_int_equal(status.bands, 1);
	assert_int_equal(status.age_ms, 1500);
	finish();
}

/* --- time ---------------------------------------------------------------------- */

TEST(deadlines)
{
	world_in(RIP_SESSION_NEW);
	assert_int_equal(rip_session_tick(&world.session, 0), RIP_HELLO_MS);
	assert_int_equal(rip_session_tick(&world.session, RIP_HELLO_MS - 1), RIP_HELLO_MS);
	rip_session_tick(&world.session, RIP_HELLO_MS);
	assert_int_equal(world.session.end, RIP_END_BREACH);
	assert_int_equal(last_type(), RIP_REFUSED);
	finish();

	world_in(RIP_SESSION_ASKING);
	rip_session_tick(&world.session, RIP_ASKING_MS);
	assert_int_equal(world.session.end, RIP_END_DONE);
	finish();

	world_in(RIP_SESSION_PAGE);
	say(band(0), 1000);
	world_work(&world, 1001);
	assert_int_equal(rip_session_tick(&world.session, 2000), 1000 + RIP_IDLE_MS);
	rip_session_tick(&world.session, 1000 + RIP_IDLE_MS);
	assert_int_equal(world.session.end, RIP_END_BREACH);
	assert_int_equal(last_type(), RIP_GOODBYE);
	finish();
}

/* A client that waits hears of us every RIP_HEARTBEAT_MS, and of its oldest band. */
TEST(heartbeats)
{
	unsigned sent;

	world_in(RIP_SESSION_PAGE);
	say(band(0), 10000);
	say(band(1), 10001);
	sent = world.sent_count;
	assert_int_equal(rip_session_tick(&world.session, 10001), 10000 + RIP_HEARTBEAT_MS);
	assert_int_equal(world.sent_count, sent);
	assert_int_equal(rip_session_tick(&world.session, 10500), 11000);
	assert_int_equal(last_type(), RIP_QUEUED);
	assert_int_equal(world_last(&world)->state.seq, 0);
	world.started = 10600;
	rip_session_tick(&world.session, 10700);
	assert_int_equal(world.sent_count, sent + 1);
	rip_session_tick(&world.session, 11000);
	assert_int_equal(last_type(), RIP_WORKING);
	assert_int_equal(world.sent_count, sent + 2);
	world_work(&world, 11100);
	world.started = 0;
	assert_int_equal(rip_session_tick(&world.session, 11200), 11100 + RIP_HEARTBEAT_MS);
	rip_session_tick(&world.session, 11600);
	assert_int_equal(last_type(), RIP_QUEUED);
	assert_int_equal(world_last(&world)->state.seq, 1);
	world_work(&world, 11700);
	sent = world.sent_count;
	rip_session_tick(&world.session, 20000);
	assert_int_equal(world.sent_count, sent); /* nothing is waited for: silence */
	say(page(2), 30000); /* a page that opens has its first band's number */
	rip_session_tick(&world.session, 30000 + RIP_HEARTBEAT_MS);
	assert_int_equal(last_type(), RIP_QUEUED);
	assert_int_equal(world_last(&world)->state.seq, 2);
	finish();
}

/* An engine that hangs, or workers that are all held up, do not keep a client. */
TEST(hanging)
{
	world_in(RIP_SESSION_PAGE);
	say(band(0), 1000);
	world.started = 2000;
	for (int64_t now = 1000; now < 2000 + RIP_STUCK_MS; now += 100)
		rip_session_tick(&world.session, now);
	assert_int_equal(world.session.end, RIP_END_NOT);
	rip_session_tick(&world.session, 2000 + RIP_STUCK_MS);
	assert_int_equal(world.session.end, RIP_END_FAILED);
	assert_int_equal(last_type(), RIP_GOODBYE);
	finish();

	world_in(RIP_SESSION_OPENING);
	rip_session_tick(&world.session, RIP_WAIT_MS - 1);
	assert_int_equal(world.session.end, RIP_END_NOT);
	rip_session_tick(&world.session, RIP_WAIT_MS);
	assert_int_equal(world.session.end, RIP_END_FAILED);
	finish();

	/* A crowd is no fault: as long as work items of others end, the session waits. */
	world_in(RIP_SESSION_OPENING);
	world.progress = 5 * RIP_WAIT_MS;
	rip_session_tick(&world.session, 6 * RIP_WAIT_MS - 1);
	assert_int_equal(world.session.end, RIP_END_NOT);
	rip_session_tick(&world.session, 6 * RIP_WAIT_MS);
	assert_int_equal(world.session.end, RIP_END_FAILED);
	finish();
}

/* --- an engine that fails ------------------------------------------------------ */

/* All that a page of some bands leaves: dots and carries. */
static void run_page(const uint8_t *samples, uint32_t bands, uint8_t *dots)
{
	uint8_t *in = mmap(NULL, WORLD_IN, PROT_READ | PROT_WRITE, MAP_SHARED,
			   world.session.ring_page.ring.in_fd, 0);
	struct rip_message message = page(1);

	assert_ptr_not_equal(in, MAP_FAILED);
	message.page.planes = 2;
	say(message, 1);
	assert_true(world_work(&world, 1));
	assert_int_equal(last_type(), RIP_PAGE_READY);
	for (uint32_t seq = 0; seq < bands; seq++) {
		const uint64_t slot = seq % RIP_BANDS_IN_FLIGHT * 4096;

		message = band(seq);
		message.band.count = 2;
		message.band.strips[1] = message.band.strips[0];
		message.band.strips[1].plane = 1;
		message.band.strips[1].in_offset += 2048;
		message.band.strips[1].out_offset += 1024;
		message.band.strips[1].carry_offset += 1024;
		memcpy(in + slot, samples + 2 * seq * WIDTH * ROWS, WIDTH * ROWS);
		memcpy(in + slot + 2048, samples + (2 * seq + 1) * WIDTH * ROWS, WIDTH * ROWS);
		say(message, 2);
		assert_true(world_work(&world, 3));
		assert_int_equal(last_type(), RIP_BAND_DONE);
		memcpy(dots + seq * 4096, world.session.ring_page.ring.out + slot, 4096);
	}
	munmap(in, WORLD_IN);
}

TEST(failing_engine)
{
	enum { BANDS = 8 };
	static uint8_t samples[2 * BANDS * WIDTH * ROWS], good[BANDS * 4096], got[BANDS * 4096];
	for (size_t i = 0; i < sizeof samples; i++)
		samples[i] = (uint8_t)rip_test_random();
	world_in(RIP_SESSION_OPEN);
	run_page(samples, BANDS, good);
	finish();

	for (enum fail kind = FAIL_OPEN; kind <= FAIL_EXPORT; kind++)
		for (int after = 0; after < (kind == FAIL_OPEN ? 1 : BANDS); after++) {
			struct failing_engine engine;
			struct rip_session_work *first;

			world_init(&world);
			failing_engine_init(&engine, world.fallback);
			engine.kind = kind;
			engine.good = after;
			world.engine = &engine.base;
			say(hello(), 0);
			first = &world.session.band_work[0];
			memset(got, 0, sizeof got);
			run_page(samples, BANDS, got);
			assert_memory_equal(got, good, sizeof good);
			assert_ptr_equal(world.session.ring_page.engine, world.fallback);
			assert_int_equal(world.session.ring_page.failure_count, 0);
			if (kind == FAIL_OPEN) {
				assert_int_equal(world.session.bands, BANDS);
			} else if (after == BANDS - 1 && kind != FAIL_EXPORT) {
				/* the last band's work tells who failed */
				first = &world.session.band_work[(BANDS - 1) % RIP_BANDS_IN_FLIGHT];
				assert_ptr_equal(first->failures[0].engine, &engine.base);
				assert_int_equal(first->failures[0].error, -EIO);
			}
			finish();
		}
}

/* If the CPU engine fails too, the client gets the reason, and continues by itself. */
TEST(all_engines_fail)
{
	struct failing_engine engine;

	world_init(&world);
	failing_engine_init(&engine, world.fallback);
	engine.good = 0;
	world.engine = &engine.base;
	say(hello(), 0);
	world.session.ring_page.fallback = &engine.base;
	say(page(1), 1);
	assert_true(world_work(&world, 1));
	say(band(0), 2);
	assert_true(world_work(&world, 2));
	assert_int_equal(last_type(), RIP_GOODBYE);
	assert_int_equal(world.session.end, RIP_END_FAILED);
	finish();
}

/* Nor is that found out for the first of several bands in flight. */
TEST(no_engine_goes_on)
{
	struct failing_engine engine, fallback;
	world_init(&world);
	failing_engine_init(&engine, world.fallback);
	failing_engine_init(&fallback, world.fallback);
	engine.good = 0;
	fallback.kind = FAIL_OPEN;
	fallback.good = 0;
	fallback.error = -ENOMEM;
	world.engine = &engine.base;
	say(hello(), 0);
	world.session.ring_page.fallback = &fallback.base;
	say(page(1), 1);
	assert_true(world_work(&world, 1));
	for (uint32_t seq = 0; seq < RIP_BANDS_IN_FLIGHT; seq++)
		say(band(seq), 2);
	for (uint32_t seq = 0; seq < RIP_BANDS_IN_FLIGHT; seq++) {
		assert_true(world_work(&world, 2));
		assert_int_equal(last_type(), RIP_GOODBYE);
	}
	assert_int_equal(world.session.end, RIP_END_FAILED);
	finish();
}
