/* Page headers: check, convert to a geometry, rewrite. */
#include "header.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <cups/pwg.h>

#include "halftone/engine.h"

static const char *const space_names[] = {
	"W", "RGB", "RGBA", "K", "CMY", "YMC", "CMYK", "YMCK", "KCMY", "KCMYcm", "GMCK", "GMCS",
	"WHITE", "GOLD", "SILVER", "CIEXYZ", "CIELab", "RGBW", "SW", "SRGB", "ADOBERGB",
	[32] = "ICC1", "ICC2", "ICC3", "ICC4", "ICC5", "ICC6", "ICC7", "ICC8", "ICC9",
	"ICCA", "ICCB", "ICCC", "ICCD", "ICCE", "ICCF",
	[48] = "DEVICE1", "DEVICE2", "DEVICE3", "DEVICE4", "DEVICE5", "DEVICE6", "DEVICE7",
	"DEVICE8", "DEVICE9", "DEVICEA", "DEVICEB", "DEVICEC", "DEVICED", "DEVICEE", "DEVICEF",
};

const char *rip_color_space_name(unsigned space)
{
	const char *name = NULL;

	if (space < sizeof space_names / sizeof *space_names)
		name = space_names[space];
	return name ? name : "?";
}

const char *rip_color_space_inks(unsigned space)
{
	switch (space) {
	case CUPS_CSPACE_W:
	case CUPS_CSPACE_SW:
	case CUPS_CSPACE_K:
		return "K";
	case CUPS_CSPACE_RGB:
	case CUPS_CSPACE_SRGB:
	case CUPS_CSPACE_ADOBERGB:
	case CUPS_CSPACE_CMY:
		return "CMY";
	case CUPS_CSPACE_CMYK:
		return "CMYK";
	case CUPS_CSPACE_KCMY:
	case CUPS_CSPACE_KCMYcm:
		return "KCMY";
	default:
		return NULL;
	}
}

uint32_t rip_color_space_planes(unsigned space)
{
	const char *inks = rip_color_space_inks(space);

	if (inks)
		return (uint32_t)strlen(inks);
	if (space >= CUPS_CSPACE_DEVICE1 && space <= CUPS_CSPACE_DEVICEF)
		return space - CUPS_CSPACE_DEVICE1 + 1;
	return 0;
}

uint32_t rip_page_planes(const cups_page_header2_t *header)
{
	return header->cupsColorSpace == CUPS_CSPACE_KCMYcm && header->cupsBitsPerColor == 1 ? 6 :
	       rip_color_space_planes(header->cupsColorSpace);
}

bool rip_color_space_light(unsigned space)
{
	return space == CUPS_CSPACE_W || space == CUPS_CSPACE_SW || space == CUPS_CSPACE_RGB ||
	       space == CUPS_CSPACE_SRGB || space == CUPS_CSPACE_ADOBERGB;
}

static int check_extent(const char *field, unsigned value, char *why, size_t size)
{
	if (value >= 1 && value <= RIP_WIDTH_MAX)
		return 0;
	return rip_refuse(why, size, "%s is %u: it must be 1 to %u", field, value, RIP_WIDTH_MAX);
}

/* Bits from pixel to pixel.  In chunked lines a pixel may be wider than its colours: three
 * are sometimes padded to four, and six of 1 bit to eight. */
static int check_pixel(const cups_page_header2_t *in, struct rip_geometry *g, char *why,
		       size_t size)
{
	const unsigned bits = in->cupsBitsPerColor, pixel = in->cupsBitsPerPixel;
	const bool chunked = in->cupsColorOrder == CUPS_ORDER_CHUNKED;
	const unsigned natural = chunked ? bits * g->planes : bits;
	const bool six = in->cupsColorSpace == CUPS_CSPACE_KCMYcm && bits == 1;

	if (pixel != natural && !(chunked && g->planes == 3 && pixel == 4 * bits) &&
	    !(chunked && six && pixel == 8))
		return rip_refuse(why, size,
				  "cupsBitsPerPixel is %u: %u colour%s of %u bit%s, %s, %s %u",
				  pixel, g->planes, g->planes == 1 ? "" : "s",
				  bits, bits == 1 ? "" : "s", chunked ? "chunked" : "not chunked",
				  g->planes == 1 ? "takes" : "take", natural);
	if (in->cupsNumColors && in->cupsNumColors != g->planes &&
	    !(g->planes == 3 && in->cupsNumColors == 4))
		return rip_refuse(why, size, "cupsNumColors is %u: %s has %u", in->cupsNumColors,
				  rip_color_space_name(in->cupsColorSpace), g->planes);
	g->stride = chunked ? pixel / bits : 1;
	/* Ghostscript puts the unused bits of a 1-bit pixel first, unused bytes last. */
	g->first = bits == 1 && chunked ? g->stride - g->planes : 0;
	return 0;
}

