/* The configuration file, and what is built in. */
#include "config.h"

#include "settings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "system/ascii.h"
#include "system/draw_settings.h"
#include "system/key_file.h"
#include "wire/codec.h"

#define MAX_MEMORY (UINT64_C(1) << 40)
#define MIN_MEMORY (UINT64_C(32) << 20) /* one session with its ring */
#define WHY_MAX    384 /* what is wrong with one key */

_Static_assert(RIP_SETTINGS_SOCKET_MAX == 107, "messages and riptided.conf(5) say so");

static uint64_t default_memory(void)
{
	uint64_t wanted = UINT64_C(2) << 30;
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	/* Rings are charged in full but filled only as far as bands need: half of
	 * the machine is far more than jobs touch. */
	if (pages > 0 && size > 0 && (uint64_t)pages * size / 2 < wanted)
		wanted = (uint64_t)pages * size / 2;
	return wanted < MIN_MEMORY ? MIN_MEMORY : wanted;
}

void rip_settings_init(struct rip_settings *settings)
{
	*settings = (struct rip_settings){
		.socket = RIP_DEFAULT_SOCKET,
		.group = RIP_CUPS_GROUP,
		.device = RIP_DEVICE_AUTO,
		.max_sessions = 64,
		.max_sessions_per_process = 16,
		.max_memory = default_memory(),
		.idle_exit = 1800,
		.log_priority = LOG_INFO,
	};
}

/* A number with nothing behind it.  *rest: where it ends. */
static bool number(const char *text, uint64_t *value, const char **rest)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	*rest = end;
	return errno == 0;
}

static bool whole(const char *text, uint64_t min, uint64_t max, unsigned *value)
{
	const char *rest;
	uint64_t n;

	if (!number(text, &n, &rest) || *rest || n < min || n > max)
		return false;
	*value = n;
	return true;
}

static bool memory(const char *text, uint64_t *value)
{
	static const char units[] = "KMGT";
	const char *rest, *unit;
	uint64_t n;
	int shift = 0;

	if (!number(text, &n, &rest))
		return false;
	if (*rest) {
		unit = strchr(units, rip_upper(*rest));
		if (!unit || rest[1])
			return false;
		shift = 10 * (int)(unit - units + 1);
	}
	if (n > MAX_MEMORY >> shift || n << shift < MIN_MEMORY)
		return false;
	*value = n << shift;
	return true;
}

/* Numbers of GPUs with commas between, each once. */
static bool gpu_list(struct rip_settings *settings, const char *value)
{
	int gpus[RIP_GPUS_MAX] = { 0 };
	unsigned count = 0;

	for (const char *rest = value;; rest++) {
		uint64_t n;

		if (count == RIP_GPUS_MAX || !number(rest, &n, &rest) || n > INT_MAX)
			return false;
		for (unsigned i = 0; i < count; i++)
			if (gpus[i] == (int)n)
				return false;
		gpus[count++] = (int)n;
		if (!*rest)
			break;
		if (*rest != ',')
			return false;
	}
	settings->device = RIP_DEVICE_GPU;
	settings->gpu_count = count;
	memcpy(settings->gpus, gpus, sizeof gpus);
	return true;
}

/* A device as --device and the file spell it: auto, cpu, gpu (in any case), or numbers with commas
 * between. */
static bool set_device(struct rip_settings *settings, const char *value)
{
	static const char *const names[] = {
		[RIP_DEVICE_AUTO] = "auto", [RIP_DEVICE_CPU] = "cpu", [RIP_DEVICE_GPU] = "gpu",
	};

	for (int kind = RIP_DEVICE_AUTO; kind <= RIP_DEVICE_GPU; kind++)
		if (rip_same_name(value, names[kind])) {
			settings->device = (enum rip_device_kind)kind;
			settings->gpu_count = 0;
			return true;
		}
	return gpu_list(settings, value);
}

static bool log_level(const char *value, int *priority)
{
	static const struct {
		const char *name;
		int priority;
	} names[] = { { "error", LOG_ERR }, { "warning", LOG_WARNING },
		      { "info", LOG_INFO }, { "debug", LOG_DEBUG } };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(value, names[i].name)) {
			*priority = names[i].priority;
			return true;
		}
	return false;
}

static bool text(const char *value, char *field, size_t size)
{
	if (strlen(value) >= size)
		return false;
	strcpy(field, value);
	return true;
}

/* Sets one key as the file does.  On false, error (size bytes) says what is wrong and what
 * would be right, and nothing was changed. */
