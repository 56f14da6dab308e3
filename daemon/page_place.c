#include "config.h"

#include "page_place.h"

/* Smaller pages are left to the client.  The first page of a session, alone, in grey,
 * floyd-steinberg, as multiples of one thread in-process, time and processor time
 * (notes/daemon.md):
 *
 *	megapixels    2.2         4.3         8.7         17.4        34.8
 *	              1.24, 1.04  1.28, 1.08  1.25, 0.99  1.21, 0.90  1.12, 0.81
 */
#define SMALL (UINT64_C(8) << 20) /* samples */

/* While others are on a GPU, so are the first pages of a session: a new ring's memory, and to
 * page-lock it, cost as much as four pages of K save.  Sessions of so many pages of A4 at 600 dpi,
 * pages/s and processor time a page as multiples of those in-process (one H100, 16 processors,
 * 2026-11-27):
 *
 *	at once              1           4           8           24
 *	K, one page          1.05, 1.02  0.73, 1.19  0.67, 1.14  0.61, 1.13
 *	K, two pages                                 0.65, 1.15  0.51, 1.29
 *	K, four pages                                            0.60, 1.00
 *	K, 24 pages                                  1.15, 0.62  0.99, 0.75
 *	K, one, blue-noise   1.02, 1.00              0.80, 1.00  0.76, 0.93
 *	CMYK, one page       1.05, 0.76  0.92, 0.82  0.90, 0.74  0.76, 0.90
 */
#define FIRST_PAGES    4
#define SMALL_AT_FIRST (UINT64_C(64) << 20) /* samples */

/* Pages at once for which a GPU was measured to be worth it: pages/s and processor time a page as
 * multiples of those in-process, with one thread each.  H100, 16 processors, A4 in CMYK at 600 dpi,
 * 2026-11-27 (BENCHMARKS.md, "Daemon").
 *
 *	pages at once                        1           8           16          24
 *	floyd-steinberg                      1.33, 0.60  1.37, 0.54  1.08, 0.65  1.07, 0.72
 *	other screens, curves, ink limits                                        1.3, 0.6 or better
 *
 * With 24, a third of the processors is idle, so what is beyond goes there.  Two GPUs of a host
 * share its memory: with two H200 and 32 processors, 2026-11-28, floyd-steinberg:
 *
 *	pages at once      24          32          40
 *	from files         1.35, 0.61  1.00, 0.81  0.89, 0.92
 *	from pipes                      0.86, 1.02  0.95, 1.00
 *
 * With 24 for both instead of 32, 40 from files make 0.90, 0.88 instead of 0.95, 0.82, and those
 * from pipes as many. */
#define AT_ONCE      24
#define AT_ONCE_MORE 8 /* for each further GPU */

enum rip_page_place rip_place_page(const struct rip_page_message *page, unsigned gpus,
				   unsigned pages)
{
	const uint64_t samples = (uint64_t)page->width * page->height * page->planes;
	const bool at_first = page->page <= FIRST_PAGES && pages > 0;

	if (gpus == 0)
		return RIP_PLACE_NO_GPU;
	if (page->height && samples < (at_first ? SMALL_AT_FIRST : SMALL))
		return RIP_PLACE_SMALL;
	if (pages >= AT_ONCE + (gpus - 1) * AT_ONCE_MORE)
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
