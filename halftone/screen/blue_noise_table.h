/*
 * The table of the blue-noise screen: the shares of a pixel's error in 128ths, by zone
 * (blue_noise.h).  Found by optimisation of what the eye sees of all greys, on the screen and on
 * simulated paper, and of photos: tests/quality measures the same.
 *
 * ROW(right, right2, below left 4, below left 2, below left 1, below, below right); each row
 * sums to 128.
 */
#ifndef RIP_BLUE_NOISE_TABLE_H
#define RIP_BLUE_NOISE_TABLE_H

#define RIP_BLUE_NOISE_TABLE(ROW)                \
	ROW(61, 10, 5, 11, 18, 23,  0) /*  0 */  \
	ROW(61,  5, 5, 12, 21, 24,  0) /*  1 */  \
	ROW(67,  1, 5, 11, 18, 25,  1) /*  2 */  \
	ROW(65,  0, 5,  9, 19, 30,  0) /*  3 */  \
	ROW(60,  0, 4,  9, 14, 41,  0) /*  4 */  \
	ROW(57,  0, 2, 11, 12, 45,  1) /*  5 */  \
	ROW(52,  0, 0, 11, 17, 43,  5) /*  6 */  \
	ROW(45,  0, 0, 12, 14, 48,  9) /*  7 */  \
	ROW(54,  1, 1,  0, 26, 45,  1) /*  8 */  \
	ROW(58,  0, 0,  9, 11, 48,  2) /*  9 */  \
	ROW(62,  0, 1,  4, 18, 40,  3) /* 10 */  \
	ROW(50,  0, 2,  3, 25, 20, 28) /* 11 */  \
	ROW(52,  2, 1,  3, 18, 35, 17) /* 12 */  \
	ROW(42, 10, 1,  7, 16, 35, 17) /* 13 */  \
	ROW(40, 13, 0,  6, 19, 33, 17) /* 14 */  \
	ROW(34, 19, 0,  8, 20, 27, 20) /* 15 */

/* The largest share of each of the last five columns, summed: 5 + 12 + 26 + 48 + 28. */
#define RIP_BLUE_NOISE_DOWN 119

#endif
