/* A session as the client sees it, against daemons of all kinds. */
#include "tests/tools/testing.h"

#include <grp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "system/clock.h"
#include "tests/tools/unix_socket.h"
#include "tests/unit/fake_daemon.h"
#include "tests/unit/sample_page.h"
#include "wire/client.h"

static struct rip_client client; /* too large for a stack with ASan */

static int open_client(const struct fake_daemon *fake)
{
	return rip_client_open(&client, fake->path, 7, "laser", RIP_METHOD_BWEC);
}

/* Starts a daemon and opens a session. */
static void open_session(struct fake_daemon *fake)
{
	fake_start(fake);
	assert_int_equal(open_client(fake), 0);
}

/* One page through the client, two bands in flight if it can; returns the first
 * fault.  rows: of a band. */
static int print(const struct rip_page_spec *spec, uint32_t page, uint32_t height, uint32_t rows,
		 const int16_t *start)
{
	const size_t values = rip_carry_values(spec);
	struct rip_band *want = sample_page_dots(spec, height, RIP_START_NOISE);
	AUTO_FREE int16_t *carry = calloc(spec->planes * values, sizeof *carry);
	struct rip_band *bands[RIP_BANDS_IN_FLIGHT];
	uint32_t sent = 0, got = 0, depth;
	struct rip_strip strips[RIP_PLANES_MAX];
	int r = rip_client_page(&client, spec, page, height, RIP_START_NOISE, start);

	depth = r == 0 ? rip_client_bands(&client) : 0;
	if (r == 0 && rows > rip_client_band_rows(&client))
		rows = rip_client_band_rows(&client);
	for (uint32_t i = 0; i < depth; i++)
		assert_int_equal(rip_band_new(spec, rows, &bands[i]), 0);
	/* Bands of the page in turn; those without grey rows are not sent. */
	for (uint32_t y = 0, at[RIP_BANDS_IN_FLIGHT]; r == 0 && (y < height || got < sent);) {
		if (y < height && sent - got < depth) {
			struct rip_band *band = bands[sent % depth];
			const uint32_t n = height - y < rows ? height - y : rows;

			rip_band_reset(band, y);
			sample_page_fill(spec, band, y, n);
			at[sent % depth] = y;
			y += n;
			if (rip_band_strips(band, strips) == 0)
				continue;
			r = rip_client_send(&client, band, y);
			sent++;
		} else {
			r = rip_client_receive(&client, bands[got % depth], carry);
			if (r == 0)
				assert_true(sample_page_same(spec, want, bands[got % depth],
							     at[got % depth]));
			got++;
		}
	}
	for (uint32_t i = 0; i < depth; i++)
		rip_band_free(bands[i]);
	rip_band_free(want);
	return r;
}

static const struct rip_page_spec mono = PLAIN_PAGE(1001, 1);

TEST(pages_come_out_right)
{
	struct fake_daemon fake = { .act = FAKE_WORKS };
	uint16_t curve[256], *curve16 = malloc(65536 * sizeof *curve16);
	struct rip_page_spec specs[] = {
		mono,
		{ .width = 64, .planes = 6, .levels = 4, .sample_bits = 16,
		  .screen = &rip_screens[RIP_JARVIS_JUDICE_NINKE], .curve = curve16 },
		{ .width = 1, .planes = 4, .levels = 16, .sample_bits = 8,
		  .screen = &rip_screens[RIP_FLOYD_STEINBERG], .curve = curve },
		{ .width = 1024, .planes = 3, .levels = 2, .sample_bits = 8,
		  .screen = &rip_screens[RIP_ATKINSON] },
	};

	for (unsigned v = 0; v < 256; v++)
		curve[v] = (uint16_t)(v * v);
	for (unsigned v = 0; v < 65536; v++)
		curve16[v] = (uint16_t)(65535 - v);
	open_session(&fake);
	assert_string_equal(client.ready.device, "fake\n, ed");
	for (uint32_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		assert_int_equal(print(&specs[i], 2 * i + 1, 300, 1, NULL), 0);
		assert_int_equal(print(&specs[i], 2 * i + 2, 300, 37, NULL), 0);
	}
	rip_client_finish(&client);
	rip_client_finish(&client);
	fake_wait(&fake, 1);
	fake_stop(&fake);
	assert_string_equal(fake.fault, "");
	assert_int_equal(fake.sessions, 1);
	assert_int_equal(fake.pages, 8);
	assert_true(fake.bands > 8 * 20);
	assert_int_equal(fake.ended, 1);
	free(curve16);
}

