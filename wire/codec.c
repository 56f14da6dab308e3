/*
 * Each message has a table of its fields.  Length, encode, decode and checks all use it, so
 * they cannot disagree.  On the wire the fields follow each other in the table's order,
 * little endian, without padding.
 */
#include "codec.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "system/refuse.h"

/* A number of 4 or 8 bytes with its range, or a text of any other size. */
struct field {
	uint16_t at;   /* bytes into the struct */
	uint16_t size; /* bytes, the same in the struct and on the wire */
	uint64_t min, max;
	const char *name;
};

/* The fixed fields of a message, and the elements that follow them, if any. */
struct message_layout {
	const struct field *fields, *element;
	const char *element_name;
	uint8_t  field_count, element_fields;
	uint32_t elements_min, elements_max;
	uint16_t count_at;    /* the number of elements: a uint32_t of the struct */
	uint16_t elements_at; /* where the elements are in the struct */
	uint16_t stride;      /* bytes from element to element in the struct */
};

/* An offset into the ring.  Below 2^63, so that adding the length of anything
 * that a message can describe does not overflow a uint64_t. */
#define OFFSET_MAX INT64_MAX

#define RANGE(type, member, low, high) \
	{ offsetof(struct type, member), sizeof(((struct type *)0)->member), low, high, #member }
#define U32(type, member)  RANGE(type, member, 0, UINT32_MAX)
#define U64(type, member)  RANGE(type, member, 0, UINT64_MAX)
#define TEXT(type, member) RANGE(type, member, 0, 0)

/* HELLO and the reasons keep their layout in all versions, so that each side can
 * always tell the other which version it speaks. */
static const struct field hello_fields[] = {
	RANGE(rip_hello, magic, RIP_PROTOCOL_MAGIC, RIP_PROTOCOL_MAGIC),
	U32(rip_hello, version),
	U32(rip_hello, job),
	U32(rip_hello, method), /* checked only for our version */
	TEXT(rip_hello, queue),
};

static const struct field ready_fields[] = {
	U32(rip_ready, version),
	RANGE(rip_ready, max_width, 1, RIP_WIDTH_MAX),
	RANGE(rip_ready, max_planes, 1, RIP_PLANES_MAX),
	RANGE(rip_ready, max_bands, 1, RIP_BANDS_IN_FLIGHT),
	RANGE(rip_ready, in_size, 1, OFFSET_MAX),
	RANGE(rip_ready, out_size, 1, OFFSET_MAX),
	RANGE(rip_ready, takes_pixels, 0, 1),
	TEXT(rip_ready, device),
};

static const struct field reason_fields[] = {
	U32(rip_reason, version),
	TEXT(rip_reason, text),
};

static const struct field page_fields[] = {
	RANGE(rip_page_message, page, 1, UINT32_MAX),
	RANGE(rip_page_message, width, 1, RIP_WIDTH_MAX),
	RANGE(rip_page_message, height, 0, RIP_WIDTH_MAX),
	RANGE(rip_page_message, planes, 1, RIP_PLANES_MAX),
	RANGE(rip_page_message, levels, RIP_LEVELS_MIN, RIP_LEVELS_MAX),
	RANGE(rip_page_message, sample_bits, 8, 16),
	U32(rip_page_message, screen),
	RANGE(rip_page_message, start, RIP_PAGE_NOISE, RIP_PAGE_CARRY),
	U32(rip_page_message, curve_values),
	RANGE(rip_page_message, curve_offset, 0, OFFSET_MAX),
	RANGE(rip_page_message, carry_offset, 0, OFFSET_MAX),
	U64(rip_page_message, inks),
	RANGE(rip_page_message, light, 0, 1),
	RANGE(rip_page_message, fade, 0, 65535),
	RANGE(rip_page_message, ink_limit, 0, 65535 * RIP_PLANES_MAX),
	RANGE(rip_page_message, black, 0, RIP_PLANES_MAX),
	RANGE(rip_page_message, pixel_curves, 0, RIP_PLANES_MAX),
	RANGE(rip_page_message, pixel_offset, 0, OFFSET_MAX),
	RANGE(rip_page_message, optional, 0, 1),
};

static const struct field band_fields[] = {
	U32(rip_band_message, seq),
	RANGE(rip_band_message, rows, 0, RIP_WIDTH_MAX),
	RANGE(rip_band_message, count, 1, RIP_PLANES_MAX),
	RANGE(rip_band_message, lines, 0, RIP_PIXEL_LINES_MAX),
	RANGE(rip_band_message, step, 0, RIP_STEP_MAX),
	U32(rip_band_message, line_pitch),
	RANGE(rip_band_message, line_offset, 0, OFFSET_MAX),
};

static const struct field strip_fields[] = {
	RANGE(rip_band_strip, plane, 0, RIP_PLANES_MAX - 1),
	RANGE(rip_band_strip, rows, 1, RIP_WIDTH_MAX),
	U32(rip_band_strip, in_pitch),
	U32(rip_band_strip, out_pitch),
	RANGE(rip_band_strip, in_offset, 0, OFFSET_MAX),
	RANGE(rip_band_strip, out_offset, 0, OFFSET_MAX),
	RANGE(rip_band_strip, carry_offset, 0, OFFSET_MAX),
};

static const struct field state_fields[] = {
	U32(rip_band_state, seq),
};

static const struct field status_fields[] = {
	U32(rip_status_reply, version),
	U32(rip_status_reply, pid),
	U64(rip_status_reply, uptime_ms),
	U64(rip_status_reply, jobs),
	U64(rip_status_reply, pages),
	U64(rip_status_reply, bands),
	U64(rip_status_reply, samples),
	U64(rip_status_reply, busy_us),
	U32(rip_status_reply, workers),
	U32(rip_status_reply, refused),
	TEXT(rip_status_reply, program),
	TEXT(rip_status_reply, device),
	TEXT(rip_status_reply, accelerator),
	U64(rip_status_reply, memory),
	U64(rip_status_reply, max_memory),
	U64(rip_status_reply, retained_bytes),
	U64(rip_status_reply, resident),
	U32(rip_status_reply, retained),
	U32(rip_status_reply, max_sessions),
	U32(rip_status_reply, sessions),
	RANGE(rip_status_reply, count, 0, RIP_STATUS_SESSIONS),
	U64(rip_status_reply, placed[RIP_PLACE_GPU]),
	U64(rip_status_reply, placed[RIP_PLACE_CPU]),
	U64(rip_status_reply, placed[RIP_PLACE_SMALL]),
	U64(rip_status_reply, placed[RIP_PLACE_BUSY]),
	U64(rip_status_reply, placed[RIP_PLACE_NO_GPU]),
	U64(rip_status_reply, placed[RIP_PLACE_MEMORY]),
	U64(rip_status_reply, placed[RIP_PLACE_UNFIT]),
};

static const struct field session_fields[] = {
	U32(rip_session_status, job),
	RANGE(rip_session_status, method, 0, RIP_METHODS - 1),
	U32(rip_session_status, page),
	RANGE(rip_session_status, width, 0, RIP_WIDTH_MAX),
	RANGE(rip_session_status, height, 0, RIP_WIDTH_MAX),
	RANGE(rip_session_status, planes, 0, RIP_PLANES_MAX),
	RANGE(rip_session_status, rows, 0, RIP_WIDTH_MAX),
	U32(rip_session_status, bands),
	U32(rip_session_status, pid),
	U32(rip_session_status, age_ms),
	U64(rip_session_status, samples),
	TEXT(rip_session_status, queue),
};

static const struct field devices_fields[] = {
	RANGE(rip_devices_reply, count, 0, RIP_GPUS_MAX),
};

static const struct field gpu_fields[] = {
	U32(rip_gpu_status, number),
	RANGE(rip_gpu_status, state, 0, RIP_GPU_STATES - 1),
	U32(rip_gpu_status, sessions),
	U32(rip_gpu_status, failures),
	TEXT(rip_gpu_status, name),
	TEXT(rip_gpu_status, why),
};

#define FIELDS(name) .fields = name, .field_count = sizeof(name) / sizeof((name)[0])

/* Elements min to max, as many as the struct's member `count` says. */
#define ELEMENTS(name, field_list, min, max, type, member)                                  \
	.element = field_list, .element_name = name,                                       \
	.element_fields = sizeof(field_list) / sizeof((field_list)[0]),                    \
	.elements_min = min, .elements_max = max, .count_at = offsetof(struct type, count), \
	.elements_at = offsetof(struct type, member),                                      \
	.stride = sizeof(((struct type *)0)->member[0])

static const struct message_layout hello_layout = { FIELDS(hello_fields) };
static const struct message_layout ready_layout = { FIELDS(ready_fields) };
static const struct message_layout reason_layout = { FIELDS(reason_fields) };
static const struct message_layout page_layout = { FIELDS(page_fields) };
static const struct message_layout state_layout = { FIELDS(state_fields) };
static const struct message_layout empty_layout = { .fields = NULL };
static const struct message_layout band_layout = {
	FIELDS(band_fields),
	ELEMENTS("strip", strip_fields, 1, RIP_PLANES_MAX, rip_band_message, strips)
};
static const struct message_layout status_layout = {
	FIELDS(status_fields),
	ELEMENTS("session", session_fields, 0, RIP_STATUS_SESSIONS, rip_status_reply, session)
};
static const struct message_layout devices_layout = {
	FIELDS(devices_fields), ELEMENTS("GPU", gpu_fields, 0, RIP_GPUS_MAX, rip_devices_reply, gpu)
};

static const struct message_layout *layout_of(uint32_t type)
{
	switch (type) {
	case RIP_HELLO:
		return &hello_layout;
	case RIP_PAGE:
		return &page_layout;
	case RIP_BAND:
		return &band_layout;
	case RIP_END:
	case RIP_STATUS:
	case RIP_DEVICES:
	case RIP_PAGE_READY:
		return &empty_layout;
	case RIP_READY:
		return &ready_layout;
	case RIP_BUSY:
	case RIP_NO_ACCELERATOR:
	case RIP_REFUSED:
	case RIP_PAGE_REFUSED:
	case RIP_GOODBYE:
		return &reason_layout;
	case RIP_QUEUED:
	case RIP_WORKING:
	case RIP_BAND_DONE:
		return &state_layout;
	case RIP_STATUS_REPLY:
		return &status_layout;
	case RIP_DEVICES_REPLY:
		return &devices_layout;
	default:
		return NULL;
	}
}

const char *rip_message_name(uint32_t type)
{
	static const char *const names[] = {
		[RIP_HELLO] = "HELLO", [RIP_PAGE] = "PAGE", [RIP_BAND] = "BAND", [RIP_END] = "END",
		[RIP_STATUS] = "STATUS", [RIP_DEVICES] = "DEVICES",
		[RIP_READY] = "READY", [RIP_BUSY] = "BUSY",
		[RIP_NO_ACCELERATOR] = "NO_ACCELERATOR", [RIP_REFUSED] = "REFUSED",
		[RIP_PAGE_READY] = "PAGE_READY", [RIP_PAGE_REFUSED] = "PAGE_REFUSED",
		[RIP_QUEUED] = "QUEUED", [RIP_WORKING] = "WORKING", [RIP_BAND_DONE] = "BAND_DONE",
		[RIP_GOODBYE] = "GOODBYE", [RIP_STATUS_REPLY] = "STATUS_REPLY",
		[RIP_DEVICES_REPLY] = "DEVICES_REPLY",
	};

	return type < sizeof names / sizeof names[0] ? names[type] : NULL;
}

/* Writes what is wrong to why, unless that is NULL.  Always false. */
#define refuse(why, ...) ((why) && rip_refuse_as(false, why, RIP_REASON_MAX + 1, __VA_ARGS__))

static size_t fields_size(const struct field *fields, unsigned count)
{
	size_t size = 0;

	while (count--)
		size += fields++->size;
	return size;
}

static uint64_t get_le(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | bytes[size];
	return value;
}

static void put_le(uint8_t *bytes, uint64_t value, unsigned size)
{
	for (; size--; value >>= 8)
		*bytes++ = (uint8_t)value;
}

static bool is_number(const struct field *field)
{
	return field->size == 4 || field->size == 8;
}

static bool in_range(const struct field *field, uint64_t value)
{
	return value >= field->min && value <= field->max;
}

/* Whether a text field has a NUL, and only NULs after it. */
static bool text_ends(const uint8_t *text, size_t size)
{
	const uint8_t *end = memchr(text, 0, size);

	if (!end)
		return false;
	while (++end < text + size)
		if (*end)
			return false;
	return true;
}

/* where: the name of the record, for why */
static bool get_fields(const struct field *fields, unsigned count, void *record,
		       const uint8_t *bytes, const char *where, char *why)
{
	for (; count--; bytes += fields++->size) {
		void *to = (uint8_t *)record + fields->at;

		if (!is_number(fields)) {
			if (!text_ends(bytes, fields->size))
				return refuse(why, "%s: %s is not NUL-padded text",
					      where, fields->name);
			memcpy(to, bytes, fields->size);
			continue;
		}
		uint64_t value = get_le(bytes, fields->size);

		if (!in_range(fields, value))
			return fields->min == fields->max
				? refuse(why, "%s: %s is %" PRIu64 ", must be %" PRIu64, where,
					 fields->name, value, fields->min)
				: refuse(why, "%s: %s is %" PRIu64 ", must be %" PRIu64 " to %"
					 PRIu64, where, fields->name, value, fields->min,
					 fields->max);
		if (fields->size == 4)
			*(uint32_t *)to = (uint32_t)value;
		else
			*(uint64_t *)to = value;
	}
	return true;
}

/* A text is written up to its NUL, and the rest of the field is filled with NULs, so that no
 * other memory of the process is sent. */
static bool put_fields(const struct field *fields, unsigned count, const void *record,
		       uint8_t *bytes)
{
	for (; count--; bytes += fields++->size) {
		const void *from = (const uint8_t *)record + fields->at;

		if (!is_number(fields)) {
			size_t length = strnlen(from, fields->size);

			if (length == fields->size)
				return false;
			memset(bytes, 0, fields->size);
			memcpy(bytes, from, length);
			continue;
		}
		uint64_t value = fields->size == 4 ? *(const uint32_t *)from
						   : *(const uint64_t *)from;

		if (!in_range(fields, value))
			return false;
		put_le(bytes, value, fields->size);
	}
	return true;
}

static bool page_holds(const struct rip_page_message *page, char *why)
{
	if (page->sample_bits != 8 && page->sample_bits != 16)
		return refuse(why, "PAGE: sample_bits is %" PRIu32 ", must be 8 or 16",
			      page->sample_bits);
	if (page->curve_values != 0 && page->curve_values != 1u << page->sample_bits)
		return refuse(why, "PAGE: curve_values is %" PRIu32 ", must be 0 or %u for "
			      "sample_bits %" PRIu32, page->curve_values,
			      1u << page->sample_bits, page->sample_bits);
	if (page->curve_offset % 2)
		return refuse(why, "PAGE: curve_offset is %" PRIu64 ", must be even",
			      page->curve_offset);
	if (page->carry_offset % 2)
		return refuse(why, "PAGE: carry_offset is %" PRIu64 ", must be even",
			      page->carry_offset);
	return true;
}

static bool band_holds(const struct rip_band_message *band, char *why)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *strip = &band->strips[i];

		if (seen & 1u << strip->plane)
			return refuse(why, "BAND: strip %" PRIu32 ": plane is %" PRIu32 ", as in a "
				      "strip before", i, strip->plane);
		if (strip->carry_offset % 2)
			return refuse(why, "BAND: strip %" PRIu32 ": carry_offset is %" PRIu64
				      ", must be even", i, strip->carry_offset);
		seen |= 1u << strip->plane;
	}
	return true;
}

