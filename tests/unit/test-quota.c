/* The processor time and the memory that control groups allow, in a folder that looks like /proc
 * and /sys. */
#include "tests/tools/testing.h"

#include "halftone/quota.h"

#define GROUPS "/sys/fs/cgroup"
#define MIB    (UINT64_C(1) << 20)

static char root[] = "/tmp/test-quota-XXXXXX";

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

static void memory_is(uint64_t total, uint64_t left)
{
	const struct rip_memory memory = rip_memory_quota(root);

	assert_int_equal(memory.total, total);
	assert_int_equal(memory.left, left);
}

TEST_WITH(begin, end, memory)
{
	memory_is(UINT64_MAX, UINT64_MAX); /* no /proc */
	put("/proc/meminfo", "MemTotal:        8192 kB\nMemFree:          512 kB\n"
			     "MemAvailable:    4096 kB\n");
	memory_is(8 * MIB, 4 * MIB);
	put("/proc/self/cgroup", "0::/system.slice/cups.service\n");
	put(GROUPS "/system.slice/cups.service/memory.max", "max\n");
	put(GROUPS "/system.slice/cups.service/memory.current", "1048576\n");
	memory_is(8 * MIB, 4 * MIB);
	put(GROUPS "/system.slice/cups.service/memory.max", "3145728\n");
	memory_is(3 * MIB, 2 * MIB);
	put(GROUPS "/system.slice/cups.service/memory.stat", "anon 1\ninactive_file 524288\n");
	memory_is(3 * MIB, 2 * MIB + MIB / 2);
	put(GROUPS "/system.slice/cups.service/memory.high", "2097152\n");
	memory_is(2 * MIB, MIB + MIB / 2);
	/* More than it may have; and the group above. */
	put(GROUPS "/system.slice/cups.service/memory.current", "8388608\n");
	memory_is(2 * MIB, 0);
	put(GROUPS "/system.slice/cups.service/memory.current", "0\n");
	put(GROUPS "/system.slice/memory.max", "1048576\n");
	put(GROUPS "/system.slice/memory.current", "262144\n");
	memory_is(MIB, MIB - MIB / 4);
}

TEST_WITH(begin, end, memory_of_version_1)
{
	put("/proc/self/cgroup", "5:cpu:/docker/1\n4:memory:/docker/1\n0::/\n");
	put(GROUPS "/memory/docker/1/memory.limit_in_bytes", "9223372036854771712\n");
	put("/proc/meminfo", "MemTotal: 8192 kB\nMemAvailable: 4096 kB\n");
	memory_is(8 * MIB, 4 * MIB);
	put(GROUPS "/memory/docker/1/memory.limit_in_bytes", "4194304\n");
	put(GROUPS "/memory/docker/1/memory.usage_in_bytes", "3145728\n");
	put(GROUPS "/memory/docker/1/memory.stat",
	    "inactive_file 9\ntotal_inactive_file 1048576\n");
	memory_is(4 * MIB, 2 * MIB);
}
