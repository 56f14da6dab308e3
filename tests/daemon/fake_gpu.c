/*
 * A GPU for tests, instead of the one in libgpu.a: the CPU's engine, with faults.  The
 * environment says which, RIPTIDE_TEST_GPU="absent delay=300 ...":
 *
 *	absent     there is none
 *	delay=N    it is found, or not, after N milliseconds
 *	open=N     the N-th page cannot be opened
 *	full=N     its memory is full at the N-th page
 *	push=N     the N-th band fails, half of its dots written
 *	pull=N     the same, when its dots are waited for
 *	lost=N     so does every one from the N-th on, as on a device that fell off
 *	export=N   a carry cannot be read back, after the N-th one
 *	slow=N     each band takes N milliseconds longer (of a process that runs)
 *	staging=N  it holds N MiB for copies, from the first page until it is to give them back
 *	           while no page is open
 *	hang=N     the N-th band never ends
 *	fallback   no band can be done by the CPU's own engines either
 *	gpus=N     there are N GPUs; otherwise one
 *	of=N       the faults of pages and bands are those of GPU N only (0: the first)
 *	gone       a GPU that was found once is not found again
 *	every-screen   it does all of them, and otherwise Floyd and Steinberg's filter only
 *	anew       N counts from 1 for each engine
 *	page=N     a page is announced to take N MiB of page-locked memory
 *	unlocked=N the N-th piece of memory cannot be page-locked
 *	together   bands are not submitted, but pushed and waited for
 *	count      in the end it writes how many pieces of memory it has page-locked and unlocked,
 * and whether bands were read from and written to them
 *
 * Whatever it is told, the daemon ends at once if memory is unlocked that was not locked, or locked
 * twice, or is locked and no longer mapped.
 *
 * N counts from 1 over all pages of the process, or of GPU `of`.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gpu/engine_cuda.h"
#include "halftone/engine_cpu.h"
#include "halftone/page/band.h"

#define GPUS_MAX 16

static pthread_mutex_t ops_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct rip_engine_ops *cpu; /* guarded by it while it is NULL */
static struct rip_engine_ops ops;
static struct rip_engine *_Atomic engines[GPUS_MAX]; /* the latest of each GPU */
static atomic_int opens, closes, pushes, pulls, exports;
static atomic_bool staged;

/* The number behind a word, 0 if the word is not there, 1 without a number. */
static int asked(const char *word)
{
	const char *text = getenv("RIPTIDE_TEST_GPU"), *at = text ? strstr(text, word) : NULL;

	if (!at)
		return 0;
	at += strlen(word);
	return *at == '=' ? atoi(at + 1) : 1;
}

/* In small steps: what is stopped meanwhile has not rested. */
static void rest(int ms)
{
	const struct timespec step = { .tv_nsec = 5000000 };

	for (; ms > 0; ms -= 5)
		nanosleep(&step, NULL);
}

/* The number of this call, if faults are this engine's; otherwise 0. */
static int call_number(const struct rip_engine *engine, atomic_int *count)
{
	const char *text = getenv("RIPTIDE_TEST_GPU"), *of = text ? strstr(text, "of=") : NULL;

	if (of && atomic_load(&engines[atoi(of + 3)]) != engine)
		return 0;
	return atomic_fetch_add(count, 1) + 1;
}

/* Whether it is time for a fault. */
static bool due(const struct rip_engine *engine, atomic_int *count, const char *word)
{
	const int number = call_number(engine, count);

	return number > 0 && number == asked(word);
}

static bool fake_takes(const struct rip_engine *engine, const struct rip_page_spec *spec)
{
	return asked("every-screen") ? cpu->takes(engine, spec) :
				       rip_screen_id(spec->screen) == RIP_FLOYD_STEINBERG;
}

/* ---- the specs of the pages that are open, for their pixels ---- */

#define PAGES_MAX 256

static struct {
	pthread_mutex_t      lock;
	struct rip_page     *page[PAGES_MAX];
	struct rip_page_spec spec[PAGES_MAX];
} pages = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The place of a page; of NULL, a free one. */
static unsigned find_page(const struct rip_page *page)
{
	unsigned i = 0;

	while (i < PAGES_MAX && pages.page[i] != page)
		i++;
	if (i == PAGES_MAX)
		abort();
	return i;
}

static void note_spec(struct rip_page *page, const struct rip_page_spec *spec)
{
	unsigned i;

	pthread_mutex_lock(&pages.lock);
	i = find_page(NULL);
	pages.page[i] = page;
	pages.spec[i] = *spec;
	pthread_mutex_unlock(&pages.lock);
}

