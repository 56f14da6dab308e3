/* Linear symbols: bars. */
#include "label_symbols.h"

#include <stdlib.h>

/* Lengths are in 1/256 of a sample, as is coverage: 0 is paper, 256 ink. */
#define ONE 256
#define LENGTH_MAX 4096 /* samples */
#define EDGES_LEAST 24
#define ROWS_LEAST 24
/* A change of coverage that is an edge; and for bars of one sample that are between samples. */
#define CLEAR (ONE / 4)
#define CLEAR_LEAST (ONE / 16)
#define RUN_MAX 6       /* modules; wider is a quiet zone */
#define QUIET 10        /* modules */

/* The samples of a line of a view, and where they change. */
struct bars {
	int32_t from, count;           /* of the samples */
	int32_t paper, ink;
	int32_t clear;                 /* a change of coverage that is an edge, */
	int32_t unclear;               /* and the largest one that was none; */
	int32_t refused;               /* in a line that is refused as it is, or INT32_MAX */
	int32_t covers[256];           /* the coverage of each ink */
	uint8_t inks[2][LENGTH_MAX + sizeof(rip_bytes)]; /* of two lines; zeros follow */
	int32_t now;                   /* which of them was read last */
	int32_t sums[LENGTH_MAX + 1];  /* of coverage, before each sample */
	int32_t edges;
	int32_t at[RIP_EDGES_MAX];     /* edges, light to dark and back in turn */
};

/* Reads the inks of a line that is there. */
static void read_line(const struct rip_view *view, struct bars *line, int32_t v)
{
	uint8_t *inks = line->inks[line->now ^= 1];

	if (view->turned) {
		for (int32_t i = 0; i < line->count; i++)
			inks[i] = rip_view_row(view, line->from + i)[v] ^ view->invert;
	} else {
		const uint8_t *row = rip_view_row(view, v) + line->from;

		for (int32_t i = 0; i < line->count; i += (int32_t)sizeof(rip_bytes)) {
			const rip_bytes ink = rip_load(row + i) ^ rip_all_bytes(view->invert);

			memcpy(inks + i, &ink, sizeof ink);
		}
	}
	memset(inks + line->count, 0, sizeof(rip_bytes));
}

/* The coverage before a place in halves of a sample. */
static int32_t sum_before(const struct bars *line, int32_t halves)
{
	const int32_t i = halves / 2, sum = line->sums[i];

	return halves % 2 ? sum + (line->sums[i + 1] - sum) / 2 : sum;
}

/* The last of the samples from i on that are all alike. */
static int32_t end_of_run(const struct bars *line, int32_t i)
{
	const uint8_t *inks = line->inks[line->now];
	const uint64_t alike = inks[i] * 0x0101010101010101u;
	uint64_t eight;

	for (; i + 8 < line->count; i += 8) {
		memcpy(&eight, inks + i + 1, sizeof eight);
		if (eight != alike)
			break;
	}
	while (i + 1 < line->count && inks[i + 1] == inks[i])
		i++;
	return i;
}

/* Finds the edges of a line.  From the middle of a bar to that of the space beside it, there is as
 * much ink as if the edge were sharp: so this says where it is, whatever blurs it. */
static void find_edges(struct bars *line)
{
	const uint8_t *inks = line->inks[line->now];
	int32_t extreme = ONE, low = 0, high = 0, before = -1;
	bool dark = false;

	line->edges = 0;
	line->unclear = 0;
	line->sums[0] = 0;
	for (int32_t i = 0; i < line->count; i++)
		line->sums[i + 1] = line->sums[i] + line->covers[inks[i]];
	for (int32_t i = 0; i <= line->count && line->edges < RIP_EDGES_MAX; i++) {
		const int32_t c = i < line->count ? line->covers[inks[i]] : 0;
		const int32_t back = dark ? extreme - c : c - extreme;

		if (back < 0 && i < line->count) {
			extreme = c;
			low = high = i;
		} else if (back <= ONE / 32 && i < line->count) {
			high = i = end_of_run(line, i);
		} else if (back >= line->clear || (i == line->count && !dark)) {
			const int32_t here = low + high + 1;

			if (before >= 0) {
				const int32_t ink = sum_before(line, here) -
						    sum_before(line, before);

				line->at[line->edges++] = line->from * ONE +
					(dark ? here * ONE / 2 - ink : before * ONE / 2 + ink);
			}
			before = here;
			dark = !dark;
			extreme = c;
			low = high = i;
		} else {
			line->unclear = back > line->unclear ? back : line->unclear;
		}
	}
}

