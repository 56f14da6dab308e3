/*
 * libriptide: makes the dots of a page.  For printer drivers and printer applications.
 *
 * Rows of samples go in, rows of dots come out.  The dots depend on the page alone: not on
 * how many rows are pushed at a time, on the processor, on the number of threads, or on whether
 * riptided makes them.
 *
 *	struct riptide_page page = { .size = sizeof page, .width = 4960, .height = 7016 };
 *	struct riptide *riptide;
 *
 *	riptide_new(NULL, &riptide);                   for all pages of a job
 *	riptide_begin(riptide, &page);
 *	for each row:
 *		riptide_push(riptide, 0, samples, 0, 1);
 *		while (riptide_pull(riptide, 0, dots, 0, 1) == 1)
 *			print the dots: riptide_dot_bytes(4960, 2) bytes
 *	riptide_flush(riptide);
 *	while (riptide_pull(riptide, 0, dots, 0, 1) == 1)
 *		print the dots
 *	riptide_free(riptide);
 *
 * Rows are halftoned in bands, and so the dots of a row come some rows later.  A driver that
 * wants them at once calls riptide_flush() after each push: this is as exact, but slower.
 *
 * Samples.  8 bits, or 16 bits (in the byte order of the machine, at even addresses and pitches);
 * 0 is no ink, or no light where riptide_page.light is set.
 *
 * Dots.  Packed, the leftmost in the highest bits of the first byte; 1 bit each for 2 levels, 2
 * bits for 3 and 4, 4 bits for up to 16.  The unused bits of the last byte are 0.  A dot is the
 * number of its level: 0 is no ink (or no light), levels - 1 is full ink (or light).
 *
 * Planes.  A page has one plane for each ink.  They do not depend on each other: rows may be
 * pushed line by line, or plane after plane.  Within a plane they are pushed from top to bottom.
 * Only blue-noise-colour halftones the inks together: there a row's dots come when all planes have
 * it.
 *
 * Errors.  Functions return 0 or more, or a negative errno value; riptide_error() has the reason in
 * words.  After an error of riptide_begin() no page is begun.  If riptide_run() refuses a value or
 * the size of a struct, nothing has changed; after any other error of it no page is begun, or the
 * page is lost.  After -EINVAL of riptide_push(), riptide_pull() or riptide_place() nothing has
 * changed; after another error of riptide_push(), riptide_flush() or riptide_place() the page is
 * lost.  A lost page gives the same error again and again, until a new one begins.  NULL for an
 * object, a struct, samples or a place for a result is -EINVAL too, where nothing else is said.
 *
 * Structs begin with their size, which the caller sets to sizeof.  Later versions of the library
 * add fields at the end; a program that was compiled with an older header still works.  All fields
 * that are not set must be 0, which is always the usual value.  A size that no sizeof can give,
 * because it is not a multiple of that of a pointer, is -EINVAL.
 *
 * Threads.  An object is used by one thread at a time; different ones by different threads at once.
 * The library may start threads of its own, in which all signals are blocked; if the system allows
 * no more, the caller's thread does the work.  After fork() the child must not use objects of its
 * parent, but may make its own if no other thread of the parent was in the library meanwhile.
 */
#ifndef RIPTIDE_H
#define RIPTIDE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define RIPTIDE_API __attribute__((visibility("default")))
#else
#define RIPTIDE_API
#endif

#define RIPTIDE_PLANES_MAX 16
#define RIPTIDE_LEVELS_MAX 16
#define RIPTIDE_WIDTH_MAX  16777215 /* pixels; also the most rows */
#define RIPTIDE_DPI_MAX    100000
#define RIPTIDE_REGISTRATION_MAX 1000

struct riptide;

enum riptide_log_level {
	RIPTIDE_LOG_DEBUG, RIPTIDE_LOG_INFO, RIPTIDE_LOG_WARNING, RIPTIDE_LOG_ERROR
};

