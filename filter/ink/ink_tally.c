/* The ink of all jobs of a queue. */
#include "ink_tally.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "filter/report.h"
#include "system/replace_file.h"

#define HEAD      "riptide ink 1\n"
#define BYTES_MAX 4096 /* of a file: 16 inks take less */
#define LOCK_MS   5000 /* each holder waits for the disk; nobody may hold up a job for ever */
#define LETTERS   "CMYKcmk" /* of inks, in the order of a file */

/* ---- the text ---- */

static size_t format(const struct rip_ink_tally *tally, char text[BYTES_MAX])
{
	size_t used = (size_t)snprintf(text, BYTES_MAX, HEAD "since %" PRIu64 "\njobs %" PRIu64
				       "\npages %" PRIu64 "\n",
				       tally->since, tally->jobs, tally->pages);

	for (uint32_t i = 0; i < tally->count; i++)
		used += (size_t)snprintf(text + used, BYTES_MAX - used,
					 "%s %" PRIu64 " %" PRIu64 "\n", tally->ink[i].name,
					 tally->ink[i].full, tally->ink[i].paper);
	return used;
}

/* A text is valid if it is as format() writes it. */
static bool parse(const char *text, struct rip_ink_tally *tally)
{
	char again[BYTES_MAX];
	int at = 0;

	*tally = (struct rip_ink_tally){ 0 };
	if (sscanf(text, HEAD "since %" SCNu64 " jobs %" SCNu64 " pages %" SCNu64 " %n",
		   &tally->since, &tally->jobs, &tally->pages, &at) != 3)
		return false;
	while (text[at] && tally->count < RIP_PLANES_MAX) {
		uint64_t *full = &tally->ink[tally->count].full;
		uint64_t *paper = &tally->ink[tally->count].paper;
		int length = 0;

		if (sscanf(text + at, "%11[" LETTERS "0123456789] %" SCNu64 " %" SCNu64 " %n",
			   tally->ink[tally->count].name, full, paper, &length) != 3)
			return false;
		tally->count++;
		at += length;
	}
	format(tally, again);
	return !strcmp(text, again);
}

/* ---- the file ---- */

int rip_ink_tally_read(int folder, const char *file, struct rip_ink_tally *tally)
{
	char text[BYTES_MAX + 1];
	struct stat status;
	ssize_t n;
	const int fd = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
		close(fd);
		return -EBADMSG;
	}
	n = read(fd, text, BYTES_MAX);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	return strlen(text) == (size_t)n && parse(text, tally) ? 0 : -EBADMSG;
}

/* Sums that no counter holds stay at the most. */
static void grow(uint64_t *sum, double by)
{
	const double most = (double)(UINT64_MAX / 2);
	const double grown = (double)*sum + by;

	if (by > 0 && grown < most)
		*sum += (uint64_t)(by + .5);
}

unsigned long rip_ink_tally_rank(const char *name)
{
	const char *letter = strchr(LETTERS, *name);

	if (letter)
		return (unsigned long)(letter - LETTERS);
	return strlen(LETTERS) + strtoul(name, NULL, 10);
}

/* The place of an ink, which is inserted if it is new; RIP_PLANES_MAX: the tally is full.
 * The amounts of riptide status --ink-per-m2 are in this order, so it must not depend on
 * which job came first. */
static uint32_t place_of(struct rip_ink_tally *tally, const char *name)
{
	const unsigned long rank = rip_ink_tally_rank(name);
	uint32_t at = 0;

	while (at < tally->count && strcmp(tally->ink[at].name, name))
		at++;
	if (at < tally->count || at == RIP_PLANES_MAX)
		return at;
	for (at = 0; at < tally->count && rip_ink_tally_rank(tally->ink[at].name) < rank;)
		at++;
	memmove(&tally->ink[at + 1], &tally->ink[at], (tally->count - at) * sizeof tally->ink[0]);
	memset(&tally->ink[at], 0, sizeof tally->ink[at]);
	memcpy(tally->ink[at].name, name, RIP_INK_NAME_MAX);
	tally->count++;
	return at;
}

