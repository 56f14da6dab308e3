#include "config.h"

#include "jail.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Headers of Debian 12 know less of Landlock than kernels do, so its numbers are here. */
struct ruleset {
	uint64_t files, net, scoped;
};

struct path_beneath {
	uint64_t access;
	int32_t  fd;
} __attribute__((packed));

enum {
	CAN_EXECUTE = 1, CAN_WRITE = 1 << 1, CAN_READ = 1 << 2, CAN_LIST = 1 << 3,
	CAN_REMOVE = 1 << 5, CAN_MAKE = 1 << 8, CAN_TRUNCATE = 1 << 14,
	OF_FILES = CAN_EXECUTE | CAN_WRITE | CAN_READ | CAN_TRUNCATE, /* not of folders alone */
};

#define SYS_LANDLOCK_CREATE   444
#define SYS_LANDLOCK_ADD      445
#define SYS_LANDLOCK_RESTRICT 446

#define SYS_OPEN_TREE   428
#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif

/* The program's descriptor when it is executed.  It is close-on-exec, and the limit of descriptors
 * lies below, so that it cannot be made again: of this number there is one exec. */
#define PROGRAM_FD 1000
#define FDS_MAX    256

/* Where people's own files are, whose names are nobody else's business.  Landlock forbids to read
 * them, but not stat(). */
static const char *const places[] = {
	"/home", "/root", "/tmp", "/var/tmp", "/var/spool", "/var/log", "/var/mail", "/srv",
	"/mnt", "/media", "/run", "/opt",
};

#define PLACES (sizeof places / sizeof places[0])

/* ---- what is allowed ---- */

/* Whether a profile of AppArmor confines this process.  Hardly one lets programs mount, and each
 * one that tries is a line in the system's log. */
static bool is_confined(void)
{
	static const char mode[] = " (enforce)";
	const int fd = open("/proc/self/attr/current", O_RDONLY | O_CLOEXEC);
	char profile[512];
	ssize_t n = fd < 0 ? -1 : read(fd, profile, sizeof profile - 1);

	if (fd >= 0)
		close(fd);
	profile[n > 0 ? n : 0] = '\0';
	return strstr(profile, mode) != NULL;
}

/* Moves a descriptor above those that the child gets, which would overwrite it.  -1 stays -1. */
static int raise_fd(const struct rip_jail *jail, int low)
{
	const int high = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, jail->fds);
	const int error = errno;

	if (low >= 0)
		close(low);
	errno = error;
	return high;
}

int rip_jail_init(struct rip_jail *jail, int fds, bool require)
{
	const long version = syscall(SYS_LANDLOCK_CREATE, NULL, 0, 1);
	/* Each version handles some accesses more; what a kernel does not know, it refuses. */
	struct ruleset rules = { .files = (1u << 13) - 1 };

	*jail = (struct rip_jail){
		.ruleset = -1, .program = -1, .fds = fds, .require = require,
		.hidden = is_confined() ? 0 : (1u << PLACES) - 1,
	};
	if (version >= 1) {
		rules.files |= version >= 2 ? 1u << 13 : 0; /* renaming into other folders */
		rules.files |= version >= 3 ? CAN_TRUNCATE : 0;
		rules.files |= version >= 5 ? 1u << 15 : 0; /* ioctl() of devices */
		rules.net = version >= 4 ? 3 : 0;           /* TCP: bind, connect */
		rules.scoped = version >= 6 ? 3 : 0;        /* abstract sockets, signals */
		jail->ruleset = raise_fd(jail, (int)syscall(SYS_LANDLOCK_CREATE, &rules,
							    version >= 6 ? 24 : version >= 4 ? 16 :
							    8, 0));
	}
	jail->handled = rules.files;
	/* ENOSYS and EOPNOTSUPP of kernels without it, EPERM of containers: all the same. */
	return jail->ruleset < 0 && require ? -EOPNOTSUPP : 0;
}

