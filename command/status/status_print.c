/* A daemon's status as JSON and as metrics. */
#include "config.h"

#include "status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "wire/codec.h"

/* A text from the wire, escaped to printable ASCII: a byte takes at most 4. */
typedef char escaped_text[4 * RIP_REASON_MAX + 1];

/* --- JSON ---------------------------------------------------------------------- */

void rip_status_print_string(FILE *out, const char *text)
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
	rip_status_print_string(out, text);
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
		rip_status_rate(session, NULL));
}

/* Where pages went, in JSON and metrics. */
static const char *const places[RIP_PLACES] = {
	[RIP_PLACE_GPU] = "gpu", [RIP_PLACE_CPU] = "cpu", [RIP_PLACE_SMALL] = "small",
	[RIP_PLACE_BUSY] = "busy", [RIP_PLACE_NO_GPU] = "no_gpu", [RIP_PLACE_MEMORY] = "no_memory",
	[RIP_PLACE_UNFIT] = "unfit",
};

const char *rip_status_gpu_state(const struct rip_gpu_status *gpu)
{
	static const char *const names[RIP_GPU_STATES] = {
		[RIP_GPU_USED] = "used", [RIP_GPU_SOUGHT] = "looked for",
		[RIP_GPU_MISSING] = "missing", [RIP_GPU_FAILED] = "failed",
	};

	return gpu->state < RIP_GPU_STATES ? names[gpu->state] : "unknown";
}

static void print_gpu_json(FILE *out, const struct rip_gpu_status *gpu)
{
	fprintf(out, "{\"gpu\":%" PRIu32 ",", gpu->number);
	print_member(out, "name", gpu->name);
	print_member(out, "state", rip_status_gpu_state(gpu));
	print_member(out, "why", gpu->why);
	fprintf(out, "\"sessions\":%" PRIu32 ",\"failures\":%" PRIu32 "}", gpu->sessions,
		gpu->failures);
}

void rip_status_print_json(FILE *out, const struct rip_status_reply *status)
{
	print_member(out, "program", "riptided");
	print_member(out, "version", status->program);
	fprintf(out, "\"protocol\":%" PRIu32 ",\"pid\":%" PRIu32 ",\"uptime_ms\":%" PRIu64 ",",
		status->version, status->pid, status->uptime_ms);
	print_member(out, "device", status->device);
	print_member(out, "why_no_gpu", status->accelerator);
	fputs("\"gpus\":[", out);
	for (uint32_t i = 0; i < status->devices.count; i++) {
		if (i)
			fputc(',', out);
		print_gpu_json(out, &status->devices.gpu[i]);
	}
	fputs("],\"placed_pages\":{", out);
	for (unsigned i = 0; i < RIP_PLACES; i++)
		fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "", places[i],
			status->placed[i]);
	fprintf(out, "},\"workers\":%" PRIu32
		",\"busy_us\":%" PRIu64 ",\"load\":%.4f,\"jobs\":%" PRIu64 ",\"pages\":%" PRIu64
		",\"bands\":%" PRIu64 ",\"samples\":%" PRIu64 ",\"refused\":%" PRIu32
		",\"memory\":%" PRIu64 ",\"max_memory\":%" PRIu64 ",\"resident_memory\":%" PRIu64
		",\"retained_memory\":%" PRIu64 ",\"retained_sessions\":%" PRIu32
		",\"max_sessions\":%" PRIu32 ",\"session_count\":%" PRIu32 ",\"sessions\":[",
		status->workers, status->busy_us, rip_status_load(status, NULL), status->jobs,
		status->pages, status->bands, status->samples, status->refused, status->memory,
		status->max_memory, status->resident, status->retained_bytes, status->retained,
		status->max_sessions, status->sessions);
	for (uint32_t i = 0; i < status->count; i++) {
		if (i)
			fputc(',', out);
		print_session_json(out, &status->session[i]);
	}
	fputs("]", out);
}

/* --- metrics ------------------------------------------------------------------- */

void rip_status_print_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP riptide_%s %s\n# TYPE riptide_%s %s\n", name, help, name, type);
}

/* The value is in units of 10^-decimals, and is printed exactly: a double cannot hold 0.07, or
 * odd numbers above 2^53, which a GPU's count of samples exceeds in a day. */
static void metric(FILE *out, const char *name, const char *type, const char *help, uint64_t value,
		   int decimals)
{
	uint64_t unit = 1;

	for (int i = 0; i < decimals; i++)
		unit *= 10;
	rip_status_print_head(out, name, type, help);
	fprintf(out, "riptide_%s %" PRIu64, name, value / unit);
	if (decimals)
		fprintf(out, ".%0*" PRIu64, decimals, value % unit);
	fputc('\n', out);
}