/* In riptide_config.flags. */
#define RIPTIDE_REQUIRE_DAEMON 1u /* riptide_new() fails if riptided cannot be used, or is
				     not to be used (socket "none") */
#define RIPTIDE_REQUIRE_GPU    2u /* riptide_new() fails if this process has no GPU engine; the
				     shared library has none: it leaves GPUs to riptided */
#define RIPTIDE_OVERLAP        4u /* with threads 1: a thread of the library makes the dots, while
				     the caller prepares the next rows */

/* What the pages of a job have in common.  Strings may be freed after riptide_new(). */
struct riptide_config {
	size_t      size;    /* sizeof(struct riptide_config) */
	const char *socket;  /* riptided's; NULL: the default one; "none": riptided is not used.
				It is used if it is there and has a GPU */
	const char *queue;   /* name of the queue, for riptided's status; or NULL */
	uint32_t    job;     /* number of the job, for the same; or 0 */
	uint32_t    threads; /* that halftone in this process; 0: as many as keep up with
				reading a page, and as are idle; 1: the caller's, in
				riptide_push() and riptide_flush(), and the library starts
				none (but see RIPTIDE_OVERLAP) */
	const char *method;  /* as riptide-halftone(1) names them; NULL: "auto" */
	const char *isa;     /* instruction set, as `riptide bench` names it; NULL: the best here */
	uint32_t    flags;   /* RIPTIDE_REQUIRE_..., RIPTIDE_OVERLAP */
	uint32_t    device;  /* with RIPTIDE_REQUIRE_GPU: 1 + the number of the GPU; 0: any */
	/* Receives messages, in the thread that called the library; NULL: they are dropped.  The
	 * last ERROR is also what riptide_error() returns. */
	void      (*log)(void *context, enum riptide_log_level level, const char *text);
	void       *context;
};

/* In riptide_page.flags. */
#define RIPTIDE_START_ZERO 1u /* error diffusion starts without noise, as in the papers */

/* A page.  Strings and curves may be freed after riptide_begin(). */
struct riptide_page {
	size_t      size;        /* sizeof(struct riptide_page) */
	uint32_t    width;       /* pixels, 1 to RIPTIDE_WIDTH_MAX */
	uint32_t    height;      /* rows; 0: not known */
	uint32_t    planes;      /* 1 to RIPTIDE_PLANES_MAX; 0: 1 */
	uint32_t    sample_bits; /* 8 or 16; 0: 8 */
	uint32_t    levels;      /* 2 to RIPTIDE_LEVELS_MAX; 0: 2 */
	uint32_t    light;       /* 1: samples and dots are light (255 is white), 0: ink */
	uint32_t    x_dpi, y_dpi; /* pixels an inch, 1 to RIPTIDE_DPI_MAX; 0: 600 */
	/* The ink of each plane: K, C, M, Y, light inks c, m, k, or - for any other; of light:
	 * W, R, G, B.  NULL: K (W) for one plane, CMY (RGB) for three, CMYK for four, else -. */
	const char *inks;
	/* Where the dots go: riptide_screen_name(), or clustered-LPI; NULL: "floyd-steinberg".
	 * "labels" is blue-noise here: barcodes are found in whole pages. */
	const char *screen;

	/* Tones.  The samples first go through the curves: for each plane NULL, or 256 values for
	 * samples of 8 bits, 65536 for 16 bits: 0 to 65535 by sample.  NULL: no curves. */
	const uint16_t *const *curves;
	/* The class of printer whose dot gain is corrected: riptide_preset_name(), or the points of
	 * dot gain, "0" to "40"; NULL: "none". */
	const char *preset;
	/* The name of a calibration that `riptide calibrate` made on this system, or a path with a
	 * slash; it counts before the preset.  NULL: none. */
	const char *calibration;
	const char *target;      /* "print" or "linear"; NULL: "print" (rastertoriptide(8)) */
	uint32_t    density;     /* percent, 50 to 200; 0: 100 */
	uint32_t    gamma;       /* thousandths, 200 to 5000; 0: 1000 */