int rip_jail_allow_fd(struct rip_jail *jail, int fd, enum rip_jail_access access)
{
	static const uint64_t bits[] = {
		[RIP_JAIL_READ] = CAN_READ | CAN_LIST,
		[RIP_JAIL_RUN] = CAN_READ | CAN_EXECUTE,
		[RIP_JAIL_DEVICE] = CAN_READ | CAN_WRITE,
		[RIP_JAIL_FILES] = CAN_READ | CAN_WRITE | CAN_MAKE | CAN_REMOVE | CAN_TRUNCATE,
	};
	struct path_beneath rule = { bits[access] & jail->handled, fd };
	struct stat info;

	if (jail->ruleset < 0)
		return 0;
	if (fstat(fd, &info) < 0)
		return -errno;
	if (!S_ISDIR(info.st_mode))
		rule.access &= OF_FILES;
	/* EBADFD: a file without a place in the file system, which is not restricted */
	if (syscall(SYS_LANDLOCK_ADD, jail->ruleset, 1, &rule, 0) < 0 && errno != EBADFD)
		return -errno;
	return 0;
}

/* A place with something that is allowed is not hidden. */
static void show(struct rip_jail *jail, const char *path)
{
	for (size_t i = 0; i < PLACES; i++) {
		const size_t length = strlen(places[i]);

		if (!strncmp(path, places[i], length) && (path[length] == '/' || !path[length]))
			jail->hidden &= ~(1u << i);
	}
}

bool rip_jail_real_path(int fd, const char *path, char real[PATH_MAX])
{
	char link[32];
	ssize_t n;

	/* realpath() reads every folder above it, too. */
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, real, PATH_MAX - 1);
	if (n <= 0 || *real != '/')
		return realpath(path, real) != NULL;
	real[n] = '\0';
	return true;
}

int rip_jail_allow(struct rip_jail *jail, const char *path, enum rip_jail_access access,
		   char real[PATH_MAX])
{
	const int fd = open(path, O_PATH | O_CLOEXEC);
	int r = fd < 0 ? -errno : -ENOENT;

	show(jail, path);
	if (fd < 0)
		return r;
	if (rip_jail_real_path(fd, path, real)) {
		show(jail, real);
		r = rip_jail_allow_fd(jail, fd, access);
	}
	close(fd);
	return r;
}

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Ehdr elf_header;
typedef Elf64_Phdr elf_part;
#else
typedef Elf32_Ehdr elf_header;
typedef Elf32_Phdr elf_part;
#endif

/* The program's dynamic linker is executed, too.  0 or -errno. */
static int allow_linker(struct rip_jail *jail, int file)
{
	char path[PATH_MAX], real[PATH_MAX];
	elf_header header;
	elf_part part;

	if (pread(file, &header, sizeof header, 0) != sizeof header ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof part)
		return -ENOEXEC;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		const off_t at = (off_t)(header.e_phoff + i * sizeof part);

		if (pread(file, &part, sizeof part, at) != sizeof part)
			return -ENOEXEC;
		if (part.p_type != PT_INTERP)
			continue;
		if (part.p_filesz == 0 || part.p_filesz > sizeof path ||
		    pread(file, path, part.p_filesz, (off_t)part.p_offset) !=
			    (ssize_t)part.p_filesz || path[part.p_filesz - 1])
			return -ENOEXEC;
		return rip_jail_allow(jail, path, RIP_JAIL_RUN, real);
	}
	return 0;
}

int rip_jail_program(struct rip_jail *jail, const char *path)
{
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	int r;

	if (file < 0)
		return -errno;
	r = allow_linker(jail, file);
	close(file);
	if (r < 0)
		return r;
	jail->program = raise_fd(jail, open(path, O_PATH | O_CLOEXEC));
	if (jail->program < 0)
		return -errno;
	return rip_jail_allow_fd(jail, jail->program, RIP_JAIL_RUN);
}

void rip_jail_finish(struct rip_jail *jail)
{
	if (jail->ruleset >= 0)
		close(jail->ruleset);
	if (jail->program >= 0)
		close(jail->program);
	jail->ruleset = jail->program = -1;
}

/* ---- in the child: only functions that are safe after fork() in a program with threads ---- */

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE
/* What Ghostscript 10.00 to 10.05, the dynamic linker and glibc 2.36 to 2.41 use, and what does no
 * more harm. */
