/* A page: its header, its place on the sheet, and what decides about its dots. */
#include "config.h"

#include "transform.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/options.h"
#include "image/complain.h"
#include "system/ascii.h"
#include "system/key_file.h"

#define SAME_SIZE 2.0 /* points: A4 is 595 x 842 to some programs, 595.28 x 841.89 to others */

/* ---- the header ---- */

/* MediaPosition of PWG 5102.4, table 6, is the place of media-source in this list. */
static unsigned position_of(const char *source)
{
	static const char *const names[] = {
		"auto", "main", "alternate", "large-capacity", "manual", "envelope", "disc",
		"photo", "hagaki", "main-roll", "alternate-roll", "top", "middle", "bottom",
		"side", "left", "right", "center", "rear", "by-pass-tray"
	};
	const unsigned count = sizeof names / sizeof names[0];
	unsigned number;
	int n = 0;

	for (unsigned i = 0; i < count; i++)
		if (!strcmp(source, names[i]))
			return i;
	/* tray-1 to tray-20, then roll-1 to roll-10 */
	if (sscanf(source, "tray-%2u%n", &number, &n) == 1 && !source[n] && number >= 1 &&
	    number <= 20)
		return count - 1 + number;
	n = 0;
	if (sscanf(source, "roll-%2u%n", &number, &n) == 1 && n && !source[n] && number >= 1 &&
	    number <= 10)
		return count + 19 + number;
	return 0;
}

static unsigned points(int length)
{
	return (unsigned)(72 * (int64_t)length / 2540);
}

static unsigned pixels(int length, unsigned dpi)
{
	return (unsigned)((int64_t)length * dpi / 2540);
}

/* What the back of a sheet is drawn with, so that the printer's duplexer gets it right. */
static void back_of(const struct rip_transform_request *request, bool *mirror_x, bool *mirror_y)
{
	const bool turned = request->back == (request->tumble ? RIP_BACK_MANUAL_TUMBLE :
								RIP_BACK_ROTATED);
	const bool flipped = request->back == RIP_BACK_FLIPPED;

	*mirror_x = turned || (flipped && request->tumble);
	*mirror_y = turned || (flipped && !request->tumble);
}

void rip_transform_header(const struct rip_transform_request *request, unsigned pages,
			  unsigned sides, bool back, cups_page_header2_t *h)
{
	static const cups_orient_t orientations[] = {
		[4] = CUPS_ORIENT_90, [5] = CUPS_ORIENT_270, [6] = CUPS_ORIENT_180, [7] = 0
	};
	const char *asked = rip_transform_option(request, "orientation-requested");
	const struct rip_transform_media *media = &request->media;
	const struct rip_transform_type *type = request->type;
	bool mirror_x = false, mirror_y = false;

	memset(h, 0, sizeof *h);
	strcpy(h->MediaClass, "PwgRaster");
	memcpy(h->MediaColor, media->color, sizeof media->color);
	memcpy(h->MediaType, media->type, sizeof media->type);
	memcpy(h->OutputType, request->optimize, sizeof request->optimize);
	memcpy(h->cupsRenderingIntent, request->intent, sizeof request->intent);
	memcpy(h->cupsPageSizeName, media->name, sizeof media->name);
	h->MediaPosition = position_of(media->source);
	if (asked && asked[0] >= '4' && asked[0] <= '7')
		h->Orientation = orientations[asked[0] - '0'];
	h->HWResolution[0] = request->x_dpi;
	h->HWResolution[1] = request->y_dpi;
	h->NumCopies = request->uncollated ? request->copies : 1;
	h->PageSize[0] = points(media->width);
	h->PageSize[1] = points(media->length);
	h->ImagingBoundingBox[0] = points(media->left);
	h->ImagingBoundingBox[1] = points(media->bottom);
	h->ImagingBoundingBox[2] = points(media->width - media->right);
	h->ImagingBoundingBox[3] = points(media->length - media->top);
	h->cupsWidth = pixels(media->width, request->x_dpi);
	h->cupsHeight = pixels(media->length, request->y_dpi);
	h->cupsBitsPerColor = type->bits;
	h->cupsNumColors = rip_contone_samples(type->contone);
	h->cupsBitsPerPixel = type->bits * h->cupsNumColors;
	h->cupsBytesPerLine = (unsigned)(((uint64_t)h->cupsWidth * h->cupsBitsPerPixel + 7) / 8);
	h->cupsColorOrder = CUPS_ORDER_CHUNKED;
	h->cupsColorSpace = type->space;
	h->Duplex = request->duplex && pages > 1;
	h->Tumble = h->Duplex && request->tumble;
	h->cupsInteger[CUPS_RASTER_PWG_TotalPageCount] = sides;
	if (back)
		back_of(request, &mirror_x, &mirror_y);
	h->cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform] = mirror_x ? 0xffffffffu : 1;
	h->cupsInteger[CUPS_RASTER_PWG_FeedTransform] = mirror_y ? 0xffffffffu : 1;
	h->cupsInteger[CUPS_RASTER_PWG_PrintQuality] = request->quality;
}

