#include "kept_black.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gs_jail.h"

#define GRID       RIP_KEPT_BLACK_GRID
#define INK_GRID   RIP_KEPT_INK_GRID
#define STRING(n)  #n
#define DIGITS(n)  STRING(n)

/* The head of a profile, up to the table: its header; four parts, of which A2B0 is a table of 8
 * bits (lut8Type, 10.11), with curves that change nothing. */
#define PARTS      4
#define PARTS_AT   128
#define TEXT_AT    (PARTS_AT + 4 + 12 * PARTS)
#define LUT_AT     (TEXT_AT + 140)
#define TABLE_AT(inputs) (LUT_AT + 48 + 256 * (inputs))
_Static_assert(RIP_KEPT_BLACK_PROFILE == TABLE_AT(3) + RIP_KEPT_BLACK_BYTES + 4 * 256,
	       "the size of the profile of RGB");
_Static_assert(RIP_KEPT_GREY_PROFILE == TABLE_AT(1) + 2 * 4 + 4 * 256,
	       "the size of the profile of grey");
_Static_assert(RIP_KEPT_SAME_PROFILE == TABLE_AT(4) + 16 * 4 + 4 * 256,
	       "the size of the profile of CMYK that changes nothing");
_Static_assert(RIP_KEPT_INK_PROFILE == TABLE_AT(4) + RIP_KEPT_INK_BYTES + 4 * 256,
	       "the size of the profile of CMYK");

/* The profile of the printer has a table of 16 bits (lut16Type, 10.10), B2A0, in place of A2B0. */
#define CURVE       4096 /* values of the inputs' curves */
#define WIDE_AT     (LUT_AT + 52 + 3 * 2 * CURVE)
#define OUT_CURVE   256 /* of the outputs' curves */
_Static_assert(RIP_KEPT_WIDE_PROFILE == WIDE_AT + 2 * RIP_KEPT_WIDE_BYTES + 4 * 2 * OUT_CURVE,
	       "the size of the printer's profile");

/* Adobe RGB (1998) from XYZ with the white of D50; the commands have the inverse. */
static const double wide_of_xyz[9] = {
	1.96253, -0.61068, -0.34137, -0.97876, 1.91615, 0.03342, 0.02869, -0.14067, 1.34926,
};
#define WIDE_GAMMA 2.2

