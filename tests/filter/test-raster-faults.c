/*
 * What can go wrong around rastertoriptide: input that is truncated or absurd, a
 * disk that is full, a reader that goes away, SIGTERM, a daemon that never
 * answers.
 */
#include "tests/tools/testing.h"

#include <poll.h>
#include <sys/socket.h>

#include "system/clock.h"
#include "tests/tools/raster.h"
#include "tests/tools/run.h"
#include "tests/tools/unix_socket.h"

TEST(cut_off)
{
	AUTO(bytes_free) struct bytes stream = { 0 };
	size_t page2, end;

	raster_begin(&stream, RASTER_V3, false);
	raster_add(&stream, RASTER_V3, false, raster_page(CUPS_CSPACE_K, 0, 8, 500, 40), NULL);
	page2 = stream.size;
	raster_add(&stream, RASTER_V3, false, raster_page(CUPS_CSPACE_RGB, 2, 8, 300, 20), NULL);
	end = stream.size;
	for (size_t size = 1; size < end; size += size < 10 || size > end - 10 ? 1 : 700) {
		struct bytes prefix = { stream.data, size, size };
		AUTO(run_free) struct run run = { .by_pipe = size % 2 };

		run_filter(&run, &prefix);
		if (size == 4 || size == page2) {
			assert_int_equal(run.status, 0);
		} else if (size < 4) {
			FAILED(&run, "no CUPS, PWG or Apple raster");
		} else {
			FAILED(&run, size < page2 ? "page 1: " : "page 2: ", "the raster ends in ");
			/* what has come out does not look like a whole page */
			assert_true(run.out.size < (size < page2 ? 1800 + 40 * 63 :
						    1800 + 40 * 63 + 1796 + 3 * 20 * 38));
		}
	}
}

TEST(absurd_headers)
{
	static const struct raster_fault wrong[] = {
		{ RASTER_FIELD(cupsWidth), 0, "cupsWidth is 0" },
		{ RASTER_FIELD(cupsHeight), 0, "cupsHeight is 0" },
		{ RASTER_FIELD(cupsWidth), 0xffffffff, "cupsWidth is 4294967295" },
		{ RASTER_FIELD(cupsHeight), 0xfffffffe, "cupsHeight is 4294967294" },
		{ RASTER_FIELD(cupsBitsPerColor), 2, "cupsBitsPerColor is 2" },
		{ RASTER_FIELD(cupsBitsPerPixel), 0xffffffff, "cupsBitsPerPixel is 4294967295" },
		{ RASTER_FIELD(cupsBytesPerLine), 0x80000000, "cupsBytesPerLine is 2147483648" },
		{ RASTER_FIELD(cupsBytesPerLine), 65, "cupsBytesPerLine is 65" },
		{ RASTER_FIELD(cupsColorSpace), 16, "cupsColorSpace is 16 (CIELab)" },
		{ RASTER_FIELD(cupsNumColors), 4000000000, "cupsNumColors is 4000000000" },
	};

	for (size_t i = 0; i < COUNT(wrong); i++)
		for (int second = 0; second < 2; second++)
			for (int format = RASTER_V2; format <= RASTER_V3; format++) {
				cups_page_header2_t h = raster_page(CUPS_CSPACE_K, 0, 8, 64, 64);
				AUTO(bytes_free) struct bytes stream = { 0 };
				AUTO(run_free) struct run run = { 0 };

				raster_begin(&stream, format, false);
				if (second)
					raster_add(&stream, format, false, h, NULL);
				raster_damage(&h, &wrong[i]);
				raster_header(&stream, format, false, &h);
				bytes_add(&stream, "12345678", 8);
				run_filter(&run, &stream);
				FAILED(&run, second ? "page 2: " : "page 1: ", wrong[i].text);
				assert_int_equal(run.out.size, second ? 1800 + 64 * 8 : 0);
			}
}

