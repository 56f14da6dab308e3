/* A daemon's status as text. */
#include "config.h"

#include "status_print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "wire/codec.h"

/* A text of the wire, escaped to printable ASCII: no byte takes more than 4. */
typedef char escaped_text[4 * RIP_REASON_MAX + 1];

/* Beyond this no queue name makes a table wider; CUPS itself allows 127. */
#define QUEUE_COLUMNS 24

/* --- numbers for people -------------------------------------------------------- */

/* 1234567 as 1.23 M. */
static void print_count(char *text, size_t size, double value)
{
	static const char units[] = " kMGTP";
	const char *unit = units;

	while (value >= 999.5 && unit[1]) {
		value /= 1000;
		unit++;
	}
	if (unit == units)
		snprintf(text, size, "%.0f ", value);
	else
		snprintf(text, size, value < 9.995 ? "%.2f %c" : value < 99.95 ? "%.1f %c" : "%.0f %c",
			 value, *unit);
}

static void print_time(char *text, size_t size, uint64_t ms)
{
	const uint64_t seconds = ms / 1000;

	if (seconds < 60)
		snprintf(text, size, "%" PRIu64 ".%" PRIu64 " s", seconds, ms / 100 % 10);
	else if (seconds < 3600)
		snprintf(text, size, "%" PRIu64 " min %" PRIu64 " s", seconds / 60, seconds % 60);
	else if (seconds < 86400)
		snprintf(text, size, "%" PRIu64 " h %" PRIu64 " min", seconds / 3600,
			 seconds / 60 % 60);
	else
		snprintf(text, size, "%" PRIu64 " d %" PRIu64 " h", seconds / 86400,
			 seconds / 3600 % 24);
}

/* The part of their time that the workers worked, 0..100 percent. */
static double load_of(const struct rip_status_reply *status, const struct rip_status_reply *before)
{
	const uint64_t busy_us = status->busy_us - (before ? before->busy_us : 0);
	const uint64_t ms = status->uptime_ms - (before ? before->uptime_ms : 0);
	double load;

	if (!ms || !status->workers)
		return 0;
	load = (double)busy_us / 10 / (double)ms / status->workers;
	return load > 100 ? 100 : load; /* the two are not read at the same instant */
}

/* The same session in an earlier reply, or NULL. */
static const struct rip_session_status *find(const struct rip_status_reply *before,
					     const struct rip_session_status *session)
{
	for (uint32_t i = 0; before && i < before->count; i++) {
		const struct rip_session_status *s = &before->session[i];

		if (s->pid == session->pid && s->job == session->job &&
		    s->age_ms <= session->age_ms && s->samples <= session->samples)
			return s;
	}
	return NULL;
}

/* Samples a second. */
static double rate_of(const struct rip_session_status *session,
		      const struct rip_session_status *before)
{
	const uint64_t samples = session->samples - (before ? before->samples : 0);
	const uint32_t ms = session->age_ms - (before ? before->age_ms : 0);

	return ms ? (double)samples * 1000 / ms : 0;
}

/* --- the table ----------------------------------------------------------------- */

__attribute__((format(printf, 3, 4)))
static void line(FILE *out, unsigned columns, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (columns && columns < sizeof text)
		text[columns] = '\0';
	fprintf(out, "%s\n", text);
}

static void print_session(FILE *out, const struct rip_session_status *session,
			  const struct rip_session_status *before, int queue_width,
			  unsigned columns)
{
	char job[16] = "-", page[16] = "-", size[40] = "-", done[16] = "-";
	char rate[32], age[32];
	escaped_text queue;

	rip_text_escape(queue, sizeof queue, session->queue);
	if (session->job)
		snprintf(job, sizeof job, "%" PRIu32, session->job);
	if (session->page) {
		snprintf(page, sizeof page, "%" PRIu32, session->page);
		snprintf(done, sizeof done, "%" PRIu32 " rows", session->rows);
	}
	if (session->page && session->height) {
		snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, session->width,
			 session->height, session->planes);
		snprintf(done, sizeof done, "%" PRIu64 " %%",
			 (uint64_t)session->rows * 100 / session->height);
	} else if (session->page) {
		snprintf(size, sizeof size, "%" PRIu32 "x?x%" PRIu32, session->width,
			 session->planes);
	}
	print_count(rate, sizeof rate, rate_of(session, before));
	print_time(age, sizeof age, session->age_ms);
	line(out, columns, "%6s  %-*.*s  %-6s %5s  %-16s %9s  %5" PRIu32 "  %7spx/s  %8" PRIu32 "  %s",
	     job, queue_width, queue_width, *queue ? queue : "-",
	     rip_method_name((int)session->method), page, size, done, session->bands, rate,
	     session->pid, age);
}

