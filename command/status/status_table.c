/* A daemon's status as a table for people. */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "status.h"
#include "wire/codec.h"

/* A text from the wire, with unprintable characters escaped: a byte takes at most 4. */
typedef char shown_text[4 * RIP_REASON_MAX + 1];

/* The widest column of queue names; CUPS itself allows 127 bytes. */
#define QUEUE_COLUMNS 24

#define LINE_ROOM 1024 /* characters */

/* --- numbers for people -------------------------------------------------------- */

/* "s" for any count but 1. */
static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

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

/* 1610612736 as 1.5 GiB. */
static void print_bytes(char *text, size_t size, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes;
	unsigned unit = 0;

	while (value >= 1023.5 && unit < 4) {
		value /= 1024;
		unit++;
	}
	snprintf(text, size, unit && value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
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

/* [#####.....] */
static void print_bar(char *text, size_t size, unsigned width, double part)
{
	const double filled = (part < 0 ? 0 : part > 1 ? 1 : part) * width;
	size_t used = 0;

	if (size < width + 3)
		return;
	text[used++] = '[';
	for (unsigned i = 0; i < width; i++)
		text[used++] = i + 0.5 < filled ? '#' : '.';
	text[used++] = ']';
	text[used] = '\0';
}

/* --- what the numbers are ------------------------------------------------------ */

double rip_status_load(const struct rip_status_reply *status, const struct rip_status_reply *before)
{
	const uint64_t busy_us = status->busy_us - (before ? before->busy_us : 0);
	const uint64_t ms = status->uptime_ms - (before ? before->uptime_ms : 0);
	double load;

	if (!ms || !status->workers)
		return 0;
	load = (double)busy_us / 1000 / (double)ms / status->workers;
	return load > 1 ? 1 : load; /* the two are not read at the same instant */
}

/* Samples a second of all sessions. */
static double rate_of_all(const struct rip_status_reply *status,
			  const struct rip_status_reply *before)
{
	const uint64_t samples = status->samples - (before ? before->samples : 0);
	const uint64_t ms = status->uptime_ms - (before ? before->uptime_ms : 0);

	return ms ? (double)samples * 1000 / (double)ms : 0;
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

double rip_status_rate(const struct rip_session_status *session,
		       const struct rip_session_status *before)
{
	const uint64_t samples = session->samples - (before ? before->samples : 0);
	const uint32_t ms = session->age_ms - (before ? before->age_ms : 0);

	return ms ? (double)samples * 1000 / ms : 0;
}

/* --- columns of a terminal ----------------------------------------------------- */

/* Returns how many bytes of a printable text fit into so many columns, and in *used how many
 * columns these take.  Only in a UTF-8 locale may a character have several bytes, or none or
 * two columns. */
static size_t fit(const char *text, unsigned columns, unsigned *used)
{
	mbstate_t state = { 0 };
	size_t bytes = 0, n;
	wchar_t c;

	*used = 0;
	while ((n = mbrtowc(&c, text + bytes, MB_CUR_MAX, &state)) > 0 && n <= MB_CUR_MAX) {
		const int width = wcwidth(c);

		if (*used + (unsigned)(width > 0 ? width : 0) > columns)
			break;
		*used += (unsigned)(width > 0 ? width : 0);
		bytes += n;
	}
	return bytes;
}

unsigned rip_status_columns(const char *text)
{
	unsigned used;

	fit(text, UINT_MAX, &used);
	return used;
}

/* --- lines --------------------------------------------------------------------- */

/* The output, and how many lines are left. */
struct paper {
	FILE    *out;
	unsigned columns; /* 0: any */
	unsigned rows;    /* UINT_MAX: any */
	bool     live;
};

static void put(struct paper *paper, char *text, bool title)
{
	unsigned used;

	if (!paper->rows)
		return;
	paper->rows--;
	if (paper->columns)
		text[fit(text, paper->columns, &used)] = '\0';
	if (title && paper->live)
		fprintf(paper->out, "\033[7m%-*s\033[m\n", (int)paper->columns, text);
	else
		fprintf(paper->out, "%s\n", text);
}

__attribute__((format(printf, 2, 3)))
static void line(struct paper *paper, const char *format, ...)
{
	char text[LINE_ROOM];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	put(paper, text, false);
}

/* --- sessions ------------------------------------------------------------------ */

enum table_column { JOB, QUEUE, PAGE, DONE, RATE, SIZE, BANDS, METHOD, PROCESS, AGE, COLUMNS };

static int max(int a, int b)
{
	return a > b ? a : b;
}

static int digits(uint32_t number)
{
	return snprintf(NULL, 0, "%" PRIu32, number);
}

/* In the order of importance: columns that do not fit on a narrow terminal are omitted, from
 * the right. */
struct columns {
	int      width[COLUMNS]; /* negative: to the left */
	unsigned count;
};

static const char *const titles[COLUMNS] = {
	"JOB", "QUEUE", "PAGE", "DONE", "RATE", "SIZE", "BANDS", "METHOD", "PROCESS", "AGE"
};

static void plan(struct columns *columns, const struct rip_status_reply *status,
		 const struct paper *paper)
{
	unsigned used = 0;
	int job = 6, page = 5, queue = 5;

	for (uint32_t i = 0; i < status->count; i++) {
		shown_text name;

		rip_text_show(name, sizeof name, status->session[i].queue);
		job = max(job, digits(status->session[i].job));
		page = max(page, digits(status->session[i].page));
		queue = max(queue, (int)rip_status_columns(name));
	}
	queue = queue < QUEUE_COLUMNS ? queue : QUEUE_COLUMNS;
	*columns = (struct columns){ .width = {
		[JOB] = job, [QUEUE] = -queue, [PAGE] = page, [DONE] = paper->live ? 18 : 13, [RATE] = 11,
		[SIZE] = -16, [BANDS] = 5, [METHOD] = -6, [PROCESS] = 8, [AGE] = -12 } };
	for (unsigned i = 0; i < COLUMNS; i++) {
		const int width = columns->width[i];

		/* Of the last column only the title must fit. */
		used += (i ? 2 : 0) + (unsigned)(i == AGE ? 3 : width < 0 ? -width : width);
		if (paper->columns && used > paper->columns)
			break;
		columns->count++;
	}
}

static void put_cells(struct paper *paper, const struct columns *columns,
		      const char *const cells[COLUMNS], bool title)
{
	char text[LINE_ROOM] = ""; /* as it stays if no column fits */
	size_t used = 0;

	for (unsigned i = 0; i < columns->count && used < sizeof text; i++) {
		const int width = columns->width[i], most = width < 0 ? -width : width;
		unsigned taken;
		const size_t bytes = fit(cells[i], (unsigned)most, &taken);
		const int pad = most - (int)taken;

		used += (size_t)snprintf(text + used, sizeof text - used, "%s%*s%.*s%*s", i ? "  " : "",
					 width > 0 ? pad : 0, "", (int)bytes, cells[i],
					 width < 0 ? pad : 0, "");
	}
	while (used && used < sizeof text && text[used - 1] == ' ')
		text[--used] = '\0';
	put(paper, text, title);
}

static void print_session(struct paper *paper, const struct columns *columns,
			  const struct rip_session_status *session,
			  const struct rip_session_status *before)
{
	char job[16] = "-", page[16] = "-", size[40] = "-", done[40] = "-";
	char rate[32], bands[16], process[16], age[32];
	shown_text queue;
	const char *const cells[COLUMNS] = {
		[JOB] = job, [QUEUE] = queue, [PAGE] = page, [DONE] = done, [RATE] = rate,
		[SIZE] = size, [BANDS] = bands, [METHOD] = rip_method_name((int)session->method),
		[PROCESS] = process, [AGE] = age,
	};

	rip_text_show(queue, sizeof queue, *session->queue ? session->queue : "-");
	if (session->job)
		snprintf(job, sizeof job, "%" PRIu32, session->job);
	if (session->page) {
		snprintf(page, sizeof page, "%" PRIu32, session->page);
		snprintf(done, sizeof done, "%" PRIu32 " row%s", session->rows, plural(session->rows));
	}
	if (session->page && session->height) {
		char bar[16] = "";

		snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, session->width,
			 session->height, session->planes);
		if (paper->live)
			print_bar(bar, sizeof bar, 10, (double)session->rows / session->height);
		snprintf(done, sizeof done, "%s%s%" PRIu64 " %%", bar, *bar ? " " : "",
			 (uint64_t)session->rows * 100 / session->height);
	} else if (session->page) {
		snprintf(size, sizeof size, "%" PRIu32 "x?x%" PRIu32, session->width,
			 session->planes);
	}
	print_count(rate, sizeof rate - 4, rip_status_rate(session, before));
	strcat(rate, "px/s");
	snprintf(bands, sizeof bands, "%" PRIu32, session->bands);
	snprintf(process, sizeof process, "%" PRIu32, session->pid);
	print_time(age, sizeof age, session->age_ms);
	put_cells(paper, columns, cells, false);
}

static void print_sessions(struct paper *paper, const struct rip_status_reply *status,
			   const struct rip_status_reply *before)
{
	struct columns columns;
	uint32_t shown = status->count;

	if (!status->count)
		return;
	line(paper, "%s", "");
	plan(&columns, status, paper);
	put_cells(paper, &columns, titles, true);
	/* The last line is for those that do not fit. */
	if (status->sessions > paper->rows)
		shown = paper->rows > 0 ? paper->rows - 1 : 0;
	for (uint32_t i = 0; i < shown && i < status->count; i++)
		print_session(paper, &columns, &status->session[i],
			      find(before, &status->session[i]));
	if (status->sessions > shown)
		line(paper, "... and %" PRIu32 " more", status->sessions - shown);
}

/* --- all of it ----------------------------------------------------------------- */

/* "[####......]  " before a number, in a live table. */
static void bar_of(char *text, size_t size, const struct paper *paper, double part)
{
	*text = '\0';
	if (!paper->live || (paper->columns && paper->columns < 60))
		return;
	print_bar(text, size - 2, 20, part);
	strcat(text, "  ");
}

static void print_memory(struct paper *paper, const struct rip_status_reply *status)
{
	char memory[32], most[32], resident[32], retained[32], bar[32], of_ended[96] = "";

	print_bytes(memory, sizeof memory, status->memory);
	print_bytes(most, sizeof most, status->max_memory);
	print_bytes(resident, sizeof resident, status->resident);
	print_bytes(retained, sizeof retained, status->retained_bytes);
	bar_of(bar, sizeof bar, paper,
	       status->max_memory ? (double)status->memory / (double)status->max_memory : 0);
	if (status->retained)
		snprintf(of_ended, sizeof of_ended, ", %s retained by clients of %" PRIu32 " ended session%s",
			 retained, status->retained, plural(status->retained));
	line(paper, "memory    %s%s of %s charged%s; %s resident", bar, memory, most, of_ended,
	     resident);
}

/* A line for each GPU, if there are several or one has failed. */
static void print_gpus(struct paper *paper, const struct rip_devices_reply *devices)
{
	for (uint32_t i = 0; i < devices->count; i++) {
		const struct rip_gpu_status *gpu = &devices->gpu[i];
		shown_text why;
		char failed[48] = "";

		if (devices->count == 1 && !gpu->failures)
			return;
		rip_text_show(why, sizeof why, gpu->why);
		if (gpu->failures)
			snprintf(failed, sizeof failed, ", %" PRIu32 " failure%s", gpu->failures,
				 plural(gpu->failures));
		line(paper, "GPU %-5" PRIu32 " %s, %" PRIu32 " session%s%s%s%s", gpu->number,
		     rip_status_gpu_state(gpu), gpu->sessions, plural(gpu->sessions), failed,
		     *why ? ": " : "", why);
	}
}

/* Where pages went: a line, once there are any. */
static void print_places(struct paper *paper, const uint64_t placed[RIP_PLACES])
{
	static const char *const names[RIP_PLACES] = {
		"on GPUs", "on processors here", "small", "GPUs busy", "no GPU", "no memory left",
		"not for a daemon",
	};
	char text[RIP_PLACES * 48] = "";
	bool left = false;

	for (unsigned i = 0; i < RIP_PLACES; i++) {
		const size_t used = strlen(text);
		const bool first_left = i >= RIP_PLACE_SMALL && !left;

		if (!placed[i])
			continue;
		left |= first_left;
		snprintf(text + used, sizeof text - used, "%s%s%" PRIu64 " %s",
			 !used ? "" : first_left ? "; " : ", ",
			 first_left ? "left to clients: " : "", placed[i], names[i]);
	}
	if (*text)
		line(paper, "pages     %s", text);
}

void rip_status_print(FILE *out, const struct rip_status_reply *status,
		      const struct rip_status_view *view)
{
	static const struct rip_status_view whole;
	const struct rip_status_reply *before = view ? view->before : NULL;
	const double load = rip_status_load(status, before);
	struct paper paper;
	char up[32], samples[32], rate[32], bar[32];
	shown_text program, device, why;

	if (!view)
		view = &whole;
	paper = (struct paper){ out, view->columns, view->rows ? view->rows : UINT32_MAX,
				view->live };
	rip_text_show(program, sizeof program, status->program);
	rip_text_show(device, sizeof device, status->device);
	rip_text_show(why, sizeof why, status->accelerator);
	print_time(up, sizeof up, status->uptime_ms);
	print_count(samples, sizeof samples, (double)status->samples);
	print_count(rate, sizeof rate, rate_of_all(status, before));
	line(&paper, "riptided %s, process %" PRIu32 ", up %s", program, status->pid, up);
	line(&paper, "device    %s%s%s%s%s", device,
	     strcmp(device, "none") ? "" : ": clients halftone by themselves",
	     *why ? " (no GPU: " : "", why, *why ? ")" : "");
	print_gpus(&paper, &status->devices);
	bar_of(bar, sizeof bar, &paper, load);
	line(&paper, "load      %s%.0f %% of %" PRIu32 " worker%s, %spx/s%s", bar, load * 100,
	     status->workers, plural(status->workers), rate,
	     before ? "" : ", on average since the start");
	print_memory(&paper, status);
	line(&paper, "totals    %" PRIu64 " session%s, %" PRIu64 " page%s, %" PRIu64 " band%s, %spixels, %"
	     PRIu32 " client%s refused", status->jobs, plural(status->jobs), status->pages,
	     plural(status->pages), status->bands, plural(status->bands), samples, status->refused,
	     plural(status->refused));
	print_places(&paper, status->placed);
	line(&paper, "sessions  %" PRIu32 " of %" PRIu32, status->sessions, status->max_sessions);
	print_sessions(&paper, status, before);
}
