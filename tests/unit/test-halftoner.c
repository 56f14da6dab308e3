/* Whatever happens to the daemon, the page comes out with the same dots, in time, and the log
 * says what it promises and nothing else. */
#include "tests/tools/testing.h"

#include "halftone/screen/mask_screen.h"
#include "lib/halftoner.h"
#include "lib/job_threads.h"
#include "system/clock.h"
#include "tests/unit/halftoner_test.h"
#include "wire/protocol.h"

TEST(in_this_process)
{
	static const struct { enum rip_method method; const char *device; } cases[] = {
		{ RIP_METHOD_ED, ", ed" }, { RIP_METHOD_EC, ", ec" }, { RIP_METHOD_AUTO, "" },
		{ RIP_METHOD_SIMD, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rip_halftoner_config config = config_of(NULL, cases[i].method);
		struct rip_halftoner *h = halftoner(&config);
		const char *device = rip_halftoner_device(h);

		assert_memory_equal(device, "CPU (", 5);
		assert_string_equal(device + strlen(device) - strlen(cases[i].device),
				    cases[i].device);
		all_kinds_of_pages(h);
		rip_halftoner_free(h);
		assert_logged(0, NULL);
	}
}

TEST(through_the_daemon)
{
	struct fake_daemon fake = { .act = FAKE_WORKS };
	struct rip_halftoner *h;

	h = halftoner_with(&fake, RIP_METHOD_BWEC, true);
	assert_string_equal(rip_halftoner_device(h), "riptided: fake\\x0a, ed");
	all_kinds_of_pages(h);
	rip_halftoner_was_blocked(h);
	rip_halftoner_free(h);
	fake_wait(&fake, 1);
	fake_stop(&fake);
	assert_logged(0, NULL);
	assert_string_equal(fake.fault, "");
	assert_int_equal(fake.pages, 4);
	assert_int_equal(fake.ended, 1);
}

/* No daemon to begin with: halftoned here, from the first row on. */
TEST(without_a_daemon)
{
	static const struct {
		enum fake_act act;
		enum riptide_log_level level;
		const char *text;
		double seconds;
	} cases[] = {
		{ FAKE_SILENT, RIPTIDE_LOG_WARNING,
		  ": it has been silent for 2 s; "
		  "continuing in-process",
		  2 },
		{ FAKE_GARBAGE, RIPTIDE_LOG_WARNING,
		  ": it broke the protocol; "
		  "continuing in-process",
		  0 },
		{ FAKE_CLOSES, RIPTIDE_LOG_WARNING,
		  ": it has closed the connection; "
		  "continuing in-process",
		  0 },
		{ FAKE_BUSY, RIPTIDE_LOG_DEBUG,
		  " is busy: 64 sessions are open; "
		  "continuing in-process",
		  0 },
		{ FAKE_NO_ACCELERATOR, RIPTIDE_LOG_DEBUG,
		  " has no accelerator: no GPU\\x1b[31m; "
		  "continuing in-process",
		  0 },
		{ FAKE_REFUSES, RIPTIDE_LOG_WARNING,
		  ": not of the group lp; "
		  "continuing in-process",
		  0 },
		{ FAKE_REFUSES_VERSION, RIPTIDE_LOG_WARNING,
		  ": it speaks version 5 of the protocol "
		  "and not 4: restart riptided after an update; "
		  "continuing in-process",
		  0 },
		{ FAKE_READY_VERSION, RIPTIDE_LOG_WARNING,
		  ": it speaks version 5 of the protocol "
		  "and not 4: restart riptided after an update; "
		  "continuing in-process",
		  0 },
		{ FAKE_UNSEALED, RIPTIDE_LOG_WARNING,
		  ": its ring has wrong seals or a wrong size; "
		  "continuing in-process",
		  0 },
		{ FAKE_WRONG_SIZE, RIPTIDE_LOG_WARNING,
		  ": its ring has wrong seals or a wrong size; "
		  "continuing in-process",
		  0 },
	};

	for (size_t i = 0, tries = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fake_daemon fake = { .act = cases[i].act };
		const double start = rip_clock_s();
		struct rip_halftoner_config config;
		struct rip_halftoner *h;
		bool quick;

		h = halftoner_with(&fake, RIP_METHOD_AUTO, false);
		assert_logged(cases[i].level, cases[i].text);
		assert_int_equal(print(h, &mono, 200, 16, RIP_START_NOISE, NULL), 0);
		assert_int_equal(print(h, &mono, 200, 16, RIP_START_NOISE, NULL), 0);
		rip_halftoner_free(h);
		quick = rip_clock_s() - start < cases[i].seconds + 1;
		fake_stop(&fake);
		assert_logged(cases[i].level, cases[i].text);
		assert_int_equal(fake.sessions, 1); /* not asked again */
		if (is_to_be_tried_again(quick, &tries)) {
			i--;
			continue;
		}

		/* The same when it must be a daemon: an error at once. */
		if (cases[i].act == FAKE_SILENT)
			continue;
		fake_start(&fake);
		config = config_of(fake.path, RIP_METHOD_AUTO);
		config.required = true;
		logged.count = 0;
		assert_true(rip_halftoner_new(&config, &h) < 0);
		assert_null(h);
		assert_int_equal(logged.count, 1);
		assert_int_equal(logged.lines[0].level, RIPTIDE_LOG_ERROR);
		fake_stop(&fake);
	}
}

/* A job has as many threads as keep up with reading, and as processors are idle. */
TEST(threads_of_a_job)
{
	const struct rip_isa *c = rip_isa_find("c"), *best = rip_isa_best();

	assert_int_equal(rip_job_threads_worth(c, &rip_screens[RIP_FLOYD_STEINBERG]), 9);
	assert_int_equal(rip_job_threads_worth(c, NULL), 9);
	for (unsigned i = 0; i < RIP_SCREENS && best->has_simd; i++)
		assert_in_range(rip_job_threads_worth(best, &rip_screens[i]), 1, 4);
	assert_int_equal(rip_job_threads_idle(16, "0.00 0.01 0.05 1/234 5678\n"), 16);
	assert_int_equal(rip_job_threads_idle(16, "9.50 0.01 0.05 5/234 5678\n"), 12);
	assert_int_equal(rip_job_threads_idle(2, "9.50 0.01 0.05 2/234 5678\n"), 1);
	assert_int_equal(rip_job_threads_idle(2, "9.50 0.01 0.05 4000000000/1 1\n"), 1);
	assert_int_equal(rip_job_threads_idle(16, "0 0 0 0/234 5678\n"), 16);
	assert_int_equal(rip_job_threads_idle(16, ""), 16); /* no /proc */
}

/* Pages with masks are never sent; the session is opened with the first page that is. */
TEST(masks_stay_here)
{
	const struct rip_mask_use use = { .x_dpi = 600, .y_dpi = 600, .planes = 1 };
	static const char *const names[] = { "clustered", "bayer", "blue-noise-mask", "bi-level" };
	struct fake_daemon fake = { .act = FAKE_WORKS };
	struct rip_halftoner_config config;
	struct rip_mask_screen screen;
	struct rip_page_spec page = mono;
	struct rip_halftoner *h;
	char why[200];

	fake_start(&fake);
	config = config_of(fake.path, RIP_METHOD_AUTO);
	page.screen = config.screen = &screen.base;
	assert_int_equal(rip_mask_screen_init(&screen, "clustered", &use, why, sizeof why), 0);
	h = halftoner(&config);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		assert_int_equal(rip_mask_screen_init(&screen, names[i], &use, why, sizeof why), 0);
		assert_int_equal(print(h, &page, 200, 16, RIP_START_NOISE, NULL), 0);
	}
	assert_int_equal(fake.sessions, 0);
	assert_int_equal(print(h, &mono, 200, 16, RIP_START_NOISE, NULL), 0);
	assert_memory_equal(rip_halftoner_device(h), "riptided: fake", 14);
	assert_logged(RIPTIDE_LOG_DEBUG, NULL);
	/* Now that it is open, still. */
	assert_int_equal(print(h, &page, 200, 16, RIP_START_NOISE, NULL), 0);
	assert_logged(RIPTIDE_LOG_DEBUG,
		      "does not take page 6: this screen is not sent to a daemon; "
		      "continuing in-process");
	rip_halftoner_free(h);
	fake_stop(&fake);
	assert_int_equal(fake.sessions, 1);
	assert_int_equal(fake.pages, 1);
}

