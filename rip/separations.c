#include "separations.h"

#include <errno.h>
#include <string.h>

/* A name is one line, without what a terminal or a file's name cannot show. */
const char rip_separations_commands[] =
	"/rtspots { { PDFFile rtpage# 1 sub .PDFPageInfoExt\n"
	" /Spots 2 copy known { get } { pop pop [] } ifelse /rtlist exch def } stopped\n"
	" { rtfailed }\n"
	" { clear (\\n) print rtword print ( spots ) print rtlist length rtnumber (\\n) print\n"
	" flush } ifelse } def\n"
	"/rtspot { { rtlist exch get 4096 string cvs dup length 127 gt { 0 127 getinterval } if\n"
	" 0 1 2 index length 1 sub { 2 copy 2 copy get dup 32 lt exch 127 eq or\n"
	"  { 95 put } { pop pop } ifelse pop } for } stopped\n"
	" { rtfailed }\n"
	" { (\\n) print rtword print ( spot ) print print (\\n) print flush clear } ifelse } def\n";

/* Photoshop File Formats, "Photoshop File Format". */
#define HEAD  32   /* behind the first two bytes of the signature */
#define BLOCK 12   /* of a resource: 8BIM, its number, an empty name, its length */
#define NAMES 1006
#define SKIP  4096

static uint32_t get_16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t get_32(const uint8_t *at)
{
	return get_16(at) << 16 | get_16(at + 2);
}

/* The process, and what it writes. */
struct written_page {
	struct rip_separations *page;
	struct rip_gs_process  *process;
};

static int get(const struct written_page *reader, void *to, size_t n)
{
	reader->page->bytes += n;
	return rip_gs_process_read(reader->process, to, n);
}

static int skip(const struct written_page *reader, uint32_t n)
{
	uint8_t bytes[SKIP];
	int r = 0;

	while (r == 0 && n > 0) {
		const uint32_t some = n < SKIP ? n : SKIP;

		r = get(reader, bytes, some);
		n -= some;
	}
	return r;
}

/* Whether a name in the picture is a spot colour's, as rtspot has changed that. */
static bool is_same(const uint8_t *name, size_t length, const char *spot)
{
	if (length >= RIP_SPOT_NAME_MAX)
		length = RIP_SPOT_NAME_MAX - 1;
	for (size_t i = 0; i < length; i++)
		if (spot[i] != (char)(name[i] < 32 || name[i] == 127 ? '_' : name[i]))
			return false;
	return spot[length] == '\0';
}

/* Finds the places of the inks by their names, each a byte with its length and its text.  A spot
 * colour with which nothing is painted may have none; its place is one that is left. */
static void find_order(struct rip_separations *page, const uint8_t *names, size_t size)
{
	const struct rip_spots *spots = &page->spots;
	bool named[RIP_SPOTS_MAX] = { false }, used[RIP_SPOTS_MAX] = { false };
	size_t at = 0;

	for (unsigned i = 0; i < spots->count && at < size; i++) {
		const size_t length = names[at];

		for (unsigned s = 0; at + 1 + length <= size && !named[i] && s < spots->count; s++)
			if (!used[s] && is_same(names + at + 1, length, spots->names[s])) {
				page->order[4 + i] = 4 + s;
				named[i] = used[s] = true;
			}
		at += 1 + length;
	}
	for (unsigned i = 0, s = 0; i < spots->count; i++) {
		if (named[i])
			continue;
		while (used[s])
			s++;
		page->order[4 + i] = 4 + s;
		used[s] = true;
	}
}

/* Reads the resources, of which the names are one. */
static int read_resources(const struct written_page *reader, uint32_t size)
{
	uint8_t block[BLOCK], names[1 + 256 * RIP_SPOTS_MAX] = { 0 };
	int r = 0;

	find_order(reader->page, names, 0);
	while (r == 0 && size >= BLOCK) {
		uint32_t length, padded;

		r = get(reader, block, BLOCK);
		if (r < 0)
			return r;
		length = get_32(block + 8);
		size -= BLOCK;
		if (memcmp(block, "8BIM", 4) || length > size)
			return -EPROTO;
		padded = length + (length % 2 && length < size);
		size -= padded;
		if (get_16(block + 4) != NAMES) {
			r = skip(reader, padded);
			continue;
		}
		if (padded > sizeof names)
			return -EPROTO;
		r = get(reader, names, padded);
		if (r == 0)
			find_order(reader->page, names, length);
	}
	return r < 0 ? r : skip(reader, size);
}

int rip_separations_header(struct rip_separations *page, struct rip_gs_process *process,
			   unsigned numbers[3])
{
	const struct written_page reading = { page, process }, *const reader = &reading;
	const unsigned inks = 4 + page->spots.count;
	uint8_t head[HEAD], tail[6];
	int r;

	page->bytes = 2;
	for (unsigned i = 0; i < 4; i++)
		page->order[i] = i;
	r = get(reader, head, sizeof head);
	if (r < 0)
		return r;
	/* PS, version 1; channels; rows, columns; 8 bits; CMYK; no table of colours */
	if (memcmp(head, "PS\0\1", 4) || get_16(head + 10) != inks ||
	    get_16(head + 20) != 8 || get_16(head + 22) != 4 || get_32(head + 24))
		return -EPROTO;
	numbers[1] = get_32(head + 12);
	numbers[0] = get_32(head + 16);
	numbers[2] = 255;
	r = read_resources(reader, get_32(head + 28));
	if (r == 0)
		r = get(reader, tail, sizeof tail);
	/* no layers; no compression */
	if (r == 0 && (get_32(tail) || get_16(tail + 4)))
		r = -EPROTO;
	page->bytes += (uint64_t)numbers[0] * numbers[1] * inks;
	/* One row of an ink tells nothing about the order. */
	if (numbers[1] < 2)
		page->bytes = 0;
	return r;
}
