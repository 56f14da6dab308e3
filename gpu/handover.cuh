/*
 * The warps at a part's ends, that bring and take carries.  wavefront.cu has the
 * picture.
 */
#ifndef RIP_HANDOVER_CUH
#define RIP_HANDOVER_CUH

#include "part.cuh"
#include "strip.cuh"

/* Fills ring 0 from the plane's words, as they come to say `sequence`. */
static __device__ void bring_words(const rip_gpu_shape &shape, const rip_wave &wave,
				   const layout &l, const uint64_t *words, uint32_t sequence,
				   uint32_t lane)
{
	const uint32_t count = rip_wave_words(shape.width);
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
			/* Words that were taken may already be those for the part after. */
			const bool asks = lane >= taken && lane < 16 && at < count;
			const uint64_t word = asks ? rip_load_word(words + at) : 0;
			const uint32_t missing =
				__ballot_sync(~0u, asks && (uint32_t)(word >> 32) != sequence);
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

/* Empties the last ring into the plane's words, for the part after.  zero: the position
 * of column 0, odd.  Each word was read before: what is in the last ring was made from it. */
static __device__ void take_words(const rip_gpu_shape &shape, const rip_wave &wave,
				  const uint32_t *ring, const uint32_t *made, uint32_t *used,
				  uint64_t *words, uint32_t sequence, uint32_t zero, uint32_t lane)
{
	const uint32_t begin = zero - 1, end = begin + rip_wave_words(shape.width) * 2;
	uint32_t ready = 0;

	if (lane == 0)
		rip_store_release(used, begin);
	for (uint32_t done = begin; done < end;) {
		const uint32_t at = done + 2 * lane;
		uint32_t to;

		if (!await_any(wave, made, done + 2, ready))
			return;
		to = ready < end ? ready & ~1u : end;
		to = to < done + 64 ? to : done + 64;
		if (at < to) {
			const uint2 value = *(const uint2 *)(ring + at % ring_size);

			rip_store_word(words + (at - begin) / 2,
				       (uint64_t)sequence << 32 | rip_step_value(value.y) << 16 |
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

#endif
