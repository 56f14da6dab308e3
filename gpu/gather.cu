/*
 * Rows of planes from lines of pixels.
 *
 * A thread block makes a piece of one row of one plane.  Each of its threads makes some words of
 * four bytes, side by side with those of its neighbours, so that a warp reads and writes whole
 * lines of the cache.  All blocks of a line's planes read the same bytes, mostly from the cache of
 * the second level, into which they were copied.  No shared memory and few registers are needed:
 * there is room for these blocks beside those of the wavefront.
 *
 * Each row reads its own line, and writes all bytes of its room.  So nothing that the memory held
 * before can become a sample, however the lines are numbered.
 */
#include "gather.cuh"

#define THREADS 128
#define WORDS   4 /* that a thread makes */

/* The samples of a plane that pixels x, x + 1, ... of a line have, as many as a word holds, 0 for
 * those past the width; x is a multiple of their number. */
template <typename T>
static __device__ __forceinline__ uint32_t word_of(const rip_gather &gather, const uint8_t *line,
						   uint32_t x, uint32_t plane)
{
	const T *samples = (const T *)line + plane;
	uint32_t word = 0;

#pragma unroll
	for (uint32_t k = 0; k < 4 / sizeof(T); k++)
		if (x + k < gather.width)
			word |= rip_load_sample(&samples[(size_t)(x + k) * gather.step])
				<< 8 * sizeof(T) * k;
	return word;
}

/* The same by whole words of the line; at: where its pixel x begins.  All pixels are there.  STEP:
 * samples of a pixel, of 8 bits. */
template <int STEP>
static __device__ __forceinline__ uint32_t word_at(const uint8_t *at, uint32_t plane)
{
	if constexpr (STEP == 4) {
		const uint4 pixels = *(const uint4 *)at;
		const uint32_t pair = plane | (plane + 4) << 4;

		return __byte_perm(__byte_perm(pixels.x, pixels.y, pair),
				   __byte_perm(pixels.z, pixels.w, pair), 0x5410);
	} else {
		const uint32_t *words = (const uint32_t *)at;
		const uint32_t a = words[0], b = words[1], c = words[2];
		/* Moved as if it were plane 0: its samples are bytes 0, 3, 6 and 9. */
		const uint32_t first = __funnelshift_r(a, b, 8 * plane);
		const uint32_t second = __funnelshift_r(b, c, 8 * plane);

		return __byte_perm(__byte_perm(first, second, 0x0630), c >> 8 * plane, 0x5210);
	}
}

/* STEP: 3 or 4 samples of 8 bits, or 0: any pixels. */
template <typename T, int STEP>
__global__ void __launch_bounds__(THREADS) rip_gather_kernel(const rip_gather gather)
{
	const auto &rows = gather.planes[blockIdx.z];
	const uint32_t per_word = 4 / sizeof(T), per_block = THREADS * WORDS;

	if (blockIdx.x >= rows.count)
		return;

	const uint8_t *line =
		gather.lines + (size_t)gather.numbers[rows.first + blockIdx.x] * gather.pitch;
	uint32_t *row = (uint32_t *)(rows.rows + (size_t)blockIdx.x * gather.room);
	const uint32_t from = blockIdx.y * per_block + threadIdx.x;

	if (STEP > 0 && (blockIdx.y + 1) * per_block * per_word <= gather.width) {
		uint32_t words[WORDS];

#pragma unroll
		for (uint32_t i = 0; i < WORDS; i++)
			words[i] = word_at<STEP>(line + (size_t)(from + i * THREADS) * 4 * STEP,
						 rows.plane);
#pragma unroll
		for (uint32_t i = 0; i < WORDS; i++)
			rip_store(&row[from + i * THREADS], words[i]);
		return;
	}
#pragma unroll
	for (uint32_t i = 0; i < WORDS; i++) {
		const uint32_t w = from + i * THREADS, x = w * per_word;

		if (STEP > 0 && x + per_word <= gather.width)
			rip_store(&row[w], word_at<STEP>(line + (size_t)x * STEP, rows.plane));
		else if (w < gather.room / 4)
			rip_store(&row[w], word_of<T>(gather, line, x, rows.plane));
	}
}

cudaError_t rip_gather_run(const rip_gather *gather, cudaStream_t stream)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < gather->count; i++)
		most = gather->planes[i].count > most ? gather->planes[i].count : most;

	const uint32_t piece = THREADS * WORDS * 4; /* bytes */
	const dim3 grid(most, (gather->room + piece - 1) / piece, gather->count);

	if (gather->sample_bytes == 2)
		RIP_LAUNCH((rip_gather_kernel<uint16_t, 0>), grid, THREADS, 0, stream, *gather);
	else if (gather->step == 4)
		RIP_LAUNCH((rip_gather_kernel<uint8_t, 4>), grid, THREADS, 0, stream, *gather);
	else if (gather->step == 3)
		RIP_LAUNCH((rip_gather_kernel<uint8_t, 3>), grid, THREADS, 0, stream, *gather);
	else
		RIP_LAUNCH((rip_gather_kernel<uint8_t, 0>), grid, THREADS, 0, stream, *gather);
	return cudaGetLastError();
}
