/* Barcodes on labels: where they are. */
#include "labels.h"

#include "label_symbols.h"

#define CELL 8   /* columns and rows that are counted together */
#define AHEAD 4  /* cells above a symbol that may be quiet zone */
#define STEP 31  /* a difference between neighbours above this is an edge */
#define CELL_ROWS (RIP_LABELS_EDGE / CELL + 1) /* that are known */
#define TILE_CELLS (RIP_TILE / CELL)

/* What candidates may take, in samples looked at: for each sample of the page above, and more at
 * its beginning, for small labels.  So pages full of bars that are no symbol's, each of which has
 * to be followed and compared with all grids, take a time that grows with their size only.  With no
 * limit, 426 labels of four codes side by side take 5 for each sample, contrib/demo-page.ps at
 * 600 dpi 10, and a label of 211 x 95 samples 1.9 million in all. */
#define WORK       32
#define WORK_FIRST (1 << 24)

/* A cell: how many edges cross its rows or its columns, the fewer of both (0 below MIXED_LEAST),
 * and whether most of them go one way. */
#define MIXED 0x3f
#define MIXED_LEAST 4
#define BARS 0x40        /* upright */
#define TURNED_BARS 0x80

/* At `own`: behind it the cells, row r at r % CELL_ROWS. */
struct edge_cells {
	uint32_t measured; /* rows of cells */
	int64_t  work;     /* that candidates may still take: rip_view_spend() */
};

static uint8_t *cell_row(const struct rip_around *around, uint32_t row)
{
	uint8_t *cells = (uint8_t *)((struct edge_cells *)around->own + 1);

	return cells + (size_t)(row % CELL_ROWS) * around->tiles * TILE_CELLS;
}

/* ---- edges in cells ---- */

static uint8_t cell_with(uint32_t across, uint32_t down)
{
	const uint32_t least = across < down ? across : down;

	return (uint8_t)((across >= CELL - 1 && down * 3 <= across ? BARS : 0) |
			 (down >= CELL - 1 && across * 3 <= down ? TURNED_BARS : 0) |
			 (least < MIXED_LEAST ? 0 : least < MIXED ? least : MIXED));
}

/* Looks at a row of cells whose lines are there, and one more below. */
static void measure(struct rip_around *around, uint32_t r)
{
	const struct rip_row_ops *ops = rip_row_ops();
	const uint32_t samples = around->lines.samples, first = r * CELL;
	const uint32_t left = around->lines.height - first;
	const uint32_t lines = left < CELL ? left : CELL;
	uint8_t *cells = cell_row(around, r);

	for (uint32_t i = 0; i < samples; i += RIP_TILE, cells += TILE_CELLS) {
		/* with the first sample of the next tile */
		const uint32_t width = samples - i > RIP_TILE ? RIP_TILE + 1 : samples - i;
		uint8_t across[TILE_CELLS], down[TILE_CELLS];
		const uint8_t *rows[CELL + 1];

		for (uint32_t k = 0; k <= lines; k++)
			rows[k] = (uint8_t *)rip_around_row(around,
							    first + (k < left ? k : k - 1), 0) + i;
		ops->edges8(rows, lines, width, STEP, across, down);
		for (uint32_t c = 0; c < width / CELL; c++)
			cells[c] = across[c] | down[c] ? cell_with(across[c], down[c]) : 0;
	}
}

/* ---- candidates ---- */

struct symbol_search {
	struct rip_around *around;
	struct rip_view view;
	int32_t columns, first, end; /* cells */
};

static uint8_t cell_at(const struct symbol_search *s, int32_t column, int32_t row)
{
	if (column < 0 || column >= s->columns || row < s->first || row >= s->end)
		return 0;
	return cell_row(s->around, (uint32_t)row)[column];
}

static bool is_linear(const struct symbol_search *s, int32_t u, int32_t v)
{
	return s->view.turned ? cell_at(s, v, u) & TURNED_BARS : cell_at(s, u, v) & BARS;
}

static bool is_matrix(const struct symbol_search *s, int32_t column, int32_t row)
{
	return cell_at(s, column, row) & MIXED;
}

