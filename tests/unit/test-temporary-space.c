/* Whether the folder for temporary files takes so many bytes: what is written, and what is
 * refused. */
#include "tests/tools/testing.h"

#include <sys/resource.h>

#include "system/temporary_space.h"

static char why[320];

/* The bytes that this process has written. */
static unsigned long long written(void)
{
	FILE *file = fopen("/proc/self/io", "re");
	unsigned long long bytes = 0;
	char line[64];

	if (!file) /* a kernel without these figures */
		skip();
	while (fgets(line, sizeof line, file))
		sscanf(line, "wchar: %llu", &bytes);
	fclose(file);
	return bytes;
}

/* Much space is reserved where the file system can do that, and little is written to see that the
 * folder takes it. */
TEST(written)
{
	unsigned long long before;
	int fd, r;

	fd = rip_temporary_space_file();
	assert_true(fd >= 0);
	r = fallocate(fd, 0, 0, 1 << 20);
	close(fd);
	if (r < 0)
		skip();
	before = written();
	assert_int_equal(rip_temporary_space_check(256u << 20, why, sizeof why), 0);
	assert_true(written() - before < 1 << 20);
	before = written();
	assert_int_equal(rip_temporary_space_check(5000, why, sizeof why), 0);
	assert_true(written() - before >= 5000);
}

TEST(refused)
{
	const struct rlimit least = { 1 << 20, RLIM_INFINITY },
			    none = { RLIM_INFINITY, RLIM_INFINITY };
	const char *set = getenv("TMPDIR");
	AUTO_FREE char *usual = set ? strdup(set) : NULL;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &least);
	assert_int_equal(rip_temporary_space_check(1 << 20, why, sizeof why), 0);
	assert_int_equal(rip_temporary_space_check((1 << 20) + 1, why, sizeof why), -EFBIG);
	assert_non_null(strstr(why, "File too large: set TMPDIR to another folder"));
	setrlimit(RLIMIT_FSIZE, &none);
	setenv("TMPDIR", "/nowhere", 1);
	assert_int_equal(rip_temporary_space_check(1, why, sizeof why), -ENOENT);
	assert_non_null(strstr(why, "cannot write temporary files to /nowhere (TMPDIR)"));
	if (usual)
		setenv("TMPDIR", usual, 1);
	else
		unsetenv("TMPDIR");
}
