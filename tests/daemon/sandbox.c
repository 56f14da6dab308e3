/*
 * Runs a program as riptided.service would, as far as that can be had without systemd:
 * an unprivileged user, no capabilities, no new privileges, the unit's system calls,
 * no memory that is writable and executable, UNIX sockets only, no namespaces, no
 * set-user-ID files.  With it the GPU's driver is tried under the sandbox on machines
 * that have a GPU and no systemd.
 *
 *	sandbox [--world UNIT FOLDER] CALLS PROGRAM [ARGUMENT]...
 *	sandbox [--world UNIT FOLDER] CALLS --check	whether each of these is in force
 *
 * CALLS is a file with the names of the system calls that may be made
 * (sandbox-calls.txt); RestrictRealtime= has nothing to deny that is among them.
 *
 * With --world, for root: also the namespaces and mounts of Protect* and Private*, and only the
 * devices that the DeviceAllow= lines of the file UNIT name; FOLDER stays writable, for the
 * socket.  The other device nodes are missing then; systemd leaves them, and the kernel
 * refuses to open them.
 *
 * Not here, and so not shown by it: systemd's own DeviceAllow=, ExecStartPre=, DynamicUser=.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define NOBODY 65534
#define FAILED 99 /* the sandbox could not be put on */

static int fail(const char *what, int error)
{
	fprintf(stderr, "sandbox: %s: %s\n", what, strerror(error));
	return FAILED;
}

/* --- the filters ---------------------------------------------------------------- */

/* A call that has all these bits in an argument fails. */
static int deny_bits(scmp_filter_ctx filter, int call, unsigned argument, unsigned bits)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 1,
				SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bits, bits));
}

/* A call whose first argument is anything else fails. */
static int deny_unless(scmp_filter_ctx filter, int call, uint64_t value, int error)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)error), call, 1,
				SCMP_CMP(0, SCMP_CMP_NE, value, 0));
}

static int deny(scmp_filter_ctx filter, int call, int error)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)error), call, 0);
}

/* What is denied for its arguments, although the call may be made. */
static int write_arguments(scmp_filter_ctx filter)
{
	static const unsigned namespaces[] = {
		CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER,
		CLONE_NEWPID, CLONE_NEWNET,
	};
	static const struct {
		int      call;
		unsigned argument;
	} modes[] = {
		{ SCMP_SYS(chmod), 1 },  { SCMP_SYS(fchmod), 1 },  { SCMP_SYS(fchmodat), 2 },
		{ SCMP_SYS(mkdir), 1 },  { SCMP_SYS(mkdirat), 2 }, { SCMP_SYS(mknod), 1 },
		{ SCMP_SYS(mknodat), 2 }, { SCMP_SYS(open), 2 },   { SCMP_SYS(openat), 3 },
		{ SCMP_SYS(creat), 1 },
	};
	int r = 0;

	/* MemoryDenyWriteExecute= */
	r |= deny_bits(filter, SCMP_SYS(mmap), 2, PROT_WRITE | PROT_EXEC);
	r |= deny_bits(filter, SCMP_SYS(mprotect), 2, PROT_EXEC);
	r |= deny_bits(filter, SCMP_SYS(pkey_mprotect), 2, PROT_EXEC);
	r |= deny_bits(filter, SCMP_SYS(shmat), 2, SHM_EXEC);
	/* RestrictAddressFamilies=AF_UNIX */
	r |= deny_unless(filter, SCMP_SYS(socket), AF_UNIX, EAFNOSUPPORT);
	/* RestrictNamespaces=; the flags of clone3 cannot be seen */
	for (size_t i = 0; i < sizeof namespaces / sizeof namespaces[0]; i++)
		r |= deny_bits(filter, SCMP_SYS(clone), 0, namespaces[i]);
	r |= deny(filter, SCMP_SYS(clone3), ENOSYS);
	r |= deny(filter, SCMP_SYS(unshare), EPERM);
	r |= deny(filter, SCMP_SYS(setns), EPERM);
	/* LockPersonality= */
	r |= deny_unless(filter, SCMP_SYS(personality), PER_LINUX, EPERM);
	/* RestrictSUIDSGID= */
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		r |= deny_bits(filter, modes[i].call, modes[i].argument, S_ISUID);
		r |= deny_bits(filter, modes[i].call, modes[i].argument, S_ISGID);
	}
	r |= deny(filter, SCMP_SYS(openat2), ENOSYS);
	return r;
}

