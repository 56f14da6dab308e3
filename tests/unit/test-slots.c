/* The Ghostscripts of all jobs: several objects are several jobs, because locks belong to an open
 * file. */
#include "tests/tools/testing.h"

#include <ftw.h>
#include <signal.h>
#include <sys/prctl.h>

#include "rip/slots.h"

#define JOBS_MAX    12
#define WORKERS_MAX 8

struct job {
	struct rip_slots slots;
	struct rip_slot  workers[WORKERS_MAX]; /* but the first one */
};

static char folder[] = "/tmp/test-slots-XXXXXX";
static struct job jobs[JOBS_MAX];

static int begin(void **state)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	memset(jobs, 0, sizeof jobs);
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
	return remove(path);
}

static int end(void **state)
{
	for (size_t i = 0; i < JOBS_MAX; i++)
		rip_slots_close(&jobs[i].slots);
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Memory as in /proc/meminfo, in MiB. */
static void put_memory(unsigned total, unsigned left)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof path, "%s/proc", folder);
	mkdir(path, 0700);
	strcat(path, "/meminfo");
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "MemTotal: %u kB\nMemAvailable: %u kB\n", total * 1024, left * 1024);
	assert_int_equal(fclose(file), 0);
}

static void open_job(unsigned number, unsigned limit)
{
	memset(&jobs[number], 0, sizeof jobs[number]);
	rip_slots_open(&jobs[number].slots, limit, folder, folder);
	assert_string_equal(jobs[number].slots.why, "");
}

/* A worker before a page. */
static void ask(struct job *job, struct rip_slot *slot)
{
	if (!rip_slots_ask(&job->slots, slot))
		rip_slots_give(&job->slots, slot);
}

static unsigned count(const struct job *job)
{
	unsigned n = 1;

	for (unsigned i = 0; i < WORKERS_MAX; i++)
		n += job->workers[i].bytes[0] > 0;
	return n;
}

/* All workers of a job ask; it has so many Ghostscripts then. */
static unsigned ask_all(unsigned number)
{
	for (unsigned i = 0; i < WORKERS_MAX; i++)
		ask(&jobs[number], &jobs[number].workers[i]);
	return count(&jobs[number]);
}

TEST_WITH(begin, end, one_job)
{
	for (unsigned limit = 1; limit <= WORKERS_MAX + 1; limit++) {
		open_job(0, limit);
		assert_int_equal(ask_all(0), limit);
		assert_int_equal(ask_all(0), limit); /* keeps them */
		for (unsigned i = 0; i < WORKERS_MAX; i++)
			rip_slots_give(&jobs[0].slots, &jobs[0].workers[i]);
		assert_int_equal(ask_all(0), limit);
		rip_slots_close(&jobs[0].slots);
	}
}

/* Where two Ghostscripts draw each page, both count: workers, with the first one. */
TEST_WITH(begin, end, pairs)
{
	for (unsigned limit = 1; limit <= 2 * WORKERS_MAX; limit++) {
		open_job(0, limit);
		jobs[0].slots.each = 2;
		assert_int_equal(ask_all(0), limit > 1 ? limit / 2 : 1);
		rip_slots_close(&jobs[0].slots);
	}
	open_job(0, 8);
	jobs[0].slots.each = 2;
	assert_int_equal(ask_all(0), 4);
	open_job(1, 8);
	assert_int_equal(ask_all(1), 2); /* of 7 bytes, 6 are taken */
	assert_int_equal(ask_all(0), 2);
	assert_int_equal(ask_all(1), 4);
	rip_slots_close(&jobs[1].slots);
	assert_int_equal(ask_all(0), 4);
}

/* A job that comes later gets its share, and what it gives back goes to others. */
TEST_WITH(begin, end, shares)
{
	open_job(0, 8);
	assert_int_equal(ask_all(0), 8);
	open_job(1, 8);
	assert_int_equal(ask_all(1), 1);
	assert_int_equal(ask_all(0), 4);
	assert_int_equal(ask_all(1), 4);
	open_job(2, 8);
	assert_int_equal(ask_all(2), 2); /* one was free */
	assert_int_equal(ask_all(0), 3);
	assert_int_equal(ask_all(1), 3);
	assert_int_equal(ask_all(2), 2);
	rip_slots_close(&jobs[0].slots);
	assert_int_equal(ask_all(1), 4);
	assert_int_equal(ask_all(2), 4);
	rip_slots_close(&jobs[1].slots);
	assert_int_equal(ask_all(2), 8);
}

/* A slot that is to be given back stays taken until its Ghostscript has ended. */
TEST_WITH(begin, end, given_back_late)
{
	open_job(0, 4);
	assert_int_equal(ask_all(0), 4);
	open_job(1, 4);
	assert_false(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[0]));
	assert_false(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[1]));
	assert_true(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[2]));
	assert_int_equal(ask_all(1), 1);
	rip_slots_give(&jobs[0].slots, &jobs[0].workers[0]);
	assert_int_equal(ask_all(1), 2);
	rip_slots_give(&jobs[0].slots, &jobs[0].workers[1]);
	assert_int_equal(ask_all(0), 2);
}

/* Any order of jobs that come, go and draw pages: there are never more than the limit and one a
 * job; once all have asked, no more than the limit, or one a job. */
