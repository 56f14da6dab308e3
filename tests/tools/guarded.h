/* Memory between two pages that fault, so that every access outside it is noticed. */
#ifndef RIP_TEST_GUARDED_H
#define RIP_TEST_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct rip_guarded {
	uint8_t *bytes;
	uint8_t *map; /* with the pages that fault */
	size_t   map_size;
};

/* `size` bytes of zeros that end at a page that faults, or with `front` begin after one.  Ends
 * the program if there is no memory. */
static inline struct rip_guarded rip_guarded_new(size_t size, bool front)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page;
	struct rip_guarded g = { .map_size = inner + 2 * page };

	g.map = mmap(NULL, g.map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (g.map == MAP_FAILED || mprotect(g.map + page, inner, PROT_READ | PROT_WRITE) < 0) {
		perror("guarded memory");
		abort();
	}
	g.bytes = g.map + page + (front ? 0 : inner - size);
	return g;
}

static inline void rip_guarded_free(struct rip_guarded *g)
{
	munmap(g->map, g->map_size);
}

#endif
