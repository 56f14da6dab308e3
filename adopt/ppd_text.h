/*
 * The text of a PPD as statements, each with its place, so that it can be edited without
 * changing any other byte; and a text that grows, for the PPD that comes of it.
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

/* Whether a slice begins with this text. */
bool rip_slice_starts(struct rip_slice slice, const char *text);

/* Takes the next word, without the white space around it, from the front of a slice; empty: there
 * is none. */
struct rip_slice rip_slice_word(struct rip_slice *rest);

/* The number with which a slice begins, cut off behind six digits; 0: it begins with none. */
unsigned rip_slice_number(struct rip_slice slice);

/* Where the text occurs in the slice; NULL: nowhere. */
const char *rip_slice_find(struct rip_slice slice, const char *text);

/* What follows the line end (CR, LF or CR LF) at `at`, in a text up to `end`; at == end: end. */
const char *rip_after_line_end(const char *at, const char *end);

/* The first statement with that keyword, and option unless it is NULL; NULL: there is none. */
const struct rip_ppd_statement *rip_ppd_find(const struct rip_ppd_text *ppd, const char *keyword,
					     const char *option);

struct rip_growing_text {
	char  *bytes; /* terminated by NUL, unless nothing was added */
	size_t size, room;
	bool   failed; /* out of memory: what was added since is missing */
	bool   too_long; /* so was a line, which is missing */
};

void rip_text_add(struct rip_growing_text *text, const char *bytes, size_t size);

#define RIP_TEXT_LINE_MAX 255 /* bytes of a PPD's line, without its end */

/* Adds a line: the text that is formatted, and the line end. */
__attribute__((format(printf, 3, 4))) void rip_text_line(struct rip_growing_text *text,
							 const char *eol, const char *format, ...);

/* May be called twice. */
void rip_text_free(struct rip_growing_text *text);

#endif
