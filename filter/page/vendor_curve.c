/* The tone curves of a vendor's PPD. */
#include "vendor_curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/ink/colour_library.h"
#include "filter/report.h"
#include "system/number.h"

static void warn(const char *keyword, const char *value, bool *warned)
{
	if (!*warned)
		rip_warning("%s \"%.40s\" in the queue's PPD is not valid and is ignored",
			    keyword, value);
	*warned = true;
}

const char *rip_vendor_find(const struct rip_queue *queue, const char *keyword,
			    const struct rip_vendor_page *page, char spec[RIP_VENDOR_SPEC])
{
	static const char *const forms[] = { "%m.%t.%r", "%m.%r", "%m", "%t.%r", "%t", "%r", "" };
	char resolution[32];

	if (page->x_dpi == page->y_dpi)
		snprintf(resolution, sizeof resolution, "%udpi", page->x_dpi);
	else
		snprintf(resolution, sizeof resolution, "%ux%udpi", page->x_dpi, page->y_dpi);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const char *value;
		size_t used = 0;

		spec[0] = '\0';
		for (const char *form = forms[i]; *form && used < RIP_VENDOR_SPEC - 1; form++) {
			const char *part = NULL;

			if (*form == '%') {
				form++;
				part = *form == 'm' ? page->model : *form == 'r' ? resolution :
				       *page->media ? page->media : "Plain";
			}
			used += (size_t)snprintf(spec + used, RIP_VENDOR_SPEC - used, "%s",
						 part ? part : ".");
		}
		value = rip_queue_line(queue, keyword, spec, false);
		if (value)
			return value;
	}
	return NULL;
}

static bool is_share(float value)
{
	return value >= 0 && value <= 1; /* not NaN */
}

/* The curve of all lines of a keyword with this option. */
static bool read_points(struct rip_vendor_curve *curve, const struct rip_queue *queue,
			const char *keyword, const char *spec, bool may_fall, bool *warned)
{
	float points[RIP_COLOUR_POINTS][2]; /* out, in */
	const char *value;
	unsigned count = 0;

	for (; (value = rip_queue_line(queue, keyword, spec, count > 0)); count++) {
		float in, out;

		if (count == RIP_COLOUR_POINTS || rip_number_scan(value, "%f%f", &out, &in) != 2 ||
		    !is_share(in) || !is_share(out) ||
		    (count > 0 && (in < points[count - 1][1] ||
				   (out < points[count - 1][0] && !may_fall)))) {
			warn(keyword, value, warned);
			return false;
		}
		points[count][0] = out;
		points[count][1] = in;
	}
	return rip_colour_points(count, points, curve->ink);
}

static bool read_gamma(struct rip_vendor_curve *curve, const char *keyword, const char *value,
		       bool *warned)
{
	float gamma, density;

	if (rip_number_scan(value, "%f%f", &gamma, &density) == 2 && gamma > 0 && gamma <= 100 &&
	    density > 0 && density <= 1)
		return rip_colour_gamma(gamma, density, curve->ink);
	warn(keyword, value, warned);
	return false;
}

/* Whether there is libcupsfilters, for this keyword. */
static bool has_library(const char *keyword, bool *warned)
{
	if (rip_colour_library())
		return true;
	if (!*warned)
		rip_warning("%s in the queue's PPD is ignored, because libcupsfilters cannot be "
			    "loaded: install cups-filters", keyword);
	*warned = true;
	return false;
}

bool rip_vendor_curve_find(struct rip_vendor_curve *curve, const struct rip_queue *queue,
			   const struct rip_vendor_page *page, enum rip_ink ink, bool *warned)
{
	static const char *const inks[] = {
		[RIP_INK_BLACK] = "Black", [RIP_INK_CYAN] = "Cyan", [RIP_INK_MAGENTA] = "Magenta",
		[RIP_INK_YELLOW] = "Yellow", [RIP_INK_LIGHT_CYAN] = "LightCyan",
		[RIP_INK_LIGHT_MAGENTA] = "LightMagenta", [RIP_INK_LIGHT_BLACK] = "LightBlack",
	};
	const bool is_light = ink >= RIP_INK_LIGHT_CYAN; /* which gives way to the dark one */

	memset(curve, 0, sizeof *curve);
	if (ink == RIP_INK_OTHER)
		return false;
	for (int i = 0; i < (is_light ? 2 : 4); i++) {
		char keyword[40], spec[RIP_VENDOR_SPEC];
		const char *value;

		snprintf(keyword, sizeof keyword, "cups%s%s", i < 2 ? inks[ink] : "All",
			 i % 2 ? "Gamma" : "XY");
		value = rip_vendor_find(queue, keyword, page, spec);
		if (!value)
			continue;
		curve->used = has_library(keyword, warned) &&
			      (i % 2 ? read_gamma(curve, keyword, value, warned) :
				       read_points(curve, queue, keyword, spec, is_light, warned));
		break;
	}
	return curve->used;
}

/* The range of a keyword, from `least` or more to 1 or less. */
static bool find_range(const struct rip_queue *queue, const struct rip_vendor_page *page,
		       const char *keyword, float least, float range[2], bool *warned)
{
	char spec[RIP_VENDOR_SPEC];
	const char *value = rip_vendor_find(queue, keyword, page, spec);

	if (!value)
		return false;
	if (rip_number_scan(value, "%f%f", &range[0], &range[1]) == 2 && range[0] >= least &&
	    range[0] < range[1] && range[1] <= 1)
		return true;
	warn(keyword, value, warned);
	return false;
}

bool rip_vendor_light_ink(const struct rip_queue *queue, const struct rip_vendor_page *page,
			  enum rip_ink light, struct rip_light_ink *found, bool *warned)
{
	const char *keyword = light == RIP_INK_LIGHT_CYAN ? "cupsCyanLtDk" :
			      light == RIP_INK_LIGHT_MAGENTA ? "cupsMagentaLtDk" : "cupsBlackLtDk";
	float range[2];
	const bool says = find_range(queue, page, keyword, (float)RIP_LIGHT_LEAST, range, warned);

	if (says)
		*found = (struct rip_light_ink){ range[0], range[1], 0 };
	return says;
}

bool rip_vendor_black_generation(const struct rip_queue *queue, const struct rip_vendor_page *page,
				 float black[2], bool *warned)
{
	return find_range(queue, page, "cupsBlackGeneration", 0, black, warned);
}

double rip_vendor_curve_at(const struct rip_vendor_curve *curve, double ink)
{
	const int below = ink < 1 ? (int)(255 * ink) : 254;
	const short *at = curve->ink + below;

	if (!curve->used)
		return ink;
	return (at[0] + (at[1] - at[0]) * (255 * ink - below)) / RIP_COLOUR_FULL;
}

unsigned rip_vendor_ink_limit(const struct rip_queue *queue, const struct rip_vendor_page *page,
			      bool *warned)
{
	char spec[RIP_VENDOR_SPEC];
	const char *value = rip_vendor_find(queue, "cupsInkLimit", page, spec);
	float limit;

	if (!value)
		return 0;
	if (rip_number_scan(value, "%f", &limit) == 1 && limit >= 1 && limit <= 16)
		return (unsigned)lrintf(100 * limit);
	warn("cupsInkLimit", value, warned);
	return 0;
}