/* The next cell of a row, from `column` on, that has some of the bits; or `end` or more. */
static int32_t next_cell(const struct symbol_search *s, int32_t column, int32_t row, uint8_t bits,
			 int32_t end)
{
	const uint8_t *cells;

	if (row < s->first || row >= s->end)
		return end;
	for (cells = cell_row(s->around, (uint32_t)row); column < end; column++) {
		uint64_t eight;

		if (column % 8 == 0) {
			memcpy(&eight, cells + column, sizeof eight);
			if (!(eight & bits * 0x0101010101010101u)) {
				column += 7;
				continue;
			}
		}
		if (cells[column] & bits)
			return column;
	}
	return end;
}

/* The part of a box of cells that is there. */
static struct rip_box cells_of(const struct symbol_search *s, struct rip_box box)
{
	box.left = box.left < 0 ? 0 : box.left;
	box.right = box.right > s->columns ? s->columns : box.right;
	box.top = box.top < s->first ? s->first : box.top;
	box.bottom = box.bottom > s->end ? s->end : box.bottom;
	return box;
}

/* What was drawn is not looked at again. */
static void forget(struct symbol_search *s, const struct rip_box *box)
{
	const struct rip_box cells = cells_of(s, (struct rip_box){
		box->left / CELL, box->top / CELL, (box->right - 1) / CELL + 1,
		(box->bottom - 1) / CELL + 1 });

	for (int32_t y = cells.top; y < cells.bottom && cells.left < cells.right; y++)
		memset(cell_row(s->around, (uint32_t)y) + cells.left, 0,
		       (size_t)(cells.right - cells.left));
}

/* Whether three cells one below the other are bars'. */
static bool are_bars(const struct symbol_search *s, int32_t u, int32_t v)
{
	return is_linear(s, u, v) && is_linear(s, u, v + 1) && is_linear(s, u, v + 2);
}

#define GAP 2 /* cells of wide bars and spaces without an edge */

/* How far bars go on from a cell, in one direction: the last cell. */
static int32_t end_of_bars(const struct symbol_search *s, int32_t u, int32_t v, int32_t step)
{
	int32_t last = u;

	for (int32_t gap = 0; gap <= GAP; gap++) {
		u += step;
		if (is_linear(s, u, v)) {
			last = u;
			gap = -1;
		}
	}
	return last;
}

/* A linear symbol one of whose first cells this is: columns, or rows if they are turned. */
static void find_linear(struct symbol_search *s, int32_t u, int32_t v)
{
	const int32_t from = end_of_bars(s, u, v + 1, -1), to = end_of_bars(s, u, v + 1, 1) + 1;
	struct rip_box box = { from * CELL, v * CELL, to * CELL, (v + 2) * CELL };

	if (to - from < 4)
		return;
	if (s->view.turned)
		box = (struct rip_box){ box.top, box.left, box.bottom, box.right };
	rip_linear_draw(&s->view, from * CELL, to * CELL, v * CELL + CELL * 3 / 2, &box);
	forget(s, &box); /* what was drawn, or else what is not a symbol's */
}

/* A matrix symbol's edges both ways: in one of its cells, and, four times, along a line of it. */
#define MIXED_ONCE 8
#define MIXED_LINE 7
#define CELLS_MAX (RIP_MATRIX_MAX / CELL - 2) /* then a box grows by one more to each side */

/* Whether a box of cells, with those beside it, has as many edges both ways as a matrix symbol. */
static bool is_mixed(const struct symbol_search *s, const struct rip_box *box)
{
	const int32_t width = box->right - box->left, height = box->bottom - box->top;
	const struct rip_box cells = cells_of(s, (struct rip_box){
		box->left - 1, box->top - 1, box->right + 1, box->bottom + 1 });
	int32_t sum = 0, most = 0;

	for (int32_t y = cells.top; y < cells.bottom; y++) {
		const uint8_t *row = cell_row(s->around, (uint32_t)y);

		for (int32_t x = cells.left; x < cells.right; x++) {
			const int32_t mixed = row[x] & MIXED;

			sum += mixed;
			most = mixed > most ? mixed : most;
		}
	}
	return width * height > 1 && most >= MIXED_ONCE &&
	       sum * 4 >= MIXED_LINE * CELL * (width > height ? width : height);
}

