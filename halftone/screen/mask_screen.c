/* Screens with threshold masks, by name. */
#include "mask_screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mask.h"
#include "system/ascii.h"

#define DPI_UNKNOWN 600
#define DPI_MAX     100000

/* What clustered-LPI offers: as coarse and as fine as anybody prints. */
#define LPI_MIN 40
#define LPI_MAX 250

/* From this resolution on, a cell of 4 by 4 pixels or more of the fine screens (to 141 lines at
 * 1200 dpi) starts with four pixels: single ones would not print. */
#define FINE_DPI 1000
#define PLATE_DPI 2000

#define ROSETTE_LPI 100 /* of black */

#define HELD_A 3 /* the vectors (a, a) of black's smallest cells that a laser holds at edges */

#define CLUSTERED "clustered"

/* "clustered-LPI" stands for many: a number takes the place of LPI. */
static const char *const names[] = { CLUSTERED, CLUSTERED "-LPI", "blue-noise-mask", "bayer",
				     "bi-level" };

#define NAMES (sizeof names / sizeof names[0])

const char *rip_screen_choice(unsigned i)
{
	if (i < RIP_SCREENS)
		return rip_screens[i].name;
	if (i == RIP_SCREENS)
		return RIP_SCREEN_LABELS;
	return i - RIP_SCREENS - 1 < NAMES ? names[i - RIP_SCREENS - 1] : NULL;
}

const enum rip_ink rip_inks_cmyk[4] = {
	RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW, RIP_INK_BLACK,
};

/* Black's cells have the vectors (a, a) and (-a, a). */
static int32_t black_a(unsigned family)
{
	return rip_cell_sets[family].black.a;
}

/* ---- resolutions ---- */

/* Cells are designed for square pixels.  Where pixels are a few times as wide as high, or as
 * high as wide, one pixel of the design becomes several. */
struct grid {
	uint32_t dpi, tall, wide;
};

static struct grid grid_of(uint32_t x_dpi, uint32_t y_dpi)
{
	struct grid grid = { .tall = 1, .wide = 1 };

	x_dpi = x_dpi < 1 ? DPI_UNKNOWN : x_dpi < DPI_MAX ? x_dpi : DPI_MAX;
	y_dpi = y_dpi < 1 ? DPI_UNKNOWN : y_dpi < DPI_MAX ? y_dpi : DPI_MAX;
	grid.dpi = x_dpi < y_dpi ? x_dpi : y_dpi;
	if (x_dpi % y_dpi == 0 && x_dpi / y_dpi <= 4)
		grid.wide = x_dpi / y_dpi;
	else if (y_dpi % x_dpi == 0 && y_dpi / x_dpi <= 4)
		grid.tall = y_dpi / x_dpi;
	return grid;
}

/* Rounded; dpi up to DPI_MAX. */
static unsigned lpi_of(uint32_t dpi, unsigned family)
{
	const uint64_t length = 141421u * (uint64_t)black_a(family); /* of (a, a), times 100000 */

	return (unsigned)((dpi * (uint64_t)200000 + length) / (2 * length));
}

