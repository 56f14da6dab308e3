/* Pages that pass unchanged. */
#include "pass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter/report.h"
#include "system/ascii.h"

#define LINE_BYTES_MAX (16u << 20)

bool rip_pass_wanted(const struct rip_queue *queue, unsigned color_space)
{
	const char *list = rip_queue_attribute(queue, "riptideColorSpaces");
	const char *name = rip_color_space_name(color_space);
	const size_t length = strlen(name);

	if (!list)
		return false;
	while (*list) {
		const size_t word = strcspn(list, " ");

		if (word == length && rip_same_start(list, name, word))
			return false;
		list += word;
		list += strspn(list, " ");
	}
	return true;
}

/* The lines of the page; 0 if the header cannot be true. */
static uint32_t count_lines(const cups_page_header2_t *header)
{
	const bool planar = header->cupsColorOrder == CUPS_ORDER_PLANAR;
	const uint32_t planes = planar ? header->cupsNumColors : 1;

	if (header->cupsWidth < 1 || header->cupsWidth > RIP_WIDTH_MAX || header->cupsHeight < 1 ||
	    header->cupsHeight > RIP_WIDTH_MAX || header->cupsBytesPerLine < 1 ||
	    header->cupsBytesPerLine > LINE_BYTES_MAX || header->cupsBitsPerColor < 1 ||
	    header->cupsBitsPerPixel < 1 || planes < 1 || planes > RIP_PLANES_MAX)
		return 0;
	return header->cupsHeight * planes;
}

int rip_pass_page(struct rip_source *source, struct rip_sink *sink,
		  const cups_page_header2_t *in)
{
	cups_page_header2_t copy = *in, *header = &copy;
	const uint32_t bytes = header->cupsBytesPerLine;
	uint32_t lines;
	const struct rip_output output = { .width = header->cupsWidth, .height = header->cupsHeight,
					   .line_bytes = bytes };
	unsigned reported = 0;
	uint8_t *line;
	int r;

	/* Version 1 does not count them, but libcups needs the number for planar pages. */
	if (!header->cupsNumColors && header->cupsColorOrder == CUPS_ORDER_PLANAR)
		header->cupsNumColors = rip_page_planes(header);
	lines = count_lines(header);
	if (!lines) {
		rip_error("page %u: cupsWidth %u, cupsHeight %u, cupsBitsPerPixel %u, "
			  "cupsBitsPerColor %u, cupsBytesPerLine %u, cupsColorOrder %u, "
			  "cupsNumColors %u: that is no page", source->page, header->cupsWidth,
			  header->cupsHeight, header->cupsBitsPerPixel, header->cupsBitsPerColor,
			  bytes, (unsigned)header->cupsColorOrder, header->cupsNumColors);
		return -EINVAL;
	}
	rip_debug("page %u: %s, %u bits: not among riptideColorSpaces, passes unchanged",
		  source->page, rip_color_space_name(header->cupsColorSpace),
		  header->cupsBitsPerColor);
	line = malloc(bytes);
	r = line ? rip_source_begin(source, header, lines) : -ENOMEM;
	if (r == 0)
		r = rip_sink_begin(sink, header, &output);
	else
		rip_error("page %u: %s", source->page, line ? source->why : strerror(ENOMEM));
	for (uint32_t i = 0; r == 0 && i < lines; i++) {
		r = rip_source_read(source, line, bytes);
		if (r < 0)
			rip_error("page %u: %s", source->page, source->why);
		else
			r = rip_sink_line(sink, line);
		if (i % 64 == 63 || i + 1 == lines)
			rip_report_rows(i + 1, lines, &reported);
	}
	free(line);
	return r < 0 ? r : rip_sink_end(sink);
}
