/* riptide.h: the same dots however rows are pushed and pulled, and what is refused. */
#include "tests/tools/testing.h"

#include <pthread.h>

#include "tests/library/random_page.h"
#include "tests/unit/fake_daemon.h"
#include "tone/plane_curve.h"
#include "tone/preset.h"

/* ---- ways to push and pull ---- */

struct way {
	const char *name;
	bool flush;  /* after each push */
	bool place;  /* without a copy */
	bool planar; /* plane after plane; else line by line */
	uint32_t rows; /* at once, at most */
	bool late;   /* pulls at the end of the page only */
};

static const struct way ways[] = {
	{ "row by row, flushed", .flush = true, .rows = 1 },
	{ "row by row", .rows = 1 },
	{ "row by row, placed", .place = true, .rows = 1 },
	{ "row by row, plane after plane", .planar = true, .rows = 1 },
	{ "many rows", .rows = 100 },
	{ "many rows, plane after plane", .planar = true, .rows = 100 },
	{ "many rows, placed, plane after plane", .place = true, .planar = true, .rows = 100 },
	{ "some rows, flushed, plane after plane", .flush = true, .planar = true, .rows = 9 },
	{ "all pulled at the end", .rows = 7, .late = true },
	{ "all pulled at the end, plane after plane", .planar = true, .rows = 50, .late = true },
};

/* Pulls what is ready of all planes, and compares. */
static void take(struct riptide *r, const struct picture *p, uint32_t taken[], bool peek)
{
	const size_t bytes = picture_out_bytes(p);
	uint8_t dots[8 * 150 + 8];

	for (uint32_t plane = 0; plane < p->page.planes; plane++)
		for (;;) {
			const uint8_t *right = p->dots +
					       (plane * p->page.height + taken[plane]) * bytes;
			const uint8_t *at = dots;
			int n;

			if (peek) {
				at = riptide_peek(r, plane);
				if (at)
					assert_memory_equal(at, right, bytes);
				n = riptide_pull(r, plane, NULL, 0, 1);
				assert_int_equal(n, at != NULL);
			} else {
				memset(dots, 0x5a, sizeof dots);
				n = riptide_pull(r, plane, dots, (ptrdiff_t)bytes + 1,
						 1 + rip_test_below(2));
				for (int i = 0; i < n; i++)
					assert_memory_equal(dots + (size_t)i * (bytes + 1),
							    right + (size_t)i * bytes, bytes);
				assert_int_equal(dots[n ? (size_t)n * (bytes + 1) - 1 : 0], 0x5a);
			}
			if (n == 0)
				break;
			taken[plane] += (uint32_t)n;
		}
}

/* Pushes rows from a copy with a gap after each, which is gone when the library has them. */
static void push_apart(struct riptide *r, const struct picture *p, uint32_t plane,
		       const uint8_t *from, uint32_t rows)
{
	const size_t pitch = picture_in_bytes(p) + 2 * (1 + rip_test_below(20));
	AUTO_FREE uint8_t *copy = malloc(rows * pitch);

	memset(copy, 0x5a, rows * pitch);
	for (uint32_t y = 0; y < rows; y++)
		memcpy(copy + y * pitch, from + y * picture_in_bytes(p), picture_in_bytes(p));
	assert_int_equal(riptide_push(r, plane, copy, (ptrdiff_t)pitch, rows), 0);
}

static uint32_t push_some(struct riptide *r, const struct picture *p, const struct way *way,
			  uint32_t plane, uint32_t y, uint32_t taken[])
{
	const uint8_t *from = p->samples + (plane * p->page.height + y) * picture_in_bytes(p);
	uint32_t rows = 1 + rip_test_below(way->rows), room;

	if (rows > p->page.height - y)
		rows = p->page.height - y;
	if (way->place) {
		void *at = riptide_place(r, plane, &room);

		while (!at) {
			assert_int_equal(room, 0);
			take(r, p, taken, true);
			at = riptide_place(r, plane, &room);
		}
		rows = rows < room ? rows : room;
		memcpy(at, from, rows * picture_in_bytes(p));
		from = at;
	}
	if (!way->place && rip_test_below(2))
		push_apart(r, p, plane, from, rows);
	else
		assert_int_equal(riptide_push(r, plane, from, 0, rows), 0);
	return rows;
}