/* SystemCallFilter=.  Names that this machine does not have are left out. */
static int write_calls(scmp_filter_ctx filter, const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned count = 0;
	char line[1024];
	int r = 0;

	if (!file)
		return -errno;
	while (r == 0 && fgets(line, sizeof line, file)) {
		char *rest = line, *name;

		if (line[0] == '#')
			continue;
		while (r == 0 && (name = strsep(&rest, " \n"))) {
			const int call = seccomp_syscall_resolve_name(name);

			if (call < 0)
				continue;
			r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
			count++;
		}
	}
	fclose(file);
	return r == 0 && !count ? -ENODATA : r;
}

/* As systemd does, one filter denies by arguments and another one by names: what any of
 * them denies is denied. */
static int load_filters(const char *path)
{
	scmp_filter_ctx arguments = seccomp_init(SCMP_ACT_ALLOW);
	scmp_filter_ctx calls = seccomp_init(SCMP_ACT_ERRNO(EPERM)); /* SystemCallErrorNumber= */
	int r = arguments && calls ? 0 : -ENOMEM;

	if (r == 0)
		r = write_calls(calls, path);
	if (r < 0) {
		fail(path, -r);
	} else {
		r = write_arguments(arguments) ? -EINVAL : 0;
		if (r == 0)
			r = seccomp_load(arguments);
		if (r == 0)
			r = seccomp_load(calls);
		if (r < 0)
			fail("system calls", -r);
	}
	seccomp_release(arguments);
	seccomp_release(calls);
	return r < 0 ? FAILED : 0;
}

/* --- the world: namespaces, mounts, devices --------------------------------------- */

#define NODES_MAX 128

/* A device node. */
struct node {
	char   path[300];
	mode_t mode;
	dev_t  device;
};

/* Whether the unit allows the character devices of this driver. */
static bool unit_allows(const char *unit, const char *driver)
{
	char line[256], wanted[128];
	FILE *file = fopen(unit, "re");
	bool found = false;

	snprintf(wanted, sizeof wanted, "DeviceAllow=char-%s rw\n", driver);
	while (file && !found && fgets(line, sizeof line, file))
		found = !strcmp(line, wanted);
	if (file)
		fclose(file);
	return found;
}

/* Whether this is a character device that the unit may open: DevicePolicy=closed allows some,
 * and names stand in /proc/devices, as for systemd. */
static bool device_allowed(const char *unit, dev_t device)
{
	char line[128], driver[64];
	FILE *file;
	unsigned number;
	bool allowed = false;

	if (major(device) == 1) { /* null, zero, full, random, urandom */
		const unsigned n = minor(device);

		return n == 3 || n == 5 || n == 7 || n == 8 || n == 9;
	}
	file = fopen("/proc/devices", "re");
	while (file && !allowed && fgets(line, sizeof line, file) && strncmp(line, "Block", 5))
		allowed = sscanf(line, "%u %63s", &number, driver) == 2 &&
			  number == major(device) && unit_allows(unit, driver);
	if (file)
		fclose(file);
	return allowed;
}

/* Adds the device nodes of a folder that are allowed. */
static unsigned collect_nodes(const char *unit, const char *folder, struct node *nodes,
			      unsigned count)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;
	struct stat st;

	while (directory && count < NODES_MAX && (entry = readdir(directory))) {
		struct node *node = &nodes[count];

		snprintf(node->path, sizeof node->path, "%s/%s", folder, entry->d_name);
		if (lstat(node->path, &st) < 0 || !S_ISCHR(st.st_mode) ||
		    !device_allowed(unit, st.st_rdev))
			continue;
		node->mode = st.st_mode;
		node->device = st.st_rdev;
		count++;
	}
	if (directory)
		closedir(directory);
	return count;
}

