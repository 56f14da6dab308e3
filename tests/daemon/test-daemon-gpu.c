/* The real riptided with a GPU that is found late, or never, or fails, or hangs: clients
 * are answered at once, and pages come out right or not at all. */
#include "tests/tools/testing.h"

#include <pthread.h>

#include "daemon/device.h"
#include "daemon/page_place.h"
#include "daemon_fixture.h"

/* Waits until the status says this of the accelerator. */
static void await_status(const char *device, const char *accelerator)
{
	for (int tries = 3000; ; tries--) {
		const struct rip_status_reply reply = daemon_status(&riptided);

		if (!strncmp(reply.device, device, strlen(device)) &&
		    strstr(reply.accelerator, accelerator))
			return;
		if (tries == 0)
			fail_msg("%s: %s", reply.device, reply.accelerator);
		usleep(5000);
	}
}

/* A page, and a session that has begun. */
static struct page page;
static struct rip_client client;

/* Starts the daemon and waits until it has its GPUs. */
static void start(const char *settings, const char *gpu, const char *awaited)
{
	riptided_start("auto", settings, gpu);
	await_status(awaited, "");
}

/* The same; makes a page of so many rows, and opens a session. */
static void begin(const char *gpu, const char *awaited, uint32_t rows)
{
	start("", gpu, awaited);
	page_init(&page, &a4, rows, rip_test_random());
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
}

static void end(int status)
{
	rip_client_finish(&client);
	page_finish(&page);
	riptided_finish(status);
}

/* The status of a GPU. */
static void check_gpu(uint32_t which, enum rip_gpu_state state, uint32_t sessions, const char *why)
{
	const struct rip_status_reply reply = daemon_status(&riptided);
	const struct rip_gpu_status *gpu = &reply.devices.gpu[which];

	assert_true(which < reply.devices.count);
	assert_int_equal(gpu->state, state);
	assert_int_equal(gpu->sessions, sessions);
	assert_string_equal(gpu->why, why);
}

/* Waits until a GPU that has failed may be tried again, and some time more, in which the daemon
 * does not spin. */
static void let_it_wait(void)
{
	double before;

	sleep(RIP_RETRY_MS / 1000 + 1);
	before = daemon_cpu_seconds(&riptided);
	sleep(2);
	assert_true(daemon_cpu_seconds(&riptided) - before < 0.2);
}

/* A page that fails with this fault, after no wrong dots. */
static void send_bad(const struct page *p, struct rip_client *c, uint32_t rows, int fault)
{
	unsigned wrong;
	int r;

	page_send(p, c, 1, rows, &r, &wrong);
	assert_int_equal(r, fault);
	assert_int_equal(wrong, 0);
}

static void send_page(struct rip_client *c, uint32_t number, uint32_t rows,
		      enum rip_screen_id screen)
{
	struct rip_page_spec spec = a4;
	AUTO(page_finish) struct page random;

	spec.screen = &rip_screens[screen];
	page_init(&random, &spec, 10 + (uint32_t)(rip_test_random() % 200), rip_test_random());
	page_print(&random, c, number, rows);
}

/* A client that comes before the GPU is served by the CPU, and by the GPU from its
 * next page on. */
TEST(late)
{
	riptided_start("auto", "", "delay=1500");
	assert_int_equal(daemon_said(&riptided, "halftones on CPU"), 1);
	assert_int_equal(daemon_said(&riptided, "; looking for a GPU"), 1);
	assert_int_equal(daemon_said(&riptided, "no GPU"), 0);
	await_status("CPU", "still looking for one");
	assert_int_equal(rip_client_open(&client, riptided.socket, 7, "q", RIP_METHOD_AUTO), 0);
	assert_memory_equal(client.ready.device, "CPU", 3);
	send_page(&client, 1, 20, RIP_FLOYD_STEINBERG);
	assert_int_equal(daemon_said(&riptided, "Test GPU"), 0);
	await_status("Test GPU", "");
	assert_int_equal(daemon_said(&riptided, "halftones on Test GPU, found after"), 1);
	send_page(&client, 2, 20, RIP_FLOYD_STEINBERG);
	rip_client_finish(&client);
	daemon_await_sessions(&riptided, 0);
	assert_int_equal(daemon_said(&riptided, "job=7 queue=q page=2 method=bwec "
				     "device=\"Test GPU\""), 1);
	riptided_finish(0);
}

