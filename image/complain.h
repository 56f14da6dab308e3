/*
 * Error messages on standard error: one line that begins with the program's name.  Used by
 * the main thread.
 */
#ifndef RIP_COMPLAIN_H
#define RIP_COMPLAIN_H

#include <stdarg.h>
#include <stddef.h>

/* Sets the program's name (until then "riptide"), and a function that is called before
 * each line, to clear a progress line on the terminal; or NULL. */
void rip_complain_as(const char *program, void (*before)(void));

/* Writes the name, ": " and the text as one line, and returns error unchanged (a negative
 * errno), so that whoever notices a fault can report it and return it in one statement.
 * Control characters in the text are written as '?'. */
__attribute__((format(printf, 2, 3))) int rip_complain(int error, const char *format, ...);

/* Formats a line as rip_complain() does: cut to size, without control characters. */
void rip_format_line(char *line, size_t size, const char *format, va_list arguments);

/* Replaces control characters by '?': file names may contain anything but NUL and '/', and
 * must not move the cursor. */
void rip_make_printable(char *text);

#endif