/* A page may begin with a carry of the client's: here the one of noise. */
TEST(a_start_carry_goes_over)
{
	struct fake_daemon fake = { .act = FAKE_WORKS };
	struct rip_page_spec spec = { .width = 500, .planes = 3, .levels = 2, .sample_bits = 8,
				      .screen = &rip_screens[RIP_STUCKI] };
	const size_t values = rip_carry_values(&spec);
	AUTO_FREE int16_t *carry = malloc(3 * values * sizeof *carry);

	for (uint32_t p = 0; p < 3; p++)
		rip_carry_start(&spec, p, RIP_START_NOISE, carry + p * values);
	open_session(&fake);
	assert_int_equal(print(&spec, 1, 100, 10, carry), 0);
	rip_client_finish(&client);
	fake_stop(&fake);
	assert_string_equal(fake.fault, "");
}

TEST(outcomes_of_hello)
{
	static const struct {
		enum fake_act act;
		int outcome;
		const char *reason;
		double seconds;
	} cases[] = {
		{ FAKE_SILENT, -ETIMEDOUT, "it has been silent for 2 s", 2 },
		{ FAKE_DRIPS, -ETIMEDOUT, "it has been silent for 2 s", 2 },
		{ FAKE_GARBAGE, -EPROTO, "it broke the protocol", 0 },
		{ FAKE_CLOSES, -ECONNRESET, "it has closed the connection", 0 },
		{ FAKE_BUSY, RIP_CLIENT_BUSY, "64 sessions are open", 0 },
		{ FAKE_NO_ACCELERATOR, RIP_CLIENT_NO_ACCELERATOR, "no GPU\\x1b[31m", 0 },
		{ FAKE_REFUSES, -EACCES, "not of the group lp", 0 },
		{ FAKE_REFUSES_VERSION, -EPROTO, "it speaks version 5 of the protocol and not 4: "
		  "restart riptided after an update", 0 },
		{ FAKE_READY_VERSION, -EPROTO, "it speaks version 5 of the protocol and not 4: "
		  "restart riptided after an update", 0 },
		{ FAKE_WRONG_ANSWER, -EPROTO, "it broke the protocol", 0 },
		{ FAKE_NO_RING, -EPROTO, "it broke the protocol", 0 },
		{ FAKE_UNSEALED, -EPROTO,
		  "its ring has wrong seals or a wrong size", 0 },
		{ FAKE_WRONG_SIZE, -EPROTO,
		  "its ring has wrong seals or a wrong size", 0 },
	};

	for (size_t i = 0, tries = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fake_daemon fake = { .act = cases[i].act };
		const int before = rip_test_descriptors();
		double start;
		bool quick;

		fake_start(&fake);
		start = rip_clock_s();
		assert_int_equal(open_client(&fake), cases[i].outcome);
		assert_true(rip_clock_s() - start >= cases[i].seconds - 0.05);
		quick = rip_clock_s() - start < cases[i].seconds + 1;
		assert_string_equal(client.reason, cases[i].reason);
		fake_stop(&fake);
		assert_int_equal(rip_test_descriptors(), before);
		if (is_to_be_tried_again(quick, &tries))
			i--;
		rip_client_finish(&client);
	}
}

/* A socket that we may not use is not one that is missing, and it says who may, or what is in the
 * way. */
TEST(not_for_us)
{
	static const struct {
		mode_t      folder, socket;
		gid_t       group; /* 1 is daemon on any Linux; the other has no name */
		const char *reason; /* NULL: the folder */
	} cases[] = {
		{ 0755, 0660, 1,
		  "permission denied; root and members of the group daemon may connect" },
		{ 0755, 0660, 54321,
		  "permission denied; root and members of the group 54321 may connect" },
		{ 0755, 0600, 1,
		  "permission denied; root and the owner of the socket may connect" },
		{ 0700, 0666, 1, NULL },
	};
	char folder[] = "/tmp/riptide-test-XXXXXX", path[64], expected[RIP_REASON_MAX + 1];
	int fd;

	if (geteuid() != 0) {
		print_message("only root can make a socket of another group\n");
		skip();
	}
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/sock", folder);
	fd = unix_bound(path, SOCK_STREAM);
	assert_int_equal(listen(fd, 5), 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rip_status_reply reply;
		char reason[RIP_REASON_MAX + 1];
		pid_t pid;

		snprintf(expected, sizeof expected, "%s%s",
			 cases[i].reason ? cases[i].reason : "permission denied by the folder ",
			 cases[i].reason ? "" : folder);
		assert_int_equal(chown(path, 0, cases[i].group), 0);
		assert_int_equal(chmod(folder, cases[i].folder) | chmod(path, cases[i].socket), 0);
		pid = fork();
		if (pid == 0) {
			bool good = setgroups(0, NULL) == 0 && setgid(65534) == 0 &&
				    setuid(65534) == 0;

			good &= rip_client_open(&client, path, 0, NULL, 0) == -EACCES &&
				!strcmp(client.reason, expected) &&
				rip_client_status(path, &reply, reason) == -EACCES &&
				!strcmp(reason, expected);
			if (!good)
				fprintf(stderr, "\"%s\", not \"%s\"\n", client.reason, expected);
			_exit(!good);
		}
		assert_int_equal(wait_child(pid), 0);
	}
	close(fd);
	unlink(path);
	rmdir(folder);
}

