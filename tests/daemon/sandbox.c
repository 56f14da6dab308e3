/*
 * Runs a program as riptided.service would, as far as that can be had without systemd:
 * an unprivileged user, no capabilities, no new privileges, the unit's system calls,
 * no memory that is writable and executable, UNIX sockets only, no namespaces, no
 * set-user-ID files.  With it the GPU's driver is tried under the sandbox on machines
 * that have a GPU and no systemd.
 *
 *	sandbox CALLS PROGRAM [ARGUMENT]...
 *	sandbox CALLS --check		whether each of these is in force
 *
 * CALLS is a file with the names of the system calls that may be made
 * (sandbox-calls.txt); RestrictRealtime= has nothing to deny that is among them.
 *
 * Not here, and so not shown by it: DeviceAllow=, the mounts of Protect* and Private*,
 * PrivateNetwork=, DynamicUser= itself.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
	int r;

	if (argc < 3) {
		fputs("usage: sandbox CALLS PROGRAM [ARGUMENT]...\n"
		      "       sandbox CALLS --check\n", stderr);
		return 2;
	}
	r = put_on(argv[1]);
	if (r)
		return r;
	if (!strcmp(argv[2], "--check"))
		return check();
	execvp(argv[2], argv + 2);
	fail(argv[2], errno);
	return 127;
}