static bool take(void *settings, const char *key, const char *value, char *error, size_t size)
{
	struct rip_settings *s = settings;
	char shown[4 * 32 + 1]; /* of the file, escaped: it may not be text at all */
	const char *wanted;
	bool ok;

	if (!strcmp(key, "device")) {
		ok = set_device(s, value);
		wanted = "auto, cpu, gpu, or numbers of GPUs such as 0,2, each once";
	} else if (!strcmp(key, "socket")) {
		ok = *value == '/' && text(value, s->socket, sizeof s->socket);
		wanted = "an absolute path of at most 107 bytes";
	} else if (!strcmp(key, "group")) {
		ok = text(value, s->group, sizeof s->group);
		wanted = "the name of a group";
	} else if (!strcmp(key, "threads")) {
		ok = whole(value, 0, 1024, &s->threads);
		wanted = "0 (one for each processor) to 1024";
	} else if (!strcmp(key, "max-sessions")) {
		ok = whole(value, 1, 1024, &s->max_sessions);
		wanted = "1 to 1024";
	} else if (!strcmp(key, "max-sessions-per-process")) {
		ok = whole(value, 1, 1024, &s->max_sessions_per_process);
		wanted = "1 to 1024";
	} else if (!strcmp(key, "max-memory")) {
		ok = memory(value, &s->max_memory);
		wanted = "bytes with K, M, G or T behind, 32M to 1T";
	} else if (!strcmp(key, "idle-exit")) {
		ok = whole(value, 0, 86400 * 365, &s->idle_exit);
		wanted = "0 (never) to 31536000 seconds";
	} else if (!strcmp(key, "log-level")) {
		ok = log_level(value, &s->log_priority);
		wanted = "error, warning, info or debug";
	} else if (rip_draw_settings_know(key)) { /* read by those who start Ghostscript */
		ok = rip_draw_settings_set(&(struct rip_draw_settings){ 0 }, key, value, &wanted);
	} else {
		rip_text_escape(shown, sizeof shown, key);
		snprintf(error, size, "unknown key '%s' (known: device, socket, group, threads, "
			 "max-sessions, max-sessions-per-process, max-memory, idle-exit, "
			 "log-level, riptide-jail, riptide-jail-folders, "
			 "riptide-all-workers, riptide-stalled-after, riptide-renderer)", shown);
		return false;
	}
	if (!ok) {
		rip_text_escape(shown, sizeof shown, value);
		snprintf(error, size, "%s: '%s' is not %s", key, shown, wanted);
	}
	return ok;
}

int rip_settings_load(struct rip_settings *settings, const char *path, char *error, size_t size)
{
	struct rip_settings loaded = *settings;
	FILE *file = fopen(path, "re");
	int r;

	if (!file) {
		r = -errno;
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return r;
	}
	r = rip_key_file_read(file, path, take, &loaded, error, size);
	if (r == 0)
		*settings = loaded;
	fclose(file);
	return r;
}

bool rip_settings_overlooks(const char *path, const char *usual)
{
	struct stat ours, other;

	if (stat(usual, &other) < 0)
		return false;
	return stat(path, &ours) < 0 || ours.st_dev != other.st_dev || ours.st_ino != other.st_ino;
}

int rip_settings_settle(struct rip_settings *settings, const struct rip_arguments *arguments,
			const char *path, char *error, size_t size)
{
	const struct {
		const char *key, *value;
	} given[] = {
		{ "device", arguments->device },
		{ "threads", arguments->threads },
	};
	struct rip_settings settled;
	int r;

	if (arguments->config && !*arguments->config) {
		snprintf(error, size, "--config: the name of the file is empty");
		return RIP_SETTINGS_USAGE;
	}
	rip_settings_init(&settled);
	r = rip_settings_load(&settled, arguments->config ? arguments->config : path, error, size);
	if (r < 0 && (r != -ENOENT || arguments->config))
		return r;
	for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
		char why[WHY_MAX];

		if (given[i].value && !take(&settled, given[i].key, given[i].value, why,
					    sizeof why)) {
			snprintf(error, size, "--%s", why);
			return RIP_SETTINGS_USAGE;
		}
	}
	/* Here, unlike in the file, a relative path has a meaning. */
	if (arguments->socket &&
	    (!*arguments->socket ||
	     !text(arguments->socket, settled.socket, sizeof settled.socket))) {
		snprintf(error, size, "--socket: a path has 1 to %zu bytes",
			 RIP_SETTINGS_SOCKET_MAX);
		return RIP_SETTINGS_USAGE;
	}
	*settings = settled;
	return 0;
}
