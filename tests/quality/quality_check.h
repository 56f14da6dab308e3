/*
 * The test of the measures, and of the screens by them.
 */
#ifndef RIP_QUALITY_CHECK_H
#define RIP_QUALITY_CHECK_H

struct rip_engine;

/* 0, or 1 after a line on stderr for each bound that does not hold. */
int quality_check(struct rip_engine *engine);

#endif
