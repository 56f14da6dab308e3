/*
 * The warps at a part's ends, that bring and take carries.  wavefront.cu has the
 * picture.
 *
 * A lane moves two columns at a time, and waits for nothing but those two.
 */
#ifndef RIP_HANDOVER_CUH
#define RIP_HANDOVER_CUH

#include "part.cuh"

/* Fills ring 0 from the plane's words, as they come to say `sequence`; when the last does
 * the others are not far, and strip 0 is woken.  Each lane goes on by itself, so that
 * what is on its way to one is not waited for by all. */
static __device__ __forceinline__ void bring_words(const rip_wave &wave, const layout &l,
						   const uint64_t *words, uint32_t count,
						   uint32_t sequence, uint32_t lane)
{
	uint32_t at = lane, room = ring_size, spins = 0;
	uint64_t since = 0;

	while (__any_sync(~0u, (uint32_t)(rip_load_word(words + count) >> 32) != sequence))
		wait_on(wave, spins, since, far_away);
	if (lane == 0)
		rip_store_hint(&l.awake[0], 1);
	while (__any_sync(~0u, at < count)) {
		const uint64_t word = at < count ? rip_load_word(words + at) : 0;

		if (at < count && (uint32_t)(word >> 32) == sequence) {
			if (2 * at + 2 > room)
				room = ring_size + rip_load_acquire(&l.used[0]);
			if (2 * at + 2 <= room) {
				rip_store_pair(l.rings + 2 * at % ring_size,
					       make_uint2(rip_step_carry((int16_t)word),
							  rip_step_carry((int16_t)(word >> 16))));
				at += 32;
			}
		}
		wait_on(wave, spins, since, 50);
	}
}

/* Empties a ring into the plane's words, for the part after; first into the last one, when
 * the strip that fills the ring has begun.  Each word was read before: what is in the ring
 * was made from it. */
static __device__ __forceinline__ void take_words(const rip_wave &wave, const layout &l,
						  uint32_t which, uint64_t *words, uint32_t count,
						  uint32_t sequence, uint32_t lane)
{
	uint32_t spins = 0;
	uint64_t since = 0;

	while (__any_sync(~0u, rip_load_hint(&l.awake[which]) == 0))
		wait_on(wave, spins, since, far_away);
	if (lane == 0)
		rip_store_word(words + count, (uint64_t)sequence << 32);
	for (uint32_t first = 0; first < count; first += 32) {
		uint32_t *slot = l.rings + which * ring_size + 2 * (first + lane) % ring_size;
		bool waits = first + lane < count;

		while (__any_sync(~0u, waits)) {
			const uint2 pair = waits ? rip_load_pair(slot) : make_uint2(0, 0);

			if (pair.x != 0 && pair.y != 0) {
				rip_store_pair(slot, make_uint2(0, 0));
				rip_store_word(words + first + lane,
					       (uint64_t)sequence << 32 | rip_step_value(pair.y) << 16 |
						       rip_step_value(pair.x));
				waits = false;
			}
			wait_on(wave, spins, since, 100);
		}
		__syncwarp();
		if (lane == 0 && 2 * (first + 32) % (ring_size / 2) == 0)
			rip_store_release(&l.used[which], 2 * (first + 32));
	}
	if (lane == 0)
		rip_store_release(&l.used[which], everything);
}

#endif
