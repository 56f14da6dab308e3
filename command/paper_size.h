/* Sizes of paper by name. */
#ifndef RIP_PAPER_SIZE_H
#define RIP_PAPER_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A paper by any of its names: a PPD's (A4, Letter, Env10), PWG's (iso_a4_210x297mm) or IPP's
 * old one (na-letter), without regard to case.  Its size is in hundredths of a millimetre.
 * false if libcups knows none. */
bool rip_paper_find(const char *text, size_t length, uint32_t *width, uint32_t *height);

/* Hundredths of a millimetre as pixels. */
uint64_t rip_paper_pixels(uint32_t length, uint64_t dpi);

#endif