static struct rip_page_spec spec_of(const struct rip_page *page)
{
	struct rip_page_spec spec;

	pthread_mutex_lock(&pages.lock);
	spec = pages.spec[find_page(page)];
	pthread_mutex_unlock(&pages.lock);
	return spec;
}

static void forget_spec(const struct rip_page *page)
{
	pthread_mutex_lock(&pages.lock);
	pages.page[find_page(page)] = NULL;
	pthread_mutex_unlock(&pages.lock);
}

static int fake_open(struct rip_engine *engine, const struct rip_page_spec *spec,
		     struct rip_page **page)
{
	const int number = call_number(engine, &opens);
	int r;

	*page = NULL;
	staged = true;
	r = number && number == asked("open")   ? -EIO
	    : number && number == asked("full") ? -ENOMEM
						: cpu->open(engine, spec, page);
	if (r == 0)
		note_spec(*page, spec);
	return r;
}

uint64_t rip_engine_cuda_pinned_bytes(void)
{
	return staged ? (uint64_t)asked("staging") << 20 : 0;
}

uint64_t rip_engine_cuda_page_bytes(const struct rip_engine *engine,
				    const struct rip_page_spec *spec)
{
	return (uint64_t)asked("page") << 20;
}

int rip_engine_cuda_devices(void)
{
	return asked("gpus") ? asked("gpus") : 1;
}

void rip_engine_cuda_trim(struct rip_engine *engine)
{
	if (atomic_load(&opens) == atomic_load(&closes))
		staged = false;
}

/* ---- page-locked memory ---- */

#define LOCKED_MAX 64

static struct {
	pthread_mutex_t lock;
	unsigned        locks, unlocks; /* so far */
	atomic_bool     used;           /* a band lay there */
	struct { const uint8_t *at; size_t size; } now[LOCKED_MAX];
} locked = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void misuse(const char *what)
{
	fprintf(stderr, "fake GPU: %s\n", what);
	abort();
}

/* Where memory is in the table; with NULL, a free place. */
static unsigned find_locked(const void *at)
{
	for (unsigned i = 0; i < LOCKED_MAX; i++)
		if (locked.now[i].at == at)
			return i;
	return LOCKED_MAX;
}

static void tell_locks(void)
{
	fprintf(stderr, "fake GPU: %u locked, %u unlocked, %s\n", locked.locks, locked.unlocks,
		locked.used ? "used" : "not used");
}

static void tell_at_the_end(void)
{
	atexit(tell_locks);
}

int rip_engine_cuda_pin(struct rip_engine *engine, void *memory, size_t size)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	unsigned i;
	int r = 0;

	if (asked("count"))
		pthread_once(&once, tell_at_the_end);
	pthread_mutex_lock(&locked.lock);
	i = find_locked(NULL);
	if (find_locked(memory) < LOCKED_MAX || i == LOCKED_MAX)
		misuse("memory is page-locked twice");
	if (++locked.locks == (unsigned)asked("unlocked")) {
		locked.locks--;
		r = -ENOMEM;
	} else {
		locked.now[i].at = memory;
		locked.now[i].size = size;
	}
	pthread_mutex_unlock(&locked.lock);
	return r;
}

void rip_engine_cuda_unpin(struct rip_engine *engine, void *memory)
{
	unsigned char resident;
	unsigned i;

	pthread_mutex_lock(&locked.lock);
	i = find_locked(memory);
	if (i == LOCKED_MAX || mincore(memory, 1, &resident) < 0)
		misuse("memory is unlocked that was not locked, or is not mapped");
	locked.now[i].at = NULL;
	locked.unlocks++;
	pthread_mutex_unlock(&locked.lock);
}

/* Whether rows lie in page-locked memory as a whole. */
static bool is_locked(const uint8_t *at, size_t bytes)
{
	bool inside = false;

	pthread_mutex_lock(&locked.lock);
	for (unsigned i = 0; i < LOCKED_MAX; i++)
		inside = inside || (locked.now[i].at && at >= locked.now[i].at &&
				    at + bytes <= locked.now[i].at + locked.now[i].size);
	pthread_mutex_unlock(&locked.lock);
	return inside;
}

static bool are_locked(const struct rip_strip *strips, unsigned count)
{
	bool all = true;

	for (unsigned i = 0; i < count; i++)
		all = all &&
		      is_locked(strips[i].in,
				(size_t)strips[i].in_pitch * (strips[i].rows - 1) + 1) &&
		      is_locked(strips[i].out,
				(size_t)strips[i].out_pitch * (strips[i].rows - 1) + 1);
	return all;
}

