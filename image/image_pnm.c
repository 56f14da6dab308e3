/*
 * PGM (P5), as netpbm reads it: the header may have comments, from # to the end of the line;
 * one byte of white space follows maxval; if maxval is 256 or more, samples have two bytes,
 * most significant first; a stream may have several images with white space between them.
 */
#include "image.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "complain.h"
#include "halftone/engine.h"

struct pnm_image {
	struct rip_image image;
	uint32_t row; /* rows read */
};

/* A byte of the header: a comment reads as the newline that ends it. */
static int header_byte(struct rip_input *input)
{
	int c = rip_input_byte(input);

	if (c == '#')
		do
			c = rip_input_byte(input);
		while (c >= 0 && c != RIP_INPUT_END && c != '\n' && c != '\r');
	return c;
}

static int bad_header(const struct rip_input *input, const char *format, const char *what, int c)
{
	if (c < 0)
		return c;
	if (c == RIP_INPUT_END)
		return rip_complain(-EBADMSG, "%s: the %s header ends before its %s", input->name,
				    format, what);
	return rip_complain(-EBADMSG, "%s: the %s in the %s header is not a number", input->name,
			    what, format);
}

int64_t rip_image_pnm_number(struct rip_input *input, const char *format, const char *what)
{
	uint64_t value = 0;
	int c;

	do
		c = header_byte(input);
	while (c >= 0 && rip_input_is_space(c));
	if (c < '0' || c > '9')
		return bad_header(input, format, what, c);
	for (; c >= '0' && c <= '9'; c = header_byte(input)) {
		value = value * 10 + (unsigned)(c - '0');
		if (value > 100000000000000000)
			value = 100000000000000000;
	}
	if (c < 0 || !rip_input_is_space(c))
		return bad_header(input, format, what, c);
	return (int64_t)value;
}

static int truncated(const struct pnm_image *pnm)
{
	return rip_complain(-EBADMSG, "%s is truncated: it ends in row %u of %u",
			    pnm->image.input->name, pnm->row + 1, pnm->image.height);
}

/* Converts to host byte order and finds the largest sample; both loops vectorise. */
static uint32_t largest8(const uint8_t *samples, uint32_t width)
{
	uint8_t largest = 0;

	for (uint32_t j = 0; j < width; j++)
		largest = samples[j] > largest ? samples[j] : largest;
	return largest;
}

static uint32_t largest16(uint16_t *samples, uint32_t width)
{
	uint16_t largest = 0;

	for (uint32_t j = 0; j < width; j++) {
		samples[j] = be16toh(samples[j]);
		largest = samples[j] > largest ? samples[j] : largest;
	}
	return largest;
}

static int pnm_decode(const struct rip_image *image, uint32_t row, void *bytes)
{
	uint32_t largest;

	if (image->maxval == 255)
		return 0;
	largest = image->sample_bits == 8 ? largest8(bytes, image->width)
					  : largest16(bytes, image->width);
	if (largest > image->maxval)
		return rip_complain(-EBADMSG, "%s: row %u has a sample of %u,"
				    " above the maxval of %u", image->input->name, row + 1,
				    largest, image->maxval);
	return 0;
}

static int pnm_row(struct rip_image *image, void *samples)
{
	struct pnm_image *pnm = (struct pnm_image *)image;
	const size_t size = (size_t)image->width * (image->sample_bits / 8);
	ssize_t n = rip_input_read(image->input, samples, size);

	if (n < 0)
		return (int)n;
	if ((size_t)n < size)
		return truncated(pnm);
	return pnm_decode(image, pnm->row++, samples);
}

static int pnm_end(struct rip_image *image)
{
	struct rip_input *input = image->input;
	const uint8_t *bytes;
	ssize_t n;

	while ((n = rip_input_peek(input, 1, &bytes)) > 0 && rip_input_is_space(bytes[0]))
		rip_input_skip(input, 1);
	if (n <= 0)
		return (int)n;
	n = rip_input_peek(input, 2, &bytes);
	if (n < 0)
		return (int)n;
	if (n < 2 || bytes[0] != 'P' || bytes[1] != '5')
		return rip_complain(-EBADMSG, "%s: what follows the image is not another PGM image",
				    input->name);
	return 1;
}