TEST_WITH(begin, end, any_order)
{
	const unsigned limit = 1 + rip_test_random() % 10;
	bool is_open[JOBS_MAX] = { false };

	for (unsigned step = 0; step < 3000; step++) {
		const unsigned number = rip_test_random() % JOBS_MAX;
		unsigned all = 0, open = 0;

		if (!is_open[number]) {
			open_job(number, limit);
			is_open[number] = true;
		} else if (rip_test_random() % 32 == 0) {
			rip_slots_close(&jobs[number].slots);
			is_open[number] = false;
		} else {
			ask(&jobs[number], &jobs[number].workers[rip_test_random() % WORKERS_MAX]);
		}
		for (unsigned i = 0; i < JOBS_MAX; i++) {
			open += is_open[i];
			all += is_open[i] ? count(&jobs[i]) : 0;
		}
		assert_true(all <= limit - 1 + (open ? open : 1));
		if (step % 100)
			continue;
		for (unsigned i = 0; i < 2 * JOBS_MAX; i++)
			if (is_open[i % JOBS_MAX])
				ask_all(i % JOBS_MAX);
		all = 0;
		for (unsigned i = 0; i < JOBS_MAX; i++)
			all += is_open[i] ? count(&jobs[i]) : 0;
		if (open > 1)
			assert_int_equal(all, open > limit ? open : limit);
	}
}

/* However a process ends, its slots are free. */
TEST_WITH(begin, end, killed)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork_child();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		open_job(0, 4);
		if (ask_all(0) == 4 && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	open_job(1, 4);
	assert_int_equal(ask_all(1), 1);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(ask_all(1), 4);
}

/* 256 MiB each: one more starts if it leaves as much; one goes on if as much is left.  Those that
 * were just started have not taken theirs yet. */
TEST_WITH(begin, end, memory)
{
	put_memory(8192, 511);
	open_job(0, 8);
	assert_int_equal(ask_all(0), 1);
	put_memory(8192, 1024);
	ask(&jobs[0], &jobs[0].workers[0]);
	ask(&jobs[0], &jobs[0].workers[1]);
	ask(&jobs[0], &jobs[0].workers[2]);
	assert_int_equal(count(&jobs[0]), 4);
	ask(&jobs[0], &jobs[0].workers[3]);
	assert_int_equal(count(&jobs[0]), 4);
	put_memory(8192, 768); /* all but the first one have to grow old one by one */
	for (unsigned i = 0; i < 3; i++)
		assert_true(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[i]));
	put_memory(8192, 256);
	for (unsigned i = 0; i < 3; i++)
		assert_true(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[i]));
	put_memory(8192, 255); /* one fewer, which leaves more */
	assert_false(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[1]));
	rip_slots_give(&jobs[0].slots, &jobs[0].workers[1]);
	put_memory(8192, 500);
	assert_int_equal(ask_all(0), 3);
	put_memory(8192, 10);
	assert_int_equal(ask_all(0), 1); /* the first one goes on */
}

/* A pair takes twice as much. */
TEST_WITH(begin, end, memory_of_pairs)
{
	put_memory(8192, 1023);
	open_job(0, 8);
	jobs[0].slots.each = 2;
	assert_int_equal(ask_all(0), 1);
	put_memory(8192, 1024);
	assert_int_equal(ask_all(0), 2);
	put_memory(8192, 512);
	assert_true(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[0]));
	put_memory(8192, 511);
	assert_false(rip_slots_ask(&jobs[0].slots, &jobs[0].workers[0]));
}

/* Where nothing else is said, the limit is that of processors and memory. */
TEST_WITH(begin, end, usual_limit)
{
	unsigned most;

	put_memory(1024 * 1024, 1024);
	open_job(0, 0);
	most = jobs[0].slots.limit;
	assert_in_range(most, 1, RIP_SLOTS_MAX);
	rip_slots_close(&jobs[0].slots);
	put_memory(most * 256 - 1, 10);
	open_job(0, 0);
	assert_int_equal(jobs[0].slots.limit, most > 1 ? most - 1 : 1);
	rip_slots_close(&jobs[0].slots);
	put_memory(1, 1);
	open_job(0, 0);
	assert_int_equal(jobs[0].slots.limit, 1);
}

/* Without the file, jobs do as they like. */
static void alone(const char *cache, const char *why)
{
	struct rip_slot slot = { 0 };

	memset(&jobs[0], 0, sizeof jobs[0]);
	rip_slots_open(&jobs[0].slots, 1, cache, folder);
	assert_non_null(strstr(jobs[0].slots.why, why));
	for (unsigned i = 0; i < 3; i++)
		assert_true(rip_slots_ask(&jobs[0].slots, &slot));
	rip_slots_give(&jobs[0].slots, &slot);
	rip_slots_close(&jobs[0].slots);
	rip_slots_close(&jobs[0].slots);
}

TEST_WITH(begin, end, no_file)
{
	char path[64];

	put_memory(1, 0);
	alone(NULL, "CUPS_CACHEDIR");
	alone("relative", "CUPS_CACHEDIR");
	alone("/nowhere", "/nowhere/riptide/slots: No such file or directory");
	alone("/proc", "/proc/riptide/slots: ");
	snprintf(path, sizeof path, "%s/riptide", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/slots");
	assert_int_equal(symlink("/etc/passwd", path), 0); /* is not followed */
	alone(folder, "slots: ");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	alone(folder, "slots: ");
}
