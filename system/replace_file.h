/*
 * Files that replace others.  A file must be on the disk before it gets the name of another one,
 * and the folder after that: else a loss of power may leave an empty file in place of a good one.
 *
 *	write; rip_file_sync(); rip_file_rename()
 *
 * Any thread.
 */
#ifndef RIP_REPLACE_FILE_H
#define RIP_REPLACE_FILE_H

/* Returns when the file, or folder, is on the disk.  0 or -errno; 0 also for what no disk keeps. */
int rip_file_sync(int fd);

/* Renames a file, as renameat() in one folder (a descriptor or AT_FDCWD), and returns when its
 * folder is on the disk.  0 or -errno; the file may have been renamed even then. */
int rip_file_rename(int folder, const char *from, const char *to);

#endif