TEST(no_raster)
{
	AUTO(bytes_free) struct bytes stream = { 0 };
	AUTO(run_free)
	struct run run = { 0 },
		   none = { .file = "/nonexistent/file" }, directory = { .file = "/" };

	bytes_add(&stream, "%PDF-1.7\n", 9);
	run_filter(&run, &stream);
	FAILED(&run, "25 50 44 46");
	run_filter(&none, &stream);
	FAILED(&none, "/nonexistent/file", "No such file or directory");
	run_filter(&directory, &stream);
	FAILED(&directory, "Is a directory");
}

TEST(disk_full)
{
	AUTO(run_free) struct run run = { .out_path = "/dev/full" };

	run_pages(&run, RASTER_V3, raster_page(CUPS_CSPACE_K, 0, 8, 64, 64), NULL, 1);
	FAILED(&run, "cannot write", "No space left on device");
	assert_int_equal(run_count(&run, "PAGE:"), 0);
}

TEST(file_limit)
{
	AUTO(run_free) struct run run = { .file_size = 4096 };

	run_pages(&run, RASTER_V3, raster_page(CUPS_CSPACE_K, 0, 8, 640, 640), NULL, 1);
	FAILED(&run, "cannot write", "File too large");
}

/* A listening socket at /tmp/NAME, and the environment that names it. */
static int listen_at(const char *name, char variable[200])
{
	snprintf(variable, 200, "RIPTIDE_SOCKET=/tmp/rip-%s-%d", name, (int)getpid());
	return unix_listen(strchr(variable, '/'));
}

/* Without a standard stream the filter fails, and neither the daemon's socket nor the
 * input takes its place. */
TEST(closed_streams)
{
	char variable[200], path[] = "/tmp/rip-input-XXXXXX", text[8192];
	AUTO(bytes_free) struct bytes stream = { 0 };

	raster_begin(&stream, RASTER_V3, false);
	raster_add(&stream, RASTER_V3, false, raster_page(CUPS_CSPACE_K, 0, 8, 640, 640), NULL);
	for (unsigned closed = 1; closed < 8; closed++) {
		AUTO_CLOSE const int listener = listen_at("closed", variable), fd = mkstemp(path);
		AUTO(run_free)
		struct run run = { .closed = closed, .daemon = true, .env = { variable } };
		ssize_t n = 0;
		int client;

		assert_int_equal(write(fd, stream.data, stream.size), stream.size);
		if (closed & 1 && closed != 1) /* 1: standard input is what is missing */
			run.file = path;
		run_filter(&run, &stream);
		assert_true(WIFEXITED(run.status));
		assert_int_equal(WEXITSTATUS(run.status), closed == 4 || closed == 5 ? 0 : 1);
		if (!(closed & 4))
			FAILED(&run, closed & 2 ? "cannot write" : "cannot read",
			       "Bad file descriptor");
		/* To the daemon it says HELLO, and no raster. */
		fcntl(listener, F_SETFL, O_NONBLOCK);
		client = accept(listener, NULL, NULL);
		if (client >= 0) {
			n = read(client, text, sizeof text);
			close(client);
		}
		assert_true(n <= 152);
		unlink(variable + strlen("RIPTIDE_SOCKET="));
		unlink(path);
		strcpy(path + strlen(path) - 6, "XXXXXX");
	}
}

/* ---- programs that are watched while they run ---- */

struct child {
	pid_t pid;
	int   in, out, err; /* our ends of its pipes */
};

static struct child start(const char *socket)
{
	const char *argv[] = { "queue", "7", "user", "title", "1", "", NULL };
	char variable[200];
	char *env[] = { variable, NULL };
	int in[2], out[2], err[2];
	struct child child;

	snprintf(variable, sizeof variable, "RIPTIDE_SOCKET=%s", socket);
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC) | pipe2(err, O_CLOEXEC), 0);
	child.pid = fork();
	if (child.pid == 0) {
		sigset_t set;

		/* A careless parent: the filter sets its signals itself. */
		sigfillset(&set);
		sigdelset(&set, SIGALRM);
		sigprocmask(SIG_BLOCK, &set, NULL);
		signal(SIGTERM, SIG_IGN);
		signal(SIGPIPE, SIG_DFL);
		alarm(600);
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(err[1], 2);
		execve(filter_path(), (char **)argv, env);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	child.in = in[1];
	child.out = out[0];
	child.err = err[0];
	return child;
}