/* Checks that concern several fields, after the range of each. */
static bool message_holds(const struct rip_message *message, char *why)
{
	switch (message->type) {
	case RIP_HELLO:
		return message->hello.version != RIP_PROTOCOL_VERSION ||
		       message->hello.method < RIP_METHODS ||
		       refuse(why, "HELLO: method is %" PRIu32 ", must be 0 to %d",
			      message->hello.method, RIP_METHODS - 1);
	case RIP_PAGE:
		return page_holds(&message->page, why);
	case RIP_BAND:
		return band_holds(&message->band, why);
	case RIP_STATUS_REPLY:
		return message->status.count <= message->status.sessions ||
		       refuse(why, "STATUS_REPLY: count is %" PRIu32 ", must be 0 to sessions, %"
			      PRIu32, message->status.count, message->status.sessions);
	default:
		return true;
	}
}

/* The bodies of the union all begin at the same place. */
static uint8_t *body_of(struct rip_message *message)
{
	return (uint8_t *)&message->hello;
}

static uint32_t element_count(const struct message_layout *layout,
			      const struct rip_message *message)
{
	uint32_t count;

	if (!layout->element)
		return 0;
	memcpy(&count, (const uint8_t *)&message->hello + layout->count_at, sizeof count);
	return count < layout->elements_max ? count : layout->elements_max;
}

