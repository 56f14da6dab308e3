/* Messages to bytes and back: what is valid comes back the same, and whatever
 * else arrives is refused or is valid too. */
#include "tests/tools/testing.h"

#include <locale.h>

#include "wire/codec.h"

static const uint32_t types[] = {
	RIP_HELLO, RIP_PAGE, RIP_BAND, RIP_END, RIP_STATUS, RIP_READY, RIP_BUSY,
	RIP_NO_ACCELERATOR, RIP_REFUSED, RIP_PAGE_READY, RIP_PAGE_REFUSED, RIP_QUEUED,
	RIP_WORKING, RIP_BAND_DONE, RIP_GOODBYE, RIP_STATUS_REPLY,
	RIP_DEVICES, RIP_DEVICES_REPLY,
};
#define TYPES (sizeof types / sizeof types[0])

static uint32_t between(uint32_t low, uint32_t high)
{
	return low + (uint32_t)(rip_test_random() % ((uint64_t)high - low + 1));
}

static uint64_t offset(void)
{
	return rip_test_random() >> 1 & ~(uint64_t)1;
}

static void random_text(char *text, size_t size)
{
	const size_t length = between(0, (uint32_t)size - 1);

	memset(text, 0, size);
	for (size_t i = 0; i < length; i++)
		text[i] = (char)between(1, 255);
}

static void random_page(struct rip_page_message *page)
{
	page->page = between(1, UINT32_MAX);
	page->width = between(1, RIP_WIDTH_MAX);
	page->height = between(0, RIP_WIDTH_MAX);
	page->planes = between(1, RIP_PLANES_MAX);
	page->levels = between(RIP_LEVELS_MIN, RIP_LEVELS_MAX);
	page->sample_bits = between(0, 1) ? 8 : 16;
	page->screen = between(0, RIP_SCREENS - 1);
	page->start = between(RIP_PAGE_NOISE, RIP_PAGE_CARRY);
	page->curve_values = between(0, 1) ? 1u << page->sample_bits : 0;
	page->curve_offset = offset();
	page->carry_offset = offset();
	page->inks = rip_test_random();
	page->light = between(0, 1);
	page->fade = between(0, 65535);
	page->ink_limit = between(0, 65535 * RIP_PLANES_MAX);
	page->black = between(0, RIP_PLANES_MAX);
	page->pixel_curves = between(0, RIP_PLANES_MAX);
	page->pixel_offset = offset();
	page->optional = between(0, 1);
}

static void random_band(struct rip_band_message *band)
{
	const uint32_t first = between(0, RIP_PLANES_MAX - 1);

	band->seq = (uint32_t)rip_test_random();
	band->rows = between(0, RIP_WIDTH_MAX);
	band->count = between(1, RIP_PLANES_MAX);
	band->lines = between(0, RIP_PIXEL_LINES_MAX);
	band->step = between(0, RIP_STEP_MAX);
	band->line_pitch = (uint32_t)rip_test_random();
	band->line_offset = rip_test_random() >> 1;
	for (uint32_t i = 0; i < band->count; i++)
		band->strips[i] = (struct rip_band_strip){
			.plane = (first + i) % RIP_PLANES_MAX,
			.rows = between(1, RIP_WIDTH_MAX),
			.in_pitch = (uint32_t)rip_test_random(),
			.out_pitch = (uint32_t)rip_test_random(),
			.in_offset = rip_test_random() >> 1,
			.out_offset = rip_test_random() >> 1,
			.carry_offset = offset(),
		};
}

