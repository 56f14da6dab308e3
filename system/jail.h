/*
 * A jail for a program that handles what strangers have made: it can read what it is given, write
 * to one folder, and use threads and memory; nothing else.
 *
 *	Landlock: which files; no TCP, no abstract sockets, no signals to others
 *	seccomp: an allow-list of system calls; one exec and no other, threads but no processes,
 *		no sockets
 *	a mount namespace without what is usually people's own (homes, spools, temporary files),
 *		unless a profile of AppArmor confines the parent
 *	no new privileges, no new executable memory, limits
 *	as root: no capabilities, and the user that CUPS runs filters as
 *
 * What a kernel or a container does not have is left out, unless everything is required.
 *
 * The parent makes the object, and may start many programs in it, from any thread.
 * rip_jail_exec() runs in the child.
 */
#ifndef RIP_JAIL_H
#define RIP_JAIL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What can be missing: bits. */
#define RIP_JAIL_NO_LANDLOCK 1u
#define RIP_JAIL_NO_SECCOMP  2u
#define RIP_JAIL_NO_MDWE     4u /* new executable memory is possible */
#define RIP_JAIL_NO_USER     8u /* root without capabilities, but root */
#define RIP_JAIL_NO_MOUNTS  16u /* whether a file exists can be found out */

#define RIP_JAIL_PARTIAL (RIP_JAIL_NO_LANDLOCK | RIP_JAIL_NO_SECCOMP)

enum rip_jail_access { RIP_JAIL_READ, RIP_JAIL_RUN, RIP_JAIL_DEVICE, RIP_JAIL_FILES };

struct rip_jail {
	int      ruleset;  /* of Landlock; -1: the kernel has none */
	uint64_t handled;  /* the accesses that it knows */
	int      program;  /* O_PATH */
	unsigned hidden;   /* places that look empty, by bit; 0: no namespace */
	int      folder;   /* the child's descriptor of the folder for files; 0: none */
	uint64_t memory;   /* bytes of address space */
	uint64_t file;     /* bytes of a file */
	uid_t    user;     /* that root becomes; 0: none */
	gid_t    group;
	bool     require;
	int      fds;      /* the program keeps descriptors below this one */
};

/* A jail without anything in it, for a program that keeps the descriptors below `fds`.  0;
 * -errno: all is required, and there is no Landlock. */
int rip_jail_init(struct rip_jail *jail, int fds, bool require);

/* Lets the program use a file or what is in a folder: read; run; read and write a device; read,
 * make, write and remove files.  real: its path without symbolic links.  0; -errno, also if there
 * is none. */
int rip_jail_allow(struct rip_jail *jail, const char *path, enum rip_jail_access access,
		   char real[PATH_MAX]);
int rip_jail_allow_fd(struct rip_jail *jail, int fd, enum rip_jail_access access);

/* The path of an open file without symbolic links.  False: there is none. */
bool rip_jail_real_path(int fd, const char *path, char real[PATH_MAX]);

/* The program.  0; -ENOEXEC: it is a script, whose interpreter would be a second program; other
 * -errno. */
int rip_jail_program(struct rip_jail *jail, const char *path);

/* In the child: becomes the program, with these arguments and this environment.  missing() is told
 * which parts are missing before it becomes so, unless none is.  Returns only after an error,
 * -errno. */
int rip_jail_exec(const struct rip_jail *jail, char *const argv[], char *const envp[],
		  pid_t parent, void (*missing)(int to, unsigned parts), int to);

void rip_jail_finish(struct rip_jail *jail);

#endif
