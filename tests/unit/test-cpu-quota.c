/* The processor time that control groups allow, in a folder that looks like /proc and /sys. */
#include "tests/tools/testing.h"

#include "halftone/cpu_quota.h"

#define GROUPS "/sys/fs/cgroup"

static char root[] = "/tmp/test-cpu-quota-XXXXXX";

/* Writes a file and makes its folders. */
static void put(const char *path, const char *text)
{
	char whole[300];
	FILE *file;

	snprintf(whole, sizeof whole, "%s%s", root, path);
	for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A new root. */
static int begin(void **state)
{
	strcpy(root + sizeof root - 7, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf %s", root);
	return system(command);
}

TEST_WITH(begin, end, version_2)
{
	assert_int_equal(rip_cpu_quota(root), 0); /* no /proc */
	put("/proc/self/cgroup", "0::/user.slice/job\n");
	assert_int_equal(rip_cpu_quota(root), 0); /* no limit */
	put(GROUPS "/user.slice/job/cpu.max", "max 100000\n");
	assert_int_equal(rip_cpu_quota(root), 0);
	put(GROUPS "/user.slice/job/cpu.max", "400000 100000\n");
	assert_int_equal(rip_cpu_quota(root), 4);
	put(GROUPS "/user.slice/job/cpu.max", "250000 100000\n");
	assert_int_equal(rip_cpu_quota(root), 3); /* two and a half */
	put(GROUPS "/user.slice/job/cpu.max", "1000 100000\n");
	assert_int_equal(rip_cpu_quota(root), 1);
	/* A group above allows less, or more. */
	put(GROUPS "/user.slice/job/cpu.max", "800000 100000\n");
	put(GROUPS "/user.slice/cpu.max", "200000 100000\n");
	assert_int_equal(rip_cpu_quota(root), 2);
	put(GROUPS "/user.slice/cpu.max", "2000000 100000\n");
	assert_int_equal(rip_cpu_quota(root), 8);
	put(GROUPS "/cpu.max", "500000 100000\n"); /* as in a container */
	assert_int_equal(rip_cpu_quota(root), 5);
}

TEST_WITH(begin, end, version_1)
{
	put("/proc/self/cgroup",
	    "9:name=systemd:/\n4:cpu,cpuacct:/docker/1\n3:cpuset:/docker/1\n0::/\n");
	put(GROUPS "/cpu,cpuacct/docker/1/cpu.cfs_quota_us", "-1\n");
	put(GROUPS "/cpu,cpuacct/docker/1/cpu.cfs_period_us", "100000\n");
	assert_int_equal(rip_cpu_quota(root), 0);
	put(GROUPS "/cpu,cpuacct/docker/1/cpu.cfs_quota_us", "150000\n");
	assert_int_equal(rip_cpu_quota(root), 2);
	/* Other controllers do not count. */
	put(GROUPS "/cpuset/docker/1/cpu.cfs_quota_us", "100000\n");
	put(GROUPS "/cpuset/docker/1/cpu.cfs_period_us", "100000\n");
	assert_int_equal(rip_cpu_quota(root), 2);
}

/* In a container, the path is often that of the host, and the mount shows the container's group. */
TEST_WITH(begin, end, path_of_the_host)
{
	put("/proc/self/cgroup", "2:cpu:/kubepods/pod1/abc\n");
	put(GROUPS "/cpu/cpu.cfs_quota_us", "300000\n");
	put(GROUPS "/cpu/cpu.cfs_period_us", "100000\n");
	assert_int_equal(rip_cpu_quota(root), 3);
}

TEST_WITH(begin, end, nonsense)
{
	static const char *const lines[] = {
		"",           "x",        "0:",           "::",    "0::",
		"nan 100000", "0 100000", "-5 100000",    "1 0",   "1 -1",
		"100000",     "max",      "1e300 1e-300", "inf 1", "100000 nan"
	};
	char path[2000] = "0::";

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		put("/proc/self/cgroup", lines[i]);
		assert_int_equal(rip_cpu_quota(root), 0);
		put("/proc/self/cgroup", "0::/a\n");
		put(GROUPS "/a/cpu.max", lines[i]);
		assert_int_equal(rip_cpu_quota(root), 0);
	}
	/* A path that is too long is cut off; the top still counts. */
	memset(path + 3, '/', sizeof path - 4);
	path[sizeof path - 1] = '\0';
	put("/proc/self/cgroup", path);
	put(GROUPS "/cpu.max", "700000 100000\n");
	assert_int_equal(rip_cpu_quota(root), 7);
}

TEST(share)
{
	assert_int_equal(rip_cpu_quota_share(8, 0, 4), 8); /* no limit */
	assert_int_equal(rip_cpu_quota_share(8, 4, 1), 4);
	assert_int_equal(rip_cpu_quota_share(8, 4, 2), 2);
	assert_int_equal(rip_cpu_quota_share(2, 64, 4), 2); /* bound to fewer */
	assert_int_equal(rip_cpu_quota_share(8, 2, 4), 1);
	assert_int_equal(rip_cpu_quota_share(0, 0, 4), 1); /* more ranks than processors */
}
