/* Lines on stderr. */
#include "filter/report.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define LINE 1024 /* bytes; cupsd cuts lines at 2048 */
#define WARNINGS 32 /* that are remembered, the first ones */

/* Hashes of the WARNINGs that sessions gave the scheduler; 0: none.  No lock, which a thread might
 * hold while another one forks. */
static _Atomic uint64_t warnings[WARNINGS];

static const struct rip_report_listener *listener;
static atomic_bool told; /* an ERROR */

void rip_report_listen(const struct rip_report_listener *new)
{
	listener = new;
	told = false;
}

bool rip_report_to_scheduler(void)
{
	return !listener;
}

/* Whether a session gave the scheduler this WARNING before; from now on one did. */
static bool warned(const char *text)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	for (unsigned i = 0; i < WARNINGS; i++) {
		uint64_t here_before = 0;

		if (atomic_compare_exchange_strong(&warnings[i], &here_before, hash))
			return false;
		if (here_before == hash)
			return true;
	}
	return false;
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One write() for each line, so that lines of two threads do not mix. */
static void put(const char *format, ...)
{
	char line[LINE + sizeof "WARNING: "];
	size_t length;
	va_list args;

	va_start(args, format);
	length = (size_t)vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (length > LINE - 2)
		length = LINE - 2;
	for (size_t i = 0; i < length; i++)
		if (line[i] < ' ' || line[i] > '~')
			line[i] = '?';
	line[length++] = '\n';
	if (write(STDERR_FILENO, line, length) < 0)
		return; /* nobody reads stderr, so this cannot be reported */
}

static const char *word_of(enum riptide_log_level level)
{
	return level == RIPTIDE_LOG_ERROR ? "ERROR: " :
	       level == RIPTIDE_LOG_WARNING ? "WARNING: " : "DEBUG: ";
}

void rip_report_write(enum riptide_log_level level, const char *format, ...)
{
	char text[LINE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (level == RIPTIDE_LOG_ERROR && atomic_exchange(&told, true))
		level = RIPTIDE_LOG_DEBUG;
	if (listener)
		listener->log(listener->context, level, text);
	else
		put("%s%s", word_of(level), text);
}

void rip_report_log(void *context, enum riptide_log_level level, const char *text)
{
	(void)context;
	if (level == RIPTIDE_LOG_WARNING && !listener && warned(text))
		level = RIPTIDE_LOG_DEBUG;
	rip_report_write(level, "%s", text);
}

void rip_report_job(const char *format, ...)
{
	char text[LINE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (!listener)
		put("INFO: %s", text);
}

void rip_report_page(unsigned page, unsigned copies)
{
	if (!listener)
		put("PAGE: %u %u", page, copies);
}

void rip_report_progress(unsigned percent)
{
	if (!listener)
		put("ATTR: job-media-progress=%u", percent);
	else if (listener->progress)
		listener->progress(listener->context, percent);
}

void rip_report_rows(uint64_t done, uint64_t all, unsigned *reported)
{
	const unsigned percent = (unsigned)(done * 100 / all);

	if (done == 0 || percent >= *reported + 5 || (percent == 100 && *reported < 100)) {
		*reported = percent;
		rip_report_progress(percent);
	}
}
