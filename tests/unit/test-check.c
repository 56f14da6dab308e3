/* What a PAGE or a BAND may ask for: every field at its limits and beyond. */
#include "tests/tools/testing.h"

#include "tests/tools/define_dots.h"
#include "wire/check.h"
#include "daemon/ring_page.h"
#include "halftone/engine_cpu.h"

static const struct rip_ring_sizes room = { .in = 16 << 20, .out = 8 << 20 };

static char reason[RIP_REASON_MAX + 1];

static struct rip_page_message good_page(void)
{
	return (struct rip_page_message){
		.page = 1, .width = 1001, .height = 100, .planes = 4, .levels = 3,
		.sample_bits = 16, .screen = RIP_STUCKI, .start = RIP_PAGE_CARRY,
		.curve_values = 65536, .curve_offset = 0, .carry_offset = 131072,
	};
}

static enum rip_verdict page(const struct rip_page_message *message)
{
	struct rip_page_spec spec;

	reason[0] = '\0';
	return rip_check_page(message, &room, &spec, reason);
}

/* Sets one field of a good PAGE, and says what comes of it. */
#define PAGE_WITH(field, value) ({                                \
	struct rip_page_message message_ = good_page();           \
	message_.field = (value);                                 \
	page(&message_);                                          \
})

/* The screens of riptide-protocol(7), by number, and how long a carry is with each. */
TEST(reach)
{
	static const uint64_t reach[] = { 1, 2, 2, 1, 2, 2, 1, 1 };
	struct rip_page_message message = good_page();
	struct rip_page_spec spec;

	assert_int_equal(sizeof reach / sizeof reach[0], RIP_SCREENS);
	message.start = RIP_PAGE_CARRY;
	for (message.screen = 0; message.screen < RIP_SCREENS; message.screen++) {
		const uint64_t carries = message.planes * reach[message.screen] * message.width * 2;

		message.carry_offset = (room.in - carries) & ~(uint64_t)1;
		assert_int_equal(rip_check_page(&message, &room, &spec, reason), RIP_VERDICT_GOOD);
		message.carry_offset += 2;
		assert_int_equal(rip_check_page(&message, &room, &spec, reason),
				 RIP_VERDICT_BREACH);
	}
}