size_t rip_message_length(const struct rip_message *message)
{
	const struct message_layout *layout = layout_of(message->type);

	if (!layout)
		return 0;
	return RIP_MESSAGE_HEADER + fields_size(layout->fields, layout->field_count) +
	       element_count(layout, message) *
		       fields_size(layout->element, layout->element_fields);
}

int rip_message_encode(const struct rip_message *message, uint8_t *bytes, size_t size)
{
	const struct message_layout *layout = layout_of(message->type);
	const uint8_t *body = (const uint8_t *)&message->hello;
	const size_t length = rip_message_length(message);
	uint8_t *to = bytes + RIP_MESSAGE_HEADER;

	if (!layout)
		return -EINVAL;
	if (length > size)
		return -EMSGSIZE;
	put_le(bytes, length, 4);
	put_le(bytes + 4, message->type, 4); /* 2 bytes of type, 2 of 0 */
	if (!put_fields(layout->fields, layout->field_count, body, to))
		return -EINVAL;
	to += fields_size(layout->fields, layout->field_count);
	for (uint32_t i = 0, n = element_count(layout, message); i < n; i++) {
		if (!put_fields(layout->element, layout->element_fields,
				body + layout->elements_at + i * layout->stride, to))
			return -EINVAL;
		to += fields_size(layout->element, layout->element_fields);
	}
	return message_holds(message, NULL) ? (int)length : -EINVAL; /* ranges hold by now */
}