TEST(nobody_there)
{
	char folder[] = "/tmp/riptide-test-XXXXXX", path[64], longest[200];
	int fd, waiting[8];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/sock", folder);
	assert_int_equal(rip_client_open(&client, path, 0, NULL, 0), RIP_CLIENT_ABSENT);
	assert_string_equal(client.reason, "No such file or directory");
	rip_client_finish(&client);
	assert_int_equal(rip_client_open(&client, folder, 0, NULL, 0), RIP_CLIENT_ABSENT);
	assert_int_equal(rip_client_open(&client, "", 0, NULL, 0), -EINVAL);
	memset(longest, 'x', sizeof longest);
	longest[108] = '\0';
	assert_int_equal(rip_client_open(&client, longest, 0, NULL, 0), -EINVAL);
	assert_string_equal(client.reason, "the path must have 1 to 107 bytes");

	fd = unix_bound(path, SOCK_DGRAM);
	assert_int_equal(rip_client_open(&client, path, 0, NULL, 0), -EPROTOTYPE);
	assert_string_equal(client.reason, "Protocol wrong type for socket");
	close(fd);
	unlink(path);

	fd = unix_bound(path, SOCK_STREAM); /* what a killed daemon leaves */
	assert_int_equal(rip_client_open(&client, path, 0, NULL, 0), RIP_CLIENT_ABSENT);
	assert_string_equal(client.reason, "Connection refused");

	/* A daemon that does not accept any more: its backlog is full. */
	assert_int_equal(listen(fd, 0), 0);
	for (int i = 0; i < 8; i++) {
		struct sockaddr_un address = { .sun_family = AF_UNIX };

		strcpy(address.sun_path, path);
		waiting[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)!connect(waiting[i], (struct sockaddr *)&address, sizeof address);
	}
	double start;
	size_t tries = 0;

	do {
		start = rip_clock_s();
		assert_int_equal(rip_client_open(&client, path, 0, NULL, 0), RIP_CLIENT_BUSY);
	} while (is_to_be_tried_again(rip_clock_s() - start < 0.5, &tries));
	for (int i = 0; i < 8; i++)
		close(waiting[i]);
	close(fd);
	unlink(path);
	rmdir(folder);
}

TEST(pages_that_do_not_fit)
{
	struct fake_daemon fake = { .act = FAKE_WORKS, .in_size = 65536, .out_size = 65536,
				    .max_width = 60000 };
	struct rip_page_spec spec = mono;
	static const struct { uint32_t width, planes, levels; int r; } cases[] = {
		{ 60001, 1, 2, RIP_CLIENT_REFUSED }, /* max_width */
		{ 60000, 2, 2, RIP_CLIENT_REFUSED }, /* pixels */
		{ 21000, 3, 16, RIP_CLIENT_REFUSED }, /* dots and carries */
		{ 25000, 1, 2, 0 },
		{ 4096, 16, 2, RIP_CLIENT_REFUSED }, /* just not: rows are apart */
		{ 4000, 6, 2, 0 },
		{ 100, 1, 2, 0 },
	};

	open_session(&fake);
	for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		spec.width = cases[i].width;
		spec.planes = cases[i].planes;
		spec.levels = cases[i].levels;
		assert_int_equal(print(&spec, i + 1, 30, 1000, NULL), cases[i].r);
		if (cases[i].r == 0)
			assert_in_range(rip_client_bands(&client), 1, RIP_BANDS_IN_FLIGHT);
	}
	assert_int_equal(rip_client_bands(&client), RIP_BANDS_IN_FLIGHT); /* narrow: all slots */
	assert_in_range(rip_client_band_rows(&client), 100, 16384 / 100);
	rip_client_finish(&client);
	fake_stop(&fake);
	assert_string_equal(fake.fault, "");
	assert_int_equal(fake.pages, 3);
}

