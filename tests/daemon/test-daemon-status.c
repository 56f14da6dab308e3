/* A status as table, JSON and metrics: complete, and harmless to a terminal. */
#include "tests/tools/testing.h"

#include <locale.h>

#include "command/option.h"
#include "command/status/status.h"
#include "tests/tools/run.h"
#include "tests/tools/unix_socket.h"
#include "wire/codec.h"

static struct rip_status_reply reply;
static char text[65536];

static void setup(void)
{
	memset(&reply, 0, sizeof reply);
	reply = (struct rip_status_reply){
		.version = 1,
		.pid = 4711,
		.uptime_ms = 3723000,
		.jobs = 12,
		.pages = 40,
		.bands = 400,
		.samples = 123456789,
		.busy_us = 1861500000,
		.workers = 2,
		.refused = 3,
		.sessions = 3,
		.count = 2,
		.memory = UINT64_C(50) << 20,
		.max_memory = UINT64_C(2) << 30,
		.retained = 1,
		.retained_bytes = 1536 << 10,
		.resident = UINT64_C(9) << 20,
		.max_sessions = 64,
	};
	rip_text_set(reply.program, sizeof reply.program, "0.1.0");
	rip_text_set(reply.device, sizeof reply.device, "CPU (c)");
	rip_text_set(reply.accelerator, sizeof reply.accelerator, "no driver");
	reply.session[0] = (struct rip_session_status){
		.job = 17, .method = RIP_METHOD_BWEC, .page = 2, .width = 4961, .height = 7016,
		.planes = 4, .rows = 3508, .bands = 3, .pid = 99, .age_ms = 2000,
		.samples = 10000000,
	};
	rip_text_set(reply.session[0].queue, sizeof reply.session[0].queue, "evil\033[2J\"\\\xff");
	reply.session[1] = (struct rip_session_status){ .pid = 100 };
}

/* Prints the reply into text. */
static void printed(void (*print)(FILE *, const struct rip_status_reply *))
{
	FILE *out = fmemopen(text, sizeof text, "w");

	print(out, &reply);
	fclose(out);
}

static void viewed(const struct rip_status_view *view)
{
	FILE *out = fmemopen(text, sizeof text, "w");

	rip_status_print(out, &reply, view);
	fclose(out);
}

/* Only printable ASCII and line ends. */
static void assert_harmless(const char *s)
{
	for (; *s; s++)
		assert_true(*s == '\n' || (*s >= ' ' && *s <= '~'));
}