static int fake_push(struct rip_page *page, const struct rip_strip *strips, unsigned count)
{
	const int number = call_number(page->engine, &pushes);
	int r;

	if (number && number == asked("hang"))
		for (;;)
			pause();
	rest(asked("slow"));
	if (are_locked(strips, count))
		atomic_store(&locked.used, true);
	r = cpu->push(page, strips, count);
	if (!number || (number != asked("push") && !(asked("lost") && number >= asked("lost"))))
		return r;
	/* What failed may have left anything where the dots go. */
	for (unsigned i = 0; i < count; i++)
		for (uint32_t row = 0; row < strips[i].rows; row += 2)
			strips[i].out[row * strips[i].out_pitch] ^= 0xff;
	return -EIO;
}

static int fake_pull(struct rip_page *page)
{
	int r = cpu->pull(page);

	return due(page->engine, &pulls, "pull") ? -EIO : r;
}

static int fake_export(struct rip_page *page, uint32_t plane, int16_t *carry)
{
	int r = cpu->export_carry(page, plane, carry);

	if (!due(page->engine, &exports, "export"))
		return r;
	carry[0] ^= 1;
	return -EIO;
}

int __real_rip_engine_cpu_new(const struct rip_cpu_config *config, struct rip_engine **engine);
int __wrap_rip_engine_cpu_new(const struct rip_cpu_config *config, struct rip_engine **engine);

static int failing_push(struct rip_page *page, const struct rip_strip *strips, unsigned count)
{
	return -ENOMEM;
}

/* The daemon's own engines. */
int __wrap_rip_engine_cpu_new(const struct rip_cpu_config *config, struct rip_engine **engine)
{
	static struct rip_engine_ops failing;
	static bool made;
	int r = __real_rip_engine_cpu_new(config, engine);

	if (r == 0 && asked("fallback")) {
		pthread_mutex_lock(&ops_lock);
		if (!made) {
			failing = *(*engine)->ops;
			failing.push = failing_push;
			made = true;
		}
		pthread_mutex_unlock(&ops_lock);
		(*engine)->ops = &failing;
	}
	return r;
}

/* ---- bands that are on their way ---- */

#define SUBMITTED_MAX 64 /* of all pages */

/* Two threads take them, as it happens, but those of a page in order. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t  changed;
	bool            runs;
	unsigned        count;
	struct submitted {
		struct rip_page       *page;
		struct rip_submission *submission;
		struct rip_strip       strips[RIP_PLANES_MAX];
		unsigned               count;
		void                  *rows;  /* that were made of pixels, or NULL */
		bool                   taken, fails; /* because one before it did */
	} now[SUBMITTED_MAX];
} way = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static int do_submitted(const struct submitted *job)
{
	int r = fake_push(job->page, job->strips, job->count);

	if (r == 0)
		r = fake_pull(job->page);
	for (unsigned i = 0; r == 0 && i < job->count; i++)
		r = fake_export(job->page, job->strips[i].plane, job->submission->carry[i]);
	return r;
}

/* One that can be done now, or SUBMITTED_MAX. */
static unsigned find_submitted(unsigned *seed)
{
	unsigned could[SUBMITTED_MAX], n = 0;

	for (unsigned i = 0; i < way.count; i++) {
		bool first = !way.now[i].taken;

		for (unsigned k = 0; k < i; k++)
			first = first && way.now[k].page != way.now[i].page;
		if (first)
			could[n++] = i;
	}
	return n ? could[(unsigned)rand_r(seed) % n] : SUBMITTED_MAX;
}

static void *way_main(void *argument)
{
	unsigned seed = argument ? 1 : 2;

	pthread_mutex_lock(&way.lock);
	for (;;) {
		const unsigned found = find_submitted(&seed);
		struct submitted job;
		unsigned at = 0;
		int r;

		if (found == SUBMITTED_MAX) {
			pthread_cond_wait(&way.changed, &way.lock);
			continue;
		}
		way.now[found].taken = true;
		job = way.now[found];
		pthread_mutex_unlock(&way.lock);
		r = job.fails ? -EIO : do_submitted(&job);
		free(job.rows);
		job.submission->done(job.submission, r);
		pthread_mutex_lock(&way.lock);
		while (way.now[at].submission != job.submission || !way.now[at].taken)
			at++;
		memmove(&way.now[at], &way.now[at + 1], (--way.count - at) * sizeof way.now[0]);
		for (; r < 0 && at < way.count; at++)
			way.now[at].fails = way.now[at].fails || way.now[at].page == job.page;
		pthread_cond_broadcast(&way.changed);
	}
	return NULL;
}

