#include "config.h"

#include "ppd_diff.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define SAME_LINES 3 /* so many equal lines end a difference */

/* A place in a text. */
struct diff_place {
	const char *at, *end;
	unsigned    line; /* from 1 */
};

static size_t line_size(const struct diff_place *p)
{
	const char *lf = memchr(p->at, '\n', (size_t)(p->end - p->at));

	return (size_t)((lf ? lf + 1 : p->end) - p->at);
}

static void next(struct diff_place *p)
{
	p->at += line_size(p);
	p->line++;
}

/* Goes to the line before this one.  start: the first one's. */
static void previous(struct diff_place *p, const char *start)
{
	const char *lf = memrchr(start, '\n', (size_t)(p->at - 1 - start));

	p->at = lf ? lf + 1 : start;
	p->line--;
}

static bool same_line(const struct diff_place *a, const struct diff_place *b)
{
	const size_t size = a->at < a->end ? line_size(a) : 0;

	return size == (b->at < b->end ? line_size(b) : 0) && !memcmp(a->at, b->at, size);
}

/* Whether the texts go on equally for some lines, or to their ends. */
static bool same_lines(struct diff_place a, struct diff_place b)
{
	for (int i = 0; i < SAME_LINES; i++) {
		if (!same_line(&a, &b))
			return false;
		if (a.at == a.end)
			return b.at == b.end;
		next(&a);
		next(&b);
	}
	return true;
}

/* Finds where the texts are equal again: the place with the fewest lines between. */
static void find_same(struct diff_place *a, struct diff_place *b)
{
	struct diff_place last = *b; /* sum lines behind b, or the end */

	for (unsigned sum = 1;; sum++) {
		struct diff_place x = *a, y;

		if (last.at < last.end)
			next(&last);
		y = last;
		for (unsigned i = 0; i <= sum; i++) {
			while (y.line - b->line > sum - i)
				previous(&y, b->at);
			if (y.line - b->line == sum - i && same_lines(x, y)) {
				*a = x;
				*b = y;
				return;
			}
			if (x.at == x.end)
				break;
			next(&x);
		}
	}
}

static void write_lines(FILE *out, char mark, struct diff_place from, const struct diff_place *to)
{
	for (; from.at < to->at; next(&from)) {
		const size_t size = line_size(&from);

		fputc(mark, out);
		fwrite(from.at, 1, size, out);
		if (from.at[size - 1] != '\n')
			fputs("\n\\ No newline at end of file\n", out);
	}
}

static void write_range(FILE *out, char mark, const struct diff_place *from,
			const struct diff_place *to)
{
	const unsigned lines = to->line - from->line;

	fprintf(out, "%c%u,%u ", mark, lines ? from->line : from->line - 1, lines);
}

int rip_ppd_diff(FILE *out, const char *name, const char *before, size_t before_size,
		 const char *after, size_t after_size)
{
	struct diff_place a = { before, before + before_size, 1 };
	struct diff_place b = { after, after + after_size, 1 };

	fprintf(out, "--- %s\n+++ %s\n", name, name);
	while (a.at < a.end || b.at < b.end) {
		struct diff_place a_end = a, b_end = b;

		if (a.at < a.end && b.at < b.end && same_line(&a, &b)) {
			next(&a);
			next(&b);
			continue;
		}
		find_same(&a_end, &b_end);
		fputs("@@ ", out);
		write_range(out, '-', &a, &a_end);
		write_range(out, '+', &b, &b_end);
		fputs("@@\n", out);
		write_lines(out, '-', a, &a_end);
		write_lines(out, '+', b, &b_end);
		a = a_end;
		b = b_end;
	}
	return ferror(out) ? -EIO : 0;
}