/* The two bytes behind the type are 0, so a number of 4 bytes is no type if they
 * are not. */
uint32_t rip_message_type(const uint8_t *bytes)
{
	return (uint32_t)get_le(bytes + 4, 4);
}

int rip_message_peek(const uint8_t *bytes, size_t size)
{
	const struct message_layout *layout;
	size_t length, fixed, element;

	if (size < RIP_MESSAGE_HEADER)
		return 0;
	layout = layout_of(rip_message_type(bytes));
	if (!layout)
		return -EPROTO;
	length = get_le(bytes, 4);
	fixed = RIP_MESSAGE_HEADER + fields_size(layout->fields, layout->field_count);
	element = fields_size(layout->element, layout->element_fields);
	if (length < fixed + layout->elements_min * element ||
	    length > fixed + layout->elements_max * element ||
	    (element && (length - fixed) % element))
		return -EPROTO;
	return (int)length;
}

/* Reads a message whose length is right.  why: what is wrong with it, or NULL. */
static bool decode(struct rip_message *message, const uint8_t *bytes, size_t size, char *why)
{
	const struct message_layout *layout = layout_of(rip_message_type(bytes));
	uint8_t *body = body_of(message);
	const char *name;

	memset(message, 0, sizeof *message);
	message->type = rip_message_type(bytes);
	name = rip_message_name(message->type);
	bytes += RIP_MESSAGE_HEADER;
	if (!get_fields(layout->fields, layout->field_count, body, bytes, name, why))
		return false;
	if (rip_message_length(message) != size)
		return refuse(why, "%s: count is %" PRIu32 ", which does not fit its length of %zu "
			      "bytes", name, element_count(layout, message), size);
	bytes += fields_size(layout->fields, layout->field_count);
	for (uint32_t i = 0, n = element_count(layout, message); i < n; i++) {
		char where[48] = "";

		if (why)
			snprintf(where, sizeof where, "%s: %s %" PRIu32, name,
				 layout->element_name, i);
		if (!get_fields(layout->element, layout->element_fields,
				body + layout->elements_at + i * layout->stride, bytes, where, why))
			return false;
		bytes += fields_size(layout->element, layout->element_fields);
	}
	return message_holds(message, why);
}

