/*
 * What every engine does.
 *
 * An engine turns rows of samples into rows of dots, as the page's screen says
 * (screen.h; the arithmetic of error filters is in arith.h).  It sees planes only,
 * with any pitch: the caller splits chunked lines.  It never sees a transparent row
 * (all samples 0 or full after the tone curve): the caller emits those dots and drops
 * the row, since errors pass through it unchanged (band.h does this).
 *
 * An engine may leave screens to others.  The caller asks takes() first.
 *
 * A page is open between open() and close().  Rows of a plane are pushed in order,
 * any number at a time; planes do not wait for each other, unless the screen couples
 * them.  What goes from row to row is the carry: screen->reach rows of width values.
 * After any row it can be exported and imported, also into a page of another engine: the
 * dots stay the same.
 *
 * Some screens couple the planes of a page (rip_screen_couples()).  Then each push has one strip of
 * each plane, in the order of the planes, and all of them have the same rows; only rows that are
 * transparent in all planes are dropped.  The carries of all planes belong together.
 *
 * Instead of pushed and pulled, rows may be submitted: then the engine says when they are
 * done, and what the carry was after them.
 *
 * Ownership.  open() copies the spec and its curve, but not the screen, which outlives
 * the page.  A strip's buffers belong to the caller; the engine may use them from
 * push() until pull() returns, or until done() is called.  A page is used by one thread at a time;
 * different pages of an engine may be used by different threads at once.
 *
 * Errors are negative errno values, and a page that has returned one can only be
 * closed.
 */
#ifndef RIP_ENGINE_H
#define RIP_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/screen/arith.h"
#include "halftone/screen/method.h"
#include "halftone/screen/screen.h"

static inline uint32_t rip_least(uint64_t a, uint32_t b)
{
	return a < b ? (uint32_t)a : b;
}

/* Bytes, rounded up to whole lines of the processor's cache. */
static inline size_t rip_round_up(size_t bytes)
{
	return (bytes + 63) & ~(size_t)63;
}

struct rip_page_spec {
	uint32_t width;        /* pixels, 1..RIP_WIDTH_MAX */
	uint32_t planes;       /* 1..RIP_PLANES_MAX */
	uint32_t levels;       /* 2..16; dots have 1 bit for 2, 2 for 3 and 4, else 4 */
	uint32_t sample_bits;  /* 8 or 16 (host byte order) */
	const struct rip_screen *screen;
	const uint16_t *curve; /* 256 or 65536 values of x by sample, or NULL: 257*v, v */
	/* For screens that couple the planes; others do not read it. */
	struct rip_coupling {
		bool         light; /* samples are light: full is paper */
		uint32_t     fade;  /* the total of ink at which the coupling ends, in 8192ths of a
				       full plane, up to 65535; 0: nowhere */
		enum rip_ink inks[RIP_PLANES_MAX];
	} coupling;
};

/* Lines of chunked pixels, in which rows of planes are found: sample p of each pixel is plane
 * p's.  With a limit, samples have 8 bits, and are limited first; then, if the page has 16 bits,
 * they go through the limit's curves: the rows have x. */
struct rip_pixels {
	const void *lines;
	size_t      pitch; /* bytes from line to line, width * step samples or more; even for 16
			      bits */
	uint32_t    count; /* of lines, 1..RIP_PIXEL_LINES_MAX */
	uint32_t    step;  /* samples of a pixel: planes or more */
	/* page/ink_limit.h: its inks and its curves; the same in the whole page.  NULL: none. */
	const struct rip_ink_limit *limit;
};

#define RIP_PIXEL_LINES_MAX 65535

/* Some rows of one plane.  In: width samples a row.  Out: the levels, packed
 * most significant bit first, rip_dot_bytes() a row; unused bits of the last
 * byte are 0, and bytes past it are not touched.  Pitches are in bytes, may be
 * negative, and 16-bit rows are aligned to 2.
 *
 * row_numbers are for screens whose dots depend on the place on the page.  Strips that
 * came through the daemon have none: the wire does not carry them. */
struct rip_strip {
	uint32_t    plane; /* 0..planes-1 */
	uint32_t    rows;
	const void *in;
	ptrdiff_t   in_pitch;
	uint8_t    *out;
	ptrdiff_t   out_pitch;
	/* The page row number, from 0, of each row: ascending, with gaps where transparent
	 * rows were dropped.  NULL: not known. */
	const uint32_t *row_numbers;
	/* Instead of `in`, only for submit() of engines that take pixels: row i is in line
	 * line_numbers[i], less than pixels->count; they ascend.  NULL: `in`. */
	const struct rip_pixels *pixels;
	const uint16_t *line_numbers;
};

/* The carry that a page starts with: noise (arith.h), or 0, as in the papers. */
enum rip_start { RIP_START_NOISE, RIP_START_ZERO };

