/* The real riptided when the system has little, or clients want much: each job comes out
 * right, whoever did it, and nothing grows. */
#include "tests/tools/testing.h"

#include <link.h>
#include <math.h>

#include "daemon_job.h"
#include "system/clock.h"

static struct page page;
static const struct page *const pages[] = { &page };

static const char *const cpu[] = { "--device", "cpu", "--threads", "2", NULL };

/* AddressSanitizer keeps up to 256 MiB of what was freed, unless it is told how much. */
static void quarantine_little(void)
{
	const char *options = getenv("ASAN_OPTIONS");
	char more[1024];

	snprintf(more, sizeof more, "%s%squarantine_size_mb=4:thread_local_quarantine_size_kb=64",
		 options ? options : "", options ? ":" : "");
	setenv("ASAN_OPTIONS", more, 1);
}

static void setup(const char *program)
{
	setenv("RIPTIDED", program, 1);
	daemon_init(&riptided);
	page_init(&page, NULL, 100, rip_test_random());
}

static void finish(void)
{
	page_finish(&page);
	riptided_finish(0);
}

/* One job, in this process: right, and with at most so many warnings.  How many it
 * had. */
static unsigned print(unsigned warnings)
{
	struct job job = { .socket = riptided.socket, .number = 1, .rows = 13 };

	assert_int_equal(job_print(&job, pages, 1), 0);
	if (job.warnings > warnings)
		print_error("%s\n", job.said);
	assert_true(job.warnings <= warnings);
	assert_int_equal(job.wrong, 0);
	return job.warnings;
}

/* A daemon that could not start has said why in one line, and ended in order. */
static void assert_gave_up(void)
{
	assert_int_equal(daemon_wait(&riptided), 1);
	assert_int_equal(daemon_said(&riptided, "riptided: "), 1);
	assert_true(daemon_said(&riptided, "cannot ") + daemon_said(&riptided, "memory") >= 1);
	assert_int_equal(truncate(riptided.log, 0), 0);
}

/* Every single allocation of the daemon fails once. */
TEST(no_memory)
{
	unsigned untouched = 0, given_up = 0, n;

	setup("./tests/daemon/riptided-faulty");
	for (n = 1; untouched < 25; n++) {
		char scarce[32];

		assert_true(n < 2000);
		snprintf(scarce, sizeof scarce, "memory=%u", n);
		setenv("RIPTIDE_TEST_SCARCE", scarce, 1);
		if (!daemon_try(&riptided, cpu)) {
			assert_gave_up();
			given_up++;
			continue;
		}
		print(1 - print(1)); /* it is once */
		assert_int_equal(kill(riptided.pid, 0), 0);
		daemon_await_sessions(&riptided, 0);
		assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
		/* So often in a row it did both jobs without noticing: it needs no more. */
		untouched = daemon_said(&riptided, "session-end") == 2 ? untouched + 1 : 0;
		assert_int_equal(truncate(riptided.log, 0), 0);
	}
	print_message("%u allocations, %u of them at the start\n", n - 26, given_up);
	assert_true(given_up >= 3 && n > 40);
	unsetenv("RIPTIDE_TEST_SCARCE");
	finish();
}

/* Files may not grow (prlimit --fsize): neither a ring nor a line of the log is worth the
 * daemon's life. */
TEST(little_files)
{
	struct rip_client client;

	setup("./riptided");
	riptided.file_limit = 150; /* of the log, too */
	daemon_start(&riptided, cpu);
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), RIP_CLIENT_BUSY);
	assert_non_null(strstr(client.reason, "File too large"));
	rip_client_finish(&client);
	print(1);
	finish(); /* it ends in order */
}

/* Less and less address space, as an administrator may limit it. */
/* The address space that a program's segments take. */
static size_t program_size(const char *path)
{
	AUTO_CLOSE const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ElfW(Ehdr) header;
	size_t end = 0;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &header, sizeof header, 0), sizeof header);
	for (unsigned i = 0; i < header.e_phnum; i++) {
		const off_t at = (off_t)(header.e_phoff + (size_t)i * header.e_phentsize);
		ElfW(Phdr) segment;

		assert_int_equal(pread(fd, &segment, sizeof segment, at), sizeof segment);
		if (segment.p_type == PT_LOAD && segment.p_vaddr + segment.p_memsz > end)
			end = segment.p_vaddr + segment.p_memsz;
	}
	return end;
}