/* A page that is only offered goes to a GPU if that is worth it; the status tells where pages went.
 * The heights are for the rule only: the page's few rows are what is sent. */
static void offer(uint32_t number, uint32_t height, int outcome, const char *why)
{
	struct rip_page_spec spec = a4;

	client.optional = true;
	assert_int_equal(rip_client_page(&client, &spec, number, height, RIP_START_NOISE, NULL),
			 outcome);
	if (outcome)
		assert_string_equal(client.reason, why);
}

static void assert_placed(uint64_t gpu, uint64_t cpu, uint64_t small, uint64_t no_gpu)
{
	const struct rip_status_reply reply = daemon_status(&riptided);

	assert_int_equal(reply.placed[RIP_PLACE_GPU], gpu);
	assert_int_equal(reply.placed[RIP_PLACE_CPU], cpu);
	assert_int_equal(reply.placed[RIP_PLACE_SMALL], small);
	assert_int_equal(reply.placed[RIP_PLACE_NO_GPU], no_gpu);
}

TEST(offered)
{
	begin("delay=1000", "CPU", 20);
	offer(1, 7016, RIP_CLIENT_REFUSED, "no GPU is in use");
	await_status("Test GPU", "");
	offer(2, 7016, 0, "");
	offer(3, 100, RIP_CLIENT_REFUSED, "it takes longer to send the page than to halftone it");
	offer(4, 0, 0, "");
	assert_placed(2, 0, 1, 1);
	client.optional = false; /* a user wants the daemon */
	page_print(&page, &client, 5, 20);
	assert_placed(3, 0, 1, 1);
	end(0);
	riptided_start("cpu", "", "");
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
	offer(1, 100, 0, "");
	assert_placed(0, 1, 0, 0);
	rip_client_finish(&client);
	riptided_finish(0);
}

/* The rule's bounds. */
TEST(places)
{
	struct rip_page_message a4_page = { .width = 4960, .height = 7016, .planes = 4, .page = 1 };
	struct rip_page_message wide = a4_page, grey = a4_page;

	assert_int_equal(rip_place_page(&a4_page, 0, 0), RIP_PLACE_NO_GPU);
	assert_int_equal(rip_place_page(&a4_page, 1, 23), RIP_PLACE_GPU);
	assert_int_equal(rip_place_page(&a4_page, 1, 24), RIP_PLACE_BUSY);
	assert_int_equal(rip_place_page(&a4_page, 2, 31), RIP_PLACE_GPU);
	assert_int_equal(rip_place_page(&a4_page, 2, 32), RIP_PLACE_BUSY);
	wide.width = wide.height = 16777215; /* the product is more than 32 bits */
	wide.planes = 16;
	assert_int_equal(rip_place_page(&wide, 1, 0), RIP_PLACE_GPU);
	wide.width = wide.height = 65536;
	assert_int_equal(rip_place_page(&wide, 1, 0), RIP_PLACE_GPU);
	grey.planes = 1; /* first pages are left to their clients while a GPU has others */
	assert_int_equal(rip_place_page(&grey, 1, 0), RIP_PLACE_GPU);
	assert_int_equal(rip_place_page(&grey, 1, 1), RIP_PLACE_SMALL);
	grey.page = 5;
	assert_int_equal(rip_place_page(&grey, 1, 1), RIP_PLACE_GPU);
}

/* What the CPU does as well is still left to the client. */
TEST(methods)
{
	riptided_start("auto", "", "delay=1000");
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_ED),
			 RIP_CLIENT_NO_ACCELERATOR);
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_PWEC), 0);
	rip_client_finish(&client);
	riptided_finish(0);
}

/* There is none: who is there stays, who comes is told. */
TEST(none)
{
	struct rip_client other;

	riptided_start("auto", "", "absent delay=1000");
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_AUTO), 0);
	await_status("none", "no GPU in this test");
	assert_int_equal(rip_client_open(&other, riptided.socket, 2, "q", RIP_METHOD_AUTO),
			 RIP_CLIENT_NO_ACCELERATOR);
	assert_string_equal(other.reason, "no GPU: no GPU in this test");
	send_page(&client, 1, 20, RIP_FLOYD_STEINBERG);
	rip_client_finish(&client);
	/* After SIGHUP it is looked for again, and still is not there. */
	assert_int_equal(kill(riptided.pid, SIGHUP), 0);
	await_status("CPU", "still looking for one");
	await_status("none", "no GPU in this test");
	riptided_finish(0);
}

