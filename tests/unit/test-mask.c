/* Masks and bi-level in the CPU engine: every instruction set, sample size, number of levels,
 * curve and thread count against the rule of halftone/screen/screen.h, written down once more. */
#include "tests/tools/testing.h"

#include "halftone/page/band.h"
#include "halftone/engine_cpu.h"
#include "halftone/simd/isa.h"
#include "tests/tools/guarded.h"

#define below rip_test_below

/* A page, and the masks of its planes. */
struct page {
	struct rip_page_spec spec;
	struct rip_screen screen;
	struct rip_mask masks[4];
	uint16_t *thresholds[4], *curve;
	uint32_t height;
	uint16_t *samples; /* [plane][row][column] */
};

/* The expected level: from DESIGN's words, with division instead of bits. */
static unsigned expected(const struct page *page, uint32_t p, uint32_t row, uint32_t column)
{
	const struct rip_page_spec *spec = &page->spec;
	const uint32_t v = page->samples[(p * page->height + row) * spec->width + column];
	const uint32_t x = spec->curve ? spec->curve[v] : spec->sample_bits == 8 ? 257 * v : v;
	const struct rip_mask *mask = spec->screen->masks[p];
	uint64_t target, threshold;

	if (spec->screen->kind == RIP_SCREEN_BI_LEVEL)
		return x > 32767 ? spec->levels - 1 : 0;
	threshold = mask->thresholds[row % mask->height * mask->width + column % mask->width];
	target = (uint64_t)x * (spec->levels - 1);
	target += target / 65535;
	return (unsigned)(target / 65536 + (target % 65536 > threshold));
}

/* Curves of every kind that the engine treats in its own way, and hostile ones. */
static uint16_t *random_curve(uint32_t count)
{
	uint16_t *curve = malloc(count * sizeof *curve);
	const uint32_t kind = below(5);
	uint32_t rise = 0;

	assert_non_null(curve);
	for (uint32_t v = 0; v < count; v++)
		switch (kind) {
		case 0: curve[v] = (uint16_t)below(65536); break;
		case 1: /* rises from 0 to full, with steps */
			rise += below(8) ? 0 : below(12 * 65536 / count);
			curve[v] = (uint16_t)(v == count - 1 || rise > 65535 ? 65535 : rise);
			break;
		case 2: /* rises, but neither from 0 nor to full */
			curve[v] = (uint16_t)(300 + v * (uint64_t)65000 / count);
			break;
		case 3: curve[v] = (uint16_t)(65535 - v * (uint64_t)65535 / (count - 1)); break;
		default: curve[v] = (uint16_t)(below(3) ? below(2) * 65535 : 32766 + below(3));
		}
	return curve;
}

static uint16_t random_threshold(void)
{
	switch (below(8)) {
	case 0: return (uint16_t)(below(2) * 65535);
	case 1: return (uint16_t)(65530 + below(6));
	case 2: return (uint16_t)(257 * below(256) - below(2)); /* beside an 8-bit sample */
	case 3: return (uint16_t)(32766 + below(3));
	default: return (uint16_t)below(65536);
	}
}

static uint32_t random_side(void)
{
	switch (below(4)) {
	case 0: return 1 + below(4);
	case 1: return (uint32_t[]){ 8, 16, 63, 64, 65, 120, 128, 241 }[below(8)];
	default: return 1 + below(150);
	}
}

