#include "config.h"

#include "draw_settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "key_file.h"
#include "refuse.h"

static const char mode_key[] = "riptide-jail", folders_key[] = "riptide-jail-folders";
static const char workers_key[] = "riptide-all-workers", renderer_key[] = "riptide-renderer";
static const char stalled_key[] = "riptide-stalled-after";

bool rip_draw_settings_know(const char *key)
{
	return !strcmp(key, mode_key) || !strcmp(key, folders_key) || !strcmp(key, workers_key) ||
	       !strcmp(key, renderer_key) || !strcmp(key, stalled_key);
}

static bool set_mode(struct rip_draw_settings *settings, const char *value)
{
	static const char *const names[] = {
		[RIP_JAIL_ON] = "on", [RIP_JAIL_OFF] = "off", [RIP_JAIL_REQUIRE] = "require",
	};

	for (int mode = RIP_JAIL_ON; mode <= RIP_JAIL_REQUIRE; mode++)
		if (!strcmp(value, names[mode])) {
			settings->jail = (enum rip_jail_mode)mode;
			return true;
		}
	return false;
}

static bool set_folders(struct rip_draw_settings *settings, const char *value)
{
	if (strlen(value) >= sizeof settings->folders)
		return false;
	for (const char *at = value; at; at = strchr(at, ':')) {
		at += *at == ':';
		if (*at != '/')
			return false;
	}
	strcpy(settings->folders, value);
	return true;
}

static bool set_number(unsigned *number, const char *value, unsigned most)
{
	unsigned n = 0;
	int end = 0;

	if (*value < '0' || *value > '9' || sscanf(value, "%5u%n", &n, &end) != 1 ||
	    value[end] || n < 1 || n > most)
		return false;
	*number = n;
	return true;
}

static bool set_workers(struct rip_draw_settings *settings, const char *value)
{
	if (strcmp(value, "auto") != 0)
		return set_number(&settings->workers, value, RIP_ALL_WORKERS_MAX);
	settings->workers = 0;
	return true;
}

static bool set_renderer(struct rip_draw_settings *settings, const char *value)
{
	settings->renderer = !strcmp(value, "poppler") ? RIP_POPPLER : RIP_GHOSTSCRIPT;
	return settings->renderer == RIP_POPPLER || !strcmp(value, "ghostscript");
}

bool rip_draw_settings_set(struct rip_draw_settings *settings, const char *key,
			   const char *value, const char **wanted)
{
	if (!strcmp(key, mode_key)) {
		*wanted = "off, on or require";
		return set_mode(settings, value);
	}
	if (!strcmp(key, renderer_key)) {
		*wanted = "ghostscript or poppler";
		return set_renderer(settings, value);
	}
	if (!strcmp(key, workers_key)) {
		*wanted = "auto or 1 to 1024";
		return set_workers(settings, value);
	}
	if (!strcmp(key, stalled_key)) {
		*wanted = "1 to 86400 seconds";
		return set_number(&settings->stalled_after, value, RIP_STALLED_MAX);
	}
	*wanted = "absolute paths with colons between, at most 4095 bytes";
	return set_folders(settings, value);
}

const char *rip_draw_settings_path(void)
{
	const char *named = getenv("RIPTIDE_CONFIG");

	return named && *named ? named : RIP_SYSCONFDIR "/riptide/riptided.conf";
}

/* The other keys are the daemon's. */
static bool take(void *settings, const char *key, const char *value, char *why, size_t size)
{
	const char *wanted;

	if (!rip_draw_settings_know(key) || rip_draw_settings_set(settings, key, value, &wanted))
		return true;
	snprintf(why, size, "%s: '%.32s' is not %s", key, value, wanted);
	return false;
}

static int check_owner(FILE *file, const char *path, char *why, size_t size)
{
	const bool named = getenv("RIPTIDE_CONFIG") != NULL;
	struct stat info;

	if (fstat(fileno(file), &info) < 0)
		return rip_refuse_as(-errno, why, size, "%s: %s", path, strerror(errno));
	if (S_ISCHR(info.st_mode)) /* /dev/null */
		return 0;
	if (info.st_uid != 0 && !(named && info.st_uid == geteuid()))
		return rip_refuse_as(-EPERM, why, size, "%s: it does not belong to root", path);
	if (info.st_mode & (S_IWGRP | S_IWOTH))
		return rip_refuse_as(-EPERM, why, size,
				     "%s: its group or others may write to it", path);
	return 0;
}

int rip_draw_settings_read(struct rip_draw_settings *settings, char *why, size_t size)
{
	const char *path = rip_draw_settings_path();
	FILE *file = fopen(path, "re");
	int r;

	memset(settings, 0, sizeof *settings);
	if (!file)
		return errno == ENOENT || errno == ENOTDIR ? 0 :
		       rip_refuse_as(-errno, why, size, "%s: %s", path, strerror(errno));
	r = check_owner(file, path, why, size);
	if (r == 0)
		r = rip_key_file_read(file, path, take, settings, why, size);
	fclose(file);
	return r;
}