/* Rows that were submitted: belongs to the caller, until done() is called. */
struct rip_submission {
	/* Called once, perhaps before submit() returns, by any thread, which waits for it: 0,
	 * and the dots and carries are there; or a negative errno.  For the submissions of a page
	 * in order, and if one has failed, for those after it, too. */
	void   (*done)(struct rip_submission *submission, int result);
	/* For each strip: where the carry of its plane after it goes, rip_carry_values()
	 * values.  A failed submission may have written there. */
	int16_t *carry[RIP_PLANES_MAX];
};

struct rip_engine;
struct rip_page;

struct rip_engine_ops {
	/* Whether it does pages like this; the spec has passed rip_page_spec_check().
	 * Always the same answer for the same spec. */
	bool (*takes)(const struct rip_engine *engine, const struct rip_page_spec *spec);
	/* 0 and a page, whose carry is 0; -EINVAL for a spec that is out of range or
	 * not taken, -ENOMEM, or an error of the device. */
	int (*open)(struct rip_engine *engine, const struct rip_page_spec *spec,
		    struct rip_page **page);
	/* Starts some strips; several of one plane follow each other. */
	int (*push)(struct rip_page *page, const struct rip_strip *strips, unsigned count);
	/* Like push, of one strip or more of different planes, with rows, for a caller that does
	 * not wait for them.  If it returns an error, done() is not called.  pull(), the functions
	 * for carries and close() wait until it has been called for all submissions.  NULL: the
	 * engine cannot.
	 *
	 * takes_pixels: all strips may have the same pixels.  -E2BIG, and the page goes on: they
	 * are more than the engine takes at once. */
	int (*submit)(struct rip_page *page, const struct rip_strip *strips, unsigned count,
		      struct rip_submission *submission);
	bool takes_pixels;
	/* Waits until the dots of all rows that were pushed have been written. */
	int (*pull)(struct rip_page *page);
	/* The carry of a plane after all rows that were pushed: rip_carry_values()
	 * values.  Waits for these rows as pull() does. */
	int (*export_carry)(struct rip_page *page, uint32_t plane, int16_t *carry);
	/* The same the other way, for the rows that will be pushed next; waits too.
	 * -ERANGE, and nothing done, if a value is out of the screen's bounds. */
	int (*import_carry)(struct rip_page *page, uint32_t plane, const int16_t *carry);
	/* Starts a plane like an import of rip_carry_start(), without the memory for
	 * such a carry.  NULL if the engine cannot. */
	void (*start)(struct rip_page *page, uint32_t plane, enum rip_start start);
	void (*close)(struct rip_page *page); /* NULL is allowed */
	void (*free)(struct rip_engine *engine); /* after its pages; NULL is allowed */
};

struct rip_engine {
	const struct rip_engine_ops *ops;
	const char *method; /* the name of the method that it runs */
	char        device[64]; /* for users: "CPU (c)", "NVIDIA H200" */
};

/* Every page of every engine begins with its engine. */
struct rip_page {
	struct rip_engine *engine;
};

/* The bits of a dot, and the bytes of a row of dots. */
static inline uint32_t rip_dot_bits(uint32_t levels)
{
	return levels <= 2 ? 1 : levels <= 4 ? 2 : 4;
}

static inline size_t rip_dot_bytes(uint32_t width, uint32_t levels)
{
	return ((size_t)width * rip_dot_bits(levels) + 7) / 8;
}

/* The values of one plane's carry: reach * width; 0 for a screen without a carry. */
static inline size_t rip_carry_values(const struct rip_page_spec *spec)
{
	return (size_t)spec->screen->reach * spec->width;
}

/* Memory for the carries of so many planes, plane after plane, to be freed; not cleared.
 * NULL only if there is no memory, also where a carry has no values. */
int16_t *rip_carry_new(const struct rip_page_spec *spec, uint32_t planes);

/* 0, or -EINVAL for a spec out of range. */
int rip_page_spec_check(const struct rip_page_spec *spec);

/* 0, or -ERANGE if a value of a plane's carry is out of the screen's bounds. */
int rip_carry_check(const struct rip_page_spec *spec, const int16_t *carry);

/* Fills the carry that a plane starts a page with. */
void rip_carry_start(const struct rip_page_spec *spec, uint32_t plane, enum rip_start start,
		     int16_t *carry);

/* One row of it: 0 to reach - 1. */
void rip_carry_start_row(const struct rip_page_spec *spec, int row, uint32_t plane,
			 enum rip_start start, int16_t *carry);

/* Whether strips are what a push into a page of this spec may have: their planes exist, and those
 * of a screen that couples them come together. */
bool rip_strips_check(const struct rip_page_spec *spec, const struct rip_strip *strips,
		      unsigned count);

/* Opens a page and starts all its planes. */
int rip_engine_open_page(struct rip_engine *engine, const struct rip_page_spec *spec,
			 enum rip_start start, struct rip_page **page);

#endif
