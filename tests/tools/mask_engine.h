/*
 * An engine for tests whose screen is a threshold mask: no carry, and dots that depend on
 * the absolute row.  8-bit samples, two levels; strips must have row numbers.
 */
#ifndef TESTS_MASK_ENGINE_H
#define TESTS_MASK_ENGINE_H

#include "halftone/engine.h"

/* The screen: reach 0. */
extern const struct rip_screen mask_screen;

/* The dot of a sample at a place of the page. */
bool mask_dot(uint32_t row, uint32_t column, uint8_t sample);

/* Makes an engine that takes pages with mask_screen and no others; NULL: no memory. */
struct rip_engine *mask_engine_new(void);

#endif
