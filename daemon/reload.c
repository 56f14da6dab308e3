/* The configuration, read again while the daemon runs. */
#include "config.h"

#include "reload.h"

#include <string.h>
#include <sys/resource.h>

#include "log.h"

/* Descriptors: one for a connection and two for its ring. */
void rip_raise_descriptor_limit(unsigned sessions, unsigned spare)
{
	const rlim_t wanted = 3 * (rlim_t)sessions + spare + 64;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur < wanted)
		rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL,
			"%llu descriptors are not enough for %u sessions (LimitNOFILE)",
			(unsigned long long)limit.rlim_cur, sessions);
}

/* Keeps what cannot change while the daemon runs. */
static void keep(const struct rip_settings *old, struct rip_settings *settings,
		 bool socket_passed)
{
	const struct {
		const char *key;
		bool        changed;
	} keys[] = {
		{ "device", settings->device != old->device ||
			    settings->gpu_count != old->gpu_count ||
			    memcmp(settings->gpus, old->gpus, sizeof old->gpus) != 0 },
		{ "socket", !socket_passed && strcmp(settings->socket, old->socket) },
		{ "group", strcmp(settings->group, old->group) != 0 },
	};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (keys[i].changed)
			rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL,
				"%s has changed; restart riptided to apply it", keys[i].key);
	settings->device = old->device;
	settings->gpu_count = old->gpu_count;
	memcpy(settings->gpus, old->gpus, sizeof settings->gpus);
	memcpy(settings->socket, old->socket, sizeof settings->socket);
	memcpy(settings->group, old->group, sizeof settings->group);
}

int rip_reload(struct rip_settings *settings, const struct rip_arguments *arguments,
	       const char *file, bool socket_passed)
{
	static char error[RIP_SETTINGS_ERROR_MAX];
	static struct rip_settings fresh;
	int r = rip_settings_settle(&fresh, arguments, file, error, sizeof error);

	if (r) {
		rip_log(LOG_ERR, RIP_EVENT_CONFIG, NULL,
			"%s; the configuration is unchanged", error);
		return r;
	}
	keep(settings, &fresh, socket_passed);
	*settings = fresh;
	return 0;
}
