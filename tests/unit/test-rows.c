/* Rows: every variant that this processor runs against what each sample must give,
 * inside its buffers to the byte; and the processor's features with masks. */
#include "tests/tools/testing.h"

#include "halftone/cpu.h"
#include "halftone/simd/isa.h"
#include "halftone/page/rows.h"

#define WIDTH_MAX 20011
#define CANARY    0xa7

/* ---- memory with pages around it that nobody may touch ---- */

struct arena {
	uint8_t *bytes;
	size_t   size;
};

static void arena_init(struct arena *arena, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *all;

	arena->size = (size + page - 1) / page * page;
	all = mmap(NULL, arena->size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(all != MAP_FAILED);
	arena->bytes = all + page;
	assert_int_equal(mprotect(arena->bytes, arena->size, PROT_READ | PROT_WRITE), 0);
}

static void arena_finish(struct arena *arena)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap(arena->bytes - page, arena->size + 2 * page);
}

/* A buffer that begins or ends at such a page, or lies somewhere between them. */
static uint8_t *place(const struct arena *arena, size_t size, size_t align)
{
	const size_t room = (arena->size - size) / align;

	switch (rip_test_below(3)) {
	case 0:
		return arena->bytes;
	case 1:
		return arena->bytes + arena->size - size;
	default:
		return arena->bytes + rip_test_below((uint32_t)room + 1) * align;
	}
}

/* That nothing around a buffer was written. */
static void check_around(const struct arena *arena, const uint8_t *buffer, size_t size)
{
	size_t wrong = 0;

	for (const uint8_t *p = arena->bytes; p < buffer; p++)
		wrong += *p != CANARY;
	for (const uint8_t *p = buffer + size; p < arena->bytes + arena->size; p++)
		wrong += *p != CANARY;
	assert_int_equal(wrong, 0);
}

/* ---- the tests ---- */

/* Calls a test for the functions of each instruction set that is here. */
static void for_each_isa(void (*test)(const struct rip_row_ops *ops, uint32_t width))
{
	static const uint32_t large[] = { 832, 4096, 4960, 5101, 8191, 9921, WIDTH_MAX };

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++) {
		struct rip_row_ops ops;

		if (!rip_isa_usable(isa)) {
			print_message("# not usable here: %s\n", isa->name);
			continue;
		}
		rip_row_ops_init(&ops, isa->features);
		for (uint32_t width = 1; width <= 300; width++)
			test(&ops, width);
		for (size_t n = 0; n < sizeof large / sizeof large[0]; n++)
			test(&ops, large[n]);
	}
}

static uint32_t sample(const uint8_t *row, uint32_t bits, size_t j)
{
	uint16_t wide;

	if (bits == 8)
		return row[j];
	memcpy(&wide, row + 2 * j, sizeof wide);
	return wide;
}

static void set_sample(uint8_t *row, uint32_t bits, size_t j, uint32_t v)
{
	const uint16_t wide = (uint16_t)v;

	if (bits == 8)
		row[j] = (uint8_t)v;
	else
		memcpy(row + 2 * j, &wide, sizeof wide);
}

/* Samples that are lo or less, or hi or more; and, in half of the rows, one that is
 * neither if there is such a number. */
static bool fill_solid(uint8_t *row, uint32_t bits, uint32_t width, uint32_t lo, uint32_t hi)
{
	const uint32_t full = (1u << bits) - 1;

	for (uint32_t j = 0; j < width; j++)
		set_sample(row, bits, j,
			   rip_test_below(2) ?
				   lo - rip_test_below(lo + 1) / (1 + rip_test_below(3) * 1000) :
				   hi + rip_test_below(full - hi + 1) /
						   (1 + rip_test_below(3) * 1000));
	if (hi - lo < 2 || rip_test_below(2))
		return true;
	/* The ones next to the ends most of all. */
	set_sample(row, bits, rip_test_below(width),
		   rip_test_below(3) == 0 ? lo + 1 :
		   rip_test_below(2)      ? hi - 1 :
					    lo + 1 + rip_test_below(hi - lo - 1));
	return false;
}

