/*
 * The common part of all unit tests: cmocka, a seed that is printed and can be set
 * (RIPTIDE_TEST_SEED), the limit of the instruction sets (RIPTIDE_ISA_MASK), and a check that no
 * descriptor was leaked.
 *
 *	TEST(name)
 *	{
 *		assert_int_equal(...);
 *	}
 *
 * defines a test.  main() is here, too: it runs the tests in the order of the file.
 */
#ifndef RIP_TESTING_H
#define RIP_TESTING_H

#include "tests/tools/common.h"

#include <dirent.h>
#include <time.h>

/* Whether a sanitizer manages memory: it keeps freed memory, and reserves address space. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define RIP_TEST_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RIP_TEST_SANITIZED 1
#endif
#endif
#ifndef RIP_TEST_SANITIZED
#define RIP_TEST_SANITIZED 0
#endif

/* Whether something that must not wait took too long, and is to be tried again.  A fault makes
 * every try slow, and a loaded machine only some of them.  *tries: 0 to begin with.  Times are
 * judged by the build that runs all cases: with a sanitizer every try may be slow. */
static inline bool is_to_be_tried_again(bool quick, size_t *tries)
{
	if (rip_test_repeated())
		return false;
	if (quick)
		*tries = 0; /* for the next case */
	else
		assert_true(++*tries < 20);
	return !quick;
}

static uint64_t rip_test_seed;
static uint64_t rip_test_state;

/* The next number of a splitmix64 sequence. */
uint64_t rip_test_random(void)
{
	uint64_t z = (rip_test_state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static int rip_test_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	if (!dir)
		return -1;
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* halftone/simd/isa.h, in the tests that are linked with it. */
__attribute__((weak)) int rip_isa_limit(const char *name);

/* The tests of the program. */
static struct CMUnitTest rip_tests[64];
static size_t rip_test_count;

__attribute__((unused)) static void rip_test_add(struct CMUnitTest test)
{
	if (rip_test_count == sizeof rip_tests / sizeof *rip_tests)
		abort();
	rip_tests[rip_test_count++] = test;
}

/* Runs before main(), in the order of the file. */
#define RIP_TEST_EARLY __attribute__((constructor(1000 + __LINE__))) static void

#define TEST(name) TEST_WITH(NULL, NULL, name)

/* A test with cmocka's functions before and after it. */
#define TEST_WITH(set_up, tear_down, name) \
	static void test_##name(void **state); \
	RIP_TEST_EARLY rip_test_add_##name(void) \
	{ \
		rip_test_add((struct CMUnitTest){ #name, test_##name, set_up, tear_down, NULL }); \
	} \
	static void test_##name(void **state)

/* What a program does before its first test, where it may exit(77), and after its last one. */
static void (*rip_before_tests)(void), (*rip_after_tests)(void);

#define BEFORE_TESTS RIP_TEST_STEP(rip_before_tests, before)
#define AFTER_TESTS  RIP_TEST_STEP(rip_after_tests, after)

#define RIP_TEST_STEP(step, name) \
	static void rip_test_##name(void); \
	RIP_TEST_EARLY rip_test_set_##name(void) \
	{ \
		step = rip_test_##name; \
	} \
	static void rip_test_##name(void)

int main(void)
{
	const char *seed = getenv("RIPTIDE_TEST_SEED"), *mask = getenv("RIPTIDE_ISA_MASK");
	int before, after, failed;

	rip_test_seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
	rip_test_state = rip_test_seed;
	printf("# seed: RIPTIDE_TEST_SEED=%llu\n", (unsigned long long)rip_test_seed);
	fflush(stdout);
	if (mask && *mask && rip_isa_limit && rip_isa_limit(mask) < 0) {
		fprintf(stderr, "RIPTIDE_ISA_MASK=%s is no instruction set\n", mask);
		return 1;
	}
	if (rip_before_tests)
		rip_before_tests();
	before = rip_test_descriptors();
	failed = _cmocka_run_group_tests("tests", rip_tests, rip_test_count, NULL, NULL);
	after = rip_test_descriptors();
	if (rip_after_tests)
		rip_after_tests();
	if (after != before) {
		fprintf(stderr, "leaked descriptors: %d before, %d after\n", before, after);
		return 1;
	}
	return failed;
}

#endif
