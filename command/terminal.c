#include "terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "image/complain.h"
#include "system/clock.h"

#define PROGRESS_AFTER_MS 1000
#define PROGRESS_EVERY_MS 200

static bool progress_shown;
static int progress_watched = -1; /* -1: if standard error is a terminal */

static const char *usage_program = "riptide";

void rip_usage_program(const char *program)
{
	usage_program = program;
}

int rip_wrong_usage(const char *command, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	rip_format_line(text, sizeof text, format, arguments);
	va_end(arguments);
	fprintf(stderr, "%s%s%s: %s (see %s %s%s--help)\n", usage_program, command ? " " : "",
		command ? command : "", text, usage_program, command ? command : "",
		command ? " " : "");
	return 2;
}

void rip_complain_log(void *name, enum riptide_log_level level, const char *text)
{
	if (level >= RIPTIDE_LOG_WARNING)
		rip_complain(0, "%s: %s", (const char *)name, text);
}

void rip_progress_show(void)
{
	progress_watched = 1;
}

/* Whether it is time to show the progress. */
static bool progress_is_due(void)
{
	static int64_t begin, last;
	int64_t now;

	if (progress_watched < 0)
		progress_watched = isatty(STDERR_FILENO);
	if (!progress_watched)
		return false;
	now = rip_clock_ms();
	if (!begin)
		begin = now;
	if (now - begin < PROGRESS_AFTER_MS || now - last < PROGRESS_EVERY_MS)
		return false;
	last = now;
	return true;
}

static void show(char *text)
{
	rip_make_printable(text);
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
	progress_shown = true;
}

void rip_progress(const char *name, uint32_t page, uint64_t done, uint64_t total)
{
	char text[160];

	if (!progress_is_due())
		return;
	if (total)
		snprintf(text, sizeof text, "%.60s: page %u, %u %%", name, page,
			 (unsigned)(done * 100 / total));
	else
		snprintf(text, sizeof text, "%.60s: page %u, row %llu", name, page,
			 (unsigned long long)done);
	show(text);
}

void rip_progress_text(const char *format, ...)
{
	char text[160];
	va_list arguments;

	if (!progress_is_due())
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	show(text);
}

void rip_progress_clear(void)
{
	if (!progress_shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress_shown = false;
}
