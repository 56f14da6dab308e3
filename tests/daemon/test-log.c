/* What the daemon logs: the fields of the journal, the line of text, that nothing of a
 * client's does anything to a terminal, and that nobody who does not read blocks it. */
#include "tests/tools/testing.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "daemon/log.h"
#include "daemon/log_meter.h"
#include "daemon/scheduler.h"
#include "tests/tools/run.h"

static int64_t clock_ms = 1000; /* what rip_log() takes for the time */
static unsigned lines;          /* that the journal got */
static char fields[64][1024]; /* of the last line, as the journal got them */
static int field_count;
static bool journal_is_full;
static bool takes_half; /* of a line: the socket that is stderr */

/* Instead of the daemon's. */
int64_t rip_now_ms(void)
{
	return clock_ms;
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);

/* The journal. */
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
	const struct sockaddr_un *address = message->msg_name;
	ssize_t size = 0;

	assert_true(fd >= 0 && (flags & MSG_DONTWAIT));
	assert_string_equal(address->sun_path, "/run/systemd/journal/socket");
	if (journal_is_full) {
		errno = EAGAIN;
		return -1;
	}
	assert_true(message->msg_iovlen <= 64);
	field_count = (int)message->msg_iovlen;
	lines++;
	for (int i = 0; i < field_count; i++) {
		const struct iovec *iov = &message->msg_iov[i];
		const size_t length = iov->iov_len - 1;

		assert_true(length < sizeof fields[0]);
		memcpy(fields[i], iov->iov_base, length + 1);
		assert_int_equal(fields[i][length], '\n');
		fields[i][length] = '\0';
		for (size_t k = 0; k < length; k++)
			assert_true((unsigned char)fields[i][k] >= ' ' && fields[i][k] != 0x7f);
		size += (ssize_t)iov->iov_len;
	}
	return size;
}

ssize_t __real_send(int fd, const void *data, size_t size, int flags);
ssize_t __wrap_send(int fd, const void *data, size_t size, int flags);

/* TCP may send a part of a line; UNIX sockets never do with lines of this size. */
ssize_t __wrap_send(int fd, const void *data, size_t size, int flags)
{
	return __real_send(fd, data, takes_half ? size / 2 : size, flags);
}

static void assert_field(const char *field)
{
	for (int i = 0; i < field_count; i++)
		if (!strcmp(fields[i], field))
			return;
	for (int i = 0; i < field_count; i++)
		print_error("%s\n", fields[i]);
	fail_msg("no field %s", field);
}

static const struct rip_log_done done = {
	.pages = 3, .bands = 42, .samples = UINT64_C(12345678901), .time_us = 2000000,
	.engine_us = 1500000, .wait_us = 250000,
};

static const struct rip_log_subject subject = {
	.job = 4711, .queue = "laser\x1b[2J\n\"x\" = \xff", .page = 3, .method = "ec",
	.device = "CPU (avx2)", .why_no_gpu = "no NVIDIA GPU found", .done = &done,
	.pid = 77, .uid = 7,
};

/* stderr is the journal's. */
static void use_journal(void)
{
	char stream[64];
	struct stat st;

	assert_int_equal(fstat(STDERR_FILENO, &st), 0);
	snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
	rip_log_init(LOG_INFO);
}