/* A daemon that must have a GPU ends without it, and says why. */
TEST(must_be)
{
	riptided_start("gpu", "", "absent delay=500");
	assert_int_equal(daemon_wait(&riptided), 1);
	assert_int_equal(daemon_said(&riptided, "cannot work without a GPU: no GPU in this test"),
			 1);
	daemon_finish(&riptided);
	riptided_start("0", "", "delay=300");
	await_status("Test GPU", "");
	riptided_finish(0);
}

/* A driver that hangs holds nobody up, and neither the end. */
TEST(driver_hangs)
{
	riptided_start("auto", "", "delay=100000");
	page_check_random(rip_test_random(), 100, riptided.socket, 1);
	await_status("none", "driver does not answer"); /* after 10 s */
	assert_int_equal(daemon_said(&riptided, "warning: device: the GPU's driver has not"), 1);
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_AUTO),
			 RIP_CLIENT_NO_ACCELERATOR);
	riptided_finish(0);
}

/* The engine fails wherever it can: the page comes out right, the log says it once, and
 * new sessions do without it. */
TEST(failing)
{
	static const char *const faults[] = { "open=2", "push=1", "push=7", "pull=1", "pull=6",
					      "export=1", "export=5" };

	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct rip_client second, third;

		begin(faults[i], "Test GPU", 300);
		assert_int_equal(rip_client_open(&second, riptided.socket, 2, "q", 0), 0);
		for (uint32_t number = 1; number <= 2; number++)
			page_print(&page, &client, number, 31);
		assert_int_equal(daemon_said(&riptided, "engine-fault"), 1);
		assert_int_equal(daemon_said(&riptided, "Test GPU failed (Input/output error); "
					     "continuing on CPU"), 1);
		assert_int_equal(rip_client_open(&third, riptided.socket, 3, "q", 0),
				 RIP_CLIENT_NO_ACCELERATOR);
		assert_string_equal(third.reason, "no GPU: Test GPU failed: Input/output error");
		/* Who is there goes on, with the CPU. */
		send_page(&second, 1, 20, RIP_STUCKI);
		assert_int_equal(daemon_said(&riptided, "engine-fault"), 1);
		rip_client_finish(&client);
		rip_client_finish(&second);
		end(0);
	}
}

/* A page whose planes are halftoned together, by a GPU that fails: the carries of all planes go on
 * together, on another GPU or the CPU. */
