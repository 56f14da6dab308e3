/* Matrix symbols among other things: boxes with ink are cut where there is paper. */
#include "label_symbols.h"

/* Lengths are in 1/256 of a sample. */
#define ONE 256
#define SIDE_LEAST 10   /* samples */
#define CUT 4           /* rows or columns of paper that are no module */
#define BESIDE 16       /* samples of a symbol beside the cells that have its edges */
#define CHANGES_LEAST 6 /* between paper and ink in two lines of a symbol */

/* ---- a box around it ---- */

#define STRIP (int32_t)sizeof(rip_bytes) /* columns that are looked at together */

/* The lanes of a strip before column `end` of a box: -1, and 0 for the others. */
static inline rip_bytes lanes_before(int32_t i, int32_t end)
{
	static const uint8_t lanes[2 * sizeof(rip_bytes)] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	};

	const int32_t left = end - i;

	return rip_load(lanes + (left >= STRIP ? 0 : left < 0 ? STRIP : STRIP - left));
}

/* Whether more than a tenth of a box's samples have this ink, and more than a tenth that one. */
static bool are_common(const struct rip_view *view, const struct rip_box *box, uint8_t one,
		       uint8_t other)
{
	const rip_bytes ones = rip_all_bytes(one ^ view->invert);
	const rip_bytes others = rip_all_bytes(other ^ view->invert);
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	int32_t sums[2] = { 0 };

	for (int32_t i = 0; i < width; i += STRIP) {
		rip_bytes all_ones = rip_all_bytes(0), all_others = all_ones;

		for (int32_t v = box->top; v < box->bottom; v++) {
			const rip_bytes here = rip_load(rip_view_at(view, box->left + i, v));

			all_ones -= (rip_bytes)(here == ones);
			all_others -= (rip_bytes)(here == others);
		}
		sums[0] += rip_sum_of(all_ones & lanes_before(i, width));
		sums[1] += rip_sum_of(all_others & lanes_before(i, width));
	}
	return sums[0] > width * height / 10 && sums[1] > width * height / 10;
}

/* Paper and ink of a box.  least, most: the least and the most ink in it; or 0 if that is unknown.
 * Whether they differ. */
static bool find_levels(const struct rip_view *view, const struct rip_box *box, uint8_t least,
			uint8_t most, struct rip_shades *levels)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	int32_t counts[256], samples[256] = { 0 };

	if (least < most && height <= 255 && are_common(view, box, least, most)) {
		*levels = (struct rip_shades){ least, most, (least + most) / 2 };
		return true;
	}
	for (int32_t v = box->top; v < box->bottom; v++)
		rip_count_inks(rip_view_at(view, box->left, v), width, samples);
	for (int32_t i = 0; i < 256; i++)
		counts[i] = samples[i ^ view->invert];
	if (!rip_find_levels(counts, width * height, 10, &levels->paper, &levels->ink))
		return false;
	levels->middle = (levels->paper + levels->ink) / 2;
	return true;
}

/* How much of a row, or of a column, at a side of a box is covered: it may be so in part. */
static int32_t part(const struct rip_view *view, const struct rip_shades *levels,
		    const struct rip_box *box, bool row, int32_t at)
{
	const int32_t end = row ? box->right : box->bottom;
	int32_t most = 0;

	for (int32_t i = row ? box->left : box->top; i < end; i++) {
		const int32_t ink = rip_view_ink(view, row ? i : at, row ? at : i);

		most = ink > most ? ink : most;
	}
	return most >= levels->ink ? ONE : most <= levels->paper ? 0 :
	       (most - levels->paper) * ONE / (levels->ink - levels->paper);
}

/* The symbol's middle and size in one direction. */
static void place_side(const struct rip_view *view, const struct rip_shades *levels,
		       const struct rip_box *box, bool row, int32_t *middle, int32_t *size)
{
	const int32_t first = row ? box->top : box->left, end = row ? box->bottom : box->right;
	const int32_t from = (first + 1) * ONE - part(view, levels, box, row, first) -
			     part(view, levels, box, row, first - 1);
	const int32_t to = (end - 1) * ONE + part(view, levels, box, row, end - 1) +
			   part(view, levels, box, row, end);

	*middle = (from + to) / 2;
	*size = to - from;
}

/* The symbol's middle and size. */
static void place(const struct rip_view *view, const struct rip_shades *levels,
		  const struct rip_box *box, struct rip_lattice *grid)
{
	place_side(view, levels, box, false, &grid->u, &grid->width);
	place_side(view, levels, box, true, &grid->v, &grid->height);
}

/* ---- among other things ---- */

/* Counts the changes between paper and ink, times 2 for each line across a box: a symbol has about
 * as many as modules.  0: too few in one direction.  So letters are left at once. */
