/*
 * A PPD in a file, which may be compressed by gzip.  Used by one thread.
 *
 * Errors are reported on standard error, and returned as a negative errno.
 */
#ifndef RIP_PPD_FILE_H
#define RIP_PPD_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct rip_ppd_file {
	char  *text;
	size_t size;
	bool   compressed;
};

/* Reads a whole file.  It is not checked that it is a PPD. */
int rip_ppd_file_read(struct rip_ppd_file *file, const char *path);

/* Writes a text, compressed if `compressed` says so.  path: as for rip_out_file_open(). */
int rip_ppd_file_write(const char *text, size_t size, bool compressed, const char *path);

/* May be called twice. */
void rip_ppd_file_free(struct rip_ppd_file *file);

#endif
