/* decode-dots FORMAT FILE PREFIX: the dots in a printer's data (decode.h). */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned data_byte(struct data *data)
{
	return *data_bytes(data, 1);
}

unsigned data_word(struct data *data)
{
	const uint8_t *b = data_bytes(data, 2);

	return b[0] | b[1] << 8;
}

const uint8_t *data_bytes(struct data *data, size_t count)
{
	const uint8_t *at = data->at;

	if ((size_t)(data->end - at) < count)
		die("%s ends in the middle of a command", data->name);
	data->at += count;
	return at;
}

void unpack_bits(const uint8_t **from, const uint8_t *end, uint8_t *to, size_t size)
{
	size_t done = 0;

	memset(to, 0, size);
	while (done < size && *from < end) {
		int head = (int8_t)*(*from)++;
		size_t count = head < 0 ? 1 - head : 1 + head;

		if (head == -128)
			continue;
		if (count > size - done || (head < 0 ? 1 : (ptrdiff_t)count) > end - *from)
			die("a run of %zu bytes does not fit into its line", count);
		if (head < 0)
			memset(to + done, *(*from)++, count);
		else
			memcpy(to + done, *from, count), *from += count;
		done += count;
	}
}

void page_done(struct dots *page, const char *prefix, unsigned number, unsigned copies)
{
	printf("page %u: %u x %u dots, %u planes, %u levels, %u copies\n", number, page->width,
	       page->height, page->planes, page->maximum + 1, copies);
	dots_write(page, prefix, number);
	dots_finish(page);
}

static const struct {
	const char *name;
	unsigned (*decode)(struct data *data, const char *prefix);
} formats[] = {
	{ "pcl", decode_pcl },
	{ "escp", decode_escp },
	{ "zpl", decode_zpl },
	{ "raster", decode_raster },
};

static struct data read_file(const char *name)
{
	struct data data = { .name = name };
	FILE *file = fopen(name, "rb");
	uint8_t *bytes;
	long size;

	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
		die("%s cannot be read", name);
	rewind(file);
	bytes = malloc(size + 1);
	if (!bytes || fread(bytes, 1, size, file) != (size_t)size)
		die("%s cannot be read", name);
	fclose(file);
	data.at = bytes;
	data.end = bytes + size;
	return data;
}

int main(int argc, char **argv)
{
	if (argc == 4)
		for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++)
			if (!strcmp(argv[1], formats[f].name)) {
				struct data data = read_file(argv[2]);
				const uint8_t *bytes = data.at;

				printf("%u pages\n", formats[f].decode(&data, argv[3]));
				free((void *)bytes);
				return 0;
			}
	die("usage: decode-dots pcl|escp|zpl|raster FILE PREFIX");
}