static void assert_shows(const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

TEST(table)
{
	setup();
	viewed(NULL);
	assert_harmless(text);
	assert_shows("riptided 0.1.0, process 4711, up 1 h 2 min\n");
	assert_shows("CPU (c) (no GPU: no driver)");
	assert_shows("25 % of 2 workers, 33.2 kpx/s, on average since the start\n");
	assert_shows("12 sessions, 40 pages, 400 bands, 123 Mpixels");
	assert_shows("4961x7016x4");
	assert_shows(" 50 % ");
	assert_shows("5.00 Mpx/s");
	assert_shows("evil\\x1b[2J");
	assert_shows("... and 1 more");
	assert_shows("memory    50 MiB of 2.0 GiB charged, 1.5 MiB retained by clients of 1 ended "
		     "session; 9.0 MiB resident\n");
	assert_shows("sessions  3 of 64\n");
	assert_null(strstr(text, "pages     "));
	reply.placed[RIP_PLACE_GPU] = 30;
	reply.placed[RIP_PLACE_SMALL] = 1234567890123;
	reply.placed[RIP_PLACE_BUSY] = 2;
	viewed(NULL);
	assert_shows("\npages     30 on GPUs; left to clients: 1234567890123 small, 2 GPUs busy\n");
	reply.placed[RIP_PLACE_GPU] = 0;
	viewed(NULL);
	assert_shows("\npages     left to clients: 1234567890123 small, 2 GPUs busy\n");
}

/* One of each, and numbers of any size. */
TEST(numbers)
{
	setup();
	reply.jobs = reply.pages = reply.bands = reply.refused = reply.workers = 1;
	reply.session[0].job = 4294967295;
	reply.session[0].page = 1234567890;
	reply.session[1].page = reply.session[1].rows = 1;
	viewed(NULL);
	assert_shows("totals    1 session, 1 page, 1 band, 123 Mpixels, 1 client refused\n");
	assert_shows(" of 1 worker, ");
	assert_shows("\n4294967295  evil");
	assert_shows("  1234567890  ");
	assert_shows(" 1 row ");
}

/* Names in the user's script, with what a terminal would obey escaped, in columns that
 * stand straight. */
TEST(scripts)
{
	const char *rows[2], *ends[2];

	if (!setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "en_US.UTF-8")) {
		print_message("no UTF-8 locale here\n");
		skip();
	}
	setup();
	rip_text_set(reply.session[0].queue, sizeof reply.session[0].queue,
		     "B\xc3\xbcro \xe5\x8d\xb0\xe5\x88\xb7");
	rip_text_set(reply.session[1].queue, sizeof reply.session[1].queue, "\xe2\x80\xaek\xc3");
	viewed(NULL);
	rows[0] = strstr(text, "  B\xc3\xbcro \xe5\x8d\xb0\xe5\x88\xb7 ");
	rows[1] = strstr(text, "  \\xe2\\x80\\xaek\\xc3 ");
	assert_non_null(rows[0]);
	assert_non_null(rows[1]);
	for (int i = 0; i < 2; i++) /* the end of the next column, PAGE */
		ends[i] = rows[i] + 2 + strcspn(rows[i] + 2, " ") +
			  (i == 0 ? strlen(" \xe5\x8d\xb0\xe5\x88\xb7") : 0);
	/* 9 columns in 12 bytes; 17 in 17 */
	assert_int_equal(strspn(ends[0], " ") , 17 - 9 + 2 + 4);
	assert_int_equal(strspn(ends[1], " ") , 2 + 4);
	printed(rip_status_print_json); /* programs get the same everywhere */
	assert_harmless(text);
	setlocale(LC_CTYPE, "C");
	viewed(NULL);
	assert_harmless(text);
	assert_shows("  B\\xc3\\xbcro \\xe5\\x8d\\xb0  ");
}

/* As a terminal of any size sees it: no line too long, no line too many, and only what
 * was meant to makes it do something. */
TEST(view)
{
	setup();
	reply.sessions = reply.count = 2;
	for (unsigned columns = 1; columns < 150; columns++)
		for (unsigned rows = 1; rows < 15; rows++) {
			const struct rip_status_view view = { .columns = columns, .rows = rows,
							      .live = true };
			unsigned lines = 0;
			char *c;

			viewed(&view);
			while ((c = strstr(text, "\033[7m")))
				memmove(c, c + 4, strlen(c + 4) + 1);
			while ((c = strstr(text, "\033[m")))
				memmove(c, c + 3, strlen(c + 3) + 1);
			assert_harmless(text);
			for (const char *line = text, *end; (end = strchr(line, '\n'));
			     line = end + 1) {
				assert_true(end - line <= columns);
				lines++;
			}
			assert_true(lines <= rows);
			assert_int_equal(rows >= 10 && columns >= 28, strstr(text, "evil") != NULL);
			/* Columns are there as a whole, or not. */
			assert_int_equal(rows >= 10 && strstr(text, "PROCESS"),
					 strstr(text, "  99") != NULL);
			assert_true(!strstr(text, "PROC") || strstr(text, "PROCESS"));
			assert_int_equal(strstr(text, "... and 2 more") != NULL,
					 rows == 9 && columns >= 14);
		}
}

