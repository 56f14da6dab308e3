/* Memory that clients keep. */
#include "config.h"

#include "kept.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

struct kept_ring {
	struct kept_ring *next;
	int           watch;
	bool          left;  /* by us: who holds it is somebody else */
	uint64_t      bytes;
	pid_t         pid;
};

struct rip_kept {
	int           fd;
	struct kept_ring *entries;
};

static struct kept_ring **find(struct rip_kept *kept, int watch)
{
	struct kept_ring **at = &kept->entries;

	while (*at && (*at)->watch != watch)
		at = &(*at)->next;
	return at;
}

static void forget(struct rip_kept *kept, int watch)
{
	struct kept_ring **at = find(kept, watch), *entry = *at;

	if (!entry)
		return;
	*at = entry->next;
	free(entry);
}

void rip_kept_collect(struct rip_kept *kept)
{
	_Alignas(struct inotify_event) char bytes[4096];
	ssize_t size;

	while ((size = read(kept->fd, bytes, sizeof bytes)) > 0)
		for (char *at = bytes; at < bytes + size;) {
			const struct inotify_event *event = (struct inotify_event *)(void *)at;

			/* The last one of a watch: its file is gone. */
			if (event->mask & IN_IGNORED)
				forget(kept, event->wd);
			at += sizeof *event + event->len;
		}
}

int rip_kept_watch(struct rip_kept *kept, int fd)
{
	struct kept_ring *entry = calloc(1, sizeof *entry);
	char path[40];

	if (!entry)
		return -ENOMEM;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	entry->watch = inotify_add_watch(kept->fd, path, IN_DELETE_SELF);
	if (entry->watch < 0) {
		int r = -errno;

		free(entry);
		return r;
	}
	entry->next = kept->entries;
	kept->entries = entry;
	return entry->watch;
}

void rip_kept_leave(struct rip_kept *kept, int number, uint64_t bytes, pid_t pid)
{
	struct kept_ring *entry;

	rip_kept_collect(kept); /* mostly it is gone by now */
	entry = *find(kept, number);
	if (!entry)
		return;
	entry->left = true;
	entry->bytes = bytes;
	entry->pid = pid;
}

unsigned rip_kept_count(const struct rip_kept *kept)
{
	unsigned count = 0;

	for (const struct kept_ring *entry = kept->entries; entry; entry = entry->next)
		count += entry->left;
	return count;
}

unsigned rip_kept_count_of(const struct rip_kept *kept, pid_t pid)
{
	unsigned count = 0;

	for (const struct kept_ring *entry = kept->entries; entry; entry = entry->next)
		count += entry->left && entry->pid == pid;
	return count;
}

uint64_t rip_kept_bytes(const struct rip_kept *kept)
{
	uint64_t bytes = 0;

	for (const struct kept_ring *entry = kept->entries; entry; entry = entry->next)
		bytes += entry->bytes;
	return bytes;
}

int rip_kept_fd(const struct rip_kept *kept)
{
	return kept->fd;
}

/* Whether this kernel tells at all: without that, all would seem to be kept. */
static int try(struct rip_kept *kept)
{
	int fd = memfd_create("riptide-try", MFD_CLOEXEC), r;

	if (fd < 0)
		return -errno;
	r = rip_kept_watch(kept, fd);
	close(fd);
	if (r < 0)
		return r;
	rip_kept_collect(kept);
	return kept->entries ? -ENOTSUP : 0;
}

int rip_kept_new(struct rip_kept **out)
{
	struct rip_kept *kept = calloc(1, sizeof *kept);
	int r;

	*out = NULL;
	if (!kept)
		return -ENOMEM;
	kept->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	r = kept->fd < 0 ? -errno : try(kept);
	if (r < 0) {
		rip_kept_free(kept);
		return r;
	}
	*out = kept;
	return 0;
}

void rip_kept_free(struct rip_kept *kept)
{
	if (!kept)
		return;
	while (kept->entries) {
		struct kept_ring *entry = kept->entries;

		kept->entries = entry->next;
		free(entry);
	}
	if (kept->fd >= 0)
		close(kept->fd);
	free(kept);
}
