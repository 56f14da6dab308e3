/*
 * The warps at a part's ends, that bring and take carries.  wavefront.cu has the
 * picture.
 */
#ifndef RIP_HANDOVER_CUH
#define RIP_HANDOVER_CUH

#include "part.cuh"
#include "strip.cuh"

/* Words from part to part: columns -1 .. width - 1 and one more, two in a word. */
static __host__ __device__ __forceinline__ uint32_t words_of(uint32_t width)
{
	return width / 2 + 1;
}

/* Fills ring 0 from the carry that came with the work. */
static __device__ void bring_carry(const rip_gpu_shape &shape, const rip_wave &wave,
				   const layout &l, const int16_t *carry, uint32_t lane)
{
	uint32_t room = 0;

	for (uint32_t j = 0; j < shape.width; j += 32) { /* column j is at position j + 127 */
		const uint32_t to = j + 32 + behind - 1;

		if (to > ring_size && !await(wave, &l.used[0], to - ring_size, room))
			return;
		if (j + lane < shape.width)
			l.rings[(j + lane + behind - 1) % ring_size] = rip_step_carry(carry[j + lane]);
		__syncwarp();
		if (lane == 0)
			rip_store_release(&l.made[0], to);
	}
	if (lane == 0)
		rip_store_release(&l.made[0], everything);
}

/* Fills ring 0 from the words of the part before, as they come. */
static __device__ void bring_words(const rip_gpu_shape &shape, const rip_wave &wave,
				   const layout &l, const uint64_t *words, uint32_t lane)
{
	const uint32_t count = words_of(shape.width);
	uint32_t room = 0;

	for (uint32_t first = 0; first < count; first += 16) {
		/* Word w is positions 126 + 2w and 127 + 2w.  16 at a time: a ring of 128 can
		 * hold them beside what the strip still reads. */
		const uint32_t at = first + lane, from = first * 2 + behind - 2;
		uint32_t taken = 0, spins = 0;
		uint64_t since = 0;

		if (from + 32 > ring_size && !await(wave, &l.used[0], from + 32 - ring_size, room))
			return;
		while (taken < 16) {
			const bool asks = lane < 16 && at < count;
			const uint64_t word = asks ? rip_load_word(words + at) : 0;
			const uint32_t missing =
				__ballot_sync(~0u, asks && (uint32_t)(word >> 32) != wave.number);
			const uint32_t there = missing ? (uint32_t)__ffs((int)missing) - 1 : 16;

			if (there > taken) {
				if (lane >= taken && lane < there)
					*(uint2 *)(l.rings + (from + 2 * lane) % ring_size) =
						make_uint2(rip_step_carry((int16_t)word),
							   rip_step_carry((int16_t)(word >> 16)));
				__syncwarp();
				if (lane == 0)
					rip_store_release(&l.made[0], from + there * 2);
				taken = there;
				continue;
			}
			rip_relax(0);
			if (++spins % 65536 == 0 && __any_sync(~0u, expired(wave, since)))
				return;
		}
	}
	if (lane == 0)
		rip_store_release(&l.made[0], everything);
}

/* Empties the last ring into words for the part after. */
static __device__ void take_words(const rip_gpu_shape &shape, const rip_wave &wave,
				  const uint32_t *ring, const uint32_t *made, uint32_t *used,
				  uint64_t *words, uint32_t lane)
{
	const uint32_t end = behind - 2 + words_of(shape.width) * 2;
	uint32_t ready = 0;

	if (lane == 0)
		rip_store_release(used, behind - 32);
	for (uint32_t done = behind - 2; done < end;) {
		const uint32_t at = done + 2 * lane;
		uint32_t to;

		if (!await_any(wave, made, done + 2, ready))
			return;
		to = ready < end ? ready & ~1u : end;
		to = to < done + 64 ? to : done + 64;
		if (at < to) {
			const uint2 value = *(const uint2 *)(ring + at % ring_size);

			rip_store_word(words + (at - behind + 2) / 2,
				       (uint64_t)wave.number << 32 | rip_step_value(value.y) << 16 |
					       rip_step_value(value.x));
		}
		done = to;
		__syncwarp();
		if (lane == 0)
			rip_store_release(used, done);
	}
	if (lane == 0)
		rip_store_release(used, everything);
}

/* Empties the last ring into the carry of the work. */
static __device__ void take_carry(const rip_gpu_shape &shape, const rip_wave &wave,
				  const uint32_t *ring, const uint32_t *made, uint32_t *used,
				  int16_t *carry, uint32_t zero, uint32_t lane)
{
	uint32_t ready = 0;

	for (uint32_t done = zero; done < zero + shape.width;) {
		uint32_t to;

		if (!await_any(wave, made, done + 1, ready))
			return;
		to = ready < zero + shape.width ? ready : zero + shape.width;
		to = to < done + 32 ? to : done + 32;
		if (done + lane < to)
			carry[done + lane - zero] = (int16_t)rip_step_value(ring[(done + lane) % ring_size]);
		done = to;
		__syncwarp();
		if (lane == 0)
			rip_store_release(used, done);
	}
	if (lane == 0)
		rip_store_release(used, everything);
}

#endif