/* Everything is a field. */
TEST(journal)
{
	use_journal();
	rip_log(LOG_WARNING, RIP_EVENT_SESSION_FAULT, &subject, "%d pages", 3);
	assert_field("MESSAGE=job 4711: 3 pages");
	assert_field("MESSAGE_ID=6d2f0c1b7a534d0f9a5b1d5e3c8f2a07");
	assert_field("PRIORITY=4");
	assert_field("SYSLOG_IDENTIFIER=riptided");
	assert_field("RIPTIDE_EVENT=session-fault");
	assert_field("RIPTIDE_JOB=4711");
	assert_field("RIPTIDE_QUEUE=laser\\x1b[2J\\x0a\"x\" = \\xff");
	assert_field("RIPTIDE_PAGE=3");
	assert_field("RIPTIDE_METHOD=ec");
	assert_field("RIPTIDE_DEVICE=CPU (avx2)");
	assert_field("RIPTIDE_WHY_NO_GPU=no NVIDIA GPU found");
	assert_field("RIPTIDE_PAGES=3");
	assert_field("RIPTIDE_BANDS=42");
	assert_field("RIPTIDE_SAMPLES=12345678901");
	assert_field("RIPTIDE_TIME_USEC=2000000");
	assert_field("RIPTIDE_ENGINE_USEC=1500000");
	assert_field("RIPTIDE_WAIT_USEC=250000");
	assert_field("RIPTIDE_CLIENT_PID=77");
	assert_field("RIPTIDE_CLIENT_UID=7");
	assert_int_equal(field_count, 19);

	/* Fields that there is nothing for are left out, and so are lines of less weight. */
	rip_log(LOG_INFO, RIP_EVENT_START, NULL, "here");
	assert_int_equal(field_count, 5);
	assert_field("MESSAGE=here");
	field_count = 0;
	rip_log(LOG_DEBUG, RIP_EVENT_START, NULL, "here");
	assert_int_equal(field_count, 0);
	rip_log_limit(LOG_DEBUG);
	rip_log(LOG_DEBUG, RIP_EVENT_START, NULL, "here");
	assert_int_equal(field_count, 5);
}

/* A queue's name in its own script stays readable; what turns the direction of writing,
 * or is no UTF-8, is escaped. */
TEST(names)
{
	static const struct {
		const char *queue, *field;
	} names[] = {
		{ "B\xc3\xbcro", "RIPTIDE_QUEUE=B\xc3\xbcro" },
		{ "\xe5\x8d\xb0\xe5\x88\xb7", "RIPTIDE_QUEUE=\xe5\x8d\xb0\xe5\x88\xb7" },
		{ "a\xe2\x80\xaez", "RIPTIDE_QUEUE=a\\xe2\\x80\\xaez" },
		{ "a\xc2\x9bz", "RIPTIDE_QUEUE=a\\xc2\\x9bz" },
		{ "a\xc3z", "RIPTIDE_QUEUE=a\\xc3z" },
	};

	use_journal();
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct rip_log_subject named = { .job = 1, .queue = names[i].queue };

		rip_log(LOG_ERR, RIP_EVENT_SESSION_END, &named, "two\nlines");
		assert_field(names[i].field);
		assert_field("MESSAGE=job 1: two lines");
	}
	rip_log_finish();
}

/* Takes all that can be read; how many lines say that so many were dropped. */
static unsigned drain(int fd, const char *said)
{
	static char text[1 << 20];
	size_t used = 0;
	unsigned count = 0;
	ssize_t n;

	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	while (used < sizeof text - 1 && (n = read(fd, text + used, sizeof text - 1 - used)) > 0)
		used += (size_t)n;
	text[used] = '\0';
	for (const char *at = text; (at = strstr(at, said)); at++)
		count++;
	return count;
}

/* Makes the second end of a pipe or of a socket pair stderr.  Returns the former stderr. */
static int use_stderr(bool is_socket, int ends[2])
{
	const int before = dup(STDERR_FILENO);

	rip_log_finish();
	if (is_socket)
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	else
		assert_int_equal(pipe(ends), 0);
	assert_true(before >= 0 && dup2(ends[1], STDERR_FILENO) >= 0);
	close(ends[1]);
	return before;
}

static void restore_stderr(int before)
{
	rip_log_finish();
	dup2(before, STDERR_FILENO);
	close(before);
}

static void fill_stderr(void)
{
	const char byte = 'x';

	assert_int_equal(fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK), 0);
	while (write(STDERR_FILENO, &byte, 1) == 1)
		;
	assert_int_equal(fcntl(STDERR_FILENO, F_SETFL, 0), 0);
}

/* In a new period. */
static void log_lines(int count)
{
	clock_ms += RIP_LOG_PERIOD_MS;
	while (count--)
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, &subject, "line");
}

/* stderr is a pipe or a socket that nobody reads, and the journal is full: nothing
 * blocks, and what was dropped is counted and reported as soon as that can be. */
