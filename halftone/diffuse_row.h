/* What the rows of all screens in plain C share.  For diffuse.c only. */
#ifndef RIP_DIFFUSE_ROW_H
#define RIP_DIFFUSE_ROW_H

#include <stdint.h>

#include "diffuse_cache.h"
#include "system/inline.h"

#define INLINE RIP_INLINE

/* What a row needs. */
struct row {
	const uint8_t *samples;    /* 8-bit samples, looked up in table */
	const int32_t *table;
	uint8_t       *out;
	uint32_t       bits;       /* of a dot */
	int16_t       *state1, *state2; /* rows[], in place */
};

/* Without a loop: where a compiler keeps the loop, it keeps the cache in memory, which takes
 * four times as long. */
INLINE void shift(int32_t window[5], int32_t next)
{
	window[0] = window[1];
	window[1] = window[2];
	window[2] = window[3];
	window[3] = window[4];
	window[4] = next;
}

#endif