int rip_message_decode(struct rip_message *message, const uint8_t *bytes, size_t size)
{
	const int length = rip_message_peek(bytes, size);

	if (length <= 0 || (size_t)length != size)
		return -EPROTO;
	return decode(message, bytes, size, NULL) ? 0 : -EPROTO;
}

void rip_message_fault(const uint8_t *bytes, size_t size, char why[RIP_REASON_MAX + 1])
{
	const uint32_t type = rip_message_type(bytes);
	const int length = rip_message_peek(bytes, size);
	struct rip_message message;

	if (!rip_message_name(type))
		rip_refuse_as(0, why, RIP_REASON_MAX + 1, "unknown message type %" PRIu32, type);
	else if (length < 0)
		rip_refuse_as(0, why, RIP_REASON_MAX + 1,
			      "%s: it cannot have a length of %" PRIu64 " bytes",
			      rip_message_name(type), get_le(bytes, 4));
	else if ((size_t)length > size || decode(&message, bytes, (size_t)length, why))
		rip_refuse_as(0, why, RIP_REASON_MAX + 1, "%s: it is incomplete",
			      rip_message_name(type));
}

void rip_text_set(char *field, size_t size, const char *text)
{
	const size_t length = strnlen(text, size - 1);

	memset(field, 0, size);
	memcpy(field, text, length);
}

