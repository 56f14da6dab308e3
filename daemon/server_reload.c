/* The configuration, at the start and when it is read again. */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <systemd/sd-daemon.h>

#include "halftone/cpu.h"
#include "log.h"
#include "server_private.h"

unsigned rip_server_wanted_workers(const struct rip_settings *settings)
{
	return settings->threads ? settings->threads : rip_cpu_count();
}

/* Descriptors: one for a connection and two for its ring. */
static void raise_descriptor_limit(const struct rip_settings *settings)
{
	const rlim_t wanted = 3 * (rlim_t)settings->max_sessions + RIP_SPARE_CONNECTIONS + 64;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur < wanted)
		rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL,
			"%llu descriptors are not enough for %u sessions (LimitNOFILE)",
			(unsigned long long)limit.rlim_cur, settings->max_sessions);
}

void rip_server_apply(struct rip_server *server)
{
	const unsigned wanted = rip_server_wanted_workers(&server->settings);
	const int r = rip_scheduler_resize(server->scheduler, wanted);

	if (r < 0)
		rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL, "%u of %u workers run: %s",
			rip_scheduler_workers(server->scheduler), wanted, strerror(-r));
	raise_descriptor_limit(&server->settings);
}

/* What the new settings have of the old ones, since it cannot change while we run. */
static void keep(const struct rip_server *server, struct rip_settings *settings)
{
	const struct rip_settings *old = &server->settings;
	const struct {
		const char *key;
		bool        changed;
	} keys[] = {
		{ "device", settings->device != old->device ||
			    settings->device_number != old->device_number },
		{ "socket", !server->listener->passed && strcmp(settings->socket, old->socket) },
		{ "group", strcmp(settings->group, old->group) != 0 },
	};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (keys[i].changed)
			rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL,
				"%s has changed: restart riptided for that", keys[i].key);
	settings->device = old->device;
	settings->device_number = old->device_number;
	memcpy(settings->socket, old->socket, sizeof settings->socket);
	memcpy(settings->group, old->group, sizeof settings->group);
}

void rip_server_reload(struct rip_server *server)
{
	static char error[RIP_SETTINGS_ERROR_MAX];
	static struct rip_settings settings;
	int r;

	/* The time is what systemd tells this reload from an earlier one by. */
	if (server->ready)
		sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, rip_now_us());
	r = rip_settings_settle(&settings, server->arguments, server->file, error, sizeof error);
	if (r) {
		rip_log(LOG_ERR, RIP_EVENT_CONFIG, NULL, "%s; all stays as it was", error);
	} else {
		keep(server, &settings);
		server->settings = settings;
		rip_log_limit(settings.log_priority);
		rip_server_apply(server);
		rip_log(LOG_INFO, RIP_EVENT_CONFIG, NULL,
			"configuration read again: threads %u, max-sessions %u, "
			"max-sessions-per-process %u, max-memory %" PRIu64 "M, idle-exit %u",
			rip_scheduler_workers(server->scheduler), settings.max_sessions,
			settings.max_sessions_per_process, settings.max_memory >> 20,
			settings.idle_exit);
	}
	rip_server_look_again(server);
	if (server->ready)
		sd_notify(0, "READY=1");
}
