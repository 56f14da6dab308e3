/*
 * How pages of PDF are drawn: whether Ghostscript runs in a jail, what it may read there, and how
 * many Ghostscripts all jobs together may have.  These are the keys of riptided.conf(5) that begin
 * with riptide-.  The daemon checks them; those who start Ghostscript read them.
 *
 * The file counts only if nobody but root can write to it: a filter that was broken into must not
 * open the jail of the next job.  RIPTIDE_CONFIG in the environment names another file, which may
 * also be the user's own.
 */
#ifndef RIP_DRAW_SETTINGS_H
#define RIP_DRAW_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#define RIP_JAIL_FOLDERS_MAX 4096 /* bytes */
#define RIP_ALL_WORKERS_MAX  1024
#define RIP_STALLED_DEFAULT  10    /* seconds */
#define RIP_STALLED_MAX      86400

enum rip_jail_mode {
	RIP_JAIL_ON,      /* with as much as this kernel has */
	RIP_JAIL_OFF,
	RIP_JAIL_REQUIRE, /* completely, or nothing is printed */
};

/* Who draws. */
enum rip_drawn_by { RIP_GHOSTSCRIPT, RIP_POPPLER };

struct rip_draw_settings {
	enum rip_drawn_by  renderer;
	enum rip_jail_mode jail;
	char folders[RIP_JAIL_FOLDERS_MAX]; /* of the jail: absolute, with colons between; or
					       empty */
	unsigned workers; /* of all jobs together; 0: as many as processors and memory allow */
	unsigned stalled_after; /* seconds for which nobody takes a job's output; 0: the default */
};

/* Whether the key is one of these. */
bool rip_draw_settings_know(const char *key);

/* Sets one key.  False: *wanted says what would be right. */
bool rip_draw_settings_set(struct rip_draw_settings *settings, const char *key,
			   const char *value, const char **wanted);

/* The file's name. */
const char *rip_draw_settings_path(void);

/* Reads the file, which need not exist.  0; -EINVAL or another -errno and why. */
int rip_draw_settings_read(struct rip_draw_settings *settings, char *why, size_t size);

#endif
