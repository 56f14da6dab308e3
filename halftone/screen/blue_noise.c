/* Blue noise: the weights. */
#include "blue_noise.h"

#define ROW(right, right2, l4, l2, l1, below, r1)                                      \
	{ 256 * (right), 256 * (right2),                                               \
	  { 256 * (l4), 256 * (l2), 256 * (l1), 256 * (below), 256 * (r1) } },

const struct rip_blue_noise_weights rip_blue_noise[RIP_BLUE_NOISE_ZONES] = {
	RIP_BLUE_NOISE_TABLE(ROW)
};