/* Reads a line and finds paper, ink and edges.  Whether paper and ink differ. */
static bool measure_line(const struct rip_view *view, struct bars *line, int32_t v)
{
	int32_t counts[256] = { 0 };
	int64_t more;

	line->unclear = 0;
	if (!rip_view_spend(view, 4 * line->count))
		return false;
	read_line(view, line, v);
	rip_count_inks(line->inks[line->now], line->count, counts);
	if (!rip_find_levels(counts, line->count, 10, &line->paper, &line->ink))
		return false;
	/* (ink - paper) * ONE / (line->ink - paper), and exactly so */
	more = ((int64_t)ONE << 25) / (line->ink - line->paper) + 1;
	for (int32_t ink = 0; ink < 256; ink++)
		line->covers[ink] = (int32_t)((ink - line->paper) * more / (1 << 25));
	find_edges(line);
	return true;
}

/* A width that is about a module.  A seventh of the bars with the space beside them are narrower
 * than two modules; a bar may be too wide by what the space lacks. */
static int32_t module_of(const int32_t *at, int32_t edges)
{
	int32_t counts[256] = { 0 }, below = 0, i = 0;

	for (int32_t k = 2; k < edges; k++) {
		const int32_t width = (at[k] - at[k - 2]) / (ONE / 4);

		counts[width < 0 ? 0 : width < 255 ? width : 255]++;
	}
	for (; i < 255 && below + counts[i] <= edges / 7; i++)
		below += counts[i];
	return i * (ONE / 8) + ONE / 16;
}

/* Takes the longest row of edges without a gap that is a quiet zone.  Whether it is a symbol's. */
static bool take_symbol(const struct bars *line, struct rip_linear *linear)
{
	const int32_t module = module_of(line->at, line->edges);
	int32_t first = 0, best = 0, most = 0;

	for (int32_t k = 1; k <= line->edges; k++) {
		const bool dark = (k - 1) % 2 == 0; /* from edge k - 1 on */

		if (k < line->edges && (dark || line->at[k] - line->at[k - 1] < RUN_MAX * module))
			continue;
		if (k - first > most) {
			best = first;
			most = k - first;
		}
		first = k;
	}
	most -= most % 2;
	if (most < EDGES_LEAST)
		return false;
	linear->edges = most;
	linear->module = module_of(line->at + best, most);
	if (linear->module < RIP_MODULE_LEAST)
		linear->module = RIP_MODULE_LEAST;
	memcpy(linear->first, line->at + best, (size_t)most * sizeof *line->at);
	return true;
}

/* Whether the two lines that were read last have the same bars. */
static bool goes_on(const struct bars *line)
{
	typedef uint16_t rip_words __attribute__((vector_size(sizeof(rip_bytes))));
	const int32_t strip = sizeof(rip_bytes);
	int64_t apart = 0;

	for (int32_t i = 0; i < line->count;) {
		const int32_t end = i + 64 * strip; /* until a sum is too large */
		rip_words sums = { 0 };

		for (; i < line->count && i < end; i += strip) {
			const rip_bytes a = rip_load(line->inks[0] + i);
			const rip_bytes b = rip_load(line->inks[1] + i);
			const rip_words by = (rip_words)(rip_more_of(a, b) - rip_less_of(a, b));

			sums += (by & 255) + (by >> 8);
		}
		for (int32_t k = 0; k < strip / 2; k++)
			apart += sums[k];
	}
	return apart * 6 <= (int64_t)(line->ink - line->paper) * line->count;
}

