/*
 * Pipes that hold more than the default of 64 KiB, with which most of the time of a text page is
 * spent on switching between the processes at their ends.  Any thread.
 */
#ifndef RIP_LARGE_PIPE_H
#define RIP_LARGE_PIPE_H

/* Makes a pipe hold 256 KiB, or as much as pipe-max-size and the user's quota allow.  Does nothing
 * if it holds more already, or if fd is no pipe. */
void rip_large_pipe(int fd);

#endif
