/* riptide.h in a process that may have no threads, or that has forked. */
#include "tests/tools/testing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "lib/riptide.h"

/* ThreadSanitizer allows no threads in a child of a process that has some. */
#if defined __SANITIZE_THREAD__
#define NO_THREADS_IN_CHILD 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define NO_THREADS_IN_CHILD 1
#endif
#endif
#ifndef NO_THREADS_IN_CHILD
#define NO_THREADS_IN_CHILD 0
#endif

/* ---- threads (ld --wrap) ---- */

#define THREADS_MAX 100

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);

static atomic_int threads_left, threads_made, threads_begun;

static struct thread {
	void *(*start)(void *);
	void   *argument;
} made[THREADS_MAX];

static void *begin_thread(void *data)
{
	const struct thread thread = *(struct thread *)data;

	atomic_fetch_add(&threads_begun, 1);
	return thread.start(thread.argument);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument)
{
	const int number = atomic_load(&threads_made);

	if (number >= atomic_load(&threads_left))
		return EAGAIN;
	atomic_fetch_add(&threads_made, 1);
	made[number] = (struct thread){ start, argument };
	return __real_pthread_create(thread, attributes, begin_thread, &made[number]);
}

/* All earlier threads have ended, or are another process's. */
static void allow_threads(int count)
{
	atomic_store(&threads_left, count);
	atomic_store(&threads_made, 0);
	atomic_store(&threads_begun, 0);
}

/* AddressSanitizer has locks of its own, which a thread takes before it begins.  That of gcc 12
 * does not take them for fork(): if a thread holds one then, the child waits for it for ever. */
static void await_threads(void)
{
	while (atomic_load(&threads_begun) < atomic_load(&threads_made))
		sched_yield();
}

/* ---- a page ---- */

#define WIDTH  700
#define HEIGHT 300

static const struct riptide_config here = { .size = sizeof here, .socket = "none", .threads = 3 };
static const struct riptide_config alone = { .size = sizeof alone, .socket = "none", .threads = 1 };

static uint8_t samples[HEIGHT * WIDTH], right[HEIGHT * ((WIDTH + 7) / 8)];

/* Whether the page's dots are right; it asserts nothing, for children. */
static bool print(struct riptide *r, const char *screen)
{
	static uint8_t dots[sizeof right];
	const struct riptide_page page = {
		.size = sizeof page,
		.width = WIDTH,
		.height = HEIGHT,
		.screen = screen,
		.band_rows = 100,
	};

	memset(dots, 0x5a, sizeof dots);
	return riptide_begin(r, &page) == 0 && riptide_push(r, 0, samples, 0, HEIGHT) == 0 &&
	       riptide_flush(r) == 0 && riptide_pull(r, 0, dots, 0, HEIGHT) == HEIGHT &&
	       !memcmp(dots, right, sizeof dots);
}

/* The right dots, by a band of the caller's thread. */
static void define_page(const char *screen)
{
	const struct riptide_page page = {
		.size = sizeof page, .width = WIDTH, .height = HEIGHT, .screen = screen
	};
	struct riptide *r;

	for (size_t i = 0; i < sizeof samples; i++)
		samples[i] = (uint8_t)rip_test_random();
	assert_int_equal(riptide_new(&alone, &r), 0);
	assert_int_equal(riptide_begin(r, &page), 0);
	assert_int_equal(riptide_push(r, 0, samples, 0, HEIGHT), 0);
	assert_int_equal(riptide_flush(r), 0);
	assert_int_equal(riptide_pull(r, 0, right, 0, HEIGHT), HEIGHT);
	riptide_free(r);
}

/* ---- tests ---- */

/* As in a container that allows no more threads: the caller's thread does the work. */
TEST(no_threads)
{
	static const char *const screens[] = { "floyd-steinberg", "stucki", "blue-noise",
					       "clustered" };
	static const struct {
		uint32_t threads, flags;
	} configs[] = { { 0, 0 }, { 3, 0 }, { 1, RIPTIDE_OVERLAP } };

	for (unsigned i = 0; i < sizeof screens / sizeof *screens; i++) {
		define_page(screens[i]);
		for (unsigned k = 0; k < 3 * 3; k++) {
			struct riptide_config config = here;
			struct riptide *r;

			config.threads = configs[k % 3].threads;
			config.flags = configs[k % 3].flags;
			allow_threads((int)k / 3);
			assert_int_equal(riptide_new(&config, &r), 0);
			assert_true(print(r, screens[i]));
			assert_true(print(r, screens[i]));
			riptide_free(r);
		}
	}
}

/* A child has objects of its own, with threads of their own: those of its parent are not there. */
TEST(after_fork)
{
	struct riptide *r;
	int status;
	pid_t child;

	if (NO_THREADS_IN_CHILD)
		skip();
	allow_threads(THREADS_MAX);
	define_page("stucki");
	assert_int_equal(riptide_new(&here, &r), 0);
	assert_true(print(r, "stucki"));
	assert_int_equal(atomic_load(&threads_made), 3);
	await_threads();
	child = fork_child();
	if (child == 0) {
		struct riptide *own;
		bool is_right;

		allow_threads(THREADS_MAX);
		is_right = riptide_new(&here, &own) == 0 && print(own, "stucki") &&
			   print(own, "stucki");
		riptide_free(own);
		_exit(is_right ? atomic_load(&threads_made) : 99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 3);
	assert_true(print(r, "stucki"));
	riptide_free(r);
}
