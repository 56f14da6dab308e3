/* Any bytes as a stream of messages: what decodes must encode to the same bytes. */
#include "tests/fuzz/fuzz.h"

#include "wire/codec.h"

/* A text that was decoded ends, and so does its escaped form. */
static void escape(const char *text)
{
	char escaped[64];

	memset(escaped, 'x', sizeof escaped);
	rip_text_escape(escaped, sizeof escaped, text);
	if (!memchr(escaped, 0, sizeof escaped) || strpbrk(escaped, "\n\x1b\x7f"))
		abort();
}

/* The reason is text that can go to a log. */
static void explain(const uint8_t *data, size_t size)
{
	char why[RIP_REASON_MAX + 1] = "";

	rip_message_fault(data, size, why);
	if (!*why)
		abort();
	escape(why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rip_message message;
	static uint8_t again[RIP_MESSAGE_MAX];

	while (size > 0) {
		const int length = rip_message_peek(data, size);

		if (length > RIP_MESSAGE_MAX)
			abort();
		if (length <= 0 || (size_t)length > size) {
			if (rip_message_decode(&message, data, size) == 0)
				abort();
			if (length < 0)
				explain(data, size);
			return 0;
		}
		if (rip_message_decode(&message, data, (size_t)length) == 0) {
			if (rip_message_length(&message) != (size_t)length ||
			    rip_message_encode(&message, again, sizeof again) != length ||
			    memcmp(again, data, (size_t)length))
				abort();
			if (message.type == RIP_HELLO)
				escape(message.hello.queue);
			if (message.type == RIP_GOODBYE)
				escape(message.reason.text);
		} else {
			explain(data, (size_t)length);
		}
		data += length;
		size -= (size_t)length;
	}
	return 0;
}
