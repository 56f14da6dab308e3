/*
 * Dots as PBM or PGM: P4 for two levels, P5 with maxval n-1 for n levels.
 */
#ifndef RIP_PNM_LINES_H
#define RIP_PNM_LINES_H

#include <stddef.h>
#include <stdint.h>

#define RIP_PNM_HEADER_MAX 64

/* Writes the header of a file, at most RIP_PNM_HEADER_MAX bytes, and returns its size. */
size_t rip_pnm_header(uint32_t width, uint32_t height, uint32_t levels, char *header);

/* The bytes of a row in the file. */
size_t rip_pnm_line_size(uint32_t width, uint32_t levels);

/* Makes a row of the file from a row of dots (struct rip_strip in halftone/engine.h), and
 * returns its size. */
size_t rip_pnm_line(const uint8_t *dots, uint32_t width, uint32_t levels, uint8_t *line);

#endif