TEST(nobody_there)
{
	struct rip_halftoner_config config = config_of("/nonexistent/sock", RIP_METHOD_ED);
	struct rip_halftoner *h = halftoner(&config);

	assert_int_equal(print(h, &mono, 100, 16, RIP_START_NOISE, NULL), 0);
	rip_halftoner_free(h);
	assert_logged(RIPTIDE_LOG_DEBUG, "riptided at /nonexistent/sock is not there: "
		      "No such file or directory; continuing in-process");
	config.required = true;
	assert_refused(&config, -ECONNREFUSED,
		       "riptided at /nonexistent/sock is not there: No such file or directory");
}

/* The daemon is lost in mid-page, at the first band, a middle one, the last. */
TEST(lost_in_mid_page)
{
	static const struct {
		enum fake_act act;
		const char *text;
	} cases[] = {
		{ FAKE_SILENT_PAGE, "it has been silent for 2 s" },
		{ FAKE_GOODBYE_PAGE, "it has ended the session: stopping" },
		{ FAKE_DIES, "it has closed the connection" },
		{ FAKE_GOODBYE, "it has ended the session: stopping" },
		{ FAKE_FREEZES, "it has been silent for 2 s" },
		{ FAKE_GARBAGE_LATER, "it broke the protocol" },
		{ FAKE_WRONG_SEQ, "it finished a band in the wrong order" },
		{ FAKE_WRONG_WORKING, "it reported a band that was not sent" },
		{ FAKE_BAD_CARRY, "it returned a carry that is out of range" },
	};
	static const uint32_t places[] = { 0, 7, 8, 18 };
	char text[256];

	for (size_t i = 0; i < 4 * sizeof cases / sizeof cases[0]; i++) {
		struct fake_daemon fake = { .act = cases[i / 4].act, .at = places[i % 4] };
		struct rip_halftoner *h;

		if (i % 4 && (fake.act <= FAKE_GOODBYE_PAGE ||
			      (fake.act == FAKE_FREEZES && i % 4 != 1)))
			continue; /* the place does not matter, or costs two seconds */
		/* Also if it must be the daemon: what is lost later goes on here all the same. */
		h = halftoner_with(&fake, i % 2 ? RIP_METHOD_ED : RIP_METHOD_EC, i % 3 == 0);
		assert_int_equal(print(h, i % 2 ? &colour : &mono, 320, 13, RIP_START_NOISE, NULL),
				 0);
		assert_int_equal(print(h, &mono, 50, 16, RIP_START_NOISE, NULL), 0);
		assert_memory_equal(rip_halftoner_device(h), "CPU", 3);
		fake_wait(&fake, 1); /* it is left at once, not at the end of the job */
		rip_halftoner_free(h);
		fake_stop(&fake);
		snprintf(text, sizeof text, "riptided at %s: %s; continuing in-process",
			 fake.path, cases[i / 4].text);
		assert_logged(RIPTIDE_LOG_WARNING, text);
		assert_string_equal(fake.fault, "");
		assert_int_equal(fake.sessions, 1);
	}
}

