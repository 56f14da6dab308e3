/* For the tests of rip_halftoner: its log, and pages that are printed as the filter does. */
#ifndef RIP_HALFTONER_TEST_H
#define RIP_HALFTONER_TEST_H

#include <pthread.h>

#include "lib/halftoner.h"
#include "tests/tools/testing.h"
#include "tests/unit/fake_daemon.h"
#include "tests/unit/sample_page.h"

/* --- the log ------------------------------------------------------------------ */

static struct {
	unsigned count;
	struct { enum riptide_log_level level; char text[256]; } lines[16];
} logged;
static pthread_t log_thread;

static void log_line(void *context, enum riptide_log_level level, const char *text)
{
	assert_true(pthread_equal(pthread_self(), log_thread));
	assert_ptr_equal(context, &logged);
	assert_true(logged.count < 16);
	logged.lines[logged.count].level = level;
	snprintf(logged.lines[logged.count++].text, 256, "%s", text);
}

/* The log has exactly this one line (text: how it ends), or none (NULL). */
static void assert_logged(enum riptide_log_level level, const char *text)
{
	if (logged.count > (text ? 1 : 0))
		print_error("logged: %s\n", logged.lines[logged.count - 1].text);
	assert_int_equal(logged.count, text ? 1 : 0);
	if (!text)
		return;
	const size_t length = strlen(logged.lines[0].text);

	if (length < strlen(text))
		fail_msg("logged: %s", logged.lines[0].text);
	assert_string_equal(logged.lines[0].text + length - strlen(text), text);
	assert_int_equal(logged.lines[0].level, level);
}

/* --- pages --------------------------------------------------------------------- */

static const struct rip_page_spec mono = PLAIN_PAGE(1001, 1);
static const struct rip_page_spec colour = { .width = 333,
					     .planes = 6,
					     .levels = 4,
					     .sample_bits = 16,
					     .screen = &rip_screens[RIP_SIERRA] };

static struct rip_halftoner_config config_of(const char *socket, enum rip_method method)
{
	return (struct rip_halftoner_config){
		.socket = socket, .job = 12, .queue = "laser", .method = method, .device = -1,
		.log = log_line, .context = &logged,
	};
}

static struct rip_halftoner *halftoner(const struct rip_halftoner_config *config)
{
	struct rip_halftoner *h;

	logged.count = 0;
	log_thread = pthread_self();
	assert_int_equal(rip_halftoner_new(config, &h), 0);
	return h;
}

/* The halftoner of a fake daemon, which is started. */
__attribute__((unused)) static struct rip_halftoner *halftoner_with(struct fake_daemon *fake,
								    enum rip_method method,
								    bool required)
{
	struct rip_halftoner_config config;

	fake_start(fake);
	config = config_of(fake->path, method);
	config.required = required;
	return halftoner(&config);
}

/* There is no halftoner for such a configuration, and the log says why. */
static void assert_refused(const struct rip_halftoner_config *config, int error, const char *text)
{
	struct rip_halftoner *h;

	logged.count = 0;
	log_thread = pthread_self();
	assert_int_equal(rip_halftoner_new(config, &h), error);
	assert_logged(RIPTIDE_LOG_ERROR, text);
}

/* Prints one page as the filter does, and compares its dots.  before: called
 * before each collect with the number of bands collected, or NULL. */
static int print(struct rip_halftoner *h, const struct rip_page_spec *spec, uint32_t height,
		 uint32_t rows, enum rip_start start, void (*before)(unsigned collected))
{
	struct rip_band *want = sample_page_dots(spec, height, start);
	struct rip_band *free_bands[16], *band;
	uint32_t filled = 0, compared = 0;
	unsigned collected = 0, in_flight = 0, depth, bands;
	int r = rip_halftoner_begin(h, spec, height, start);

	if (r < 0) {
		rip_band_free(want);
		return r;
	}
	depth = rip_halftoner_depth(h);
	assert_in_range(depth, 1, 15);
	assert_true(rip_halftoner_band_rows(h) >= 1);
	if (rows > rip_halftoner_band_rows(h))
		rows = rip_halftoner_band_rows(h);
	for (bands = 0; bands < depth; bands++)
		assert_int_equal(rip_band_new(spec, rows, &free_bands[bands]), 0);
	while (r == 0 && compared < height) {
		if (filled < height && in_flight < depth) {
			const uint32_t n = height - filled < rows ? height - filled : rows;

			band = free_bands[--bands];
			rip_band_reset(band, filled);
			if (filled / rows % 3) /* else it is copied there */
				rip_halftoner_fill(h, band);
			sample_page_fill(spec, band, filled, n);
			filled += n;
			in_flight++;
			r = rip_halftoner_submit(h, band);
		} else {
			if (before)
				before(collected);
			r = rip_halftoner_collect(h, &band);
			if (r < 0)
				break;
			assert_non_null(band);
			assert_true(sample_page_same(spec, want, band, compared));
			compared += rip_band_rows(band);
			collected++;
			in_flight--;
			free_bands[bands++] = band;
		}
	}
	assert_int_equal(rip_halftoner_depth(h), depth); /* until the next begin */
	assert_int_equal(bands + in_flight, depth);
	while (bands > 0)
		rip_band_free(free_bands[--bands]);
	rip_band_free(want);
	return r;
}

/* Pages of all kinds, in a row. */
static void all_kinds_of_pages(struct rip_halftoner *h)
{
	assert_int_equal(print(h, &mono, 500, 16, RIP_START_NOISE, NULL), 0);
	assert_int_equal(print(h, &colour, 200, 7, RIP_START_ZERO, NULL), 0);
	assert_int_equal(print(h, &colour, 97, 1, RIP_START_NOISE, NULL), 0);
	assert_int_equal(print(h, &mono, 300, 1000, RIP_START_NOISE, NULL), 0);
}

#endif
