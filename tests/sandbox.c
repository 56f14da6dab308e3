/*
 * Runs a program as riptided.service would, as far as that can be had without systemd:
 * an unprivileged user, no capabilities, no new privileges, the unit's system calls,
 * no memory that is writable and executable, UNIX sockets only, no namespaces, no
 * real-time scheduling, no set-user-ID files.  With it the GPU's driver is tried under
 * the sandbox on machines that have a GPU and no systemd.
 *
 *	sandbox PROGRAM [ARGUMENT]...
 *	sandbox --check		whether each of these is in force
 *
 * Not here, and so not shown by it: DeviceAllow=, the mounts of Protect* and Private*,
 * PrivateNetwork=, DynamicUser= itself.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "no filter for this machine"
#endif

/* --- the filter ---------------------------------------------------------------- */

static struct sock_filter program[4096];
static unsigned short length;

static void add(struct sock_filter instruction)
{
	program[length++] = instruction;
}

static void load(size_t offset)
{
	add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void give(uint32_t result)
{
	add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
}

static void load_call(void)
{
	load(offsetof(struct seccomp_data, nr));
}

/* The low half of an argument: flags and small numbers. */
static void load_argument(int number)
{
	load(offsetof(struct seccomp_data, args) + 8 * (size_t)number);
}

/* A call fails with error if all (or any) of these bits are in the argument. */
static void deny_bits(long call, int argument, uint32_t bits, bool all, int error)
{
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0,
					 all ? 5 : 4));
	load_argument(argument);
	if (all) {
		add((struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
		add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1));
	} else {
		add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
	}
	give(SECCOMP_RET_ERRNO | (uint32_t)error);
	load_call();
}

/* A call fails with error unless the argument is this. */
static void deny_unless(long call, int argument, uint32_t value, int error)
{
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4));
	load_argument(argument);
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
	give(SECCOMP_RET_ERRNO | (uint32_t)error);
	load_call();
}

static void deny(long call, int error)
{
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1));
	give(SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void allow(long call)
{
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1));
	give(SECCOMP_RET_ALLOW);
}

static void write_filter(void)
{
	const uint32_t set_id = S_ISUID | S_ISGID;
	const uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
				    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

	load(offsetof(struct seccomp_data, arch));
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
	give(SECCOMP_RET_KILL_PROCESS);
	load_call();
	/* MemoryDenyWriteExecute= */
	deny_bits(__NR_mmap, 2, PROT_WRITE | PROT_EXEC, true, EPERM);
	deny_bits(__NR_mprotect, 2, PROT_EXEC, false, EPERM);
	deny_bits(__NR_pkey_mprotect, 2, PROT_EXEC, false, EPERM);
	deny_bits(__NR_shmat, 2, SHM_EXEC, false, EPERM);
	/* RestrictAddressFamilies=AF_UNIX */
	deny_unless(__NR_socket, 0, AF_UNIX, EAFNOSUPPORT);
	/* RestrictNamespaces= */
	deny_bits(__NR_clone, 0, namespaces, false, EPERM);
	deny(__NR_clone3, ENOSYS); /* its flags cannot be seen */
	deny(__NR_unshare, EPERM);
	deny(__NR_setns, EPERM);
	/* LockPersonality= */
	deny_unless(__NR_personality, 0, 0xffffffff, EPERM);
	/* RestrictSUIDSGID= */
	deny_bits(__NR_fchmod, 1, set_id, false, EPERM);
	deny_bits(__NR_fchmodat, 2, set_id, false, EPERM);
	deny_bits(__NR_mkdirat, 2, set_id, false, EPERM);
	deny_bits(__NR_mknodat, 2, set_id, false, EPERM);
	deny_bits(__NR_openat, 3, set_id, false, EPERM);
	deny(__NR_openat2, ENOSYS);
#ifdef __NR_open
	deny_bits(__NR_chmod, 1, set_id, false, EPERM);
	deny_bits(__NR_mkdir, 1, set_id, false, EPERM);
	deny_bits(__NR_mknod, 1, set_id, false, EPERM);
	deny_bits(__NR_open, 2, set_id, false, EPERM);
	deny_bits(__NR_creat, 1, set_id, false, EPERM);
#endif
	/* SystemCallFilter=; RestrictRealtime= has nothing left to deny */
#define CALL(name) allow(__NR_##name);
#include "tests/sandbox-calls.h"
#undef CALL
	give(SECCOMP_RET_ERRNO | EPERM); /* SystemCallErrorNumber= */
}

/* --- putting it on ------------------------------------------------------------- */

static int fail(const char *what)
{
	fprintf(stderr, "sandbox: %s: %s\n", what, strerror(errno));
	return 99;
}

/* User=, CapabilityBoundingSet=, AmbientCapabilities= */
static int drop_privileges(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	if (geteuid() == 0) {
		for (int capability = 0; capability <= 63; capability++)
			if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EINVAL)
				return fail("capabilities");
		if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
		    setresuid(NOBODY, NOBODY, NOBODY) < 0)
			return fail("user");
	}
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &header, none) < 0)
		return fail("capabilities");
	return 0;
}

static int put_on(void)
{
	struct sock_fprog filter = { 0, program };
	int r = drop_privileges();

	if (r)
		return r;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return fail("no new privileges");
	write_filter();
	filter.len = length;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
		return fail("system calls");
	return 0;
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

	if (argc < 2) {
		fputs("usage: sandbox PROGRAM [ARGUMENT]... | --check\n", stderr);
		return 2;
	}
	r = put_on();
	if (r)
		return r;
	if (!strcmp(argv[1], "--check"))
		return check();
	execvp(argv[1], argv + 1);
	fprintf(stderr, "sandbox: %s: %s\n", argv[1], strerror(errno));
	return 127;
}