static void solid_round(const struct rip_row_ops *ops, uint32_t width, uint32_t bits)
{
	const uint32_t full = (1u << bits) - 1, bytes = bits / 8, dot_bytes = (width + 7) / 8;
	const bool plain = rip_test_below(2);
	const uint32_t lo = plain ? 0 : rip_test_below(full),
		       hi = plain ? full : lo + 1 + rip_test_below(full - lo);
	AUTO(arena_finish) struct arena in, out;
	uint8_t *row, *dots;
	bool solid;

	arena_init(&in, (size_t)width * bytes + 512);
	arena_init(&out, dot_bytes + 512);
	row = place(&in, (size_t)width * bytes, bytes);
	dots = place(&out, dot_bytes, 1);
	memset(out.bytes, CANARY, out.size);
	solid = fill_solid(row, bits, width, lo, hi);
	if (bits == 8)
		assert_int_equal(ops->solid8(row, width, (uint8_t)lo, (uint8_t)hi, dots), solid);
	else
		assert_int_equal(ops->solid16((uint16_t *)row, width, (uint16_t)lo, (uint16_t)hi,
					      dots), solid);
	check_around(&out, dots, dot_bytes);
	for (uint32_t j = 0; solid && j < 8 * dot_bytes; j++)
		assert_int_equal(dots[j / 8] >> (7 - j % 8) & 1,
				 j < width && sample(row, bits, j) >= hi);
}

static void solid(const struct rip_row_ops *ops, uint32_t width)
{
	for (int round = 0; round < 6; round++)
		solid_round(ops, width, round % 2 ? 8 : 16);
}

TEST(solid_rows_become_dots)
{
	for_each_isa(solid);
}

static void split_round(const struct rip_row_ops *ops, uint32_t width, uint32_t stride,
			uint32_t bits)
{
	const uint32_t count = 1 + rip_test_below(stride), bytes = bits / 8;
	const size_t row = (size_t)width * bytes, line = row * stride;
	void *planes[4] = { NULL };
	struct arena in, out[4];
	uint8_t *chunked;

	arena_init(&in, line + 512);
	chunked = place(&in, line, bytes);
	for (size_t i = 0; i < line; i++)
		chunked[i] = (uint8_t)rip_test_random();
	for (uint32_t c = 0; c < count; c++) {
		arena_init(&out[c], row + 512);
		memset(out[c].bytes, CANARY, out[c].size);
		planes[c] = place(&out[c], row, bytes);
	}
	if (bits == 8)
		(stride == 3 ? ops->split8x3 : ops->split8x4)(chunked, width, planes, count);
	else
		(stride == 3 ? ops->split16x3 : ops->split16x4)((uint16_t *)chunked, width, planes,
								count);
	for (uint32_t c = 0; c < count; c++) {
		uint32_t wrong = 0;

		for (uint32_t j = 0; j < width; j++)
			wrong += sample(planes[c], bits, j) !=
				 sample(chunked, bits, (size_t)j * stride + c);
		assert_int_equal(wrong, 0);
		check_around(&out[c], planes[c], row);
		arena_finish(&out[c]);
	}
	arena_finish(&in);
}

static void split(const struct rip_row_ops *ops, uint32_t width)
{
	for (int round = 0; round < 4; round++)
		split_round(ops, width, 3 + round % 2, round / 2 ? 8 : 16);
}

TEST(chunked_pixels_come_apart)
{
	for_each_isa(split);
}

static void curve(const struct rip_row_ops *ops, uint32_t width)
{
	uint16_t curve_of[256];
	AUTO(arena_finish) struct arena in, out;
	uint32_t wrong = 0;
	uint8_t *row;
	uint16_t *x;

	arena_init(&in, width + 512);
	arena_init(&out, 2 * (size_t)width + 512);
	row = place(&in, width, 1);
	x = (uint16_t *)(void *)place(&out, 2 * (size_t)width, 2);
	for (uint32_t v = 0; v < 256; v++)
		curve_of[v] = (uint16_t)rip_test_random();
	for (uint32_t j = 0; j < width; j++)
		row[j] = (uint8_t)rip_test_random();
	memset(out.bytes, CANARY, out.size);
	ops->curve8(row, width, curve_of, x);
	for (uint32_t j = 0; j < width; j++)
		wrong += x[j] != curve_of[row[j]];
	assert_int_equal(wrong, 0);
	check_around(&out, (uint8_t *)x, 2 * (size_t)width);
}

TEST(samples_go_through_a_curve)
{
	for_each_isa(curve);
}

#define LINES_MAX 8

/* Rows whose neighbours differ by about `step`, or which are all alike. */
static void fill_edges(uint8_t *const rows[], uint32_t lines, uint32_t width, uint8_t step)
{
	const uint32_t alike = rip_test_below(3);

	for (uint32_t k = 0; k <= lines; k++)
		for (uint32_t j = 0; j < width; j++)
			rows[k][j] = (uint8_t)(alike == 0 ? 77 :
					       alike == 1 && k > 0 ? rows[0][j] :
					       rip_test_below(4) ? rip_test_below(step + 3) :
					       rip_test_random());
}

