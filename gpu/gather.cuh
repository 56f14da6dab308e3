/*
 * Gathering: rows of planes are taken out of lines of chunked pixels, on the device.  Under an ink
 * limit (halftone/page/ink_limit.h), the lines are limited in place first, with the CPU's bits.
 */
#ifndef RIP_GATHER_CUH
#define RIP_GATHER_CUH

#include "intrinsics.cuh"

extern "C" {
#include "halftone/screen/arith.h"
}

/* Everything is in device memory. */
struct rip_gather {
	uint8_t        *lines;        /* aligned to 16 */
	const uint16_t *numbers;      /* of the lines in which the rows are */
	uint32_t        pitch;        /* bytes from line to line, a multiple of 16 */
	uint32_t        step;         /* samples of a pixel */
	uint32_t        width;        /* pixels */
	uint32_t        sample_bytes; /* of the lines: 1 or 2 */
	bool            makes_x;      /* lines of 1 byte, rows of x: 2 bytes */
	/* What lines of 1 byte go through: the most ink of a pixel, which `black` keeps; and the
	 * curves of all planes, 256 values each, or NULL: straight. */
	uint32_t        count_lines, all_planes;
	uint32_t        most;         /* 0: no limit */
	int             black;        /* -1: none */
	const uint16_t *curves;
	uint32_t        room;         /* bytes of a row, a multiple of 4; past the samples: 0 */
	uint32_t        count;        /* of planes */
	struct {
		uint8_t *rows;        /* row i is sample `plane` of the pixels of line */
		uint32_t plane;       /* numbers[first + i] */
		uint32_t first, count;
	} planes[RIP_PLANES_MAX];
};

/* Puts the kernels on a stream. */
cudaError_t rip_gather_run(const rip_gather *gather, cudaStream_t stream);

#endif
