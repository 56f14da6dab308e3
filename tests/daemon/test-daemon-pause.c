/* The real riptided when the whole process is stopped for a while: its engines stood
 * still too, and what clients said meanwhile is not too late. */
#include "tests/tools/testing.h"

#include "daemon_fixture.h"

#define CLIENTS 16 /* as many sessions as a process may have */

static void stop_and_go(unsigned ms)
{
	assert_int_equal(kill(riptided.pid, SIGSTOP), 0);
	usleep(ms * 1000);
	assert_int_equal(kill(riptided.pid, SIGCONT), 0);
}

/* Longer than an engine may take: it is no engine that hangs, and the GPU stays. */
TEST(engine)
{
	struct rip_client client;
	AUTO(page_finish) struct page page;
	struct rip_band *band;
	AUTO_FREE int16_t *carry = calloc(rip_carry_values(&a4), sizeof *carry);

	riptided_start("gpu", "", "slow=3000");
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
	assert_string_equal(daemon_status(&riptided).device, "Test GPU");
	assert_int_equal(daemon_said(&riptided, "engine hangs"), 0);
	assert_true(daemon_said(&riptided, "deadlines begin anew") >= 1);
	rip_client_finish(&client);
	rip_band_free(band);
	riptided_finish(0);
}

/* HELLOs that came while nobody could read them. */
TEST(hello)
{
	static struct rip_connection connections[CLIENTS];

	riptided_start("cpu", "", "");
	for (int i = 0; i < CLIENTS; i++)
		rip_connection_init(&connections[i], daemon_connect(&riptided));
	daemon_status(&riptided); /* it has accepted all of them */
	assert_int_equal(kill(riptided.pid, SIGSTOP), 0);
	usleep(2500000);
	for (int i = 0; i < CLIENTS; i++) {
		const struct rip_message message = daemon_hello();

		assert_int_equal(rip_connection_send(&connections[i], &message, NULL), 0);
	}
	assert_int_equal(kill(riptided.pid, SIGCONT), 0);
	for (int i = 0; i < CLIENTS; i++) {
		struct rip_message message;

		daemon_hear(&connections[i], &message);
		assert_int_equal(message.type, RIP_READY);
	}
	for (int i = 0; i < CLIENTS; i++)
		rip_connection_finish(&connections[i]);
	riptided_finish(0);
}

BEFORE_TESTS
{
	setenv("RIPTIDED", "./tests/daemon/riptided-faulty", 0);
}
