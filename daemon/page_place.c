#include "config.h"

#include "page_place.h"

#include <stdbool.h>

#include "halftone/screen/screen.h"

/* With fewer samples a session takes longer than halftoning: 1.5 ms of processor time, in which one
 * thread makes 10 to 20 million dots (EPYC 9005, 2026-11). */
#define SMALL (UINT64_C(8) << 20)

/* Pages at once on a GPU with which it was measured to be worth it: pages/s and processor time a
 * page as multiples of those in-process, with one thread each.  H100, 16 processors, A4 in CMYK at
 * 600 dpi, 2026-11-26 (BENCHMARKS.md, "Daemon").
 *
 *	pages at once                        1           8           16          24
 *	floyd-steinberg                      1.14, 0.65  1.22, 0.58  1.00, 0.79  0.95, 0.80
 *	blue-noise                                                               1.27, 0.60
 *	--printer laser                                                          1.11, 0.75
 *	--printer laser --ink-limit 240                                          1.80, 0.47
 *
 * With 24 the GPU makes as many pages/s as with 16 (178), and a quarter of the processors is
 * idle, so what is beyond goes there. */
#define PLAIN_AT_ONCE  16 /* floyd-steinberg alone */
#define COSTLY_AT_ONCE 24 /* more were not measured */

static bool is_plain(const struct rip_page_message *page)
{
	return page->screen == RIP_FLOYD_STEINBERG &&
	       !page->curve_values && !page->pixel_curves && !page->ink_limit;
}

enum rip_page_place rip_place_page(const struct rip_page_message *page, unsigned gpus,
				   unsigned pages)
{
	const uint64_t samples = (uint64_t)page->width * page->height * page->planes;

	if (gpus == 0)
		return RIP_PLACE_NO_GPU;
	if (page->height && samples < SMALL)
		return RIP_PLACE_SMALL;
	if (pages >= gpus * (is_plain(page) ? PLAIN_AT_ONCE : COSTLY_AT_ONCE))
		return RIP_PLACE_BUSY;
	return RIP_PLACE_GPU;
}

const char *rip_place_why(enum rip_page_place place)
{
	static const char *const why[RIP_PLACES] = {
		[RIP_PLACE_SMALL] = "it takes longer to send the page than to halftone it",
		[RIP_PLACE_BUSY] = "the GPU is busy with other pages, and would not be faster",
		[RIP_PLACE_NO_GPU] = "no GPU is in use",
	};

	return why[place];
}
