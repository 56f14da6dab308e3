/* Objects of libriptide for its tests. */
#ifndef RIP_LIBRARY_OBJECT_H
#define RIP_LIBRARY_OBJECT_H

#include "lib/riptide.h"
#include "tests/tools/common.h"

static const struct riptide_config here = { .size = sizeof here, .socket = "none", .threads = 2 };
static const struct riptide_config alone = { .size = sizeof alone, .socket = "none", .threads = 1 };

static inline struct riptide *new_riptide(const struct riptide_config *config)
{
	struct riptide *r;

	assert_int_equal(riptide_new(config, &r), 0);
	return r;
}

/* For AUTO(). */
static inline void free_riptide(struct riptide **r)
{
	riptide_free(*r);
}

#endif
