/*
 * The two warps of a slice that hand carries over: one receives them from the slice
 * before, the other sends them to the slice after.  wavefront.cu has the picture.
 *
 * A lane moves the columns of one 64-bit word at a time (rule::per_word), and waits for nothing
 * but those.  `since` is when its current wait began: a slice may live for any time, as on a
 * device that other programs use too.
 */
#ifndef RIP_HANDOVER_CUH
#define RIP_HANDOVER_CUH

#include "slice.cuh"

static const uint32_t receivers = 16; /* lanes that receive: more would read more words in vain */

/* Fills ring 0 from the plane's words as soon as they have the number `sequence`, and the samples
 * that they let the slice read have arrived (admitted: as in the task).  The last word gets its
 * number first: then the others follow soon, and group 0 is woken.  Each lane proceeds by itself,
 * so that a word that is late does not hold up the others. */
template <class rule>
static __device__ __forceinline__ void receive_carry(const rip_wave_launch &launch,
						     const slice_memory &m, const uint64_t *words,
						     uint32_t count, uint32_t sequence,
						     const uint32_t *admitted, uint32_t lane)
{
	uint32_t at = lane < receivers ? lane : count, room = ring_size, spins = 0;
	uint32_t let_in = admitted ? 0 : all_columns;
	uint64_t since = 0;

	while (__any_sync(~0u, (uint32_t)(rip_load_word(words + count) >> 32) != sequence))
		wait_on(launch, spins, since, long_pause);
	since = 0;
	if (lane == 0)
		rip_store_hint(&m.awake[0], 1);
	while (__any_sync(~0u, at < count)) {
		const uint64_t word = at < count ? rip_load_word(words + at) : 0;

		if (at < count && (uint32_t)(word >> 32) == sequence) {
			uint32_t *to = m.rings + rule::per_word * at % ring_size;
			const int32_t low = (int16_t)word, high = (int16_t)(word >> 16);

			if (rule::per_word * (at + 1) > let_in)
				let_in = rip_load_copied(admitted);
			if (rule::per_word * (at + 1) > room)
				room = ring_size + rip_load_acquire(&m.used[0]);
			if (rule::per_word * (at + 1) <= room &&
			    rule::per_word * (at + 1) <= let_in) {
				if (rule::per_word == 2)
					rip_store_pair(to, make_uint2(rule::word(low, 0),
								      rule::word(high, 0)));
				else
					rip_store_one(to, rule::word(low, high));
				at += receivers;
				since = 0;
			}
		}
		if (at >= count)
			since = 0; /* it waits for the other lanes only */
		wait_on(launch, spins, since, 50);
	}
}

/* Empties ring number `ring` into the plane's words, for the slice after.  The last word is
 * written first, when the group that fills the ring has begun.  Every other word has been
 * read by then: what is in the ring was computed from it.  shift: as shift_of() says. */
template <class rule>
static __device__ __forceinline__ void send_carry(const rip_wave_launch &launch,
						  const slice_memory &m, uint32_t ring,
						  uint32_t shift, uint64_t *words, uint32_t count,
						  uint32_t sequence, uint32_t lane)
{
	/* Where two words are one access. */
	const bool pairs = rule::per_word == 2 && shift % 2 == 0;
	uint32_t spins = 0;
	uint64_t since = 0;

	while (__any_sync(~0u, rip_load_hint(&m.awake[ring]) == 0))
		wait_on(launch, spins, since, long_pause);
	since = 0;
	if (lane == 0)
		rip_store_word(words + count, (uint64_t)sequence << 32);
	for (uint32_t first = 0; first < count; first += 32) {
		const uint32_t place = rule::per_word * (first + lane) - shift;
		uint32_t *at = m.rings + ring * ring_size + place % ring_size;
		uint32_t *next = m.rings + ring * ring_size +
				 (place + rule::per_word - 1) % ring_size;
		const uint32_t done = rule::per_word * (first + 32);
		bool waits = first + lane < count;

		while (__any_sync(~0u, waits)) {
			uint2 pair = make_uint2(0, 0);

			if (waits && pairs)
				pair = rip_load_pair(at);
			else if (waits)
				pair = make_uint2(rip_load_one(at), rip_load_one(next));
			if (pair.x != 0 && pair.y != 0) {
				const uint32_t high = rule::per_word == 2 ? rule::near(pair.y)
									  : rule::far(pair.x);
				const uint32_t carries = high << 16 | rule::near(pair.x);

				if (pairs)
					rip_store_pair(at, make_uint2(0, 0));
				else
					rip_store_one(at, 0);
				if (!pairs && rule::per_word == 2)
					rip_store_one(next, 0);
				rip_store_word(words + first + lane,
					       (uint64_t)sequence << 32 | carries);
				waits = false;
			}
			if (!waits)
				since = 0;
			wait_on(launch, spins, since, 100);
		}
		__syncwarp();
		if (lane == 0 && done % (ring_size / 2) == 0)
			rip_store_release(&m.used[ring], done);
	}
	if (lane == 0)
		rip_store_release(&m.used[ring], all_columns);
}

