/*
 * Numbers that machines read and write: with a point, whatever the locale of the program is.
 * riptide's own programs keep the numbers of C, but libriptide runs in others.
 *
 * As snprintf(), sscanf() and strtod(); any thread may call them.
 */
#ifndef RIP_NUMBER_H
#define RIP_NUMBER_H

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The thread's locale becomes C; returns the one to go back to.  glibc and musl have C without
 * memory, so that this cannot fail. */
static inline locale_t rip_number_begin(void)
{
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline __attribute__((format(printf, 3, 4)))
int rip_number_print(char *text, size_t size, const char *format, ...)
{
	const locale_t before = rip_number_begin();
	va_list values;
	int n;

	va_start(values, format);
	n = vsnprintf(text, size, format, values);
	va_end(values);
	uselocale(before);
	return n;
}

static inline __attribute__((format(scanf, 2, 3)))
int rip_number_scan(const char *text, const char *format, ...)
{
	const locale_t before = rip_number_begin();
	va_list values;
	int n;

	va_start(values, format);
	n = vsscanf(text, format, values);
	va_end(values);
	uselocale(before);
	return n;
}

static inline double rip_number_read(const char *text, char **end)
{
	const locale_t before = rip_number_begin();
	const double value = strtod(text, end);

	uselocale(before);
	return value;
}

#endif
