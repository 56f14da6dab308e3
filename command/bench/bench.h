/*
 * A benchmark: methods, sizes, and the times of each method at each size.  Engines are
 * called directly, in memory; the filter, the daemon and files are not measured.
 *
 * Made and used by bench_command.c, which reads sizes, too; bench_run.c fills in results,
 * bench_report.c prints them, and does both for other kinds of pages.  One thread.
 */
#ifndef RIP_BENCH_H
#define RIP_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/engine_cuda.h"
#include "halftone/engine.h"
#include "halftone/screen/mask_screen.h"
#include "command/common_options.h"

#define RIP_BENCH_SIZES_MAX   32
#define RIP_BENCH_RUNS_MAX    1000
#define RIP_BENCH_METHODS_MAX (RIP_METHODS + 2) /* bwed and bwec with both kinds of sync */

/* The times of one method at one size. */
struct rip_bench_result {
	unsigned runs; /* 0: not measured */
	double   median_ms, min_ms, max_ms;
	double   apart_ms; /* the median of the planes apart, with blue noise; 0: not measured */
};

struct rip_bench_method {
	enum rip_method    method;
	enum rip_cuda_sync sync;   /* of bwed and bwec */
	struct rip_engine *engine; /* NULL: not available here */
	char               why[128]; /* why not */
	char               isa[16];  /* "c", "avx2", ...; "cuda" for a GPU */
	unsigned           threads;
	struct rip_bench_result results[RIP_BENCH_SIZES_MAX];
};

struct rip_bench_size {
	char     name[80]; /* as it was asked for: "4K", "A4@600", "832x1218" */
	uint32_t width, height;
	char     why[128]; /* why it was not measured, or empty */
};

struct rip_bench {
	struct rip_bench_method methods[RIP_BENCH_METHODS_MAX];
	unsigned method_count;
	struct rip_bench_size sizes[RIP_BENCH_SIZES_MAX];
	unsigned size_count;
	uint32_t planes;
	uint32_t levels;
	uint32_t sample_bits;
	bool     curve; /* a tone curve, of a gamma of 2 */
	const struct rip_screen *screen;
	bool     labels; /* barcodes are looked for, on pages with one plane of 8 bits */
	struct rip_mask_screen mask; /* the screen, if it is a mask */
	struct rip_coupling coupling; /* if it couples the planes, which are measured apart, too */
	unsigned runs;
};

/* Adds "4K", "2000", "832x1218", or a paper by a name that libcups knows and dots per inch,
 * as in "A4@600" or "na_letter_8.5x11in@300", to the sizes.  0, -EINVAL for anything else,
 * -E2BIG if there are too many. */
int rip_bench_add_size(struct rip_bench *bench, const char *text);

/* Whether a method has both kinds of rip_cuda_sync. */
static inline bool rip_bench_has_sync(const struct rip_bench_method *method)
{
	return method->method == RIP_METHOD_BWED || method->method == RIP_METHOD_BWEC;
}

/* Measures every method at one size: a run of each to warm up, whose dots are compared with
 * plain C, and then the runs, in turns.  0, or -errno (reported) if the dots differ or an
 * engine fails.  A size that does not fit into memory is not an error; its `why` says so. */
int rip_bench_run(struct rip_bench *bench, unsigned size);

/* The tables of the paper, on standard output. */
void rip_bench_print(const struct rip_bench *bench);

/* One object a line for the results of one size. */
void rip_bench_print_json(const struct rip_bench *bench, unsigned size);

/* Measures pages of other kinds with the processor methods of bench, and prints their speed
 * and their time relative to the normal kind.  0, or as rip_bench_run(). */
int rip_bench_costs(const struct rip_bench *bench, bool json);

/* Fills a plane of a picture: soft shapes, texture and grain, without black or
 * white pixels, so that no engine can skip rows and no cache can share them.
 * samples: rows of width samples of 8 or 16 bits, pitch bytes apart. */
void rip_bench_picture(void *samples, uint32_t width, uint32_t height, size_t pitch,
		       uint32_t sample_bits, uint32_t plane);

#endif