static unsigned apart(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

/* The family whose LPI at this resolution is nearest, but not `without`. */
static unsigned nearest(uint32_t dpi, unsigned lpi, unsigned without)
{
	unsigned best = 0;

	for (unsigned i = 1; i < RIP_CELL_FAMILIES; i++)
		if (i != without &&
		    apart(lpi_of(dpi, i), lpi) < apart(lpi_of(dpi, best), lpi))
			best = i;
	return best;
}

/* Whether clustered-LPI has the family at this resolution: it is neither too coarse nor too
 * fine, or nothing else is left. */
static bool offered(uint32_t dpi, unsigned family)
{
	const unsigned lpi = lpi_of(dpi, family);

	return (lpi >= LPI_MIN && lpi <= LPI_MAX) ||
	       (family == 0 && lpi < LPI_MIN) ||
	       (family == RIP_CELL_FAMILIES - 1 && lpi > LPI_MAX);
}

/* Whether a number of lines stands for the family. */
static bool meant(uint32_t dpi, unsigned family, unsigned lpi)
{
	return offered(dpi, family) && apart(lpi_of(dpi, family), lpi) <= RIP_LPI_TOLERANCE;
}

unsigned rip_mask_screen_lpi(uint32_t x_dpi, uint32_t y_dpi, unsigned lpi[], unsigned most)
{
	const uint32_t dpi = grid_of(x_dpi, y_dpi).dpi;
	unsigned count = 0;

	for (unsigned i = 0; i < RIP_CELL_FAMILIES; i++)
		if (offered(dpi, i)) {
			const unsigned n = lpi_of(dpi, i);

			if (count < most)
				lpi[count] = n > 0 ? n : 1; /* clustered-0 is no name */
			count++;
		}
	return count;
}

/* What prints best: small cells, but large enough for what the printers of a resolution can
 * hold.  At 600 dpi the cells of 4 x 4 keep their tones twice as steady as those of 3 x 3, and
 * their rows repeat after 8 pixels, so that the printer's data is half as large: it is
 * compressed by bytes.  RIP_CELLS_5 came later, and must not change what printers of 720 dpi do. */
static unsigned best_family(uint32_t dpi)
{
	return nearest(dpi, dpi < 450 ? 72 : dpi < 900 ? 106 : dpi < PLATE_DPI ? 141 : 175,
		       RIP_CELLS_5);
}

/* ---- inks ---- */

/* The inks' angles, in the order in which unknown inks get them. */
enum angle { BLACK, CYAN, MAGENTA, YELLOW, ANGLES };

/* A light ink has another angle than the dark ink of its colour, so that their dots lie over each
 * other by chance. */
static enum angle angle_of(enum rip_ink ink, unsigned *others)
{
	switch (ink) {
	case RIP_INK_BLACK:         return BLACK;
	case RIP_INK_CYAN:          return CYAN;
	case RIP_INK_MAGENTA:       return MAGENTA;
	case RIP_INK_YELLOW:        return YELLOW;
	case RIP_INK_LIGHT_CYAN:    return MAGENTA;
	case RIP_INK_LIGHT_MAGENTA: return CYAN;
	case RIP_INK_LIGHT_BLACK:   return YELLOW;
	default:                    return (enum angle)((*others)++ % ANGLES);
	}
}

/* The place of a dispersed mask. */
static unsigned place_of(enum rip_ink ink, enum angle angle)
{
	return ink >= RIP_INK_LIGHT_CYAN ? ANGLES + (unsigned)(ink - RIP_INK_LIGHT_CYAN) : angle;
}

/* Whether the page has cyan's or magenta's cells, with which black makes a rosette.  Yellow without
 * black is a plate of such a page. */
static bool has_colours(const struct rip_mask_use *use)
{
	bool yellow = false, black = false;
	unsigned others = 0;

	for (uint32_t p = 0; p < use->planes && p < RIP_PLANES_MAX; p++) {
		const enum angle angle = angle_of(use->inks[p], &others);

		if (angle == CYAN || angle == MAGENTA)
			return true;
		yellow = yellow || angle == YELLOW;
		black = black || angle == BLACK;
	}
	return yellow && !black;
}

/* The cells with which a family is printed.  Below ROSETTE_LPI a closed rosette would be so coarse
 * that it is seen; from FINE_DPI on, the families need none. */
static unsigned set_of(const struct rip_mask_use *use, const struct grid *grid, unsigned family)
{
	const bool closed = family < RIP_CELL_SETS - RIP_CELL_FAMILIES && has_colours(use) &&
			    grid->dpi < FINE_DPI && lpi_of(grid->dpi, family) >= ROSETTE_LPI;

	return closed ? RIP_CELL_FAMILIES + family : family;
}

static void cells_recipe(struct rip_mask_recipe *recipe, const struct rip_cell_inks *inks,
			 enum angle angle, bool fours, const struct grid *grid)
{
	recipe->kind = RIP_MASK_CELLS;
	recipe->cells = angle == BLACK ? &inks->black : angle == YELLOW ? &inks->yellow :
			&inks->cyan;
	recipe->turned = angle == MAGENTA;
	recipe->first = fours ? 4 : 1;
	recipe->tall = grid->tall;
	recipe->wide = grid->wide;
}

/* The inks have the same mask at different places, so that their dots seldom meet. */
static void dispersed_recipe(struct rip_mask_recipe *recipe, enum rip_mask_kind kind,
			     unsigned place)
{
	recipe->kind = kind;
	recipe->tall = recipe->wide = 1;
	if (kind == RIP_MASK_BAYER) {
		recipe->down = place >> 1;
		recipe->right = place & 1;
	} else {
		recipe->down = 43 * place % RIP_BLUE_NOISE_SIDE;
		recipe->right = 79 * place % RIP_BLUE_NOISE_SIDE;
	}
}

const struct rip_cell_inks *rip_mask_screen_cells(const struct rip_mask_use *use, unsigned lpi)
{
	const struct grid grid = grid_of(use->x_dpi, use->y_dpi);

	return &rip_cell_sets[set_of(use, &grid, nearest(grid.dpi, lpi, RIP_CELL_FAMILIES))];
}

/* ---- names ---- */

/* The number of clustered-LPI; 0: no such name. */
static unsigned lpi_wanted(const char *name)
{
	const size_t length = strlen(CLUSTERED);
	const char *digits = name + length + 1;

	if (!rip_same_start(name, CLUSTERED "-", length + 1) || strlen(digits) > 4 ||
	    strspn(digits, "0123456789") != strlen(digits))
		return 0;
	return (unsigned)strtoul(digits, NULL, 10);
}

bool rip_mask_screen_known(const char *name)
{
	for (unsigned i = 0; i < NAMES; i++)
		if (rip_same_name(name, names[i]))
			return !rip_same_name(name, CLUSTERED "-LPI");
	return lpi_wanted(name) > 0;
}

static int no_such_lpi(const struct rip_mask_use *use, const char *name, char *why, size_t size)
{
	unsigned lpi[RIP_CELL_FAMILIES], count;
	size_t used;

	count = rip_mask_screen_lpi(use->x_dpi, use->y_dpi, lpi, RIP_CELL_FAMILIES);
	used = (size_t)snprintf(why, size, "no screen %s at %u x %u dpi: choose", name,
				use->x_dpi ? use->x_dpi : DPI_UNKNOWN,
				use->y_dpi ? use->y_dpi : DPI_UNKNOWN);
	for (unsigned i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(why + used, size - used, "%s " CLUSTERED "-%u",
					 i == 0 ? "" : i + 1 < count ? "," : " or", lpi[i]);
	return -ENOENT;
}

static int no_such_name(const char *name, char *why, size_t size)
{
	size_t used = (size_t)snprintf(why, size, "no screen %.40s: choose", name);

	for (unsigned i = 0; rip_screen_choice(i) && used < size; i++)
		used += (size_t)snprintf(why + used, size - used, "%s %s",
					 i == 0 ? "" : rip_screen_choice(i + 1) ? "," : " or",
					 rip_screen_choice(i));
	return -ENOENT;
}

const char *rip_screen_wanted(const struct rip_screen *screen)
{
	return rip_screen_id(screen) >= 0 ? screen->name :
	       ((const struct rip_mask_screen *)(const void *)screen)->wanted;
}

int rip_mask_screen_init(struct rip_mask_screen *screen, const char *name,
			 const struct rip_mask_use *use, char *why, size_t size)
{
	const struct grid grid = grid_of(use->x_dpi, use->y_dpi);
	const unsigned wanted = lpi_wanted(name);
	unsigned family = best_family(grid.dpi), others = 0, set;
	const bool clustered = wanted > 0 || rip_same_name(name, CLUSTERED);
	const bool bayer = rip_same_name(name, "bayer");
	bool fours;

	memset(screen, 0, sizeof *screen);
	if (!rip_mask_screen_known(name))
		return no_such_name(name, why, size);
	screen->base.name = screen->name;
	snprintf(screen->wanted, sizeof screen->wanted, "%s", name);
	if (wanted > 0) {
		family = nearest(grid.dpi, wanted, RIP_CELLS_5); /* what older versions had */
		if (!meant(grid.dpi, family, wanted))
			family = nearest(grid.dpi, wanted, RIP_CELL_FAMILIES);
		if (!meant(grid.dpi, family, wanted))
			return no_such_lpi(use, name, why, size);
	}
	if (clustered)
		snprintf(screen->name, sizeof screen->name, CLUSTERED "-%u",
			 lpi_of(grid.dpi, family));
	else
		for (char *to = screen->name; *name; name++)
			*to++ = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
	if (!strcmp(screen->name, "bi-level")) {
		screen->base.kind = RIP_SCREEN_BI_LEVEL;
		return 0;
	}
	screen->base.kind = RIP_SCREEN_MASK;
	set = set_of(use, &grid, family);
	fours = grid.dpi >= PLATE_DPI || (grid.dpi >= FINE_DPI && black_a(family) <= 6);
	for (uint32_t p = 0; p < use->planes && p < RIP_PLANES_MAX; p++) {
		const enum angle angle = angle_of(use->inks[p], &others);
		struct rip_mask_recipe recipe = { .mirrored = use->light };

		if (clustered)
			cells_recipe(&recipe, &rip_cell_sets[set], angle, fours, &grid);
		else
			dispersed_recipe(&recipe, bayer ? RIP_MASK_BAYER : RIP_MASK_BLUE_NOISE,
					 place_of(use->inks[p], angle));
		screen->base.masks[p] = rip_mask_get(&recipe);
		if (!screen->base.masks[p]) {
			snprintf(why, size, "%s", strerror(ENOMEM));
			return -ENOMEM;
		}
	}
	return 0;
}

int rip_mask_screen_finer(struct rip_mask_screen *finer, const struct rip_screen *screen,
			  const struct rip_mask_use *use, uint32_t *side)
{
	const struct grid grid = grid_of(use->x_dpi, use->y_dpi);
	const unsigned lpi = screen->kind == RIP_SCREEN_MASK ? lpi_wanted(screen->name) : 0;
	const unsigned family = nearest(grid.dpi, lpi * 3 / 2, RIP_CELL_FAMILIES);
	char name[32], why[128];
	int r;

	if (lpi == 0 || lpi_of(grid.dpi, family) <= lpi || black_a(family) < HELD_A ||
	    grid.dpi >= PLATE_DPI || grid.tall != 1 || grid.wide != 1)
		return 0;
	snprintf(name, sizeof name, CLUSTERED "-%u", lpi_of(grid.dpi, family));
	r = rip_mask_screen_init(finer, name, use, why, sizeof why);
	*side = (uint32_t)(141 * black_a(family) + 50) / 100;
	return r == -ENOENT ? 0 : r < 0 ? r : 1;
}
