/*
 * Code that is loaded into Ghostscript before its first line, as if a document had brought it to
 * run there: in the place of the library that the jail loads.  It tries what GS_ATTACK names, and
 * prints PWNED if that succeeds.  The world that it attacks is made by attacks.sh. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define WORLD  "/tmp/w/"
#define SECRET "TOPSECRET"
#define PORT   7777
#define KEY    0x7274

extern char **environ;

/* ---- reads ---- */

static bool leaks(int fd)
{
	char text[65536] = "";
	const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);

	return n > 0 && memmem(text, (size_t)n, SECRET, strlen(SECRET));
}

static bool read_path(void) { return leaks(open(WORLD "secret", O_RDONLY)); }
static bool read_openat2(void)
{
	const uint64_t how[3] = { O_RDONLY, 0, 0 };

	return leaks((int)syscall(437, AT_FDCWD, WORLD "secret", how, sizeof how));
}
static bool read_root_link(void) { return leaks(open("/proc/self/root" WORLD "secret", O_RDONLY)); }
static bool read_task(void)
{
	return leaks(open("/proc/thread-self/root" WORLD "secret", O_RDONLY));
}
static bool read_relative(void)
{
	return leaks(open("../../../../../../../tmp/w/secret", O_RDONLY));
}
static bool read_below_descriptor(void)
{
	int folder = open(getenv("TMPDIR"), O_RDONLY | O_DIRECTORY);

	/* Private or not, the folder is below /tmp/spool, or that folder. */
	return leaks(openat(folder, "../w/secret", O_RDONLY)) ||
	       leaks(openat(folder, "../../w/secret", O_RDONLY));
}
static bool read_environment(void)
{
	for (char **e = environ; *e; e++)
		if (strstr(*e, SECRET))
			return true;
	return leaks(open("/proc/self/environ", O_RDONLY));
}
static bool read_parents_environment(void)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%d/environ", getppid());
	return leaks(open(name, O_RDONLY));
}
static bool read_parents_memory(void)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%d/maps", getppid());
	return open(name, O_RDONLY) >= 0;
}
static bool read_parents_descriptors(void)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%d/fd", getppid());
	return opendir(name) != NULL;
}
static bool read_users(void) { return open("/etc/passwd", O_RDONLY) >= 0; }
static bool list_world(void) { return opendir(WORLD) != NULL; }
static bool list_processes(void) { return opendir("/proc") != NULL; }
static bool list_temporary(void) { return opendir("/tmp/spool") != NULL; }
static bool read_parent_vm(void)
{
	char text[16];
	struct iovec mine = { text, sizeof text }, theirs = { environ[0], sizeof text };

	/* EFAULT: it may, but nothing is at this address. */
	return process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0) > 0 || errno == EFAULT;
}
static bool watch(void)
{
	return inotify_add_watch(inotify_init(), WORLD, IN_ALL_EVENTS) >= 0;
}
static bool open_path_only(void)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/self/fd/%d", open(WORLD "secret", O_PATH));
	return leaks(open(name, O_RDONLY));
}
static bool ring(void)
{
	char parameters[256] = "";

	return syscall(425, 4, parameters) >= 0;
}
static bool exists(const char *name)
{
	struct stat info;

	return stat(name, &info) == 0;
}

static bool stat_path(void) { return exists(WORLD "secret"); }
static bool stat_root_link(void) { return exists("/proc/self/root" WORLD "secret"); }
static bool stat_relative(void) { return exists("../../../../../tmp/w/secret"); }
static bool stat_here(void) { return exists("attacks.sh") || exists("../w/secret"); }
static bool stat_extended(void)
{
	struct statx info;

	return statx(AT_FDCWD, WORLD "secret", 0, STATX_SIZE, &info) == 0;
}
static bool stat_below_descriptor(void)
{
	char name[4096], other[4096];

	/* As read_below_descriptor(). */
	snprintf(name, sizeof name, "%s/../w/secret", getenv("TMPDIR"));
	snprintf(other, sizeof other, "%s/../../w/secret", getenv("TMPDIR"));
	return exists(name) || exists(other);
}
static bool stat_access(void) { return access(WORLD "secret", F_OK) == 0; }
static bool extended_attribute(void)
{
	char text[64] = "";

	return getxattr(WORLD "secret", "user.name", text, sizeof text) >= 0 || errno == ENODATA ||
	       errno == EOPNOTSUPP;
}

/* ---- changes ---- */

