/*
 * Where the wedge of `riptide target --wedge` has its patches and marks: what is printed, and
 * what is looked for in a scan.
 *
 * Four marks, squares in squares, span a frame.  Three are in its corners; the fourth, at the
 * bottom right, is moved to the left, so that the marks fit a scan in one way only.  In the
 * frame are two wedges of 33 steps, 0 to 100 %, one for each screen, in three rows each, with
 * paper around every step.
 *
 * Places are in units of the frame, from the middle of the mark at the top left; a unit is
 * about a millimetre on paper.
 */
#ifndef RIP_WEDGE_LAYOUT_H
#define RIP_WEDGE_LAYOUT_H

#define RIP_WEDGE_SCREENS 2
#define RIP_WEDGE_STEPS   33
#define RIP_WEDGE_COLUMNS 11
#define RIP_WEDGE_ROWS    (RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS / RIP_WEDGE_COLUMNS)

#define RIP_WEDGE_WIDTH  180.0 /* of the frame */
#define RIP_WEDGE_HEIGHT 110.0
#define RIP_WEDGE_INSET  20.0  /* of the fourth mark */

/* A mark: 7 x 7 modules; black, with a ring of paper inside, around 3 x 3 black ones. */
#define RIP_WEDGE_MODULE 1.0
#define RIP_WEDGE_MARKS  4

/* Steps: the middle of the first, the distance from one to the next, and the size. */
#define RIP_WEDGE_X      12.0
#define RIP_WEDGE_Y      17.5
#define RIP_WEDGE_DX     15.6
#define RIP_WEDGE_DY     15.0
#define RIP_WEDGE_PATCH_WIDTH  9.6
#define RIP_WEDGE_PATCH_HEIGHT 9.0

static const struct {
	double x, y;
} rip_wedge_marks[RIP_WEDGE_MARKS] = {
	{ 0, 0 },
	{ RIP_WEDGE_WIDTH, 0 },
	{ 0, RIP_WEDGE_HEIGHT },
	{ RIP_WEDGE_WIDTH - RIP_WEDGE_INSET, RIP_WEDGE_HEIGHT },
};

/* The middle of a step, 0 to RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS - 1. */
static inline double rip_wedge_x(unsigned step)
{
	return RIP_WEDGE_X + RIP_WEDGE_DX * (step % RIP_WEDGE_COLUMNS);
}

static inline double rip_wedge_y(unsigned step)
{
	return RIP_WEDGE_Y + RIP_WEDGE_DY * (step / RIP_WEDGE_COLUMNS);
}

/* The tone of a step, 0 to 65535. */
static inline unsigned rip_wedge_tone(unsigned step)
{
	return (65535 * (step % RIP_WEDGE_STEPS) + (RIP_WEDGE_STEPS - 1) / 2) /
	       (RIP_WEDGE_STEPS - 1);
}

#endif
