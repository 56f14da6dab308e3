/*
 * RIPTIDE_ISA_MASK of the environment: the limit of the instruction sets.  For the main() of our
 * programs only: a library neither reads its host's environment nor writes to its standard error.
 */
#ifndef RIP_ISA_ENVIRONMENT_H
#define RIP_ISA_ENVIRONMENT_H

#include <stdio.h>
#include <stdlib.h>

#include "halftone/simd/isa.h"

/* A wrong mask is reported: a test that used it would test the wrong code. */
static inline void rip_isa_limit_from_environment(void)
{
	const char *mask = getenv("RIPTIDE_ISA_MASK");

	if (!mask || !*mask || rip_isa_limit(mask) == 0)
		return;
	fprintf(stderr, "RIPTIDE_ISA_MASK=%s is ignored: it must be", mask);
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		fprintf(stderr, "%s %s",
			isa == rip_isas ? "" : isa[1].name ? "," : " or", isa->name);
	fputc('\n', stderr);
}

#endif
