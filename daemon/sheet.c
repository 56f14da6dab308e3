/* The page of a session, as the workers see it. */
#include "config.h"

#include "sheet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t rip_sheet_memory(const struct rip_page_spec *spec, uint32_t curve_values)
{
	/* Two carries, ours and the engine's, and the engine's row of targets or
	 * errors; the curve is copied by the engine too. */
	return (uint64_t)spec->planes * (2 * rip_carry_values(spec) * sizeof(int16_t) +
					 (uint64_t)spec->width * sizeof(int32_t)) +
	       2 * (uint64_t)curve_values * sizeof(uint16_t);
}

static void close_page(struct rip_sheet *sheet)
{
	if (sheet->page)
		sheet->page->engine->ops->close(sheet->page);
	sheet->page = NULL;
}

/* Opens the page in an engine, and brings it to where the last good band was. */
static int open_in(struct rip_sheet *sheet, struct rip_engine *engine)
{
	const size_t values = rip_carry_values(&sheet->spec);
	int r;

	close_page(sheet);
	r = engine->ops->open(engine, &sheet->spec, &sheet->page);
	for (uint32_t plane = 0; r == 0 && plane < sheet->spec.planes; plane++)
		r = engine->ops->import_carry(sheet->page, plane, sheet->carry + plane * values);
	if (r < 0)
		close_page(sheet);
	return r;
}

/* The engine failed, or cannot do this page: the other one goes on with it. */
static int fall_back(struct rip_sheet *sheet, int failure)
{
	if (sheet->engine == sheet->fallback)
		return failure;
	if (failure == -ENOTSUP || failure == -ENOMEM) {
		sheet->declined = failure;
	} else {
		sheet->failed = sheet->engine;
		sheet->failure = failure;
	}
	sheet->engine = sheet->fallback;
	return open_in(sheet, sheet->engine);
}

/* Start carries, in private memory: nobody can change them after the check. */
static int start_carries(struct rip_sheet *sheet, const struct rip_page_message *message)
{
	const size_t values = rip_carry_values(&sheet->spec);
	int r = 0;

	if (message->start == RIP_PAGE_CARRY)
		memcpy(sheet->carry, sheet->ring.in + message->carry_offset,
		       sheet->spec.planes * values * sizeof *sheet->carry);
	for (uint32_t plane = 0; r == 0 && plane < sheet->spec.planes; plane++) {
		int16_t *carry = sheet->carry + plane * values;

		if (message->start == RIP_PAGE_CARRY)
			r = rip_carry_check(&sheet->spec, carry);
		else
			rip_carry_start(&sheet->spec, plane, message->start == RIP_PAGE_NOISE
					? RIP_START_NOISE : RIP_START_ZERO, carry);
	}
	return r;
}

static void free_page(struct rip_sheet *sheet)
{
	close_page(sheet);
	free(sheet->curve);
	free(sheet->carry);
	sheet->curve = NULL;
	sheet->carry = NULL;
}

int rip_sheet_begin(struct rip_sheet *sheet, const struct rip_page_message *message,
		    const struct rip_page_spec *spec)
{
	int r = -ENOMEM;

	free_page(sheet);
	sheet->declined = 0;
	sheet->spec = *spec;
	sheet->carry = malloc(spec->planes * rip_carry_values(spec) * sizeof *sheet->carry);
	if (!sheet->carry)
		goto fail;
	if (message->curve_values) {
		const size_t size = message->curve_values * sizeof *sheet->curve;

		sheet->curve = malloc(size);
		if (!sheet->curve)
			goto fail;
		memcpy(sheet->curve, sheet->ring.in + message->curve_offset, size);
	}
	sheet->spec.curve = sheet->curve;
	r = start_carries(sheet, message);
	if (r == 0) {
		r = open_in(sheet, sheet->engine);
		if (r < 0)
			r = fall_back(sheet, r);
	}
	if (r == 0)
		return 0;
fail:
	free_page(sheet);
	return r;
}

/* One band in the page that is open.  The carries that it leaves are kept only
 * when all of it went well. */
static int run_band(struct rip_sheet *sheet, const struct rip_band_message *band)
{
	const struct rip_engine_ops *ops = sheet->page->engine->ops;
	const size_t values = rip_carry_values(&sheet->spec);
	struct rip_strip strips[RIP_PLANES_MAX];
	int r;

	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *strip = &band->strips[i];

		strips[i] = (struct rip_strip){
			.plane = strip->plane,
			.rows = strip->rows,
			.in = sheet->ring.in + strip->in_offset,
			.in_pitch = strip->in_pitch,
			.out = sheet->ring.out + strip->out_offset,
			.out_pitch = strip->out_pitch,
		};
	}
	r = ops->push(sheet->page, strips, band->count);
	if (r == 0)
		r = ops->pull(sheet->page);
	/* Into the ring first: should the engine fail half-way through, ours are whole. */
	for (uint32_t i = 0; r == 0 && i < band->count; i++)
		r = ops->export_carry(sheet->page, band->strips[i].plane,
				      (int16_t *)(void *)(sheet->ring.out +
							  band->strips[i].carry_offset));
	for (uint32_t i = 0; r == 0 && i < band->count; i++)
		memcpy(sheet->carry + band->strips[i].plane * values,
		       sheet->ring.out + band->strips[i].carry_offset, values * sizeof *sheet->carry);
	return r;
}

int rip_sheet_band(struct rip_sheet *sheet, const struct rip_band_message *band)
{
	int r;

	/* No engine could go on with an earlier band, and the loop has yet to hear of it. */
	if (!sheet->page)
		return -ENODEV;
	r = run_band(sheet, band);
	if (r < 0) {
		r = fall_back(sheet, r);
		if (r == 0)
			r = run_band(sheet, band);
	}
	return r;
}

void rip_sheet_finish(struct rip_sheet *sheet)
{
	free_page(sheet);
	rip_ring_finish(&sheet->ring);
}