static void random_status(struct rip_status_reply *status)
{
	status->version = (uint32_t)rip_test_random();
	status->pid = (uint32_t)rip_test_random();
	status->uptime_ms = rip_test_random();
	status->jobs = rip_test_random();
	status->pages = rip_test_random();
	status->bands = rip_test_random();
	status->samples = rip_test_random();
	status->busy_us = rip_test_random();
	status->resident = rip_test_random();
	status->workers = (uint32_t)rip_test_random();
	status->refused = (uint32_t)rip_test_random();
	random_text(status->program, sizeof status->program);
	random_text(status->device, sizeof status->device);
	random_text(status->accelerator, sizeof status->accelerator);
	status->sessions = between(RIP_STATUS_SESSIONS, UINT32_MAX);
	status->count = between(0, RIP_STATUS_SESSIONS);
	for (uint32_t i = 0; i < status->count; i++) {
		struct rip_session_status *session = &status->session[i];

		session->job = (uint32_t)rip_test_random();
		session->method = between(0, RIP_METHODS - 1);
		session->page = (uint32_t)rip_test_random();
		session->width = between(0, RIP_WIDTH_MAX);
		session->height = between(0, RIP_WIDTH_MAX);
		session->planes = between(0, RIP_PLANES_MAX);
		session->rows = between(0, RIP_WIDTH_MAX);
		session->bands = (uint32_t)rip_test_random();
		session->pid = (uint32_t)rip_test_random();
		session->age_ms = (uint32_t)rip_test_random();
		session->samples = rip_test_random();
		random_text(session->queue, sizeof session->queue);
	}
}

static void random_message(struct rip_message *message, uint32_t type)
{
	memset(message, 0, sizeof *message);
	message->type = type;
	switch (type) {
	case RIP_HELLO:
		message->hello.magic = RIP_PROTOCOL_MAGIC;
		message->hello.version = RIP_PROTOCOL_VERSION;
		message->hello.job = (uint32_t)rip_test_random();
		message->hello.method = between(0, RIP_METHODS - 1);
		random_text(message->hello.queue, sizeof message->hello.queue);
		break;
	case RIP_PAGE:
		random_page(&message->page);
		break;
	case RIP_BAND:
		random_band(&message->band);
		break;
	case RIP_READY:
		message->ready.version = (uint32_t)rip_test_random();
		message->ready.max_width = between(1, RIP_WIDTH_MAX);
		message->ready.max_planes = between(1, RIP_PLANES_MAX);
		message->ready.max_bands = between(1, RIP_BANDS_IN_FLIGHT);
		message->ready.in_size = offset() + 2;
		message->ready.out_size = offset() + 2;
		message->ready.takes_pixels = between(0, 1);
		random_text(message->ready.device, sizeof message->ready.device);
		break;
	case RIP_BUSY:
	case RIP_NO_ACCELERATOR:
	case RIP_REFUSED:
	case RIP_PAGE_REFUSED:
	case RIP_GOODBYE:
		message->reason.version = (uint32_t)rip_test_random();
		random_text(message->reason.text, sizeof message->reason.text);
		break;
	case RIP_QUEUED:
	case RIP_WORKING:
	case RIP_BAND_DONE:
		message->state.seq = (uint32_t)rip_test_random();
		break;
	case RIP_DEVICES_REPLY:
		message->devices.count = between(0, RIP_GPUS_MAX);
		for (uint32_t i = 0; i < message->devices.count; i++) {
			struct rip_gpu_status *gpu = &message->devices.gpu[i];

			gpu->number = (uint32_t)rip_test_random();
			gpu->state = between(0, RIP_GPU_STATES - 1);
			gpu->sessions = (uint32_t)rip_test_random();
			gpu->failures = (uint32_t)rip_test_random();
			random_text(gpu->name, sizeof gpu->name);
			random_text(gpu->why, sizeof gpu->why);
		}
		break;
	case RIP_STATUS_REPLY:
		random_status(&message->status);
		break;
	}
}

static int encode(const struct rip_message *message, uint8_t bytes[RIP_MESSAGE_MAX])
{
	const int length = rip_message_encode(message, bytes, RIP_MESSAGE_MAX);

	assert_int_equal(length, rip_message_length(message));
	return length;
}

TEST(round_trips)
{
	struct rip_message message, back;
	uint8_t bytes[RIP_MESSAGE_MAX];

	for (int i = 0; i < 2000; i++) {
		random_message(&message, types[(size_t)i % TYPES]);
		memset(bytes, 0xa5, sizeof bytes);
		const int length = encode(&message, bytes);

		assert_in_range(length, RIP_MESSAGE_HEADER, RIP_MESSAGE_MAX);
		assert_int_equal(rip_message_peek(bytes, RIP_MESSAGE_HEADER), length);
		memset(&back, 0xa5, sizeof back);
		assert_int_equal(rip_message_decode(&back, bytes, (size_t)length), 0);
		assert_memory_equal(&back, &message, sizeof back);
	}
}

