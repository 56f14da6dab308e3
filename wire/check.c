/*
 * Checks of PAGE and BAND.
 *
 * All arithmetic is in 64 bits, and cannot overflow: rows and columns are below
 * 2^24, pitches below 2^32, planes at most 16, samples of a pixel at most 32, reach at most 2.
 */
#include "check.h"

#include <stdbool.h>

#include "system/refuse.h"

#define breach(reason, ...) \
	rip_refuse_as(RIP_VERDICT_BREACH, reason, RIP_REASON_MAX + 1, __VA_ARGS__)

/* Whether length bytes from offset lie within size bytes. */
static bool within(uint64_t offset, uint64_t length, uint64_t size)
{
	return length <= size && offset <= size - length;
}

uint32_t rip_page_message_pixel_bits(const struct rip_page_message *page)
{
	return page->ink_limit || page->pixel_curves ? 8 : page->sample_bits;
}

/* NULL, or what is wrong with that which pixels go through. */
static const char *check_limit(const struct rip_page_message *page,
			       const struct rip_ring_sizes *room)
{
	const uint64_t curves = (uint64_t)page->pixel_curves * 256 * sizeof(uint16_t);

	if (page->ink_limit > 65535 * page->planes)
		return "the ink limit is above the inks of all planes";
	if (page->black > page->planes)
		return "the plane of black does not exist";
	if (page->pixel_curves != 0 && page->pixel_curves != page->planes)
		return "only some planes have curves for pixels";
	if (curves && (page->pixel_offset % 2 || !within(page->pixel_offset, curves, room->in)))
		return "the curves for pixels are not within the ring";
	return NULL;
}

enum rip_verdict rip_check_page(const struct rip_page_message *page,
				const struct rip_ring_sizes *room,
				struct rip_page_spec *spec, char reason[RIP_REASON_MAX + 1])
{
	uint64_t carry, curve = (uint64_t)page->curve_values * sizeof(uint16_t);
	const char *wrong;

	*spec = (struct rip_page_spec){
		.width = page->width,
		.planes = page->planes,
		.levels = page->levels,
		.sample_bits = page->sample_bits,
		.screen = page->screen < RIP_SCREENS ? &rip_screens[page->screen] : NULL,
		.coupling = { .light = page->light != 0, .fade = page->fade },
	};
	for (uint32_t p = 0; p < RIP_PLANES_MAX; p++)
		spec->coupling.inks[p] = (enum rip_ink)(page->inks >> 4 * p & 15);
	if (!spec->screen)
		return rip_refuse_as(RIP_VERDICT_REFUSED, reason, RIP_REASON_MAX + 1,
				     "this daemon does not know screen %u", page->screen);
	if (rip_page_spec_check(spec) < 0)
		return breach(reason, "PAGE: out of range: %u columns, %u planes, %u levels, "
			      "%u bits a sample, screen %u, inks %llx, fade %u", page->width,
			      page->planes, page->levels, page->sample_bits, page->screen,
			      (unsigned long long)page->inks, page->fade);
	if (page->page < 1)
		return breach(reason, "PAGE: page is 0; numbering starts at 1");
	if (page->height > RIP_WIDTH_MAX)
		return breach(reason, "PAGE: %u rows exceed the limit of %u",
			      page->height, RIP_WIDTH_MAX);
	if (page->start > RIP_PAGE_CARRY)
		return breach(reason, "PAGE: unknown start %u", page->start);
	if (page->curve_values != 0 && page->curve_values != 1u << page->sample_bits)
		return breach(reason, "PAGE: a curve for %u-bit samples needs %u values, not %u",
			      page->sample_bits, 1u << page->sample_bits, page->curve_values);
	wrong = check_limit(page, room);
	if (wrong)
		return breach(reason, "PAGE: %s", wrong);

