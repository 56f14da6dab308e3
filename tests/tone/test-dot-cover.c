/* The covered areas of full dots are the same by patterns as place by place, and what they cover
 * and reflect is what the tone model says of them. */
#include "tests/tools/testing.h"

#include "tone/dot_cover.h"

#include <math.h>

#include "tone/area.h"
#include "tone/soft_proof.h"

#define WIDTH_MAX 150
#define ROWS      12

static double between(double low, double high)
{
	return low + (high - low) * (double)rip_test_below(1001) / 1000;
}

/* Rows of random dots: of none, of full ones, sometimes of smaller ones. */
static void fill(float *tones, uint32_t width)
{
	const uint32_t ink = rip_test_below(101), small = rip_test_below(3) ? 0 : 2;

	for (uint32_t j = 0; j < width; j++)
		tones[j] = rip_test_below(100) >= ink ? 0 : rip_test_below(100) < small ? 0.5f : 1;
}

TEST(patterns)
{
	static float tones[WIDTH_MAX], shares[WIDTH_MAX * 8], expected[WIDTH_MAX * 8];
	const unsigned turns = rip_test_repeated() ? 50 : 200;
	unsigned with_patterns = 0;

	for (unsigned turn = 0; turn < turns; turn++) {
		const uint32_t width = 1 + rip_test_below(WIDTH_MAX);
		const unsigned cells = 1 + rip_test_below(8),
			       places = cells * (1 + rip_test_below(6));
		const struct rip_printer printer = {
			.kind = RIP_PRINTER_DISCS,
			.radius = between(0.5, 1.35),
			.jitter = between(0, 0.25),
		};
		struct rip_dot_cover cover, plain;

		assert_int_equal(rip_dot_cover_init(&cover, &printer, width, cells, places), 0);
		assert_int_equal(rip_dot_cover_init(&plain, &printer, width, cells, places), 0);
		with_patterns += cover.patterns != NULL;
		free(plain.patterns);
		plain.patterns = NULL;
		for (unsigned y = 0; y < ROWS; y++) {
			fill(tones, width);
			rip_dot_cover_push(&cover, tones);
			rip_dot_cover_push(&plain, tones);
			for (unsigned row = 0; row < cells; row++) {
				rip_dot_cover_cells(&cover, row, shares);
				rip_dot_cover_cells(&plain, row, expected);
				assert_memory_equal(shares, expected,
						    width * cells * sizeof *shares);
			}
		}
		rip_dot_cover_finish(&cover);
		rip_dot_cover_finish(&plain);
	}
	printf("# %u of %u printers have patterns\n", with_patterns, turns);
	/* The largest discs reach too far; among 50 printers there may be none of them. */
	assert_in_range(with_patterns, turns / 4, rip_test_repeated() ? turns : turns - 1);
}

/* Dots far apart cover their discs; a pixel between them is paper. */
TEST(one_dot)
{
	const struct rip_printer printer = { .kind = RIP_PRINTER_DISCS,
					     .radius = 0.8,
					     .jitter = 0.05 };
	const float tones[9] = { 0, 0, 0, 0, 1, 0, 0, 0, 0 };
	struct rip_dot_cover cover;
	float shares[9];
	double area = 0;

	assert_int_equal(rip_dot_cover_init(&cover, &printer, 9, 1, 12), 0);
	assert_non_null(cover.patterns);
	for (unsigned y = 0; y < 5 + RIP_COVER_REACH; y++) {
		rip_dot_cover_push(&cover, y == 2 ? tones : NULL);
		if (y < RIP_COVER_REACH)
			continue;
		rip_dot_cover_cells(&cover, 0, shares);
		assert_true(y == 4 ? shares[4] > 0.99 : shares[4] < 0.5);
		assert_true(shares[0] == 0 && shares[2] == 0 && shares[6] == 0 && shares[8] == 0);
		for (int j = 0; j < 9; j++)
			area += shares[j];
	}
	/* pi (radius^2 + jitter^2) */
	assert_true(area > 2.00 && area < 2.04);
	rip_dot_cover_finish(&cover);
}

/* ---- one dot on one paper: coverage.h and area.h say the same ---- */

#define TILE  8  /* dots that repeat */
#define TILES 3  /* ink and light of a dot reach less than a tile */

/* The mean of what a soft proof shows of the tile in the middle. */
struct shown {
	unsigned cells, row;
	double   light;
};

static int take_row(void *context, const float *const light[])
{
	struct shown *shown = context;
	const unsigned n = TILE * shown->cells, first = TILES / 2 * n;

	for (unsigned j = 0; shown->row >= first && shown->row < first + n && j < n; j++)
		shown->light += (double)light[0][first + j] / (n * n);
	shown->row++;
	return 0;
}