/* Between two replies, load and rate are those of the time between them. */
TEST(difference)
{
	struct rip_status_reply before;

	setup();
	before = reply;
	reply.uptime_ms += 1000;
	reply.busy_us += 2000000;
	reply.session[0].age_ms += 1000;
	reply.session[0].samples += 700;
	viewed(&(struct rip_status_view){ .before = &before, .columns = 60 });
	assert_shows("100 % of 2 workers");
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		assert_true(end - line <= 60);
	viewed(&(struct rip_status_view){ .before = &before });
	assert_shows(" 700 px/s");
}

TEST(json)
{
	setup();
	printed(rip_status_print_json);
	assert_harmless(text);
	assert_shows("\"pid\":4711,");
	assert_shows("\"queue\":\"evil\\\\x1b[2J\\\"\\\\x5c\\\\xff\",");
	assert_shows("\"session_count\":3,");
	assert_shows("\"load\":0.2500,");
	assert_shows("\"gpus\":[],");
	assert_shows("\"memory\":52428800,\"max_memory\":2147483648,\"resident_memory\":9437184,"
		     "\"retained_memory\":1572864,\"retained_sessions\":1,\"max_sessions\":64,");
	assert_null(strchr(text, '\n'));
}

/* Each GPU, in all forms. */
TEST(gpus)
{
	setup();
	reply.devices.count = 3;
	reply.devices.gpu[0] =
		(struct rip_gpu_status){ .state = RIP_GPU_USED, .sessions = 4, .failures = 1 };
	reply.devices.gpu[1] =
		(struct rip_gpu_status){ .number = 2, .state = RIP_GPU_FAILED, .failures = 3 };
	reply.devices.gpu[2] = (struct rip_gpu_status){ .number = 7, .state = RIP_GPU_MISSING };
	rip_text_set(reply.devices.gpu[0].name, 64, "Evil \"GPU\033");
	rip_text_set(reply.devices.gpu[1].why, 64, "it hangs");
	rip_text_set(reply.devices.gpu[2].why, 64, "there is no GPU 7");
	printed(rip_status_print_json);
	assert_harmless(text);
	assert_shows(
		"\"gpus\":[{\"gpu\":0,\"name\":\"Evil "
		"\\\"GPU\\\\x1b\",\"state\":\"used\",\"why\":\"\","
		"\"sessions\":4,\"failures\":1},{\"gpu\":2,");
	assert_shows("\"state\":\"failed\",\"why\":\"it hangs\",\"sessions\":0,\"failures\":3}");
	printed(rip_status_print_metrics);
	assert_harmless(text);
	assert_shows("\nriptide_gpu_used{gpu=\"2\",name=\"\"} 0\n");
	assert_shows("\nriptide_gpu_sessions{gpu=\"0\",name=\"Evil \\\"GPU\\\\x1b\"} 4\n");
	assert_shows("\nriptide_gpu_failures_total{gpu=\"7\",name=\"\"} 0\n");
	viewed(NULL);
	assert_harmless(text);
	assert_shows(
		"\nGPU 0     used, 4 sessions, 1 failure\nGPU 2     failed, 0 sessions, 3 "
		"failures: it hangs\n"
		"GPU 7     missing, 0 sessions: there is no GPU 7\n");
}

TEST(metrics)
{
	setup();
	printed(rip_status_print_metrics);
	assert_harmless(text);
	assert_shows("\nriptide_samples_total 123456789\n");
	assert_shows("\nriptide_uptime_seconds 3723.000\n");
	assert_shows("\nriptide_busy_seconds_total 1861.500000\n");
	assert_shows("\nriptide_accelerator 0\n");
	assert_shows("\nriptide_queue_sessions{queue=\"evil\\\\x1b[2J\\\"\\\\x5c\\\\xff\"} "
		     "1\nriptide_queue_sessions{queue=\"\"} 1\n");
	assert_shows("\nriptide_retained_memory_bytes 1572864\n");
	assert_shows("\nriptide_retained_sessions 1\n");
	assert_shows("\nriptide_info{version=\"0.1.0\",device=\"CPU (c)\"} 1\n");
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		assert_true(!strncmp(line, "# ", 2) || !strncmp(line, "riptide_", 8));

	/* Every number is printed as it is. */
	reply.uptime_ms = 70;
	reply.busy_us = UINT64_C(9007199254740993);
	reply.samples = UINT64_MAX;
	printed(rip_status_print_metrics);
	assert_shows("\nriptide_uptime_seconds 0.070\n");
	assert_shows("\nriptide_busy_seconds_total 9007199254.740993\n");
	assert_shows("\nriptide_samples_total 18446744073709551615\n");
}

