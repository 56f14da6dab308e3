/*
 * A Ghostscript program that runs as a child process, with three pipes: PostScript commands
 * go in, pixels and messages come out.
 *
 * Devices that go back and forth in their output cannot write to a pipe.  They get a file in memory
 * to which every write appends, wherever they are; so their pixels are there in the order in which
 * they were written.  Such a Ghostscript runs only while the reader waits for pixels, so that the
 * file stays small, and it is emptied whenever all of it has been read.
 *
 * Among its messages it answers commands, each in a line that begins with a random word, so that
 * nothing in a document can pass for an answer.  The other messages are logged, and the first
 * one that tells of an error is kept.
 *
 * The child gets the document as descriptor RIP_GS_DOCUMENT, which may have no name in the file
 * system.  It dies with the thread that started it, by whatever means that one ends.
 *
 * Used by one thread, except rip_gs_process_kill().  That thread, or the program, ignores SIGPIPE:
 * commands to a Ghostscript that has ended return -EPIPE.
 */
#ifndef RIP_GS_PROCESS_H
#define RIP_GS_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "gs_jail.h"

#define RIP_GS_WORD_MAX 24
#define RIP_GS_TEXT_MAX 200

struct rip_gs_process {
	pid_t           pid;      /* 0: none runs */
	bool            killed;   /* it, and every later one, has to end */
	pthread_mutex_t lock;     /* of pid and killed */
	int             commands, pixels, messages; /* our ends of the pipes, -1: closed */
	char            word[RIP_GS_WORD_MAX + 1];  /* that answers begin with */
	char            answer[RIP_GS_TEXT_MAX + 1];
	bool            answered; /* `answer` is there and was not taken yet */
	char            complaint[RIP_GS_TEXT_MAX + 1]; /* the first error since forget() */
	bool            lacks_file; /* since then it could not create a temporary file */
	char            line[RIP_GS_TEXT_MAX + 1];  /* the message that is arriving */
	size_t          line_used;
	bool            ended;    /* it has closed its pipes */
	bool            in_file;  /* pixels come in a file; the caller's, before it is started */
	bool            halted;   /* it does not run until it is let */
	int64_t         there, taken; /* bytes of the file, and of them those that were read */
	int64_t         limit_us; /* of waited_us; 0: none */
	int64_t         waited_us; /* since the caller set it to 0; counted if there is a limit */
	int             status;   /* from waitpid(), after it has ended */
	struct rip_gs_jail *jail;
	void          (*log)(void *context, const char *line);
	void          (*warn)(void *context, const char *text);
	void           *context;
};

/* An object without a process.  log: gets the messages of Ghostscript; warn: what the user should
 * know; or NULL. */
void rip_gs_process_init(struct rip_gs_process *process,
			 void (*log)(void *context, const char *line),
			 void (*warn)(void *context, const char *text), void *context);

/* Forgets the errors so far. */
void rip_gs_process_forget(struct rip_gs_process *process);

/* Starts the jail's program, with descriptors of the document, and of a file of commands, which
 * its arguments name.  The jail must be there as long as the process.  0; -ENOENT: there is no such
 * program; other -errno. */
int rip_gs_process_start(struct rip_gs_process *process, struct rip_gs_jail *jail,
			 char *const argv[], int document, int commands);

/* Sends commands.  0; -EPIPE: it has ended; other -errno. */
int rip_gs_process_send(struct rip_gs_process *process, const char *text);

/* Waits for the next answer, without the word before it; valid until the next call.  0; -EPIPE:
 * it has ended; -ETIMEDOUT: the limit is reached; other -errno. */
int rip_gs_process_answer(struct rip_gs_process *process, const char **answer);

/* Reads n bytes of pixels.  0; -ENODATA: it has answered, and there are no more pixels; -EPIPE: it
 * has ended; -ETIMEDOUT: the limit is reached; other -errno. */
int rip_gs_process_read(struct rip_gs_process *process, void *to, size_t n);

/* Whether a Ghostscript with a file has gone back and forth in it, and so has not written these
 * bytes of a page from the first to the last.  After its answer. */
bool rip_gs_process_has_sought(const struct rip_gs_process *process, uint64_t bytes);

/* Ends it at once, now or as soon as it is started; whoever waits for it gets -EPIPE.  Any
 * thread. */
void rip_gs_process_kill(struct rip_gs_process *process);

/* Ends it and waits for its end.  May be called twice. */
void rip_gs_process_stop(struct rip_gs_process *process);

/* Also stops it.  The object can only be initialised again. */
void rip_gs_process_finish(struct rip_gs_process *process);

#endif