TEST(page)
{
	const uint64_t carry = 4 * 2 * 1001 * 2; /* planes, reach, columns, bytes */
	struct rip_page_message message = good_page();
	struct rip_page_spec spec;

	assert_int_equal(rip_check_page(&message, &room, &spec, reason), RIP_VERDICT_GOOD);
	assert_int_equal(spec.width, 1001);
	assert_ptr_equal(spec.screen, &rip_screens[RIP_STUCKI]);
	assert_null(spec.curve);

	assert_int_equal(PAGE_WITH(width, 0), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(width, RIP_WIDTH_MAX + 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(width, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(planes, 0), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(planes, RIP_PLANES_MAX), RIP_VERDICT_GOOD);
	assert_int_equal(PAGE_WITH(planes, RIP_PLANES_MAX + 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(levels, 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(levels, 17), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(sample_bits, 8), RIP_VERDICT_BREACH); /* the curve is for 16 */
	assert_int_equal(PAGE_WITH(sample_bits, 12), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(screen, RIP_SCREENS), RIP_VERDICT_REFUSED);
	assert_int_equal(PAGE_WITH(screen, UINT32_MAX), RIP_VERDICT_REFUSED);
	assert_string_equal(reason, "this daemon does not know screen 4294967295");
	assert_int_equal(PAGE_WITH(start, RIP_PAGE_CARRY + 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(page, 0), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(height, RIP_WIDTH_MAX + 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(curve_values, 256), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(curve_values, 0), RIP_VERDICT_GOOD);
	assert_int_equal(PAGE_WITH(curve_offset, 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(curve_offset, room.in - 131072), RIP_VERDICT_GOOD);
	assert_int_equal(PAGE_WITH(curve_offset, room.in - 131072 + 2), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(curve_offset, UINT64_MAX - 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(carry_offset, 3), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(carry_offset, room.in - carry), RIP_VERDICT_GOOD);
	assert_int_equal(PAGE_WITH(carry_offset, room.in - carry + 2), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(carry_offset, UINT64_MAX - 1), RIP_VERDICT_BREACH);
	assert_true(reason[0]);
}

/* What pixels go through. */
TEST(limit)
{
	const uint64_t curves = 4 * 512;
	struct rip_page_message message = good_page();

	assert_int_equal(PAGE_WITH(ink_limit, 4 * 65535), RIP_VERDICT_GOOD);
	assert_int_equal(PAGE_WITH(ink_limit, 4 * 65535 + 1), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(black, 4), RIP_VERDICT_GOOD);
	assert_int_equal(PAGE_WITH(black, 5), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(black, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(pixel_curves, 4), RIP_VERDICT_GOOD);
	assert_int_equal(PAGE_WITH(pixel_curves, 3), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(pixel_curves, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(PAGE_WITH(pixel_offset, 1), RIP_VERDICT_GOOD); /* it is not used */
	assert_int_equal(rip_page_message_pixel_bits(&message), 16);
	message.pixel_curves = 4;
	assert_int_equal(rip_page_message_pixel_bits(&message), 8);
	for (message.pixel_offset = room.in - curves; message.pixel_offset < room.in;
	     message.pixel_offset += 2)
		assert_int_equal(page(&message), message.pixel_offset == room.in - curves ?
							 RIP_VERDICT_GOOD :
							 RIP_VERDICT_BREACH);
	message.pixel_offset = 1;
	assert_int_equal(page(&message), RIP_VERDICT_BREACH);
	message.pixel_offset = UINT64_MAX - 1;
	assert_int_equal(page(&message), RIP_VERDICT_BREACH);
	message = good_page();
	message.ink_limit = 65535;
	assert_int_equal(rip_page_message_pixel_bits(&message), 8);
}

/* Offsets of what is not used are not looked at. */
TEST(unused_offsets)
{
	struct rip_page_message message = good_page();

	message.start = RIP_PAGE_NOISE;
	message.curve_values = 0;
	message.carry_offset = message.curve_offset = UINT64_MAX;
	assert_int_equal(page(&message), RIP_VERDICT_GOOD);
}

/* The widest page of which a row fits, and one column more. */
TEST(too_large)
{
	struct rip_page_message message = {
		.page = 1, .planes = 1, .levels = 2, .sample_bits = 8
	};
	const uint32_t widest = (uint32_t)(room.out * 8 / 17); /* dots and carry: 1/8 + 2 bytes */

	message.width = widest;
	assert_int_equal(page(&message), RIP_VERDICT_GOOD);
	message.width = widest + 1;
	assert_int_equal(page(&message), RIP_VERDICT_REFUSED);
	message.width = RIP_WIDTH_MAX;
	message.planes = RIP_PLANES_MAX;
	message.sample_bits = 16;
	assert_int_equal(page(&message), RIP_VERDICT_REFUSED);
	assert_true(reason[0]);
}

/* A page of 1001 columns, 4 planes, 16 bits, 3 levels (251 bytes a row of dots). */
static struct rip_page_spec spec16(void)
{
	return (struct rip_page_spec){
		.width = 1001, .planes = 4, .levels = 3, .sample_bits = 16,
		.screen = &rip_screens[RIP_STUCKI]
	};
}

static struct rip_band_message good_band(void)
{
	struct rip_band_message band = { .seq = 0, .rows = 10, .count = 4 };

	for (uint32_t i = 0; i < 4; i++)
		band.strips[i] = (struct rip_band_strip){
			.plane = 3 - i, .rows = 10, .in_pitch = 2002, .out_pitch = 251,
			.in_offset = 20100 * i, .out_offset = 2511 * i,
			.carry_offset = 20000 + 4004 * i,
		};
	return band;
}

static enum rip_verdict band(const struct rip_band_message *message)
{
	const struct rip_page_spec spec = spec16();
	uint64_t samples;

	reason[0] = '\0';
	return rip_check_band(message, &spec, spec.sample_bits, &room, &samples, reason);
}

#define STRIP_WITH(field, value) ({                               \
	struct rip_band_message message_ = good_band();           \
	message_.strips[2].field = (value);                       \
	band(&message_);                                          \
})

TEST(band)
{
	const struct rip_page_spec spec = spec16();
	struct rip_band_message message = good_band();
	uint64_t samples;

	assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_GOOD);
	assert_int_equal(samples, 4 * 10 * 1001);
	message.count = 0;
	assert_int_equal(band(&message), RIP_VERDICT_BREACH);
	message.count = 5;
	assert_int_equal(band(&message), RIP_VERDICT_BREACH);
	message.count = UINT32_MAX;
	assert_int_equal(band(&message), RIP_VERDICT_BREACH);
	message.count = 1;
	assert_int_equal(band(&message), RIP_VERDICT_GOOD);

	assert_int_equal(STRIP_WITH(plane, 3), RIP_VERDICT_BREACH); /* appears twice */
	assert_int_equal(STRIP_WITH(plane, 4), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(plane, 33), RIP_VERDICT_BREACH); /* 1 << 33 must not be taken */
	assert_int_equal(STRIP_WITH(plane, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(rows, 0), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(rows, RIP_WIDTH_MAX + 1), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(rows, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(in_pitch, 2000), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(in_pitch, 2003), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(in_pitch, 2004), RIP_VERDICT_GOOD);
	assert_int_equal(STRIP_WITH(in_pitch, 2012), RIP_VERDICT_BREACH); /* into the next strip */
	assert_int_equal(STRIP_WITH(in_pitch, UINT32_MAX - 1), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(out_pitch, 250), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(out_pitch, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(in_offset, 1), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(in_offset, room.in - 20020), RIP_VERDICT_GOOD);
	assert_int_equal(STRIP_WITH(in_offset, room.in - 20020 + 2), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(in_offset, UINT64_MAX - 1), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(in_offset, UINT64_MAX - 20019), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(out_offset, room.out - 2510), RIP_VERDICT_GOOD);
	assert_int_equal(STRIP_WITH(out_offset, room.out - 2509), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(out_offset, UINT64_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(carry_offset, room.out - 4004), RIP_VERDICT_GOOD);
	assert_int_equal(STRIP_WITH(carry_offset, room.out - 4003), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(carry_offset, room.out - 4002), RIP_VERDICT_BREACH);
	assert_int_equal(STRIP_WITH(carry_offset, UINT64_MAX - 1), RIP_VERDICT_BREACH);
	assert_true(reason[0]);
}

/* A band of ten lines of five samples, of which the four planes have rows. */
static struct rip_band_message band_of_pixels(void)
{
	struct rip_band_message message = good_band();

	message.lines = 10;
	message.step = 5;
	message.line_pitch = 10012;
	for (uint32_t i = 0; i < message.count; i++) {
		message.strips[i].in_pitch = 2;
		message.strips[i].in_offset = 200000; /* the same numbers, behind the lines */
	}
	return message;
}

#define PIXELS_WITH(field, value) ({                        \
	struct rip_band_message message_ = band_of_pixels(); \
	message_.field = (value);                            \
	band(&message_);                                     \
})

TEST(pixels)
{
	const uint64_t bytes = 9 * 10012 + 10010;

	assert_int_equal(PIXELS_WITH(step, 5), RIP_VERDICT_GOOD);
	assert_int_equal(PIXELS_WITH(step, 4), RIP_VERDICT_GOOD);
	assert_int_equal(PIXELS_WITH(step, 3), RIP_VERDICT_BREACH); /* the planes are four */
	assert_int_equal(PIXELS_WITH(step, 6), RIP_VERDICT_BREACH); /* the lines are too short */
	assert_int_equal(PIXELS_WITH(step, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(lines, 9), RIP_VERDICT_BREACH); /* the rows are ten */
	assert_int_equal(PIXELS_WITH(lines, 11), RIP_VERDICT_GOOD);
	assert_int_equal(PIXELS_WITH(lines, RIP_PIXEL_LINES_MAX + 1), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(lines, UINT32_MAX), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(line_pitch, 10010), RIP_VERDICT_GOOD);
	assert_int_equal(PIXELS_WITH(line_pitch, 10008), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(line_pitch, 10011), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(line_pitch, UINT32_MAX - 1), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(line_offset, room.in - bytes), RIP_VERDICT_GOOD);
	assert_int_equal(PIXELS_WITH(line_offset, room.in - bytes + 2), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(line_offset, 1), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(line_offset, UINT64_MAX - 1), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(strips[1].in_offset, room.in - 20), RIP_VERDICT_GOOD);
	assert_int_equal(PIXELS_WITH(strips[1].in_offset, room.in - 18), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(strips[1].in_offset, 200001), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(strips[1].in_pitch, 4), RIP_VERDICT_BREACH);
	assert_int_equal(PIXELS_WITH(strips[1].out_offset, 0), RIP_VERDICT_BREACH); /* another's */
	assert_true(strstr(reason, "overlap"));
}

/* Coupled planes come together. */
TEST(coupled_planes)
{
	struct rip_page_message coupled = good_page();
	struct rip_page_spec spec;
	struct rip_band_message message = good_band();
	uint64_t samples;

	coupled.screen = RIP_BLUE_NOISE_COLOUR;
	coupled.inks = 0x1432;
	coupled.light = 1;
	coupled.fade = 6554;
	assert_int_equal(rip_check_page(&coupled, &room, &spec, reason), RIP_VERDICT_GOOD);
	assert_int_equal(spec.coupling.inks[0], RIP_INK_CYAN);
	assert_int_equal(spec.coupling.inks[3], RIP_INK_BLACK);
	assert_true(spec.coupling.light);
	assert_int_equal(spec.coupling.fade, 6554);
	coupled.inks = 0x8432;
	assert_int_equal(page(&coupled), RIP_VERDICT_BREACH);

	spec = spec16();
	spec.screen = &rip_screens[RIP_BLUE_NOISE_COLOUR];
	assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_BREACH); /* in another order */
	for (uint32_t i = 0; i < 4; i++)
		message.strips[i].plane = i;
	assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_GOOD);
	message.strips[1].rows--;
	assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_BREACH);
	message = band_of_pixels();
	for (uint32_t i = 0; i < 4; i++)
		message.strips[i].plane = i;
	assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_GOOD);
	message.strips[1].rows--;
	assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_BREACH);
	message.strips[1].rows++;
	message.count = 3;
	assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_BREACH);
}

/* Rows times pitch must not wrap: 2^24 rows of 2^32 bytes. */
TEST(no_overflow)
{
	const struct rip_page_spec narrow = PLAIN_PAGE(1, 1);
	struct rip_band_message message = good_band();
	uint64_t samples;

	message.count = 1;
	message.strips[0].rows = RIP_WIDTH_MAX;
	message.strips[0].in_pitch = UINT32_MAX - 1;
	message.strips[0].out_pitch = UINT32_MAX;
	assert_int_equal(band(&message), RIP_VERDICT_BREACH);
	message.strips[0].in_pitch = 2002;
	message.strips[0].rows = 1 + (1 << 24) / 2002; /* the last row begins within */
	message.strips[0].out_pitch = 251;
	assert_int_equal(band(&message), RIP_VERDICT_BREACH);

	/* 2^16 times 2^16 is not 0. */
	message.strips[0] = (struct rip_band_strip){
		.rows = 65536, .in_pitch = 65536, .out_pitch = 1, .carry_offset = 1 << 20
	};
	assert_int_equal(rip_check_band(&message, &narrow, narrow.sample_bits, &room, &samples,
					reason),
			 RIP_VERDICT_BREACH);
	message.strips[0].in_pitch = 1;
	assert_int_equal(rip_check_band(&message, &narrow, narrow.sample_bits, &room, &samples,
					reason),
			 RIP_VERDICT_GOOD);
	message.strips[0].out_pitch = 65536;
	assert_int_equal(rip_check_band(&message, &narrow, narrow.sample_bits, &room, &samples,
					reason),
			 RIP_VERDICT_BREACH);
}

/* A row takes time however narrow it is: all strips together have a bounded number. */
TEST(many_rows)
{
	const struct rip_page_spec narrow = PLAIN_PAGE(1, 16);
	struct rip_band_message message = { .count = 16 };
	uint64_t samples;

	for (uint32_t i = 0; i < 16; i++)
		message.strips[i] = (struct rip_band_strip){
			.plane = i, .rows = RIP_BAND_ROWS_MAX / 16, .in_pitch = 1, .out_pitch = 1,
			.in_offset = i << 16, .out_offset = i << 16,
			.carry_offset = (i << 16) + RIP_BAND_ROWS_MAX / 16,
		};
	assert_int_equal(rip_check_band(&message, &narrow, narrow.sample_bits, &room, &samples,
					reason),
			 RIP_VERDICT_GOOD);
	assert_int_equal(samples, RIP_BAND_ROWS_MAX);
	message.strips[7].rows++;
	message.strips[7].carry_offset += 2;
	assert_int_equal(rip_check_band(&message, &narrow, narrow.sample_bits, &room, &samples,
					reason),
			 RIP_VERDICT_BREACH);
	assert_string_equal(reason, "BAND: 65537 rows in its strips, at most 65536 are allowed");
}

/* The ring of test_overlap, byte by byte: what is taken, of which strip. */
static bool take_bytes(uint8_t *taken, uint64_t offset, uint64_t bytes)
{
	bool free = true;

	for (uint64_t i = offset; i < offset + bytes; i++)
		free &= !taken[i]++;
	return free;
}

/* Strips that lie over each other are refused, and no others: against a map of the bytes. */
TEST(overlap)
{
	enum { SMALL = 2000 };
	const struct rip_ring_sizes small = { SMALL, SMALL };
	const struct rip_page_spec spec = PLAIN_PAGE(20, 3);
	unsigned good = 0, overlapped = 0;

	for (int n = 0; n < 20000; n++) {
		static uint8_t in[SMALL], out[SMALL];
		struct rip_band_message message = { .count = 1 + rip_test_random() % 3 };
		bool apart = true;
		uint64_t samples;

		memset(in, 0, sizeof in);
		memset(out, 0, sizeof out);
		for (uint32_t i = 0; i < message.count; i++) {
			struct rip_band_strip *strip = &message.strips[i];

			*strip = (struct rip_band_strip){
				.plane = i, .rows = 1 + rip_test_random() % 8,
				.in_pitch = 20 + rip_test_random() % 30,
				.out_pitch = 3 + rip_test_random() % 30,
				.in_offset = rip_test_random() % 1500,
				.out_offset = rip_test_random() % 1500,
				.carry_offset = rip_test_random() % 900 * 2,
			};
			apart &= take_bytes(in, strip->in_offset,
					    (strip->rows - 1) * strip->in_pitch + 20);
			apart &= take_bytes(out, strip->out_offset,
					    (strip->rows - 1) * strip->out_pitch + 3);
			apart &= take_bytes(out, strip->carry_offset, 40);
		}
		reason[0] = '\0';
		assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &small, &samples,
						reason) == RIP_VERDICT_GOOD,
				 apart);
		assert_true(apart || strstr(reason, "overlap"));
		good += apart;
		overlapped += !apart;
	}
	assert_true(good > 1000 && overlapped > 1000);
}

/* Whatever is found good stays within the ring: random messages, near the edges,
 * against a bound computed in 128 bits. */
TEST(random)
{
	unsigned good = 0;

	for (int i = 0; i < 200000; i++) {
		const struct rip_page_spec spec = spec16();
		struct rip_band_message message = good_band();
		struct rip_band_strip *strip = &message.strips[0];
		const uint64_t edge = rip_test_random() % 2 ? room.in : room.out;
		unsigned __int128 in_end, out_end, carry_end;
		uint64_t samples;
		bool fits;

		message.count = 1;
		strip->rows = 1 + rip_test_random() % (rip_test_random() % 2 ? 16 : 20000);
		strip->in_pitch = 2002 + 2 * (rip_test_random() % 3000);
		strip->out_pitch = 251 + rip_test_random() % 3000;
		strip->in_offset = (rip_test_random() % edge) & ~UINT64_C(1);
		strip->out_offset = rip_test_random() % edge;
		strip->carry_offset = (rip_test_random() % (edge + 4096)) & ~UINT64_C(1);
		if (rip_test_random() % 16 == 0)
			strip->in_offset = rip_test_random() & ~UINT64_C(1);
		in_end = (unsigned __int128)strip->in_offset +
			 (unsigned __int128)(strip->rows - 1) * strip->in_pitch + 2002;
		out_end = (unsigned __int128)strip->out_offset +
			  (unsigned __int128)(strip->rows - 1) * strip->out_pitch + 251;
		carry_end = (unsigned __int128)strip->carry_offset + 4004;
		fits = in_end <= room.in && out_end <= room.out && carry_end <= room.out &&
		       (strip->carry_offset >= out_end || carry_end <= strip->out_offset);
		assert_int_equal(rip_check_band(&message, &spec, spec.sample_bits, &room, &samples,
						reason) == RIP_VERDICT_GOOD,
				 fits);
		good += fits;
	}
	assert_true(good > 1000);
}

/* A screen without a carry: offsets of nothing are good up to the ring's end, and pages
 * begin with a start carry or without. */
TEST(no_carry)
{
	const struct rip_screen bi_level = { .name = "bi-level", .kind = RIP_SCREEN_BI_LEVEL };
	const struct rip_page_spec spec = {
		.width = 1000, .planes = 2, .levels = 2, .sample_bits = 8, .screen = &bi_level
	};
	const struct rip_cpu_config config = { .threads = 1 };
	struct rip_band_message band = { .rows = 10, .count = 1 };
	struct rip_page_message message = { .start = RIP_PAGE_CARRY, .carry_offset = room.in };
	struct rip_ring_page buffers = { .ring = { .in_fd = -1, .out_fd = -1 } };
	uint64_t samples;

	band.strips[0] = (struct rip_band_strip){
		.rows = 10, .in_pitch = 1000, .out_pitch = 125, .carry_offset = room.out
	};
	assert_int_equal(rip_check_band(&band, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_GOOD);
	band.strips[0].carry_offset = 500; /* within the dots: it is empty */
	assert_int_equal(rip_check_band(&band, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_GOOD);
	band.strips[0].carry_offset = room.out + 2;
	assert_int_equal(rip_check_band(&band, &spec, spec.sample_bits, &room, &samples, reason),
			 RIP_VERDICT_BREACH);

	assert_int_equal(rip_ring_page_memory(&spec, &message), 2 * 1000 * sizeof(int32_t));
	assert_int_equal(rip_engine_cpu_new(&config, &buffers.engine), 0);
	buffers.fallback = buffers.engine;
	buffers.ring.in = malloc(1);
	for (; message.start != RIP_PAGE_NOISE; message.start--) {
		message.carry_offset = 0;
		assert_int_equal(rip_ring_page_begin(&buffers, &message, &spec), 0);
		assert_non_null(buffers.page);
		assert_int_equal(buffers.declined, 0);
	}
	free(buffers.ring.in);
	buffers.ring.in = NULL;
	buffers.engine->ops->close(buffers.page);
	buffers.page = NULL;
	rip_ring_page_finish(&buffers);
	buffers.fallback->ops->free(buffers.fallback);
}