/* Adds `count` equal lines, the last of which is v, `step` beside the one before. */
static void add_lines(struct rip_linear *linear, const int32_t *at, int32_t v, int32_t step,
		      int32_t count)
{
	int64_t sum = 0;

	for (int32_t k = 0; k < linear->edges; k++) {
		linear->sums[k] += (int64_t)at[k] * count;
		sum += at[k];
	}
	sum /= linear->edges;
	linear->lines += count;
	linear->at_sum += sum * count;
	for (; count > 0; count--, v -= step) {
		linear->v_sum += v;
		linear->vv_sum += (int64_t)v * v;
		linear->vat_sum += sum * v;
	}
}

/* Whether a line's bars are near to where they should be. */
static bool are_near(const struct bars *line, const struct rip_linear *linear, const int32_t near[])
{
	const int32_t last = linear->edges - 1, length = linear->first[last] - linear->first[0];
	const int32_t most = linear->module * 2 / 3;

	if (line->edges != linear->edges || /* bars are parallel: */
	    abs(line->at[last] - line->at[0] - length) > most)
		return false;
	for (int32_t k = 0; k <= last; k++)
		if (abs(line->at[k] - near[k]) > most)
			return false;
	return true;
}

/* Whether line v, beside the line that was read last, is equal to it.  If not, it is read. */
static bool is_equal(const struct rip_view *view, struct bars *line, int32_t v, int32_t step)
{
	if (!view->turned && memcmp(rip_view_row(view, v) + line->from,
				    rip_view_row(view, v - step) + line->from,
				    (size_t)line->count) == 0)
		return true;
	read_line(view, line, v);
	return view->turned &&
	       memcmp(line->inks[0], line->inks[1], (size_t)line->count) == 0;
}

/* Moves where edges should be nearer to where they are, once for each of some equal lines. */
static void approach(const struct bars *line, int32_t near[], int32_t count)
{
	for (bool moves = true; moves && count > 0; count--) {
		moves = false;
		for (int32_t k = 0; k < line->edges; k++) {
			const int32_t by = (line->at[k] - near[k]) / 4;

			near[k] += by;
			moves |= by != 0;
		}
	}
}

/* The last line above or below a line until which bars go on.  If no work is left to go on, none is
 * left for finding a grid either, and so there is no symbol. */
static int32_t end_of_lines(const struct rip_view *view, struct bars *line, int32_t v, int32_t step)
{
	read_line(view, line, v);
	for (; rip_view_has(view, line->from, v + step); v += step)
		if (!rip_view_spend(view, line->count / 4) ||
		    (!is_equal(view, line, v + step, step) &&
		     (!goes_on(line) || !rip_view_spend(view, 2 * line->count))))
			break;
	return v;
}

/* Follows the bars from a line to that one. */
static void follow(const struct rip_view *view, struct bars *line, struct rip_linear *linear,
		   int32_t v, int32_t end)
{
	const int32_t step = end < v ? -1 : 1;
	int32_t near[RIP_EDGES_MAX], count = 0; /* equal lines that are not added yet */
	bool good = true;

	read_line(view, line, v);
	line->edges = linear->edges;
	memcpy(line->at, linear->first, sizeof line->at);
	memcpy(near, linear->first, sizeof near);
	for (; v != end; v += step) {
		/* Lines are often equal, and then so are their edges. */
		if (!is_equal(view, line, v + step, step)) {
			approach(line, near, count);
			add_lines(linear, line->at, v, step, count);
			count = 0;
			find_edges(line);
			good = are_near(line, linear, near);
		}
		count += good;
	}
	add_lines(linear, line->at, v, step, count);
}

/* Means, and the slope if the bars lean by a quarter of a sample or more. */
static void settle(struct rip_linear *linear)
{
	const int64_t n = linear->lines;
	const int64_t spread = n * linear->vv_sum - linear->v_sum * linear->v_sum;
	const int64_t lean = n * linear->vat_sum - linear->v_sum * linear->at_sum;

	linear->slope = spread ? lean * 256 / spread : 0;
	if (llabs(linear->slope * (linear->bottom - linear->top)) < 65536 / 4)
		linear->slope = 0;
	linear->middle = (int32_t)(linear->v_sum * ONE / n);
	for (int32_t k = 0; k < linear->edges; k++)
		linear->sums[k] /= n;
}