TEST(refused_pages)
{
	struct fake_daemon fake = { .act = FAKE_REFUSES_PAGE };

	open_session(&fake);
	assert_int_equal(print(&mono, 1, 10, 10, NULL), RIP_CLIENT_REFUSED);
	assert_string_equal(client.reason, "too wide for me");
	assert_int_equal(print(&mono, 2, 10, 10, NULL), RIP_CLIENT_REFUSED); /* still there */
	rip_client_finish(&client);
	fake_stop(&fake);
}

TEST(faults_in_mid_page)
{
	static const struct {
		enum fake_act act;
		int r;
		const char *reason;
	} cases[] = {
		{ FAKE_SILENT_PAGE, -ETIMEDOUT, "it has been silent for 2 s" },
		{ FAKE_GOODBYE_PAGE, -ECONNRESET, "it has ended the session: stopping" },
		{ FAKE_DIES, -ECONNRESET, "it has closed the connection" },
		{ FAKE_GOODBYE, -ECONNRESET, "it has ended the session: stopping" },
		{ FAKE_FREEZES, -ETIMEDOUT, "it has been silent for 2 s" },
		{ FAKE_GARBAGE_LATER, -EPROTO, "it broke the protocol" },
		{ FAKE_WRONG_SEQ, -EPROTO, "it finished a band in the wrong order" },
		{ FAKE_WRONG_WORKING, -EPROTO, "it reported a band that was not sent" },
		{ FAKE_BAD_CARRY, -EPROTO, "it returned a carry that is out of range" },
		{ FAKE_STATUS_REPLY, -EPROTO, "it broke the protocol" },
	};

	for (size_t i = 0, tries = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fake_daemon fake = { .act = cases[i].act, .at = 5 };
		const double start = rip_clock_s();
		bool quick;

		open_session(&fake);
		assert_int_equal(print(&mono, 1, 200, 10, NULL), cases[i].r);
		assert_string_equal(client.reason, cases[i].reason);
		quick = rip_clock_s() - start < 3;
		rip_client_finish(&client);
		fake_wait(&fake, 1);
		fake_stop(&fake);
		assert_string_equal(fake.fault, "");
		assert_int_equal(fake.ended, 0); /* no END after a fault */
		if (is_to_be_tried_again(quick, &tries))
			i--;
	}
}

/* Signs of life alone do not keep a client for ever, at whatever rate they come. */
TEST(a_wait_has_an_end)
{
	static const struct { enum fake_act act; uint32_t at; } cases[] = {
		{ FAKE_ENDLESS_PAGE, 0 }, { FAKE_ENDLESS, 0 }, { FAKE_ENDLESS, 7 },
		{ FAKE_CHATTERS, 2 },
	};

	for (size_t i = 0, tries = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fake_daemon fake = { .act = cases[i].act, .at = cases[i].at };
		double start;
		bool quick;

		open_session(&fake);
		assert_int_equal(client.answer_ms, RIP_ANSWER_MS);
		client.answer_ms = 3000;
		start = rip_clock_s();
		assert_int_equal(print(&mono, 1, 200, 10, NULL), -ETIMEDOUT);
		assert_string_equal(client.reason, "it has not finished within 3 s");
		assert_true(rip_clock_s() - start >= 2.99);
		quick = rip_clock_s() - start < 13;
		rip_client_finish(&client);
		fake_wait(&fake, 1);
		fake_stop(&fake);
		if (is_to_be_tried_again(quick, &tries))
			i--;
		assert_string_equal(fake.fault, "");
		assert_int_equal(fake.ended, 0);
	}
}

/* A work may take longer for every sample that it has. */
TEST(a_wait_is_as_long_as_the_work)
{
	struct fake_daemon fake = { .act = FAKE_ENDLESS_PAGE, .in_size = 16 << 20,
				    .out_size = 8 << 20 };
	struct rip_page_spec wide = mono;
	double start;

	wide.width = 2 * 1000 * RIP_ANSWER_RATE;
	open_session(&fake);
	client.answer_ms = 0;
	start = rip_clock_s();
	assert_int_equal(rip_client_page(&client, &wide, 1, 0, RIP_START_NOISE, NULL), -ETIMEDOUT);
	assert_string_equal(client.reason, "it has not finished within 2 s");
	assert_true(rip_clock_s() - start >= 1.99); /* deadlines are in whole milliseconds */
	rip_client_finish(&client);
	fake_stop(&fake);
}

/* However short the wait is, what lies in the socket counts: this process may have been
 * stopped meanwhile. */