static void pnm_close(struct rip_image *image)
{
	free(image);
}

static const struct rip_image_ops pnm_ops = {
	.row = pnm_row, .decode = pnm_decode, .end = pnm_end, .close = pnm_close,
};

int rip_image_pnm_open(struct rip_input *input, struct rip_image **image)
{
	struct pnm_image *pnm;
	int64_t width, height, maxval;
	int r, c;

	*image = NULL;
	rip_input_skip(input, 2); /* "P5", peeked at */
	c = header_byte(input);
	if (c < 0 || !rip_input_is_space(c))
		return bad_header(input, "PGM", "width", c);
	width = rip_image_pnm_number(input, "PGM", "width");
	if (width < 0)
		return (int)width;
	height = rip_image_pnm_number(input, "PGM", "height");
	if (height < 0)
		return (int)height;
	maxval = rip_image_pnm_number(input, "PGM", "maxval");
	if (maxval < 0)
		return (int)maxval;
	r = rip_image_check_size(input, (uint64_t)width, (uint64_t)height);
	if (r < 0)
		return r;
	if (maxval < 1 || maxval > 65535)
		return rip_complain(-EBADMSG, "%s: the maxval in the PGM header is %lld,"
				    " not 1 to 65535", input->name, (long long)maxval);
	pnm = malloc(sizeof *pnm);
	if (!pnm)
		return rip_complain(-ENOMEM, "%s: out of memory", input->name);
	*pnm = (struct pnm_image){
		.image = { .ops = &pnm_ops,
			   .input = input,
			   .width = (uint32_t)width,
			   .height = (uint32_t)height,
			   .maxval = (uint32_t)maxval,
			   .sample_bits = maxval < 256 ? 8 : 16,
			   .rows_at = rip_input_offset(input) },
	};
	*image = &pnm->image;
	return 0;
}

/* ---- lines of dots ---- */

size_t rip_pnm_header(uint32_t width, uint32_t height, uint32_t levels, char *header)
{
	int n;

	if (levels == 2)
		n = snprintf(header, RIP_PNM_HEADER_MAX, "P4\n%u %u\n", width, height);
	else
		n = snprintf(header, RIP_PNM_HEADER_MAX, "P5\n%u %u\n%u\n", width, height,
			     levels - 1);
	return (size_t)n;
}

size_t rip_pnm_line_size(uint32_t width, uint32_t levels)
{
	return levels == 2 ? rip_dot_bytes(width, 2) : width;
}

/* PBM: 1 is black, so the dots, which are light, are inverted; the bits after the last column
 * stay 0. */
static void pbm_line(const uint8_t *dots, uint32_t width, uint8_t *line)
{
	const size_t bytes = rip_dot_bytes(width, 2);

	for (size_t i = 0; i < bytes; i++)
		line[i] = (uint8_t)~dots[i];
	if (width % 8)
		line[bytes - 1] &= (uint8_t)(0xff00 >> (width % 8));
}

/* PGM: a byte for each level. */
static void pgm_line(const uint8_t *dots, uint32_t width, uint32_t levels, uint8_t *line)
{
	const uint32_t bits = rip_dot_bits(levels), in_byte = 8 / bits;
	const uint8_t mask = (uint8_t)((1 << bits) - 1);

	for (uint32_t j = 0; j < width; j++)
		line[j] = (uint8_t)(dots[j / in_byte] >> (8 - bits * (j % in_byte + 1))) & mask;
}

size_t rip_pnm_line(const uint8_t *dots, uint32_t width, uint32_t levels, uint8_t *line)
{
	if (levels == 2)
		pbm_line(dots, width, line);
	else
		pgm_line(dots, width, levels, line);
	return rip_pnm_line_size(width, levels);
}
