#include "config.h"

#include "edit.h"

#include <errno.h>
#include <string.h>

#include "system/refuse.h"

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

/* The line at `at`, without its end. */
static struct rip_slice line_at(const char *at, const char *end)
{
	const char *stop = at;

	while (stop < end && *stop != '\r' && *stop != '\n')
		stop++;
	return (struct rip_slice){ at, (size_t)(stop - at) };
}

void rip_record_removed(struct rip_growing_text *out, struct rip_slice removed, const char *eol)
{
	const char *at = removed.text, *end = at + removed.size, *stop, *next;

	for (; at < end; at = next) {
		stop = at + line_at(at, end).size;
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

bool rip_record_found(const char *text, size_t size)
{
	const char *end = text + size;
	struct rip_slice line;

	for (const char *at = text; at < end; at = rip_after_line_end(at + line.size, end)) {
		line = line_at(at, end);
		if (rip_slice_starts(line, MARK))
			return true;
	}
	return false;
}

int rip_record_restore(struct rip_growing_text *out, const char *text, size_t size, char *why,
		       size_t why_size)
{
	const char *end = text + size, *stop, *next, *held = NULL, *fault = NULL;
	bool added = false, found = false;
	unsigned number = 1;
	size_t held_size = 0;

	/* held: the line end behind a removed line, which the rest of that line would replace. */
	for (const char *at = text; at < end; at = next, number++) {
		const struct rip_slice line = line_at(at, end);
		const bool rest = rip_slice_starts(line, REST);

		stop = at + line.size;
		next = rip_after_line_end(stop, end);
		if (held && !rest)
			rip_text_add(out, held, held_size);
		found |= rip_slice_starts(line, MARK);
		if (rest || rip_slice_starts(line, REMOVED)) {
			if (added || (!held && rest))
				fault = "a removed line at a wrong place";
			rip_text_add(out, at + strlen(REMOVED), line.size - strlen(REMOVED));
			held = stop;
			held_size = (size_t)(next - stop);
		} else {
			held = NULL;
			if (rip_slice_starts(line, BEGIN))
				fault = added ? "a part begins in a part" : NULL;
			else if (rip_slice_starts(line, END))
				fault = added ? NULL : "the end of a part that does not begin";
			else if (rip_slice_starts(line, MARK))
				fault = "it has no meaning";
			else if (!added)
				rip_text_add(out, at, (size_t)(next - at));
			added = rip_slice_starts(line, BEGIN) ||
				(added && !rip_slice_starts(line, END));
		}
		if (fault)
			return rip_refuse_as(-EBADMSG, why, why_size, "the record of riptide adopt"
					      " is damaged: line %u: %s", number, fault);
	}
	if (held)
		rip_text_add(out, held, held_size);
	if (added)
		return rip_refuse_as(-EBADMSG, why, why_size, "the record of riptide adopt"
				      " is damaged: line %u: a part has no end", number);
	if (!found)
		return rip_refuse_as(-ENOENT, why, why_size, "it was not adopted");
	if (out->failed)
		return rip_refuse_as(-ENOMEM, why, why_size, "out of memory");
	return 0;
}

/* ---- the difference ---- */

/* The end of the line at `at`, as patch(1) counts lines. */
static const char *after_newline(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline + 1 : end;
}

/* The end of the record that begins at `at`: no line with a mark follows, and what stands before it
 * can be restored by itself.  original: gets that. */
static const char *after_record(const char *at, const char *end, struct rip_growing_text *original)
{
	const char *stop = after_newline(at, end), *next;
	char why[200];

	for (;; stop = next) {
		next = after_newline(stop, end);
		if (rip_record_found(stop, (size_t)(next - stop)))
			continue;
		rip_text_free(original);
		if (rip_record_restore(original, at, (size_t)(stop - at), why, sizeof why) == 0 ||
		    stop == end)
			return stop;
	}
}

static unsigned count_lines(struct rip_slice text)
{
	const char *end = text.text + text.size;
	unsigned lines = 0;

	for (const char *at = text.text; at < end; at = after_newline(at, end))
		lines++;
	return lines;
}

static void write_lines(FILE *out, char mark, struct rip_slice text)
{
	const char *at = text.text, *end = at + text.size, *next;

	for (; at < end; at = next) {
		next = after_newline(at, end);
		fputc(mark, out);
		fwrite(at, 1, (size_t)(next - at), out);
		if (next[-1] != '\n')
			fputs("\n\\ No newline at end of file\n", out);
	}
}

int rip_record_diff(FILE *out, const char *name, const char *edited, size_t size, bool undo)
{
	const char *end = edited + size, *stop;
	unsigned line[2] = { 1, 1 }; /* before, after */
	bool failed = false;

	fprintf(out, "--- %s\n+++ %s\n", name, name);
	for (const char *at = edited; at < end; at = stop) {
		struct rip_growing_text original = { .size = 0 };
		struct rip_slice sides[2];

		stop = after_newline(at, end);
		if (!rip_record_found(at, (size_t)(stop - at))) {
			line[0]++, line[1]++;
			continue;
		}
		stop = after_record(at, end, &original);
		sides[undo] = (struct rip_slice){ original.bytes, original.size };
		sides[!undo] = (struct rip_slice){ at, (size_t)(stop - at) };
		fputs("@@", out);
		for (int i = 0; i < 2; i++) {
			const unsigned lines = count_lines(sides[i]);

			fprintf(out, " %c%u,%u", "-+"[i], lines ? line[i] : line[i] - 1, lines);
			line[i] += lines;
		}
		fputs(" @@\n", out);
		for (int i = 0; i < 2; i++)
			write_lines(out, "-+"[i], sides[i]);
		failed |= original.failed;
		rip_text_free(&original);
	}
	return failed || ferror(out) ? -EIO : 0;
}
