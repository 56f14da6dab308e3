/* Log lines: their fields, their text, and how many of them there are. */
#include "config.h"

#include "log.h"

#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "log_meter.h"
#include "log_output.h"
#include "scheduler.h"
#include "wire/codec.h"

/* Lines in ten seconds, of one event and priority: jobs may be many on a busy server,
 * and each is looked for by its number. */
#define FEW  100
#define MANY 1000

/* The ids never change: journal catalogs and administrators' filters name them. */
static const struct {
	const char *name;
	const char *id;
	unsigned    burst;
} events[RIP_EVENTS] = {
	[RIP_EVENT_START]         = { "start",         "6d2f0c1b7a534d0f9a5b1d5e3c8f2a01", FEW },
	[RIP_EVENT_STOP]          = { "stop",          "6d2f0c1b7a534d0f9a5b1d5e3c8f2a02", FEW },
	[RIP_EVENT_CONFIG]        = { "config",        "6d2f0c1b7a534d0f9a5b1d5e3c8f2a03", FEW },
	[RIP_EVENT_DEVICE]        = { "device",        "6d2f0c1b7a534d0f9a5b1d5e3c8f2a04", FEW },
	[RIP_EVENT_SESSION_BEGIN] = { "session-begin", "6d2f0c1b7a534d0f9a5b1d5e3c8f2a05", MANY },
	[RIP_EVENT_SESSION_END]   = { "session-end",   "6d2f0c1b7a534d0f9a5b1d5e3c8f2a06", MANY },
	[RIP_EVENT_SESSION_FAULT] = { "session-fault", "6d2f0c1b7a534d0f9a5b1d5e3c8f2a07", FEW },
	[RIP_EVENT_REFUSED]       = { "refused",       "6d2f0c1b7a534d0f9a5b1d5e3c8f2a08", FEW },
	[RIP_EVENT_ENGINE_FAULT]  = { "engine-fault",  "6d2f0c1b7a534d0f9a5b1d5e3c8f2a09", FEW },
	[RIP_EVENT_SYSTEM]        = { "system",        "6d2f0c1b7a534d0f9a5b1d5e3c8f2a0a", FEW },
};

#define FIELDS 20 /* 19 at most, with the message */
#define MESSAGE_MAX 320
#define RETRY_MS 1000 /* until dropped lines are reported, if nobody takes that line either */

static const char *const levels[] = {
	[LOG_EMERG] = "emergency", [LOG_ALERT] = "alert",   [LOG_CRIT] = "critical",
	[LOG_ERR] = "error",       [LOG_WARNING] = "warning", [LOG_NOTICE] = "notice",
	[LOG_INFO] = "info",       [LOG_DEBUG] = "debug",
};

static atomic_int max_priority_shown = LOG_INFO;
static bool to_journal;

static pthread_mutex_t meters_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rip_log_meter meters[RIP_EVENTS][LOG_DEBUG + 1];

static atomic_uint_least64_t dropped; /* lines that nobody took, and not yet reported */

/* One line under construction: text of key=value, and the journal's fields. */
struct line {
	char         text[1024];
	size_t       used;
	char         fields[FIELDS][5 * RIP_QUEUE_NAME_MAX];
	struct iovec iov[FIELDS];
	int          count;
};

void rip_log_init(int max_priority)
{
	rip_log_limit(max_priority);
	to_journal = rip_log_output_init();
	/* What is printable in a queue's name depends on who reads it. */
	setlocale(LC_CTYPE, to_journal ? "C.UTF-8" : "");
}

void rip_log_limit(int max_priority)
{
	atomic_store_explicit(&max_priority_shown, max_priority, memory_order_relaxed);
}

/* Fields and lines end with a newline, and have no other. */
static void make_one_line(char *text)
{
	for (; (text = strchr(text, '\n')); text++)
		*text = ' ';
}

static void field(struct line *line, const char *name, const char *value)
{
	char *text = line->fields[line->count];
	int n = snprintf(text, sizeof line->fields[0], "%s=%s", name, value);

	make_one_line(text);
	if (n >= (int)sizeof line->fields[0])
		n = sizeof line->fields[0] - 1;
	text[n] = '\n';
	line->iov[line->count++] = (struct iovec){ text, n + 1 };
}

