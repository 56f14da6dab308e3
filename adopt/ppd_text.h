/*
 * The text of a PPD as statements, each with its place, so that it can be edited without
 * changing any other byte.
 *
 * A statement is a line, or the lines of a quoted value that contains line ends.  The parts of a
 * statement "*Keyword Option/Translation: value" are slices of the text, which the caller owns
 * and which must live as long as this.  The rules are CUPS's: a line ends with CR, LF or CR LF;
 * quotes count behind the first colon; "*%" is a comment.  Used by one thread.
 */
#ifndef RIP_PPD_TEXT_H
#define RIP_PPD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a text; not terminated by NUL. */
struct rip_slice {
	const char *text;
	size_t      size;
};

struct rip_ppd_statement {
	struct rip_slice all;     /* every byte, with the line end */
	struct rip_slice keyword; /* without "*"; empty: a comment, an empty line or no statement */
	struct rip_slice option;  /* empty: none */
	struct rip_slice value;   /* without quotes and the spaces around it */
	unsigned         line;    /* the number of its first line, from 1 */
};

struct rip_ppd_text {
	struct rip_ppd_statement *statements;
	size_t      count;
	const char *eol; /* the line end of the first line */
};

/* The largest PPD, in bytes: those of Debian have at most 1 MB. */
#define RIP_PPD_BYTES_MAX (8u << 20)

/* Splits a PPD.  0; -EBADMSG and why for what is no PPD; -ENOMEM and why. */
int rip_ppd_text_parse(struct rip_ppd_text *ppd, const char *text, size_t size, char *why,
		       size_t why_size);

/* May be called twice. */
void rip_ppd_text_finish(struct rip_ppd_text *ppd);

/* Whether a slice is this text. */
bool rip_slice_is(struct rip_slice slice, const char *text);

/* Whether two slices have the same bytes. */
bool rip_slice_equal(struct rip_slice a, struct rip_slice b);

/* Where the text occurs in the slice; NULL: nowhere. */
const char *rip_slice_find(struct rip_slice slice, const char *text);

/* What follows the line end (CR, LF or CR LF) at `at`, in a text up to `end`; at == end: end. */
const char *rip_after_line_end(const char *at, const char *end);

/* The first statement with that keyword, and option unless it is NULL; NULL: there is none. */
const struct rip_ppd_statement *rip_ppd_find(const struct rip_ppd_text *ppd, const char *keyword,
					     const char *option);

#endif
