/*
 * A soft proof: what the eye will see of a page's dots on paper, row after row.
 *
 *	dots -> covered areas (dot_cover.h) -> absorbed light (ink_colour.h)
 *	     -> light from the paper (below)
 *
 * The light is that of cells, cells x cells of a pixel, relative to the paper's: 1 channel if all
 * inks are neutral, else red, green and blue of linear sRGB.  A printer whose paper does not
 * scatter (RIP_PRINTER_NONE) gives the mean of what is covered and what is not (Murray and Davies,
 * Neugebauer).  Pixels are taken as squares, as the tone curves do.
 *
 * Memory: some rows.  Used by one thread.
 */
#ifndef RIP_SOFT_PROOF_H
#define RIP_SOFT_PROOF_H

#include <stdint.h>

#include "tone/dot_cover.h"
#include "tone/ink_colour.h"

/*
 * The light that paper with ink on it gives back, row after row.
 *
 * Light passes the ink, spreads in the paper, and passes the ink where it leaves: with T the share
 * that passes the ink at a place, the paper gives back R = T (T * P), where P is the paper's spread
 * function of coverage.h, whose transform is (1 + (pi f l)^2)^(-3/2).  The mean of R over a
 * pattern is what area.h says.
 *
 * Because (1 + u)^(-3/2) is the mean of exp(-s u) over s with the density of the gamma
 * distribution of order 3/2, P is a mean of Gaussians, whose convolutions separate: the
 * Gauss-Laguerre formula with four points, whose last one has no weight, gives three, with
 * deviations of 0.51, 1.04 and 1.60 l.
 *
 * Used by one thread.
 */

#define RIP_PAPER_GAUSSIANS 3

struct rip_paper_light {
	uint32_t width;
	unsigned channels, radius; /* cells that the widest Gaussian reaches */
	unsigned rows, newest;     /* of the ring: 2 * radius + 1 */
	float   *kernels[RIP_PAPER_GAUSSIANS]; /* radius + 1 values from the middle, with weights */
	unsigned radii[RIP_PAPER_GAUSSIANS];
	float   *ring;             /* rows of absorbed light, channel after channel */
	uint8_t *used;             /* whether a row has ink */
	float   *across;           /* a row to work with, with the radius on both sides */
	float   *spread;
};

/* width: cells.  distance: l in cells; time and memory grow with it.
 * 0 or -ENOMEM; to be finished in both cases. */
int rip_paper_light_init(struct rip_paper_light *paper, uint32_t width, unsigned channels,
			 double distance);

/* The next row: width shares that the ink absorbs on the light's way through it, for each
 * channel; NULL: paper.  Above the first row there is paper. */
void rip_paper_light_push(struct rip_paper_light *paper, const float *const absorbed[]);

/* The light of the row that was pushed `radius` rows before the last one: 1 is that of paper. */
void rip_paper_light_row(struct rip_paper_light *paper, float *const light[]);

/* May be called twice. */
void rip_paper_light_finish(struct rip_paper_light *paper);

struct rip_soft_proof_config {
	struct rip_printer printer; /* its paper, its black and its drops */
	struct rip_printer dots[RIP_PLANES_MAX]; /* the same as it prints the dots of each plane */
	uint32_t     width;  /* pixels that are looked at */
	uint32_t     column; /* the first one of the page's */
	uint32_t     planes; /* 1..RIP_PLANES_MAX */
	uint32_t     levels; /* 2..16; higher ones in the dots count as the highest */
	bool         light;  /* the highest level is paper, not ink */
	enum rip_ink inks[RIP_PLANES_MAX];
	double       strengths[RIP_PLANES_MAX]; /* of light inks (light_ink.h), 0 to 1 */
	unsigned     cells;  /* of a pixel, each way: 1..32 */
	/* Gets the next row of cells: width * cells values for each channel.  0 or -errno. */
	int        (*row)(void *context, const float *const light[]);
	void        *context;
};

struct rip_soft_proof {
	struct rip_soft_proof_config config;
	unsigned channels;
	bool     scatters;
	struct rip_dot_cover   cover[RIP_PLANES_MAX];
	struct rip_paper_light paper;
	uint64_t rows, cell_rows; /* that were pushed */
	float   *tones;           /* a row */
	float   *areas[RIP_PLANES_MAX], *light[RIP_COLOUR_CHANNELS];
};

/* How many pixels around a page's part its picture depends on. */
uint32_t rip_soft_proof_margin(const struct rip_printer *printer);

/* The cells of a pixel that a picture with `scale` pixels for a pixel of the page, each way,
 * needs; 1..32. */
unsigned rip_soft_proof_cells(const struct rip_printer *printer, double scale);

/* 0 or -ENOMEM; to be finished in both cases. */
int rip_soft_proof_init(struct rip_soft_proof *proof, const struct rip_soft_proof_config *config);

/* The next row of packed dots, of each plane.  0, or what row() returned. */
int rip_soft_proof_push(struct rip_soft_proof *proof, const uint8_t *const planes[]);

/* After the last row: the rest comes out.  0, or what row() returned. */
int rip_soft_proof_end(struct rip_soft_proof *proof);

/* May be called twice. */
void rip_soft_proof_finish(struct rip_soft_proof *proof);

#endif