static void page_init(struct page *page)
{
	struct rip_page_spec *spec = &page->spec;
	const uint32_t height = 1 + below(below(3) ? 12 : 150);
	uint32_t count, flat;

	memset(page, 0, sizeof *page);
	page->height = height;
	page->screen = (struct rip_screen){ .name = "test", .kind = below(6) ? RIP_SCREEN_MASK :
									 RIP_SCREEN_BI_LEVEL };
	*spec = (struct rip_page_spec){
		.width = 1 + below(below(3) ? 300 : 3000), .planes = 1 + below(4),
		.levels = below(2) ? 2 : 2 + below(15), .sample_bits = below(2) ? 8 : 16,
		.screen = &page->screen,
	};
	count = 1u << spec->sample_bits;
	if (below(3) == 0)
		spec->curve = page->curve = random_curve(count);
	for (uint32_t p = 0; p < spec->planes && page->screen.kind == RIP_SCREEN_MASK; p++) {
		struct rip_mask *mask = &page->masks[p];

		if (p > 0 && below(3) == 0) { /* that of another plane */
			page->screen.masks[p] = page->screen.masks[below(p)];
			continue;
		}
		*mask = (struct rip_mask){ .height = random_side(), .width = random_side() };
		page->thresholds[p] = malloc(mask->height * mask->width * sizeof(uint16_t));
		assert_non_null(page->thresholds[p]);
		for (uint32_t i = 0; i < mask->height * mask->width; i++)
			page->thresholds[p][i] = random_threshold();
		mask->thresholds = page->thresholds[p];
		page->screen.masks[p] = mask;
	}
	page->samples = malloc(spec->planes * height * spec->width * sizeof *page->samples);
	assert_non_null(page->samples);
	flat = below(count);
	for (uint32_t i = 0; i < spec->planes * height; i++) {
		const uint32_t kind = below(4);

		for (uint32_t j = 0; j < spec->width; j++)
			page->samples[i * spec->width + j] =
				(uint16_t)(kind == 0 ? below(2) * (count - 1) :
					   kind == 1 ? flat :
						       below(count));
	}
}

static void page_finish(struct page *page)
{
	for (int p = 0; p < 4; p++)
		free(page->thresholds[p]);
	free(page->curve);
	free(page->samples);
}

static unsigned level_at(const uint8_t *dots, uint32_t column, uint32_t bits)
{
	const uint32_t place = column * bits;

	return dots[place / 8] >> (8 - bits - place % 8) & ((1u << bits) - 1);
}

static void compare(const struct page *page, const char *what, uint32_t p, uint32_t row,
		    const uint8_t *dots)
{
	const struct rip_page_spec *spec = &page->spec;
	const uint32_t bits = spec->levels == 2 ? 1 : spec->levels <= 4 ? 2 : 4;
	const uint32_t bytes = (spec->width * bits + 7) / 8;

	for (uint32_t j = 0; j < spec->width; j++)
		if (level_at(dots, j, bits) != expected(page, p, row, j))
			fail_msg(
				"%s: plane %u, row %u, column %u of %u, %u levels, %u bits: %u, "
				"not %u",
				what, p, row, j, spec->width, spec->levels, spec->sample_bits,
				level_at(dots, j, bits), expected(page, p, row, j));
	for (uint32_t j = spec->width * bits; j < 8 * bytes; j++)
		assert_int_equal(level_at(dots, j, 1), 0);
}