static int check(const cups_page_header2_t *in, bool dots, struct rip_geometry *geometry, char *why,
		 size_t size)
{
	struct rip_geometry g = {
		.width = in->cupsWidth, .height = in->cupsHeight,
		.sample_bits = in->cupsBitsPerColor, .line_bytes = in->cupsBytesPerLine,
		.planes = rip_page_planes(in),
		.light = rip_color_space_light(in->cupsColorSpace),
		.order = in->cupsColorOrder,
	};
	uint64_t line;

	if (check_extent("cupsWidth", in->cupsWidth, why, size) < 0 ||
	    check_extent("cupsHeight", in->cupsHeight, why, size) < 0)
		return -EINVAL;
	if (!g.planes)
		return rip_refuse(why, size, "cupsColorSpace is %u (%s): the filter takes W, SW, "
				  "RGB, SRGB, ADOBERGB, K, CMY, CMYK, KCMY, KCMYcm and "
				  "DEVICE1 to DEVICEF", (unsigned)in->cupsColorSpace,
				  rip_color_space_name(in->cupsColorSpace));
	if (dots && g.sample_bits != 1 && g.sample_bits != 2 && g.sample_bits != 4)
		return rip_refuse(why, size, "cupsBitsPerColor is %u: dots have 1, 2 or 4",
				  g.sample_bits);
	if (!dots && g.sample_bits != 1 && g.sample_bits != 8 && g.sample_bits != 16)
		return rip_refuse(why, size, "cupsBitsPerColor is %u: it must be 8 or 16, "
				  "or 1 for dots", g.sample_bits);
	if ((unsigned)g.order > CUPS_ORDER_PLANAR)
		return rip_refuse(why, size, "cupsColorOrder is %u: it must be 0 (chunked), "
				  "1 (banded) or 2 (planar)", (unsigned)g.order);
	if (check_pixel(in, &g, why, size) < 0)
		return -EINVAL;

	line = ((uint64_t)g.width * in->cupsBitsPerPixel + 7) / 8;
	if (g.order == CUPS_ORDER_BANDED)
		line *= g.planes;
	if (g.line_bytes != line)
		return rip_refuse(why, size,
				  "cupsBytesPerLine is %u: %u columns of %u bits%s take %llu",
				  g.line_bytes, g.width, in->cupsBitsPerPixel,
				  g.order == CUPS_ORDER_BANDED ? ", banded," : "",
				  (unsigned long long)line);
	if (line > RIP_LINE_MAX)
		return rip_refuse(why, size, "cupsBytesPerLine is %u: at most %u are possible",
				  g.line_bytes, RIP_LINE_MAX);

	g.lines = g.order == CUPS_ORDER_PLANAR ? g.height * g.planes : g.height;
	if (g.order == CUPS_ORDER_BANDED && g.planes == 1)
		g.order = CUPS_ORDER_CHUNKED;
	*geometry = g;
	return 0;
}

/* The inks of the planes of samples. */
static void sample_inks(unsigned space, uint32_t planes, enum rip_ink inks[RIP_PLANES_MAX])
{
	static const enum rip_ink known[] = {
		['K'] = RIP_INK_BLACK, ['C'] = RIP_INK_CYAN, ['M'] = RIP_INK_MAGENTA,
		['Y'] = RIP_INK_YELLOW, ['c'] = RIP_INK_LIGHT_CYAN, ['m'] = RIP_INK_LIGHT_MAGENTA,
	};
	/* DeviceN does not tell. */
	const char *letters = space == CUPS_CSPACE_KCMYcm ? "KCMYcm" : rip_color_space_inks(space);

	for (uint32_t plane = 0; plane < planes; plane++)
		inks[plane] = letters ? known[(unsigned char)letters[plane]] : RIP_INK_OTHER;
}