/* Work may take long while the daemon says that it works. */
TEST(a_slow_daemon_is_not_left)
{
	for (int i = 0; i < 2; i++) {
		struct fake_daemon fake = { .act = i ? FAKE_SLOW_PAGE : FAKE_SLOW, .at = 3 };
		const double start = rip_clock_s();
		struct rip_halftoner *h;

		h = halftoner_with(&fake, RIP_METHOD_AUTO, false);
		assert_int_equal(print(h, &mono, 200, 16, RIP_START_NOISE, NULL), 0);
		rip_halftoner_free(h);
		fake_wait(&fake, 1);
		fake_stop(&fake);
		assert_true(rip_clock_s() - start > 2.3);
		assert_logged(0, NULL);
		assert_int_equal(fake.ended, 1);
	}
}

/* But not for ever: then the page continues here. */
TEST(a_daemon_that_never_answers)
{
	struct fake_daemon fake = { .act = FAKE_ENDLESS, .at = 3 };
	struct rip_halftoner *h;
	const double start = rip_clock_s();
	char text[256];

	h = halftoner_with(&fake, RIP_METHOD_AUTO, false);
	assert_int_equal(print(h, &mono, 200, 16, RIP_START_NOISE, NULL), 0);
	assert_true(rip_clock_s() - start >= RIP_ANSWER_MS / 1000);
	fake_wait(&fake, 1);
	rip_halftoner_free(h);
	fake_stop(&fake);
	snprintf(text, sizeof text, "riptided at %s: it has not finished within %d s; "
		 "continuing in-process", fake.path, RIP_ANSWER_MS / 1000);
	assert_logged(RIPTIDE_LOG_WARNING, text);
}

static struct fake_daemon *blocking_fake;
static struct rip_halftoner *blocked_halftoner;
static bool tell_blocked;

/* A printer that stalls until the daemon has ended the session. */
static void stall(unsigned collected)
{
	if (collected != 0 || !blocking_fake)
		return;
	fake_wait(blocking_fake, 1);
	if (tell_blocked)
		rip_halftoner_was_blocked(blocked_halftoner);
}

TEST(ended_while_blocked)
{
	/* With FAKE_DONE_AND_GONE the message that the band is done arrives, but the
	 * ring's memory is gone before anybody looks. */
	static const enum fake_act acts[] = { FAKE_GOODBYE, FAKE_DIES, FAKE_DONE_AND_GONE };

	for (int i = 0; i < 6; i++) {
		struct fake_daemon fake = { .act = acts[i / 2], .at = 1 };

		blocking_fake = &fake;
		tell_blocked = i % 2;
		blocked_halftoner = halftoner_with(&fake, RIP_METHOD_AUTO, false);
		assert_int_equal(print(blocked_halftoner, &mono, 320, 8, RIP_START_NOISE, stall),
				 0);
		rip_halftoner_free(blocked_halftoner);
		fake_stop(&fake);
		if (tell_blocked)
			assert_logged(RIPTIDE_LOG_DEBUG,
				      " while this process was blocked; continuing in-process");
		else
			assert_logged(RIPTIDE_LOG_WARNING, "; continuing in-process");
	}
	blocking_fake = NULL;
}