static const int allowed[] = {
	SYS_read, SYS_openat, SYS_mmap, SYS_brk, SYS_newfstatat, SYS_lseek, SYS_close, SYS_mprotect,
	SYS_write, SYS_munmap, SYS_futex, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64,
	SYS_fstat, SYS_statx, SYS_fstatfs, SYS_statfs, SYS_faccessat, SYS_readlinkat,
	SYS_getdents64, SYS_getcwd, SYS_unlinkat, SYS_ftruncate, SYS_fallocate, SYS_fadvise64,
	SYS_fsync, SYS_fdatasync, SYS_dup, SYS_dup3, SYS_mremap, SYS_madvise, SYS_set_robust_list,
	SYS_set_tid_address, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_nanosleep,
	SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_times,
	SYS_getrusage, SYS_uname, SYS_sysinfo, SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask,
	SYS_rt_sigreturn, SYS_sigaltstack, SYS_ppoll, SYS_pselect6, SYS_getpid, SYS_gettid,
	SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getgroups, SYS_exit,
	SYS_exit_group, SYS_restart_syscall, SYS_getcpu, SYS_membarrier,
#ifdef __x86_64__
	SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_unlink, SYS_dup2, SYS_poll,
	SYS_select, SYS_time, SYS_arch_prctl, SYS_getrlimit,
#endif
};

#define CALLS     (sizeof allowed / sizeof allowed[0])
#define STEPS_MAX (CALLS + 96)
_Static_assert(CALLS < 256, "a step of the filter jumps over at most 255");

#define NEW_CALLS 424 /* from here on the numbers are those of all architectures */

struct filter {
	struct sock_filter step[STEPS_MAX];
	unsigned short     count;
};

static void add(struct filter *f, uint16_t code, uint32_t k, uint8_t then, uint8_t otherwise)
{
	f->step[f->count++] = (struct sock_filter){ code, then, otherwise, k };
}

static void add_result(struct filter *f, uint32_t result)
{
	add(f, BPF_RET | BPF_K, result, 0, 0);
}

