/*
 * Black text that overprints: what is below it stays, so that a press or a laser whose inks do not
 * meet exactly leaves no white edges around letters.
 *
 * Ghostscript overprints only what the document says, and by objects all or nothing: with overprint
 * for the whole page, cyan text on yellow would become green, and white without inks would vanish.
 * So a second Ghostscript draws the same page without text (-dFILTERTEXT).  Where the page is black
 * ink alone, and full, the other inks are those of the second one.  Where that is not text, these
 * are none, too, because the second one draws the same.
 *
 * Black vectors do not overprint: Ghostscript can leave out all of them, and then what is below is
 * gone as well.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gs.h"
#include "system/refuse.h"

/* After an error, both begin anew: one may be in the middle of a page. */
static int fail(struct rip_gs *gs, int error)
{
	rip_gs_stop(gs);
	return error;
}

/* The second one, which goes on with the time that the first one has left for the page. */
static struct rip_gs *then(struct rip_gs *gs)
{
	gs->below->process.waited_us = gs->process.waited_us;
	return gs->below;
}

/* What both have returned, one after the other. */
static int both(struct rip_gs *gs, int r, int below)
{
	gs->process.waited_us = gs->below->process.waited_us;
	if (below < 0 || (below > 0 && r == 0)) {
		memcpy(gs->why, gs->below->why, sizeof gs->why);
		r = below;
	}
	return r < 0 ? fail(gs, r) : r;
}

static int open_both(struct rip_gs *gs)
{
	int r, below;

	if (!gs->below)
		return rip_refuse_as(-ENOMEM, gs->why, sizeof gs->why, "%s", strerror(ENOMEM));
	if (gs->process.pid <= 0)
		rip_gs_stop(gs);
	r = rip_gs_open(gs);
	if (r < 0)
		return fail(gs, r);
	below = rip_gs_open(gs->below); /* from 0 on */
	gs->below->process.waited_us += gs->process.waited_us;
	return both(gs, r, below);
}

static int find_page(struct rip_gs *gs, unsigned number, struct rip_gs_page *page)
{
	struct rip_gs_page same;
	const int r = rip_gs_page(gs, number, page);

	return r < 0 ? fail(gs, r) : both(gs, r, rip_gs_page(then(gs), number, &same));
}

static int draw_both(struct rip_gs *gs, uint32_t columns, uint32_t rows, const double matrix[6],
		     unsigned threads)
{
	const int r = rip_gs_draw(gs, columns, rows, matrix, threads);

	gs->coloured = false;
	return r < 0 ? fail(gs, r) :
	       both(gs, r, rip_gs_draw(then(gs), columns, rows, matrix, threads));
}

static void overprint(uint8_t *pixels, const uint8_t *below, size_t n)
{
	static const uint8_t black[4] = { 0, 0, 0, 255 };

	for (size_t i = 0; i + 4 <= n; i += 4)
		if (!memcmp(pixels + i, black, 4))
			memcpy(pixels + i, below + i, 3);
}

static int read_both(struct rip_gs *gs, void *to, size_t n)
{
	int r;

	if (n > gs->below_size) {
		free(gs->below_pixels);
		gs->below_pixels = malloc(n);
		gs->below_size = gs->below_pixels ? n : 0;
		if (!gs->below_pixels)
			return fail(gs, rip_refuse_as(-ENOMEM, gs->why, sizeof gs->why, "%s",
						      strerror(ENOMEM)));
	}
	r = rip_gs_read(gs, to, n);
	r = r < 0 ? fail(gs, r) : both(gs, r, rip_gs_read(then(gs), gs->below_pixels, n));
	if (r < 0)
		return r;
	if (gs->config.auto_monochrome && !gs->coloured)
		gs->coloured = !rip_greys_row(&gs->greys, to, (uint32_t)(n / 4));
	overprint(to, gs->below_pixels, n);
	return 0;
}

static int end_both(struct rip_gs *gs)
{
	const int r = rip_gs_end(gs);

	return r < 0 ? fail(gs, r) : both(gs, r, rip_gs_end(then(gs)));
}

const struct rip_renderer rip_overprint = {
	.title = "Ghostscript", .program = "gs", .package = "ghostscript",
	.open = open_both, .page = find_page, .draw = draw_both, .read = read_both,
	.end = end_both,
};