TEST(little_memory)
{
	static const unsigned megabytes[] = { 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 36, 48, 60,
					      90, 140, 220, 300 };
	struct rip_client clients[16];
	unsigned ready = 0, served = 0, given_up = 0;
	size_t program;

	if (RIP_TEST_SANITIZED) {
		print_message("not with a sanitizer, which reserves the address space\n");
		return;
	}
	setup("./riptided");
	/* The kernel kills a program that does not fit into its limit: with the code of
	 * many GPUs it is large. */
	program = program_size("./riptided");
	for (size_t n = 0; n < sizeof megabytes / sizeof megabytes[0]; n++) {
		riptided.memory_limit = ((size_t)megabytes[n] << 20) + program;
		if (!daemon_try(&riptided, cpu)) {
			assert_int_not_equal(daemon_wait(&riptided), -SIGSEGV);
			assert_int_equal(truncate(riptided.log, 0), 0);
			given_up++;
			continue;
		}
		print(1);
		/* As many sessions as it can: the others hear BUSY, no session ends early. */
		ready = 0;
		for (int i = 0; i < 16; i++) {
			int r = rip_client_open(&clients[i], riptided.socket, 1, "q", 0);

			assert_true(r == 0 || r == RIP_CLIENT_BUSY);
			ready += r == 0;
			if (r == RIP_CLIENT_BUSY)
				assert_non_null(
					strstr(clients[i].reason, "Cannot allocate memory"));
		}
		for (int i = 0; i < 16; i++)
			rip_client_finish(&clients[i]);
		served += ready > 0;
		print(1);
		assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	}
	print_message("no start with %u limits, sessions with %u, up to %u\n", given_up, served,
		      ready);
	assert_true(given_up >= 1 && served >= 3 && ready < 16);
	finish();
}

/* Threads: the first one must be; others are done without. */
TEST(no_threads)
{
	setenv("RIPTIDE_TEST_SCARCE", "threads=1", 1);
	setup("./tests/daemon/riptided-faulty");
	assert_false(daemon_try(&riptided, cpu));
	assert_gave_up();
	print(0); /* nobody is there: nothing to warn of */
	setenv("RIPTIDE_TEST_SCARCE", "threads=3", 1);
	daemon_start(&riptided, (const char *const[]){ "--device", "cpu", "--threads", "8", NULL });
	assert_int_equal(daemon_status(&riptided).workers, 2);
	assert_int_equal(daemon_said(&riptided, "2 of 8 workers run: Resource temporarily"), 1);
	print(0);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	/* The thread that looks for the GPU is no worker: without it there is no GPU. */
	setenv("RIPTIDE_TEST_SCARCE", "threads=1", 1);
	assert_false(daemon_try(&riptided, (const char *const[]){ "--device", "auto", NULL }));
	daemon_wait(&riptided);
	unsetenv("RIPTIDE_TEST_SCARCE");
	finish();
}

/* The socket's file is removed under the daemon: who has a session keeps it, who comes
 * finds nobody, and the next daemon makes it again. */
TEST(no_socket)
{
	struct rip_client client;

	setup("./riptided");
	daemon_start(&riptided, cpu);
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
	assert_int_equal(unlink(riptided.socket), 0);
	print(0);
	page_print(&page, &client, 1, 20);
	rip_client_finish(&client);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	assert_int_equal(daemon_said(&riptided, "session-end"), 1);
	daemon_start(&riptided, cpu);
	print(0);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	assert_int_equal(daemon_said(&riptided, "session-end"), 2);
	finish();
}

/* Two hundred jobs at the same instant, or one hundred: more than there are places, or room in the
 * queue of connections. */
TEST(all_at_once)
{
	enum { JOBS = RIP_TEST_SANITIZED ? 100 : 200 }; /* a sanitizer takes ten times as long */
	struct job job = { .socket = riptided.socket, .rows = 50 };
	unsigned descriptors;
	pid_t pids[JOBS];

	setup("./riptided");
	daemon_start(&riptided, cpu);
	descriptors = daemon_descriptors(&riptided);
	for (unsigned i = 0; i < JOBS; i++) {
		job.number = i + 1;
		/* Beside other tests a daemon with a sanitizer may take longer than jobs wait. */
		pids[i] = job_fork(&job, pages, 1, RIP_TEST_SANITIZED);
	}
	for (unsigned i = 0; i < JOBS; i++)
		assert_true(job_ended(pids[i]));
	daemon_await_sessions(&riptided, 0);
	daemon_await_descriptors(&riptided, descriptors);
	assert_true(daemon_said(&riptided, "session-end") > 0);
	print(0);
	finish();
}

