/*
 * ZPL II: ~DG brings an image in hexadecimal digits, run lengths before them (G
 * to Y are 1 to 19, g to z are 20 to 400), a comma for a row's rest of zeros,
 * an exclamation mark for ones, a colon for the row above; ^XG in a format
 * prints it, ^PQ that many times.
 */
#include "decode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned number(struct data *data)
{
	unsigned value = 0;

	if (data->at == data->end || !isdigit(*data->at))
		die("%s: a number is missing", data->name);
	while (data->at < data->end && isdigit(*data->at))
		value = 10 * value + data_byte(data) - '0';
	return value;
}

static void expect(struct data *data, const char *text)
{
	if (memcmp(data_bytes(data, strlen(text)), text, strlen(text)))
		die("%s: %s is missing", data->name, text);
}

static int digit(unsigned c)
{
	return isdigit(c) ? (int)c - '0' : c >= 'A' && c <= 'F' ? (int)c - 'A' + 10 : -1;
}

/* One row of bytes; `row` has the one above. */
static void read_row(struct data *data, uint8_t *row, size_t bytes)
{
	size_t done = 0, run = 0;

	while (done < 2 * bytes) {
		unsigned c = data_byte(data);
		int value = digit(c);

		if (c == ':' && !done && !run)
			return;
		if (c == '\n' || c == '\r')
			continue;
		if (c >= 'G' && c <= 'Y') {
			run += c - 'F';
			continue;
		}
		if (c >= 'g' && c <= 'z') {
			run += 20 * (c - 'f');
			continue;
		}
		if (c == ',' || c == '!') {
			value = c == '!' ? 15 : 0;
			run = 2 * bytes - done;
		}
		if (value < 0)
			die("%s: %c in an image", data->name, c);
		for (run += !run; run; run--, done++) {
			if (done == 2 * bytes)
				die("%s: a run reaches over its row's end", data->name);
			if (done % 2)
				row[done / 2] = (row[done / 2] & 0xf0) | value;
			else
				row[done / 2] = value << 4;
		}
	}
}

static void read_image(struct data *data, struct dots *page)
{
	uint8_t *row;
	unsigned total, bytes;

	expect(data, "R:CUPS.GRF,");
	total = number(data);
	expect(data, ",");
	bytes = number(data);
	expect(data, ",");
	if (!bytes || total % bytes || !(row = calloc(1, bytes)))
		die("%s: an image of %u bytes in rows of %u", data->name, total, bytes);
	dots_init(page, 1, 1);
	dots_grow(page, 0, total / bytes);
	for (unsigned y = 0; y < total / bytes; y++) {
		read_row(data, row, bytes);
		dots_draw(page, 0, 0, y, row, bytes);
	}
	free(row);
}

unsigned decode_zpl(struct data *data, const char *prefix)
{
	struct dots page = { 0 };
	unsigned pages = 0, copies = 1;
	bool image = false;

	while (data->at < data->end) {
		char code[3] = { data_byte(data) };

		if (strchr("\r\n", code[0]))
			continue;
		if (code[0] != '^' && code[0] != '~')
			die("%s: %c after page %u is no ZPL of ours", data->name, code[0], pages);
		memcpy(code + 1, data_bytes(data, 2), 2);
		if (!memcmp(code, "~DG", 3)) {
			if (image)
				die("%s: page %u is not printed", data->name, pages + 1);
			read_image(data, &page);
			image = true;
			copies = 1;
		} else if (!memcmp(code, "^PW", 3)) {
			dots_grow(&page, number(data), 0);
		} else if (!memcmp(code, "^PQ", 3)) {
			copies = number(data);
		} else if (!memcmp(code, "^XG", 3)) {
			if (!image)
				die("%s: a label without an image", data->name);
			page_done(&page, prefix, ++pages, copies);
			image = false;
		}
		while (data->at < data->end && *data->at != '^' && *data->at != '~')
			data->at++;
	}
	if (image)
		die("%s: page %u is not printed", data->name, pages + 1);
	return pages;
}
