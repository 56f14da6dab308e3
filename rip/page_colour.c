#include "config.h"

#include "page_colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RUN   UINT32_C(0x80000000)
#define WORDS (16u << 10) /* at first */

const char rip_greys_commands[] =
	"/rtgreys { 5 dict begin /rtline 768 string def\n"
	" 0 1 255 { /rti exch def 0 1 2 { rti 3 mul add rtline exch rti put } for } for\n"
	" /DeviceRGB setcolorspace\n"
	" << /ImageType 1 /Width 256 /Height 1 /BitsPerComponent 8 /Decode [0 1 0 1 0 1]\n"
	"  /ImageMatrix [1 0 0 1 0 0] /DataSource rtline >> image showpage end } bind def\n";

/* ---- greys ---- */

static int sum_of(const uint8_t inks[4])
{
	return inks[0] + inks[1] + inks[2] + inks[3];
}

/* The largest difference of an ink. */
static int distance(const uint8_t a[4], const uint8_t b[4])
{
	int most = 0;

	for (int i = 0; i < 4; i++) {
		const int d = abs(a[i] - b[i]);

		most = d > most ? d : most;
	}
	return most;
}

void rip_greys_init(struct rip_greys *greys)
{
	for (int sum = 0; sum <= 4 * 255; sum++) {
		int nearest = 0;

		for (int i = 1; i < 256; i++)
			if (abs(sum_of(greys->inks[i]) - sum) <
			    abs(sum_of(greys->inks[nearest]) - sum))
				nearest = i;
		greys->nearest[sum] = (uint8_t)nearest;
	}
	for (int i = 0; i < RIP_GREYS_CACHE; i++)
		greys->blacks[i] = -2;
}

/* Inks near the curve have nearly the sum of their place on it: four differences of 2 are as much
 * as some 8 places on a flat part of the curve, and fewer elsewhere. */
static int find_black(const struct rip_greys *greys, const uint8_t pixel[4])
{
	const int middle = greys->nearest[sum_of(pixel)];
	const int last = middle + 8 < 255 ? middle + 8 : 255;
	int best = middle, least = distance(greys->inks[middle], pixel);

	for (int i = middle > 8 ? middle - 8 : 0; least > 0 && i <= last; i++) {
		const int d = distance(greys->inks[i], pixel);

		if (d < least) {
			least = d;
			best = i;
		}
	}
	return least <= RIP_GREY_DISTANCE ? 255 - best : -1;
}

/* The black ink that prints a pixel of CMYK; -1: it has a colour. */
static int black_of(struct rip_greys *greys, const uint8_t pixel[4])
{
	uint32_t word, place;

	if (!(pixel[0] | pixel[1] | pixel[2]))
		return pixel[3];
	memcpy(&word, pixel, 4);
	place = (word * UINT32_C(2654435761)) >> 20;
	if (greys->blacks[place] == -2 || greys->pixels[place] != word) {
		greys->pixels[place] = word;
		greys->blacks[place] = (int16_t)find_black(greys, pixel);
	}
	return greys->blacks[place];
}

#define BLOCK 32 /* pixels that are compared at once */

/* How many pixels from the first one on are equal, of at least 1. */
static size_t run_of(const uint8_t *pixels, size_t count)
{
	size_t length = 1;

	while (count - length >= BLOCK &&
	       !memcmp(pixels + 4 * length, pixels + 4 * (length - 1), (size_t)4 * BLOCK))
		length += BLOCK;
	while (length < count && !memcmp(pixels + 4 * length, pixels, 4))
		length++;
	return length;
}

bool rip_greys_row(struct rip_greys *greys, const uint8_t *pixels, uint32_t width)
{
	for (size_t x = 0; x < width; x += run_of(pixels + 4 * x, width - x))
		if (black_of(greys, pixels + 4 * x) < 0)
			return false;
	return true;
}

void rip_greys_blacken(struct rip_greys *greys, uint8_t *pixels, size_t count)
{
	for (size_t x = 0; x < count; x++) {
		uint8_t *pixel = pixels + 4 * x;

		if (pixel[0] | pixel[1] | pixel[2]) {
			const int black = greys->overprint && pixel[3] == 255 ?
					  255 : black_of(greys, pixel);

			memset(pixel, 0, 3);
			pixel[3] = (uint8_t)black;
		}
	}
}

/* ---- rows ---- */

/* Room for so many words more.  0; -ENOSPC; -ENOMEM. */
static int want(struct rip_kept_rows *kept, size_t more, size_t limit)
{
	const size_t most = limit / sizeof *kept->words;
	size_t size = kept->size ? kept->size : WORDS;
	uint32_t *words;

	if (more > most || kept->used > most - more)
		return -ENOSPC;
	if (kept->used + more <= kept->size)
		return 0;
	while (size < kept->used + more)
		size *= 2;
	size = size < most ? size : most;
	words = realloc(kept->words, size * sizeof *words);
	if (!words)
		return -ENOMEM;
	kept->words = words;
	kept->size = size;
	return 0;
}

/* From which length on a run is told as one: between others, it costs the head of the next ones. */
#define SHORT 4

static size_t others_of(const uint8_t *pixels, size_t count)
{
	size_t length = 0;

	while (length < count) {
		const size_t run = run_of(pixels + 4 * length, count - length);

		if (run >= SHORT)
			break;
		length += run;
	}
	return length;
}

int rip_kept_rows_put(struct rip_kept_rows *kept, const uint8_t *pixels, uint32_t width,
		      size_t limit)
{
	for (size_t x = 0; x < width;) {
		const uint8_t *from = pixels + 4 * x;
		const size_t others = others_of(from, width - x);
		const size_t length = others ? others : run_of(from, width - x);
		const size_t words = others ? others : 1;
		int r = want(kept, 1 + words, limit);

		if (r < 0) {
			rip_kept_rows_finish(kept);
			return r;
		}
		kept->words[kept->used++] = (uint32_t)length | (others ? 0 : RUN);
		memcpy(kept->words + kept->used, from, 4 * words);
		kept->used += words;
		x += length;
	}
	kept->rows++;
	return 0;
}

void rip_kept_rows_blacken(struct rip_kept_rows *kept, struct rip_greys *greys)
{
	for (size_t at = 0; at < kept->used;) {
		const uint32_t head = kept->words[at++];
		const size_t words = head & RUN ? 1 : head;

		rip_greys_blacken(greys, (uint8_t *)(kept->words + at), words);
		at += words;
	}
}

/* Writes a pixel so many times. */
static void repeat(uint8_t *to, uint32_t pixel, size_t count)
{
	if (pixel == 0)
		memset(to, 0, 4 * count);
	for (size_t i = 0; pixel && i < count; i++)
		memcpy(to + 4 * i, &pixel, 4);
}

void rip_kept_rows_take(struct rip_kept_rows *kept, uint8_t *pixels, uint32_t width)
{
	for (size_t x = 0; x < width;) {
		const uint32_t head = kept->words[kept->at++];
		const size_t length = head & ~RUN, words = head & RUN ? 1 : length;

		if (head & RUN)
			repeat(pixels + 4 * x, kept->words[kept->at], length);
		else
			memcpy(pixels + 4 * x, kept->words + kept->at, 4 * length);
		kept->at += words;
		x += length;
	}
	if (--kept->rows == 0)
		rip_kept_rows_finish(kept);
}

void rip_kept_rows_finish(struct rip_kept_rows *kept)
{
	free(kept->words);
	memset(kept, 0, sizeof *kept);
}
