/*
 * The table of the blue-noise screen: the shares of a pixel's error in 128ths, by zone
 * (blue_noise.h).  Found by optimisation of what the eye sees of all greys.
 *
 * ROW(right, right2, below left 4, below left 2, below left 1, below, below right); each row
 * sums to 128.
 */
#ifndef RIP_BLUE_NOISE_TABLE_H
#define RIP_BLUE_NOISE_TABLE_H

#define RIP_BLUE_NOISE_TABLE(ROW)                \
	ROW(60, 10, 6,  3, 28, 21,  0) /*  0 */  \
	ROW(59,  4, 9,  8, 20, 27,  1) /*  1 */  \
	ROW(67,  0, 5,  6, 24, 26,  0) /*  2 */  \
	ROW(65,  0, 5,  5, 22, 30,  1) /*  3 */  \
	ROW(60,  1, 5,  8, 20, 32,  2) /*  4 */  \
	ROW(60,  0, 1, 10, 21, 35,  1) /*  5 */  \
	ROW(54,  0, 0, 11, 23, 32,  8) /*  6 */  \
	ROW(46,  0, 1,  6, 26, 39, 10) /*  7 */  \
	ROW(50,  3, 0,  3, 25, 47,  0) /*  8 */  \
	ROW(49,  3, 0, 11, 11, 48,  6) /*  9 */  \
	ROW(54,  2, 0,  7, 18, 47,  0) /* 10 */  \
	ROW(51,  0, 0,  6, 25, 23, 23) /* 11 */  \
	ROW(52,  3, 0,  6, 16, 36, 15) /* 12 */  \
	ROW(43,  6, 0,  7, 17, 35, 20) /* 13 */  \
	ROW(38, 13, 0,  7, 19, 34, 17) /* 14 */  \
	ROW(35, 23, 0,  9, 19, 24, 18) /* 15 */

/* The largest share of each of the last five columns, summed: 9 + 11 + 28 + 48 + 23. */
#define RIP_BLUE_NOISE_DOWN 119

#endif
