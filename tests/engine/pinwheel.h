/*
 * Pinwheel error diffusion: blocks of 14 x 14 pixels, as the squares of a chessboard.
 *
 * First all white squares, which do not depend on each other: each from its centre outwards in a
 * spiral, and errors at its edge go to the black squares around it.  Then all black squares, each
 * from its edge inwards; what is left in the centre is lost.  Pixels share their errors with
 * Floyd and Steinberg's weights, turned so that they point along the spiral.
 *
 * P. Li and J. P. Allebach, Block interlaced pinwheel error diffusion, J. Electron. Imaging 14(2),
 * 2005; Y. Zhang et al., A parallel error diffusion implementation on a GPU, Proc. SPIE 7872,
 * 2011, whose blocks have this size.  Their weights and thresholds, which depend on the tone and
 * were trained, are not published; so this is the method, and its texture is worse than theirs.
 *
 * Blocks are computed side by side in the lanes of vectors, in one thread.
 */
#ifndef RIP_PINWHEEL_H
#define RIP_PINWHEEL_H

#include <stddef.h>
#include <stdint.h>

struct pinwheel;

/* For images of a size.  NULL: no memory. */
struct pinwheel *pinwheel_new(uint32_t width, uint32_t height);
void pinwheel_free(struct pinwheel *state); /* NULL is allowed */

/* in: 0 is black.  dots: a byte each, 1 for light. */
void pinwheel_halftone(struct pinwheel *state, const uint8_t *in, size_t pitch, uint8_t *dots,
		       size_t dots_pitch);

#endif
