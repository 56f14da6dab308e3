/*
 * Dots of a page, and files of them: what the end-to-end tests compare.
 *
 * Each plane is an array of levels, one byte a dot.  A page grows when a dot is
 * set outside of it, for printer languages that do not say the size of a page.
 * Files are PREFIX-PAGE-PLANE.pbm (two levels; 1 is ink, or light in a light
 * space) or .pgm (more; the value is the level), pages and planes counted from 1.
 *
 * For test programs: any error ends the program with a message.
 */
#ifndef RIP_DOTS_H
#define RIP_DOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOTS_PLANES_MAX 16

struct dots {
	uint32_t width, height; /* of the page so far */
	uint32_t planes;
	uint32_t maximum;       /* the highest level */
	uint32_t pitch, rows;   /* allocated, of every plane */
	uint8_t *level[DOTS_PLANES_MAX];
};

/* An empty page. */
void dots_init(struct dots *page, uint32_t planes, uint32_t maximum);
void dots_finish(struct dots *page);

/* Makes the page at least that large. */
void dots_grow(struct dots *page, uint32_t width, uint32_t height);

void dots_set(struct dots *page, uint32_t plane, uint32_t x, uint32_t y, unsigned level);

/* The level there: 0 outside. */
unsigned dots_get(const struct dots *page, uint32_t plane, uint32_t x, uint32_t y);

/* Draws the bits that are set of `bytes` bytes, most significant first. */
void dots_draw(struct dots *page, uint32_t plane, uint32_t x, uint32_t y, const uint8_t *bits,
	       size_t bytes);

void dots_write(const struct dots *page, const char *prefix, unsigned number);

/* Reads page `number` of a prefix; false if there is none. */
bool dots_read(struct dots *page, const char *prefix, unsigned number);

/* Ends the program with exit status 2. */
__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format, ...);

#endif
