/*
 * The jail that Ghostscript runs in (system/jail.h): what it may read, its folder for files, its
 * environment, and the settings that decide.  One object serves all Ghostscripts of a job.
 *
 * rip_gs_jail_open() and rip_gs_jail_close() in one thread while no other uses the object; the
 * other functions in any thread.
 */
#ifndef RIP_GS_JAIL_H
#define RIP_GS_JAIL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/draw_settings.h"
#include "system/jail.h"
#include "system/private_folder.h"

#define RIP_GS_DOCUMENT 3 /* descriptors in Ghostscript: the document, */
#define RIP_GS_FOLDER   4 /* its folder, */
#define RIP_GS_ALIVE    5 /* what tells the folder's keeper that it runs, */
#define RIP_GS_COMMANDS 6 /* and the commands to begin with */

/* Such a descriptor as a file. */
#define RIP_GS_FILE(number)       RIP_GS_FILE_NAMED(number)
#define RIP_GS_FILE_NAMED(number) "/dev/fd/" #number

/* The file of the commands by another name: Ghostscript forbids the one that it began with. */
#define RIP_GS_COMMANDS_AGAIN "/proc/self/fd/6"

#define RIP_GS_JAIL_TEXT 640 /* of messages */

struct rip_renderer;

struct rip_gs_jail {
	bool                      is_open;
	bool                      on;
	struct rip_draw_settings  settings; /* as they were read */
	struct rip_jail           jail;
	const struct rip_renderer *renderer; /* that the settings name */
	struct rip_private_folder folder;
	char                      program[4096], second[4096]; /* of the renderer, or "" */
	int                       second_fd; /* as jail.program; -1: none */
	atomic_bool               warned;    /* of what the renderer cannot do */
	char                    **environment;
	char                    **readable; /* folders and files, as the kernel names them */
	size_t                    readable_count;
	pthread_mutex_t           lock;     /* of the rest */
	bool                      told;     /* what is missing */
	char                      refused[8][256]; /* folders of which the user was told */
};

/* Makes the jail that the settings want, for the program of the renderer that they name (or this
 * Ghostscript in its place), searched in PATH, these of its arguments (and a NULL; or NULL), a
 * document, and bands of so many bytes (0: Ghostscript's default).  0; -ENOENT: there is no such
 * program; other -errno; and why (size bytes). */
int rip_gs_jail_open(struct rip_gs_jail *jail, const char *program, const char *const *arguments,
		     int document, size_t band, char *why, size_t size);

/* A part of the jail is missing, and all of it is required.  Returns -EOPNOTSUPP, with why. */
int rip_gs_jail_refuse(char *why, size_t size);

/* Starts the program of the renderer that argv[0] names, in the jail or, if the settings say so,
 * without one.  fds: its standard streams, the document and the commands.  Unless all of the jail
 * is there, and for the first time, text says what is missing, else it is empty.  Its process;
 * -EOPNOTSUPP: for rip_gs_jail_refuse(); other -errno. */
pid_t rip_gs_jail_start(struct rip_gs_jail *jail, char *const argv[], const int fds[5],
			char text[RIP_GS_JAIL_TEXT]);

/* Whether a message of Ghostscript complains about a file that exists, but not in the jail, and
 * whose folder was not complained about before: then text is a warning for the user. */
bool rip_gs_jail_refused(struct rip_gs_jail *jail, const char *message,
			 char text[RIP_GS_JAIL_TEXT]);

/* All Ghostscripts must have ended.  May be called for an object of zeros. */
void rip_gs_jail_close(struct rip_gs_jail *jail);

#endif