static void print_page(struct riptide *r, const struct picture *p, const struct way *way)
{
	const struct riptide_page *page = &p->page;
	uint32_t pushed[RIPTIDE_PLANES_MAX] = { 0 }, taken[RIPTIDE_PLANES_MAX] = { 0 };

	assert_int_equal(riptide_begin(r, page), 0);
	for (uint32_t first = 0; first < page->planes; first += way->planar ? 1 : page->planes)
		while (pushed[first] < page->height) {
			for (uint32_t plane = first; plane < page->planes; plane++) {
				if (pushed[plane] < page->height)
					pushed[plane] += push_some(r, p, way, plane, pushed[plane],
								   taken);
				if (way->planar)
					break;
			}
			if (way->flush)
				assert_int_equal(riptide_flush(r), 0);
			if (!way->late)
				take(r, p, taken, way->place);
			/* Coupled planes wait for each other. */
			if (way->flush &&
			    !(way->planar && !strcmp(page->screen, "blue-noise-colour")))
				assert_int_equal(taken[first], pushed[first]);
		}
	for (uint32_t plane = 0; plane < page->planes; plane++)
		while (pushed[plane] < page->height)
			pushed[plane] += push_some(r, p, way, plane, pushed[plane], taken);
	assert_int_equal(riptide_flush(r), 0);
	take(r, p, taken, way->place);
	for (uint32_t plane = 0; plane < page->planes; plane++)
		assert_int_equal(taken[plane], page->height);
}

TEST(each_way_and_screen)
{
	struct riptide *r, *lonely;
	struct picture p;

	assert_int_equal(riptide_new(&here, &r), 0);
	assert_int_equal(riptide_new(&alone, &lonely), 0);
	for (unsigned screen = 0; riptide_screen_name(screen); screen++) {
		const char *name = riptide_screen_name(screen);

		for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
			picture_make(&p, strcmp(name, "clustered-LPI") ? name : "clustered-71");
			print_page(r, &p, &ways[i]);
			print_page(lonely, &p, &ways[i]);
			picture_drop(&p);
		}
	}
	riptide_free(r);
	riptide_free(lonely);
}

/* Whether all planes have curves that keep 0 and full, and one of them falls. */
static bool has_falling_curves(const struct picture *p)
{
	bool falls = false;

	for (uint32_t plane = 0; p->page.curves && plane < p->page.planes; plane++) {
		const uint16_t *curve = p->of_planes[plane];

		if (!curve || curve[0] != 0 || curve[255] != 65535)
			return false;
		for (uint32_t v = 0; v < 255; v++)
			falls |= curve[v] > curve[v + 1];
	}
	return falls;
}

/* Curves that fall, with masks whose thresholds could take those that do not. */
TEST(falling_curves)
{
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);
	struct picture p;

	for (unsigned found = 0; found < 3;) {
		picture_make(&p, "bayer");
		if (p.page.levels == 2 && has_falling_curves(&p))
			print_page(r, &p, &ways[found++]);
		picture_drop(&p);
	}
}

/* A preset corrects each ink as tone/ does it for the pattern of this ink: not all inks alike. */
TEST(preset_of_each_ink)
{
	static const struct { const char *letters; enum rip_ink inks[4]; } orders[] = {
		{ "CMYK", { RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW, RIP_INK_BLACK } },
		{ "KYMC", { RIP_INK_BLACK, RIP_INK_YELLOW, RIP_INK_MAGENTA, RIP_INK_CYAN } },
	};
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);

	for (unsigned i = 0; i < 2; i++) {
		struct rip_mask_use use = { .x_dpi = 600, .y_dpi = 600, .planes = 4 };
		struct rip_printer printer;
		struct rip_mask_screen mask;
		struct picture p = { .page = {
					     .size = sizeof p.page,
					     .width = 300,
					     .height = 200,
					     .planes = 4,
					     .sample_bits = 8,
					     .levels = 2,
					     .x_dpi = 600,
					     .y_dpi = 600,
					     .screen = "clustered",
					     .inks = orders[i].letters,
				     } };
		char why[256];
		unsigned differ = 0;

		memcpy(use.inks, orders[i].inks, sizeof orders[i].inks);
		assert_int_equal(rip_mask_screen_init(&mask, p.page.screen, &use, why, sizeof why),
				 0);
		assert_true(rip_printer_preset(&printer, "laser", 600));
		picture_draw(&p);
		for (uint32_t plane = 0; plane < 4; plane++) {
			const struct rip_plane_wish wish = {
				.gamma = 1,
				.density = 1,
				.printer = &printer,
				.ink = use.inks[plane],
				.pattern = rip_pattern_of(&mask.base, plane),
				.levels = 2,
				.dpi = 600,
			};

			rip_plane_curve_make(&wish, 256, p.curves[plane]);
			p.of_planes[plane] = p.curves[plane];
			differ += memcmp(p.curves[plane], p.curves[0], 256 * sizeof *p.curves[0]) !=
				  0;
		}
		assert_in_range(differ, 2, 3);
		p.page.curves = p.of_planes;
		picture_define(&p, &mask.base, use.inks);
		p.page.curves = NULL;
		p.page.preset = "laser";
		print_page(r, &p, &ways[4]);
		picture_drop(&p);
	}
}

