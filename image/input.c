#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"

int rip_input_open(struct rip_input *input, const char *path)
{
	const bool standard = !path || strcmp(path, "-") == 0;

	*input = (struct rip_input){ .name = standard ? "standard input" : path, .fd = -1 };
	input->buffer = malloc(RIP_INPUT_BUFFER);
	if (!input->buffer)
		return rip_complain(-ENOMEM, "%s: out of memory", input->name);
	input->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return input->fd >= 0 ? 0 :
	       rip_complain(-errno, "cannot open %s: %s", path, strerror(errno));
}

void rip_input_close(struct rip_input *input)
{
	if (input->fd > STDIN_FILENO)
		close(input->fd);
	input->fd = -1;
	free(input->buffer);
	input->buffer = NULL;
}

/* One read(), restarted if interrupted.  Returns the number of bytes, 0 at the end, or -errno. */
static ssize_t fetch(struct rip_input *input, void *bytes, size_t size)
{
	ssize_t n;

	if (input->ended)
		return 0;
	do
		n = read(input->fd, bytes, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return rip_complain(-errno, "cannot read %s: %s", input->name, strerror(errno));
	input->ended = n == 0;
	return n;
}

ssize_t rip_input_peek(struct rip_input *input, size_t want, const uint8_t **bytes)
{
	if (input->end - input->begin < want && input->begin > 0) {
		memmove(input->buffer, input->buffer + input->begin, input->end - input->begin);
		input->end -= input->begin;
		input->begin = 0;
	}
	while (input->end - input->begin < want) {
		ssize_t n = fetch(input, input->buffer + input->end, RIP_INPUT_BUFFER - input->end);

		if (n < 0)
			return n;
		if (n == 0)
			break;
		input->end += (size_t)n;
	}
	*bytes = input->buffer + input->begin;
	return (ssize_t)(input->end - input->begin);
}

void rip_input_skip(struct rip_input *input, size_t count)
{
	input->begin += count;
}

ssize_t rip_input_read(struct rip_input *input, void *bytes, size_t size)
{
	uint8_t *to = bytes;
	size_t left = size;

	while (left > 0) {
		size_t ready = input->end - input->begin;
		ssize_t n;

		if (ready > 0) {
			n = (ssize_t)(ready < left ? ready : left);
			memcpy(to, input->buffer + input->begin, (size_t)n);
			input->begin += (size_t)n;
		} else if (left >= RIP_INPUT_BUFFER) {
			n = fetch(input, to, left);
		} else {
			const uint8_t *ignored;

			n = rip_input_peek(input, 1, &ignored);
			if (n > 0)
				continue;
		}
		if (n < 0)
			return n;
		if (n == 0)
			break;
		to += n;
		left -= (size_t)n;
	}
	return (ssize_t)(size - left);
}

ssize_t rip_input_read_at(int fd, const char *name, void *bytes, size_t size, off_t offset)
{
	size_t done = 0;
	ssize_t n = 1;

	while (done < size && n != 0) {
		n = pread(fd, (char *)bytes + done, size - done, offset + (off_t)done);
		if (n < 0 && errno != EINTR)
			return rip_complain(-errno, "cannot read %s: %s", name, strerror(errno));
		done += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)done;
}

off_t rip_input_offset(const struct rip_input *input)
{
	const off_t at = lseek(input->fd, 0, SEEK_CUR);

	return at < 0 ? -1 : at - (off_t)(input->end - input->begin);
}

int rip_input_byte(struct rip_input *input)
{
	if (input->begin == input->end) {
		const uint8_t *ignored;
		ssize_t n = rip_input_peek(input, 1, &ignored);

		if (n <= 0)
			return n < 0 ? (int)n : RIP_INPUT_END;
	}
	return input->buffer[input->begin++];
}