TEST(what_has_come_counts)
{
	struct fake_daemon fake = { .act = FAKE_SLOW, .at = 0 };
	struct rip_band *band;
	int16_t carry[1001];

	open_session(&fake);
	assert_int_equal(rip_client_page(&client, &mono, 1, 0, RIP_START_NOISE, NULL), 0);
	assert_int_equal(rip_band_new(&mono, 1, &band), 0);
	sample_page_fill(&mono, band, 1, 1);
	assert_int_equal(rip_client_send(&client, band, 1), 0);
	client.answer_ms = 0;
	usleep(4000000); /* it takes 3.2 s, and says so 8 times */
	assert_int_equal(rip_client_receive(&client, band, carry), 0);
	rip_band_free(band);
	rip_client_finish(&client);
	fake_stop(&fake);
	assert_string_equal(fake.fault, "");
}

/* A fault leaves the carry as it was, also when the first planes were right. */
TEST(the_last_good_carry_stays)
{
	struct fake_daemon fake = { .act = FAKE_BAD_CARRY, .at = 0 };
	struct rip_page_spec spec = PLAIN_PAGE(100, 2);
	int16_t carry[200];
	struct rip_band *band;

	for (int i = 0; i < 200; i++)
		carry[i] = (int16_t)i;
	open_session(&fake);
	assert_int_equal(rip_client_page(&client, &spec, 1, 0, RIP_START_ZERO, NULL), 0);
	assert_int_equal(rip_band_new(&spec, 8, &band), 0);
	sample_page_fill(&spec, band, 0, 8);
	assert_int_equal(rip_client_send(&client, band, 8), 0);
	assert_int_equal(rip_client_receive(&client, band, carry), -EPROTO);
	for (int i = 0; i < 200; i++)
		assert_int_equal(carry[i], i);
	rip_band_free(band);
	rip_client_finish(&client);
	fake_stop(&fake);
}

TEST(misuse_is_refused)
{
	struct fake_daemon fake = { .act = FAKE_WORKS };
	struct rip_page_spec bad = mono;
	struct rip_band *band;
	int16_t carry[1001];

	bad.width = 0;
	open_session(&fake);
	assert_int_equal(rip_client_page(&client, &bad, 1, 0, RIP_START_NOISE, NULL), -EINVAL);
	assert_int_equal(rip_client_page(&client, &mono, 1, 0, RIP_START_NOISE, NULL), 0);
	assert_int_equal(rip_band_new(&mono, 8, &band), 0);
	assert_int_equal(rip_client_send(&client, band, 8), -EINVAL); /* no grey rows */
	sample_page_fill(&mono, band, 0, 8);
	assert_int_equal(rip_client_receive(&client, band, carry), -EINVAL); /* none in flight */
	for (uint32_t i = 0; i < rip_client_bands(&client); i++)
		assert_int_equal(rip_client_send(&client, band, 8), 0);
	assert_int_equal(rip_client_send(&client, band, 8), -EINVAL); /* the ring is full */
	assert_int_equal(rip_client_page(&client, &mono, 2, 0, RIP_START_NOISE, NULL), -EINVAL);
	rip_band_free(band);
	rip_client_finish(&client); /* with bands in flight */
	fake_wait(&fake, 1);
	fake_stop(&fake);
	assert_string_equal(fake.fault, "");
	assert_int_equal(fake.ended, 0);
}

TEST(status)
{
	struct fake_daemon fake = { .act = FAKE_WORKS }, silent = { .act = FAKE_SILENT };
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];
	size_t tries = 0;
	double start;

	fake_start(&fake);
	assert_int_equal(rip_client_status(fake.path, &reply, reason), 0);
	assert_int_equal(reply.jobs, 1);
	assert_int_equal(reply.version, RIP_PROTOCOL_VERSION);
	fake_stop(&fake);
	assert_int_equal(rip_client_status(fake.path, &reply, reason), RIP_CLIENT_ABSENT);
	for (int i = 0; i < 2; i++) { /* a daemon of after an update */
		struct fake_daemon later = { .act = i ? FAKE_LONGER_STATUS : FAKE_READY_VERSION };

		fake_start(&later);
		assert_int_equal(rip_client_status(later.path, &reply, reason), -EPROTO);
		assert_string_equal(reason, "it speaks version 5 of the protocol and not 4: "
				    "restart riptided after an update");
		fake_stop(&later);
	}
	fake_start(&silent);
	do {
		start = rip_clock_s();
		assert_int_equal(rip_client_status(silent.path, &reply, reason), -ETIMEDOUT);
	} while (is_to_be_tried_again(rip_clock_s() - start < 3, &tries));
	fake_stop(&silent);
}