/* The bytes are what riptide-protocol(7) says, not only what we read back. */
TEST(bytes_on_the_wire)
{
	struct rip_message message = { .type = RIP_BAND };
	uint8_t bytes[RIP_MESSAGE_MAX];

	message.band = (struct rip_band_message){
		.seq = 0x01020304, .rows = 0x0500, .count = 1,
		.lines = 9, .step = 4, .line_pitch = 0x4d80, .line_offset = 0x0102030405060708,
		.strips[0] = { .plane = 2, .rows = 7, .in_pitch = 0x1140, .out_pitch = 0x280,
			       .in_offset = 0x1122334455667788, .out_offset = 0x40,
			       .carry_offset = 0x8000 },
	};
	static const uint8_t band[] = {
		80, 0, 0, 0, RIP_BAND, 0, 0, 0,
		4, 3, 2, 1, 0, 5, 0, 0, 1, 0, 0, 0,
		9, 0, 0, 0, 4, 0, 0, 0, 0x80, 0x4d, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1,
		2, 0, 0, 0, 7, 0, 0, 0, 0x40, 0x11, 0, 0, 0x80, 2, 0, 0,
		0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
		0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0,
	};

	assert_int_equal(encode(&message, bytes), sizeof band);
	assert_memory_equal(bytes, band, sizeof band);

	message = (struct rip_message){ .type = RIP_HELLO,
					.hello = { RIP_PROTOCOL_MAGIC, RIP_PROTOCOL_VERSION, 42,
						   RIP_METHOD_BWEC, "laser" } };
	assert_int_equal(encode(&message, bytes), 152);
	assert_memory_equal(bytes + 8, "RIPT\4\0\0\0\x2a\0\0\0\6\0\0\0laser\0", 22);

	/* The lengths of riptide-protocol(7). */
	static const struct {
		uint32_t type;
		int      length;
	} lengths[] = {
		{ RIP_PAGE, 100 },  { RIP_END, 8 },    { RIP_STATUS, 8 },     { RIP_DEVICES, 8 },
		{ RIP_READY, 108 }, { RIP_BUSY, 140 }, { RIP_PAGE_READY, 8 }, { RIP_BAND_DONE, 12 },
	};
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		random_message(&message, lengths[i].type);
		assert_int_equal(encode(&message, bytes), lengths[i].length);
	}
	message = (struct rip_message){ .type = RIP_STATUS_REPLY };
	assert_int_equal(encode(&message, bytes), 400);
	message.status.sessions = message.status.count = RIP_STATUS_SESSIONS;
	assert_int_equal(encode(&message, bytes), 400 + 64 * 176);
	message = (struct rip_message){ .type = RIP_DEVICES_REPLY };
	assert_int_equal(encode(&message, bytes), 12);
	message.devices.count = RIP_GPUS_MAX;
	assert_int_equal(encode(&message, bytes), 12 + 16 * 208);
}

/* Whatever does not decode has a reason that names the message. */
static void assert_explained(const uint8_t *bytes, size_t size)
{
	char why[RIP_REASON_MAX + 1] = "";

	rip_message_fault(bytes, size, why);
	assert_true(*why);
	if (rip_message_name(rip_message_type(bytes)))
		assert_ptr_equal(strstr(why, rip_message_name(rip_message_type(bytes))), why);
}

/* Whatever decodes must encode to the same bytes: one meaning, one form. */
static bool decodes(const uint8_t *bytes, size_t size)
{
	struct rip_message message;
	uint8_t again[RIP_MESSAGE_MAX];
	AUTO_FREE uint8_t *copy = malloc(size ? size : 1); /* its end is where ASan looks */
	int r;

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	r = rip_message_decode(&message, copy, size);
	assert_true(r == 0 || r == -EPROTO);
	if (r == 0) {
		assert_int_equal(encode(&message, again), size);
		assert_memory_equal(again, bytes, size);
	} else if (size >= RIP_MESSAGE_HEADER) {
		assert_explained(copy, size);
	}
	return r == 0;
}

