/* Memory that clients keep. */
#include "config.h"

#include "retained.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

struct retained_ring {
	struct retained_ring *next;
	int           watch[2]; /* of its areas; -1: that one is gone */
	bool          left;  /* by us: who holds it is somebody else */
	uint64_t      bytes;
	struct rip_process_id process; /* whose session it was */
};

struct rip_retained {
	int           fd;
	struct retained_ring *entries;
};

static struct retained_ring **find(struct rip_retained *retained, int watch)
{
	struct retained_ring **at = &retained->entries;

	while (*at && (*at)->watch[0] != watch && (*at)->watch[1] != watch)
		at = &(*at)->next;
	return at;
}

static void forget(struct rip_retained *retained, int watch)
{
	struct retained_ring **at = find(retained, watch), *entry = *at;

	if (!entry)
		return;
	for (int i = 0; i < 2; i++)
		if (entry->watch[i] == watch)
			entry->watch[i] = -1;
	if (entry->watch[0] >= 0 || entry->watch[1] >= 0)
		return;
	*at = entry->next;
	free(entry);
}

void rip_retained_collect(struct rip_retained *retained)
{
	_Alignas(struct inotify_event) char bytes[4096];
	ssize_t size;

	while ((size = read(retained->fd, bytes, sizeof bytes)) > 0)
		for (char *at = bytes; at < bytes + size;) {
			const struct inotify_event *event = (struct inotify_event *)(void *)at;

			/* The last one of a watch: its file is gone. */
			if (event->mask & IN_IGNORED)
				forget(retained, event->wd);
			at += sizeof *event + event->len;
		}
}

static int watch(const struct rip_retained *retained, int fd)
{
	char path[40];
	int r;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	r = inotify_add_watch(retained->fd, path, IN_DELETE_SELF);
	return r < 0 ? -errno : r;
}

int rip_retained_watch(struct rip_retained *retained, int in_fd, int out_fd)
{
	struct retained_ring *entry = calloc(1, sizeof *entry);
	int in, out;

	if (!entry)
		return -ENOMEM;
	in = watch(retained, in_fd);
	out = in < 0 ? in : watch(retained, out_fd);
	if (out < 0) {
		if (in >= 0)
			inotify_rm_watch(retained->fd, in);
		free(entry);
		return out;
	}
	entry->watch[0] = in;
	entry->watch[1] = out;
	entry->next = retained->entries;
	retained->entries = entry;
	return out;
}

void rip_retained_leave(struct rip_retained *retained, int number, uint64_t bytes,
			const struct rip_process_id *process)
{
	struct retained_ring *entry;

	rip_retained_collect(retained); /* mostly it is gone by now */
	entry = *find(retained, number);
	if (!entry)
		return;
	entry->left = true;
	entry->bytes = bytes;
	entry->process = *process;
}

unsigned rip_retained_count(const struct rip_retained *retained)
{
	unsigned count = 0;

	for (const struct retained_ring *entry = retained->entries; entry; entry = entry->next)
		count += entry->left;
	return count;
}

unsigned rip_retained_count_of(const struct rip_retained *retained,
			       const struct rip_process_id *process)
{
	unsigned count = 0;

	for (const struct retained_ring *entry = retained->entries; entry; entry = entry->next)
		count += entry->left && rip_process_same(&entry->process, process);
	return count;
}

uint64_t rip_retained_bytes(const struct rip_retained *retained)
{
	uint64_t bytes = 0;

	for (const struct retained_ring *entry = retained->entries; entry; entry = entry->next)
		bytes += entry->bytes;
	return bytes;
}

int rip_retained_fd(const struct rip_retained *retained)
{
	return retained->fd;
}

/* Whether this kernel reports it at all: otherwise everything would seem retained. */
static int try(struct rip_retained *retained)
{
	int fd = memfd_create("riptide-try", MFD_CLOEXEC), r;

	if (fd < 0)
		return -errno;
	r = rip_retained_watch(retained, fd, fd);
	close(fd);
	if (r < 0)
		return r;
	rip_retained_collect(retained);
	return retained->entries ? -ENOTSUP : 0;
}

int rip_retained_new(struct rip_retained **out)
{
	struct rip_retained *retained = calloc(1, sizeof *retained);
	int r;

	*out = NULL;
	if (!retained)
		return -ENOMEM;
	retained->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	r = retained->fd < 0 ? -errno : try(retained);
	if (r < 0) {
		rip_retained_free(retained);
		return r;
	}
	*out = retained;
	return 0;
}

void rip_retained_free(struct rip_retained *retained)
{
	if (!retained)
		return;
	while (retained->entries) {
		struct retained_ring *entry = retained->entries;

		retained->entries = entry->next;
		free(entry);
	}
	if (retained->fd >= 0)
		close(retained->fd);
	free(retained);
}
