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
static int both(struct rip_gs *gs, int r, int below)
{
	if (r >= 0 && below < 0) {
		memcpy(gs->why, gs->below->why, sizeof gs->why);
		r = below;
	}
	if (r < 0)
		rip_gs_stop(gs);
	return r;
}

static int open_both(struct rip_gs *gs)
{
	int r;

	if (!gs->below)
		return rip_refuse_as(-ENOMEM, gs->why, sizeof gs->why, "%s", strerror(ENOMEM));
	if (gs->process.pid <= 0)
		rip_gs_stop(gs);
	r = rip_gs_open(gs);
	return r < 0 ? both(gs, r, 0) : both(gs, r, rip_gs_open(gs->below));
}

static int find_page(struct rip_gs *gs, unsigned number, struct rip_gs_page *page)
{
	struct rip_gs_page same;
	const int r = rip_gs_page(gs, number, page);

	return r < 0 ? both(gs, r, 0) : both(gs, r, rip_gs_page(gs->below, number, &same));
}

static int draw_both(struct rip_gs *gs, uint32_t columns, uint32_t rows, const double matrix[6],
		     unsigned threads)
{
	const int r = rip_gs_draw(gs, columns, rows, matrix, threads);

	return r < 0 ? both(gs, r, 0) :
	       both(gs, r, rip_gs_draw(gs->below, columns, rows, matrix, threads));
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
			return both(gs, rip_refuse_as(-ENOMEM, gs->why, sizeof gs->why, "%s",
						      strerror(ENOMEM)), 0);
	}
	r = rip_gs_read(gs, to, n);
	r = r < 0 ? both(gs, r, 0) : both(gs, r, rip_gs_read(gs->below, gs->below_pixels, n));
	if (r == 0)
		overprint(to, gs->below_pixels, n);
	return r;
}

static int end_both(struct rip_gs *gs)
{
	const int r = rip_gs_end(gs);

	return r < 0 ? both(gs, r, 0) : both(gs, r, rip_gs_end(gs->below));
}

const struct rip_renderer rip_overprint = {
	.title = "Ghostscript", .program = "gs", .package = "ghostscript",
	.open = open_both, .page = find_page, .draw = draw_both, .read = read_both,
	.end = end_both,
};