static void add_job(struct rip_ink_tally *tally, const struct rip_ink_report *report)
{
	const double unit = 1e7; /* thousandths of a square centimetre in a square metre */

	grow(&tally->jobs, 1);
	grow(&tally->pages, (double)report->pages);
	for (uint32_t i = 0; i < report->count; i++) {
		const uint32_t at = place_of(tally, report->names[i]);

		if (at == RIP_PLANES_MAX)
			continue;
		grow(&tally->ink[at].full, unit * report->areas[i]);
		grow(&tally->ink[at].paper, unit * report->papers[i]);
	}
}

/* Writes a file under another name and renames it, so that it is never seen incomplete. */
static int write_file(int folder, const char *file, const struct rip_ink_tally *tally)
{
	char fresh[RIP_INK_TALLY_QUEUE_MAX + 16], text[BYTES_MAX];
	const size_t size = format(tally, text);
	ssize_t n;
	int fd, r = 0;

	snprintf(fresh, sizeof fresh, "%s.new", file);
	if (unlinkat(folder, fresh, 0) < 0 && errno != ENOENT)
		return -errno;
	fd = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (fd < 0)
		return -errno;
	n = write(fd, text, size);
	if (n != (ssize_t)size)
		r = n < 0 ? -errno : -ENOSPC;
	if (r == 0)
		r = rip_file_sync(fd);
	close(fd);
	if (r == 0)
		r = rip_file_rename(folder, fresh, file);
	if (r < 0)
		unlinkat(folder, fresh, 0);
	return r;
}

static int lock(int folder)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (int ms = 0; flock(folder, LOCK_EX | LOCK_NB) < 0; ms += 10) {
		if (errno != EWOULDBLOCK)
			return -errno;
		if (ms >= LOCK_MS)
			return -EBUSY;
		nanosleep(&pause, NULL);
	}
	return 0;
}

static int open_folder(const char *cache)
{
	const int above = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int folder;

	if (above < 0)
		return -errno;
	folder = mkdirat(above, RIP_INK_TALLY_FOLDER, 0770) < 0 && errno != EEXIST ? -errno :
		 openat(above, RIP_INK_TALLY_FOLDER,
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	folder = folder == -1 ? -errno : folder;
	close(above);
	return folder;
}

int rip_ink_tally_add(const char *cache, const char *queue, const struct rip_ink_report *report)
{
	char file[RIP_INK_TALLY_QUEUE_MAX + 8];
	struct rip_ink_tally tally;
	int folder, r;

	if (!report->pages)
		return 0;
	if (!cache || *cache != '/' || !queue || !*queue || *queue == '.' || strchr(queue, '/') ||
	    strlen(queue) > RIP_INK_TALLY_QUEUE_MAX)
		return -EINVAL;
	snprintf(file, sizeof file, "%s" RIP_INK_TALLY_ENDING, queue);
	folder = open_folder(cache);
	if (folder < 0)
		return folder;
	r = lock(folder);
	if (r == 0) {
		r = rip_ink_tally_read(folder, file, &tally);
		if (r == -ENOENT || r == -EBADMSG) {
			tally = (struct rip_ink_tally){ .since = (uint64_t)time(NULL) };
			r = 0;
		}
	}
	if (r == 0) {
		add_job(&tally, report);
		r = write_file(folder, file, &tally);
	}
	close(folder); /* and unlocks it */
	return r;
}

void rip_ink_tally_job(const struct rip_ink_report *report)
{
	const char *cache = getenv("CUPS_CACHEDIR");
	/* Without cupsd nobody sums up: cupsfilter and riptide adopt try filters in this way. */
	const int r = cache ? rip_ink_tally_add(cache, getenv("PRINTER"), report) : 0;

	if (r < 0)
		rip_debug("the ink of this job is not added to that of the queue: %s",
			  strerror(-r));
}
