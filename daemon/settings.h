/*
 * The settings: the command line overrides the configuration file, which overrides the
 * built-in defaults.  The file has lines `key = value`; blank lines and lines that begin
 * with # are skipped.
 *
 * Plain data, used by the main thread.
 */
#ifndef RIP_SETTINGS_H
#define RIP_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

#include "wire/protocol.h"

#define RIP_SETTINGS_SOCKET_MAX (sizeof ((struct sockaddr_un *)0)->sun_path - 1) /* bytes */
#define RIP_SETTINGS_ERROR_MAX 4352 /* a path, and what is wrong with a line of it */

/* The ring of a session.  The input area holds the longest possible line (16 MiB), or four bands
 * of 100 rows of A4 in CMYK at 1200 dpi. */
#define RIP_RING_IN  (UINT64_C(16) << 20)
#define RIP_RING_OUT (UINT64_C(8) << 20)

enum rip_device_kind {
	RIP_DEVICE_AUTO, /* GPUs; without one, clients get NO_ACCELERATOR */
	RIP_DEVICE_CPU,  /* this machine's CPU */
	RIP_DEVICE_GPU   /* a GPU, or the daemon does not start */
};

struct rip_settings {
	char     socket[RIP_SETTINGS_SOCKET_MAX + 1];
	char     group[64];        /* whose members may connect; empty: root and our own user */
	enum rip_device_kind device;
	unsigned gpu_count;        /* with RIP_DEVICE_GPU: so many follow; 0: all */
	int      gpus[RIP_GPUS_MAX]; /* their numbers, each once */
	unsigned threads;          /* workers; 0: one for each processor */
	unsigned max_sessions;     /* open at once, 1..1024 */
	unsigned max_sessions_per_process; /* of one client process, 1..1024 */
	uint64_t max_memory;       /* bytes that all sessions together may hold */
	unsigned idle_exit;        /* seconds without a session after which the daemon
				      ends, if systemd can start it again; 0: never */
	int      log_priority;     /* LOG_ERR .. LOG_DEBUG: what is less important is dropped */
};

/* What was given on the command line; NULL: not given. */
struct rip_arguments {
	const char *socket, *device, *config, *threads;
};

#define RIP_SETTINGS_USAGE 1 /* the command line is wrong */

/* Applies defaults, file and command line.  path: the file to read if the command line names
 * none; it need not exist.  0; RIP_SETTINGS_USAGE; -errno if the file is wrong or cannot be
 * read.  Unless 0, error says what is wrong and where, and settings is unchanged. */
int rip_settings_settle(struct rip_settings *settings, const struct rip_arguments *arguments,
			const char *path, char *error, size_t size);

/* Whether there is a file `usual`, and it is not the one at `path`, which need not exist: an
 * administrator may think that it is read. */
bool rip_settings_overlooks(const char *path, const char *usual);

/* The built-in defaults. */
void rip_settings_init(struct rip_settings *settings);

/* Reads a file; a mark of UTF-8 (BOM) at its beginning is skipped.  0; -ENOENT if there is no file;
 * -EINVAL or another -errno.  Unless 0, error says "file:line: what". */
int rip_settings_load(struct rip_settings *settings, const char *path, char *error, size_t size);

#endif
