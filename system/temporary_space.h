/*
 * The folder for temporary files: TMPDIR, or /tmp.
 *
 * Ghostscript keeps a list of what a page shows there.  It says little if it cannot create a
 * file, and nothing at all if the space runs out: the page then lacks what was not written.  So
 * whoever starts it asks here.
 *
 * Any thread may call these, as long as none changes the environment.
 */
#ifndef RIP_TEMPORARY_SPACE_H
#define RIP_TEMPORARY_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folder's name, as the environment has it. */
const char *rip_temporary_space_folder(void);

/* A file in it without a name, which vanishes with its last descriptor.  Or -errno. */
int rip_temporary_space_file(void);

/* Puts into why (size bytes) that the folder cannot be written to, and what helps.
 * Returns -error. */
int rip_temporary_space_refuse(int error, char *why, size_t size);

/* Whether files can be created there, and so many bytes are free. */
bool rip_temporary_space_is_free(uint64_t bytes);

/* Whether the folder takes so many bytes, of which the first are written to it, and the others only
 * where the file system cannot reserve them.  0, or -errno and why. */
int rip_temporary_space_check(size_t bytes, char *why, size_t size);

#endif