TEST(nobody_reads)
{
	for (int way = 0; way < 4; way++) {
		int ends[2];
		const int before = use_stderr(way % 2, ends);

		fill_stderr();
		if (way < 2)
			rip_log_init(LOG_INFO);
		else
			use_journal();
		/* Others that share this stderr may still want to block. */
		assert_false(fcntl(STDERR_FILENO, F_GETFL) & O_NONBLOCK);
		journal_is_full = true;
		log_lines(7);
		assert_true(rip_log_tick(clock_ms) == clock_ms + 1000);
		assert_int_equal(drain(ends[0], "dropped"), 0);
		clock_ms += 1000;
		if (way < 3) {
			assert_true(rip_log_tick(clock_ms) == INT64_MAX);
			assert_int_equal(drain(ends[0], "7 log lines were dropped: nobody took "
					       "them\n"), 1);
		} else {
			journal_is_full = false;
			assert_true(rip_log_tick(clock_ms) == INT64_MAX);
			assert_field("MESSAGE=7 log lines were dropped: nobody took them");
			assert_field("RIPTIDE_DROPPED=7");
		}
		journal_is_full = false;
		restore_stderr(before);
		close(ends[0]);
	}
}

/* The daemon ends before it could report what was dropped: the last line reports it. */
TEST(dropped_at_the_end)
{
	int ends[2];
	const int before = use_stderr(false, ends);

	fill_stderr();
	rip_log_init(LOG_INFO);
	log_lines(7);
	assert_int_equal(drain(ends[0], "dropped"), 0);
	rip_log_finish();
	assert_int_equal(drain(ends[0], "7 log lines were dropped: nobody took them\n"), 1);
	restore_stderr(before);
	close(ends[0]);
}

/* A line of which a socket takes only a part counts as dropped. */
TEST(part_of_a_line_sent)
{
	int ends[2];
	const int before = use_stderr(true, ends);

	rip_log_init(LOG_INFO);
	takes_half = true;
	log_lines(1);
	assert_true(rip_log_tick(clock_ms) == clock_ms + 1000);
	takes_half = false;
	assert_true(rip_log_tick(clock_ms) == INT64_MAX);
	assert_int_equal(drain(ends[0], "1 log line was dropped: nobody took it\n"), 1);
	restore_stderr(before);
	close(ends[0]);
}

