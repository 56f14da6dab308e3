/*
 * Any bytes as the daemon's configuration file: it is taken as a whole, every value
 * within its range, or refused with file and line, and nothing of it taken.
 */
#include "tests/fuzz/fuzz.h"

#include <syslog.h>

#include "daemon/settings.h"

/* Lines of the file, the last one counted though it need not end. */
static long lines(const uint8_t *data, size_t size)
{
	long count = size && data[size - 1] != '\n';

	for (size_t i = 0; i < size; i++)
		count += data[i] == '\n';
	return count;
}

static void check_taken(const struct rip_settings *s)
{
	insist(s->socket[0] == '/' && memchr(s->socket, 0, sizeof s->socket));
	insist(memchr(s->group, 0, sizeof s->group) != NULL);
	insist((unsigned)s->device <= RIP_DEVICE_GPU && s->gpu_count <= RIP_GPUS_MAX);
	insist(s->device == RIP_DEVICE_GPU || s->gpu_count == 0);
	insist(s->threads <= 1024);
	insist(s->max_sessions >= 1 && s->max_sessions <= 1024);
	insist(s->max_sessions_per_process >= 1 && s->max_sessions_per_process <= 1024);
	insist(s->max_memory >= UINT64_C(32) << 20 && s->max_memory <= UINT64_C(1) << 40);
	insist(s->idle_exit <= 86400 * 365);
	insist(s->log_priority >= LOG_ERR && s->log_priority <= LOG_DEBUG);
}

static void check_refused(const char *path, const char *error, long count)
{
	const size_t length = strlen(path);
	char *end;
	long line;

	insist(!strncmp(error, path, length) && error[length] == ':');
	line = strtol(error + length + 1, &end, 10);
	insist(line >= 1 && line <= count && end[0] == ':' && end[1] == ' ' && end[2]);
	for (const char *c = error; *c; c++) /* it goes to a terminal or a journal */
		insist(*c >= ' ' && *c <= '~');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rip_settings settings, before;
	static char error[RIP_SETTINGS_ERROR_MAX];
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("settings", MFD_CLOEXEC);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	insist(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	rip_settings_init(&settings);
	before = settings;
	memset(error, 0, sizeof error);
	if (rip_settings_load(&settings, path, error, sizeof error) == 0) {
		check_taken(&settings);
	} else {
		check_refused(path, error, lines(data, size));
		insist(!memcmp(&settings, &before, sizeof settings));
	}
	return 0;
}
