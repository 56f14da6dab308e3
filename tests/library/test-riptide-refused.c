/* riptide.h: what is refused, and what comes after it. */
#include "tests/tools/testing.h"

#include "tests/library/library_object.h"

static const struct riptide_page good = { .size = sizeof good, .width = 100, .height = 10 };

static void assert_page_refused(struct riptide *r, const struct riptide_page *page, int error,
				const char *words)
{
	assert_int_equal(riptide_begin(r, page), error);
	if (!strstr(riptide_error(r), words))
		fail_msg("\"%s\" does not say %s", riptide_error(r), words);
}

TEST(refused_pages)
{
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);
	struct riptide_page page;

#define REFUSED(field, value, error, words)                  \
	do {                                                 \
		page = good;                                 \
		page.field = value;                          \
		assert_page_refused(r, &page, error, words); \
	} while (0)
	REFUSED(size, 8, -EINVAL, "size of 8");
	REFUSED(width, 0, -EINVAL, "width 0");
	REFUSED(width, RIPTIDE_WIDTH_MAX + 1, -EINVAL, "width");
	REFUSED(height, RIPTIDE_WIDTH_MAX + 1, -EINVAL, "height");
	REFUSED(planes, 17, -EINVAL, "planes 17");
	REFUSED(sample_bits, 4, -EINVAL, "sample_bits 4: it must be 8 or 16");
	REFUSED(sample_bits, 12, -EINVAL, "sample_bits 12: it must be 8 or 16");
	REFUSED(levels, 1, -EINVAL, "levels 1");
	REFUSED(light, 2, -EINVAL, "light");
	REFUSED(flags, 2, -E2BIG, "flags");
	REFUSED(density, 49, -EINVAL, "density");
	REFUSED(gamma, 5001, -EINVAL, "gamma");
	REFUSED(inks, "KC", -EINVAL, "inks");
	REFUSED(inks, "W", -EINVAL, "inks");
	REFUSED(inks, "", -EINVAL, "inks");
	REFUSED(screen, "dots", -ENOENT, "dots");
	REFUSED(screen, "clustered-3", -ENOENT, "clustered-");
	REFUSED(preset, "plotter", -ENOENT, "laser");
	REFUSED(preset, "41", -ENOENT, "41");
	REFUSED(preset, "", -ENOENT, "laser");
	REFUSED(preset, "0000000000000000000000000000000005", -ENOENT, "laser");
	REFUSED(target, "dark", -EINVAL, "linear");
	REFUSED(calibration, "/nonexistent/x.cal", -ENOENT, "/nonexistent/x.cal");
	REFUSED(calibration, ".x", -EINVAL, ".x");
	/* Without a page there are no rows. */
	assert_int_equal(riptide_push(r, 0, "", 0, 1), -EINVAL);
	assert_int_equal(riptide_flush(r), -EINVAL);
	assert_int_equal(riptide_pull(r, 0, NULL, 0, 1), -EINVAL);
	assert_null(riptide_peek(r, 0));
}

/* Names from a job stay on the line of the message, and leave room for what helps. */
TEST(refused_names)
{
	char longest[1000];
	struct riptide_page page;
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);

	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	REFUSED(screen, longest, -ENOENT, "bayer or bi-level");
	REFUSED(screen, "a\nERROR: b\033[2J\177\303\274", -ENOENT,
		"no screen a?ERROR: b?[2J?\303\274: choose");
	REFUSED(calibration, "a\tb", -EINVAL, "a?b");
}

/* A calibration that others may have changed is not trusted; one that cannot be opened says why. */
TEST(refused_calibrations)
{
	char folder[] = "/tmp/riptide-refused-XXXXXX", path[64], below[80];
	struct riptide_page page = good;
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);
	FILE *file;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/x.cal", folder);
	snprintf(below, sizeof below, "%s/y.cal", path);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0666), 0);
	REFUSED(calibration, path, -EPERM, "chmod go-w");
	assert_int_equal(chmod(path, 0644), 0);
	REFUSED(calibration, path, -EBADMSG, "empty");
	REFUSED(calibration, below, -ENOTDIR, "cannot open it");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