/* Makes a mount, with all below it, read-only or writable. */
static int set_read_only(const char *path, bool read_only)
{
	struct mount_attr attributes = { .attr_set = read_only ? MOUNT_ATTR_RDONLY : 0,
					 .attr_clr = read_only ? 0 : MOUNT_ATTR_RDONLY };

	return (int)syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &attributes,
			    sizeof attributes);
}

/* Covers a folder, if it is there. */
static int cover(const char *path, const char *options)
{
	if (access(path, F_OK) < 0)
		return 0;
	return mount("tmpfs", path, "tmpfs", MS_NOSUID, options);
}

static int make_folders(const char *path)
{
	char part[256];

	for (size_t i = 1; path[i - 1]; i++) {
		if (path[i] && path[i] != '/')
			continue;
		snprintf(part, sizeof part, "%.*s", (int)i, path);
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return -1;
	}
	return 0;
}

/* PrivateDevices=no and DevicePolicy=closed: what cannot be opened is not there. */
static int make_devices(const char *unit)
{
	static struct node nodes[NODES_MAX];
	unsigned count = collect_nodes(unit, "/dev", nodes, 0);

	count = collect_nodes(unit, "/dev/nvidia-caps", nodes, count);
	if (cover("/dev", "mode=755") < 0 || mkdir("/dev/shm", 01777) < 0 ||
	    mkdir("/dev/nvidia-caps", 0755) < 0)
		return -1;
	umask(0);
	for (unsigned i = 0; i < count; i++)
		if (mknod(nodes[i].path, nodes[i].mode, nodes[i].device) < 0)
			return -1;
	return 0;
}

/* folder: an absolute path without links. */
static int make_world(const char *unit, const char *folder)
{
	static const char *const hidden[] = { "/home", "/root", "/run/user", "/lib/modules",
					      "/usr/lib/modules" };
	char kept[64];
	int keep;

	/* PrivateMounts=, PrivateNetwork=, PrivateIPC=, ProtectHostname= */
	if (unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) < 0)
		return fail("namespaces", errno);
	keep = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (keep < 0)
		return fail(folder, errno);
	snprintf(kept, sizeof kept, "/proc/self/fd/%d", keep);
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return fail("mounts", errno);
	if (make_devices(unit) < 0)
		return fail("devices", errno);
	/* ProtectSystem=strict, ProtectKernelTunables=, ProtectControlGroups= */
	if (set_read_only("/", true) < 0 || set_read_only("/dev", false) < 0)
		return fail("read-only root", errno);
	/* PrivateTmp= */
	if (cover("/tmp", "mode=1777") < 0 || cover("/var/tmp", "mode=1777") < 0)
		return fail("private /tmp", errno);
	if (strncmp(folder, "/tmp/", 5) == 0 && make_folders(folder) < 0)
		return fail(folder, errno);
	if (mount(kept, folder, NULL, MS_BIND, NULL) < 0 || set_read_only(folder, false) < 0)
		return fail(folder, errno);
	/* ProtectHome=, ProtectKernelModules= */
	for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
		if (cover(hidden[i], "mode=000,ro") < 0)
			return fail(hidden[i], errno);
	/* ProtectProc=invisible, and what is read-only in /proc */
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=invisible") <
	    0)
		return fail("private /proc", errno);
	if (mount("/proc/sys", "/proc/sys", NULL, MS_BIND, NULL) < 0 ||
	    set_read_only("/proc/sys", true) < 0)
		return fail("/proc/sys", errno);
	return 0;
}

/* --- putting it on ------------------------------------------------------------- */

/* User=, CapabilityBoundingSet=, AmbientCapabilities= */
static int drop_privileges(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	if (geteuid() == 0) {
		for (int capability = 0; capability <= 63; capability++)
			if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EINVAL)
				return fail("capabilities", errno);
		if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
		    setresuid(NOBODY, NOBODY, NOBODY) < 0)
			return fail("user", errno);
	}
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &header, none) < 0)
		return fail("capabilities", errno);
	return 0;
}