/* Pushes some rows of a plane, chosen with gaps, from memory with faulting pages around it. */
static void push_some(const struct page *page, struct rip_page *open, const char *what, uint32_t p)
{
	const struct rip_page_spec *spec = &page->spec;
	const uint32_t size = spec->sample_bits / 8;
	const size_t dots = rip_dot_bytes(spec->width, spec->levels);
	const size_t in_pitch = (spec->width + below(9)) * size, out_pitch = dots + below(9);
	uint32_t *numbers = malloc(page->height * sizeof *numbers), rows = 0;
	const bool up = below(2);
	struct rip_guarded in, out;
	struct rip_strip strip;

	for (uint32_t i = 0; i < page->height; i++)
		if (below(5))
			numbers[rows++] = i;
	if (rows == 0)
		numbers[rows++] = 0;
	in = rip_guarded_new((rows - 1) * in_pitch + spec->width * size, below(2));
	out = rip_guarded_new((rows - 1) * out_pitch + dots, below(2));
	memset(out.bytes, 0xa5, (rows - 1) * out_pitch + dots);
	strip = (struct rip_strip){
		.plane = p, .rows = rows, .row_numbers = numbers,
		.in = in.bytes + (up ? (rows - 1) * in_pitch : 0),
		.in_pitch = up ? -(ptrdiff_t)in_pitch : (ptrdiff_t)in_pitch,
		.out = out.bytes + (up ? (rows - 1) * out_pitch : 0),
		.out_pitch = up ? -(ptrdiff_t)out_pitch : (ptrdiff_t)out_pitch,
	};
	for (uint32_t i = 0; i < rows; i++)
		for (uint32_t j = 0; j < spec->width; j++) {
			const uint16_t v =
				page->samples[(p * page->height + numbers[i]) * spec->width + j];
			uint8_t *to = (uint8_t *)strip.in + (ptrdiff_t)i * strip.in_pitch;

			if (size == 1)
				to[j] = (uint8_t)v;
			else
				memcpy(to + 2 * j, &v, 2);
		}
	assert_int_equal(open->engine->ops->push(open, &strip, 1), 0);
	assert_int_equal(open->engine->ops->pull(open), 0);
	for (uint32_t i = 0; i < rows; i++) {
		const uint8_t *row = strip.out + (ptrdiff_t)i * strip.out_pitch;

		compare(page, what, p, numbers[i], row);
		/* Bytes between the rows are left alone. */
		for (size_t k = dots; k < out_pitch && (up ? i > 0 : i < rows - 1); k++)
			assert_int_equal(row[k], 0xa5);
	}
	rip_guarded_free(&in);
	rip_guarded_free(&out);
	free(numbers);
}

/* Every way to compute: methods, and instruction sets with one and several threads. */
static struct rip_engine *engine_of(int kind, unsigned threads, const char **name)
{
	struct rip_cpu_config config = { .method = RIP_METHOD_SIMD, .threads = threads };
	struct rip_engine *engine;

	if (kind < 2) {
		config.method = kind ? RIP_METHOD_EC : RIP_METHOD_ED;
		*name = rip_method_name(config.method);
	} else {
		const struct rip_isa *isa = &rip_isas[kind - 2];

		if (!isa->name) {
			*name = NULL;
			return NULL;
		}
		*name = config.isa = isa->name;
		if (!rip_isa_usable(isa))
			return NULL;
	}
	assert_int_equal(rip_engine_cpu_new(&config, &engine), 0);
	return engine;
}

TEST(every_engine_follows_the_rule)
{
	for (int round = 0; round < (RIP_TEST_SANITIZED ? 100 : 400); round++) {
		AUTO(page_finish) struct page page;
		const char *name;

		page_init(&page);
		for (int kind = 0;; kind++) {
			struct rip_engine *engine = engine_of(kind, 1 + below(3), &name);
			struct rip_page *open;

			if (!name)
				break;
			if (!engine)
				continue;
			assert_true(engine->ops->takes(engine, &page.spec));
			assert_int_equal(rip_engine_open_page(engine, &page.spec, RIP_START_NOISE,
							      &open), 0);
			for (uint32_t p = 0; p < page.spec.planes; p++)
				push_some(&page, open, name, p);
			engine->ops->close(open);
			engine->ops->free(engine);
		}
	}
}

/* Through bands, where transparent rows are left out: the engine gets the right row numbers,
 * and the rows that it does not get have the dots that it would give them. */
