/* What plain C keeps in registers from pixel to pixel of a row: see diffuse.h. */
#ifndef RIP_DIFFUSE_CACHE_H
#define RIP_DIFFUSE_CACHE_H

#include <stdint.h>

/* The register cache of a row.  Indices of near[] and far[] are columns j-2 .. j+2; blue noise
 * says what they are there. */
struct rip_diffuser_cache {
	int32_t last, last2; /* errors of columns j-1 and j-2; or what they send to column j */
	int32_t next;        /* blue noise: what column j-1 sends to column j+1 */
	int32_t near[5];     /* EC: the row above; ED: what goes to the row below */
	int32_t far[5];      /* the same two rows away */
};

#endif