/* ---- drawing ---- */

/* Clears a quiet zone, as far as there is nothing in it. */
static void clear_beside(const struct rip_view *view, const struct bars *line, int32_t u, int32_t v,
			 int32_t step, int32_t count)
{
	uint8_t *row;

	if (!rip_view_has(view, u, v))
		return;
	if (!view->turned) {
		const int32_t room = step < 0 ? u + 1 : view->columns - u;

		count = count < room ? count : room;
		row = rip_view_row(view, v);
		for (; count > 0 && line->covers[row[u] ^ view->invert] <= ONE / 2; count--) {
			row[u] = view->invert;
			u += step;
		}
		return;
	}
	for (; count > 0 && rip_view_has(view, u, v); u += step, count--) {
		uint8_t *at = rip_view_at(view, u, v);

		if (line->covers[*at ^ view->invert] > ONE / 2)
			return;
		*at = view->invert;
	}
}

/* A line as it is drawn. */
struct drawn_line {
	int32_t from, to;
	uint8_t samples[2 * LENGTH_MAX + 64]; /* modules of half a sample become whole */
};

/* With bars, or without. */
static void make_line(const struct rip_view *view, const struct rip_linear *linear, int32_t v,
		      bool bars, struct drawn_line *drawn)
{
	const int32_t last = linear->edges - 1;
	const int32_t lean = (int32_t)((v - linear->middle / ONE) * linear->slope / 65536) / ONE;
	/* Where it was, it may have been longer. */
	const int32_t from = linear->first[0] / ONE + lean - 1;
	const int32_t to = linear->first[last] / ONE + lean + 2;

	drawn->from = from < linear->whole[0] ? from : linear->whole[0];
	drawn->to = to > linear->whole[last] ? to : linear->whole[last];
	memset(drawn->samples, view->invert, (size_t)(drawn->to - drawn->from));
	for (int32_t k = 0; bars && k < last; k += 2)
		memset(drawn->samples + linear->whole[k] - drawn->from, 255 ^ view->invert,
		       (size_t)(linear->whole[k + 1] - linear->whole[k]));
}

static void draw_line(const struct rip_view *view, const struct bars *line,
		      const struct rip_linear *linear, int32_t v, const struct drawn_line *drawn)
{
	const int32_t quiet = (QUIET * linear->module + ONE - 1) / ONE;
	const int32_t least = view->turned ? view->first : 0, limit = rip_view_width(view);
	const int32_t from = drawn->from < least ? least : drawn->from;
	const int32_t to = drawn->to > limit ? limit : drawn->to;

	if (view->turned)
		for (int32_t u = from; u < to; u++)
			rip_view_row(view, u)[v] = drawn->samples[u - drawn->from];
	else if (from < to)
		memcpy(rip_view_row(view, v) + from, drawn->samples + from - drawn->from,
		       (size_t)(to - from));
	clear_beside(view, line, drawn->from - 1, v, -1,
		     quiet - (drawn->from < linear->whole[0] ? 1 : 0));
	clear_beside(view, line, drawn->to, v, 1, quiet);
}

/* The share of its bars that a line has at the symbol's end. */
static int32_t share_of(const struct rip_view *view, const struct bars *line,
			const struct rip_linear *linear, int32_t v)
{
	int64_t sum = 0, count = 0;

	for (int32_t k = 0; k < linear->edges - 1; k += 2)
		for (int32_t u = linear->whole[k]; u < linear->whole[k + 1]; u++, count++)
			sum += line->covers[rip_view_ink(view, u, v)];
	return (int32_t)(sum / (count ? count : 1));
}

static void draw(const struct rip_view *view, const struct bars *line, struct rip_linear *linear,
		 struct rip_box *drawn)
{
	int32_t at[RIP_EDGES_MAX];
	struct rip_box box = { INT32_MAX, linear->top, 0, linear->bottom + 1 };
	struct drawn_line made;
	int32_t kind = -1; /* whether it has bars */

