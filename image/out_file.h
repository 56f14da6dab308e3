/*
 * Bytes out, all or nothing: a named file is written beside and renamed when it
 * is complete, so that nobody ever sees half of it.  What cannot be replaced (a
 * device, a pipe, standard output) is written directly.
 *
 * SIGINT, SIGTERM and SIGHUP take the unfinished file away and then do what they
 * always do.  So one output may be open at a time.
 *
 * Faults are told on standard error where they are noticed, with the name of the
 * output, and come back as a negative errno.
 */
#ifndef RIP_OUT_FILE_H
#define RIP_OUT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct rip_out_file {
	const char *name;      /* for messages */
	int         fd;        /* -1 when closed */
	char       *target;    /* what the finished file will be called; NULL: written
				  directly */
	uint8_t    *buffer;
	size_t      used;      /* bytes of it that are not written yet */
};

/* Opens path, or standard output for NULL and "-".  0 or -errno; abandon is
 * allowed in both cases. */
int rip_out_file_open(struct rip_out_file *file, const char *path);

/* 0 or -errno. */
int rip_out_file_write(struct rip_out_file *file, const void *bytes, size_t size);

/* Writes what is left and gives the file its name.  0 or -errno; either way the
 * output is closed. */
int rip_out_file_commit(struct rip_out_file *file);

/* Closes, and takes an unfinished file away.  May be called at any time. */
void rip_out_file_abandon(struct rip_out_file *file);

#endif