static int put_on(const char *calls)
{
	int r = drop_privileges();

	if (r)
		return r;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return fail("no new privileges", errno);
	return load_filters(calls);
}

/* --- whether it holds ---------------------------------------------------------- */

static int failures;

static void expect(bool held, const char *what)
{
	printf("%s: %s\n", held ? "held" : "NOT HELD", what);
	failures += !held;
}

static bool has_capabilities(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct have[2];

	return syscall(SYS_capget, &header, have) < 0 || have[0].permitted || have[1].permitted;
}

/* Whether what --world adds is in force. */
static void check_world(const char *folder)
{
	FILE *interfaces = fopen("/proc/self/net/dev", "re");
	char path[300], line[256];
	unsigned others = 0, lines = 0;
	struct statvfs root, usr;
	int fd;

	while (interfaces && fgets(line, sizeof line, interfaces))
		others += ++lines > 2 && !strstr(line, " lo:");
	if (interfaces)
		fclose(interfaces);
	snprintf(path, sizeof path, "%s/.sandbox", folder);
	expect(statvfs("/", &root) == 0 && root.f_flag & ST_RDONLY && statvfs("/usr", &usr) == 0 &&
	       usr.f_flag & ST_RDONLY, "the system is read-only");
	expect(open("/proc/sys/kernel/hostname", O_WRONLY | O_CLOEXEC) < 0, "no kernel tunables");
	expect(opendir("/home") == NULL && opendir("/root") == NULL, "no home folders");
	expect(access("/proc/1/status", F_OK) < 0, "no processes of others");
	expect(lines > 2 && !others, "no network interfaces");
	expect(access("/dev/null", W_OK) == 0 && access("/dev/kmsg", F_OK) < 0 &&
	       access("/dev/mem", F_OK) < 0 && access("/dev/fuse", F_OK) < 0, "no other devices");
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	expect(fd >= 0 && unlink(path) == 0, "the socket's folder is writable");
}

static int check(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	expect(geteuid() != 0 && !has_capabilities(), "no capabilities");
	expect(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1, "no new privileges");
	expect(memory != MAP_FAILED && mprotect(memory, page, PROT_READ | PROT_EXEC) < 0 &&
	       errno == EPERM, "memory does not become executable");
	expect(mmap(NULL, page, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0) == MAP_FAILED && errno == EPERM, "no memory is writable and executable");
	expect(socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EAFNOSUPPORT, "no network");
	expect(socket(AF_UNIX, SOCK_STREAM, 0) >= 0, "UNIX sockets");
	expect(unshare(CLONE_NEWUSER) < 0 && errno == EPERM, "no namespaces");
	expect(personality(PER_LINUX32) < 0 && errno == EPERM, "no other personality");
	expect(open("/tmp", O_TMPFILE | O_WRONLY, 04600) < 0 && errno == EPERM,
	       "no set-user-ID files");
	expect(syscall(SYS_setuid, 0) < 0 && errno == EPERM, "no other user");
	expect(syscall(SYS_mount, "x", "/", "tmpfs", 0, NULL) < 0 && errno == EPERM, "no mounts");
	expect(syscall(SYS_ptrace, 0, 0, 0, 0) < 0 && errno == EPERM, "no tracing");
	return failures != 0;
}

int main(int argc, char **argv)
{
	const char *folder = NULL;
	int r;

	if (argc > 3 && !strcmp(argv[1], "--world")) {
		folder = argv[3];
		r = make_world(argv[2], folder);
		if (r)
			return r;
		argc -= 3;
		argv += 3;
	}
	if (argc < 3) {
		fputs("usage: sandbox [--world UNIT FOLDER] CALLS PROGRAM [ARGUMENT]...\n"
		      "       sandbox [--world UNIT FOLDER] CALLS --check\n", stderr);
		return 2;
	}
	r = put_on(argv[1]);
	if (r)
		return r;
	if (!strcmp(argv[2], "--check")) {
		if (folder)
			check_world(folder);
		return check();
	}
	execvp(argv[2], argv + 2);
	fail(argv[2], errno);
	return 127;
}
