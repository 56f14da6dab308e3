/* The real riptided when the whole process is stopped for a while: its engines stood
 * still too, and what clients said meanwhile is not too late. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon_fixture.h"
#include "tests/tools/testing.h"

#define CLIENTS 16 /* as many sessions as a process may have */

static const struct rip_page_spec a4 = {
	.width = 4961, .planes = 1, .levels = 2, .sample_bits = 8,
	.screen = &rip_screens[RIP_FLOYD_STEINBERG]
};

static struct daemon riptided;

static void start(const char *gpu, const char *device)
{
	setenv("RIPTIDE_TEST_GPU", gpu, 1);
	daemon_init(&riptided);
	daemon_start(&riptided, (const char *const[]){ "--device", device, NULL });
}

static void finish(void)
{
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	daemon_finish(&riptided);
}

static void stop_and_go(unsigned ms)
{
	assert_int_equal(kill(riptided.pid, SIGSTOP), 0);
	usleep(ms * 1000);
	assert_int_equal(kill(riptided.pid, SIGCONT), 0);
}

/* Longer than an engine may take: it is no engine that hangs, and the GPU stays. */
TEST(engine)
{
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];
	struct rip_client client;
	struct page page;
	struct rip_band *band;
	int16_t *carry = calloc(rip_carry_values(&a4), sizeof *carry);

	start("slow=3000", "gpu");
	page_init(&page, &a4, 20, rip_test_random());
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
	assert_int_equal(rip_client_page(&client, &a4, 1, 20, page.start, NULL), 0);
	assert_int_equal(rip_band_new(&a4, 20, &band), 0);
	page_fill(&page, band, 0, 20);
	assert_int_equal(rip_client_send(&client, band, 20), 0);
	usleep(500000); /* a worker has it */
	stop_and_go(11000);
	assert_int_equal(rip_client_receive(&client, band, carry), 0);
	assert_int_equal(page_compare(&page, band, 0), 0);
	assert_int_equal(rip_client_status(riptided.socket, &reply, reason), 0);
	assert_string_equal(reply.device, "Test GPU");
	assert_int_equal(daemon_said(&riptided, "engine hangs"), 0);
	assert_true(daemon_said(&riptided, "deadlines begin anew") >= 1);
	free(carry);
	rip_client_finish(&client);
	rip_band_free(band);
	page_finish(&page);
	finish();
}

/* HELLOs that came while nobody could read them. */
TEST(hello)
{
	static struct rip_connection connections[CLIENTS];
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];

	start("", "cpu");
	for (int i = 0; i < CLIENTS; i++)
		rip_connection_init(&connections[i], daemon_connect(&riptided));
	assert_int_equal(rip_client_status(riptided.socket, &reply, reason), 0);
	assert_int_equal(kill(riptided.pid, SIGSTOP), 0);
	usleep(2500000);
	for (int i = 0; i < CLIENTS; i++) {
		struct rip_message message = { .type = RIP_HELLO };

		message.hello.magic = RIP_PROTOCOL_MAGIC;
		message.hello.version = RIP_PROTOCOL_VERSION;
		assert_int_equal(rip_connection_send(&connections[i], &message, NULL), 0);
	}
	assert_int_equal(kill(riptided.pid, SIGCONT), 0);
	for (int i = 0; i < CLIENTS; i++) {
		struct pollfd pfd = { .fd = connections[i].fd, .events = POLLIN };
		struct rip_message message;
		int r;

		while ((r = rip_connection_receive(&connections[i], &message)) == -EAGAIN)
			assert_true(poll(&pfd, 1, 5000) > 0);
		assert_int_equal(r, 0);
		assert_int_equal(message.type, RIP_READY);
	}
	for (int i = 0; i < CLIENTS; i++)
		rip_connection_finish(&connections[i]);
	finish();
}

BEFORE_TESTS
{
	signal(SIGPIPE, SIG_IGN);
	setenv("RIPTIDED", "./tests/daemon/riptided-faulty", 0);
	alarm(600); /* nothing here may hang */
}
