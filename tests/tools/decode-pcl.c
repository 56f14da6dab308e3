/*
 * PCL 5 raster graphics: ESC * t R (resolution), * r U (planes), * r S, * r T
 * (size), * r A (start), * b M (compression: 0 none, 1 run length, 2 PackBits,
 * 3 delta row), * b Y (skip), * b V and * b W (a plane; the last of a row),
 * * r B, * r C (end); and * g W, which tells a DeskJet its planes.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pcl {
	struct data *data;
	struct dots  page;
	unsigned     copies;
	unsigned     planes;      /* 1, 3 or 4 */
	unsigned     width, height;
	unsigned     mode;        /* compression */
	unsigned     plane, row;  /* which comes next */
	bool         graphics;    /* between start and end */
	uint8_t     *seed[4];     /* the row before, for delta rows */
	size_t       seed_size;
};

static void clear_seeds(struct pcl *pcl)
{
	for (unsigned p = 0; p < 4; p++)
		memset(pcl->seed[p], 0, pcl->seed_size);
}

static void delta_row(const uint8_t *from, const uint8_t *end, uint8_t *row, size_t size)
{
	size_t at = 0;

	while (from < end) {
		unsigned head = *from++, count = (head >> 5) + 1, more;

		at += head & 31;
		if ((head & 31) == 31)
			do {
				more = from < end ? *from++ : 0;
				at += more;
			} while (more == 255);
		if (at + count > size || count > (size_t)(end - from))
			die("a delta row reaches over its end");
		memcpy(row + at, from, count);
		at += count;
		from += count;
	}
}

static void run_lengths(const uint8_t *from, const uint8_t *end, uint8_t *row, size_t size)
{
	size_t at = 0;

	memset(row, 0, size);
	for (; end - from >= 2; from += 2, at += from[-2] + 1) {
		if (at + from[0] + 1 > size)
			die("a run reaches over its row's end");
		memset(row + at, from[1], from[0] + 1);
	}
}

static void plane_data(struct pcl *pcl, size_t count, bool last)
{
	const uint8_t *from = data_bytes(pcl->data, count), *end = from + count;
	uint8_t *row;

	if (!pcl->graphics || pcl->plane >= pcl->planes)
		die("plane %u of %u, graphics %s", pcl->plane + 1, pcl->planes,
		    pcl->graphics ? "on" : "off");
	row = pcl->seed[pcl->plane];
	switch (pcl->mode) {
	case 0:
		if (count > pcl->seed_size)
			die("a row of %zu bytes", count);
		memset(row, 0, pcl->seed_size);
		memcpy(row, from, count);
		break;
	case 1:
		run_lengths(from, end, row, pcl->seed_size);
		break;
	case 2:
		unpack_bits(&from, end, row, pcl->seed_size);
		if (from != end)
			die("a row is longer than the page is wide");
		break;
	case 3:
		delta_row(from, end, row, pcl->seed_size);
		break;
	default:
		die("compression mode %u", pcl->mode);
	}
	dots_draw(&pcl->page, pcl->plane, 0, pcl->row, row, pcl->seed_size);
	pcl->plane++;
	if (last) {
		if (pcl->plane != pcl->planes)
			die("a row with %u of %u planes", pcl->plane, pcl->planes);
		pcl->plane = 0;
		pcl->row++;
	}
}

static void start_graphics(struct pcl *pcl)
{
	pcl->seed_size = pcl->width ? (pcl->width + 7) / 8 : 8192;
	for (unsigned p = 0; p < 4; p++) {
		pcl->seed[p] = calloc(1, pcl->seed_size);
		if (!pcl->seed[p])
			die("no memory");
	}
	dots_init(&pcl->page, pcl->planes, 1);
	dots_grow(&pcl->page, pcl->width, pcl->height);
	pcl->plane = pcl->row = pcl->mode = 0;
	pcl->graphics = true;
}

static void end_graphics(struct pcl *pcl, const char *prefix, unsigned number)
{
	if (pcl->plane || (pcl->height && pcl->row > pcl->height))
		die("page %u ends in plane %u of row %u of %u", number, pcl->plane + 1, pcl->row,
		    pcl->height);
	pcl->graphics = false;
	for (unsigned p = 0; p < 4; p++)
		free(pcl->seed[p]);
	page_done(&pcl->page, prefix, number, pcl->copies);
	pcl->width = pcl->height = 0;
	pcl->planes = 1;
}

/* One parameter of an escape sequence; true at the end of a page's graphics. */
static bool command(struct pcl *pcl, const char group[2], int value, char letter)
{
	unsigned number = abs(value);

	switch (group[0] << 16 | group[1] << 8 | letter) {
	case '*' << 16 | 'r' << 8 | 'U':
		pcl->planes = number;
		break;
	case '*' << 16 | 'r' << 8 | 'S':
		pcl->width = number;
		break;
	case '*' << 16 | 'r' << 8 | 'T':
		pcl->height = number;
		break;
	case '*' << 16 | 'r' << 8 | 'A':
		start_graphics(pcl);
		break;
	case '*' << 16 | 'r' << 8 | 'B':
	case '*' << 16 | 'r' << 8 | 'C':
		return true;
	case '*' << 16 | 'b' << 8 | 'M':
		pcl->mode = number;
		break;
	case '*' << 16 | 'b' << 8 | 'Y':
		pcl->row += number;
		clear_seeds(pcl);
		break;
	case '*' << 16 | 'b' << 8 | 'V':
	case '*' << 16 | 'b' << 8 | 'W':
		plane_data(pcl, number, letter == 'W');
		break;
	case '*' << 16 | 'g' << 8 | 'W': /* format 2: planes, then their resolutions */
		pcl->planes = data_bytes(pcl->data, number)[1];
		break;
	case '&' << 16 | 'l' << 8 | 'X':
		pcl->copies = number;
		break;
	default:
		if (letter == 'W')
			die("ESC %c%c%d%c carries data", group[0], group[1], value, letter);
	}
	return false;
}

unsigned decode_pcl(struct data *data, const char *prefix)
{
	struct pcl pcl = { .data = data, .copies = 1, .planes = 1 };
	unsigned pages = 0, ejects = 0;

	while (data->at < data->end) {
		unsigned byte = data_byte(data);
		char group[2], letter;

		if (byte == '\f') {
			ejects++;
			continue;
		}
		if (byte != 033)
			die("byte %u after page %u is no PCL of ours", byte, pages);
		group[0] = data_byte(data);
		if (group[0] == 'E')
			continue;
		group[1] = data_byte(data);
		do { /* a small letter: another parameter of this group follows */
			char digits[16];
			size_t n = 0;

			while (letter = data_byte(data), strchr("+-.0123456789", letter) && n < 15)
				digits[n++] = letter;
			digits[n] = '\0';
			if (group[0] == '&' && group[1] == 'l' && letter == 'H' && pages > ejects)
				ejects++;
			if (command(&pcl, group, atoi(digits), letter & ~0x20))
				end_graphics(&pcl, prefix, ++pages);
		} while (letter & 0x20);
	}
	if (pcl.graphics || ejects < pages)
		die("page %u is not ejected", pages + pcl.graphics);
	return pages;
}