	carry = (uint64_t)spec->planes * rip_carry_values(spec) * sizeof(int16_t);
	if ((uint64_t)spec->planes * spec->width * (spec->sample_bits / 8) > room->in ||
	    (uint64_t)spec->planes * rip_dot_bytes(spec->width, spec->levels) + carry > room->out ||
	    (page->start == RIP_PAGE_CARRY && carry > room->in))
		return rip_refuse_as(RIP_VERDICT_REFUSED, reason, RIP_REASON_MAX + 1,
				     "one row of %u columns in %u planes does not fit the ring",
				     spec->width, spec->planes);
	if (curve && (page->curve_offset % 2 || !within(page->curve_offset, curve, room->in)))
		return breach(reason, "PAGE: the curve is not within the ring");
	if (page->start == RIP_PAGE_CARRY &&
	    (page->carry_offset % 2 || !within(page->carry_offset, carry, room->in)))
		return breach(reason, "PAGE: the start carries are not within the ring");
	return RIP_VERDICT_GOOD;
}

/* The bytes of a row of a strip in the input area, and from one to the next: in a band of pixels,
 * those of the number of its line. */
static uint64_t in_bytes_of(const struct rip_band_message *band, const struct rip_page_spec *spec)
{
	return band->lines ? sizeof(uint16_t) : (uint64_t)spec->width * (spec->sample_bits / 8);
}

/* NULL, or what is wrong with the lines of a band. */
static const char *check_lines(const struct rip_band_message *band,
			       const struct rip_page_spec *spec, uint32_t bits,
			       const struct rip_ring_sizes *room)
{
	const uint64_t bytes = (uint64_t)spec->width * band->step * (bits / 8);

	if (band->lines > RIP_PIXEL_LINES_MAX)
		return "too many lines";
	if (band->step < spec->planes || band->step > RIP_STEP_MAX)
		return "pixels of an invalid number of samples";
	if (band->line_pitch < bytes)
		return "a pitch shorter than a line";
	if (bits == 16 && (band->line_pitch % 2 || band->line_offset % 2))
		return "16-bit samples at an odd offset";
	if (!within(band->line_offset, (uint64_t)(band->lines - 1) * band->line_pitch + bytes,
		    room->in))
		return "samples outside the ring";
	return NULL;
}

/* NULL, or what is wrong with a strip. */
static const char *check_strip(const struct rip_band_message *band,
			       const struct rip_band_strip *strip,
			       const struct rip_page_spec *spec, const struct rip_ring_sizes *room)
{
	const uint64_t in_bytes = in_bytes_of(band, spec);
	const uint64_t out_bytes = rip_dot_bytes(spec->width, spec->levels);
	const uint64_t carry_bytes = (uint64_t)rip_carry_values(spec) * sizeof(int16_t);

	if (strip->rows < 1 || strip->rows > RIP_WIDTH_MAX)
		return "an invalid number of rows";
	if (band->lines && strip->rows > band->lines)
		return "more rows than there are lines";
	if (strip->in_pitch < in_bytes || strip->out_pitch < out_bytes)
		return "a pitch shorter than a row";
	if (band->lines && (strip->in_pitch != in_bytes || strip->in_offset % 2))
		return "numbers of lines at an odd offset, or apart";
	if (spec->sample_bits == 16 && (strip->in_pitch % 2 || strip->in_offset % 2))
		return "16-bit samples at an odd offset";
	if (!within(strip->in_offset, (uint64_t)(strip->rows - 1) * strip->in_pitch + in_bytes,
		    room->in))
		return "samples outside the ring";
	if (!within(strip->out_offset, (uint64_t)(strip->rows - 1) * strip->out_pitch + out_bytes,
		    room->out))
		return "dots outside the ring";
	if (strip->carry_offset % 2 || !within(strip->carry_offset, carry_bytes, room->out))
		return "a carry outside the ring";
	return NULL;
}

/* Bytes in an area of the ring. */
struct extent {
	uint64_t begin, end;
	uint32_t strip;
};

/* Whether one of `count` extents overlaps one before it: then *a and *b are their strips.
 * An empty one, as the carry of a screen without any, overlaps nothing. */