/* ---- its place ---- */

/* Quarters of a turn, anticlockwise.  Without a wish, what is wider than tall goes on a sheet that
 * is taller than wide clockwise, as with ipptransform, and the other way round.  Portrait counts as
 * no wish: printer applications send it where the user said nothing. */
static unsigned turns_of(const struct rip_transform_request *request, double width, double height)
{
	const struct rip_transform_media *media = &request->media;
	const bool across = (width > height && media->width < media->length) ||
			    (width < height && media->width > media->length);
	const unsigned suited = across && !request->is_exact ? 3 : 0;

	switch (request->orientation) {
	case 4:
		return 1;
	case 5:
		return 3;
	case 6:
		return (suited + 2) % 4;
	default:
		return suited;
	}
}

/* A rectangle of the sheet, in points from its lower left. */
struct area {
	double x, y, width, height;
};

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* print-scaling as PWG 5100.13, 6.1.8, has it: how many times as large, and where the page's middle
 * comes. */
static double scale_of(const struct rip_transform_request *request, const struct area *sheet,
		       const struct area *inside, double width, double height,
		       const struct area **middle)
{
	const struct rip_transform_media *media = &request->media;
	const bool margins = media->left || media->right || media->top || media->bottom;
	const bool larger = width > sheet->width + SAME_SIZE || height > sheet->height + SAME_SIZE;
	enum rip_transform_scaling scaling = request->scaling;
	double x, y;

	if (scaling == RIP_SCALING_AUTO)
		scaling = !larger ? RIP_SCALING_NONE : margins ? RIP_SCALING_FIT : RIP_SCALING_FILL;
	if (scaling == RIP_SCALING_AUTO_FIT)
		scaling = larger ? RIP_SCALING_FIT : RIP_SCALING_NONE;
	*middle = scaling == RIP_SCALING_FIT ? inside : sheet;
	x = (*middle)->width / width;
	y = (*middle)->height / height;
	return scaling == RIP_SCALING_NONE ? 1 : scaling == RIP_SCALING_FIT ? smaller(x, y) :
	       x + y - smaller(x, y);
}

void rip_transform_place(const struct rip_transform_request *request,
			 const cups_page_header2_t *header, double width, double height, bool back,
			 double m[6])
{
	/* From the page to itself turned, whose lower left is at 0, 0. */
	const double turned[4][6] = {
		{ 1, 0, 0, 1, 0, 0 }, { 0, 1, -1, 0, height, 0 },
		{ -1, 0, 0, -1, width, height }, { 0, -1, 1, 0, 0, width },
	};
	const unsigned turns = turns_of(request, width, height);
	const double *turn = turned[turns];
	const double across = turns % 2 ? height : width, along = turns % 2 ? width : height;
	const double x_dpi = request->x_dpi / 72., y_dpi = request->y_dpi / 72.;
	const struct rip_transform_media *media = &request->media;
	/* The sheet is as large as its pixels, less than one of which is cut off. */
	const struct area sheet = { 0, 0, header->cupsWidth / x_dpi, header->cupsHeight / y_dpi };
	const struct area inside = {
		media->left * 72. / 2540, media->bottom * 72. / 2540,
		(media->width - media->left - media->right) * 72. / 2540,
		(media->length - media->top - media->bottom) * 72. / 2540,
	};
	const struct area *middle;
	const double scale = scale_of(request, &sheet, &inside, across > 0 ? across : 1,
				      along > 0 ? along : 1, &middle);
	double x = middle->x + (middle->width - across * scale) / 2;
	double y = middle->y + (middle->height - along * scale) / 2;
	bool mirror_x = false, mirror_y = false;

	/* A page as large as the sheet is not moved by parts of a pixel: its pixels are those of
	 * `riptide rip`. */
	if (scale == 1 && middle == &sheet && fabs(across - sheet.width) <= SAME_SIZE &&
	    fabs(along - sheet.height) <= SAME_SIZE)
		x = y = 0;
	m[0] = x_dpi * scale * turn[0];
	m[1] = -(y_dpi * scale * turn[1]);
	m[2] = x_dpi * scale * turn[2];
	m[3] = -(y_dpi * scale * turn[3]);
	m[4] = x_dpi * (scale * turn[4] + x);
	m[5] = header->cupsHeight - y_dpi * (scale * turn[5] + y);
	if (back)
		back_of(request, &mirror_x, &mirror_y);
	for (int i = 0; i < 6; i += 2) {
		if (mirror_x)
			m[i] = (i == 4 ? header->cupsWidth : 0) - m[i];
		if (mirror_y)
			m[i + 1] = (i == 4 ? header->cupsHeight : 0) - m[i + 1];
	}
}

