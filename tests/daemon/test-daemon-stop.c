/* The real riptided when it stops, with a socket that systemd holds too: it burns no
 * time, and nobody who has just connected loses a job by it. */
#include "tests/tools/testing.h"

#include <sys/socket.h>

#include "daemon_fixture.h"

static void start(const char *gpu, const char *device, const char *settings)
{
	setenv("RIPTIDE_TEST_GPU", gpu, 1);
	daemon_init(&riptided);
	daemon_configure(&riptided, settings);
	daemon_listen(&riptided);
	daemon_start(&riptided, (const char *const[]){ "--device", device, "--config",
						       riptided.config, NULL });
}

/* A band that never ends, and a client that waits at the socket that was passed. */
TEST(no_spinning)
{
	struct rip_client client;
	AUTO(page_finish) struct page page;
	struct rip_band *band;
	double before;
	int fd;

	start("hang=1", "gpu", "");
	page_init(&page, &a4, 20, rip_test_random());
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
	assert_int_equal(rip_client_page(&client, &a4, 1, 20, RIP_START_NOISE, NULL), 0);
	assert_int_equal(rip_band_new(&a4, 20, &band), 0);
	page_fill(&page, band, 0, 20);
	assert_int_equal(rip_client_send(&client, band, 20), 0);
	usleep(200000); /* until a worker has it */
	assert_int_equal(kill(riptided.pid, SIGTERM), 0);
	fd = daemon_connect(&riptided);
	usleep(500000);
	before = daemon_cpu_seconds(&riptided);
	usleep(3000000);
	assert_true(daemon_cpu_seconds(&riptided) - before < 0.3);
	assert_int_equal(daemon_wait(&riptided), 1); /* a worker hangs */
	close(fd);
	rip_band_free(band);
	rip_client_finish(&client);
	riptided_finish(0);
}

/* A client that is blocked while the daemon stops finds its samples where it left them, even when
 * the daemon is gone: it has to go on with them.  One that has left its session leaves nothing. */
TEST(samples_stay)
{
	struct rip_client blocked, left;
	struct rip_band *band;
	AUTO(page_finish) struct page page;
	uint8_t *room;

	start("", "cpu", "");
	page_init(&page, &a4, 20, rip_test_random());
	assert_int_equal(rip_band_new(&a4, 20, &band), 0);
	assert_int_equal(rip_client_open(&left, riptided.socket, 1, "q", 0), 0);
	assert_int_equal(rip_client_page(&left, &a4, 1, 20, RIP_START_NOISE, NULL), 0);
	memset(rip_client_room(&left, 20), 0x77, 4961);
	rip_client_leave(&left);
	assert_int_equal(rip_client_open(&blocked, riptided.socket, 2, "q", 0), 0);
	assert_int_equal(rip_client_page(&blocked, &a4, 1, 20, RIP_START_NOISE, NULL), 0);
	rip_band_move_to(band, rip_client_room(&blocked, 20));
	page_put(&page, band, 0, 20);
	assert_int_equal(rip_client_send(&blocked, band, 20), 0);
	room = rip_client_room(&blocked, 20);
	memset(room, 0x55, 4961);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	for (size_t i = 0; i < 4961; i++)
		assert_int_equal(room[i], 0x55);
	for (size_t i = 0; i < left.ring.in_size; i += 4096)
		assert_int_equal(left.ring.in[i], 0);
	rip_client_finish(&blocked);
	rip_client_finish(&left);
	rip_band_free(band);
	riptided_finish(0);
}

/* A connection that has said nothing yet is a job that comes: the daemon does not end
 * for idleness in that moment. */
TEST(new_is_active)
{
	static struct rip_connection connection;
	struct rip_message message = daemon_hello();

	start("", "cpu", "idle-exit = 1\n");
	rip_connection_init(&connection, daemon_connect(&riptided));
	usleep(1300000);
	assert_int_equal(rip_connection_send(&connection, &message, NULL), 0);
	daemon_hear(&connection, &message);
	assert_int_equal(message.type, RIP_READY);
	rip_connection_finish(&connection);
	assert_int_equal(daemon_wait(&riptided), 0);
	riptided_finish(0);
}

/* A GPU that has failed, and is not found again, needs a new process: the daemon ends when it is
 * idle, so that systemd can start it again, and not before. */
TEST(gpu_is_gone)
{
	struct rip_client client;
	AUTO(page_finish) struct page page;

	start("push=2 gone", "gpu", "idle-exit = 3600\n");
	page_init(&page, &a4, 100, rip_test_random());
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
	page_print(&page, &client, 1, 20);
	for (int tries = 0; !daemon_said(&riptided, "GPU 0 still fails: the GPU is gone");
	     tries++) {
		page_print(&page, &client, (uint32_t)tries + 2, 20);
		assert_true(tries < 300); /* after 10 s */
		usleep(100000);
	}
	rip_client_finish(&client);
	assert_int_equal(daemon_wait(&riptided), 0);
	assert_int_equal(daemon_said(&riptided, "stopped: no GPU works in this process any more"),
			 1);
	riptided_finish(0);
}

static void assert_busy(int fd)
{
	static struct rip_connection connection;
	struct rip_message message;

	rip_connection_init(&connection, fd);
	daemon_hear(&connection, &message);
	assert_int_equal(message.type, RIP_BUSY);
	assert_string_equal(message.reason.text, "riptided stops");
	rip_connection_finish(&connection);
}

/* Who is connected and has not begun, or waits to be accepted, hears that the daemon has
 * no time: the job goes on elsewhere. */
TEST(busy)
{
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];
	int fds[6];

	setenv("RIPTIDE_TEST_GPU", "", 1);
	daemon_init(&riptided);
	daemon_start(&riptided, (const char *const[]){ "--device", "cpu", NULL });
	for (int i = 0; i < 3; i++)
		fds[i] = daemon_connect(&riptided);
	assert_int_equal(rip_client_status(riptided.socket, &reply, reason), 0);
	assert_int_equal(kill(riptided.pid, SIGSTOP), 0);
	for (int i = 3; i < 6; i++)
		fds[i] = daemon_connect(&riptided);
	assert_int_equal(kill(riptided.pid, SIGTERM), 0);
	assert_int_equal(kill(riptided.pid, SIGCONT), 0);
	for (int i = 0; i < 6; i++)
		assert_busy(fds[i]);
	assert_int_equal(daemon_wait(&riptided), 0);
	daemon_finish(&riptided);
}

BEFORE_TESTS
{
	setenv("RIPTIDED", "./tests/daemon/riptided-faulty", 0);
}
