#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

static const char *name = "riptide";
static void (*clear)(void);

void rip_complain_as(const char *program, void (*before)(void))
{
	name = program;
	clear = before;
}

void rip_make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 32 || *text == 127)
			*text = '?';
}

int rip_complain(int error, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	rip_make_printable(text);
	if (clear)
		clear();
	fprintf(stderr, "%s: %s\n", name, text);
	return error;
}