TEST(refused_rows)
{
	static const _Alignas(2) uint8_t samples[11 * 100];
	struct riptide_page page = good;
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);
	uint8_t dots[13 * 10];
	uint32_t rows;

	assert_int_equal(riptide_begin(r, &good), 0);
	assert_int_equal(riptide_push(r, 1, samples, 0, 1), -EINVAL);
	assert_int_equal(riptide_push(r, 0, samples, 0, 11), -EINVAL);
	assert_int_equal(riptide_pull(r, 1, dots, 0, 1), -EINVAL);
	assert_int_equal(riptide_push(r, 0, samples, 0, 10), 0);
	assert_int_equal(riptide_push(r, 0, samples, 0, 1), -EINVAL);
	assert_null(riptide_place(r, 0, &rows));
	assert_int_equal(rows, 1);
	/* After what was refused the page goes on. */
	assert_int_equal(riptide_flush(r), 0);
	assert_int_equal(riptide_pull(r, 0, dots, 0, 100), 10);
	assert_int_equal(riptide_pull(r, 0, dots, 0, 100), 0);
	/* A page whose height is not known has the most that there can be. */
	page.height = 0;
	assert_int_equal(riptide_begin(r, &page), 0);
	assert_int_equal(riptide_push(r, 0, samples, 0, UINT32_MAX), -EINVAL);
	assert_non_null(strstr(riptide_error(r), "can have 16777215"));
	page.height = 10;
	page.sample_bits = 16;
	page.width = 40;
	assert_int_equal(riptide_begin(r, &page), 0);
	assert_int_equal(riptide_push(r, 0, samples + 1, 0, 1), -EINVAL);
	assert_int_equal(riptide_push(r, 0, samples, 81, 2), -EINVAL);
	assert_non_null(strstr(riptide_error(r), "odd"));
	assert_int_equal(riptide_push(r, 0, samples, 82, 10), 0);
	assert_int_equal(riptide_flush(r), 0);
	assert_int_equal(riptide_pull(r, 0, dots, 0, 100), 10);
	riptide_free(NULL);
}

/* A place has room for as many rows as riptide_place() says, with curves that are applied here
 * too. */
TEST(refused_places)
{
	static uint16_t rising[256], inverse[256];
	const uint16_t *const curves[] = { rising, inverse };

	for (unsigned v = 0; v < 256; v++) {
		rising[v] = (uint16_t)(257 * v);
		inverse[v] = (uint16_t)(257 * (255 - v));
	}
	for (unsigned i = 0; i < 2; i++) {
		struct riptide_page page = good;
		AUTO(free_riptide) struct riptide *r = new_riptide(&here);
		uint32_t room;
		void *at;

		page.width = 128; /* rows of a band follow each other */
		page.height = 100;
		page.planes = 2;
		page.band_rows = 8;
		page.curves = i ? curves : NULL;
		assert_int_equal(riptide_begin(r, &page), 0);
		at = riptide_place(r, 0, &room);
		assert_non_null(at);
		assert_int_equal(room, i ? 1 : 8);
		memset(at, 0, room * page.width);
		assert_int_equal(riptide_push(r, 0, at, 0, room + 1), -EINVAL);
		assert_non_null(strstr(riptide_error(r), "place"));
		assert_ptr_equal(riptide_place(r, 0, &room), at);
		assert_int_equal(riptide_push(r, 0, at, -1, room), 0);
		assert_int_equal(riptide_flush(r), 0);
		assert_int_equal(riptide_pull(r, 0, NULL, 0, 100), room);
	}
}

