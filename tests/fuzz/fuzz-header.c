/*
 * Any bytes as a raster stream: what the header check lets pass fits together, is
 * rewritten to what fits together, and can be read without a byte too many.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>

#include "filter/page/dots.h"
#include "filter/page/header.h"
#include "filter/page/source.h"
#include "halftone/engine.h"

#define LINES 4          /* that are read of a page: more is only slower */
#define BYTES (8u << 10) /* of lines that are read at all */

/* Dots of a line of 1 bit, through everything that is done to them. */
static void handle_dots(const struct rip_geometry *g, const uint8_t *line)
{
	const uint32_t bytes = rip_dots_bytes(g->width, 1);
	uint8_t *planes[RIP_PLANES_MAX], *joined = malloc((size_t)bytes * g->planes);

	for (uint32_t p = 0; p < g->planes; p++)
		planes[p] = malloc(bytes);
	if (g->order == CUPS_ORDER_CHUNKED && g->planes > 1)
		rip_dots_split(line, g->width, g->stride, g->first, g->planes, planes);
	else
		for (uint32_t p = 0; p < (g->order == CUPS_ORDER_PLANAR ? 1 : g->planes); p++)
			rip_dots_copy(line + (size_t)p * bytes, g->width, 1, 2, g->light,
				      planes[p]);
	if (g->order != CUPS_ORDER_PLANAR)
		rip_dots_join((const uint8_t *const *)planes, g->width, 1, g->planes, joined);
	for (uint32_t p = 0; p < g->planes; p++)
		free(planes[p]);
	free(joined);
}

static void rewrite(const cups_page_header2_t *in, const struct rip_geometry *g, bool from_pwg,
		    unsigned seed)
{
	const uint32_t levels = g->sample_bits == 1 ? 2 : 2 + seed % 15; /* as the filter does */
	const bool pwg = seed & 16;
	cups_page_header2_t out;
	struct rip_output o;
	struct rip_geometry again;
	char why[256];

	if (rip_header_rewrite(in, g, levels, pwg, from_pwg, &out, &o, why, sizeof why) < 0) {
		insist(pwg && memchr(why, 0, sizeof why) && why[0]);
		return;
	}
	insist(o.planes == g->planes && o.bits == rip_dot_bits(levels));
	insist(o.line_bytes > 0 && o.line_bytes <= RIP_LINE_MAX);
	insist(out.cupsPageSize[0] >= 0 && out.cupsImagingBBox[3] >= 0);
	if (pwg)
		insist(memchr(out.cupsPageSizeName, 0, sizeof out.cupsPageSizeName) != NULL);
	/* What comes out of the filter may go in again. */
	if (levels == 2) {
		insist(rip_header_check(&out, &again, why, sizeof why) == 0);
		insist(again.planes == g->planes && again.lines == (o.order == CUPS_ORDER_PLANAR ?
			g->height * g->planes : g->height));
	}
}

static int read_page(struct rip_source *s, const cups_page_header2_t *h,
		     const struct rip_geometry *g)
{
	uint8_t *line;
	int r = rip_source_begin(s, h, g->lines);

	if (r < 0 || g->line_bytes > BYTES)
		return -1;
	line = malloc(g->line_bytes);
	for (uint32_t i = 0; r == 0 && i < g->lines && i < LINES; i++) {
		r = rip_source_read(s, line, g->line_bytes);
		if (r == 0 && g->sample_bits == 1)
			handle_dots(g, line);
	}
	free(line);
	return r < 0 || g->lines > LINES ? -1 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int null = -1;
	struct rip_source source;
	cups_page_header2_t header;
	struct rip_geometry g;
	char why[256];
	int r;

	if (null < 0)
		null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (size < 1 || size > RIP_SOURCE_BUFFER)
		return 0;
	r = rip_source_open_after(&source, null, data + 1, size - 1);
	while (r == 0) {
		r = rip_source_header(&source, &header);
		if (r != 0)
			break;
		r = rip_header_check(&header, &g, why, sizeof why);
		if (r < 0) {
			insist(memchr(why, 0, sizeof why) && why[0]);
			break;
		}
		insist(g.planes >= 1 && g.planes <= RIP_PLANES_MAX && g.line_bytes <= RIP_LINE_MAX);
		insist(g.stride <= 16 && g.first + g.planes <= 16);
		rewrite(&header, &g, source.pwg, data[0]);
		r = read_page(&source, &header, &g);
	}
	insist(r != 0 && (r > 0 || memchr(source.why, 0, sizeof source.why)));
	rip_source_close(&source);
	return 0;
}
