/*
 * The little of cmocka that the tests of halftone/ use, for a machine that is only
 * emulated and has no libcmocka: neon.sh puts this folder before the system's.
 */
#ifndef RIP_TEST_CMOCKA_H
#define RIP_TEST_CMOCKA_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
	int (*set_up)(void **state); /* NULL here, like the rest */
	int (*tear_down)(void **state);
	void *state;
};

#define print_message       printf
#define skip()              do { printf("skipped\n"); return; } while (0)

static inline void rip_assert(bool holds, const char *what, const char *file, int line)
{
	if (holds)
		return;
	printf("%s:%d: not so: %s\n", file, line, what);
	exit(1);
}

#define RIP_ASSERT(c)             rip_assert(c, #c, __FILE__, __LINE__)
#define assert_true(c)            RIP_ASSERT(c)
#define assert_false(c)           RIP_ASSERT(!(c))
#define assert_null(p)            RIP_ASSERT((p) == NULL)
#define assert_non_null(p)        RIP_ASSERT((p) != NULL)
#define assert_int_equal(a, b)    RIP_ASSERT((long long)(a) == (long long)(b))
#define assert_int_not_equal(a, b) RIP_ASSERT((long long)(a) != (long long)(b))
#define assert_in_range(v, a, b) \
	RIP_ASSERT((long long)(v) >= (long long)(a) && (long long)(v) <= (long long)(b))
#define assert_memory_equal(a, b, n) RIP_ASSERT(memcmp(a, b, n) == 0)
#define assert_ptr_equal(a, b)    RIP_ASSERT((a) == (b))
#define assert_memory_not_equal(a, b, n) RIP_ASSERT(memcmp(a, b, n) != 0)
#define assert_string_equal(a, b) RIP_ASSERT(strcmp(a, b) == 0)
#define fail_msg(...)            do { printf(__VA_ARGS__); putchar(10); exit(1); } while (0)

static inline int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
					  size_t count, void *setup, void *teardown)
{
	for (size_t i = 0; i < count; i++) {
		void *state = NULL;

		printf("%s: %s\n", name, tests[i].name);
		fflush(stdout);
		tests[i].test(&state);
	}
	return 0;
}

#endif