TEST(other_lengths_are_refused)
{
	struct rip_message message;
	uint8_t bytes[RIP_MESSAGE_MAX + 256];

	for (size_t i = 0; i < TYPES; i++) {
		random_message(&message, types[i]);
		memset(bytes, 0, sizeof bytes);
		const int length = encode(&message, bytes);

		for (int size = 0; size < length; size++)
			assert_false(decodes(bytes, (size_t)size));
		assert_true(decodes(bytes, (size_t)length));
		for (int more = 1; more < 250; more++) {
			assert_false(decodes(bytes, (size_t)(length + more)));
			/* and when the header claims the surplus to be its own */
			const uint32_t claimed = (uint32_t)(length + more);
			for (int b = 0; b < 4; b++)
				bytes[b] = (uint8_t)(claimed >> 8 * b);
			assert_false(decodes(bytes, claimed));
			for (int b = 0; b < 4; b++)
				bytes[b] = (uint8_t)((uint32_t)length >> 8 * b);
		}
	}
}

TEST(flipped_bits)
{
	struct rip_message message;
	uint8_t bytes[RIP_MESSAGE_MAX];

	for (size_t i = 0; i < TYPES; i++) {
		random_message(&message, types[i]);
		if (types[i] == RIP_STATUS_REPLY) /* not all 90,000 bits */
			message.status.count = 1,
			memset(&message.status.session[1], 0,
			       sizeof message.status.session - sizeof message.status.session[0]);
		const int length = encode(&message, bytes);

		for (int bit = 0; bit < 8 * length; bit++) {
			bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
			const bool taken = decodes(bytes, (size_t)length);

			if (bit < 32 || (bit >= 48 && bit < 64)) /* length and the zeros */
				assert_false(taken);
			bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
	}
}

TEST(random_bytes)
{
	uint8_t bytes[RIP_MESSAGE_MAX];

	for (int i = 0; i < 20000; i++) {
		struct rip_message message;
		int length;

		random_message(&message, types[rip_test_random() % TYPES]);
		length = encode(&message, bytes);
		for (int n = (int)between(1, 8); n > 0; n--)
			bytes[between(0, (uint32_t)length - 1)] = (uint8_t)rip_test_random();
		decodes(bytes, (size_t)length);
	}
}

/* What is wrong is said with the message, the field, its value and what is allowed. */
TEST(faults_are_named)
{
	static const struct {
		uint32_t type;
		size_t at;       /* where 4 bytes are changed */
		uint32_t value;
		const char *why;
	} faults[] = {
		{ RIP_PAGE, 12, 0, "PAGE: width is 0, must be 1 to 16777215" },
		{ RIP_PAGE, 20, 17, "PAGE: planes is 17, must be 1 to 16" },
		{ RIP_PAGE, 28, 9, "PAGE: sample_bits is 9, must be 8 or 16" },
		{ RIP_PAGE, 40, 5, "PAGE: curve_values is 5, must be 0 or 256 for sample_bits 8" },
		{ RIP_PAGE, 44, 3, "PAGE: curve_offset is 3, must be even" },
		{ RIP_BAND, 16, 17, "BAND: count is 17, must be 1 to 16" },
		{ RIP_BAND, 16, 1, "BAND: count is 1, which does not fit its length of 120 bytes" },
		{ RIP_BAND, 24, 33, "BAND: step is 33, must be 0 to 32" },
		{ RIP_BAND, 20, 65536, "BAND: lines is 65536, must be 0 to 65535" },
		{ RIP_BAND, 40, 16, "BAND: strip 0: plane is 16, must be 0 to 15" },
		{ RIP_BAND, 84, 0, "BAND: strip 1: rows is 0, must be 1 to 16777215" },
		{ RIP_BAND, 80, 0, "BAND: strip 1: plane is 0, as in a strip before" },
		{ RIP_BAND, 112, 7, "BAND: strip 1: carry_offset is 7, must be even" },
		{ RIP_HELLO, 8, 1, "HELLO: magic is 1, must be 1414547794" },
		{ RIP_HELLO, 20, 99, "HELLO: method is 99, must be 0 to 7" },
		{ RIP_HELLO, 148, 1, "HELLO: queue is not NUL-padded text" },
		{ RIP_END, 0, 9, "END: it cannot have a length of 9 bytes" },
		{ RIP_END, 4, 99, "unknown message type 99" },
	};

	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct rip_message message = { .type = faults[i].type };
		char why[RIP_REASON_MAX + 1] = "";
		uint8_t bytes[RIP_MESSAGE_MAX];
		int length;

		if (faults[i].type == RIP_PAGE) {
			message.page = (struct rip_page_message){
				.page = 1, .width = 1, .planes = 1, .levels = 2, .sample_bits = 8
			};
		} else if (faults[i].type == RIP_BAND) {
			message.band.count = 2;
			message.band.strips[0].rows = message.band.strips[1].rows = 1;
			message.band.strips[1].plane = 1;
		} else if (faults[i].type == RIP_HELLO) {
			message.hello = (struct rip_hello){ RIP_PROTOCOL_MAGIC,
							    RIP_PROTOCOL_VERSION, 42, 0, "laser" };
		}
		length = encode(&message, bytes);
		for (int b = 0; b < 4; b++)
			bytes[faults[i].at + (size_t)b] = (uint8_t)(faults[i].value >> 8 * b);
		assert_int_equal(rip_message_decode(&message, bytes, (size_t)length), -EPROTO);
		rip_message_fault(bytes, (size_t)length, why);
		assert_string_equal(why, faults[i].why);
	}
}