static bool make_file(void) { return open(WORLD "new", O_WRONLY | O_CREAT, 0600) >= 0; }
static bool make_in_spool(void) { return open("/tmp/spool/new", O_WRONLY | O_CREAT, 0600) >= 0; }
static bool overwrite(void) { return open(WORLD "victim", O_WRONLY) >= 0; }
static bool append(void) { return open(WORLD "victim", O_WRONLY | O_APPEND) >= 0; }
static bool cut(void) { return truncate(WORLD "victim", 0) == 0; }
static bool cut_open(void) { return open(WORLD "victim", O_RDONLY | O_TRUNC) >= 0; }
static bool remove_file(void) { return unlink(WORLD "victim") == 0; }
static bool remove_at(void) { return syscall(SYS_unlinkat, AT_FDCWD, WORLD "victim", 0) == 0; }
static bool remove_folder(void) { return rmdir(WORLD "empty") == 0; }
static bool rename_file(void) { return rename(WORLD "victim", WORLD "other") == 0; }
static bool link_file(void) { return link(WORLD "victim", WORLD "other") == 0; }
static bool link_here(void)
{
	char name[4096];

	snprintf(name, sizeof name, "%s/linked", getenv("TMPDIR"));
	return link(WORLD "secret", name) == 0;
}
static bool symlink_here(void)
{
	char name[4096];

	snprintf(name, sizeof name, "%s/pointer", getenv("TMPDIR"));
	return symlink(WORLD "secret", name) == 0 && leaks(open(name, O_RDONLY));
}
static bool make_folder(void) { return mkdir(WORLD "folder", 0700) == 0; }
static bool make_folder_here(void)
{
	char name[4096];

	snprintf(name, sizeof name, "%s/folder", getenv("TMPDIR"));
	return mkdir(name, 0700) == 0;
}
static bool make_fifo(void) { return mkfifo(WORLD "fifo", 0600) == 0; }
static bool set_mode(void) { return chmod(WORLD "secret", 0666) == 0; }
static bool set_mode_at(void) { return syscall(SYS_fchmodat, AT_FDCWD, WORLD "secret", 0666) == 0; }
static bool set_times(void)
{
	return utimensat(AT_FDCWD, WORLD "victim", (const struct timespec[2]){ { 1, 0 }, { 1, 0 } },
			 0) == 0;
}
static bool set_owner(void) { return chown(WORLD "victim", getuid(), getgid()) == 0; }
static bool set_document_mode(void) { return fchmod(3, 0666) == 0; }
static bool write_document(void) { return open("/dev/fd/3", O_WRONLY) >= 0; }
static bool unnamed_file(void) { return open(WORLD, O_TMPFILE | O_RDWR, 0600) >= 0; }
static bool write_fonts(void) { return open("/tmp/fonts/font", O_WRONLY) >= 0; }

/* ---- processes ---- */

static bool forked(pid_t pid)
{
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return pid > 0;
}

