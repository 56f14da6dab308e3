/*
 * Transparent rows: rows whose x are all 0 or 65535.  Errors cannot change their dots, and
 * the carry passes through them unchanged, so they never reach an engine.  White paper costs
 * only this check, and errors are not smeared through it.
 */
#ifndef RIP_TRANSPARENT_H
#define RIP_TRANSPARENT_H

#include "tone.h"

/* Whether a row of width samples is transparent.  If it is, its dots are written,
 * rip_dot_bytes() bytes: level n-1 where x is full, else 0; unused bits 0.  If not,
 * these bytes are undefined. */
bool rip_row_transparent(const struct rip_tone *tone, const void *row, uint32_t width,
			 uint8_t *dots);

#endif
