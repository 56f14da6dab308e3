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
 *
 * The ink limit is a pass of its own over the lines, which are in the cache then too: otherwise
 * each plane's blocks would add up the inks of the same pixels.
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

/* The x of pixels x and x + 1 of a line in a plane; STEP: 4 samples of a pixel, or 0: any. */
template <int STEP>
static __device__ __forceinline__ uint32_t x_of(const rip_gather &gather, const uint8_t *line,
						uint32_t x, uint32_t plane)
{
	const uint16_t *curve = gather.curves ? gather.curves + 256 * plane : nullptr;
	uint32_t word = 0;

#pragma unroll
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t sample;

		if (x + k >= gather.width)
			break;
		if constexpr (STEP == 4)
			sample = ((const uint32_t *)line)[x + k] >> 8 * plane & 255;
		else
			sample = line[(size_t)(x + k) * gather.step + plane];
		word |= (curve ? curve[sample] : 257 * sample) << 16 * k;
	}
	return word;
}

/* The rows of x of samples. */
template <int STEP>
__global__ void __launch_bounds__(THREADS) rip_gather_x_kernel(const rip_gather gather)
{
	const auto &rows = gather.planes[blockIdx.z];
	const uint32_t from = blockIdx.y * THREADS * WORDS + threadIdx.x;

	if (blockIdx.x >= rows.count)
		return;

	const uint8_t *line =
		gather.lines + (size_t)gather.numbers[rows.first + blockIdx.x] * gather.pitch;
	uint32_t *row = (uint32_t *)(rows.rows + (size_t)blockIdx.x * gather.room);

#pragma unroll
	for (uint32_t i = 0; i < WORDS; i++) {
		const uint32_t w = from + i * THREADS;

		if (w < gather.room / 4)
			rip_store(&row[w], x_of<STEP>(gather, line, 2 * w, rows.plane));
	}
}

/* The largest sample whose curve is at most x; 0 if there is none. */
static __device__ __forceinline__ uint32_t sample_of(const uint16_t *curve, uint32_t x)
{
	uint32_t sample = 0;

#pragma unroll
	for (uint32_t step = 128; step > 0; step /= 2)
		sample += curve[sample + step] <= x ? step : 0;
	return sample;
}

static __device__ __forceinline__ uint32_t x_in(const rip_gather &gather, uint32_t sample,
						uint32_t plane)
{
	return gather.curves ? gather.curves[256 * plane + sample] : 257 * sample;
}

/* Of all inks but black, below 1 in units of 2^-16.  The division is exact enough: find_excess()
 * says why. */
static __device__ __forceinline__ uint32_t factor_of(const rip_gather &gather, uint32_t all,
						     uint32_t black)
{
	const uint32_t rest = gather.most > black ? gather.most - black : 0;

	return all > black ? (uint32_t)(rest * 65536. / (all - black)) : 0;
}

static __device__ __forceinline__ uint32_t limited(const rip_gather &gather, uint32_t sample,
						   uint32_t plane, uint32_t factor)
{
	const uint32_t x = x_in(gather, sample, plane), scaled = x * factor >> 16;

	/* No ink stays as it is, whichever sample makes it. */
	if ((int)plane == gather.black || x == 0)
		return sample;
	return gather.curves ? sample_of(gather.curves + 256 * plane, scaled) : scaled / 257;
}

/* A thread limits one pixel of a line.  STEP: 4 samples, all of planes, or 0: any. */
template <int STEP>
__global__ void __launch_bounds__(THREADS) rip_limit_kernel(const rip_gather gather)
{
	const uint32_t x = blockIdx.y * THREADS + threadIdx.x, planes = gather.all_planes;
	uint8_t *line = gather.lines + (size_t)blockIdx.x * gather.pitch;
	uint32_t all = 0, black = 0;

	if (x >= gather.width)
		return;
	if constexpr (STEP == 4) {
		uint32_t *at = (uint32_t *)line + x;
		const uint32_t pixel = *at;
		uint32_t limited_pixel = 0;

#pragma unroll
		for (uint32_t p = 0; p < 4; p++) {
			const uint32_t ink = x_in(gather, pixel >> 8 * p & 255, p);

			all += ink;
			black = (int)p == gather.black ? ink : black;
		}
		if (all <= gather.most)
			return;

		const uint32_t factor = factor_of(gather, all, black);

#pragma unroll
		for (uint32_t p = 0; p < 4; p++)
			limited_pixel |= limited(gather, pixel >> 8 * p & 255, p, factor) << 8 * p;
		*at = limited_pixel;
	} else {
		uint8_t *at = line + (size_t)x * gather.step;

		for (uint32_t p = 0; p < planes; p++) {
			const uint32_t ink = x_in(gather, at[p], p);

			all += ink;
			black = (int)p == gather.black ? ink : black;
		}
		if (all <= gather.most)
			return;

		const uint32_t factor = factor_of(gather, all, black);

		for (uint32_t p = 0; p < planes; p++)
			at[p] = (uint8_t)limited(gather, at[p], p, factor);
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
	const dim3 pixels(gather->count_lines, (gather->width + THREADS - 1) / THREADS);

	if (gather->most > 0 && gather->step == 4 && gather->all_planes == 4)
		RIP_LAUNCH(rip_limit_kernel<4>, pixels, THREADS, 0, stream, *gather);
	else if (gather->most > 0)
		RIP_LAUNCH(rip_limit_kernel<0>, pixels, THREADS, 0, stream, *gather);
	if (gather->makes_x && gather->step == 4)
		RIP_LAUNCH(rip_gather_x_kernel<4>, grid, THREADS, 0, stream, *gather);
	else if (gather->makes_x)
		RIP_LAUNCH(rip_gather_x_kernel<0>, grid, THREADS, 0, stream, *gather);
	else if (gather->sample_bytes == 2)
		RIP_LAUNCH((rip_gather_kernel<uint16_t, 0>), grid, THREADS, 0, stream, *gather);
	else if (gather->step == 4)
		RIP_LAUNCH((rip_gather_kernel<uint8_t, 4>), grid, THREADS, 0, stream, *gather);
	else if (gather->step == 3)
		RIP_LAUNCH((rip_gather_kernel<uint8_t, 3>), grid, THREADS, 0, stream, *gather);
	else
		RIP_LAUNCH((rip_gather_kernel<uint8_t, 0>), grid, THREADS, 0, stream, *gather);
	return cudaGetLastError();
}