__attribute__((format(printf, 2, 3)))
static void append(struct line *line, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->text + line->used, sizeof line->text - line->used, format, args);
	va_end(args);
	line->used += n;
	if (line->used >= sizeof line->text)
		line->used = sizeof line->text - 1;
}

static void pair(struct line *line, const char *key, const char *name, const char *value)
{
	const bool quote = !*value || strpbrk(value, " \"=");
	const size_t before = line->used;

	append(line, " %s=%s", key, quote ? "\"" : "");
	for (const char *c = value; *c; c++) {
		if (*c == '"') /* a client's name must not end its quotes */
			append(line, "\\x22");
		else
			append(line, "%c", *c);
	}
	append(line, "%s", quote ? "\"" : "");
	if (line->used == sizeof line->text - 1)
		line->used = before; /* rather no field than half of one */
	field(line, name, value);
}

static void pair_number(struct line *line, const char *key, const char *name, unsigned long value)
{
	char text[24];

	snprintf(text, sizeof text, "%lu", value);
	pair(line, key, name, text);
}

/* A field of the journal that the text of the line has no pair for. */
static void field_number(struct line *line, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, value);
	field(line, name, text);
}

static void add_done(struct line *line, const struct rip_log_done *done)
{
	field_number(line, "RIPTIDE_PAGES", done->pages);
	field_number(line, "RIPTIDE_BANDS", done->bands);
	field_number(line, "RIPTIDE_SAMPLES", done->samples);
	field_number(line, "RIPTIDE_TIME_USEC", done->time_us);
	field_number(line, "RIPTIDE_ENGINE_USEC", done->engine_us);
	field_number(line, "RIPTIDE_WAIT_USEC", done->wait_us);
}

static void add_subject(struct line *line, const struct rip_log_subject *subject)
{
	char queue[4 * RIP_QUEUE_NAME_MAX + 1];

	if (subject->job)
		pair_number(line, "job", "RIPTIDE_JOB", subject->job);
	if (subject->queue && *subject->queue) {
		rip_text_show(queue, sizeof queue, subject->queue);
		pair(line, "queue", "RIPTIDE_QUEUE", queue);
	}
	if (subject->page)
		pair_number(line, "page", "RIPTIDE_PAGE", subject->page);
	if (subject->method)
		pair(line, "method", "RIPTIDE_METHOD", subject->method);
	if (subject->device && *subject->device)
		pair(line, "device", "RIPTIDE_DEVICE", subject->device);
	if (subject->why_no_gpu && *subject->why_no_gpu)
		pair(line, "why-no-gpu", "RIPTIDE_WHY_NO_GPU", subject->why_no_gpu);
	if (subject->done)
		add_done(line, subject->done);
	if (subject->pid) {
		pair_number(line, "pid", "RIPTIDE_CLIENT_PID", subject->pid);
		pair_number(line, "uid", "RIPTIDE_CLIENT_UID", subject->uid);
	}
}

/* Returns whether anybody took it. */
static bool send_line(struct line *line, int priority, enum rip_event event, uint32_t job,
		      const char *message)
{
	char whole[MESSAGE_MAX + sizeof line->text + 64];
	int n;

	if (to_journal) {
		char number[16];

		snprintf(number, sizeof number, "%d", priority);
		field(line, "PRIORITY", number);
		field(line, "SYSLOG_IDENTIFIER", "riptided");
		field(line, "MESSAGE_ID", events[event].id);
		field(line, "RIPTIDE_EVENT", events[event].name);
		n = job ? snprintf(whole, sizeof whole, "MESSAGE=job %u: %s\n", job, message)
			: snprintf(whole, sizeof whole, "MESSAGE=%s\n", message);
		line->iov[line->count++] = (struct iovec){ whole, n };
		if (rip_log_output_fields(line->iov, line->count))
			return true;
	}
	n = snprintf(whole, sizeof whole, "riptided: %s: %s%.*s: %s\n", levels[priority],
		     events[event].name, (int)line->used, line->text, message);
	/* One write a line, so that lines of threads do not mix. */
	return rip_log_output_text(whole, (size_t)n);
}