/* Makes rows of pixels, as the real one does on the device.  Some are too many for it.  0; -E2BIG
 * or -ENOMEM. */
static int take_pixels(struct submitted *job)
{
	static atomic_uint calls;
	struct rip_page_spec spec;

	if (!job->strips[0].pixels)
		return 0;
	if (atomic_fetch_add(&calls, 1) % 7 == 6)
		return -E2BIG;
	spec = spec_of(job->page);
	job->rows = aligned_alloc(64, rip_pixels_split_size(&spec, job->strips, job->count));
	if (!job->rows)
		return -ENOMEM;
	rip_pixels_split(&spec, job->strips, job->count, job->rows);
	return 0;
}

static int fake_submit(struct rip_page *page, const struct rip_strip *strips, unsigned count,
		       struct rip_submission *submission)
{
	struct submitted job = { .page = page, .submission = submission, .count = count };
	pthread_t thread;
	int r;

	memcpy(job.strips, strips, count * sizeof *strips);
	r = take_pixels(&job);
	if (r < 0)
		return r;
	pthread_mutex_lock(&way.lock);
	for (int i = 0; !way.runs && i < 2; i++)
		pthread_create(&thread, NULL, way_main, i ? &way : NULL);
	way.runs = true;
	while (way.count == SUBMITTED_MAX)
		pthread_cond_wait(&way.changed, &way.lock);
	way.now[way.count++] = job;
	pthread_cond_broadcast(&way.changed);
	pthread_mutex_unlock(&way.lock);
	return 0;
}

/* Waits until none of a page is left. */
static void wait_for(struct rip_page *page)
{
	bool there = true;

	pthread_mutex_lock(&way.lock);
	while (there) {
		there = false;
		for (unsigned i = 0; i < way.count; i++)
			there = there || way.now[i].page == page;
		if (there)
			pthread_cond_wait(&way.changed, &way.lock);
	}
	pthread_mutex_unlock(&way.lock);
}

static int waiting_push(struct rip_page *page, const struct rip_strip *strips, unsigned count)
{
	wait_for(page);
	return fake_push(page, strips, count);
}

static int waiting_pull(struct rip_page *page)
{
	wait_for(page);
	return fake_pull(page);
}

static int waiting_export(struct rip_page *page, uint32_t plane, int16_t *carry)
{
	wait_for(page);
	return fake_export(page, plane, carry);
}

static int waiting_import(struct rip_page *page, uint32_t plane, const int16_t *carry)
{
	wait_for(page);
	return cpu->import_carry(page, plane, carry);
}

static void fake_close(struct rip_page *page)
{
	wait_for(page);
	forget_spec(page);
	atomic_fetch_add(&closes, 1);
	cpu->close(page);
}

/* Every GPU has the same functions.  Two may be looked for at once. */
static const struct rip_engine_ops *fake_ops(const struct rip_engine_ops *real)
{
	pthread_mutex_lock(&ops_lock);
	if (!cpu) {
		cpu = real;
		ops = *real;
		ops.takes = fake_takes;
		ops.open = fake_open;
		ops.close = fake_close;
		ops.push = waiting_push;
		ops.pull = waiting_pull;
		ops.export_carry = waiting_export;
		ops.import_carry = waiting_import;
		ops.submit = asked("together") ? NULL : fake_submit;
		ops.takes_pixels = true;
	}
	pthread_mutex_unlock(&ops_lock);
	return &ops;
}

int rip_engine_cuda_new(const struct rip_cuda_config *config, struct rip_engine **engine,
			char *why, size_t size)
{
	const struct rip_cpu_config cpu_config = { .method = RIP_METHOD_EC, .threads = 1 };
	const int device = config->device < 0 ? 0 : config->device; /* any GPU: the first */
	int r;

	*engine = NULL;
	rest(asked("delay"));
	if (asked("gone") && device < GPUS_MAX && atomic_load(&engines[device])) {
		snprintf(why, size, "the GPU is gone");
		return -ENODEV;
	}
	if (asked("absent") || device >= rip_engine_cuda_devices()) {
		snprintf(why, size, "no GPU in this test");
		return -ENODEV;
	}
	r = __real_rip_engine_cpu_new(&cpu_config, engine);
	if (r < 0)
		return r;
	if (asked("anew"))
		opens = pushes = pulls = exports = 0;
	(*engine)->ops = fake_ops((*engine)->ops);
	(*engine)->method = "bwec";
	atomic_store(&engines[device], *engine);
	snprintf((*engine)->device, sizeof (*engine)->device, "Test GPU");
	return 0;
}
