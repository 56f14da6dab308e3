/*
 * ESC/P and ESC/P 2.  Raster (ESC .) as inkjets take it: colour by ESC r, light ones by ESC ( r,
 * vertical position in units that ESC ( U sets.  Bit images (ESC *) as 24-pin
 * printers take them: columns of 24 or 48 dots, vertical position in 1/360 inch,
 * horizontal in 1/60 inch; passes may overlap (shingling).
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct escp {
	struct data *data;
	struct dots  page;
	unsigned     unit;    /* of ESC ( v, in 1/3600 inch */
	unsigned     spacing; /* of a line feed, in 1/360 inch */
	unsigned     x, y;    /* 1/60 inch (bit images); units or 1/360 inch */
	unsigned     plane;
	bool         raster;  /* graphics mode of ESC/P 2 */
};

/* Bit images that we know: mode, dots an inch across and down, dots a column. */
static const struct { unsigned mode, across, down, rows; } images[] = {
	{ 39, 180, 180, 24 }, { 40, 360, 180, 24 }, { 41, 360, 180, 24 },
	{ 72, 360, 360, 48 }, { 73, 360, 360, 48 },
};

static void bit_image(struct escp *escp)
{
	unsigned mode = data_byte(escp->data), columns = data_word(escp->data), i = 0;

	while (i < sizeof(images) / sizeof(images[0]) && images[i].mode != mode)
		i++;
	if (i == sizeof(images) / sizeof(images[0]))
		die("bit image %u", mode);
	for (unsigned column = 0; column < columns; column++) {
		const uint8_t *bits = data_bytes(escp->data, images[i].rows / 8);

		for (unsigned row = 0; row < images[i].rows; row++)
			if (bits[row / 8] & 0x80 >> row % 8)
				dots_set(&escp->page, 0, escp->x * images[i].across / 60 + column,
					 escp->y * images[i].down / 360 + row, 1);
	}
}

static void raster_row(struct escp *escp)
{
	unsigned packed = data_byte(escp->data);
	unsigned down = data_byte(escp->data), across = data_byte(escp->data);
	unsigned rows = data_byte(escp->data), bytes = (data_word(escp->data) + 7) / 8;
	uint8_t *row = malloc(bytes);

	if (!row || packed > 1 || rows != 1 || down != escp->unit || !across)
		die("ESC . %u %u %u %u with units of %u", packed, down, across, rows, escp->unit);
	if (packed)
		unpack_bits(&escp->data->at, escp->data->end, row, bytes);
	else
		memcpy(row, data_bytes(escp->data, bytes), bytes);
	dots_draw(&escp->page, escp->plane, 0, escp->y, row, bytes);
	free(row);
}

/* From the first light ink on, a page has six planes. */
static void add_light_planes(struct dots *page)
{
	for (; page->planes < 6; page->planes++) {
		page->level[page->planes] = calloc((size_t)page->rows + 1, (size_t)page->pitch + 1);
		if (!page->level[page->planes])
			die("no memory for light inks");
	}
}

/* ESC ( X: a length and that many bytes. */
static void extended(struct escp *escp)
{
	char letter = data_byte(escp->data);
	unsigned length = data_word(escp->data);
	const uint8_t *bytes = data_bytes(escp->data, length);

	switch (letter) {
	case 'G':
		escp->raster = bytes[0];
		break;
	case 'U':
		if (length != 1)
			die("ESC ( U with %u bytes", length);
		escp->unit = bytes[0];
		break;
	case 'V':
		escp->y = bytes[0] | bytes[1] << 8;
		break;
	case 'v':
		escp->y += bytes[0] | bytes[1] << 8;
		break;
	case 'r': /* light magenta 1, light cyan 2 */
		if (length != 2 || bytes[0] != 1 || bytes[1] < 1 || bytes[1] > 2)
			die("ESC ( r with %u bytes", length);
		escp->plane = bytes[1] == 2 ? 4 : 5;
		add_light_planes(&escp->page);
		break;
	case 'C': /* page length */
	case 'c': /* margins */
		break;
	default:
		die("ESC ( %c", letter);
	}
}

static void escape(struct escp *escp)
{
	static const uint8_t planes[5] = { 0, 2, 1, 0, 3 }; /* of the colours 0 K, 1 M, 2 C, 4 Y */
	unsigned code = data_byte(escp->data), color;

	switch (code) {
	case '@': /* initialize */
		escp->x = escp->y = escp->plane = 0;
		escp->raster = false;
		break;
	case '(':
		extended(escp);
		break;
	case '.':
		raster_row(escp);
		break;
	case '*':
		bit_image(escp);
		break;
	case 'r':
		color = data_byte(escp->data);
		if (color > 4 || color == 3)
			die("colour %u", color);
		escp->plane = planes[color];
		break;
	case '$':
		escp->x = data_word(escp->data);
		break;
	case '+':
		escp->spacing = data_byte(escp->data);
		break;
	case '3':
		escp->spacing = 2 * data_byte(escp->data);
		break;
	case 'x': case 'U': case 'l': case 'Q': case 'C': case 'N': /* type, margins, length */
		data_byte(escp->data);
		break;
	case 'P': case '2': case 'O':
		break;
	default:
		die("ESC %c (%u)", code, code);
	}
}

unsigned decode_escp(struct data *data, const char *prefix)
{
	struct escp escp = { .data = data };
	unsigned pages = 0;

	dots_init(&escp.page, 4, 1);
	while (data->at < data->end) {
		unsigned byte = data_byte(data);

		switch (byte) {
		case 033:
			escape(&escp);
			break;
		case '\r':
			escp.x = 0;
			break;
		case '\n':
			escp.y += escp.spacing;
			escp.x = 0;
			break;
		case '\f':
			page_done(&escp.page, prefix, ++pages, 1);
			dots_init(&escp.page, 4, 1);
			escp.x = escp.y = 0;
			break;
		case 022: /* DC2: no condensed printing */
			break;
		default:
			die("%s: byte %u after page %u is no ESC/P of ours", data->name, byte,
			    pages);
		}
	}
	if (escp.page.height)
		die("%s: page %u is not ejected", data->name, pages + 1);
	dots_finish(&escp.page);
	return pages;
}