static double proof_of(const struct rip_printer *printer, const uint8_t *dots)
{
	struct shown shown = { .cells = rip_soft_proof_cells(printer, 1) };
	struct rip_soft_proof_config config = {
		.printer = *printer,
		.dots = { *printer },
		.width = TILE * TILES,
		.planes = 1,
		.levels = 2,
		.inks = { RIP_INK_BLACK },
		.cells = shown.cells,
		.row = take_row,
		.context = &shown,
	};
	struct rip_soft_proof proof;

	assert_int_equal(rip_soft_proof_init(&proof, &config), 0);
	for (unsigned y = 0; y < TILE * TILES; y++) {
		uint8_t row[TILE * TILES / 8] = { 0 };
		const uint8_t *const planes[] = { row };

		for (unsigned x = 0; x < TILE * TILES; x++)
			row[x / 8] |= (uint8_t)(dots[y % TILE * TILE + x % TILE] << (7 - x % 8));
		assert_int_equal(rip_soft_proof_push(&proof, planes), 0);
	}
	assert_int_equal(rip_soft_proof_end(&proof), 0);
	rip_soft_proof_finish(&proof);
	return shown.light;
}

#define FIGURES  4 /* of each share of ink */
#define PRINTERS 6 /* for each of them */

/* How the model's area of some dots differs from their soft proof's, for random sizes of a
 * printer's dots: the mean, and the worst in *worst. */
static double difference_of(const struct rip_printer *class,
			    const struct rip_figure figures[FIGURES],
			    uint8_t dots[FIGURES][TILE * TILE], double *worst)
{
	double sum = 0;

	*worst = 0;
	for (int i = 0; i < FIGURES * PRINTERS; i++) {
		struct rip_printer printer = *class;
		double difference;

		printer.radius = between(0.72, 1.1); /* all is covered where all is ink */
		printer.threshold = between(0.25, 0.5);
		difference = rip_area_of_figure(&printer, &figures[i / PRINTERS]) *
				     (1 - printer.solid) -
			     (1 - proof_of(&printer, dots[i / PRINTERS]));
		sum += difference;
		*worst = fmax(*worst, fabs(difference));
	}
	return sum / (FIGURES * PRINTERS);
}

TEST(area_is_the_models)
{
	static const struct {
		const char *name;
		struct rip_printer printer;
		double least, most; /* of the mean difference */
	} classes[] = {
		{ "discs", { .kind = RIP_PRINTER_DISCS }, -0.002, 0.006 },
		/* With half of the variance, the model's mean would be 0.03 more; with a narrower
		 * or wider parabola, the proof's, which makes -0.005 and less. */
		{ "discs that vary",
		  { .kind = RIP_PRINTER_DISCS, .jitter = 0.25 },
		  -0.0025,
		  0.011 },
		{ "spots",
		  { .kind = RIP_PRINTER_SPOT, .spot = 0.45, .softness = 0.02 },
		  -0.004,
		  0.004 },
		{ "scattering discs", { .kind = RIP_PRINTER_DISCS, .scatter = 60 }, -0.006, 0.006 },
		{ "scattering spots",
		  { .kind = RIP_PRINTER_SPOT, .spot = 0.45, .softness = 0.1, .scatter = 60 },
		  -0.010,
		  0.004 },
	};
	static struct rip_figure figures[FIGURES];
	static uint8_t dots[FIGURES][TILE * TILE];

	for (int f = 0; f < FIGURES; f++) {
		for (int i = 0; i < TILE * TILE; i++)
			dots[f][i] = rip_test_below(100) < (f % 2 ? 60 : 80);
		assert_int_equal(rip_figure_measure(&figures[f], dots[f], TILE, TILE), 0);
	}
	for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
		struct rip_printer printer = classes[c].printer;
		double worst, mean;

		printer.solid = 0.05;
		printer.dpi = 600;
		mean = difference_of(&printer, figures, dots, &worst);
		print_message("# %s: the model's area is %.4f more, and at most %.4f off\n",
			      classes[c].name, mean, worst);
		assert_true(mean > classes[c].least && mean < classes[c].most && worst < 0.02);
	}
}

/* ---- the light in the paper ---- */

#define L     8    /* cells of the mean distance */
#define CELLS 201

/* Under even ink the light passes it twice.  Beside a faint line it spreads as exp(-2 d / l), whose
 * mean square distance across a line is 3/4 l^2; the kernels, which end after three deviations,
 * have 2.5 % less. */
TEST(light_spreads)
{
	static float line[CELLS], even[CELLS], light[CELLS];
	const float *const line_rows[] = { line }, *const even_rows[] = { even };
	float *const to[] = { light };
	struct rip_paper_light paper;
	double sum = 0, square = 0;

	line[CELLS / 2] = 0.01f;
	for (int j = 0; j < CELLS; j++)
		even[j] = 0.3f;
	for (int turn = 0; turn < 2; turn++) {
		assert_int_equal(rip_paper_light_init(&paper, CELLS, 1, L), 0);
		assert_true(2 * paper.radius < CELLS);
		for (unsigned i = 0; i < paper.rows; i++)
			rip_paper_light_push(&paper, turn ? even_rows : line_rows);
		rip_paper_light_row(&paper, to);
		rip_paper_light_finish(&paper);
		for (int j = 0; j < CELLS && turn == 0; j++) {
			const double spread = 1 - light[j] / (1 - line[j]), x = j - CELLS / 2;

			sum += spread;
			square += x * x * spread;
		}
	}
	print_message("# even: %.5f; a line: %.6f, %.4f l^2\n", light[CELLS / 2], sum,
		      square / sum / (L * L));
	assert_true(fabs(light[CELLS / 2] - 0.49) < 1e-4);
	assert_true(fabs(sum - 0.01) < 2e-5);
	assert_true(fabs(square / sum / (L * L) - 0.73) < 0.008);
}