/* The same of a file that may not grow any more. */
TEST(part_of_a_line_written)
{
	const int before = dup(STDERR_FILENO);
	AUTO_CLOSE const int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	struct rlimit usual, low;
	int64_t next;

	assert_true(file >= 0 && dup2(file, STDERR_FILENO) >= 0);
	rip_log_init(LOG_INFO);
	signal(SIGXFSZ, SIG_IGN); /* as the daemon does */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
	low = (struct rlimit){ 20, usual.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	log_lines(1);
	next = rip_log_tick(clock_ms);
	setrlimit(RLIMIT_FSIZE, &usual);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(lseek(file, 0, SEEK_END), 20);
	assert_true(next == clock_ms + 1000);
	assert_true(rip_log_tick(clock_ms) == INT64_MAX);
	assert_int_equal(lseek(file, 0, SEEK_SET), 0);
	assert_int_equal(drain(file, "1 log line was dropped: nobody took it\n"), 1);
	restore_stderr(before);
}

static volatile sig_atomic_t pipe_signals;

static void count_signal(int number)
{
	pipe_signals++;
}

/* stderr is a socket whose other end is closed: lines are dropped, and no SIGPIPE comes. */
TEST(closed_socket)
{
	int ends[2];
	int before = use_stderr(true, ends);

	close(ends[0]);
	rip_log_init(LOG_INFO);
	pipe_signals = 0;
	signal(SIGPIPE, count_signal);
	log_lines(3);
	assert_true(rip_log_tick(clock_ms) == clock_ms + 1000);
	restore_stderr(before);
	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(pipe_signals, 0);

	before = use_stderr(false, ends);
	rip_log_init(LOG_INFO);
	assert_true(rip_log_tick(clock_ms) == INT64_MAX);
	assert_int_equal(drain(ends[0], "3 log lines were dropped: nobody took them\n"), 1);
	restore_stderr(before);
	close(ends[0]);
}

/* stderr is a file: one line of text. */
TEST(text)
{
	static const char want[] =
		"riptided: warning: session-fault job=4711 queue=\"laser\\x1b[2J\\x0a\\x22x\\x22 = "
		"\\xff\" page=3 method=ec device=\"CPU (avx2)\" why-no-gpu=\"no NVIDIA GPU found\" "
		"pid=77 uid=7: 3 pages\n";
	char *text, *more, long_queue[128];
	struct rip_log_subject long_subject = subject;
	struct rip_capture capture;

	rip_capture_begin(&capture);
	rip_log_init(LOG_INFO); /* JOURNAL_STREAM is not this file's */
	rip_log(LOG_WARNING, RIP_EVENT_SESSION_FAULT, &subject, "%d pages", 3);
	/* The longest name, all of it to be escaped: still one line. */
	memset(long_queue, '\n', sizeof long_queue - 1);
	long_queue[sizeof long_queue - 1] = '\0';
	long_subject.queue = long_queue;
	rip_log(LOG_WARNING, RIP_EVENT_SESSION_FAULT, &long_subject, "%0300d", 3);
	text = rip_capture_end(&capture);
	assert_true(strlen(text) > sizeof want);
	assert_memory_equal(text, want, sizeof want - 1);
	more = text + sizeof want - 1;
	assert_in_range(strlen(more), 400, 1023);
	assert_ptr_equal(strchr(more, '\n'), more + strlen(more) - 1);
	free(text);
}

static void flood(unsigned count, int priority, enum rip_event event)
{
	lines = 0;
	while (count--)
		rip_log(priority, event, NULL, "again");
}

/* What is said very often is counted instead, and the count is told: with the next line
 * of its kind, when it is asked for, and at the end. */
TEST(flood)
{
	use_journal();
	rip_log_finish();
	use_journal();
	clock_ms += RIP_LOG_PERIOD_MS;
	flood(227000, LOG_WARNING, RIP_EVENT_REFUSED);
	assert_int_equal(lines, 100);
	assert_field("MESSAGE=again");
	assert_true(rip_log_tick(clock_ms) == clock_ms + RIP_LOG_PERIOD_MS);
	assert_int_equal(lines, 100);

	/* Others are as they were: of another event, or of more weight. */
	flood(1, LOG_WARNING, RIP_EVENT_SESSION_FAULT);
	flood(1, LOG_ERR, RIP_EVENT_REFUSED);
	assert_int_equal(lines, 1);
	assert_field("MESSAGE=again");
	flood(1001, LOG_INFO, RIP_EVENT_SESSION_END);
	assert_int_equal(lines, 1000);

	lines = 0;
	clock_ms += RIP_LOG_PERIOD_MS - 1;
	assert_true(rip_log_tick(clock_ms) == clock_ms + 1);
	assert_int_equal(lines, 0);
	assert_true(rip_log_tick(++clock_ms) == INT64_MAX);
	assert_int_equal(lines, 2);
	/* The other was 1 of session-end. */
	assert_field("MESSAGE=226900 more lines of this kind were left out in the last 10 s");
	assert_true(rip_log_tick(clock_ms) == INT64_MAX);
	assert_int_equal(lines, 2);

	flood(101, LOG_WARNING, RIP_EVENT_REFUSED);
	assert_int_equal(lines, 100);
	clock_ms += RIP_LOG_PERIOD_MS + 400;
	flood(1, LOG_WARNING, RIP_EVENT_REFUSED);
	assert_int_equal(lines, 2); /* what was left out, and this one */
	flood(226999, LOG_WARNING, RIP_EVENT_REFUSED);
	clock_ms += 2500;
	lines = 0;
	rip_log_finish();
	assert_int_equal(lines, 1);
	assert_field("MESSAGE=226900 more lines of this kind were left out in the last 3 s");
	assert_field("RIPTIDE_LEFT_OUT=226900");
	assert_field("RIPTIDE_EVENT=refused");
	assert_field("MESSAGE_ID=6d2f0c1b7a534d0f9a5b1d5e3c8f2a08");
	assert_field("PRIORITY=4");
	assert_int_equal(field_count, 6);
	rip_log_finish();
	assert_int_equal(lines, 1);
}