TEST(failing_together)
{
	static const struct {
		const char *gpu;
		unsigned    faults;
	} cases[] = {
		{ "every-screen", 0 }, { "every-screen open=2", 1 }, { "every-screen push=3", 1 },
		{ "every-screen pull=2", 1 }, { "every-screen export=6", 1 },
		{ "every-screen together push=3", 1 }, { "every-screen gpus=2 of=0 push=2", 1 },
	};
	struct rip_page_spec spec = {
		.width = 600, .planes = 4, .levels = 2, .sample_bits = 8,
		.screen = &rip_screens[RIP_BLUE_NOISE_COLOUR],
		.coupling = { .fade = 6554, .inks = { RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
						      RIP_INK_BLACK } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start("", cases[i].gpu, strstr(cases[i].gpu, "gpus=2") ? "2 GPUs" : "Test GPU");
		page_init(&page, &spec, 200, rip_test_random());
		assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
		for (uint32_t number = 1; number <= 2; number++)
			page_print(&page, &client, number, 31);
		assert_int_equal(daemon_said(&riptided, "engine-fault"), cases[i].faults);
		if (cases[i].faults == 0)
			assert_int_equal(daemon_said(&riptided, "why-no-gpu"), 0);
		end(0);
	}
}

/* The GPU fails, and so does what goes on for it: the log does not say that it goes on. */
TEST(failing_twice)
{
	unsigned wrong;
	int fault;

	begin("push=2 fallback", "Test GPU", 100);
	page_send(&page, &client, 1, 31, &fault, &wrong);
	assert_int_not_equal(fault, 0);
	assert_int_equal(wrong, 0);
	rip_client_finish(&client);
	daemon_await_sessions(&riptided, 0);
	assert_int_equal(daemon_said(&riptided, "Test GPU failed (Input/output error), and CPU"),
			 1);
	assert_int_equal(daemon_said(&riptided, "cannot continue the page (Cannot allocate "
				     "memory)"), 1);
	assert_int_equal(daemon_said(&riptided, "continuing on"), 0);
	end(0);
}

/* A page that the GPU does not support, or has no memory for, is the CPU's; the next one is
 * the GPU's again. */
TEST(declined)
{
	start("", "full=2", "Test GPU");
	for (uint32_t job = 1; job <= 3; job++) {
		static const char *const said[] = {
			"why-no-gpu=\"the GPU does not support this screen\"",
			"why-no-gpu=\"the GPU's memory is full\"",
			"job=3 queue=q page=2 method=bwec device=\"Test GPU\" pid="
		};

		assert_int_equal(rip_client_open(&client, riptided.socket, job, "q", 0), 0);
		send_page(&client, 1, 20, RIP_FLOYD_STEINBERG);
		if (job != 2)
			send_page(&client, 2, 20, job == 1 ? RIP_STUCKI : RIP_FLOYD_STEINBERG);
		rip_client_finish(&client);
		daemon_await_sessions(&riptided, 0);
		assert_int_equal(daemon_said(&riptided, said[job - 1]), 1);
	}
	assert_int_equal(daemon_said(&riptided, "engine-fault"), 0);
	riptided_finish(0);
}

/* The memory that the GPU holds for copies is charged; it is given back when a session
 * needs it, and if it cannot be, the session hears BUSY. */
TEST(staging)
{
	struct rip_client first, second;
	struct rip_status_reply reply;

	start("max-memory = 96M\n", "staging=50", "Test GPU");
	assert_int_equal(rip_client_open(&first, riptided.socket, 1, "q", 0), 0);
	send_page(&first, 1, 20, RIP_FLOYD_STEINBERG);
	/* 50 and 24 MiB are in use: the page is open. */
	assert_int_equal(rip_client_open(&second, riptided.socket, 2, "q", 0), RIP_CLIENT_BUSY);
	assert_non_null(strstr(second.reason, "max-memory"));
	rip_client_finish(&second);
	rip_client_finish(&first);
	daemon_await_sessions(&riptided, 0);
	reply = daemon_status(&riptided);
	assert_true(reply.memory >= UINT64_C(50) << 20 && reply.memory < UINT64_C(51) << 20);
	for (uint32_t i = 0; i < 3; i++) { /* 50 + 24 + 24 MiB are too much */
		assert_int_equal(rip_client_open(&first, riptided.socket, 3, "q", 0), 0);
		assert_int_equal(rip_client_open(&second, riptided.socket, 4, "q", 0), 0);
		rip_client_finish(&first);
		rip_client_finish(&second);
		daemon_await_sessions(&riptided, 0);
	}
	reply = daemon_status(&riptided);
	assert_true(reply.memory < UINT64_C(1) << 20);
	riptided_finish(0);
}

/* Sends the last page's first bands, and leaves. */
static void leave_at_work(struct rip_client *c, const struct page *p)
{
	struct rip_band *band;

	assert_int_equal(rip_client_page(c, &p->spec, 9, p->height, RIP_START_NOISE, NULL), 0);
	assert_int_equal(rip_band_new(&p->spec, 20, &band), 0);
	page_fill(p, band, 0, 20);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rip_client_send(c, band, 20), 0);
	rip_client_finish(c);
	rip_band_free(band);
}

/* What is used of the ring is page-locked after some bands, if the system allows it, and unlocked
 * when the session ends, however that happens. */
