#include "growing_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rip_text_add(struct rip_growing_text *text, const char *bytes, size_t size)
{
	if (!text->failed && text->size + size + 1 > text->room) {
		const size_t room = 2 * (text->size + size) + 4096;
		char *more = realloc(text->bytes, room);

		text->failed = !more;
		if (more) {
			text->bytes = more;
			text->room = room;
		}
	}
	if (text->failed)
		return;
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = '\0';
}

void rip_text_line(struct rip_growing_text *text, const char *eol, const char *format, ...)
{
	char line[RIP_TEXT_LINE_MAX + 1];
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	if (size < 0 || (size_t)size >= sizeof line) {
		text->too_long = true;
		return;
	}
	rip_text_add(text, line, strlen(line));
	rip_text_add(text, eol, strlen(eol));
}

void rip_text_free(struct rip_growing_text *text)
{
	free(text->bytes);
	*text = (struct rip_growing_text){ .size = 0 };
}