/* Waits until it is the filter and has set its signals: before, SIGTERM is lost. */
static void await_signals(const struct child *child)
{
	const unsigned long long term = 1ull << (SIGTERM - 1);
	unsigned long long set, held = term;
	char path[64], line[256];

	snprintf(path, sizeof path, "/proc/%d/status", (int)child->pid);
	for (int tries = 0; held && tries < 1000; tries++) {
		FILE *file = fopen(path, "re");

		assert_non_null(file);
		held = term;
		while (fgets(line, sizeof line, file))
			if (!strcmp(line, "Name:\trastertoriptide\n"))
				held = 0;
			else if (sscanf(line, "SigBlk: %llx", &set) == 1 ||
			    sscanf(line, "SigIgn: %llx", &set) == 1)
				held |= set & term;
		fclose(file);
		poll(NULL, 0, 10);
	}
	assert_false(held);
}

/* Milliseconds until it is gone; its status. */
static int64_t gone(struct child *child, int *status)
{
	const int64_t began = rip_clock_ms();

	assert_int_equal(waitpid(child->pid, status, 0), child->pid);
	return rip_clock_ms() - began;
}

static void finish(struct child *child)
{
	close(child->in);
	close(child->out);
	close(child->err);
}

/* Writes until the filter reads no more for a while. */
static void write_until_blocked(struct child *child, const struct bytes *bytes)
{
	struct pollfd poll_in = { .fd = child->in, .events = POLLOUT };
	size_t done = 0;

	fcntl(child->in, F_SETFL, O_NONBLOCK);
	while (done < bytes->size && poll(&poll_in, 1, 300) > 0) {
		ssize_t n = write(child->in, bytes->data + done, bytes->size - done);

		assert_true(n > 0);
		done += n;
	}
	assert_true(done < bytes->size);
}

TEST(sigterm)
{
	AUTO(bytes_free) struct bytes stream = { 0 };
	int status;

	raster_begin(&stream, RASTER_V3, false);
	for (int i = 0; i < 4; i++)
		raster_add(&stream, RASTER_V3, false, raster_page(CUPS_CSPACE_K, 0, 8, 4000, 2000),
			   NULL);
	for (int blocked = 0; blocked < 3; blocked++) {
		AUTO(finish) struct child child = start("none");

		await_signals(&child);
		if (blocked == 1) /* in reading, in mid-page */
			assert_int_equal(write(child.in, stream.data, 60000), 60000);
		if (blocked == 2) /* in writing */
			write_until_blocked(&child, &stream);
		else
			poll(NULL, 0, 100);
		assert_int_equal(waitpid(child.pid, &status, WNOHANG), 0);
		kill(child.pid, SIGTERM);
		assert_true(gone(&child, &status) < 1000);
		assert_true(status != 0);
	}
}

