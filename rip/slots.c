#include "config.h"

#include "slots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "halftone/cpu.h"
#include "halftone/quota.h"

#define FOLDER    "riptide"
#define FILE_NAME "slots"

/* Bytes of the file: one for each job, of which only as many count as there can be Ghostscripts,
 * and the slots. */
#define FIRST_JOB  0
#define FIRST_SLOT RIP_SLOTS_MAX

static struct flock at_byte(short type, unsigned first, unsigned number)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = first + number,
			       .l_len = 1 };
}

/* Locks a byte, unless another job has it.  0, -EAGAIN, other -errno. */
static int take(const struct rip_slots *slots, unsigned first, unsigned number)
{
	struct flock lock = at_byte(F_WRLCK, first, number);

	if (fcntl(slots->fd, F_OFD_SETLK, &lock) == 0)
		return 0;
	return errno == EACCES ? -EAGAIN : -errno;
}

static void release(const struct rip_slots *slots, unsigned first, unsigned number)
{
	struct flock lock = at_byte(F_UNLCK, first, number);

	fcntl(slots->fd, F_OFD_SETLK, &lock);
}

static bool is_of_another(const struct rip_slots *slots, unsigned first, unsigned number)
{
	struct flock lock = at_byte(F_WRLCK, first, number);

	return fcntl(slots->fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Counts this job, if it is not counted yet and a byte is free.  0, -EAGAIN, other -errno. */
static int count_job(struct rip_slots *slots)
{
	int r = -EAGAIN;

	if (slots->job)
		return 0;
	for (unsigned i = 0; r == -EAGAIN && i < slots->limit; i++) {
		r = take(slots, FIRST_JOB, i);
		slots->job = r == 0 ? i + 1 : 0;
	}
	return r;
}

/* How many workers this job may have: the limit divided by the jobs, of which the first ones get
 * what remains, and by the Ghostscripts of each worker. */
static unsigned share(struct rip_slots *slots)
{
	unsigned jobs = 1, before = 0, all;

	if (count_job(slots) < 0)
		return 1;
	for (unsigned i = 0; i < slots->limit; i++)
		if (i + 1 != slots->job && is_of_another(slots, FIRST_JOB, i)) {
			jobs++;
			before += i + 1 < slots->job;
		}
	all = slots->limit / jobs + (before < slots->limit % jobs);
	return all > slots->each ? all / slots->each : 1;
}

static unsigned usual_limit(const char *root)
{
	const uint64_t memory = rip_memory_quota(root).total / RIP_SLOTS_MEMORY;
	const unsigned processors = rip_cpu_count();
	const unsigned most = processors < RIP_SLOTS_MAX ? processors : RIP_SLOTS_MAX;

	return memory >= most ? most : memory > 1 ? (unsigned)memory : 1;
}

/* The file, or -errno.  Nobody who may not use the folder can have made it, or a link. */
static int open_file(const char *cache)
{
	const int above = open(cache, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat info;
	int fd;

	if (above < 0)
		return -errno;
	fd = mkdirat(above, FOLDER, 0770) < 0 && errno != EEXIST ? -1 :
	     openat(above, FOLDER "/" FILE_NAME,
		    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0660);
	fd = fd < 0 ? -errno : fd;
	close(above);
	if (fd >= 0 && (fstat(fd, &info) < 0 || !S_ISREG(info.st_mode))) {
		close(fd);
		fd = -EBADF;
	}
	return fd;
}

void rip_slots_open(struct rip_slots *slots, unsigned limit, const char *cache, const char *root)
{
	int r;

	memset(slots, 0, sizeof *slots);
	slots->fd = -1;
	slots->root = root;
	slots->each = 1;
	slots->limit = limit ? limit : usual_limit(root);
	pthread_mutex_init(&slots->lock, NULL);
	if (!cache || *cache != '/') {
		snprintf(slots->why, sizeof slots->why, "CUPS_CACHEDIR names no folder");
		return;
	}
	slots->fd = r = open_file(cache);
	if (r >= 0)
		r = count_job(slots);
	if (r >= 0 || r == -EAGAIN)
		return;
	snprintf(slots->why, sizeof slots->why, "%.200s/" FOLDER "/" FILE_NAME ": %s", cache,
		 strerror(-r));
	if (slots->fd >= 0)
		close(slots->fd);
	slots->fd = -1;
}

/* Whether memory is left for this one and those that have not taken theirs yet.  A Ghostscript that
 * has ended has left some, so one more must leave as much again. */
static bool has_memory(const struct rip_slots *slots, bool is_new)
{
	const unsigned wanted = (slots->young + (is_new ? 2 : 1)) * slots->each;

	return rip_memory_quota(slots->root).left / RIP_SLOTS_MEMORY >= wanted;
}

static void give_bytes(struct rip_slots *slots, struct rip_slot *slot)
{
	for (unsigned n = 0; n < RIP_SLOTS_EACH_MAX && slot->bytes[n]; n++) {
		slots->mine[slot->bytes[n] - 1] = false;
		release(slots, FIRST_SLOT, slot->bytes[n] - 1);
	}
	*slot = (struct rip_slot){ 0 };
}

static bool take_slot(struct rip_slots *slots, struct rip_slot *slot)
{
	unsigned n = 0;

	/* With the first one of a job that is alone, that makes the limit. */
	for (unsigned i = 0; i + 1 < slots->limit && n < slots->each; i++)
		if (!slots->mine[i] && take(slots, FIRST_SLOT, i) == 0) {
			slots->mine[i] = true;
			slot->bytes[n++] = i + 1;
		}
	if (n < slots->each) {
		give_bytes(slots, slot);
		return false;
	}
	slots->held++;
	slots->young++;
	return true;
}

static void grow_old(struct rip_slots *slots, struct rip_slot *slot)
{
	slots->young -= !slot->is_old;
	slot->is_old = true;
}

bool rip_slots_ask(struct rip_slots *slots, struct rip_slot *slot)
{
	bool may = true;

	if (slots->fd < 0)
		return true;
	pthread_mutex_lock(&slots->lock);
	if (!slot->bytes[0]) {
		may = slots->held + 1 < share(slots) && has_memory(slots, true) &&
		      take_slot(slots, slot);
	} else {
		grow_old(slots, slot);
		may = !slot->leaves && slots->held < share(slots) && has_memory(slots, false);
		if (!may && !slot->leaves) {
			slot->leaves = true;
			slots->held--;
		}
	}
	pthread_mutex_unlock(&slots->lock);
	return may;
}

bool rip_slots_take_part(struct rip_slots *slots, bool does)
{
	bool changes;

	if (slots->fd < 0)
		return false;
	pthread_mutex_lock(&slots->lock);
	changes = does == !slots->job;
	if (does) {
		count_job(slots);
	} else if (slots->job) {
		release(slots, FIRST_JOB, slots->job - 1);
		slots->job = 0;
	}
	pthread_mutex_unlock(&slots->lock);
	return changes;
}

void rip_slots_give(struct rip_slots *slots, struct rip_slot *slot)
{
	if (slots->fd < 0 || !slot->bytes[0])
		return;
	pthread_mutex_lock(&slots->lock);
	grow_old(slots, slot);
	slots->held -= !slot->leaves;
	give_bytes(slots, slot);
	pthread_mutex_unlock(&slots->lock);
}

void rip_slots_close(struct rip_slots *slots)
{
	if (!slots->limit)
		return;
	if (slots->fd >= 0)
		close(slots->fd); /* and releases the locks */
	pthread_mutex_destroy(&slots->lock);
	memset(slots, 0, sizeof *slots);
}