TEST(page_locked)
{
	static const struct {
		const char *gpu, *said;
	} cases[] = {
		{ "count", ": 2 locked, 2 unlocked, used" },
		{ "count slow=20", ": 2 locked, 2 unlocked, used" },
		{ "count unlocked=1", ": 0 locked, 0 unlocked, not used" },
		{ "count unlocked=2", ": 1 locked, 1 unlocked, not used" },
		{ "count lost=50", ": 2 locked, 2 unlocked, used" },
		{ "count gpus=2 of=0 lost=50", ": 2 locked, 2 unlocked, used" },
		{ "count gpus=2 lost=50", ": 2 locked, 2 unlocked, used" },
	};

	page_init(&page, &a4, 160, rip_test_random());
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start("", cases[i].gpu, strstr(cases[i].gpu, "gpus=2") ? "2 GPUs" : "Test GPU");
		assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
		for (uint32_t number = 1; number <= 7; number++)
			page_print(&page, &client, number, 20);
		leave_at_work(&client, &page);
		daemon_await_sessions(&riptided, 0);
		/* The ring of so small a job is never locked. */
		if (!strstr(cases[i].gpu, "lost"))
			page_check(&page, riptided.socket, 2, 20);
		assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
		if (daemon_said(&riptided, cases[i].said) != 1)
			fail_msg("%s: the daemon did not say \"%s\"", cases[i].gpu, cases[i].said);
		daemon_finish(&riptided);
	}
	page_finish(&page);
}

/* Later pages use more of the ring: that is page-locked, too.  The session is there when the daemon
 * stops. */
TEST(page_locked_anew)
{
	AUTO(page_finish) struct page small, large;

	page_init(&small, &a4, 20, rip_test_random());
	page_init(&large, &a4, 160, rip_test_random());
	start("", "count", "Test GPU");
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
	for (uint32_t i = 0; i < 30; i++)
		page_print(i < 15 ? &small : &large, &client, i % 7 + 1, i < 15 ? 1 : 40);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	assert_int_equal(daemon_said(&riptided, ": 4 locked, 4 unlocked, used"), 1);
	daemon_finish(&riptided);
	rip_client_finish(&client);
}

struct sender {
	struct rip_client client;
	struct page      *page;
	pthread_t         thread;
	unsigned          wrong;
	int               fault;
};

static void *sender_main(void *argument)
{
	struct sender *sender = argument;

	page_send(sender->page, &sender->client, 1, 20, &sender->fault, &sender->wrong);
	return NULL;
}

/* Four sessions with a page each at the same time, whose dots must be right. */
static void send_at_once(void)
{
	struct sender senders[4];

	page_init(&page, &a4, 200, rip_test_random());
	for (uint32_t i = 0; i < 4; i++) {
		senders[i].page = &page;
		assert_int_equal(rip_client_open(&senders[i].client, riptided.socket, i, "q", 0),
				 0);
	}
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&senders[i].thread, NULL, sender_main, &senders[i]),
				 0);
	for (uint32_t i = 0; i < 4; i++) {
		pthread_join(senders[i].thread, NULL);
		assert_int_equal(senders[i].fault, 0);
		assert_int_equal(senders[i].wrong, 0);
		rip_client_finish(&senders[i].client);
	}
	page_finish(&page);
}

/* GPUs that fall off under several sessions, one after the other: each session goes on, on the CPU
 * in the end, and one line a GPU says so. */
TEST(lost)
{
	for (unsigned count = 1; count <= 3; count += 2) {
		start("", count == 1 ? "lost=9 slow=20" : "gpus=3 lost=9 slow=20",
		      count == 1 ? "Test GPU" : "3 GPUs");
		send_at_once();
		assert_int_equal(daemon_said(&riptided, "engine-fault"), count);
		assert_int_equal(daemon_said(&riptided, "failed (Input/output error)"), count);
		assert_true(daemon_said(&riptided, "continuing on CPU") >= 1);
		await_status("none", "failed: Input/output error");
		riptided_finish(0);
	}
}

/* Several GPUs share the sessions: each gets as many as the others. */
TEST(several)
{
	struct rip_client clients[6];
	unsigned of_gpu[3] = { 0 };

	start("", "gpus=3", "3 GPUs: Test GPU");
	for (uint32_t i = 0; i < 6; i++) {
		char name[64];

		assert_int_equal(rip_client_open(&clients[i], riptided.socket, i, "q", 0), 0);
		for (int n = 0; n < 3; n++) {
			snprintf(name, sizeof name, "Test GPU (GPU %d)", n);
			of_gpu[n] += !strcmp(clients[i].ready.device, name);
		}
	}
	for (int n = 0; n < 3; n++)
		assert_int_equal(of_gpu[n], 2);
	for (uint32_t i = 0; i < 6; i++) {
		send_page(&clients[i], 1, 20, RIP_FLOYD_STEINBERG);
		rip_client_finish(&clients[i]);
	}
	daemon_await_sessions(&riptided, 0);
	assert_int_equal(daemon_said(&riptided, "halftones on Test GPU (GPU 2), found after"), 1);
	riptided_finish(0);
}