static int32_t count_changes(const struct rip_view *view, const struct rip_shades *levels,
			     const struct rip_box *box)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	const rip_bytes invert = rip_all_bytes(view->invert);
	const rip_bytes middle = rip_all_bytes((uint8_t)levels->middle);
	int32_t across = 0, down = 0;

	for (int32_t i = 1; i < width; i += STRIP) {
		const rip_bytes lanes = lanes_before(i, width);

		for (int32_t v = box->top + 1; v < box->bottom;) {
			const int32_t end = v + 255 < box->bottom ? v + 255 : box->bottom;
			rip_bytes all_across = rip_all_bytes(0), all_down = all_across;
			rip_bytes above;

			above = (rip_bytes)((rip_load(rip_view_at(view, box->left + i, v - 1)) ^
					     invert) > middle);
			for (; v < end; v++) {
				const uint8_t *row = rip_view_at(view, box->left + i, v);
				const rip_bytes left =
					(rip_bytes)((rip_load(row - 1) ^ invert) > middle);
				const rip_bytes here =
					(rip_bytes)((rip_load(row) ^ invert) > middle);

				all_across -= left ^ here;
				all_down -= above ^ here;
				above = here;
			}
			across += rip_sum_of(all_across & lanes);
			down += rip_sum_of(all_down & lanes);
		}
	}
	across = across * 2 / height;
	down = down * 2 / width;
	return across < CHANGES_LEAST || down < CHANGES_LEAST ? 0 : (across + down) / 2;
}

/* Draws the symbol that fills a box, if there is one.  least, most: for find_levels(). */
static bool draw_box(const struct rip_view *view, const struct rip_box *box, uint8_t least,
		     uint8_t most, struct rip_box *drawn)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	struct rip_shades levels;
	struct rip_lattice grid = { .modules = 0 };
	int32_t changes;

	if (width < SIDE_LEAST || height < SIDE_LEAST ||
	    width > RIP_MATRIX_MAX || height > RIP_MATRIX_MAX ||
	    (width - 2) * 8 > (height + 2) * 9 || (height - 2) * 8 > (width + 2) * 9 ||
	    !find_levels(view, box, least, most, &levels))
		return false;
	changes = count_changes(view, &levels, box);
	if (!changes)
		return false;
	place(view, &levels, box, &grid);
	if (grid.width * 8 > grid.height * 9 || grid.height * 8 > grid.width * 9 ||
	    !rip_lattice_find(view, levels.middle, changes, &grid))
		return false;
	rip_lattice_draw(view, &levels, &grid, drawn);
	return true;
}

#define BOX_MAX (RIP_MATRIX_MAX + 2 * BESIDE)

/* The most and the least ink in each column of a box. */
struct profile {
	uint8_t most[BOX_MAX + STRIP], least[BOX_MAX + STRIP];
};

/* A search for a symbol that has some of the samples of a box. */
struct matrix_search {
	const struct rip_view *view;
	const struct rip_box *about;
	struct rip_box *drawn; /* the symbol, if there was one */
	bool any;
};

#define STRIPS (RIP_PAST / STRIP) /* that are looked at together */

static void find_profile(const struct rip_view *view, const struct rip_box *box,
			 struct profile *profile)
{
	const struct rip_box there = rip_view_inside(view, *box);
	const int32_t width = there.right - there.left;
	const bool rows = there.top == box->top && there.bottom == box->bottom;
	uint8_t *most = profile->most + there.left - box->left;
	uint8_t *least = profile->least + there.left - box->left;

	if (memcmp(&there, box, sizeof there) != 0)
		memset(profile, 0, sizeof *profile); /* paper */
	for (int32_t i = 0; i < width; i += STRIPS * STRIP) {
		rip_bytes high[STRIPS], low[STRIPS];

		for (int32_t k = 0; k < STRIPS; k++) {
			high[k] = rip_all_bytes(0);
			low[k] = rip_all_bytes(255);
		}
		for (int32_t v = there.top; v < there.bottom; v++) {
			const uint8_t *row = rip_view_at(view, there.left + i, v);

#pragma GCC unroll 4
			for (int32_t k = 0; k < STRIPS; k++) {
				high[k] = rip_more_of(high[k], rip_load(row + k * STRIP));
				low[k] = rip_less_of(low[k], rip_load(row + k * STRIP));
			}
		}
		for (int32_t k = 0; k < STRIPS && i + k * STRIP < width; k++) {
			const int32_t at = i + k * STRIP;
			const rip_bytes lanes = lanes_before(at, width);
			const rip_bytes ink = (view->invert ? ~low[k] : high[k]) & lanes;
			const rip_bytes paper = (view->invert ? ~high[k] : low[k]) & lanes;

			memcpy(most + at, &ink, sizeof ink);
			if (rows)
				memcpy(least + at, &paper, sizeof paper);
		}
	}
}