void rip_page_inks(unsigned space, const struct rip_geometry *geometry,
		   enum rip_ink inks[RIP_PLANES_MAX])
{
	sample_inks(space, geometry->planes, inks);
	for (uint32_t i = 0; i < geometry->lights; i++)
		inks[geometry->planes + i] = geometry->light_planes[i].ink;
}

/* The light inks of a space; returns how many. */
static uint32_t find_lights(unsigned space, unsigned set,
			    struct rip_light_plane found[RIP_LIGHT_PLANES_MAX])
{
	const uint32_t planes = rip_color_space_planes(space);
	enum rip_ink inks[RIP_PLANES_MAX];

	if (rip_color_space_light(space))
		return 0;
	if (space == CUPS_CSPACE_KCMYcm)
		set |= RIP_LIGHT_C | RIP_LIGHT_M;
	sample_inks(space, planes, inks);
	return rip_light_inks_find(set, inks, planes, found);
}

bool rip_light_inks_wanted(unsigned space, unsigned set)
{
	struct rip_light_plane found[RIP_LIGHT_PLANES_MAX];

	return find_lights(space, set, found) > 0;
}

int rip_light_inks_add(const cups_page_header2_t *header, unsigned set,
		       struct rip_geometry *geometry, char *why, size_t size)
{
	struct rip_light_plane found[RIP_LIGHT_PLANES_MAX];
	const uint32_t count = geometry->sample_bits < 8 ? 0 :
			       find_lights(header->cupsColorSpace, set, found);

	if (count > 0 && geometry->order == CUPS_ORDER_PLANAR)
		return rip_refuse(why, size, "cupsColorOrder is 2 (planar): light inks need a page "
				  "whose colours come together; set cupsColorOrder 0 or 1 in the "
				  "queue's PPD");
	geometry->lights = count;
	memcpy(geometry->light_planes, found, count * sizeof *found);
	return 0;
}

int rip_header_check(const cups_page_header2_t *in, struct rip_geometry *geometry, char *why,
		     size_t size)
{
	const int r = check(in, false, geometry, why, size);

	return r < 0 ? r : rip_light_inks_add(in, 0, geometry, why, size);
}

int rip_header_check_dots(const cups_page_header2_t *in, struct rip_geometry *geometry, char *why,
			  size_t size)
{
	return check(in, true, geometry, why, size);
}

static bool usable(float value)
{
	return value >= 0 && value < 1e6f; /* and a number */
}

/* Fills in the page size and the imaged part, in points, if they are missing. */
static void fill_page_size(const cups_page_header2_t *in, bool from_pwg, cups_page_header2_t *out)
{
	const unsigned *box = in->cupsInteger + CUPS_RASTER_PWG_ImageBoxLeft;
	bool imaged = false;

	for (int i = 0; i < 2; i++)
		if (!usable(in->cupsPageSize[i]) || in->cupsPageSize[i] == 0)
			out->cupsPageSize[i] = in->PageSize[i];
	for (int i = 0; i < 4; i++) {
		if (!usable(in->cupsImagingBBox[i])) {
			imaged = false;
			break;
		}
		imaged |= in->cupsImagingBBox[i] > 0;
	}
	if (imaged)
		return;
	memset(out->cupsImagingBBox, 0, sizeof out->cupsImagingBBox);
	if (from_pwg && box[0] < box[2] && box[1] < box[3] && box[2] <= in->cupsWidth &&
	    box[3] <= in->cupsHeight && in->HWResolution[0] && in->HWResolution[1]) {
		/* The half stays clear of libcups' rounding down to pixels. */
		for (int i = 0; i < 4; i++)
			out->cupsImagingBBox[i] =
				box[i] ? (box[i] + 0.5f) * 72 / in->HWResolution[i % 2] : 0;
		return;
	}
	out->cupsImagingBBox[2] = out->cupsPageSize[0];
	out->cupsImagingBBox[3] = out->cupsPageSize[1];
}