/* Jobs in a row: nothing grows. */
TEST(one_after_the_other)
{
	enum { JOBS = RIP_TEST_SANITIZED ? 200 : 1000 };
	unsigned descriptors, memory;

	quarantine_little();
	setup("./riptided");
	daemon_start(&riptided, cpu);
	for (int i = 0; i < 50; i++)
		print(0);
	daemon_await_sessions(&riptided, 0);
	descriptors = daemon_descriptors(&riptided);
	memory = daemon_memory(&riptided);
	for (int i = 50; i < JOBS; i++)
		print(0);
	daemon_await_sessions(&riptided, 0);
	daemon_await_descriptors(&riptided, descriptors);
	assert_true(daemon_memory(&riptided) < memory + (RIP_TEST_SANITIZED ? 65536 : 1024));
	assert_int_equal(daemon_said(&riptided, "session-end"), JOBS);
	finish();
}

/* Clients that stop in the middle of their work, as a job does whose printer is out of
 * paper, and worse: bands sent and never looked for.  Others do not wait for them. */
TEST(stopped_clients)
{
	enum { STOPPED = 8 };
	pid_t pids[STOPPED];
	AUTO(page_finish) struct page large;
	double began, least = INFINITY;

	setup("./riptided");
	page_init(&large, &a4, 2000, 1);
	daemon_start(&riptided, cpu);
	for (int i = 0; i < STOPPED; i++) {
		pids[i] = fork_child();
		if (pids[i] == 0) {
			struct rip_client client;
			struct rip_band *band;

			if (rip_client_open(&client, riptided.socket, 1, "q", 0) != 0 ||
			    rip_client_page(&client, &large.spec, 1, 2000, RIP_START_NOISE,
					    NULL) != 0 ||
			    rip_band_new(&large.spec, 400, &band) != 0)
				_exit(1);
			page_fill(&large, band, 0, 400);
			for (unsigned n = rip_client_bands(&client); n; n--)
				rip_client_send(&client, band, 400);
			raise(SIGSTOP);
			_exit(0);
		}
	}
	for (int i = 0; i < STOPPED; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, WUNTRACED), pids[i]);
		assert_true(WIFSTOPPED(status));
	}
	for (int i = 0; i < 20; i++) {
		began = rip_clock_s();
		print(0);
		least = rip_clock_s() - began < least ? rip_clock_s() - began : least;
	}
	assert_true(least < 1.9); /* each would take 2 s if it waited for the stopped ones */
	for (int i = 0; i < STOPPED; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	daemon_await_sessions(&riptided, 0);
	finish();
}

/* Wide pages of many sessions, opened again and again: when the sessions are over, the
 * system has the memory back. */
TEST(given_back)
{
	struct rip_page_spec wide = {
		.planes = 1, .levels = 2, .sample_bits = 8,
		.screen = &rip_screens[RIP_FLOYD_STEINBERG]
	};
	struct rip_client clients[12];
	unsigned before, after;

	if (RIP_TEST_SANITIZED) {
		print_message("not with a sanitizer, whose memory is its own\n");
		return;
	}
	setup("./riptided");
	daemon_start(&riptided, cpu);
	print(0);
	daemon_await_sessions(&riptided, 0);
	before = daemon_memory(&riptided);
	for (unsigned i = 0; i < 12; i++)
		assert_int_equal(rip_client_open(&clients[i], riptided.socket, i, "q", 0), 0);
	for (unsigned n = 1; n <= 12; n++)
		for (unsigned i = 0; i < 12; i++) {
			wide.width = 100000 + (uint32_t)(rip_test_random() % 2000000);
			assert_int_equal(rip_client_page(&clients[i], &wide, n, 100,
							 RIP_START_NOISE, NULL), 0);
		}
	for (unsigned i = 0; i < 12; i++)
		rip_client_finish(&clients[i]);
	daemon_await_sessions(&riptided, 0);
	for (int tries = 200; tries && daemon_memory(&riptided) > before + 8192; tries--)
		usleep(10000);
	after = daemon_memory(&riptided);
	print_message("%u kB resident before, %u kB after\n", before, after);
	assert_true(after < before + 8192);
	finish();
}
