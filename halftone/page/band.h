/*
 * A band: the next rows of a page, all planes, on their way to dots.
 *
 * The caller puts rows in, plane by plane; the band checks each row while it is in
 * the cache.  A transparent row becomes dots at once and is dropped.  A grey row is
 * kept, right behind the grey rows before it.  The grey rows are strips for an engine.
 * Afterwards rip_band_dots() gives the dots of every row.
 *
 *	rip_band_reset(b, row);
 *	for each row: for each plane: fill rip_band_row(b, p); rip_band_commit(b, p);
 *	n = rip_band_strips(b, strips); push(strips, n); pull();
 *	for each row: for each plane: write rip_band_dots(b, p, row);
 *
 * Where the screen couples the planes (engine.h), a row is dropped when it is transparent in all of
 * them, and the strips are all planes or none.  So the planes get the same rows, and all of them
 * before rip_band_strips().
 *
 * A band keeps its input until reset, so it can be halftoned again from the
 * same carry by another engine.  Used by one thread at a time.
 *
 * Its grey rows may lie in memory that others write too, such as a ring (wire/ring.h): a row is
 * checked once, and whatever it becomes later, it stays a grey row or a transparent one.
 */
#ifndef RIP_BAND_H
#define RIP_BAND_H

#include <stdbool.h>

#include "halftone/engine.h"

struct rip_band;

/* A band for up to `rows` rows of a page with this spec (the curve is copied).
 * 0, -EINVAL or -ENOMEM. */
int  rip_band_new(const struct rip_page_spec *spec, uint32_t rows, struct rip_band **band);
void rip_band_free(struct rip_band *band); /* NULL is allowed */

/* Bytes that a band of that many rows takes. */
uint64_t rip_band_size(const struct rip_page_spec *spec, uint32_t rows);

/* Bytes from one grey row of a plane to the next, and those that all rows of all planes take. */
size_t rip_band_pitch(const struct rip_page_spec *spec);
size_t rip_band_room_size(const struct rip_page_spec *spec, uint32_t rows);

/* Empties the band.  Its next rows are those from first_row (0-based) on of the page, in
 * every plane that rows are put into. */
void rip_band_reset(struct rip_band *band, uint32_t first_row);

/* The same for one plane, where the planes begin with different rows. */
void rip_band_start_plane(struct rip_band *band, uint32_t plane, uint32_t first_row);

/* For a band without rows: keeps its grey rows in this memory of rip_band_room_size() bytes (from a
 * multiple of 64 on) instead of its own, until the next reset. */
void rip_band_move_to(struct rip_band *band, void *memory);

/* Copies the rows that it has there into its own memory, and keeps the next ones there too. */
void rip_band_move_back(struct rip_band *band);

/* Lines of chunked pixels can be kept as they are, for an engine that takes them: in memory of
 * rip_band_pixels_size() bytes, from a multiple of 64 on, until the next reset.  Then all planes
 * get their rows at once, line by line, and only lines in which a plane is grey stay.
 * rip_band_move_back() makes rows of planes of them.  pitch, step, limit: as in struct
 * rip_pixels. */
size_t rip_band_pixels_size(const struct rip_page_spec *spec, uint32_t rows, size_t pitch);
void rip_band_move_to_pixels(struct rip_band *band, void *memory, size_t pitch, uint32_t step,
			     const struct rip_ink_limit *limit);

/* Where the next line goes; the others that still fit may follow it without a gap.  NULL: the band
 * takes rows of planes. */
void *rip_band_line(struct rip_band *band, uint32_t *room);

/* Commits lines that lie there.  Also after rip_band_move_back(): then they become rows. */
void rip_band_commit_lines(struct rip_band *band, const void *lines, size_t pitch, uint32_t step,
			   uint32_t count);

/* Where the next row of a plane goes: width samples.  The address stays the same until
 * the row is committed. */
void *rip_band_row(struct rip_band *band, uint32_t plane);

/* How many rows may be put there at once, contiguously: those that still fit, or 1 where
 * rows of this width should not be contiguous; 0: the band is full.  rip_band_commit_rows() copies
 * no rows, except those behind a transparent row. */
uint32_t rip_band_room(const struct rip_band *band, uint32_t plane);

/* Commits the row, or this number of rows, at rip_band_row(). */
void rip_band_commit(struct rip_band *band, uint32_t plane);
void rip_band_commit_rows(struct rip_band *band, uint32_t plane, uint32_t rows);

/* The same for rows that lie elsewhere, `pitch` bytes from one to the next (16-bit rows aligned to
 * 2).  The grey ones are copied. */
void rip_band_put_rows(struct rip_band *band, uint32_t plane, const void *rows, ptrdiff_t pitch,
		       uint32_t count);

/* The same without a copy, for a plane that has no rows in the band: false, and nothing done, if
 * one is transparent, or the screen couples the planes.  The rows stay where they are until the
 * band has its dots; no more rows may be put into the plane. */
bool rip_band_lend_rows(struct rip_band *band, uint32_t plane, const void *rows, ptrdiff_t pitch,
			uint32_t count);

/* Rows committed so far in plane 0, and how many fit. */
uint32_t rip_band_rows(const struct rip_band *band);
uint32_t rip_band_capacity(const struct rip_band *band);

/* Makes strips of rows of planes out of strips of pixels, in memory of rip_pixels_split_size()
 * bytes, from a multiple of 64 on. */
size_t rip_pixels_split_size(const struct rip_page_spec *spec, const struct rip_strip *strips,
			     unsigned count);
void rip_pixels_split(const struct rip_page_spec *spec, struct rip_strip *strips, unsigned count,
		      void *memory);

/* The grey rows as at most `planes` strips with row numbers, one for each plane that has
 * any.  Returns how many; 0: nothing for an engine to do.  What the strips point to is
 * the band's. */
unsigned rip_band_strips(struct rip_band *band, struct rip_strip *strips);

/* The dots of a row (0-based, as committed), rip_dot_bytes() bytes. */
const uint8_t *rip_band_dots(const struct rip_band *band, uint32_t plane, uint32_t row);

#endif