static void block_early(unsigned collected)
{
	if (collected == 2)
		rip_halftoner_was_blocked(blocked_halftoner);
}

/* Being blocked excuses the end of a session, not what comes after a good band. */
TEST(blocked_and_then_a_fault)
{
	struct fake_daemon fake = { .act = FAKE_DIES, .at = 15 };

	blocked_halftoner = halftoner_with(&fake, RIP_METHOD_AUTO, false);
	assert_int_equal(print(blocked_halftoner, &mono, 320, 8, RIP_START_NOISE, block_early), 0);
	rip_halftoner_free(blocked_halftoner);
	fake_stop(&fake);
	assert_logged(RIPTIDE_LOG_WARNING,
		      "it has closed the connection; continuing in-process");
}

TEST(pages_too_large_for_the_ring)
{
	struct fake_daemon fake = { .act = FAKE_WORKS, .max_width = 1000 };
	struct rip_halftoner *h;

	h = halftoner_with(&fake, RIP_METHOD_AUTO, false);
	assert_int_equal(print(h, &mono, 100, 16, RIP_START_NOISE, NULL), 0); /* 1001 wide */
	assert_memory_equal(rip_halftoner_device(h), "CPU", 3);
	assert_int_equal(print(h, &colour, 100, 16, RIP_START_NOISE, NULL), 0); /* fits */
	assert_memory_equal(rip_halftoner_device(h), "riptided: fake", 14);
	assert_int_equal(print(h, &mono, 100, 16, RIP_START_NOISE, NULL), 0);
	rip_halftoner_free(h);
	fake_wait(&fake, 1);
	fake_stop(&fake);
	assert_int_equal(fake.pages, 1);
	assert_int_equal(fake.ended, 1);
	assert_logged(RIPTIDE_LOG_DEBUG,
		      " does not take page 1: the page is wider or has more planes "
		      "than it takes; continuing in-process");
}

TEST(wrong_names_and_misuse)
{
	struct rip_halftoner_config config = config_of(NULL, RIP_METHOD_AUTO);
	struct rip_page_spec bad = mono;
	struct rip_halftoner *h;
	struct rip_band *band;

	config.isa = "mmx";
	assert_refused(&config, -ENOENT, "no instruction set is called \"mmx\"");
	config.isa = NULL;
	h = halftoner(&config);
	bad.levels = 1;
	assert_int_equal(rip_halftoner_begin(h, &bad, 0, RIP_START_NOISE), -EINVAL);
	assert_logged(RIPTIDE_LOG_ERROR, "cannot halftone page 1: Invalid argument");
	assert_int_equal(rip_halftoner_begin(h, &mono, 0, RIP_START_NOISE), 0);
	assert_int_equal(rip_halftoner_collect(h, &band), -EINVAL);
	rip_halftoner_free(h);
	rip_halftoner_free(NULL);
}

/* The job is cancelled with bands in flight. */
TEST(freed_in_mid_page)
{
	for (size_t i = 0, tries = 0; i < 2; i++) {
		struct fake_daemon fake = { .act = FAKE_FREEZES, .at = 0 };
		struct rip_halftoner_config config;
		struct rip_halftoner *h;
		struct rip_band *bands[RIP_BANDS_IN_FLIGHT];
		const double start = rip_clock_s();
		unsigned depth;

		fake_start(&fake);
		config = config_of(i ? fake.path : NULL, RIP_METHOD_AUTO);
		h = halftoner(&config);
		assert_int_equal(rip_halftoner_begin(h, &mono, 0, RIP_START_NOISE), 0);
		depth = rip_halftoner_depth(h);
		for (unsigned b = 0; b < depth; b++) {
			assert_int_equal(rip_band_new(&mono, 16, &bands[b]), 0);
			sample_page_fill(&mono, bands[b], 16 * b, 16);
			assert_int_equal(rip_halftoner_submit(h, bands[b]), 0);
		}
		rip_halftoner_free(h);
		for (unsigned b = 0; b < depth; b++)
			rip_band_free(bands[b]);
		if (i)
			fake_wait(&fake, 1); /* the session is given up at once */
		fake_stop(&fake);
		assert_logged(0, NULL);
		if (is_to_be_tried_again(rip_clock_s() - start < 1.9,
					 &tries)) /* 2 s of silence: it waited */
			i--;
	}
}