	uint32_t    flags;       /* RIPTIDE_START_ZERO */
	uint32_t    number;      /* for messages; 0: counted from 1 */
	uint32_t    band_rows;   /* rows that are halftoned together, as far as they fit into
				    64 MiB; 0: chosen to suit the caches */
	const char *method;      /* of this page, as riptide_config.method; NULL: that one */
	/* With blue-noise-colour: how far apart the printer puts dots of different inks that should
	 * meet, in micrometres, up to RIPTIDE_REGISTRATION_MAX.  The further, the less the inks are
	 * coupled.  0: exactly. */
	uint32_t    registration;
};

/* In riptide_stream.flags. */
#define RIPTIDE_PLANAR     1u /* a line is a row of one plane; the planes follow each other */
#define RIPTIDE_FINE_EDGES 2u /* edges and thin lines of grey get the dots of a finer screen */

/* Where riptide_run() gets the samples of a page, and leaves its dots.  A line is a row of each
 * plane, or with RIPTIDE_PLANAR a row of the plane whose turn it is.  A function that returns
 * anything but 0 ends the page. */
struct riptide_stream {
	size_t   size;  /* sizeof(struct riptide_stream) */
	/* RIPTIDE_PLANAR.  RIPTIDE_FINE_EDGES, as halftone-edges in rastertoriptide(8): on
	 * clustered screens that have a finer one, with 2 levels.  With an ink limit, or where
	 * curves or the density change empty or full samples, a WARNING says that it has no
	 * effect. */
	uint32_t flags;
	/* Reads the next lines: rows[i] is the place for the i-th row of a line.  lines is 1 if a
	 * line has several rows; else they follow each other without a gap. */
	int    (*read)(void *context, void *const rows[], uint32_t lines);
	/* Writes the next line of dots. */
	int    (*write)(void *context, const uint8_t *const dots[]);
	/* Hears at the beginning, and then from time to time, how many of all lines are written; or
	 * NULL. */
	void   (*progress)(void *context, uint64_t written, uint64_t lines);
	void    *context;
	/* Reads the next lines as chunked pixels, or NULL.  A GPU of riptided can split them, which
	 * takes this process no time.  It is called from the first line on; from the first time
	 * that read() is called, no more.  Sample p of each pixel is plane p's. */
	int    (*read_pixels)(void *context, void *pixels, uint32_t lines);
	size_t   pitch; /* bytes from line to line of pixels; even for 16 bits */
	uint32_t step;  /* samples of a pixel: planes or more */
	/* The most that the inks of a pixel add up to after the curves, in percent of one full ink,
	 * 100 to 1600: where it is more, black stays, and the other inks are reduced alike.  Not of
	 * samples that are light, nor with RIPTIDE_PLANAR.  0: no limit. */
	uint32_t ink_limit;
};

/* Makes an object for the pages of a job.  config: NULL means zeros.  0; -EINVAL: a value out of
 * range; -E2BIG: a field is set that this version of the library does not have; -ENOENT: no such
 * method or instruction set; -ENOTSUP: not on this processor; -ENODEV, -ECONNREFUSED, -EBUSY: what
 * the flags require is not there; -EACCES: riptided, which they require, does not serve this
 * process; -ETIMEDOUT, -ECONNRESET, -EPROTO: it does not answer, hangs up, or does not keep to the
 * protocol; -EMFILE or another errno of socket(2): this process cannot connect to it; -ENOMEM.
 * *riptide is then NULL. */
RIPTIDE_API int riptide_new(const struct riptide_config *config, struct riptide **riptide);

/* Frees it; the dots that were not pulled are lost.  NULL is allowed. */
RIPTIDE_API void riptide_free(struct riptide *riptide);

/* Begins a page.  A page that was begun before ends, even if this one is refused; its dots that
 * were not pulled are lost.  0; -EINVAL, -E2BIG: as above; -ENOENT: no such screen at this
 * resolution, no such preset or calibration; -EBADMSG: a calibration that is damaged; -EPERM: one
 * that belongs to another user, or that others may write to; -EACCES or another errno of open(2):
 * one that cannot be opened; -ENOMEM. */
