/*
 * Reasons in words, for functions that have `why` (size bytes) among their arguments or fields.
 * Pure functions; any thread may call them.
 */
#ifndef RIP_REFUSE_H
#define RIP_REFUSE_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Puts the reason into why; what is too long is cut off.  Returns error. */
static inline __attribute__((format(printf, 4, 5)))
int rip_refuse_as(int error, char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return error;
}

/* The same for what is not valid: -EINVAL. */
#define rip_refuse(why, size, ...) rip_refuse_as(-EINVAL, why, size, __VA_ARGS__)

#endif
