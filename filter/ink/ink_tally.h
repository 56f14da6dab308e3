/*
 * The ink of all jobs of a queue, which the filters sum up in a file of the queue.
 *
 * The file is CUPS_CACHEDIR/riptide/QUEUE.ink, where cupsd lets its filters write.  So the sums do
 * not depend on the daemon, which most printers do not need and which ends when it is idle.  The
 * file is text: "riptide ink 1", then since, jobs and pages with a number each, then for each ink
 * its name, the area of full ink and that of the pages, in thousandths of a square centimetre.
 * Inks are in the order C M Y K c m k 1 2 and so on.
 *
 * Other filters of the queue may add at the same time.  A file that is damaged is begun anew.
 * Pure functions but for the files; any thread may call them.
 */
#ifndef RIP_INK_TALLY_H
#define RIP_INK_TALLY_H

#include "ink_report.h"

#define RIP_INK_TALLY_FOLDER "riptide"
#define RIP_INK_TALLY_ENDING ".ink"
#define RIP_INK_TALLY_QUEUE_MAX 127 /* bytes of a queue's name */

struct rip_ink_tally {
	uint64_t since; /* seconds since 1970 */
	uint64_t jobs, pages; /* each copy of a page counts */
	uint32_t count;
	struct {
		char     name[RIP_INK_NAME_MAX];
		uint64_t full, paper; /* thousandths of a square centimetre */
	} ink[RIP_PLANES_MAX];
};

/* Reads the file of a queue in the folder of all (a descriptor).  0, -ENOENT, -EBADMSG for a
 * damaged file, or another -errno. */
int rip_ink_tally_read(int folder, const char *file, struct rip_ink_tally *tally);

/* Inks are in the order of these. */
unsigned long rip_ink_tally_rank(const char *name);

/* Adds a job to the file of its queue; nothing if the job had no pages.  cache: the folder of
 * cupsd, or NULL; queue: or NULL.  0, or -errno and nothing is changed: -EINVAL without a folder or
 * a queue that can name a file, -EBUSY if other filters hold the folder for over five seconds. */
int rip_ink_tally_add(const char *cache, const char *queue, const struct rip_ink_report *report);

/* The same for this filter, as cupsd has started it.  Failures go to the debug log. */
void rip_ink_tally_job(const struct rip_ink_report *report);

#endif
