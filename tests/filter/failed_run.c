#include "tests/filter/failed_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

void failed_run(const struct run *run, const char *const words[], size_t count)
{
	const char *error;

	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != 1)
		fail_msg("status %x: %s", run->status, (char *)run->err.data);
	assert_int_equal(run_count(run, "ERROR:"), 1);
	error = strstr((char *)run->err.data, "ERROR:");
	for (size_t i = 0; i < count && words[i]; i++) {
		const char *at = strstr(error, words[i]);

		if (!at || memchr(error, '\n', at - error))
			fail_msg("no \"%s\" in %s", words[i], error);
	}
}
