/* Relays of blue noise for colour (colour.cuh): receive carries, and send them on. */
#ifndef RIP_COLOUR_RELAY_CUH
#define RIP_COLOUR_RELAY_CUH

#include "colour.cuh"

/* A plane, for one of these warps' lanes. */
struct relay {
	const uint64_t *from; /* words that come in */
	uint64_t       *to;   /* and go out */
	uint32_t        count; /* of them, but for the one that announces the others */
	uint32_t        sequence; /* that comes in */
	uint32_t       *ring; /* where they go */
	const uint32_t *sent; /* what the last row sends down, in a ring of steps */
	const uint32_t *done; /* of the stage */
	uint32_t       *received, *forwarded, *awake;
	uint32_t        late; /* steps until the last row has sent column 0 */
	uint32_t        end;  /* steps */
};

/* Fills the rings for two planes, by half of the lanes each, from the planes' words as soon as they
 * have the number `sequence`, and makes words of what their last rows send down. */
static __device__ __forceinline__ void relay_carries(const rip_wave_launch &launch, const relay &r,
						     bool there, uint32_t lane)
{
	const uint32_t place = lane % relay_lanes, half = lane - place;
	const uint64_t next = (uint64_t)(r.sequence + 1) << 32;
	uint32_t first = there ? 0 : r.count, told = 0, spins = 0;
	uint32_t forwarded = there ? 0 : r.end;
	bool waits = there; /* for the word of its column */
	uint64_t since = 0;

	/* The first word that has the number is the last one. */
	while (__any_sync(~0u, there && (uint32_t)(rip_load_word(r.from + r.count) >> 32) !=
						r.sequence))
		wait_on(launch, spins, since, long_pause);
	if (lane == 0)
		rip_store_hint(r.awake, 1);
	since = 0;
	while (__any_sync(~0u, first < r.count || forwarded < r.end)) {
		const uint32_t column = first + place;
		const uint64_t word = waits ? rip_load_word(r.from + column) : 0;
		const uint32_t done = __shfl_sync(~0u, rip_load_acquire(r.done), half);
		const uint32_t seen = done < r.end ? done : r.end;
		const uint32_t step = forwarded + place, goes = step - r.late;

		__syncwarp(); /* after the looks of two lanes */
		if (there && step < seen && goes < r.count)
			rip_store_word(r.to + goes,
				       next | rule_blue::near(r.sent[step % colour_ring]));
		if (there && forwarded == 0 && seen > 0 && place == 0)
			rip_store_word(r.to + r.count, next);
		if (waits && (uint32_t)(word >> 32) == r.sequence && column < done + colour_ring) {
			rip_store_one(r.ring + column % colour_ring,
				      colour_rule::word((int16_t)word, 0));
			waits = false;
		}
		__syncwarp(); /* after the lanes' storing and reading */

		/* Of the columns from the first on, how many are there. */
		const uint32_t missing = __ballot_sync(~0u, waits) >> half & 0xffff;
		const uint32_t present = missing ? (uint32_t)__ffs((int)missing) - 1
						 : relay_lanes;
		const bool moves = first < r.count && first + present > told;
		const bool sends = seen > forwarded;

		if (moves && place == 0)
			rip_store_release(r.received, first + present);
		told = first + present;
		if (sends) {
			forwarded = seen - forwarded < relay_lanes
					    ? seen
					    : forwarded + relay_lanes;
			if (place == 0)
				rip_store_release(r.forwarded, forwarded);
		}
		if (missing == 0 && first < r.count) {
			first += relay_lanes;
			waits = first < r.count;
			if (!waits && place == 0)
				rip_store_release(r.received, all_columns);
		}
		if (__any_sync(~0u, moves || sends))
			since = 0;
		else
			wait_on(launch, spins, since, 20);
	}
}

#endif