TEST(refused_configs)
{
	struct riptide_config config;
	struct riptide *r;
	char longest[1000];

#define CONFIG_REFUSED(field, value, error, words) \
	do { \
		config = here; \
		config.field = value; \
		assert_int_equal(riptide_new(&config, &r), error); \
		assert_null(r); \
		if (!strstr(riptide_error(NULL), words)) \
			fail_msg("\"%s\" does not say %s", riptide_error(NULL), words); \
	} while (0)
	CONFIG_REFUSED(size, 0, -EINVAL, "size of 0");
	CONFIG_REFUSED(method, "magic", -ENOENT, "magic");
	CONFIG_REFUSED(isa, "mmx", -ENOENT, "mmx");
	CONFIG_REFUSED(flags, 8, -E2BIG, "flags");
	CONFIG_REFUSED(flags, RIPTIDE_REQUIRE_GPU, -ENODEV, "no GPU");
	config = here;
	config.flags = RIPTIDE_REQUIRE_GPU;
	config.device = 1u << 31; /* the number of the GPU is computed from it */
	assert_int_equal(riptide_new(&config, &r), -ENODEV);
	CONFIG_REFUSED(flags, RIPTIDE_REQUIRE_DAEMON, -ECONNREFUSED, "\"none\"");
	memset(longest, '/', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	config.socket = longest;
	assert_int_equal(riptide_new(&config, &r), -EINVAL);
	assert_non_null(strstr(riptide_error(NULL), "1 to 107 bytes"));
	config.socket = "/nonexistent/socket";
	assert_int_equal(riptide_new(&config, &r), -ECONNREFUSED);
	assert_null(r);
}

/* The dots of a page of one plane and 40 rows, pushed at once. */
static void print_once(struct riptide *r, const struct riptide_page *page, const uint8_t *samples,
		       uint8_t *dots)
{
	assert_int_equal(riptide_begin(r, page), 0);
	assert_int_equal(riptide_push(r, 0, samples, 0, 40), 0);
	assert_int_equal(riptide_flush(r), 0);
	assert_int_equal(riptide_pull(r, 0, dots, 0, 40), 40);
}

/* A page that is refused ends the one before, and does no harm to the next one: its screen may be
 * where that of the first one was. */
TEST(refused_between_pages)
{
	static const struct { const char *preset, *target, *calibration; int error; } bad[] = {
		{ .preset = "bogus", .error = -ENOENT }, { .target = "bogus", .error = -EINVAL },
		{ .calibration = ".bogus", .error = -EINVAL },
	};
	static uint8_t samples[40 * 128], dots[40 * 16], right[40 * 16];

	for (size_t i = 0; i < sizeof samples; i++)
		samples[i] = (uint8_t)(i % 254 + 1);
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct riptide_page first = good, refused, next;
		struct riptide *r, *fresh;

		first.width = 128;
		first.height = 40;
		first.screen = "bi-level";
		next = refused = first;
		next.screen = "bayer";
		refused.screen = "clustered";
		refused.preset = bad[i].preset;
		refused.target = bad[i].target;
		refused.calibration = bad[i].calibration;
		assert_int_equal(riptide_new(&here, &r), 0);
		assert_int_equal(riptide_new(&here, &fresh), 0);
		print_once(fresh, &next, samples, right);
		print_once(r, &first, samples, dots);
		assert_page_refused(r, &refused, bad[i].error, "bogus");
		assert_int_equal(riptide_push(r, 0, samples, 0, 1), -EINVAL);
		print_once(r, &next, samples, dots);
		assert_memory_equal(dots, right, sizeof dots);
		/* One that is refused at once, too. */
		refused.width = 0;
		assert_page_refused(r, &refused, -EINVAL, "width");
		assert_int_equal(riptide_push(r, 0, samples, 0, 1), -EINVAL);
		assert_non_null(strstr(riptide_error(r), "no page"));
		riptide_free(r);
		riptide_free(fresh);
	}
}

/* Structs of other versions: shorter ones, and longer ones whose new fields are not used. */
TEST(other_versions)
{
	struct { struct riptide_page page; uint64_t more; } longer = { .page = good };
	AUTO(free_riptide) struct riptide *r = new_riptide(NULL);
	struct riptide_page shorter = good;

	longer.page.size = sizeof longer;
	assert_int_equal(riptide_begin(r, &longer.page), 0);
	longer.more = 1;
	assert_page_refused(r, &longer.page, -E2BIG, "sets a field");
	shorter.size = offsetof(struct riptide_page, levels);
	shorter.levels = 77; /* is not read */
	assert_int_equal(riptide_begin(r, &shorter), 0);
}

/* A size that is no sizeof of any version cuts no field: a pointer would be half of the
 * caller's. */