/* Whether some of a row's cells are a matrix symbol's. */
static bool has_matrix(const struct symbol_search *s, int32_t from, int32_t to, int32_t row)
{
	to = to < s->columns ? to : s->columns;
	return next_cell(s, from < 0 ? 0 : from, row, MIXED, to) < to;
}

/* Matrix symbols near one of their uppermost cells: grows a box around the cells. */
static void find_matrix(struct symbol_search *s, int32_t column, int32_t row)
{
	struct rip_box box = { column, row, column + 1, row + 1 }, drawn;
	bool grows = true, mixed;

	while (grows && box.right - box.left < CELLS_MAX && box.bottom - box.top < CELLS_MAX) {
		const struct rip_box old = box;

		box.bottom += has_matrix(s, old.left - 1, old.right + 1, old.bottom);
		box.top -= has_matrix(s, old.left - 1, old.right + 1, old.top - 1);
		for (int32_t y = old.top - 1; y <= old.bottom; y++) {
			if (is_matrix(s, old.left - 1, y))
				box.left = old.left - 1;
			if (is_matrix(s, old.right, y))
				box.right = old.right + 1;
		}
		grows = memcmp(&box, &old, sizeof box) != 0;
	}
	mixed = is_mixed(s, &box);
	box = (struct rip_box){ box.left * CELL, box.top * CELL, box.right * CELL,
				box.bottom * CELL };
	if (mixed && rip_matrix_draw(&s->view, &box, &drawn))
		forget(s, &drawn);
	forget(s, &box);
}

/* Symbols whose first row of cells is this one. */
static void find(struct symbol_search *s, int32_t row)
{
	int32_t x;

	for (x = 0; (x = next_cell(s, x, row, BARS, s->columns)) < s->columns; x++)
		if (are_bars(s, x, row)) {
			find_linear(s, x, row);
			x = end_of_bars(s, x, row + 1, 1);
		}
	s->view.turned = true;
	for (x = 0; (x = next_cell(s, x, row, TURNED_BARS, s->columns)) < s->columns; x++)
		if (are_bars(s, row, x))
			find_linear(s, row, x);
	s->view.turned = false;
	for (x = 0; (x = next_cell(s, x, row, MIXED, s->columns)) < s->columns; x++)
		find_matrix(s, x, row);
}

/* ---- lines ---- */

int64_t rip_labels_work(const struct rip_around *around)
{
	return ((const struct edge_cells *)around->own)->work;
}

static void change_line(struct rip_around *around, uint32_t n)
{
	const struct rip_labels_rule *rule = around->rule;
	const uint32_t last = rip_around_last(around, n), height = around->lines.height;
	const uint32_t all = (height + CELL - 1) / CELL, row = n / CELL + AHEAD;
	struct edge_cells *cells = around->own;
	struct symbol_search search;

	if (n % CELL)
		return;
	cells->work += (n == 0 ? WORK_FIRST : 0) + (int64_t)WORK * CELL * around->lines.samples;
	while (cells->measured < all &&
	       (last + 1 == height || (cells->measured + 1) * CELL <= last))
		measure(around, cells->measured++);
	search.around = around;
	search.view.ring = around->ring;
	search.view.pitch = around->line_bytes;
	search.view.capacity = (int32_t)around->capacity;
	search.view.low = (int32_t)(n - n % around->capacity);
	search.view.turned = false;
	search.view.columns = (int32_t)around->lines.samples;
	search.view.first = (int32_t)n;
	search.view.end = (int32_t)last + 1;
	search.view.more = last + 1 < height;
	search.view.invert = rule->full_is_0 ? 255 : 0;
	search.view.work = &cells->work;
	search.columns = (int32_t)(around->lines.samples / CELL);
	search.first = (int32_t)(n / CELL);
	search.end = (int32_t)cells->measured;
	for (uint32_t r = n == 0 ? 0 : row; r <= row; r++)
		find(&search, (int32_t)r);
}

const struct rip_around_kind rip_labels_kind = {
	.found_bytes = 1, .change = change_line, .own_bytes = sizeof(struct edge_cells),
	.own_tile_bytes = CELL_ROWS * TILE_CELLS,
};