/* Encodes the message after a number was set: -EINVAL, or it is not looked at. */
#define refused(message, member, value) do { \
	struct rip_message bad = (message); \
	uint8_t bytes_[RIP_MESSAGE_MAX]; \
	bad.member = (value); \
	assert_int_equal(rip_message_encode(&bad, bytes_, sizeof bytes_), -EINVAL); \
} while (0)

TEST(ranges)
{
	struct rip_message m;
	uint8_t bytes[RIP_MESSAGE_MAX];

	random_message(&m, RIP_HELLO);
	refused(m, hello.magic, RIP_PROTOCOL_MAGIC + 1);
	refused(m, hello.method, RIP_METHODS);
	m.hello.version = RIP_PROTOCOL_VERSION + 1; /* another version may know more methods */
	m.hello.method = RIP_METHODS;
	assert_int_equal(encode(&m, bytes), 152);
	memset(m.hello.queue, 'q', sizeof m.hello.queue);
	assert_int_equal(rip_message_encode(&m, bytes, sizeof bytes), -EINVAL);

	random_message(&m, RIP_PAGE);
	refused(m, page.page, 0);
	refused(m, page.width, 0);
	refused(m, page.width, RIP_WIDTH_MAX + 1);
	refused(m, page.height, RIP_WIDTH_MAX + 1);
	refused(m, page.planes, 0);
	refused(m, page.planes, RIP_PLANES_MAX + 1);
	refused(m, page.levels, 1);
	refused(m, page.levels, 17);
	refused(m, page.sample_bits, 12);
	refused(m, page.start, RIP_PAGE_CARRY + 1);
	refused(m, page.curve_values, m.page.sample_bits == 8 ? 65536 : 256);
	refused(m, page.curve_offset, 1);
	refused(m, page.curve_offset, UINT64_C(1) << 63);
	refused(m, page.carry_offset, 3);

	random_message(&m, RIP_BAND);
	m.band.count = 2;
	refused(m, band.count, 0);
	refused(m, band.count, RIP_PLANES_MAX + 1);
	refused(m, band.strips[1].plane, m.band.strips[0].plane);
	refused(m, band.strips[1].plane, RIP_PLANES_MAX);
	refused(m, band.strips[1].plane, UINT32_MAX);
	refused(m, band.strips[1].rows, 0);
	refused(m, band.strips[1].rows, RIP_WIDTH_MAX + 1);
	refused(m, band.strips[1].carry_offset, 1);
	refused(m, band.strips[1].in_offset, UINT64_C(1) << 63);

	random_message(&m, RIP_READY);
	refused(m, ready.max_width, 0);
	refused(m, ready.max_bands, RIP_BANDS_IN_FLIGHT + 1);
	refused(m, ready.in_size, 0);
	random_message(&m, RIP_STATUS_REPLY);
	m.status.count = 1;
	refused(m, status.sessions, 0);
	refused(m, status.count, RIP_STATUS_SESSIONS + 1);
	refused(m, status.session[0].method, RIP_METHODS);

	random_message(&m, RIP_END);
	refused(m, type, 0);
	refused(m, type, 9999);
	assert_int_equal(rip_message_encode(&m, bytes, 7), -EMSGSIZE);
}

