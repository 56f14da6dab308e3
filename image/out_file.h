/*
 * An output file that is complete or does not appear.  A regular file is written under a
 * temporary name in the same folder, and renamed when it is complete.  A device, a pipe or
 * standard output is written directly.
 *
 * SIGINT, SIGTERM and SIGHUP remove the unfinished file and then have their usual effect.
 * So only one output may be open at a time.
 *
 * Errors are reported on standard error where they occur, with the name of the output, and
 * returned as a negative errno.
 */
#ifndef RIP_OUT_FILE_H
#define RIP_OUT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct rip_out_file {
	const char *name;      /* for messages */
	int         fd;        /* -1 when closed */
	char       *target;    /* the name of the complete file; NULL: written directly */
	uint8_t    *buffer;
	size_t      used;      /* bytes in it, not written yet */
};

/* Opens path, or standard output for NULL and "-".  0 or -errno; the file may be
 * abandoned in both cases. */
int rip_out_file_open(struct rip_out_file *file, const char *path);

/* 0 or -errno. */
int rip_out_file_write(struct rip_out_file *file, const void *bytes, size_t size);

/* Writes the rest and renames the file.  0 or -errno; the output is closed in both
 * cases. */
int rip_out_file_commit(struct rip_out_file *file);

/* Closes, and removes an unfinished file.  May be called at any time. */
void rip_out_file_abandon(struct rip_out_file *file);

#endif
