/*
 * Screens: what decides which dots a page gets.
 *
 * A screen says how planes become dots, and what goes from row to row meanwhile:
 * the carry, `reach` rows of int16 values, each no larger than its bound.  A screen
 * without a carry has reach 0.  Engines say which screens they take (engine.h).
 *
 * The named screens are constant tables; any thread may read them.  A program may make
 * screens of its own, which have no id.  A screen outlives the pages and bands that use
 * it.
 */
#ifndef RIP_SCREEN_H
#define RIP_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "arith.h"
#include "error_filter.h"

#define RIP_REACH_MAX 2

/* How a screen works.  A kind may have parameters in struct rip_screen. */
enum rip_screen_kind {
	RIP_SCREEN_ERROR_FILTER, /* diffuses errors with the constant weights of `filter` */
	RIP_SCREEN_MASK,     /* compares each target with the threshold at its place in `masks` */
	RIP_SCREEN_BI_LEVEL, /* full where x > 32767, else nothing, for any number of levels */
	RIP_SCREEN_BLUE_NOISE, /* diffuses errors with weights by tone (blue_noise.h) */
	RIP_SCREEN_BLUE_NOISE_COLOUR, /* the same, with thresholds by what other planes left over
					 (blue_noise_colour.h) */
};

/* What a plane prints.  For a plane of light: the ink that it holds back (W: black, R: cyan,
 * G: magenta, B: yellow). */
enum rip_ink {
	RIP_INK_OTHER, RIP_INK_BLACK, RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
	RIP_INK_LIGHT_CYAN, RIP_INK_LIGHT_MAGENTA, RIP_INK_LIGHT_BLACK
};

#define RIP_MASK_SIDE_MAX 1024

/* A threshold mask, repeated over the plane from its first row and column on.
 *
 * With A = 65536*h + l, the target of a sample (arith.h), the threshold T at (row modulo
 * height, column modulo width) gives level h + (l > T).  So the extreme samples, and every
 * tone that is a level, are not changed by any mask.  With two levels: a dot where x > T, and
 * where x is full. */
struct rip_mask {
	uint32_t        height, width; /* 1 to RIP_MASK_SIDE_MAX */
	const uint16_t *thresholds;    /* height rows of width values */
};

struct rip_screen {
	const char *name; /* as options and commands spell it */
	enum rip_screen_kind kind;
	int         reach; /* rows of carry: 0 to RIP_REACH_MAX */
	int32_t     carry_bound[RIP_REACH_MAX]; /* largest absolute value in each row of carry */
	const struct rip_error_filter *filter; /* of RIP_SCREEN_ERROR_FILTER, else NULL */
	/* Of RIP_SCREEN_MASK: one for each plane that pages may have, then NULL. */
	const struct rip_mask *masks[RIP_PLANES_MAX];
};

/* The id of a named screen is its index in rip_screens[], and its number on the wire. */
enum rip_screen_id {
	RIP_FLOYD_STEINBERG,
	RIP_JARVIS_JUDICE_NINKE,
	RIP_STUCKI,
	RIP_BURKES,
	RIP_SIERRA,
	RIP_ATKINSON,
	RIP_BLUE_NOISE,
	RIP_SCREENS_APART, /* those before it halftone each plane apart */
	RIP_BLUE_NOISE_COLOUR = RIP_SCREENS_APART,
	RIP_SCREENS /* how many there are */
};

extern const struct rip_screen rip_screens[RIP_SCREENS];

/* Whether the planes of a page are halftoned together (engine.h). */
static inline bool rip_screen_couples(const struct rip_screen *screen)
{
	return screen->kind == RIP_SCREEN_BLUE_NOISE_COLOUR;
}

/* Blue noise with the symbols of a page drawn anew (halftone/label/labels.h), by those who have
 * whole pages; for all others it is another name of blue noise. */
#define RIP_SCREEN_LABELS "labels"
bool rip_screen_is_labels(const char *name);

/* The id of a name, without regard to case; -1 if there is no such screen. */
int rip_screen_find(const char *name);

/* The id of a screen; -1 if it is none of rip_screens[]. */
int rip_screen_id(const struct rip_screen *screen);

#endif
