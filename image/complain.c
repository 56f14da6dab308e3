#include "complain.h"

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

void rip_format_line(char *line, size_t size, const char *format, va_list arguments)
{
	vsnprintf(line, size, format, arguments);
	rip_make_printable(line);
}

int rip_complain(int error, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	rip_format_line(text, sizeof text, format, arguments);
	va_end(arguments);
	if (clear)
		clear();
	fprintf(stderr, "%s: %s\n", name, text);
	return error;
}