/* Fields that PWG 5102.4, section 4.3, requires and a CUPS header may lack. */
static void fill_pwg(bool from_pwg, cups_page_header2_t *out)
{
	pwg_media_t *media;

	if (!from_pwg)
		memset(out->cupsInteger, 0, sizeof out->cupsInteger);
	for (int i = CUPS_RASTER_PWG_CrossFeedTransform; i <= CUPS_RASTER_PWG_FeedTransform; i++)
		if (out->cupsInteger[i] != 1 && out->cupsInteger[i] != 0xffffffffu)
			out->cupsInteger[i] = 1;
	out->cupsPageSizeName[sizeof out->cupsPageSizeName - 1] = '\0';
	/* A name from the PPD, not a self-describing one. */
	if (!strchr(out->cupsPageSizeName, '_')) {
		media = out->cupsPageSizeName[0] ? pwgMediaForPPD(out->cupsPageSizeName) : NULL;
		if (!media && out->PageSize[0] && out->PageSize[1] && out->PageSize[0] < 100000 &&
		    out->PageSize[1] < 100000)
			media = pwgMediaForSize(PWG_FROM_POINTS(out->PageSize[0]),
						PWG_FROM_POINTS(out->PageSize[1]));
		if (media && media->pwg)
			snprintf(out->cupsPageSizeName, sizeof out->cupsPageSizeName, "%s",
				 media->pwg);
	}
}

/* The colour space of the dots. */
static cups_cspace_t dot_space(const cups_page_header2_t *in, const struct rip_geometry *geometry,
			       const struct rip_output *out)
{
	const cups_cspace_t space = in->cupsColorSpace;
	const bool black_first = space == CUPS_CSPACE_KCMY || space == CUPS_CSPACE_KCMYcm;

	if (out->invert)
		return CUPS_CSPACE_K;
	if (geometry->lights == 0 && !(space == CUPS_CSPACE_KCMYcm && out->pwg))
		return space;
	if (black_first && out->planes == 6 && out->levels == 2 && !out->pwg)
		return CUPS_CSPACE_KCMYcm;
	return CUPS_CSPACE_DEVICE1 + out->planes - 1;
}

int rip_header_rewrite(const cups_page_header2_t *in, const struct rip_geometry *geometry,
		       uint32_t levels, bool pwg, bool from_pwg, cups_page_header2_t *out,
		       struct rip_output *output, char *why, size_t size)
{
	const uint32_t planes = geometry->planes + geometry->lights;
	const bool one = planes == 1;
	struct rip_output o = {
		.width = geometry->width, .height = geometry->height, .planes = planes,
		.levels = levels, .bits = rip_dot_bits(levels),
		.invert = one && geometry->light, .pwg = pwg,
	};
	uint32_t pixel;

	rip_page_inks(in->cupsColorSpace, geometry, o.inks);
	if (pwg && !one && geometry->order == CUPS_ORDER_PLANAR)
		return rip_refuse(why, size, "cupsColorOrder is 2 (planar): PWG raster is chunked, "
				  "and the filter does not buffer whole pages; "
				  "ask for chunked or banded raster");
	if (pwg && o.planes * o.bits > 8)
		return rip_refuse(why, size, "halftone-levels is %u: PWG raster has at most 8 bits "
				  "a pixel of dots, not %u colours of %u",
				  levels, o.planes, o.bits);
	o.order = pwg || (one && geometry->order != CUPS_ORDER_PLANAR) ? CUPS_ORDER_CHUNKED :
		  geometry->order == CUPS_ORDER_PLANAR ? CUPS_ORDER_PLANAR : CUPS_ORDER_BANDED;
	pixel = o.order == CUPS_ORDER_CHUNKED ? o.bits * o.planes : o.bits;
	o.line_bytes = ((uint64_t)o.width * pixel + 7) / 8;
	if (o.order == CUPS_ORDER_BANDED)
		o.line_bytes *= o.planes;

	*out = *in;
	out->cupsBitsPerColor = o.bits;
	out->cupsBitsPerPixel = pixel;
	out->cupsBytesPerLine = o.line_bytes;
	out->cupsColorOrder = o.order;
	out->cupsNumColors = o.planes;
	out->cupsColorSpace = dot_space(in, geometry, &o);
	fill_page_size(in, from_pwg, out);
	if (pwg)
		fill_pwg(from_pwg, out);
	*output = o;
	return 0;
}