/* Only the GPUs that are named are used; a number that is not there is reported. */
TEST(named)
{
	struct rip_client clients[2];

	riptided_start("2,7,0", "", "gpus=3");
	await_status("2 GPUs: Test GPU", "");
	AWAIT(daemon_said(&riptided, "GPU 7 is not used: no GPU in this test"));
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(rip_client_open(&clients[i], riptided.socket, i, "q", 0), 0);
		assert_string_equal(clients[i].ready.device,
				    i ? "Test GPU (GPU 0)" : "Test GPU (GPU 2)");
	}
	for (uint32_t i = 0; i < 2; i++)
		rip_client_finish(&clients[i]);
	check_gpu(1, RIP_GPU_MISSING, 0, "no GPU in this test");
	riptided_finish(0);
}

/* A GPU fails in the middle of a page, in any way: another one goes on, with the same dots.
 * It gets no new sessions, until it is tried again. */
TEST(replaced)
{
	static const char *const faults[] = { "gpus=2 of=0 open=1", "gpus=2 of=0 push=5",
					      "gpus=2 of=0 pull=6", "gpus=2 of=0 export=3" };

	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct rip_client second;

		begin(faults[i], "2 GPUs", 300);
		assert_string_equal(client.ready.device, "Test GPU (GPU 0)");
		for (uint32_t number = 1; number <= 2; number++)
			page_print(&page, &client, number, 31);
		assert_int_equal(daemon_said(&riptided, "engine-fault"), 1);
		assert_int_equal(daemon_said(&riptided,
					     "Test GPU (GPU 0) failed (Input/output error); "
					     "continuing on Test GPU (GPU 1), with the same dots"),
				 1);
		assert_int_equal(daemon_said(&riptided, "no other could continue"), 0);
		await_status("Test GPU (GPU 1)", "");
		check_gpu(0, RIP_GPU_FAILED, 0, "Test GPU (GPU 0) failed: Input/output error");
		check_gpu(1, RIP_GPU_USED, 1, "");
		assert_int_equal(rip_client_open(&second, riptided.socket, 2, "q", 0), 0);
		assert_string_equal(second.ready.device, "Test GPU (GPU 1)");
		rip_client_finish(&second);
		if (i == 0) { /* after 10 s */
			await_status("2 GPUs", "");
			assert_int_equal(daemon_said(&riptided,
						     "halftones on Test GPU (GPU 0) again, "
						     "after 1 failure"),
					 1);
			assert_int_equal(rip_client_open(&second, riptided.socket, 3, "q", 0), 0);
			assert_string_equal(second.ready.device, "Test GPU (GPU 0)");
			page_print(&page, &second, 1, 31);
			rip_client_finish(&second);
		}
		end(0);
	}
}

/* The second GPU fails as it takes over the band: neither is held any more, and both are tried
 * again. */
TEST(replaced_twice)
{
	begin("gpus=2 lost=3", "2 GPUs", 300);
	page_print(&page, &client, 1, 31);
	check_gpu(0, RIP_GPU_FAILED, 0, "Test GPU (GPU 0) failed: Input/output error");
	check_gpu(1, RIP_GPU_FAILED, 0, "Test GPU (GPU 1) failed: Input/output error");
	rip_client_finish(&client);
	await_status("none", "failed: Input/output error");
	check_gpu(0, RIP_GPU_FAILED, 0, "Test GPU (GPU 0) failed: Input/output error");
	check_gpu(1, RIP_GPU_FAILED, 0, "Test GPU (GPU 1) failed: Input/output error");
	await_status("2 GPUs", ""); /* after 10 s */
	assert_int_equal(daemon_said(&riptided, "halftones on Test GPU (GPU 0) again, "
				     "after 1 failure"), 1);
	assert_int_equal(daemon_said(&riptided, "halftones on Test GPU (GPU 1) again, "
				     "after 1 failure"), 1);
	end(0);
}