/* In a slice that gets its carry from its neighbour in the cluster, which stores it into ring 0:
 * tells the neighbour how far the ring is free again.  As long as the neighbour does not know of
 * room for all columns it cannot end, so its memory is there; then it needs to know no more. */
static __device__ __forceinline__ void relay_space(const rip_wave_launch &launch,
						   const slice_memory &m, uint32_t width,
						   uint32_t rank, uint32_t lane)
{
	const rip_far room = rip_far_address(m.room, rank - 1);
	const uint32_t columns = (width + 15) / 16 * 16;
	uint32_t told = 0, spins = 0;
	uint64_t since = 0;

	while (told + ring_size < columns) {
		const uint32_t used = __shfl_sync(~0u, rip_load_acquire(&m.used[0]), 0);

		if (used != told) {
			if (lane == 0)
				rip_store_release_far(room, used);
			told = used;
			since = 0;
		}
		wait_on(launch, spins, since, relay_pause);
	}
}

/* In a slice that hands its carry to its neighbour in the cluster: empties ring number `ring` into
 * the neighbour's ring 0.  The neighbour cannot end before it has read all columns. */
static __device__ __forceinline__ void hand_over(const rip_wave_launch &launch,
						 const slice_memory &m, uint32_t ring,
						 uint32_t width, uint32_t rank, uint32_t lane)
{
	const rip_far to = rip_far_address(m.rings, rank + 1);
	const uint32_t columns = (width + 15) / 16 * 16;
	uint32_t room = ring_size, spins = 0;
	uint64_t since = 0;

	while (__any_sync(~0u, rip_load_hint(&m.awake[ring]) == 0))
		wait_on(launch, spins, since, long_pause);
	since = 0;
	if (lane == 0)
		rip_store_one_far(rip_far_address(&m.awake[0], rank + 1), 1);
	for (uint32_t first = 0; first < columns; first += 64) {
		const uint32_t column = first + 2 * lane;
		uint32_t *at = m.rings + ring * ring_size + column % ring_size;
		bool waits = column < columns;

		while (__any_sync(~0u, waits)) {
			const uint2 pair = waits ? rip_load_pair(at) : make_uint2(0, 0);

			if (pair.x != 0 && pair.y != 0 && column + 2 > room)
				room = ring_size + rip_load_acquire_far(m.room);
			if (pair.x != 0 && pair.y != 0 && column + 2 <= room) {
				rip_store_pair(at, make_uint2(0, 0));
				rip_store_pair_far(to + 4 * (column % ring_size), pair);
				waits = false;
			}
			if (!waits)
				since = 0;
			wait_on(launch, spins, since, hand_over_pause);
		}
		__syncwarp();
		if (lane == 0 && (first + 64) % (ring_size / 2) == 0)
			rip_store_release(&m.used[ring], first + 64);
	}
	if (lane == 0)
		rip_store_release(&m.used[ring], all_columns);
}

#endif
