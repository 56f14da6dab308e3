#include "curve_file.h"

#include <errno.h>
#include <stdlib.h>

#include "image/input.h"
#include "image/complain.h"

#define VALUES_MAX 65536

struct reader {
	struct rip_input input;
	unsigned line;
};

static int bad(const struct reader *reader, const char *what)
{
	return rip_complain(-EBADMSG, "%s, line %u: %s", reader->input.name, reader->line, what);
}

/* The next number, or VALUES_MAX at the end, or -errno. */
static int next(struct reader *reader)
{
	int c, value = 0;

	for (;;) {
		c = rip_input_byte(&reader->input);
		if (c == '#')
			do
				c = rip_input_byte(&reader->input);
			while (c >= 0 && c != RIP_INPUT_END && c != '\n');
		if (c == '\n')
			reader->line++;
		else if (!rip_input_is_space(c))
			break;
	}
	if (c < 0)
		return c;
	if (c == RIP_INPUT_END)
		return VALUES_MAX;
	for (; c >= '0' && c <= '9'; c = rip_input_byte(&reader->input)) {
		value = value * 10 + (c - '0');
		if (value > 65535)
			return bad(reader, "a number is larger than 65535");
	}
	if (c < 0)
		return c;
	if (c == '\n')
		reader->line++;
	else if (c != RIP_INPUT_END && !rip_input_is_space(c))
		return bad(reader, "a curve is made of whole numbers from 0 to 65535");
	return value;
}

static int read_values(struct reader *reader, struct rip_curve_file *curve)
{
	int value;

	while ((value = next(reader)) >= 0 && value < VALUES_MAX) {
		if (curve->count == VALUES_MAX)
			return bad(reader, "more than 65536 numbers");
		curve->values[curve->count++] = (uint16_t)value;
	}
	if (value < 0)
		return value;
	if (curve->count != 256 && curve->count != VALUES_MAX)
		return rip_complain(-EBADMSG, "%s, line %u: the file ends after %u numbers;"
				    " a curve has 256 or 65536", reader->input.name, reader->line,
				    curve->count);
	return 0;
}

int rip_curve_file_read(struct rip_curve_file *curve, const char *path)
{
	struct reader reader = { .line = 1 };
	int r = rip_input_open(&reader.input, path);

	*curve = (struct rip_curve_file){ 0 };
	if (r == 0) {
		curve->values = malloc(VALUES_MAX * sizeof *curve->values);
		r = curve->values ? read_values(&reader, curve)
				  : rip_complain(-ENOMEM, "%s: out of memory", path);
	}
	rip_input_close(&reader.input);
	if (r < 0)
		rip_curve_file_finish(curve);
	return r;
}

void rip_curve_file_finish(struct rip_curve_file *curve)
{
	free(curve->values);
	*curve = (struct rip_curve_file){ 0 };
}

uint16_t rip_curve_file_tone(const struct rip_curve_file *curve, uint16_t x)
{
	uint32_t i = x / 257u, rest = x % 257u;

	if (curve->count == 0)
		return x;
	if (curve->count == VALUES_MAX)
		return curve->values[x];
	if (rest == 0)
		return curve->values[i];
	/* Both weights are positive, so that the sum can be rounded as it is. */
	return (uint16_t)((curve->values[i] * (257 - rest) + curve->values[i + 1] * rest + 128) /
			  257);
}

int rip_curve_file_table(const struct rip_curve_file *curve, uint32_t maxval,
			 uint32_t sample_bits, uint16_t **table)
{
	const uint32_t size = sample_bits == 8 ? 256 : 65536;

	*table = NULL;
	if (curve->count == 0 && maxval == size - 1)
		return 0;
	*table = malloc(size * sizeof **table);
	if (!*table)
		return -ENOMEM;
	for (uint32_t v = 0; v < size; v++) {
		uint32_t within = v < maxval ? v : maxval;

		(*table)[v] = rip_curve_file_tone(
			curve, (uint16_t)((65535u * within + maxval / 2) / maxval));
	}
	return 0;
}