/* What lies behind a text's end in memory does not leave the process. */
TEST(texts_end_clean)
{
	struct rip_message m = { .type = RIP_BUSY };
	uint8_t bytes[RIP_MESSAGE_MAX];
	int length;

	memset(m.reason.text, 'S', sizeof m.reason.text);
	strcpy(m.reason.text, "full");
	length = rip_message_encode(&m, bytes, sizeof bytes);
	assert_int_equal(length, 140);
	for (int i = 8 + 4 + 4; i < length; i++)
		assert_int_equal(bytes[i], 0);

	char field[8];

	rip_text_set(field, sizeof field, "ab");
	assert_memory_equal(field, "ab\0\0\0\0\0\0", 8);
	rip_text_set(field, sizeof field, "abcdefghij");
	assert_memory_equal(field, "abcdefg\0", 8);
}

/* In a UTF-8 locale, names stay readable and harmless. */
TEST(shows)
{
	static const char *const readable[] = {
		"Laser 2",
		"B\xc3\xbcro",
		"\xd0\xa6\xd0\xb5\xd1\x85",
		"\xe5\x8d\xb0\xe5\x88\xb7\xe6\xa9\x9f",
		"\xf0\x9f\x96\xa8",
		"e\xcc\x81",
		"\xd7\x90",
	};
	static const char *const escaped[] = {
		"\xff",
		"\xc3",
		"\xc3(",
		"\xc0\xaf",
		"\xe0\x80\xaf", /* no UTF-8; too long */
		"\xed\xa0\x80",
		"\xf4\x90\x80\x80",
		"\xf8\x88\x80\x80\x80", /* no character */
		"\x7f",
		"\xc2\x85",
		"\xc2\x9b",
		"\xc2\xad", /* control; soft hyphen */
		"\xe2\x80\x8b",
		"\xe2\x80\x8f",
		"\xe2\x80\xa8",
		"\xe2\x80\xae",
		"\xe2\x81\xa6",
		"\xd8\x9c",
		"\xef\xbb\xbf",
		"\xef\xbf\xbe",
		"\xee\x80\x80",
		"\xf3\xa0\x81\x81",
		"\\",
	};
	char out[64], tight[4];

	if (!setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "en_US.UTF-8")) {
		print_message("no UTF-8 locale here\n");
		skip();
	}
	for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
		rip_text_show(out, sizeof out, readable[i]);
		assert_string_equal(out, readable[i]);
	}
	for (size_t i = 0; i < sizeof escaped / sizeof escaped[0]; i++) {
		rip_text_show(out, sizeof out, escaped[i]);
		for (const char *c = out; *c; c++)
			assert_in_range(*c, 0x20, 0x7e);
		assert_memory_equal(out, "\\x", 2);
	}
	rip_text_show(tight, sizeof tight, "ab\xc3\xbc");
	assert_string_equal(tight, "ab"); /* a character is never cut */
	rip_text_show(tight, sizeof tight, "a\xc3\xbcz");
	assert_string_equal(tight, "a\xc3\xbc");
	rip_text_escape(out, sizeof out, "\xc3\xbc"); /* ASCII in any locale */
	assert_string_equal(out, "\\xc3\\xbc");
	setlocale(LC_CTYPE, "C");
	rip_text_show(out, sizeof out, "B\xc3\xbcro");
	assert_string_equal(out, "B\\xc3\\xbcro");
}

TEST(escapes)
{
	char out[64], tight[6];

	rip_text_escape(out, sizeof out, "Laser 2, \"ok\"~");
	assert_string_equal(out, "Laser 2, \"ok\"~");
	rip_text_escape(out, sizeof out, "a\\b\n\x1b[31m\x7f\xc3\xa9");
	assert_string_equal(out, "a\\x5cb\\x0a\\x1b[31m\\x7f\\xc3\\xa9");
	rip_text_escape(tight, sizeof tight, "ab\ncd");
	assert_string_equal(tight, "ab"); /* an escape is never cut */
	rip_text_escape(tight, sizeof tight, "a\ncd");
	assert_string_equal(tight, "a\\x0a");
	rip_text_escape(tight, 1, "abc");
	assert_string_equal(tight, "");
}
