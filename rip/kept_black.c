#include "kept_black.h"

#include <stdlib.h>
#include <string.h>

#define GRID       RIP_KEPT_BLACK_GRID
#define STRING(n)  #n
#define DIGITS(n)  STRING(n)

/* The head of the profile, up to the table: its header; four parts, of which A2B0 is a table of 8
 * bits (lut8Type, 10.11), with curves that change nothing. */
#define PARTS      4
#define PARTS_AT   128
#define TEXT_AT    (PARTS_AT + 4 + 12 * PARTS)
#define LUT_AT     (TEXT_AT + 140)
#define TABLE_AT   (LUT_AT + 48 + 3 * 256)
#define TOTAL      RIP_KEPT_BLACK_PROFILE
_Static_assert(TOTAL == TABLE_AT + RIP_KEPT_BLACK_BYTES + 4 * 256, "the size of the profile");

const char rip_kept_black_commands[] =
	"/rtcube { 20 dict begin /rtn " DIGITS(RIP_KEPT_BLACK_GRID) " def\n"
	"/rtv { 255 mul rtn 1 sub div round cvi } bind def\n"
	"/rtline rtn dup mul 3 mul string def\n"
	"0 1 rtn dup mul 1 sub { /rti exch def\n"
	" rtline rti 3 mul 1 add rti rtn idiv rtv put\n"
	" rtline rti 3 mul 2 add rti rtn mod rtv put } for\n"
	"/DeviceRGB setcolorspace\n"
	"0 1 rtn 1 sub { /rtr exch def << /ImageType 1 /Width rtn dup mul /Height 1\n"
	" /BitsPerComponent 8 /Decode [ rtr rtv 255 div dup 0 1 0 1 ]\n"
	" /ImageMatrix [1 0 0 1 0 rtr neg] /DataSource rtline >> image } for\n"
	"showpage end } bind def\n"
	/* 1 1 0: relative colorimetric, black point compensated, profiles of the document stay.
	 * All of the profile is read, whatever happens. */
	"/rtkeep { /rtbytes (%stdin) (r) file\n"
	" " DIGITS(RIP_KEPT_BLACK_PROFILE) " string readstring pop def\n"
	" 20 dict begin /rtkinds exch def\n"
	" { null (w+) .tempfile /rtfile exch def /rtlink exch def\n"
	"  rtfile rtbytes writestring rtfile closefile\n"
	"  null (w+) .tempfile /rtfile exch def /rtobjects exch def\n"
	"  rtkinds { rtfile exch writestring rtfile ( ) writestring rtfile rtlink writestring\n"
	"   rtfile ( 1 1 0\\n) writestring } forall rtfile closefile\n"
	"  << /SourceObjectICC rtobjects >> setuserparams } stopped\n"
	" { clear (black of RGB stays a mix of inks: there is no space for a profile\\n) print\n"
	" } if\n"
	" { rtlink deletefile } stopped { clear } if\n"
	" { rtobjects deletefile } stopped { clear } if\n"
	" end /rtbytes null def (done) rtsay } bind def\n";

static void put_32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_part(uint8_t *profile, unsigned number, const char *name, uint32_t at,
		     uint32_t size)
{
	uint8_t *entry = profile + PARTS_AT + 4 + (size_t)12 * number;

	memcpy(entry, name, 4);
	put_32(entry + 4, at);
	put_32(entry + 8, size);
}

static void put_curves(uint8_t *at, unsigned count)
{
	for (unsigned i = 0; i < count * 256; i++)
		at[i] = (uint8_t)i;
}

static void make_profile(uint8_t profile[TOTAL], const uint8_t *table)
{
	static const char name[] = "black";
	static const uint32_t illuminant[3] = { 0xf6d6, 0x10000, 0xd32d }; /* D50 */
	uint8_t *lut = profile + LUT_AT;

	memset(profile, 0, TOTAL);
	put_32(profile, TOTAL);
	put_32(profile + 8, 0x02400000);
	memcpy(profile + 12, "linkRGB CMYK", 12);
	memcpy(profile + 36, "acsp", 4);
	for (int i = 0; i < 3; i++)
		put_32(profile + 68 + 4 * i, illuminant[i]);

	put_32(profile + PARTS_AT, PARTS);
	put_part(profile, 0, "desc", TEXT_AT, 96);
	put_part(profile, 1, "cprt", TEXT_AT + 96, 16);
	put_part(profile, 2, "pseq", TEXT_AT + 112, 12);
	put_part(profile, 3, "A2B0", LUT_AT, TOTAL - LUT_AT);
	memcpy(profile + TEXT_AT, "desc", 4);
	put_32(profile + TEXT_AT + 8, sizeof name);
	memcpy(profile + TEXT_AT + 12, name, sizeof name);
	memcpy(profile + TEXT_AT + 96, "text", 4);
	memcpy(profile + TEXT_AT + 112, "pseq", 4);

	memcpy(lut, "mft1", 4);
	lut[8] = 3;
	lut[9] = 4;
	lut[10] = GRID;
	for (int i = 0; i < 9; i += 4)
		put_32(lut + 12 + 4 * i, 0x10000);
	put_curves(lut + 48, 3);
	memcpy(profile + TABLE_AT, table, RIP_KEPT_BLACK_BYTES);
	put_curves(profile + TABLE_AT + RIP_KEPT_BLACK_BYTES, 4);
}

/* Black ink alone for the greys of the table. */
static void set_greys(uint8_t *table)
{
	for (unsigned i = 0; i < GRID; i++) {
		uint8_t *grey = table + (size_t)4 * ((i * GRID + i) * GRID + i);

		memset(grey, 0, 3);
		grey[3] = (uint8_t)(255 - (i * 255 + (GRID - 1) / 2) / (GRID - 1));
	}
}

void *rip_kept_black_profile(uint8_t table[RIP_KEPT_BLACK_BYTES])
{
	uint8_t *profile = malloc(TOTAL);

	if (profile) {
		set_greys(table);
		make_profile(profile, table);
	}
	return profile;
}
