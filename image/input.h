/*
 * An input, read once from start to end: a file, a pipe or standard input.  It never
 * seeks, so everything works with pipes.  Bytes that were peeked at can be read again.
 *
 * Errors are reported on standard error where they occur, with the name of the input, and
 * returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_INPUT_H
#define RIP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RIP_INPUT_BUFFER 262144 /* bytes; more than the headers that are peeked at */

struct rip_input {
	const char *name; /* for messages; the caller's path or "standard input" */
	int         fd;   /* owned unless it is standard input; -1 when closed */
	bool        ended; /* read() has returned 0 */
	uint8_t    *buffer; /* RIP_INPUT_BUFFER bytes */
	size_t      begin, end; /* the bytes in it that nobody has taken yet */
};

/* Opens path, or standard input for NULL and "-".  The path must live as long as
 * the input.  0 or -errno; it may be closed in both cases. */
int rip_input_open(struct rip_input *input, const char *path);

/* May be called twice. */
void rip_input_close(struct rip_input *input);

/* Reads ahead until `want` bytes (at most RIP_INPUT_BUFFER) are in the buffer.  Returns
 * their number (fewer only at the end) and points *bytes at them; or -errno. */
ssize_t rip_input_peek(struct rip_input *input, size_t want, const uint8_t **bytes);

/* Skips `count` bytes, which must have been peeked at. */
void rip_input_skip(struct rip_input *input, size_t count);

/* Reads up to `size` bytes.  Returns their number (fewer only at the end), or -errno. */
ssize_t rip_input_read(struct rip_input *input, void *bytes, size_t size);

/* Reads a file of the caller at an offset, whoever else reads it.  Returns fewer bytes only at the
 * end of the file; or -errno (reported).  Any thread. */
ssize_t rip_input_read_at(int fd, const char *name, void *bytes, size_t size, off_t offset);

/* The place in the file of the next byte, or -1: the input cannot be read in any order. */
off_t rip_input_offset(const struct rip_input *input);

/* The next byte, RIP_INPUT_END at the end, or -errno. */
#define RIP_INPUT_END 256
int rip_input_byte(struct rip_input *input);

/* Whether such a byte is white space in any locale. */
static inline bool rip_input_is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
