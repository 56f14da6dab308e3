#include "preview.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/engine.h"
#include "image/complain.h"
#include "image/image.h"

int rip_preview_is_dots(struct rip_input *input)
{
	const uint8_t *bytes;
	const ssize_t n = rip_input_peek(input, 2, &bytes);

	return n < 0 ? (int)n : n >= 2 && !memcmp(bytes, "P4", 2);
}

/* One picture, without its "P4". */
static int do_picture(struct rip_input *input, enum rip_ink ink,
		      const struct rip_dot_receiver *receiver)
{
	struct rip_dot_page page = { .planes = 1, .levels = 2, .inks = { ink } };
	const int64_t width = rip_image_pnm_number(input, "PBM", "width");
	const int64_t height = width < 0 ? width : rip_image_pnm_number(input, "PBM", "height");
	uint8_t *row;
	size_t size;
	int r = height < 0 ? (int)height :
		rip_image_check_size(input, (uint64_t)width, (uint64_t)height);

	if (r < 0)
		return r;
	page.width = (uint32_t)width;
	page.height = (uint32_t)height;
	size = rip_dot_bytes(page.width, 2);
	row = malloc(size);
	if (!row)
		return rip_complain(-ENOMEM, "%s: out of memory", input->name);
	r = receiver->begin(receiver->context, &page);
	for (uint32_t i = 0; r == 0 && i < page.height; i++) {
		const ssize_t n = rip_input_read(input, row, size);

		if (n < 0)
			r = (int)n;
		else if ((size_t)n < size)
			r = rip_complain(-EBADMSG, "%s is truncated: it ends in row %u of %u",
					 input->name, i + 1, page.height);
		else
			r = receiver->row(receiver->context, (const uint8_t *const[]){ row });
	}
	free(row);
	return r < 0 ? r : receiver->end(receiver->context);
}

int rip_preview_dots(struct rip_input *input, enum rip_ink ink,
		     const struct rip_dot_receiver *receiver)
{
	int r = 1;

	while (r > 0) {
		int c;

		rip_input_skip(input, 2);
		r = do_picture(input, ink, receiver);
		if (r < 0)
			return r;
		/* White space may stand between pictures. */
		do {
			const uint8_t *next;
			const ssize_t n = rip_input_peek(input, 1, &next);

			c = n < 0 ? (int)n : n == 0 ? RIP_INPUT_END : *next;
			if (rip_input_is_space(c))
				rip_input_skip(input, 1);
		} while (rip_input_is_space(c));
		if (c < 0 || c == RIP_INPUT_END)
			return c < 0 ? c : 0;
		r = rip_preview_is_dots(input);
	}
	return r < 0 ? r :
	       rip_complain(-EBADMSG, "%s: what follows the picture is no PBM", input->name);
}