	for (int32_t v = linear->top - 2; v <= linear->bottom + 2; v++) {
		const int64_t past = (int64_t)v * ONE - linear->middle;
		const bool inside = v >= linear->top && v <= linear->bottom;
		int32_t share;

		for (int32_t k = 0; k < linear->edges; k++)
			at[k] = (int32_t)(linear->sums[k] + past * linear->slope / 65536);
		if (linear->slope || v == linear->top - 2) {
			rip_linear_round(linear, at);
			kind = -1;
		}
		share = inside ? ONE : share_of(view, line, linear, v);
		if (share < ONE / 16)
			continue;
		if (kind != (share >= ONE / 2)) {
			kind = share >= ONE / 2;
			make_line(view, linear, v, kind, &made);
		}
		draw_line(view, line, linear, v, &made);
		box.left = linear->whole[0] < box.left ? linear->whole[0] : box.left;
		box.right = linear->whole[linear->edges - 1] > box.right ?
			    linear->whole[linear->edges - 1] : box.right;
	}
	*drawn = view->turned ? (struct rip_box){ box.top, box.left, box.bottom, box.right } : box;
}

/* Finds and measures a symbol.  Whether there is one. */
static bool find_symbol(const struct rip_view *view, int32_t from, int32_t to, int32_t v,
			struct bars *line, struct rip_linear *linear)
{
	const int32_t limit = rip_view_width(view), least = view->turned ? view->first : 0;

	from = from - 24 < least ? least : from - 24;
	to = to + 24 < limit ? to + 24 : limit;
	if (to - from > LENGTH_MAX || to - from < EDGES_LEAST || !rip_view_has(view, from, v))
		return false;
	memset(linear, 0, sizeof *linear);
	line->refused = INT32_MAX;
	line->now = 0;
	line->from = from;
	line->count = to - from;
	if (!measure_line(view, line, v) || !take_symbol(line, linear)) {
		line->refused = line->unclear;
		return false;
	}
	if (view->turned && view->more &&
	    linear->first[linear->edges - 1] + RUN_MAX * linear->module > view->end * ONE)
		return false; /* its end is not there */
	/* From here on, its own samples only. */
	line->from = linear->first[0] / ONE - 2;
	line->count = linear->first[linear->edges - 1] / ONE + 3 - line->from;
	line->from = line->from < least ? least : line->from;
	line->count = line->count < limit - line->from ? line->count : limit - line->from;
	if (line->count > LENGTH_MAX || line->count < EDGES_LEAST ||
	    !measure_line(view, line, v) || line->edges != linear->edges)
		return false;
	memcpy(linear->first, line->at, sizeof linear->first);
	add_lines(linear, line->at, v, 1, 1);
	linear->top = end_of_lines(view, line, v, -1);
	linear->bottom = end_of_lines(view, line, v, 1);
	if (linear->bottom - linear->top < ROWS_LEAST)
		return false;
	follow(view, line, linear, v, linear->top);
	follow(view, line, linear, v, linear->bottom);
	settle(linear);
	return linear->lines * 5 >= linear->bottom - linear->top &&
	       rip_linear_straighten(view, linear);
}

bool rip_linear_draw(const struct rip_view *view, int32_t from, int32_t to, int32_t v,
		     struct rip_box *drawn)
{
	struct bars lines[2]; /* of the first symbol that is found, and of a known code */
	struct rip_linear linears[2];
	int32_t best = -1;

	lines[0].refused = lines[1].refused = INT32_MAX;
	for (int32_t clear = CLEAR; clear >= CLEAR_LEAST; clear /= 2) {
		const int32_t at = best >= 0;

		if (lines[at].refused < clear) { /* it has the same edges with this limit */
			rip_view_spend(view, 4 * lines[at].count);
			continue;
		}
		lines[at].clear = clear;
		if (!find_symbol(view, from, to, v, &lines[at], &linears[at]))
			continue;
		if (best < 0 || linears[at].is_code)
			best = at;
		if (linears[at].is_code)
			break;
	}
	if (best >= 0)
		draw(view, &lines[best], &linears[best], drawn);
	return best >= 0;
}
