/* Lines on stderr. */
#include "filter/message.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define LINE 1024 /* bytes; cupsd cuts lines at 2048 */

/* One write() a line, so that lines of two threads do not mix. */
static void put(char *line, size_t length)
{
	if (length > LINE - 2)
		length = LINE - 2;
	for (size_t i = 0; i < length; i++)
		if (line[i] < ' ' || line[i] > '~')
			line[i] = '?';
	line[length++] = '\n';
	if (write(STDERR_FILENO, line, length) < 0)
		return; /* nobody reads: there is nobody to tell either */
}

void rip_message(enum rip_log_level level, const char *format, ...)
{
	static atomic_bool told;
	const char *word = "DEBUG";
	char line[LINE];
	va_list args;
	int n, more;

	if (level == RIP_LOG_ERROR && !atomic_exchange(&told, true))
		word = "ERROR";
	if (level == RIP_LOG_WARNING)
		word = "WARNING";
	n = snprintf(line, sizeof line, "%s: ", word);
	va_start(args, format);
	more = vsnprintf(line + n, sizeof line - n, format, args);
	va_end(args);
	if (more >= 0)
		put(line, (size_t)n + more);
}

void rip_message_log(void *context, enum rip_log_level level, const char *text)
{
	(void)context;
	rip_message(level, "%s", text);
}

void rip_message_page(unsigned page, unsigned copies)
{
	char line[LINE];
	int n = snprintf(line, sizeof line, "PAGE: %u %u", page, copies);

	put(line, n);
}

void rip_message_progress(unsigned percent)
{
	char line[LINE];
	int n = snprintf(line, sizeof line, "ATTR: job-media-progress=%u", percent);

	put(line, n);
}
