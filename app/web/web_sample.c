#include "config.h"

#include "web_preview.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * A PDF of 180 x 132 points: a landscape at sunset, two spheres, a ramp, and text, black and white.
 * Its fonts are two that every PDF reader has.
 */

/* What the page shows.  Sh1 and so on are the shadings below. */
static const char content[] =
	/* the sky, the sun, mountains far and near, a lake with the sun's light on it */
	"q 6 66 168 60 re W n /Sky sh /Sun sh "
	"q 6 88 m 22 104 l 30 98 l 46 116 l 58 102 l 70 108 l 88 94 l 104 101 l 120 92 l 120 80 l "
	"6 80 l h W n /Far sh Q "
	"q 84 80 m 100 90 l 112 86 l 132 108 l 142 99 l 150 104 l 174 86 l 174 80 l h W n /Near sh "
	"Q q 6 66 168 16 re W n /Lake sh /Glitter sh Q Q "
	"0.4 w 6 66 168 60 re S\n"
	/* spheres on a table */
	"q 104 22 70 40 re W n /Table sh /Shade1 sh /Shade2 sh "
	"q 137 43 m 137 52 130 59 121 59 c 112 59 105 52 105 43 c 105 34 112 27 121 27 c "
	"130 27 137 34 137 43 c h W n /Ball1 sh Q "
	"q 169 38 m 169 45 163 51 156 51 c 149 51 143 45 143 38 c 143 31 149 25 156 25 c "
	"163 25 169 31 169 38 c h W n /Ball2 sh Q Q 104 22 70 40 re S\n"
	/* the ramp, with steps below it */
	"q 6 12 168 7 re W n /Ramp sh Q q 6 6 168 6 re W n 1 g 6 6 21 6 re f .857 g 27 6 21 6 re f "
	".714 g 48 6 21 6 re f .571 g 69 6 21 6 re f .429 g 90 6 21 6 re f .286 g 111 6 21 6 re f "
	".143 g 132 6 21 6 re f 0 g 153 6 21 6 re f Q 0 G 6 6 168 13 re S\n"
	/* text */
	"0 g BT /T 10 Tf 6 54 Td (Sphinx of black) Tj /T 8 Tf 0 -9 Td (quartz, judge my vow) Tj "
	"/T 6 Tf 0 -7 Td (Sphinx of black quartz, 0123) Tj /S 5 Tf 0 -6 Td "
	"(Sphinx of black quartz, 0123456789) Tj ET\n"
	"0 g 6 22 94 8 re f 1 g BT /S 6 Tf 9 24 Td (white on black) Tj .5 g 44 0 Td (grey) Tj ET\n"
	"0 g BT /T 14 Tf 86 36 Td (Ag) Tj ET 0 G .1 w 84 62 m 100 57 l S .25 w 84 59.5 m "
	"100 54.5 l S .5 w 84 57 m 100 52 l S 1 w 84 54 m 100 49 l S\n";

/* From a point to another (type 2), or from a circle to another (type 3), from colour to colour. */
static const char *const shadings[][2] = {
	{ "Sky", "2 /Coords[0 80 0 126]", },   { "Sun", "3 /Coords[62 92 0 62 92 26]", },
	{ "Far", "2 /Coords[0 80 0 116]", },   { "Near", "2 /Coords[0 80 0 108]", },
	{ "Lake", "2 /Coords[0 66 0 82]", },   { "Glitter", "3 /Coords[62 80 0 62 80 18]", },
	{ "Table", "2 /Coords[0 22 0 62]", },  { "Shade1", "3 /Coords[126 27 2 126 27 17]", },
	{ "Shade2", "3 /Coords[160 25 2 160 25 14]", },
	{ "Ball1", "3 /Coords[115 50 1 121 43 17]", },
	{ "Ball2", "3 /Coords[151 43 1 156 38 14]", }, { "Ramp", "2 /Coords[6 0 174 0]", },
};

static const char *const colours[][2] = {
	{ "1 .72 .42", ".25 .38 .66" }, { "1 .97 .8", "1 .72 .42" },
	{ ".62 .55 .6", ".9 .78 .72" }, { ".1 .16 .14", ".42 .4 .44" },
	{ ".1 .2 .34", ".85 .68 .5" },  { "1 .9 .66", ".8 .64 .48" },
	{ ".95 .94 .92", ".72 .74 .78" }, { ".3 .3 .3", ".9 .89 .88" },
	{ ".3 .3 .3", ".92 .91 .9" },   { "1 .95 .9", ".66 .2 .12" },
	{ ".9 1 .94", ".1 .4 .3" },     { "1 1 1", "0 0 0" },
};

#define SHADINGS (sizeof shadings / sizeof shadings[0])
#define OBJECTS  4

static void write_resources(FILE *file)
{
	fprintf(file, "/Resources<</Font<</T<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>"
		      "/S<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/Shading<<");
	for (size_t i = 0; i < SHADINGS; i++)
		fprintf(file, "/%s<</ShadingType %s/ColorSpace/DeviceRGB/Function"
			      "<</FunctionType 2/N 1/Domain[0 1]/C0[%s]/C1[%s]>>/Extend[%s]>>\n",
			shadings[i][0], shadings[i][1], colours[i][0], colours[i][1],
			shadings[i][1][0] == '2' || !strncmp(shadings[i][0], "Ball", 4) ?
				"true true" : "true false");
	fprintf(file, ">>>>");
}

int rip_web_sample_write(const char *path)
{
	FILE *file = fopen(path, "we");
	long at[OBJECTS + 1], table;
	bool failed;

	if (!file)
		return -errno;
	fprintf(file, "%%PDF-1.4\n");
	at[1] = ftell(file);
	fprintf(file, "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n");
	at[2] = ftell(file);
	fprintf(file, "2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n");
	at[3] = ftell(file);
	fprintf(file, "3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 %d %d]",
		RIP_WEB_SAMPLE_WIDTH, RIP_WEB_SAMPLE_HEIGHT);
	write_resources(file);
	fprintf(file, ">>endobj\n");
	at[4] = ftell(file);
	fprintf(file, "4 0 obj<</Length %zu>>stream\n%sendstream endobj\n", strlen(content),
		content);
	table = ftell(file);
	fprintf(file, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS + 1);
	for (int i = 1; i <= OBJECTS; i++)
		fprintf(file, "%010ld 00000 n \n", at[i]);
	fprintf(file, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%ld\n%%%%EOF\n", OBJECTS + 1,
		table);
	failed = ferror(file);
	return fclose(file) || failed ? -EIO : 0;
}