/* A page that is not finished does no harm to the next one, and memory is given back. */
TEST(unfinished_pages)
{
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);
	struct picture p;

	for (unsigned i = 0; i < 20; i++) {
		picture_make(&p, i % 2 ? "floyd-steinberg" : "clustered");
		assert_int_equal(riptide_begin(r, &p.page), 0);
		assert_int_equal(riptide_push(r, 0, p.samples, 0,
					      rip_test_below(p.page.height + 1)),
				 0);
		print_page(r, &p, &ways[rip_test_below(3)]);
		assert_int_equal(riptide_begin(r, &p.page), 0);
		picture_drop(&p);
	}
}

/* Objects of two threads at once. */
struct printing {
	const struct picture *picture;
	const struct riptide_config *config;
	int pages; /* that are right */
};

/* Asserts nothing: cmocka is of the main thread. */
static void *print_pages(void *data)
{
	struct printing *printing = data;
	const struct picture *p = printing->picture;
	const struct riptide_page *page = &p->page;
	const size_t plane_bytes = page->height * picture_out_bytes(p);
	AUTO_FREE uint8_t *dots = malloc(plane_bytes);
	struct riptide *r;

	for (int i = 0; i < 5 && riptide_new(printing->config, &r) == 0; i++) {
		bool right = riptide_begin(r, page) == 0;

		for (uint32_t plane = 0; right && plane < page->planes; plane++)
			right = riptide_push(r, plane,
					     p->samples +
						     plane * page->height * picture_in_bytes(p),
					     0, page->height) == 0;
		right = right && riptide_flush(r) == 0;
		for (uint32_t plane = 0; right && plane < page->planes; plane++)
			right = riptide_pull(r, plane, dots, 0, page->height) ==
					(int)page->height &&
				!memcmp(dots, p->dots + plane * plane_bytes, plane_bytes);
		printing->pages += right;
		riptide_free(r);
	}
	return NULL;
}

TEST(two_threads)
{
	static const char *const screens[] = { "floyd-steinberg", "blue-noise", "clustered-71" };

	for (unsigned i = 0; i < sizeof screens / sizeof *screens; i++) {
		struct picture pictures[2];
		struct printing printing[2];
		pthread_t threads[2];

		for (unsigned t = 0; t < 2; t++) {
			picture_make(&pictures[t], screens[i]);
			printing[t] = (struct printing){ &pictures[t], t ? &here : &alone, 0 };
		}
		for (unsigned t = 0; t < 2; t++)
			assert_int_equal(pthread_create(&threads[t], NULL, print_pages,
							&printing[t]),
					 0);
		for (unsigned t = 0; t < 2; t++) {
			pthread_join(threads[t], NULL);
			assert_int_equal(printing[t].pages, 5);
			picture_drop(&pictures[t]);
		}
	}
}

/* ---- the daemon ---- */

static void log_warning(void *context, enum riptide_log_level level, const char *text)
{
	if (level == RIPTIDE_LOG_WARNING)
		snprintf(context, 256, "%s", text);
}

/* The dots are the daemon's, and if it dies they are ours. */
TEST(with_a_daemon)
{
	static const struct { enum fake_act act; int left; } cases[] = {
		{ FAKE_WORKS, 0 }, { FAKE_DIES, 1 },
	};

	for (unsigned i = 0; i < 2; i++) {
		struct fake_daemon fake = { .act = cases[i].act, .at = 1 };
		char warning[256] = "";
		struct riptide_config config = here;
		struct riptide *r;
		struct picture p;

		fake_start(&fake);
		config.socket = fake.path;
		config.flags = RIPTIDE_REQUIRE_DAEMON;
		config.log = log_warning;
		config.context = warning;
		assert_int_equal(riptide_new(&config, &r), 0);
		do {
			picture_make(&p, "stucki");
			p.page.band_rows = 8;
			print_page(r, &p, &ways[1]);
			if (p.page.height > 20)
				break;
			picture_drop(&p);
		} while (1);
		assert_int_equal(riptide_left_daemon(r), cases[i].left);
		assert_memory_equal(riptide_device(r), cases[i].left ? "CPU" : "riptided: fake", 3);
		assert_int_equal(*warning != '\0', cases[i].left);
		riptide_free(r);
		fake_stop(&fake);
		assert_string_equal(fake.fault, "");
		picture_drop(&p);
	}
}