/* Format characters (Unicode's category Cf), which iswprint() lets through, and what may
 * mean anything: variation selectors, private use, noncharacters. */
static bool is_invisible(wchar_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0xad, 0xad }, { 0x34f, 0x34f }, { 0x600, 0x605 }, { 0x61c, 0x61c },
		{ 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x890, 0x891 }, { 0x8e2, 0x8e2 },
		{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xd800, 0xf8ff },
		{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb },
		{ 0xfffe, 0xffff }, { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd },
		{ 0x13430, 0x1345f }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
		{ 0xe0000, 0x10ffff },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if ((uint32_t)c >= ranges[i].first && (uint32_t)c <= ranges[i].last)
			return true;
	return false;
}

/* The bytes of a printable character that is not ASCII; 0 if none begins here. */
static size_t printable_character(const char *text)
{
	mbstate_t state = { 0 };
	wchar_t c;
	const size_t n = mbrtowc(&c, text, strlen(text), &state);

	return n > 1 && n <= 4 && iswprint((wint_t)c) && !is_invisible(c) ? n : 0;
}

static void escape(char *escaped, size_t size, const char *text, bool utf8)
{
	static const char hex[] = "0123456789abcdef";

	while (*text) {
		const unsigned char c = (unsigned char)*text;
		size_t n = c >= 0x20 && c < 0x7f && c != '\\' ? 1 : 0;

		if (utf8 && c >= 0x80)
			n = printable_character(text);
		if (size < (n ? n : 4) + 1)
			break;
		if (n) {
			memcpy(escaped, text, n);
			escaped += n;
			size -= n;
			text += n;
		} else {
			*escaped++ = '\\';
			*escaped++ = 'x';
			*escaped++ = hex[c >> 4];
			*escaped++ = hex[c & 15];
			size -= 4;
			text++;
		}
	}
	if (size)
		*escaped = '\0';
}

void rip_text_escape(char *escaped, size_t size, const char *text)
{
	escape(escaped, size, text, false);
}

void rip_text_show(char *escaped, size_t size, const char *text)
{
	escape(escaped, size, text, !strcmp(nl_langinfo(CODESET), "UTF-8"));
}