TEST(closed_pipe)
{
	AUTO(bytes_free) struct bytes stream = { 0 };
	AUTO(finish) struct child child = start("none");
	char text[4096];
	int status;
	ssize_t n;

	raster_begin(&stream, RASTER_V3, false);
	raster_add(&stream, RASTER_V3, false, raster_page(CUPS_CSPACE_K, 0, 8, 100, 100), NULL);
	close(child.out);
	child.out = dup(child.err);
	assert_int_equal(write(child.in, stream.data, stream.size), stream.size);
	assert_true(gone(&child, &status) < 10000);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	n = read(child.err, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	assert_non_null(strstr(text, "ERROR: cannot write the raster: Broken pipe\n"));
}

/* A daemon that accepts and says nothing: two seconds, one warning, the same dots,
 * also if the pages do not agree on a method. */
TEST(silent_daemon)
{
	char variable[200];
	const int listener = listen_at("silent", variable);
	AUTO(bytes_free) struct bytes stream = { 0 };
	struct run without = { 0 }, with = { .daemon = true };
	int connections = 0;

	raster_begin(&stream, RASTER_V3, false);
	for (int i = 0; i < 3; i++) {
		cups_page_header2_t page = raster_page(CUPS_CSPACE_CMYK, 0, 8, 600, 300);

		snprintf(page.cupsString[0], sizeof page.cupsString[0], "riptide:%s",
			 i == 1 ? "ed" : "ec");
		raster_add(&stream, RASTER_V3, false, page, NULL);
	}
	run_filter(&without, &stream);
	with.env[0] = variable;
	run_filter(&with, &stream);
	unlink(variable + strlen("RIPTIDE_SOCKET="));
	while (poll(&(struct pollfd){ .fd = listener, .events = POLLIN }, 1, 0) == 1) {
		close(accept(listener, NULL, NULL));
		connections++;
	}
	close(listener);
	assert_int_equal(with.status, 0);
	assert_int_equal(connections, 1); /* it waits once, not for each page */
	assert_int_equal(run_count(&with, "WARNING:"), 1);
	assert_int_equal(run_count(&with, "ERROR:"), 0);
	assert_true(with.seconds > 1.5);
	assert_int_equal(with.out.size, without.out.size);
	assert_memory_equal(with.out.data, without.out.data, without.out.size);
	/* nobody there: no warning */
	run_free(&with);
	run_filter(&with, &stream);
	assert_int_equal(with.status, 0);
	assert_int_equal(run_count(&with, "WARNING:"), 0);
	assert_memory_equal(with.out.data, without.out.data, without.out.size);
	run_free(&with);
	run_free(&without);
}

/* ---- what is printed ---- */

/* Runs the program with these arguments: its status, and what it says where. */
static void says(const char *a, const char *b, int status, const char *out, const char *err)
{
	const char *const argv[] = { filter_path(), a, b, NULL };
	struct rip_run run;

	rip_run(&run, argv, "", 0);
	assert_int_equal(run.status, status);
	if (strncmp((char *)run.out, out, *out ? strlen(out) : 1) ||
	    strncmp(run.err, err, *err ? strlen(err) : 1))
		fail_msg("stdout \"%s\", stderr \"%s\"", (char *)run.out, run.err);
	free(run.out);
}

TEST(usage)
{
	says("--help", NULL, 0, "Usage: rastertoriptide job user title copies options", "");
	says("--version", NULL, 0, "rastertoriptide (riptide) " PACKAGE_VERSION "\n", "");
	for (int i = 0; i < 3; i++)
		says(i > 0 ? "1" : NULL, i > 1 ? "--help" : NULL, 1, "",
		     "Usage: rastertoriptide job");
}

TEST(page_log)
{
	char path[40], env[64];
	FILE *ppd = new_ppd(path, env);
	AUTO(bytes_free) struct bytes stream = { 0 };
	AUTO(run_free) struct run ours = { .env = { env } }, others = { 0 };

	fputs("*cupsFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n", ppd);
	fclose(ppd);
	raster_begin(&stream, RASTER_V3, false);
	for (int i = 0; i < 3; i++) {
		cups_page_header2_t h = raster_page(CUPS_CSPACE_K, 0, i == 2 ? 1 : 8, 100, 1000);

		h.NumCopies = i == 0 ? 0 : 3;
		raster_add(&stream, RASTER_V3, false, h, NULL);
	}
	run_filter(&ours, &stream);
	unlink(path);
	run_filter(&others, &stream);
	assert_int_equal(ours.status | others.status, 0);
	assert_int_equal(run_count(&ours, "PAGE:"), 3);
	assert_int_equal(run_count(&ours, "PAGE: 1 1\n"), 1);
	assert_int_equal(run_count(&ours, "PAGE: 2 3\n"), 1);
	assert_int_equal(run_count(&ours, "PAGE: 3 3\n"), 1);
	assert_int_equal(run_count(&others, "PAGE:"), 0);
	/* progress: from 0 to 100 on each page, in steps */
	assert_int_equal(run_count(&ours, "ATTR: job-media-progress=0\n"), 3);
	assert_int_equal(run_count(&ours, "ATTR: job-media-progress=100\n"), 3);
	assert_true(run_count(&ours, "ATTR:") <= 3 * 21);
	assert_int_equal(run_count(&ours, "INFO:"), 1); /* what the job took */
}

BEFORE_TESTS
{
	signal(SIGPIPE, SIG_IGN);
}