static void write_line(struct line *line, int priority, enum rip_event event, uint32_t job,
		       const char *message)
{
	if (!send_line(line, priority, event, job, message))
		atomic_fetch_add(&dropped, 1);
}

/* Returns when to call again. */
static int64_t report_dropped(int64_t now_ms)
{
	const uint64_t count = atomic_exchange(&dropped, 0);
	struct line line = { .used = 0 };
	char message[MESSAGE_MAX];

	if (!count)
		return INT64_MAX;
	snprintf(message, sizeof message, "%" PRIu64 " log line%s dropped: nobody took %s",
		 count, count == 1 ? " was" : "s were", count == 1 ? "it" : "them");
	field_number(&line, "RIPTIDE_DROPPED", count);
	if (send_line(&line, LOG_WARNING, RIP_EVENT_SYSTEM, 0, message))
		return INT64_MAX;
	atomic_fetch_add(&dropped, count);
	return now_ms + RETRY_MS;
}

static void report_left_out(int priority, enum rip_event event, uint64_t count, int64_t took_ms)
{
	struct line line = { .used = 0 };
	char message[MESSAGE_MAX];

	snprintf(message, sizeof message, "%" PRIu64 " more line%s of this kind %s left out in the "
		 "last %" PRId64 " s", count, count == 1 ? "" : "s", count == 1 ? "was" : "were",
		 (took_ms + 999) / 1000);
	field_number(&line, "RIPTIDE_LEFT_OUT", count);
	write_line(&line, priority, event, 0, message);
}

/* Ends the period of a kind of lines, if it is over or must end, and reports what was
 * left out in it.  Returns when to call again. */
static int64_t end_period(int priority, enum rip_event event, int64_t now_ms, bool must)
{
	struct rip_log_meter *meter = &meters[event][priority];
	uint64_t left_out = 0;
	int64_t took_ms, due;

	pthread_mutex_lock(&meters_lock);
	took_ms = now_ms - meter->began_ms;
	if (must || rip_log_meter_over(meter, now_ms))
		left_out = rip_log_meter_end(meter);
	due = rip_log_meter_due(meter);
	pthread_mutex_unlock(&meters_lock);
	if (left_out)
		report_left_out(priority, event, left_out, took_ms);
	return due;
}

static int64_t end_periods(int64_t now_ms, bool must)
{
	int64_t next = INT64_MAX;

	for (int event = 0; event < RIP_EVENTS; event++)
		for (int priority = 0; priority <= LOG_DEBUG; priority++) {
			const int64_t due = end_period(priority, event, now_ms, must);

			next = due < next ? due : next;
		}
	return next;
}

static bool may_write(int priority, enum rip_event event)
{
	const int64_t now_ms = rip_now_ms();
	bool may;

	end_period(priority, event, now_ms, false);
	pthread_mutex_lock(&meters_lock);
	may = rip_log_meter_take(&meters[event][priority], now_ms, events[event].burst);
	pthread_mutex_unlock(&meters_lock);
	return may;
}

int64_t rip_log_tick(int64_t now_ms)
{
	const int64_t next = end_periods(now_ms, false), retry = report_dropped(now_ms);

	return retry < next ? retry : next;
}

void rip_log_finish(void)
{
	end_periods(rip_now_ms(), true);
	report_dropped(rip_now_ms());
	to_journal = false;
	rip_log_output_finish();
}

void rip_log(int priority, enum rip_event event, const struct rip_log_subject *subject,
	     const char *format, ...)
{
	struct line line = { .used = 0 };
	char message[MESSAGE_MAX];
	va_list args;

	if (priority > max_priority_shown || !may_write(priority, event))
		return;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	make_one_line(message);
	if (subject)
		add_subject(&line, subject);
	write_line(&line, priority, event, subject ? subject->job : 0, message);
}