/* ---- the options of its dots ---- */

/* The values of transform.conf for this call: that of the line with most conditions counts, of
 * those the last one. */
struct chosen {
	const struct rip_transform_request *request;
	char    *values[RIP_OPTION_COUNT];
	unsigned conditions[RIP_OPTION_COUNT];
};

static bool holds(const struct rip_transform_request *request, const char *condition)
{
	static const char *const qualities[] = { [3] = "draft", "normal", "high" };
	const unsigned quality = request->quality ? request->quality : 4;
	char dpi[32], both[32];

	snprintf(dpi, sizeof dpi, "%udpi", request->x_dpi);
	snprintf(both, sizeof both, "%ux%udpi", request->x_dpi, request->y_dpi);
	return rip_same_name(condition, qualities[quality]) || rip_same_name(condition, both) ||
	       (request->x_dpi == request->y_dpi && rip_same_name(condition, dpi)) ||
	       rip_same_name(condition, request->media.type) ||
	       rip_same_name(condition, request->media.name);
}

/* "halftone-screen 600dpi draft" = "clustered" */
static bool take(void *context, const char *key, const char *value, char *why, size_t size)
{
	struct chosen *chosen = context;
	const size_t length = strcspn(key, " \t");
	char words[512], *rest = NULL;
	unsigned conditions = 0;
	bool all = true;
	int option = 0;

	while (option < RIP_OPTION_COUNT && (strlen(rip_option_name(option)) != length ||
					     !rip_same_start(key, rip_option_name(option), length)))
		option++;
	if (option == RIP_OPTION_COUNT || !*value || strlen(key) >= sizeof words) {
		snprintf(why, size, *value ? "'%.*s' is not an option of rastertoriptide(8)" :
			 "'%.*s' has no value", (int)(length < 64 ? length : 64), key);
		return false;
	}
	strcpy(words, key + length);
	for (char *from = words, *word; (word = strtok_r(from, " \t", &rest)); from = NULL) {
		conditions++;
		all &= holds(chosen->request, word);
	}
	if (!all || (chosen->values[option] && conditions < chosen->conditions[option]))
		return true;
	free(chosen->values[option]);
	chosen->values[option] = strdup(value);
	chosen->conditions[option] = conditions;
	if (!chosen->values[option])
		snprintf(why, size, "out of memory");
	return chosen->values[option] != NULL;
}

/* 0 or -errno (reported). */
static int read_file(struct chosen *chosen)
{
	const char *named = getenv("RIPTIDE_TRANSFORM_CONF");
	const char *path = named && *named ? named : RIP_SYSCONFDIR "/riptide/transform.conf";
	FILE *file = fopen(path, "re");
	char why[512];
	int r;

	if (!file)
		return errno == ENOENT && path != named ? 0 :
		       rip_complain(-errno, "cannot open %s: %s", path, strerror(errno));
	r = rip_key_file_read(file, path, take, chosen, why, sizeof why);
	fclose(file);
	return r < 0 ? rip_complain(r, "%s", why) : 0;
}

/* Adds NAME="VALUE". */
static void add(FILE *text, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	fprintf(text, "%s=\"", name);
	for (; *value; value++)
		fprintf(text, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
	fputs("\" ", text);
}

char *rip_transform_dot_options(const struct rip_transform_request *request)
{
	struct chosen chosen = { .request = request };
	char *made = NULL;
	size_t size;
	FILE *text = open_memstream(&made, &size);
	int r;

	if (!text) {
		rip_complain(0, "out of memory");
		return NULL;
	}
	r = read_file(&chosen);
	if (r == 0 && request->bi_level)
		add(text, rip_option_name(RIP_OPTION_SCREEN), "bi-level");
	for (int i = 0; i < RIP_OPTION_COUNT; i++) {
		if (r == 0) {
			add(text, rip_option_name(i), chosen.values[i]);
			if (i == RIP_OPTION_SCREEN)
				add(text, rip_option_name(i), getenv("RIPTIDE_SCREEN"));
			add(text, rip_option_name(i),
			    rip_transform_option(request, rip_option_name(i)));
		}
		free(chosen.values[i]);
	}
	if (r == 0) /* the types of pages have no others */
		add(text, rip_option_name(RIP_OPTION_LEVELS), "2");
	if (fclose(text) && r == 0)
		r = rip_complain(-ENOMEM, "out of memory");
	if (r == 0)
		return made;
	free(made);
	return NULL;
}
