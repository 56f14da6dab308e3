/*
 * A text that grows.  Used by one thread.
 */
#ifndef RIP_GROWING_TEXT_H
#define RIP_GROWING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

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