/* The largest reply that there can be fits a message. */
TEST(full_reply)
{
	struct rip_message message = { .type = RIP_STATUS_REPLY };
	static uint8_t bytes[RIP_MESSAGE_MAX];

	setup();
	message.status = reply;
	message.status.sessions = 1000;
	message.status.count = RIP_STATUS_SESSIONS;
	assert_true(rip_message_encode(&message, bytes, sizeof bytes) > 0);
}

static int run(const char *a, const char *b, const char *c)
{
	char *argv[] = { (char *)"status", (char *)a, (char *)b, (char *)c, NULL };
	int argc = 1;

	while (argv[argc])
		argc++;
	return rip_status_command(argc, argv);
}

TEST(command)
{
	assert_int_equal(run("--socket", "/tmp/no such folder/s", NULL), 3);
	assert_int_equal(run("--socket", "none", NULL), 3);
	assert_int_equal(run("--socket", "/dev/null/s", NULL), 3);
	assert_int_equal(run("--wrong", NULL, NULL), 2);
	assert_int_equal(run("--json", "--metrics", NULL), 2);
	assert_int_equal(run("--json", "--watch", NULL), 2);
	assert_int_equal(run("more", NULL, NULL), 2);
	assert_int_equal(run("--help", NULL, NULL), 0);
}

/* The socket of a daemon that the test plays. */
static char path[64];

BEFORE_TESTS
{
	snprintf(path, sizeof path, "/tmp/rip-status-%d", (int)getpid());
}

/* A daemon that we may not ask is there: exit 1, and who may. */
TEST(not_for_us)
{
	const int fd = unix_listen(path);
	int status;
	pid_t pid;

	assert_int_equal(chmod(path, 0), 0);
	pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && setuid(65534) < 0)
			_exit(99);
		_exit(run("--socket", path, NULL));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	unlink(path);
	close(fd);
}

/* Runs the command, and takes what it says on stderr into text. */
static int run_and_listen(void)
{
	struct rip_capture capture;
	AUTO_FREE char *said;
	int status;

	rip_capture_begin(&capture);
	status = run("--socket", path, NULL);
	said = rip_capture_end(&capture);
	snprintf(text, sizeof text, "%s", said);
	return status;
}

/* Answers one client with this reason, and closes the connection. */
static void refuse_one(int listener, enum rip_message_type type, const char *why)
{
	struct rip_message message = { .type = type };
	uint8_t bytes[256];
	int fd, length;

	message.reason.version = RIP_PROTOCOL_VERSION;
	rip_text_set(message.reason.text, sizeof message.reason.text, why);
	length = rip_message_encode(&message, bytes, sizeof bytes);
	fd = accept(listener, NULL, NULL);
	_exit(fd < 0 || length <= 0 || send(fd, bytes, (size_t)length, MSG_NOSIGNAL) != length);
}

/* A daemon that refuses says why, and so does the command. */
TEST(refused)
{
	static const enum rip_message_type types[] = { RIP_BUSY, RIP_REFUSED };
	static const char why[] = "too many connections of this process";
	AUTO_CLOSE const int listener = unix_listen(path);
	char want[256];

	snprintf(want, sizeof want, "riptide status: cannot ask the daemon on %s: %s\n",
		 path, why);
	for (int i = 0; i < 2; i++) {
		const pid_t pid = fork();

		if (pid == 0)
			refuse_one(listener, types[i], why);
		assert_int_equal(run_and_listen(), 1);
		assert_string_equal(text, want);
		assert_int_equal(wait_child(pid), 0);
	}
	unlink(path);
}