static void add_load(struct filter *f, size_t offset)
{
	add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The low half of an argument, and the high one: all architectures above are little-endian. */
#define LOW(n)  (offsetof(struct seccomp_data, args) + 8 * (n))
#define HIGH(n) (LOW(n) + 4)

struct condition {
	size_t   offset;
	uint16_t test; /* BPF_JEQ, or BPF_JSET: a bit of the value is set */
	uint32_t value;
};

/* This call is allowed under one or two conditions; else it fails. */
static void add_call(struct filter *f, int call, const struct condition conditions[2], int error)
{
	const unsigned count = conditions[1].test ? 2 : 1;

	add(f, BPF_JMP | BPF_JEQ, (uint32_t)call, 0, (uint8_t)(2 * count + 2));
	for (unsigned i = 0; i < count; i++) {
		add_load(f, conditions[i].offset);
		add(f, BPF_JMP | conditions[i].test, conditions[i].value, 0,
		    (uint8_t)(2 * (count - i) - 1));
	}
	add_result(f, SECCOMP_RET_ALLOW);
	add_result(f, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void make_filter(struct filter *f, uint32_t program)
{
	const struct { int call; struct condition when[2]; int error; } some[] = {
		/* threads, but no processes */
		{ SYS_clone, { { LOW(0), BPF_JSET, CLONE_THREAD } }, EPERM },
		/* abort(), but nobody else's death */
		{ SYS_tgkill, { { LOW(0), BPF_JEQ, (uint32_t)getpid() } }, EPERM },
		{ SYS_prctl, { { LOW(0), BPF_JEQ, PR_CAPBSET_READ } }, EPERM },
		/* the limits are read, not set */
		{ SYS_prlimit64, { { LOW(2), BPF_JEQ, 0 }, { HIGH(2), BPF_JEQ, 0 } }, EPERM },
		/* isatty() */
		{ SYS_ioctl, { { LOW(1), BPF_JEQ, TCGETS } }, ENOTTY },
		/* once */
		{ SYS_execveat, { { LOW(0), BPF_JEQ, program },
				  { LOW(4), BPF_JEQ, AT_EMPTY_PATH } }, EPERM },
	};

	f->count = 0;
	add_load(f, offsetof(struct seccomp_data, arch));
	add(f, BPF_JMP | BPF_JEQ, ARCHITECTURE, 1, 0);
	add_result(f, SECCOMP_RET_KILL_PROCESS);
	add_load(f, offsetof(struct seccomp_data, nr));
	/* One step each, to the same result: when the filter is set, the kernel runs it for every
	 * call that there is. */
	for (size_t i = 0; i < CALLS; i++)
		add(f, BPF_JMP | BPF_JEQ, (uint32_t)allowed[i], (uint8_t)(CALLS - i), 0);
	add(f, BPF_JMP | BPF_JA, 1, 0, 0);
	add_result(f, SECCOMP_RET_ALLOW);
	for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
		add_call(f, some[i].call, some[i].when, some[i].error);
	/* Copies, flags and locks of descriptors; no owner, signal, lease or seal. */
	add(f, BPF_JMP | BPF_JEQ, SYS_fcntl, 0, 5);
	add_load(f, LOW(1));
	add(f, BPF_JMP | BPF_JEQ, F_DUPFD_CLOEXEC, 1, 0);
	add(f, BPF_JMP | BPF_JGT, F_SETLKW, 1, 0);
	add_result(f, SECCOMP_RET_ALLOW);
	add_result(f, SECCOMP_RET_ERRNO | EPERM);
	/* What glibc tries first, and can do without: clone3(), whose flags lie in memory, and what
	 * is newer. */
	add(f, BPF_JMP | BPF_JGE, NEW_CALLS, 0, 1);
	add_result(f, SECCOMP_RET_ERRNO | ENOSYS);
	add_result(f, SECCOMP_RET_ERRNO | EPERM);
}

static int set_filter(uint32_t program)
{
	struct filter filter;
	struct sock_fprog fprog = { .filter = filter.step };

	make_filter(&filter, program);
	fprog.len = filter.count;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog);
}
#else
static int set_filter(uint32_t program)
{
	(void)program;
	errno = ENOSYS;
	return -1;
}
#endif

static int set_limit(int which, uint64_t most)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)which, &limit) < 0)
		return -errno;
	if (limit.rlim_cur > most)
		limit.rlim_cur = most;
	limit.rlim_max = limit.rlim_cur;
	return setrlimit((__rlimit_resource_t)which, &limit) < 0 ? -errno : 0;
}

static int set_limits(const struct rip_jail *jail, uint32_t fds)
{
	const struct { int which; uint64_t most; } limits[] = {
		{ RLIMIT_CORE, 0 }, { RLIMIT_NOFILE, fds }, { RLIMIT_MEMLOCK, 0 },
		{ RLIMIT_MSGQUEUE, 0 }, { RLIMIT_FSIZE, jail->file }, { RLIMIT_AS, jail->memory },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof limits / sizeof limits[0]; i++)
		r = set_limit(limits[i].which, limits[i].most);
	return r;
}

/* Places the program's descriptor above the limit of descriptors.  Its number, or -errno. */
static int place_program(const struct rip_jail *jail, uint32_t *fds)
{
	struct rlimit limit;
	int number = PROGRAM_FD;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return -errno;
	if (limit.rlim_cur <= PROGRAM_FD)
		number = (int)limit.rlim_cur - 1;
	*fds = number < FDS_MAX ? (uint32_t)number : FDS_MAX;
	if (number <= jail->fds || dup3(jail->program, number, O_CLOEXEC) < 0)
		return -EMFILE;
	close_range((unsigned)jail->fds, UINT_MAX, CLOSE_RANGE_CLOEXEC);
	return number;
}

static void drop_bounding_set(void)
{
	for (unsigned long cap = 0; prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0; cap++)
		;
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	const struct __user_cap_data_struct none[2] = { { 0 } };

	syscall(SYS_capset, &header, none);
}