TEST(cut_structs)
{
	_Alignas(16) uint8_t bytes[2 * sizeof(struct riptide_page)];
	struct riptide_config config = here;
	struct riptide_page page = good;
	struct riptide *r;

	config.queue = "queue";
	config.method = config.isa = NULL;
	for (config.size = 0; config.size < sizeof config + 40; config.size++) {
		int error;

		memset(bytes, 0, sizeof bytes);
		memcpy(bytes, &config, sizeof config);
		error = riptide_new((void *)bytes, &r);
		assert_int_equal(error, config.size >= sizeof(size_t) &&
							config.size % sizeof(void *) == 0 ?
						0 :
						-EINVAL);
		riptide_free(r);
	}
	assert_int_equal(riptide_new(&here, &r), 0);
	page.inks = "K";
	page.screen = "bayer";
	page.preset = "laser";
	page.target = "print";
	page.calibration = "none";
	page.method = "auto";
	for (page.size = 0; page.size < sizeof page + 40; page.size++) {
		memset(bytes, 0, sizeof bytes);
		memcpy(bytes, &page, sizeof page);
		assert_int_equal(riptide_begin(r, (void *)bytes),
				 page.size >= offsetof(struct riptide_page, height) &&
				 page.size % sizeof(void *) == 0 ? 0 : -EINVAL);
	}
	riptide_free(r);
}

static int no_read(void *context, void *const rows[], uint32_t lines)
{
	return (int)lines;
}

static int no_write(void *context, const uint8_t *const dots[])
{
	return dots[0][0];
}

/* NULL where something must be. */
TEST(nothing_there)
{
	const struct riptide_stream stream = { .size = sizeof stream,
					       .read = no_read,
					       .write = no_write };
	static const uint8_t samples[100];
	struct riptide_page page = good;
	uint16_t curve[256] = { 0 };
	const uint16_t *const curves[] = { curve, NULL };
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);
	uint32_t rows;

	assert_int_equal(riptide_new(&here, NULL), -EINVAL);
	assert_int_equal(riptide_begin(NULL, &good), -EINVAL);
	assert_non_null(strstr(riptide_error(NULL), "no object"));
	assert_int_equal(riptide_push(NULL, 0, samples, 0, 1), -EINVAL);
	assert_int_equal(riptide_flush(NULL), -EINVAL);
	assert_int_equal(riptide_pull(NULL, 0, NULL, 0, 1), -EINVAL);
	assert_int_equal(riptide_run(NULL, &good, &stream), -EINVAL);
	assert_null(riptide_place(NULL, 0, &rows));
	assert_int_equal(rows, 1);
	assert_null(riptide_place(NULL, 0, NULL));
	assert_null(riptide_peek(NULL, 0));
	assert_string_equal(riptide_device(NULL), "none");
	assert_int_equal(riptide_left_daemon(NULL), 0);
	assert_int_equal(riptide_run(r, NULL, &stream), -EINVAL);
	assert_int_equal(riptide_run(r, &good, NULL), -EINVAL);
	assert_int_equal(riptide_begin(r, NULL), -EINVAL);
	assert_non_null(strstr(riptide_error(r), "no struct"));
	page.planes = 2;
	for (unsigned i = 0; i < 4; i++) {
		page.curves = i & 1 ? curves : NULL; /* with rows that are prepared here, too */
		page.height = i & 2 ? 10 : 0;
		assert_int_equal(riptide_begin(r, &page), 0);
		assert_int_equal(riptide_push(r, 0, NULL, 0, 0), 0);
		assert_int_equal(riptide_push(r, 0, NULL, 0, 1), -EINVAL);
		assert_non_null(strstr(riptide_error(r), "NULL"));
		assert_null(riptide_place(r, 0, NULL));
		assert_int_equal(riptide_push(r, 0, samples, 0, 1), 0); /* the page goes on */
		assert_int_equal(riptide_push(r, 1, samples, 0, 1), 0);
		assert_int_equal(riptide_flush(r), 0);
		assert_int_equal(riptide_pull(r, 0, NULL, 0, 9), 1);
	}
}

/* A band of more rows than memory has room for is a smaller one. */
TEST(tall_bands)
{
	static const uint32_t widths[] = { 1, 500, RIPTIDE_WIDTH_MAX };
	struct riptide_page page = good;
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);
	uint32_t rows;

	page.screen = "bayer";
	page.band_rows = RIPTIDE_WIDTH_MAX;
	for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
		for (unsigned known = 0; known < 2; known++) {
			page.width = widths[i];
			page.height = known ? RIPTIDE_WIDTH_MAX : 0;
			assert_int_equal(riptide_begin(r, &page), 0);
			assert_non_null(riptide_place(r, 0, &rows));
			assert_in_range(rows, 1, (64u << 20) / page.width);
		}
}
