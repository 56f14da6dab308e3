/*
 * An output file that is complete or does not appear.  A regular file is written without a name, or
 * under a temporary one if the file system needs that, in the same folder.  When it is complete and
 * on the disk, it is renamed.  A device, a pipe, standard output and every other descriptor that is
 * open already (below) are written directly.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU remove all unfinished files and then have their
 * usual effect.
 * At most RIP_OUT_FILES_MAX regular files may be open at a time.
 *
 * Errors are reported on standard error where they occur, with the name of the output, and
 * returned as a negative errno.
 */
#ifndef RIP_OUT_FILE_H
#define RIP_OUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RIP_OUT_FILES_MAX 16

struct rip_out_file {
	const char *name;      /* for messages */
	int         fd;        /* -1 when closed */
	char       *target;    /* the name of the complete file; NULL: written directly */
	bool        joined;    /* another process makes and renames it */
	bool        unnamed;   /* so far; it has no name but its place has one */
	int         place;     /* of the unfinished file's name, from 1; 0: none */
	uint8_t    *buffer;
	size_t      used;      /* bytes in it, not written yet */
};

/* Opens path, or standard output for NULL and "-".  0 or -errno; the file may be
 * abandoned in both cases. */
int rip_out_file_open(struct rip_out_file *file, const char *path);

/* 0 or -errno. */
int rip_out_file_write(struct rip_out_file *file, const void *bytes, size_t size);

/* Writes what is in the buffer.  0 or -errno. */
int rip_out_file_flush(struct rip_out_file *file);

/* A file may be written by several processes at once.  One opens it and passes the name of the
 * unfinished file to the others, which join it.  All use rip_out_file_write_at().  The
 * others commit before the first one does, which renames the file. */

/* Gives the unfinished file a name; NULL: the output is written directly.  0 or -errno. */
int rip_out_file_unfinished(struct rip_out_file *file, const char **name);

/* Joins a file that another process has opened as `path`.  unfinished: what
 * rip_out_file_unfinished() said there.  0 or -errno. */
int rip_out_file_join(struct rip_out_file *file, const char *path, const char *unfinished);

/* Writes without the buffer: at that offset of a file, or where any output is if it is negative.
 * Any thread.  0 or -errno. */
int rip_out_file_write_at(const struct rip_out_file *file, const void *bytes, size_t size,
			  off_t offset);

/* Writes the rest and renames the file, unless it was joined.  0 or -errno; the output is
 * closed in both cases. */
int rip_out_file_commit(struct rip_out_file *file);

/* The same for several files: renames the first one after all are written and closed, so that
 * none appears if one cannot be written.  0 or -errno; all are closed in both cases. */
int rip_out_files_commit(struct rip_out_file files[], unsigned count);

/* Closes, and removes an unfinished file.  May be called at any time. */
void rip_out_file_abandon(struct rip_out_file *file);

/* Removes all unfinished files, and releases nothing: before _exit(), by any thread or signal
 * handler. */
void rip_out_file_remove(void);

/*
 * What the name of an output leads to.  The names /dev/stdout, /dev/stderr, /dev/fd/N and
 * /proc/self/fd/N lead to descriptors that are open already.  The file behind one is never
 * replaced: whoever opened it goes on writing to it.  Any thread.
 */

/* The descriptor of this process that the name leads to, also through symbolic links, and also if
 * it is closed; -EPERM: it leads to a descriptor of another process; -ENOENT: it leads to none. */
int rip_out_name_descriptor(const char *path);

/* For an output that would replace the file that is open as `input`: -EEXIST (reported); else 0.
 * path may be NULL or "-". */
int rip_out_name_check_input(const char *path, int input);

/* The same for a file that is read by name, or NULL; what: a word for it, "PPD" or "curve". */
int rip_out_name_check_file(const char *path, const char *file, const char *what);

/* For outputs that are several files with names made from this one: 0 if the name can be that of
 * a regular file; else -errno (reported), as for a folder, a device or a descriptor. */
int rip_out_name_check_regular(const char *path);

/* The name of a page's file: OUT-2.png of OUT.png.  The caller frees it.  NULL: out of memory. */
char *rip_out_name_numbered(const char *out, unsigned number);

#endif