/* As root: drops all capabilities, and becomes the other user. */
static unsigned drop_privileges(const struct rip_jail *jail)
{
	unsigned missing = 0;

	if (geteuid() != 0)
		return 0;
	drop_bounding_set();
	if (!jail->user || syscall(SYS_setgroups, 0, NULL) < 0 ||
	    syscall(SYS_setresgid, jail->group, jail->group, jail->group) < 0 ||
	    syscall(SYS_setresuid, jail->user, jail->user, jail->user) < 0)
		missing = RIP_JAIL_NO_USER;
	drop_capabilities();
	return missing;
}

/* Mounts something empty over the places, in a namespace of mounts of its own.  That needs one of
 * users, where nobody is mapped: it gives the right to mount, and nothing on this system.
 * Once there is something empty, to mount it again takes a quarter of the time. */
static bool mount_empty(const struct rip_jail *jail)
{
	const unsigned long flags = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
	const char *empty = NULL;
	bool mounted = true;
	int tree = -1;

	/* From a tree of its own, the folder for files has no parent. */
	if (jail->folder) {
		tree = (int)syscall(SYS_OPEN_TREE, AT_FDCWD, "",
				    AT_EMPTY_PATH | OPEN_TREE_CLONE | O_CLOEXEC);
		mounted = tree >= 0;
	}
	for (size_t i = 0; mounted && i < PLACES; i++) {
		if (!(jail->hidden & 1u << i))
			continue;
		if ((empty ? mount(empty, places[i], NULL, MS_BIND, NULL) :
		     mount("none", places[i], "tmpfs", flags, NULL)) == 0)
			empty = places[i];
		else
			mounted = errno == ENOENT;
	}
	/* Not before: in somebody else's Landlock, where nothing can be mounted, files may be
	 * written only below the folders that it names, and this tree is below none. */
	if (mounted && tree >= 0)
		mounted = dup2(tree, jail->folder) >= 0;
	if (tree >= 0)
		close(tree);
	if (!mounted)
		return false;
	return chdir("/") == 0; /* not where it was: below what is hidden now */
}

static unsigned hide(const struct rip_jail *jail)
{
	unsigned missing = RIP_JAIL_NO_MOUNTS;

	if (!jail->hidden)
		return missing;
	/* The current folder goes along into the namespace, descriptors do not. */
	if ((jail->folder && fchdir(jail->folder) < 0) ||
	    unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return missing;
	if (mount_empty(jail))
		missing = 0;
	drop_bounding_set();
	drop_capabilities();
	return missing;
}

/* Whether the kernel does not have it, or a container does not allow it. */
static bool is_missing(int error)
{
	return error == ENOSYS || error == EOPNOTSUPP || error == EPERM;
}

int rip_jail_exec(const struct rip_jail *jail, char *const argv[], char *const envp[],
		  pid_t parent, void (*missing)(int to, unsigned parts), int to)
{
	unsigned parts;
	uint32_t fds = 0;
	const int program = place_program(jail, &fds);
	int r = program < 0 ? program : set_limits(jail, fds);

	if (r < 0)
		return r;
	parts = drop_privileges(jail);
	parts |= hide(jail);
	/* Another user's process has lost it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (jail->ruleset < 0)
		parts |= RIP_JAIL_NO_LANDLOCK;
	else if (syscall(SYS_LANDLOCK_RESTRICT, jail->ruleset, 0) < 0) {
		if (!is_missing(errno))
			return -errno;
		parts |= RIP_JAIL_NO_LANDLOCK;
	}
	if (prctl(65 /* PR_SET_MDWE, of Linux 6.3 */, 1, 0, 0, 0) < 0)
		parts |= RIP_JAIL_NO_MDWE;
	if (set_filter((uint32_t)program) < 0) {
		if (!is_missing(errno) && errno != EINVAL)
			return -errno;
		parts |= RIP_JAIL_NO_SECCOMP;
	}
	if (parts & RIP_JAIL_PARTIAL && jail->require)
		return -EOPNOTSUPP;
	if (parts)
		missing(to, parts);
	syscall(SYS_execveat, program, "", argv, envp, AT_EMPTY_PATH);
	return -errno;
}