static void edges(const struct rip_row_ops *ops, uint32_t width)
{
	struct arena in[LINES_MAX + 1], out[2];
	const uint32_t lines = 1 + rip_test_below(LINES_MAX), cells = width / 8;
	const uint8_t step = (uint8_t)rip_test_below(256);
	uint8_t *rows[LINES_MAX + 1], *across, *down;
	uint32_t wrong = 0;

	for (uint32_t k = 0; k <= lines; k++) {
		arena_init(&in[k], width + 64);
		rows[k] = place(&in[k], width, 1);
	}
	for (int i = 0; i < 2; i++) {
		arena_init(&out[i], cells + 64);
		memset(out[i].bytes, CANARY, out[i].size);
	}
	across = place(&out[0], cells, 1);
	down = place(&out[1], cells, 1);
	fill_edges(rows, lines, width, step);
	ops->edges8((const uint8_t *const *)rows, lines, width, step, across, down);
	for (uint32_t c = 0; c < cells; c++) {
		uint32_t right = 0, below = 0;

		for (uint32_t j = 8 * c; j < 8 * c + 8 && j + 1 < width; j++)
			for (uint32_t k = 0; k < lines; k++) {
				right += abs(rows[k][j] - rows[k][j + 1]) > step;
				below += abs(rows[k][j] - rows[k + 1][j]) > step;
			}
		wrong += across[c] != right || down[c] != below;
	}
	assert_int_equal(wrong, 0);
	check_around(&out[0], across, cells);
	check_around(&out[1], down, cells);
	for (uint32_t k = 0; k <= lines; k++)
		arena_finish(&in[k]);
	for (int i = 0; i < 2; i++)
		arena_finish(&out[i]);
}

TEST(edges_are_counted_in_cells)
{
	for_each_isa(edges);
}

/* The features that a process finds with a limit; 0x80: there is no such instruction set. */
static unsigned features_with(const char *mask)
{
	int status;
	pid_t pid = fork_child();

	if (pid == 0) {
		if (*mask && rip_isa_limit(mask) < 0)
			_exit(0x80);
		_exit((int)rip_isa_features());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return (unsigned)WEXITSTATUS(status);
}

TEST(masks_take_features_away)
{
	const unsigned all = features_with("");

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		assert_int_equal(features_with(isa->name), all & isa->features);
	assert_int_equal(features_with("AVX2"), all & RIP_CPU_AVX2);
	assert_int_equal(features_with("c"), 0);
	assert_int_equal(features_with("no-such-set"), 0x80);
	/* Each x86 feature comes with those before it. */
	if (all & RIP_CPU_VBMI)
		assert_true(all & RIP_CPU_AVX512);
	if (all & RIP_CPU_AVX512)
		assert_true(all & RIP_CPU_AVX2);
#if RIP_CPU_HAS_NEON
	assert_true(all & RIP_CPU_NEON);
#endif
}

/* What choices from the table rely on. */
TEST(table_of_isas_is_sound)
{
	const char *const names[] = { "c", "avx2", "avx512bw", "avx512", "neon" };
	size_t n = 0;

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++, n++) {
		assert_true(n < sizeof names / sizeof names[0]);
		assert_int_equal(strcmp(isa->name, names[n]), 0);
		assert_true(rip_isa_find(isa->name) == isa);
		assert_true(isa->built || !isa->has_simd);
		for (int i = 0; i < RIP_SCREENS; i++) {
			assert_true(isa->has_simd || !isa->kernels[i].wavefront);
			assert_true(isa->kernels[i].wavefront || !isa->kernels[i].single);
		}
		assert_true(!isa->has_simd || isa->kernels[RIP_FLOYD_STEINBERG].wavefront);
		/* All but plain C have both kernels and row functions, where they are built. */
		assert_true(!isa->has_simd == !isa->row_ops);
		assert_true(!isa->has_simd == (isa == rip_isas || !isa->built));
		if (rip_isa_usable(isa))
			assert_false(isa->features & ~rip_isa_features());
	}
	assert_int_equal(n, sizeof names / sizeof names[0]);
	assert_true(rip_isa_find("AVX512") == rip_isa_find("avx512"));
	assert_null(rip_isa_find("no-such-set"));
	assert_false(rip_isa_usable(NULL));
	assert_true(rip_isa_usable(rip_isas)); /* plain C */
	assert_true(rip_isa_usable(rip_isa_best()));
#if defined __x86_64__
	assert_int_equal(rip_isa_find("avx512")->built, RIP_CPU_HAS_AVX512);
	assert_true(rip_isa_find("avx2")->built && !rip_isa_find("neon")->built);
#elif RIP_CPU_HAS_NEON
	assert_true(rip_isa_find("neon")->built && !rip_isa_find("avx2")->built);
	assert_true(rip_isa_best() == rip_isa_find("neon"));
#endif
}