static bool fork_plain(void) { return forked(fork()); }
static bool fork_clone(void) { return forked((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static bool fork_clone3(void)
{
	const uint64_t arguments[8] = { 0, 0, 0, 0, SIGCHLD };

	return forked((pid_t)syscall(435, arguments, sizeof arguments));
}
static bool fork_namespace(void)
{
	return forked((pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}
static bool shell(void) { return system("exit 7") == 7 << 8; }
static bool pipe_to_shell(void)
{
	FILE *file = popen("echo " SECRET, "r");

	return file && leaks(fileno(file));
}
static bool spawn(void)
{
	char *argv[] = { (char *)"true", NULL };
	pid_t pid;

	return posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) == 0;
}

/* Becomes a program that says it has succeeded. */
static char *const says[] = { (char *)"sh", (char *)"-c", (char *)"echo PWNED >&2", NULL };
static char *const by_linker[] = { (char *)"ld.so", (char *)"/bin/sh", (char *)"-c",
				   (char *)"echo PWNED >&2", NULL };

static bool exec_shell(void) { return execve("/bin/sh", says, environ) == 0; }
static bool exec_descriptor(void)
{
	return fexecve(open("/bin/sh", O_PATH | O_CLOEXEC), says, environ) == 0;
}
static bool exec_in_memory(void)
{
	const int memory = memfd_create("x", 0), from = open("/bin/sh", O_RDONLY);
	char bytes[65536];
	ssize_t n;

	while ((n = read(from, bytes, sizeof bytes)) > 0)
		if (write(memory, bytes, (size_t)n) != n)
			return false;
	return fexecve(memory, says, environ) == 0;
}
static bool exec_linker(void)
{
	return execve("/lib64/ld-linux-x86-64.so.2", by_linker, environ) == 0 ||
	       execve("/lib/ld-linux-aarch64.so.1", by_linker, environ) == 0;
}
static bool exec_again(void)
{
	char *const argv[] = { (char *)"gs",
			       (char *)"-q",
			       (char *)"-dNODISPLAY",
			       (char *)"-sstdout=%stderr",
			       (char *)"-c",
			       (char *)"(PWNED\n) print quit",
			       NULL };

	unsetenv("GS_ATTACK");
	return execve("/usr/bin/gs", argv, environ) == 0;
}
/* As the jail does: of a descriptor of that number. */
static bool exec_as_jail(void)
{
	const struct rlimit more = { 2000, 2000 };

	setrlimit(RLIMIT_NOFILE, &more);
	dup2(open("/bin/sh", O_PATH), 1000);
	return syscall(SYS_execveat, 1000, "", says, environ, AT_EMPTY_PATH) == 0;
}

/* ---- peers ---- */

static bool reach(int family, int type, const void *address, socklen_t size)
{
	const int fd = socket(family, type, 0);

	return fd >= 0 && connect(fd, address, size) == 0 && write(fd, "x", 1) == 1;
}

static bool reach_unix(int type, const char *name, size_t length)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	memcpy(address.sun_path, name, length);
	return reach(AF_UNIX, type, &address, (socklen_t)(sizeof address.sun_family + length));
}

static bool reach_socket(void)
{
	return reach_unix(SOCK_STREAM, WORLD "socket", sizeof WORLD "socket");
}
static bool reach_abstract(void) { return reach_unix(SOCK_STREAM, "\0abstract", 9); }
static bool reach_ip(int type)
{
	const struct sockaddr_in address = {
		AF_INET, htons(PORT), { htonl(INADDR_LOOPBACK) }, { 0 }
	};

	return reach(AF_INET, type, &address, sizeof address);
}
static bool reach_tcp(void) { return reach_ip(SOCK_STREAM); }
static bool reach_udp(void) { return reach_ip(SOCK_DGRAM); }
static bool listen_tcp(void)
{
	const struct sockaddr_in address = {
		AF_INET, htons(PORT + 1), { htonl(INADDR_ANY) }, { 0 }
	};
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	return bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
	       listen(fd, 1) == 0;
}
static bool listen_socket(void)
{
	const struct sockaddr_un address = { AF_UNIX, WORLD "mine" };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return bind(fd, (const struct sockaddr *)&address, sizeof address) == 0;
}
static bool netlink(void) { return socket(AF_NETLINK, SOCK_RAW, 0) >= 0; }
static bool socket_pair(void)
{
	int ends[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
}
static bool reach_fifo(void) { return open(WORLD "pipe", O_RDWR) >= 0; }
static bool shared_memory(void)
{
	const char *memory = shmat(shmget(KEY, 4096, 0), NULL, 0);

	return memory != (void *)-1 && !strcmp(memory, SECRET);
}
static bool message_queue(void)
{
	const struct { long type; char text[8]; } message = { 1, "x" };

	return msgsnd(msgget(KEY, 0), &message, sizeof message.text, IPC_NOWAIT) == 0;
}
static bool semaphore(void) { return semget(KEY + 1, 1, IPC_CREAT | 0600) >= 0; }

static pid_t victim(void)
{
	return (pid_t)strtol(getenv("GS_VICTIM"), NULL, 10);
}

static bool signal_victim(void) { return kill(victim(), SIGUSR1) == 0; }
static bool signal_group(void) { return kill(0, SIGURG) == 0; }
static bool signal_parent(void) { return kill(getppid(), SIGURG) == 0; }
static bool signal_thread(void) { return syscall(SYS_tgkill, victim(), victim(), SIGUSR1) == 0; }
static bool signal_tkill(void) { return syscall(SYS_tkill, victim(), SIGUSR1) == 0; }
static bool signal_queue(void) { return sigqueue(victim(), SIGUSR1, (union sigval){ 0 }) == 0; }
static bool signal_descriptor(void)
{
	return syscall(424, syscall(434, victim(), 0), SIGUSR1, NULL, 0) == 0;
}
static bool signal_owner(void) { return fcntl(0, F_SETOWN, victim()) == 0; }
static bool trace(void) { return ptrace(PTRACE_SEIZE, victim(), 0, 0) == 0; }
static bool slow_down(void) { return setpriority(PRIO_PROCESS, (id_t)victim(), 10) == 0; }
static bool limit(void)
{
	return syscall(SYS_prlimit64, victim(), RLIMIT_NOFILE, &(struct rlimit){ 3, 3 }, NULL) == 0;
}
static bool bind_to_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	return sched_setaffinity(victim(), sizeof set, &set) == 0;
}

/* ---- memory, and the kernel ---- */

static bool writable_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0) != MAP_FAILED;
}
static bool new_code(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}
static bool namespace_of_users(void) { return unshare(CLONE_NEWUSER) == 0; }
static bool keys(void) { return syscall(SYS_add_key, "user", "x", "y", 1, -3) >= 0; }
static bool page_faults(void) { return syscall(SYS_userfaultfd, 1) >= 0; }
static bool personality(void) { return syscall(SYS_personality, 0x0040000) >= 0; }
static bool shared_file(void) { return memfd_create("x", 0) >= 0; }
static bool more_descriptors(void)
{
	return fcntl(0, F_DUPFD, 300) >= 0;
}

#define ATTACK(name) { #name, name }
static const struct { const char *name; bool (*run)(void);
} attacks[] = {
	ATTACK(read_path),
	ATTACK(read_openat2),
	ATTACK(read_root_link),
	ATTACK(read_task),
	ATTACK(read_relative),
	ATTACK(read_below_descriptor),
	ATTACK(read_environment),
	ATTACK(read_parents_environment),
	ATTACK(read_parents_memory),
	ATTACK(read_parents_descriptors),
	ATTACK(read_users),
	ATTACK(list_world),
	ATTACK(list_processes),
	ATTACK(list_temporary),
	ATTACK(read_parent_vm),
	ATTACK(watch),
	ATTACK(open_path_only),
	ATTACK(ring),
	ATTACK(extended_attribute),
	ATTACK(stat_path),
	ATTACK(stat_root_link),
	ATTACK(stat_relative),
	ATTACK(stat_here),
	ATTACK(stat_extended),
	ATTACK(stat_below_descriptor),
	ATTACK(stat_access),
	ATTACK(make_file),
	ATTACK(make_in_spool),
	ATTACK(overwrite),
	ATTACK(append),
	ATTACK(cut),
	ATTACK(cut_open),
	ATTACK(remove_file),
	ATTACK(remove_at),
	ATTACK(remove_folder),
	ATTACK(rename_file),
	ATTACK(link_file),
	ATTACK(link_here),
	ATTACK(symlink_here),
	ATTACK(make_folder),
	ATTACK(make_folder_here),
	ATTACK(make_fifo),
	ATTACK(set_mode),
	ATTACK(set_mode_at),
	ATTACK(set_times),
	ATTACK(set_owner),
	ATTACK(set_document_mode),
	ATTACK(write_document),
	ATTACK(unnamed_file),
	ATTACK(write_fonts),
	ATTACK(fork_plain),
	ATTACK(fork_clone),
	ATTACK(fork_clone3),
	ATTACK(fork_namespace),
	ATTACK(shell),
	ATTACK(pipe_to_shell),
	ATTACK(spawn),
	ATTACK(exec_shell),
	ATTACK(exec_descriptor),
	ATTACK(exec_in_memory),
	ATTACK(exec_linker),
	ATTACK(exec_again),
	ATTACK(exec_as_jail),
	ATTACK(reach_socket),
	ATTACK(reach_abstract),
	ATTACK(reach_tcp),
	ATTACK(reach_udp),
	ATTACK(listen_tcp),
	ATTACK(listen_socket),
	ATTACK(netlink),
	ATTACK(socket_pair),
	ATTACK(reach_fifo),
	ATTACK(shared_memory),
	ATTACK(message_queue),
	ATTACK(semaphore),
	ATTACK(signal_victim),
	ATTACK(signal_group),
	ATTACK(signal_parent),
	ATTACK(signal_thread),
	ATTACK(signal_tkill),
	ATTACK(signal_queue),
	ATTACK(signal_descriptor),
	ATTACK(signal_owner),
	ATTACK(trace),
	ATTACK(slow_down),
	ATTACK(limit),
	ATTACK(bind_to_processor),
	ATTACK(writable_code),
	ATTACK(new_code),
	ATTACK(namespace_of_users),
	ATTACK(keys),
	ATTACK(page_faults),
	ATTACK(personality),
	ATTACK(shared_file),
	ATTACK(more_descriptors),
};

/* Without a name: lists them. */
__attribute__((constructor)) static void attack(void)
{
	const char *name = getenv("GS_ATTACK");

	for (size_t i = 0; name && i < sizeof attacks / sizeof attacks[0]; i++) {
		if (!strcmp(name, "list"))
			dprintf(2, "%s\n", attacks[i].name);
		else if (!strcmp(name, attacks[i].name) && attacks[i].run())
			dprintf(2, "PWNED\n");
	}
}