void rip_status_print(FILE *out, const struct rip_status_reply *status,
		      const struct rip_status_reply *before, unsigned columns)
{
	char up[32], samples[32];
	escaped_text program, device, why;
	int queue_width = 5;

	rip_text_escape(program, sizeof program, status->program);
	rip_text_escape(device, sizeof device, status->device);
	rip_text_escape(why, sizeof why, status->accelerator);
	print_time(up, sizeof up, status->uptime_ms);
	print_count(samples, sizeof samples, (double)status->samples);
	line(out, columns, "riptided %s, process %" PRIu32 ", up %s", program, status->pid, up);
	line(out, columns, "device    %s%s%s%s", device, *why ? " (no GPU: " : "", why,
	     *why ? ")" : "");
	line(out, columns, "load      %.0f %% of %" PRIu32 " worker%s", load_of(status, before),
	     status->workers, status->workers == 1 ? "" : "s");
	line(out, columns, "totals    %" PRIu64 " jobs, %" PRIu64 " pages, %" PRIu64
	     " bands, %spixels, %" PRIu32 " clients turned away", status->jobs, status->pages,
	     status->bands, samples, status->refused);
	line(out, columns, "sessions  %" PRIu32, status->sessions);
	if (!status->count)
		return;
	for (uint32_t i = 0; i < status->count; i++) {
		escaped_text queue;
		int width;

		rip_text_escape(queue, sizeof queue, status->session[i].queue);
		width = (int)strlen(queue);
		if (width > queue_width)
			queue_width = width < QUEUE_COLUMNS ? width : QUEUE_COLUMNS;
	}
	fputc('\n', out);
	line(out, columns, "%6s  %-*s  %-6s %5s  %-16s %9s  %5s  %11s  %8s  %s", "JOB", queue_width,
	     "QUEUE", "METHOD", "PAGE", "SIZE", "DONE", "BANDS", "RATE", "PROCESS", "AGE");
	for (uint32_t i = 0; i < status->count; i++)
		print_session(out, &status->session[i], find(before, &status->session[i]),
			      queue_width, columns);
	if (status->sessions > status->count)
		line(out, columns, "... and %" PRIu32 " more", status->sessions - status->count);
}

/* --- JSON ---------------------------------------------------------------------- */

/* A text of the wire as a JSON string.  Bytes that are no printable ASCII are
 * escaped as everywhere else, since they need not be UTF-8. */
static void print_string(FILE *out, const char *text)
{
	escaped_text escaped;

	rip_text_escape(escaped, sizeof escaped, text);
	fputc('"', out);
	for (const char *c = escaped; *c; c++) {
		if (*c == '"' || *c == '\\')
			fputc('\\', out);
		fputc(*c, out);
	}
	fputc('"', out);
}

static void print_member(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\":", name);
	print_string(out, text);
	fputc(',', out);
}

static void print_session_json(FILE *out, const struct rip_session_status *session)
{
	fprintf(out, "{\"job\":%" PRIu32 ",", session->job);
	print_member(out, "queue", session->queue);
	print_member(out, "method", rip_method_name((int)session->method));
	fprintf(out,
		"\"page\":%" PRIu32 ",\"width\":%" PRIu32 ",\"height\":%" PRIu32
		",\"planes\":%" PRIu32 ",\"rows\":%" PRIu32 ",\"bands\":%" PRIu32
		",\"pid\":%" PRIu32 ",\"age_ms\":%" PRIu32 ",\"samples\":%" PRIu64
		",\"samples_per_s\":%.0f}",
		session->page, session->width, session->height, session->planes, session->rows,
		session->bands, session->pid, session->age_ms, session->samples,
		rate_of(session, NULL));
}

void rip_status_print_json(FILE *out, const struct rip_status_reply *status)
{
	fputc('{', out);
	print_member(out, "program", "riptided");
	print_member(out, "version", status->program);
	fprintf(out, "\"protocol\":%" PRIu32 ",\"pid\":%" PRIu32 ",\"uptime_ms\":%" PRIu64 ",",
		status->version, status->pid, status->uptime_ms);
	print_member(out, "device", status->device);
	print_member(out, "why_no_gpu", status->accelerator);
	fprintf(out,
		"\"workers\":%" PRIu32 ",\"busy_us\":%" PRIu64 ",\"load\":%.4f,\"jobs\":%" PRIu64
		",\"pages\":%" PRIu64 ",\"bands\":%" PRIu64 ",\"samples\":%" PRIu64
		",\"refused\":%" PRIu32 ",\"session_count\":%" PRIu32 ",\"sessions\":[",
		status->workers, status->busy_us, load_of(status, NULL) / 100, status->jobs,
		status->pages, status->bands, status->samples, status->refused, status->sessions);
	for (uint32_t i = 0; i < status->count; i++) {
		if (i)
			fputc(',', out);
		print_session_json(out, &status->session[i]);
	}
	fputs("]}\n", out);
}

/* --- metrics ------------------------------------------------------------------- */

static void head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP riptide_%s %s\n# TYPE riptide_%s %s\n", name, help, name, type);
}

static void metric(FILE *out, const char *name, const char *type, const char *help, double value)
{
	head(out, name, type, help);
	fprintf(out, "riptide_%s %.17g\n", name, value);
}

void rip_status_print_metrics(FILE *out, const struct rip_status_reply *status)
{
	head(out, "info", "gauge", "The daemon's version and device.");
	fputs("riptide_info{version=", out);
	print_string(out, status->program);
	fputs(",device=", out);
	print_string(out, status->device);
	fputs("} 1\n", out);
	metric(out, "uptime_seconds", "gauge", "Time since the daemon started.",
	       (double)status->uptime_ms / 1000);
	metric(out, "accelerator", "gauge", "Whether a GPU is in use.", !status->accelerator[0]);
	metric(out, "workers", "gauge", "Worker threads.", status->workers);
	metric(out, "busy_seconds_total", "counter", "Time that all workers have worked.",
	       (double)status->busy_us / 1e6);
	metric(out, "jobs_total", "counter", "Sessions begun.", (double)status->jobs);
	metric(out, "pages_total", "counter", "Pages begun.", (double)status->pages);
	metric(out, "bands_total", "counter", "Bands halftoned.", (double)status->bands);
	metric(out, "samples_total", "counter", "Samples halftoned.", (double)status->samples);
	metric(out, "refused_total", "counter", "Clients turned away or cut off.", status->refused);
	metric(out, "sessions", "gauge", "Sessions open now.", status->sessions);
}
