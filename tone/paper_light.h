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
#ifndef RIP_PAPER_LIGHT_H
#define RIP_PAPER_LIGHT_H

#include <stdint.h>

#define RIP_PAPER_GAUSSIANS 3
#define RIP_PAPER_CHANNELS  3

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

#endif