static void whole(FILE *out, const char *name, const char *type, const char *help, uint64_t value)
{
	metric(out, name, type, help, value, 0);
}

static bool same_queue(const struct rip_session_status *a, const struct rip_session_status *b)
{
	return !strcmp(a->queue, b->queue);
}

/* Sessions by queue, as far as the reply has them. */
static void print_queues(FILE *out, const struct rip_status_reply *status)
{
	rip_status_print_head(out, "queue_sessions", "gauge", "Sessions open now, by queue.");
	for (uint32_t i = 0; i < status->count; i++) {
		unsigned before = 0, all = 0;

		for (uint32_t k = 0; k < status->count; k++) {
			const bool same = same_queue(&status->session[k], &status->session[i]);

			before += same && k < i;
			all += same;
		}
		if (before)
			continue;
		fputs("riptide_queue_sessions{queue=", out);
		rip_status_print_string(out, status->session[i].queue);
		fprintf(out, "} %u\n", all);
	}
}

static void print_gpu_metric(FILE *out, const char *name, const struct rip_gpu_status *gpu,
			     uint32_t value)
{
	fprintf(out, "riptide_%s{gpu=\"%" PRIu32 "\",name=", name, gpu->number);
	rip_status_print_string(out, gpu->name);
	fprintf(out, "} %" PRIu32 "\n", value);
}

static void print_gpus(FILE *out, const struct rip_devices_reply *devices)
{
	if (!devices->count)
		return;
	rip_status_print_head(out, "gpu_used", "gauge", "Whether this GPU halftones.");
	for (uint32_t i = 0; i < devices->count; i++)
		print_gpu_metric(out, "gpu_used", &devices->gpu[i],
				 devices->gpu[i].state == RIP_GPU_USED);
	rip_status_print_head(out, "gpu_sessions", "gauge", "Sessions that have this GPU.");
	for (uint32_t i = 0; i < devices->count; i++)
		print_gpu_metric(out, "gpu_sessions", &devices->gpu[i], devices->gpu[i].sessions);
	rip_status_print_head(out, "gpu_failures_total", "counter",
			      "How often this GPU has failed.");
	for (uint32_t i = 0; i < devices->count; i++)
		print_gpu_metric(out, "gpu_failures_total",
				 &devices->gpu[i], devices->gpu[i].failures);
}

void rip_status_print_metrics(FILE *out, const struct rip_status_reply *status)
{
	rip_status_print_head(out, "info", "gauge", "The daemon's version and device.");
	fputs("riptide_info{version=", out);
	rip_status_print_string(out, status->program);
	fputs(",device=", out);
	rip_status_print_string(out, status->device);
	fputs("} 1\n", out);
	metric(out, "uptime_seconds", "gauge", "Time since the daemon started.",
	       status->uptime_ms, 3);
	whole(out, "accelerator", "gauge", "Whether a GPU is in use.", !status->accelerator[0]);
	whole(out, "workers", "gauge", "Worker threads.", status->workers);
	metric(out, "busy_seconds_total", "counter", "Time that all workers have worked.",
	       status->busy_us, 6);
	whole(out, "jobs_total", "counter", "Sessions begun.", status->jobs);
	whole(out, "pages_total", "counter", "Pages begun.", status->pages);
	rip_status_print_head(out, "placed_pages_total", "counter",
			      "Pages by where they went: gpu, cpu, or back to clients, and why.");
	for (unsigned i = 0; i < RIP_PLACES; i++)
		fprintf(out, "riptide_placed_pages_total{place=\"%s\"} %" PRIu64 "\n",
			places[i], status->placed[i]);
	whole(out, "bands_total", "counter", "Bands halftoned.", status->bands);
	whole(out, "samples_total", "counter", "Samples halftoned.", status->samples);
	whole(out, "refused_total", "counter", "Clients refused.", status->refused);
	whole(out, "sessions", "gauge", "Sessions open now.", status->sessions);
	whole(out, "sessions_max", "gauge", "Sessions that may be open.", status->max_sessions);
	whole(out, "memory_bytes", "gauge", "Memory that sessions are charged.", status->memory);
	whole(out, "memory_max_bytes", "gauge", "Memory that they may be charged.",
	      status->max_memory);
	whole(out, "resident_memory_bytes", "gauge", "Memory of the daemon, whatever for.",
	      status->resident);
	whole(out, "retained_memory_bytes", "gauge",
	      "Of it: memory of ended sessions that clients still map.", status->retained_bytes);
	whole(out, "retained_sessions", "gauge", "Ended sessions whose memory clients still map.",
	      status->retained);
	print_gpus(out, &status->devices);
	print_queues(out, status);
}
