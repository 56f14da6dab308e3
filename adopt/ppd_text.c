#include "config.h"

#include "ppd_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/ascii.h"
#include "system/refuse.h"

bool rip_slice_is(struct rip_slice slice, const char *text)
{
	return slice.size == strlen(text) && !memcmp(slice.text, text, slice.size);
}

bool rip_slice_equal(struct rip_slice a, struct rip_slice b)
{
	return a.size == b.size && !memcmp(a.text, b.text, a.size);
}

bool rip_slice_starts(struct rip_slice slice, const char *text)
{
	return slice.size >= strlen(text) && !memcmp(slice.text, text, strlen(text));
}

const char *rip_slice_find(struct rip_slice slice, const char *text)
{
	return slice.size ? memmem(slice.text, slice.size, text, strlen(text)) : NULL;
}

const struct rip_ppd_statement *rip_ppd_find(const struct rip_ppd_text *ppd, const char *keyword,
					     const char *option)
{
	for (size_t i = 0; i < ppd->count; i++)
		if (rip_slice_is(ppd->statements[i].keyword, keyword) &&
		    (!option || rip_slice_is(ppd->statements[i].option, option)))
			return &ppd->statements[i];
	return NULL;
}

struct rip_slice rip_slice_word(struct rip_slice *rest)
{
	struct rip_slice word;

	while (rest->size && rip_is_space(*rest->text))
		rest->text++, rest->size--;
	word = (struct rip_slice){ rest->text, 0 };
	while (word.size < rest->size && !rip_is_space(word.text[word.size]))
		word.size++;
	rest->text += word.size;
	rest->size -= word.size;
	return word;
}

unsigned rip_slice_number(struct rip_slice slice)
{
	unsigned number = 0;

	for (size_t i = 0; i < slice.size && number < 100000; i++) {
		if (slice.text[i] < '0' || slice.text[i] > '9')
			break;
		number = 10 * number + (unsigned)(slice.text[i] - '0');
	}
	return number;
}

static struct rip_slice trim(const char *from, const char *to)
{
	while (from < to && rip_is_space(*from))
		from++;
	while (to > from && rip_is_space(to[-1]))
		to--;
	return (struct rip_slice){ from, (size_t)(to - from) };
}

const char *rip_after_line_end(const char *at, const char *end)
{
	if (at == end)
		return end;
	return at + (at + 1 < end && at[0] == '\r' && at[1] == '\n' ? 2 : 1);
}

/* Finds the end of the statement at `from`, and counts its lines.  NULL: a quote is not closed. */
static const char *statement_end(const char *from, const char *end, unsigned *lines)
{
	const bool comment = end - from >= 2 && from[0] == '*' && from[1] == '%';
	bool colon = false, quoted = false;
	const char *at = from;

	for (; at < end; at++) {
		if (*at == '\r' || *at == '\n') {
			++*lines;
			at = rip_after_line_end(at, end);
			if (!quoted)
				return at;
			at--;
		} else if (*at == ':' && !comment) {
			colon = true;
		} else if (*at == '"' && colon) {
			quoted = !quoted;
		}
	}
	return quoted ? NULL : at;
}

/* Finds keyword, option and value. */
static void split(struct rip_ppd_statement *s)
{
	const char *at = s->all.text, *end = at + s->all.size, *colon, *slash, *quote;
	struct rip_slice head;

	if (s->all.size < 2 || at[0] != '*' || at[1] == '%')
		return;
	colon = memchr(at, ':', s->all.size);
	head = trim(at + 1, colon ? colon : end);
	for (at = head.text; at < head.text + head.size && !rip_is_space(*at);)
		at++;
	s->keyword = (struct rip_slice){ head.text, (size_t)(at - head.text) };
	slash = memchr(at, '/', (size_t)(head.text + head.size - at));
	s->option = trim(at, slash ? slash : head.text + head.size);
	if (!colon)
		return;
	s->value = trim(colon + 1, end);
	if (s->value.size && *s->value.text == '"') {
		quote = memchr(s->value.text + 1, '"', s->value.size - 1);
		s->value.text++;
		s->value.size = quote ? (size_t)(quote - s->value.text) : s->value.size - 1;
	}
}

/* Makes room for one more statement.  False: out of memory. */
static bool grow(struct rip_ppd_text *ppd, size_t *room)
{
	struct rip_ppd_statement *more;

	if (ppd->count < *room)
		return true;
	*room = *room ? 2 * *room : 512;
	more = realloc(ppd->statements, *room * sizeof *more);
	ppd->statements = more ? more : ppd->statements;
	return more;
}

static const char *first_line_end(const char *text, size_t size)
{
	const char *lf = memchr(text, '\n', size), *cr = memchr(text, '\r', size);

	if (!cr || (lf && lf < cr))
		return "\n";
	return lf == cr + 1 ? "\r\n" : "\r";
}

int rip_ppd_text_parse(struct rip_ppd_text *ppd, const char *text, size_t size, char *why,
		       size_t why_size)
{
	const char *at = text, *end = text + size;
	unsigned line = 1;
	size_t room = 0;

	*ppd = (struct rip_ppd_text){ .eol = "\n" };
	if (size < 11 || memcmp(text, "*PPD-Adobe:", 11) || memchr(text, 0, size) ||
	    size > RIP_PPD_BYTES_MAX)
		return rip_refuse_as(-EBADMSG, why, why_size, "this is no PPD");
	ppd->eol = first_line_end(text, size);
	while (at < end) {
		const struct rip_slice none = { at, 0 };
		struct rip_ppd_statement s = { none, none, none, none, line };
		const char *next = statement_end(at, end, &line);

		if (!next || !grow(ppd, &room)) {
			rip_ppd_text_finish(ppd);
			return next ? rip_refuse_as(-ENOMEM, why, why_size, "out of memory") :
			       rip_refuse_as(-EBADMSG, why, why_size, "the quote that opens"
					      " in line %u is not closed", s.line);
		}
		s.all = (struct rip_slice){ at, (size_t)(next - at) };
		split(&s);
		ppd->statements[ppd->count++] = s;
		at = next;
	}
	return 0;
}

void rip_ppd_text_finish(struct rip_ppd_text *ppd)
{
	free(ppd->statements);
	ppd->statements = NULL;
	ppd->count = 0;
}

/* ---- a text that grows ---- */

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