/* Finds the rows with more ink than that between paper and ink: 255, and 0 for others. */
static void find_rows(const struct rip_view *view, const struct rip_box *box, uint8_t middle,
		      uint8_t has[])
{
	const struct rip_box there = rip_view_inside(view, *box);
	const rip_bytes invert = rip_all_bytes(view->invert), paper = rip_all_bytes(middle);
	const int32_t width = there.right - there.left, last = (width - 1) / STRIP * STRIP;
	const rip_bytes lanes = lanes_before(last, width);

	memset(has, 0, (size_t)(box->bottom - box->top));
	for (int32_t v = there.top; v < there.bottom && width > 0; v++) {
		const uint8_t *row = rip_view_at(view, there.left, v);
		rip_bytes most = (rip_load(row + last) ^ invert) & lanes;

		for (int32_t i = 0; i < last; i += STRIP) {
			most = rip_more_of(most, rip_load(row + i) ^ invert);
			if (i / STRIP % STRIPS == 0 && rip_has_any((rip_bytes)(most > paper)))
				break;
		}
		if (rip_has_any((rip_bytes)(most > paper)))
			has[v - box->top] = 255;
	}
}

static void search(struct matrix_search *s, const struct rip_box *box,
		   const struct profile *profile, int32_t first, bool rows);

/* Cuts a box where CUT rows, or columns, are paper, and searches its parts.  Returns whether there
 * was anything to cut. */
static bool cut(struct matrix_search *s, const struct rip_box *box, const struct profile *profile,
		int32_t first, uint8_t middle, bool rows)
{
	const int32_t end = rows ? box->bottom - box->top : box->right - box->left;
	uint8_t has[BOX_MAX + STRIP]; /* 255 for lines with ink, 0 for others */
	int32_t start = -1, last = -CUT - 1; /* lines with ink */

	if (rows)
		find_rows(s->view, box, middle, has);
	for (int32_t i = 0; i < end && !rows; i += STRIP) {
		const rip_bytes ink = (rip_bytes)(rip_load(profile->most + first + i) >
						  rip_all_bytes(middle));

		memcpy(has + i, &ink, sizeof ink);
	}
	for (int32_t at = 0; at < end + CUT; at++) {
		struct rip_box part;
		uint64_t eight = 1;

		if (at + 8 <= end)
			memcpy(&eight, has + at, sizeof eight);
		if (eight == UINT64_MAX || (at < end && has[at])) {
			start = start < 0 ? at : start;
			at += eight == UINT64_MAX ? 7 : 0;
			last = at;
		} else if (eight == 0 && start < 0) {
			at += 7;
		}
		if (start < 0 || at - last < CUT)
			continue;
		if (start == 0 && last + 1 == end)
			return false;
		part = *box;
		*(rows ? &part.top : &part.left) += start;
		*(rows ? &part.bottom : &part.right) -= end - last - 1;
		search(s, &part, rows ? NULL : profile, first + start, !rows);
		start = -1;
		if (rows && s->any) /* rows below may have been cleared, as quiet zone */
			find_rows(s->view, box, middle, has);
	}
	return true;
}

/* The least and the most ink of some columns. */
static void find_range(const struct profile *profile, int32_t first, int32_t count, uint8_t *least,
		       uint8_t *most)
{
	rip_bytes high = rip_all_bytes(0), low = ~high;

	for (int32_t i = 0; i < count; i += STRIP) {
		const rip_bytes lanes = lanes_before(i, count);

		high = rip_more_of(high, rip_load(profile->most + first + i) & lanes);
		low = rip_less_of(low, rip_load(profile->least + first + i) | ~lanes);
	}
	for (int32_t k = 0; k < STRIP; k++) {
		*most = high[k] > *most ? high[k] : *most;
		*least = low[k] < *least ? low[k] : *least;
	}
}

/* Cuts a box, and its parts the other way, until nothing is left to cut.  profile: of its columns,
 * from `first` on; NULL if it is not known. */
static void search(struct matrix_search *s, const struct rip_box *box,
		   const struct profile *profile, int32_t first, bool rows)
{
	const int32_t width = box->right - box->left;
	struct profile own;
	uint8_t most = 0, least = 255, middle;

	if (width < SIDE_LEAST || box->bottom - box->top < SIDE_LEAST ||
	    box->left >= s->about->right || box->right <= s->about->left ||
	    box->top >= s->about->bottom || box->bottom <= s->about->top ||
	    !rip_view_spend(s->view, (int64_t)width * (box->bottom - box->top)))
		return;
	if (!profile) {
		find_profile(s->view, box, &own);
		profile = &own;
		first = 0;
	}
	find_range(profile, first, width, &least, &most);
	middle = (uint8_t)((least + most) / 2);
	if (most - least >= RIP_CONTRAST_LEAST && !cut(s, box, profile, first, middle, rows) &&
	    !cut(s, box, profile, first, middle, !rows))
		/* The profile may be older than what was drawn beside the box. */
		s->any |= draw_box(s->view, box, least, s->any ? 0 : most, s->drawn);
}

bool rip_matrix_draw(const struct rip_view *view, const struct rip_box *about,
		     struct rip_box *drawn)
{
	const struct rip_box box = { about->left - BESIDE, about->top - BESIDE,
				     about->right + BESIDE, about->bottom + BESIDE };
	struct matrix_search s = { .view = view, .about = about, .drawn = drawn };

	search(&s, &box, NULL, 0, false);
	return s.any;
}
