/* The sizes that a benchmark is asked for. */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/paper_size.h"

/* Takes a number of at most 8 digits from the front of the text. */
static bool take_number(const char **text, uint64_t *number)
{
	const size_t length = strspn(*text, "0123456789");

	if (length < 1 || length > 8)
		return false;
	*number = strtoull(*text, NULL, 10);
	*text += length;
	return true;
}

int rip_bench_add_size(struct rip_bench *bench, const char *text)
{
	struct rip_bench_size *size = &bench->sizes[bench->size_count];
	const char *rest = strchr(text, '@');
	uint64_t width, height, dpi;

	if (bench->size_count == RIP_BENCH_SIZES_MAX)
		return -E2BIG;
	if (rest) {
		uint32_t paper_width, paper_height;

		if (!rip_paper_find(text, (size_t)(rest++ - text), &paper_width, &paper_height) ||
		    !take_number(&rest, &dpi))
			return -EINVAL;
		width = rip_paper_pixels(paper_width, dpi);
		height = rip_paper_pixels(paper_height, dpi);
	} else {
		rest = text;
		if (!take_number(&rest, &width))
			return -EINVAL;
		height = width;
		if (*rest == 'x' || *rest == 'X') {
			rest++;
			if (!take_number(&rest, &height))
				return -EINVAL;
		} else if (*rest == 'k' || *rest == 'K') {
			rest++;
			width = height = width * 1024;
		}
	}
	if (*rest || width < 1 || width > RIP_WIDTH_MAX || height < 1 || height > RIP_WIDTH_MAX)
		return -EINVAL;
	*size = (struct rip_bench_size){ .width = (uint32_t)width, .height = (uint32_t)height };
	snprintf(size->name, sizeof size->name, "%s", text);
	bench->size_count++;
	return 0;
}
