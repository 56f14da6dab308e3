/*
 * Configuration files with lines `key = value`.  White space around both, blank lines, and lines
 * that begin with # are skipped; so is a mark of UTF-8 (BOM) at the beginning of the file.
 */
#ifndef RIP_KEY_FILE_H
#define RIP_KEY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Takes one key.  False: it is wrong, for the reason in why (size bytes). */
typedef bool rip_key_taker(void *context, const char *key, const char *value, char *why,
			   size_t size);

/* Gives each key of an open file to `take`, until one is refused.  path: its name, for messages.
 * 0; -EINVAL: a line is wrong; other -errno.  Unless 0, error (size bytes) says
 * "path:line: what". */
int rip_key_file_read(FILE *file, const char *path, rip_key_taker *take, void *context,
		      char *error, size_t size);

#endif