const char rip_kept_black_commands[] =
	"/rtcube { /DeviceRGB rtspace } bind def\n"
	"/rtwide { [ /CIEBasedABC << /WhitePoint [0.9642 1 0.8249] /MatrixABC [\n"
	" 0.60976 0.31112 0.01948 0.20524 0.62566 0.06089 0.14922 0.06322 0.74484 ]\n"
	" /DecodeABC [ { " DIGITS(WIDE_GAMMA) " exp } bind dup dup ] >> ] rtspace } bind def\n"
	"/rtspace { 20 dict begin /rtthe exch def /rtn " DIGITS(RIP_KEPT_BLACK_GRID) " def\n"
	"/rtv { 255 mul rtn 1 sub div round cvi } bind def\n"
	"/rtline rtn dup mul 3 mul string def\n"
	"0 1 rtn dup mul 1 sub { /rti exch def\n"
	" rtline rti 3 mul 1 add rti rtn idiv rtv put\n"
	" rtline rti 3 mul 2 add rti rtn mod rtv put } for\n"
	"rtthe setcolorspace\n"
	"0 1 rtn 1 sub { /rtr exch def << /ImageType 1 /Width rtn dup mul /Height 1\n"
	" /BitsPerComponent 8 /Decode [ rtr rtv 255 div dup 0 1 0 1 ]\n"
	" /ImageMatrix [1 0 0 1 0 rtr neg] /DataSource rtline >> image } for\n"
	"showpage end } bind def\n"
	"/rtinks { 20 dict begin /rtn " DIGITS(RIP_KEPT_INK_GRID) " def\n"
	"/rtv { 255 mul rtn 1 sub div round cvi } bind def\n"
	"/rtcount rtn dup dup mul mul def /rtline rtcount 4 mul string def\n"
	"0 1 rtcount 1 sub { /rti exch def\n"
	" rtline rti 4 mul 1 add rti rtn dup mul idiv rtv put\n"
	" rtline rti 4 mul 2 add rti rtn idiv rtn mod rtv put\n"
	" rtline rti 4 mul 3 add rti rtn mod rtv put } for\n"
	"/DeviceCMYK setcolorspace\n"
	"0 1 rtn 1 sub { /rtr exch def << /ImageType 1 /Width rtcount /Height 1\n"
	" /BitsPerComponent 8 /Decode [ rtr rtv 255 div dup 0 1 0 1 0 1 ]\n"
	" /ImageMatrix [1 0 0 1 0 rtr neg] /DataSource rtline >> image } for\n"
	"showpage end } bind def\n"
	"/rtread { rtsource exch string readstring pop } bind def\n"
	"/rtput { null (w+) .tempfile 3 -1 roll 1 index exch writestring closefile } bind def\n"
	"/rtjoin { 1 index length 1 index length add string dup 0 4 index putinterval\n"
	" dup 3 index length 3 index putinterval 3 1 roll pop pop cvn } bind def\n"
	"/rtkeep { 20 dict begin /rtspaces exch def /rtkinds exch def\n"
	" { /rtsource (" RIP_GS_COMMANDS_AGAIN ") (r) file def\n"
	"  rtspaces { dup 1 2 copy get rtread put } forall\n"
	"  /rtprinter " DIGITS(RIP_KEPT_WIDE_PROFILE) " rtread def rtsource closefile\n"
	"  rtspaces { dup 1 2 copy get rtput put } forall\n"
	"  /rtprinter rtprinter rtput def\n"
	"  null (w+) .tempfile /rtfile exch def /rtobjects exch def\n"
	"  rtkinds { /rtkind exch def rtspaces { rtfile rtkind writestring\n"
	"   { rtfile exch writestring } forall } forall } forall rtfile closefile\n"
	"  << /SourceObjectICC rtobjects >> setuserparams\n"
	"  rtkinds { dup (Graphic) eq { pop (Vector) } if << exch\n"
	"   dup (ICCProfile) rtjoin rtprinter 3 -1 roll (BlackPt) rtjoin 0 >>\n"
	"   setpagedevice } forall } stopped\n"
	" { clear (black stays a mix of inks: there is no space for a profile\\n) print } if\n"
	" { rtprinter deletefile } stopped { clear } if\n"
	" rtspaces { { 1 get deletefile } stopped { pop } if } forall\n"
	" { rtobjects deletefile } stopped { clear } if\n"
	" end (done) rtsay } bind def\n";

/* 1 1: relative colorimetric, black point compensated; 0 or 1: profiles of the document stay, or
 * not; of CMYK, a 0, without which Ghostscript crashes: lcms keeps no black. */
#define SPACE(name, size, numbers) "[ (_" name " ) " DIGITS(size) " ( 1 1 " numbers "\\n) ] "
#define SPACES(cmyk) "[ " SPACE("RGB", RIP_KEPT_BLACK_PROFILE, "0") \
	SPACE("GRAY", RIP_KEPT_GREY_PROFILE, "1") SPACE("CMYK", cmyk, "1 0") "]"
const char rip_kept_black_spaces[] = SPACES(RIP_KEPT_SAME_PROFILE);
const char rip_kept_black_inks[] = SPACES(RIP_KEPT_INK_PROFILE);

