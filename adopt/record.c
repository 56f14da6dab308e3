#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MARK     "*%riptide"
#define BEGIN    MARK "{"
#define END      MARK "}"
#define REMOVED  MARK "- "
#define REST     MARK ". "
#define LINE_MAX_BYTES 200

void rip_record_begin(struct rip_growing_text *out, const char *eol)
{
	rip_text_line(out, eol, "%s added by riptide adopt, removed by riptide release", BEGIN);
}

void rip_record_end(struct rip_growing_text *out, const char *eol)
{
	rip_text_line(out, eol, "%s", END);
}

/* A line without its end, which has end - at bytes. */
static const char *line_end(const char *at, const char *end)
{
	while (at < end && *at != '\r' && *at != '\n')
		at++;
	return at;
}

void rip_record_removed(struct rip_growing_text *out, struct rip_slice removed, const char *eol)
{
	const char *at = removed.text, *end = at + removed.size, *stop, *next;

	for (; at < end; at = next) {
		stop = line_end(at, end);
		next = rip_after_line_end(stop, end);
		rip_text_add(out, REMOVED, strlen(REMOVED));
		for (; stop - at > LINE_MAX_BYTES; at += LINE_MAX_BYTES) {
			rip_text_add(out, at, LINE_MAX_BYTES);
			rip_text_add(out, eol, strlen(eol));
			rip_text_add(out, REST, strlen(REST));
		}
		rip_text_add(out, at, (size_t)(next - at));
	}
}

static bool starts(const char *at, const char *end, const char *mark)
{
	return (size_t)(end - at) >= strlen(mark) && !memcmp(at, mark, strlen(mark));
}

bool rip_record_found(const char *text, size_t size)
{
	const char *end = text + size;

	for (const char *at = text; at < end; at = rip_after_line_end(line_end(at, end), end))
		if (starts(at, end, MARK))
			return true;
	return false;
}

static int damaged(const char *what, unsigned line, char *why, size_t size)
{
	snprintf(why, size, "the record of riptide adopt is damaged: line %u: %s", line, what);
	return -EBADMSG;
}

int rip_record_restore(struct rip_growing_text *out, const char *text, size_t size, char *why,
		       size_t why_size)
{
	const char *end = text + size, *stop, *next, *held = NULL;
	bool added = false, found = false;
	unsigned line = 1;
	size_t held_size = 0;

	/* held: the line end behind a removed line, which the rest of that line would replace. */
	for (const char *at = text; at < end; at = next, line++) {
		stop = line_end(at, end);
		next = rip_after_line_end(stop, end);
		if (held && !starts(at, end, REST))
			rip_text_add(out, held, held_size);
		found |= starts(at, end, MARK);
		if (starts(at, end, BEGIN)) {
			if (added)
				return damaged("a part begins in a part", line, why, why_size);
			added = true;
		} else if (starts(at, end, END)) {
			if (!added)
				return damaged("the end of a part that does not begin", line, why,
					       why_size);
			added = false;
		} else if (starts(at, end, REMOVED) || starts(at, end, REST)) {
			if (added || (!held && starts(at, end, REST)))
				return damaged("a removed line at a wrong place", line, why,
					       why_size);
			rip_text_add(out, at + strlen(REMOVED),
				     (size_t)(stop - at) - strlen(REMOVED));
			held = stop;
			held_size = (size_t)(next - stop);
			continue;
		} else if (starts(at, end, MARK)) {
			return damaged("it has no meaning", line, why, why_size);
		} else if (!added) {
			rip_text_add(out, at, (size_t)(next - at));
		}
		held = NULL;
	}
	if (held)
		rip_text_add(out, held, held_size);
	if (added)
		return damaged("a part has no end", line, why, why_size);
	if (!found) {
		snprintf(why, why_size, "it was not adopted");
		return -ENOENT;
	}
	if (out->failed) {
		snprintf(why, why_size, "out of memory");
		return -ENOMEM;
	}
	return 0;
}