static bool overlap(const struct extent *extents, unsigned count, uint32_t *a, uint32_t *b)
{
	for (unsigned i = 1; i < count; i++)
		for (unsigned k = 0; k < i; k++)
			if (extents[i].begin < extents[k].end &&
			    extents[k].begin < extents[i].end &&
			    extents[i].begin < extents[i].end &&
			    extents[k].begin < extents[k].end) {
				*a = extents[k].strip;
				*b = extents[i].strip;
				return true;
			}
	return false;
}

/* Strips must not overlap.  In the input area, because then a small ring could demand any
 * amount of work (a band of pixels cannot, since no strip has more rows than there are lines); in
 * the output area, because the result would depend on the order. */
static bool strips_overlap(const struct rip_band_message *band, const struct rip_page_spec *spec,
			   uint32_t *a, uint32_t *b)
{
	const uint64_t in_bytes = in_bytes_of(band, spec);
	const uint64_t out_bytes = rip_dot_bytes(spec->width, spec->levels);
	const uint64_t carry_bytes = (uint64_t)rip_carry_values(spec) * sizeof(int16_t);
	struct extent in[RIP_PLANES_MAX], out[2 * RIP_PLANES_MAX];

	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *strip = &band->strips[i];
		const uint64_t more = strip->rows - 1;

		in[i] = (struct extent){ strip->in_offset,
					 strip->in_offset + more * strip->in_pitch + in_bytes, i };
		out[2 * i] = (struct extent){ strip->out_offset, strip->out_offset +
					      more * strip->out_pitch + out_bytes, i };
		out[2 * i + 1] = (struct extent){ strip->carry_offset,
						  strip->carry_offset + carry_bytes, i };
	}
	return (!band->lines && overlap(in, band->count, a, b)) ||
	       overlap(out, 2 * band->count, a, b);
}

/* Whether coupled planes come as an engine gets them (rip_strips_check()). */
static bool are_together(const struct rip_band_message *band, const struct rip_page_spec *spec)
{
	if (!rip_screen_couples(spec->screen))
		return true;
	for (uint32_t i = 0; i < band->count; i++)
		if (band->strips[i].plane != i || band->strips[i].rows != band->strips[0].rows)
			return false;
	return band->count == spec->planes;
}

enum rip_verdict rip_check_band(const struct rip_band_message *band,
				const struct rip_page_spec *spec, uint32_t pixel_bits,
				const struct rip_ring_sizes *room, uint64_t *samples,
				char reason[RIP_REASON_MAX + 1])
{
	uint64_t rows = 0;
	uint32_t seen = 0, a, b;
	const char *wrong;

	*samples = 0;
	if (band->count < 1 || band->count > spec->planes)
		return breach(reason, "BAND: %u strips for %u planes", band->count, spec->planes);
	wrong = band->lines ? check_lines(band, spec, pixel_bits, room) : NULL;
	if (wrong)
		return breach(reason, "BAND: there are %s", wrong);
	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *strip = &band->strips[i];

		if (strip->plane >= spec->planes || seen & 1u << strip->plane)
			return breach(reason, "BAND: strip %u is of plane %u, which is unknown or "
				      "appears twice", i, strip->plane);
		seen |= 1u << strip->plane;
		wrong = check_strip(band, strip, spec, room);
		if (wrong)
			return breach(reason, "BAND: strip %u has %s", i, wrong);
		*samples += (uint64_t)strip->rows * spec->width;
		rows += strip->rows;
	}
	if (!are_together(band, spec))
		return breach(reason, "BAND: the strips of coupled planes must be all planes, in "
			      "their order, with the same rows");
	if (rows > RIP_BAND_ROWS_MAX)
		return breach(reason, "BAND: %llu rows in its strips, at most %u are allowed",
			      (unsigned long long)rows, RIP_BAND_ROWS_MAX);
	if (strips_overlap(band, spec, &a, &b))
		return breach(reason, a == b ? "BAND: the dots and the carry of strip %u overlap"
					     : "BAND: strips %u and %u overlap", a, b);
	return RIP_VERDICT_GOOD;
}