static void put_32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_16(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
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

/* Makes all but the table: of this class, and from and to these spaces. */
static void make_head(uint8_t *profile, size_t total, const char *spaces, const char *table)
{
	static const char name[] = "black";
	static const uint32_t illuminant[3] = { 0xf6d6, 0x10000, 0xd32d }; /* D50 */

	memset(profile, 0, total);
	put_32(profile, (uint32_t)total);
	put_32(profile + 8, 0x02400000);
	memcpy(profile + 12, spaces, 12);
	memcpy(profile + 36, "acsp", 4);
	for (int i = 0; i < 3; i++)
		put_32(profile + 68 + 4 * i, illuminant[i]);

	put_32(profile + PARTS_AT, PARTS);
	put_part(profile, 0, "desc", TEXT_AT, 96);
	put_part(profile, 1, "cprt", TEXT_AT + 96, 16);
	put_part(profile, 2, "pseq", TEXT_AT + 112, 12);
	put_part(profile, 3, table, LUT_AT, (uint32_t)total - LUT_AT);
	memcpy(profile + TEXT_AT, "desc", 4);
	put_32(profile + TEXT_AT + 8, sizeof name);
	memcpy(profile + TEXT_AT + 12, name, sizeof name);
	memcpy(profile + TEXT_AT + 96, "text", 4);
	memcpy(profile + TEXT_AT + 112, "pseq", 4);
}

/* Makes a link from a space with so many inputs to CMYK. */
static void make_profile(uint8_t *profile, size_t total, const char *spaces, unsigned inputs,
			 unsigned grid, const uint8_t *table, size_t bytes)
{
	uint8_t *lut = profile + LUT_AT;

	make_head(profile, total, spaces, "A2B0");
	memcpy(lut, "mft1", 4);
	lut[8] = (uint8_t)inputs;
	lut[9] = 4;
	lut[10] = (uint8_t)grid;
	for (int i = 0; i < 9; i += 4)
		put_32(lut + 12 + 4 * i, 0x10000);
	put_curves(lut + 48, inputs);
	memcpy(profile + TABLE_AT(inputs), table, bytes);
	put_curves(profile + TABLE_AT(inputs) + bytes, 4);
}

/* A value of the outputs' curves, of which traces of C, M and Y are none. */
static unsigned without_traces(unsigned ink, unsigned i)
{
	return ink == 3 || i > 3 ? i * 257 : i < 2 ? 0 : (i - 1) * 386;
}

/* Makes the profile of the printer. */
static void make_printer(uint8_t *profile, const uint8_t *table)
{
	uint8_t *lut = profile + LUT_AT, *at = lut + 52;

	make_head(profile, RIP_KEPT_WIDE_PROFILE, "prtrCMYKXYZ ", "B2A0");
	memcpy(lut, "mft2", 4);
	lut[8] = 3;
	lut[9] = 4;
	lut[10] = GRID;
	/* XYZ is stored as 32768 for each 1, and RGB as 65535. */
	for (int i = 0; i < 9; i++)
		put_32(lut + 12 + 4 * i,
		       (uint32_t)(int32_t)lround(wide_of_xyz[i] * 65535 / 32768 * 65536));
	put_16(lut + 48, CURVE);
	put_16(lut + 50, OUT_CURVE);
	for (unsigned i = 0; i < 3 * CURVE; i++, at += 2)
		put_16(at, (unsigned)lround(65535 * pow(i % CURVE / (CURVE - 1.),
							1 / WIDE_GAMMA)));
	for (unsigned i = 0; i < RIP_KEPT_WIDE_BYTES; i++, at += 2)
		put_16(at, table[i] * 257u);
	for (unsigned i = 0; i < 4 * OUT_CURVE; i++, at += 2)
		put_16(at, without_traces(i / OUT_CURVE, i % OUT_CURVE));
}

static void set_black(uint8_t inks[4], unsigned black)
{
	memset(inks, 0, 3);
	inks[3] = (uint8_t)black;
}

/* A place in a grid, of 255. */
static unsigned part(unsigned place, unsigned grid)
{
	return (place * 255 + (grid - 1) / 2) / (grid - 1);
}

/* The black ink of a grey of sRGB, for a grey with the gamma of the table. */
static unsigned wide_black(unsigned place)
{
	const double light = pow(place / (GRID - 1.), WIDE_GAMMA);
	const double grey = light <= .0031308 ? 12.92 * light :
						1.055 * pow(light, 1 / 2.4) - .055;

	return (unsigned)lround(255 - 255 * grey);
}

void *rip_kept_black_profiles(uint8_t *colours, uint8_t *wide, uint8_t *inks, size_t *size)
{
	static const uint8_t greys[2 * 4] = { 0, 0, 0, 255, 0, 0, 0, 0 };
	const size_t cmyk = inks ? RIP_KEPT_INK_PROFILE : RIP_KEPT_SAME_PROFILE;
	uint8_t same[16 * 4], *profiles, *next;

	*size = RIP_KEPT_BLACK_PROFILE + RIP_KEPT_GREY_PROFILE + cmyk + RIP_KEPT_WIDE_PROFILE;
	next = profiles = malloc(*size);
	if (!profiles)
		return NULL;
	for (unsigned i = 0; i < GRID; i++) {
		const size_t place = (size_t)4 * ((i * GRID + i) * GRID + i);

		set_black(colours + place, 255 - part(i, GRID));
		set_black(wide + place, wide_black(i));
	}
	for (unsigned i = 0; inks && i < INK_GRID; i++)
		set_black(inks + (size_t)4 * i, part(i, INK_GRID));
	for (unsigned i = 0; i < sizeof same; i++)
		same[i] = i / 4 >> (3 - i % 4) & 1 ? 255 : 0;
	make_profile(next, RIP_KEPT_BLACK_PROFILE, "linkRGB CMYK", 3, GRID, colours,
		     RIP_KEPT_BLACK_BYTES);
	next += RIP_KEPT_BLACK_PROFILE;
	make_profile(next, RIP_KEPT_GREY_PROFILE, "linkGRAYCMYK", 1, 2, greys, sizeof greys);
	next += RIP_KEPT_GREY_PROFILE;
	make_profile(next, cmyk, "linkCMYKCMYK", 4, inks ? INK_GRID : 2, inks ? inks : same,
		     inks ? RIP_KEPT_INK_BYTES : sizeof same);
	make_printer(next + cmyk, wide);
	return profiles;
}

/*
 * Numbers are of two bytes (rtget, rtset) and of four (rtget4, rtset4).  The profile, /rti, has a
 * table of its parts from byte 128 on: how many there are, and for each its name, place and length.
 * /rta is the place of A2B0:
 *
 *	bytes  8: inputs, outputs, /rtg, the places of the grid on an axis
 *	      48: entries of the inputs' curves, /rtn, and of the outputs' curves
 *	      52: the curves of C, M, Y, K; /rtc: the grid, L, a, b for each place, with K changing
 *		  first; /rto: the curves of L, a, b
 *
 * The copy has the new A2B0 behind the whole profile, and all names A2B0, A2B1 and A2B2 that stood
 * for the old one.  L is stored as 652.8 for each of 100 (rty: to luminance; rtl: back).
 */
const char rip_pure_black[] =
	"60 dict begin\n"
	"/rtget { 2 copy get 256 mul 3 1 roll 1 add get add } bind def\n"
	"/rtget4 { 2 copy rtget 65536 mul 3 1 roll 2 add rtget add } bind def\n"
	"/rtset { 3 copy -8 bitshift put exch 1 add exch 255 and put } bind def\n"
	"/rtset4 { 3 copy -16 bitshift rtset exch 2 add exch 65535 and rtset } bind def\n"
	"/rty { 652.8 div dup 8 gt { 16 add 116 div dup dup mul mul } { 903.3 div } ifelse }\n"
	" bind def\n"
	"/rtl { dup 0.008856 gt { 1 3 div exp 116 mul 16 sub } { 903.3 mul } ifelse\n"
	" 652.8 mul round cvi } bind def\n"
	"/rtparts { 0 1 rti 128 rtget4 1 sub { 12 mul 132 add } for } bind def\n"
	"/rtback { 1 sub dup 0 lt { pop 0 } if } bind def\n"
	"/rtname currentuserparams /DefaultCMYKProfile get def\n"
	"rtname (/) search { pop pop pop } {\n"
	" pop /rtname currentuserparams /ICCProfilesDir get dup length rtname length add string\n"
	" dup 0 currentuserparams /ICCProfilesDir get putinterval\n"
	" dup 3 -1 roll length rtname putinterval def } ifelse\n"
	"/rtmake {\n"
	" /rti rtname (r) file dup dup bytesavailable string readstring pop exch closefile def\n"
	" mark rtparts counttomark array astore exch pop /rtp exch def\n"
	" /rta 0 def\n"
	" rtp { dup rti exch 4 getinterval (A2B0) eq\n"
	"  { 4 add rti exch rtget4 /rta exch def } { pop } ifelse } forall\n"
	" rti rta 4 getinterval (mft2) eq rti rta 8 add 2 getinterval <0403> eq and\n"
	" not { stop } if\n"
	" /rtg rti rta 10 add get def\n"
	" /rtn rti rta 48 add rtget def\n"
	" /rtc rta 52 add rtn 8 mul add def\n"
	" /rto rtc rtg dup mul dup mul 6 mul add def\n"
	" /rtm rti rta 50 add rtget 6 mul def\n"
	" /rtw rti rtc rtget rty def\n"
	" /rtk rti rtc rtg 1 sub 6 mul add rtget rty def\n"
	" 65280 rtc 6 rto 6 sub { rti exch rtget 2 copy gt { exch } if pop } for\n"
	" rty rtw exch sub rtw rtk sub div /rtf exch def\n"
	/* The profile itself, with the new places. */
	" /rtlength 52 rtn 8 mul add rtg 1 add dup mul dup mul 6 mul add rtm add def\n"
	" /rth rti dup length string copy def\n"
	" rtp { dup rti exch 3 getinterval (A2B) eq\n"
	"  { 4 add dup rti exch rtget4 rta eq\n"
	"   { dup rth exch rti length rtset4 4 add rth exch rtlength rtset4 } { pop } ifelse }\n"
	"  { pop } ifelse } forall\n"
	" rth 0 rti length rtlength add rtset4\n"
	" null (w+) .tempfile /rtfile exch def /rttemporary exch def\n"
	" rtfile rth writestring\n"
	/* The head of A2B0 and the curves: 0 stays 0 but for K, and the rest is one place on. */
	" rti rta 52 getinterval dup length string copy dup 10 rtg 1 add put\n"
	" rtfile exch writestring\n"
	" rti rta 52 add rtn 8 mul getinterval dup length string copy\n"
	" 0 1 rtn 4 mul 1 sub { 2 mul 2 copy 2 copy\n"
	"  rtget rtg 1 sub mul 65535 add rtg div round cvi rtset pop } for\n"
	" 0 1 2 { rtn mul 2 mul 1 index exch 0 rtset } for\n"
	" rtfile exch writestring\n"
	/* The grid, a line of all K for each C, M and Y. */
	" /rtline rtg 1 add 6 mul string def\n"
	" 0 1 rtg { /rt1 exch def 0 1 rtg { /rt2 exch def 0 1 rtg { /rt3 exch def\n"
	"  rt1 rtback rtg mul rt2 rtback add rtg mul rt3 rtback add rtg 6 mul mul rtc add\n"
	"  rti exch rtg 6 mul getinterval\n"
	"  dup rtline 6 3 -1 roll putinterval 0 6 getinterval rtline 0 3 -1 roll putinterval\n"
	"  rt1 rt2 or rt3 or 0 eq { 0 6 rtg 6 mul { rtline exch 2 copy rtget rty\n"
	"   rtw exch sub rtf mul rtw exch sub dup 0 lt { pop 0 } if rtl rtset } for } if\n"
	"  rtfile rtline writestring } for } for } for\n"
	" rtfile rti rto rtm getinterval writestring\n"
	" rtfile closefile\n"
	" << /DefaultCMYKProfile rttemporary >> setuserparams\n"
	"} bind def\n"
	"{ rtmake } stopped { clear (black of CMYK stays as its profile has it: ) print\n"
	" rtname print ( is no table of 16 bits, or there is no space for a copy\\n) print\n"
	" flush } if\n"
	"currentdict /rttemporary known {\n"
	" userdict /rtpure known { userdict /rtpure rttemporary (r) file\n"
	"  dup dup bytesavailable string readstring pop exch closefile put } if\n"
	" { rttemporary deletefile } stopped { clear } if } if\n"
	"end\n";

/* Ghostscript's standard output has pictures only, whose greys may be one step of 255 too dark. */
const char rip_pure_black_wanted[] =
	"userdict /rtpure null put\n"
	"/rtdrawpure { /DeviceGray setcolorspace << /ImageType 1\n"
	" /Width " DIGITS(RIP_PURE_BLACK_COLUMNS) " /Height " DIGITS(RIP_PURE_BLACK_ROWS) "\n"
	" /BitsPerComponent 4 /Decode [0 1] /ImageMatrix [1 0 0 1 0 0] /DataSource { rtpure }\n"
	" >> image showpage } bind def\n";

/* Of 4 bits that were drawn as one of 16 greys. */
static unsigned nibble(uint8_t grey)
{
	return (grey + 8u) / 17;
}

size_t rip_pure_black_profile(uint8_t *pixels)
{
	const size_t most = RIP_PURE_BLACK_BYTES / 2;
	size_t bytes = 0;

	for (size_t i = 0; i < most; i++)
		pixels[i] = (uint8_t)(nibble(pixels[2 * i]) << 4 | nibble(pixels[2 * i + 1]));
	for (int i = 0; i < 4; i++)
		bytes = bytes << 8 | pixels[i];
	return bytes < 128 || bytes > most || memcmp(pixels + 36, "acsp", 4) ? 0 : bytes;
}