/* A GPU that hangs takes its session with it; the other one serves, and the one that hangs is
 * not tried again. */
TEST(one_hangs)
{
	struct rip_client other;

	begin("gpus=2 of=0 hang=2", "2 GPUs", 200);
	assert_string_equal(client.ready.device, "Test GPU (GPU 0)");
	send_bad(&page, &client, 60, -ECONNRESET);
	rip_client_finish(&client);
	assert_int_equal(rip_client_open(&other, riptided.socket, 2, "q", 0), 0);
	assert_string_equal(other.ready.device, "Test GPU (GPU 1)");
	page_print(&page, &other, 1, 60);
	rip_client_finish(&other);
	await_status("Test GPU (GPU 1)", "");
	/* Neither by a reload nor later, for which the daemon waits without spinning. */
	assert_int_equal(kill(riptided.pid, SIGHUP), 0);
	let_it_wait();
	check_gpu(0, RIP_GPU_FAILED, 1, "Test GPU (GPU 0) failed: it hangs");
	assert_int_equal(daemon_said(&riptided, "again, after"), 0);
	end(1);
}

/* A lost GPU cannot be looked for, because there is no thread: it is tried later, and the daemon
 * does not spin until then. */
TEST(no_thread)
{
	setenv("RIPTIDE_TEST_SCARCE", "threads=3", 1); /* one looks for the GPU, one works */
	start("threads = 1\n", "push=2 together", "Test GPU");
	unsetenv("RIPTIDE_TEST_SCARCE");
	page_init(&page, &a4, 100, rip_test_random());
	page_check(&page, riptided.socket, 1, 20);
	page_finish(&page);
	assert_int_equal(daemon_said(&riptided, "Test GPU failed (Input/output error)"), 1);
	let_it_wait();
	check_gpu(0, RIP_GPU_FAILED, 0, "Test GPU failed: Input/output error");
	riptided_finish(0);
}

/* A page is charged the page-locked memory that it will take before it is opened. */
TEST(page_staging)
{
	struct rip_client first, second;
	struct rip_status_reply reply;

	start("max-memory = 110M\n", "page=40", "Test GPU");
	assert_int_equal(rip_client_open(&first, riptided.socket, 1, "q", 0), 0);
	assert_int_equal(rip_client_open(&second, riptided.socket, 2, "q", 0), 0);
	send_page(&first, 1, 20, RIP_FLOYD_STEINBERG);
	reply = daemon_status(&riptided);
	assert_true(reply.memory >= UINT64_C(88) << 20 && reply.memory < UINT64_C(90) << 20);
	/* 24 + 40 and 24 MiB are charged; 40 more are too much. */
	page_init(&page, &a4, 20, rip_test_random());
	send_bad(&page, &second, 20, RIP_CLIENT_REFUSED);
	assert_non_null(strstr(second.reason, "max-memory"));
	page_finish(&page);
	/* Instead of its page before; the refused page is not charged. */
	send_page(&first, 2, 20, RIP_FLOYD_STEINBERG);
	rip_client_finish(&first);
	rip_client_finish(&second);
	daemon_await_sessions(&riptided, 0);
	riptided_finish(0);
}

/* An engine that never comes back: its session is ended, others are served while there
 * are workers, and the daemon stops, telling that it had to leave something behind. */
TEST(engine_hangs)
{
	struct rip_client other;

	begin("hang=2", "Test GPU", 200);
	assert_int_equal(rip_client_open(&other, riptided.socket, 2, "q", 0), 0);
	send_bad(&page, &client, 60, -ECONNRESET); /* and not silence */
	assert_non_null(strstr(client.reason, "the engine hangs"));
	rip_client_finish(&client);
	/* Nobody else is given to it. */
	page_print(&page, &other, 1, 60);
	rip_client_finish(&other);
	assert_int_equal(rip_client_open(&client, riptided.socket, 3, "q", 0),
			 RIP_CLIENT_NO_ACCELERATOR);
	assert_string_equal(client.reason, "no GPU: Test GPU failed: it hangs");
	end(1);
}

BEFORE_TESTS
{
	setenv("RIPTIDED", "./tests/daemon/riptided-faulty", 0);
}