TEST(bands_do_not_show)
{
	for (int round = 0; round < (RIP_TEST_SANITIZED ? 40 : 100); round++) {
		const uint32_t most = 1 + below(40);
		const struct rip_page_spec *spec;
		struct rip_engine *engine;
		struct rip_page *open;
		struct rip_band *band;
		AUTO(page_finish) struct page page;
		const char *name;

		page_init(&page);
		spec = &page.spec;
		engine = engine_of(2 + (int)below(2), 1 + below(3), &name);
		if (!engine)
			engine = engine_of(2, 1, &name);
		assert_int_equal(rip_engine_open_page(engine, spec, RIP_START_NOISE, &open), 0);
		assert_int_equal(rip_band_new(spec, most, &band), 0);
		for (uint32_t first = 0; first < page.height; first += most) {
			const uint32_t left = page.height - first, rows = left < most ? left : most;
			struct rip_strip strips[RIP_PLANES_MAX];
			unsigned n;

			rip_band_reset(band, first);
			for (uint32_t i = 0; i < rows; i++)
				for (uint32_t p = 0; p < spec->planes; p++) {
					const uint16_t *from = page.samples +
						(p * page.height + first + i) * spec->width;
					uint8_t *to = rip_band_row(band, p);

					for (uint32_t j = 0; j < spec->width; j++)
						if (spec->sample_bits == 8)
							to[j] = (uint8_t)from[j];
						else
							memcpy(to + 2 * j, from + j, 2);
					rip_band_commit(band, p);
				}
			n = rip_band_strips(band, strips);
			/* Nothing is grey where there are only extremes. */
			if (page.screen.kind == RIP_SCREEN_BI_LEVEL)
				assert_int_equal(n, 0);
			assert_int_equal(engine->ops->push(open, strips, n), 0);
			assert_int_equal(engine->ops->pull(open), 0);
			for (uint32_t i = 0; i < rows; i++)
				for (uint32_t p = 0; p < spec->planes; p++)
					compare(&page, name, p, first + i,
						rip_band_dots(band, p, i));
		}
		engine->ops->close(open);
		engine->ops->free(engine);
		rip_band_free(band);
	}
}

/* Masks that are not sound are not taken; a mask of one row needs no row numbers. */
TEST(what_is_refused)
{
	static const uint16_t thresholds[] = { 10000, 40000 };
	struct rip_mask mask = { 1, 2, thresholds };
	struct rip_screen screen = { .name = "two", .kind = RIP_SCREEN_MASK, .masks = { &mask } };
	struct rip_page_spec spec = { .width = 4, .planes = 1, .levels = 2, .sample_bits = 8,
				      .screen = &screen };
	const struct rip_cpu_config config = { .threads = 1 };
	const uint8_t samples[] = { 100, 100, 200, 200 };
	uint8_t dots = 0;
	const struct rip_strip strip = { .rows = 1, .in = samples, .in_pitch = 4, .out = &dots,
					 .out_pitch = 1 };
	const struct rip_strip none = { .rows = 0 }; /* needs no row numbers */
	struct rip_engine *engine;
	struct rip_page *page;

	assert_int_equal(rip_engine_cpu_new(&config, &engine), 0);
	assert_int_equal(engine->ops->open(engine, &spec, &page), 0);
	assert_int_equal(engine->ops->push(page, &strip, 1), 0);
	assert_int_equal(engine->ops->pull(page), 0);
	assert_int_equal(dots, 0xb0);
	engine->ops->close(page);

	spec.planes = 2; /* the second one has no mask */
	assert_false(engine->ops->takes(engine, &spec));
	assert_int_equal(engine->ops->open(engine, &spec, &page), -EINVAL);
	spec.planes = 1;
	mask.width = RIP_MASK_SIDE_MAX + 1;
	assert_false(engine->ops->takes(engine, &spec));
	mask.width = 0;
	assert_false(engine->ops->takes(engine, &spec));
	mask = (struct rip_mask){ 1, 2, NULL };
	assert_false(engine->ops->takes(engine, &spec));
	mask = (struct rip_mask){ 2, 1, thresholds };
	assert_int_equal(engine->ops->open(engine, &spec, &page), 0);
	assert_int_equal(engine->ops->push(page, &none, 1), 0);
	assert_int_equal(engine->ops->push(page, &strip, 1), -EINVAL); /* no row numbers */
	engine->ops->close(page);
	engine->ops->free(engine);
}