RIPTIDE_API int riptide_begin(struct riptide *riptide, const struct riptide_page *page);

/* Pushes the next rows of a plane: `width` samples each, `pitch` bytes from one row to the next
 * (0: they follow each other without a gap).  They are copied.  0; -EINVAL: no page is begun, there
 * is no such plane, it has fewer rows left, samples is NULL (and rows is not 0), or samples of
 * 16 bits lie at odd addresses.  Dots that are not pulled meanwhile stay in memory. */
RIPTIDE_API int riptide_push(struct riptide *riptide, uint32_t plane, const void *samples,
			     ptrdiff_t pitch, uint32_t rows);

/* Waits until the dots of all rows that were pushed are ready; with blue-noise-colour, if all
 * planes have the same rows. */
RIPTIDE_API int riptide_flush(struct riptide *riptide);

/* Pulls the next rows of dots of a plane, at most `rows`, as far as they are ready: `pitch` bytes
 * from one row to the next (0: they follow each other without a gap).  dots: NULL skips them.
 * Returns how many rows; 0: none is ready; -EINVAL: no page is begun, or there is no such plane. */
RIPTIDE_API int riptide_pull(struct riptide *riptide, uint32_t plane, void *dots, ptrdiff_t pitch,
			     uint32_t rows);

/* Halftones a page from beginning to end: riptide_begin(), and then all rows from read() to
 * write(), without copies.  The page has a height, and the functions must not use the object.
 * 0; an error as above; or what a function of the stream returned: then the page is lost, and
 * riptide_error() returns ""; further calls for it return the same, or -ECANCELED if that was
 * more than 0. */
RIPTIDE_API int riptide_run(struct riptide *riptide, const struct riptide_page *page,
			    const struct riptide_stream *stream);

/* The bytes of a row of dots. */
RIPTIDE_API size_t riptide_dot_bytes(uint32_t width, uint32_t levels);

/* Without a copy.
 *
 * riptide_place() says where the next rows of a plane may be written: *rows at most, without a
 * gap.  riptide_push() with this address then takes them from there; it ignores pitch, and
 * more than *rows rows are -EINVAL.  The place is valid until the next push, flush or begin.
 * NULL and *rows 0: there is no room; pull the dots of all planes first (some are ready).
 * NULL and *rows 1: an error.
 *
 * riptide_peek() says where the next row of dots of a plane lies, until it is pulled; NULL: none
 * is ready. */
RIPTIDE_API void *riptide_place(struct riptide *riptide, uint32_t plane, uint32_t *rows);
RIPTIDE_API const void *riptide_peek(struct riptide *riptide, uint32_t plane);

/* Why the last function failed that did, in words; valid until the next call.  NULL: why
 * riptide_new() failed last in this thread. */
RIPTIDE_API const char *riptide_error(const struct riptide *riptide);

/* Who makes the dots, in words: "CPU (avx2), simd", "riptided: NVIDIA H200, bwec"; "none" before
 * the first page, and after one that was lost.  Valid until the next call. */
RIPTIDE_API const char *riptide_device(const struct riptide *riptide);

/* Whether riptided was given up, because it did not open a session or a page, or in the middle of a
 * page.  The dots are the same; other objects for the same job should not use it either. */
RIPTIDE_API int riptide_left_daemon(const struct riptide *riptide);

/* The names of the screens and of the presets, by number from 0 on; NULL after the last one.
 * "clustered-LPI" stands for clustered-106 and others, with the lines an inch. */
RIPTIDE_API const char *riptide_screen_name(uint32_t number);
RIPTIDE_API const char *riptide_preset_name(uint32_t number);

/* The version of the library: "0.1.0". */
RIPTIDE_API const char *riptide_version(void);

#ifdef __cplusplus
}
#endif

#endif
