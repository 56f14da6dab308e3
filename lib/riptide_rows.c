/* The rows of a page of riptide.h, and facts. */
#include "config.h"

#include "riptide_object.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tone/preset.h"

/* Whether the page can take or give rows of a plane. */
static int check_plane(struct riptide *riptide, uint32_t plane)
{
	if (!riptide)
		return rip_riptide_fail(NULL, -EINVAL, "there is no object");
	if (!riptide->open)
		return rip_riptide_fail(riptide, -EINVAL, "no page is begun");
	if (plane >= riptide->spec.planes)
		return rip_riptide_fail(riptide, -EINVAL, "plane %u: the page has %u", plane,
					riptide->spec.planes);
	/* Not logged: the reason of the loss was. */
	if (riptide->lost)
		snprintf(riptide->error, sizeof riptide->error, "the page is lost: %s",
			 strerror(-riptide->lost));
	return riptide->lost;
}

static size_t row_bytes(const struct riptide *riptide)
{
	return (size_t)riptide->spec.width * (riptide->spec.sample_bits / 8);
}

void *riptide_place(struct riptide *riptide, uint32_t plane, uint32_t *rows)
{
	void *at;
	int r;

	if (!rows) {
		rip_riptide_fail(riptide, -EINVAL, "there is no place for the number of rows");
		return NULL;
	}
	r = check_plane(riptide, plane);
	if (r == 0)
		r = rip_row_flow_place(&riptide->flow, plane, false, &at, rows);
	if (r == -EINVAL && riptide && riptide->open && plane < riptide->spec.planes &&
	    !riptide->lost)
		rip_riptide_fail(riptide, r, "plane %u has all of its %u rows", plane,
				 riptide->flow.pushed[plane]);
	else if (r < 0 && r != -EINVAL && !riptide->lost)
		rip_riptide_lose(riptide, r);
	if (r != 0) {
		*rows = r < 0;
		return NULL;
	}
	if (!riptide->staging)
		return at;
	*rows = 1;
	return riptide->staging + plane * row_bytes(riptide);
}

/* How many rows may be pushed from the place of riptide_place(); 0: the samples lie elsewhere. */
static uint32_t room_at(const struct riptide *riptide, uint32_t plane, const void *samples)
{
	if (riptide->staging)
		return samples == riptide->staging + plane * row_bytes(riptide);
	return rip_row_flow_room(&riptide->flow, plane, samples);
}

/* Pushes a row of samples whose curve is applied here. */
static int push_curved(struct riptide *riptide, uint32_t plane, const void *samples)
{
	uint32_t rows;
	void *at;
	int r = rip_row_flow_place(&riptide->flow, plane, true, &at, &rows);

	if (r < 0)
		return r;
	rip_plane_curves_row(&riptide->curves, plane, riptide->spec.sample_bits, samples,
			     riptide->spec.width, at);
	return rip_row_flow_commit(&riptide->flow, plane, 1);
}

int riptide_push(struct riptide *riptide, uint32_t plane, const void *samples, ptrdiff_t pitch,
		 uint32_t rows)
{
	const uint8_t *from = samples;
	uint32_t room, most;
	int r = check_plane(riptide, plane);

	if (r < 0 || rows == 0)
		return r;
	if (!samples)
		return rip_riptide_fail(riptide, -EINVAL, "plane %u: %u rows are pushed from NULL",
					plane, rows);
	most = riptide->flow.height ? riptide->flow.height : RIP_WIDTH_MAX;
	if (rows > most - riptide->flow.pushed[plane])
		return rip_riptide_fail(riptide, -EINVAL,
					"plane %u: %u rows are pushed after %u, and the page %s %u",
					plane, rows, riptide->flow.pushed[plane],
					riptide->flow.height ? "has" : "can have", most);
	room = room_at(riptide, plane, from);
	if (room > 0 && rows > room)
		return rip_riptide_fail(riptide, -EINVAL,
					"plane %u: %u rows are pushed from a place for %u",
					plane, rows, room);
	if (room == 0 && riptide->spec.sample_bits == 16 && ((uintptr_t)from | (size_t)pitch) & 1)
		return rip_riptide_fail(riptide, -EINVAL, "plane %u: samples of 16 bits are pushed "
					"from an odd address or with an odd pitch", plane);
	if (pitch == 0)
		pitch = (ptrdiff_t)row_bytes(riptide);
	if (riptide->staging)
		for (; r == 0 && rows > 0; rows--, from += pitch)
			r = push_curved(riptide, plane, from);
	else if (room > 0)
		r = rip_row_flow_commit(&riptide->flow, plane, rows);
	else
		r = rip_row_flow_put(&riptide->flow, plane, from, pitch, rows);
	return r < 0 ? rip_riptide_lose(riptide, r) : 0;
}

int riptide_flush(struct riptide *riptide)
{
	int r = check_plane(riptide, 0);

	if (r == 0)
		r = rip_row_flow_flush(&riptide->flow);
	if (r < 0 && riptide && !riptide->lost && riptide->open)
		return rip_riptide_lose(riptide, r);
	return r;
}

const void *riptide_peek(struct riptide *riptide, uint32_t plane)
{
	return check_plane(riptide, plane) < 0 ? NULL : rip_row_flow_dots(&riptide->flow, plane);
}

int riptide_pull(struct riptide *riptide, uint32_t plane, void *dots, ptrdiff_t pitch,
		 uint32_t rows)
{
	uint8_t *to = dots;
	uint32_t done = 0;
	size_t bytes;
	int r = check_plane(riptide, plane);

	if (r < 0)
		return r;
	bytes = rip_dot_bytes(riptide->spec.width, riptide->spec.levels);
	if (pitch == 0)
		pitch = (ptrdiff_t)bytes;
	for (; done < rows; done++) {
		const uint8_t *row = rip_row_flow_dots(&riptide->flow, plane);

		if (!row)
			break;
		if (to)
			memcpy(to + (ptrdiff_t)done * pitch, row, bytes);
		rip_row_flow_take(&riptide->flow, plane);
	}
	return (int)done;
}

/* ---- facts ---- */

size_t riptide_dot_bytes(uint32_t width, uint32_t levels)
{
	return rip_dot_bytes(width, levels);
}

const char *riptide_screen_name(uint32_t number)
{
	return rip_screen_choice(number);
}

const char *riptide_preset_name(uint32_t number)
{
	for (uint32_t i = 0; rip_printer_names[i]; i++)
		if (i == number)
			return rip_printer_names[i];
	return NULL;
}

const char *riptide_version(void)
{
	return PACKAGE_VERSION;
}
