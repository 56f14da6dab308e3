/*
 * What the name of an output leads to.  The names /dev/stdout, /dev/stderr, /dev/fd/N and
 * /proc/self/fd/N lead to descriptors that are open already.  The file behind one is never
 * replaced: whoever opened it goes on writing to it.  Any thread.
 */
#ifndef RIP_OUT_NAME_H
#define RIP_OUT_NAME_H

#include <stdbool.h>

/* The descriptor of this process that the name leads to, also through symbolic links, and also if
 * it is closed; -EPERM: it leads to a descriptor of another process; -ENOENT: it leads to none. */
int rip_out_name_descriptor(const char *path);

/* For an output that would replace the file that is open as `input`: -EEXIST (reported); else 0.
 * path may be NULL or "-". */
int rip_out_name_check_input(const char *path, int input);

/* The same for a file that is read by name, or NULL; what: a word for it, such as "PPD". */
int rip_out_name_check_file(const char *path, const char *file, const char *what);

/* The same for the file of --curve, or NULL. */
int rip_out_name_check_curve(const char *path, const char *curve);

/* For outputs that are several files with names made from this one: 0 if the name can be that of
 * a regular file; else -errno (reported), as for a folder, a device or a descriptor. */
int rip_out_name_check_regular(const char *path);

/* The name of a page's file: OUT-2.png of OUT.png.  The caller frees it.  NULL: out of memory. */
char *rip_out_name_numbered(const char *out, unsigned number);

#endif
