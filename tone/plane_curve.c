/* The tone curve of a plane for a printer. */
#include "tone/plane_curve.h"

#include <math.h>
#include <stdlib.h>

#include "tone/calibrated.h"
#include "tone/ink_name.h"

/* ---- A plane that is printed with two inks of one colour ---- */

void rip_light_split(const struct rip_light_ink *ink, double solid, double area, double *dark,
		     double *light)
{
	const double s = ink->strength, e = ink->end, q = 1 - solid;
	double half, most;

	area = fmin(fmax(area, 0), 1);
	*dark = area <= s ? 0 : area;
	*light = area <= s ? area / s : 0;
	if (area <= s || area >= e)
		return;
	if (ink->avoid) {
		*light = (e - area) / (e - s);
		*dark = area - s * *light;
		return;
	}
	/* The smaller root, without a difference of two large numbers. */
	half = (1 - s + s * q) / 2;
	most = s > 0.5 ? 1 : (1 - area) / (half + sqrt(fmax(half * half - s * q * (1 - area), 0)));
	*light = fmin((e - area) / (e - s), most);
	*dark = (1 - (1 - q * area) / (1 - s * q * *light)) / q;
}

/* ---- The tone curve of a plane ---- */

#define PRESS_GAIN 0.20 /* of an offset press, at 50 % */

const char *const rip_target_names[RIP_TARGETS] = {
	[RIP_TARGET_PRINT] = "print", [RIP_TARGET_LINEAR] = "linear",
};

double rip_target_area(enum rip_target target, double ink)
{
	return target == RIP_TARGET_PRINT ? ink + 4 * PRESS_GAIN * ink * (1 - ink) : ink;
}

/* The tone, 0 to 1, for an ink. */
static double tone_for(const struct rip_wish *wish, double ink)
{
	double area;

	if (wish->gamma != 1)
		ink = 1 - pow(1 - ink, 1 / wish->gamma);
	area = wish->response ? rip_target_area(wish->target, ink) : ink;
	if (wish->density != 1)
		area = (1 - pow(1 - area * (1 - wish->solid), wish->density)) / (1 - wish->solid);
	if (wish->part != RIP_PART_WHOLE) {
		double dark, light;

		rip_light_split(&wish->light_ink, wish->solid, area, &dark, &light);
		area = wish->part == RIP_PART_DARK ? dark : light;
	}
	return wish->response ? rip_response_tone(wish->response, area) : area;
}

void rip_curve_for(const struct rip_wish *wish, bool light, uint32_t count, uint16_t *curve)
{
	const double full = count - 1;

	for (uint32_t v = 0; v < count; v++) {
		const double tone = tone_for(wish, (light ? count - 1 - v : v) / full);
		const uint16_t x = (uint16_t)lrint(65535 * fmin(fmax(tone, 0), 1));

		curve[v] = light ? 65535 - x : x;
	}
}

/* What a plane's printer does with tones: a response, or a finished curve of 256 points, or
 * neither: none of them is known. */
struct correction {
	const struct rip_response *response;
	const uint16_t *finished;
	double solid;
	bool   linear; /* the area that is asked for is the ink, whatever the target */
};

/* A light ink absorbs less, so that less light gets lost below its dots, too. */
static void set_solid(const struct rip_plane_wish *wish, struct rip_printer *printer)
{
	const double wanted = wish->light_ink.strength;
	const double strength = wanted > 0 ? wanted : RIP_LIGHT_STRENGTH;

	if (wish->ink >= RIP_INK_LIGHT_CYAN)
		printer->solid = 1 - strength * (1 - printer->solid);
}

/* What our own calibration says of an ink: its steps on this screen, or the model of the printer
 * with the drops in use.  false: neither. */
static bool find_calibrated(const struct rip_plane_wish *wish, const char *ink, double dpi,
			    struct rip_response *response, struct correction *correction)
{
	struct rip_printer model;

	if (!rip_cal_printer(wish->cal, ink, dpi, &model))
		return false;
	correction->solid = model.solid;
	model.drops = wish->printer->drops;
	if (!rip_cal_measured(wish->cal, ink, &model, wish->pattern, wish->levels, dpi, response)) {
		set_solid(wish, &model);
		rip_response_of(response, &model, wish->pattern, wish->levels);
	}
	correction->response = response;
	return true;
}

/* The curve of another program for an ink, or NULL. */
static const uint16_t *finished_of(const struct rip_cal *cal, const char *ink)
{
	const bool other = cal && !rip_cal_is_ours(cal);
	const struct rip_cal_ink *column = other ? rip_cal_ink(cal, ink) : NULL;

	return column ? column->curve : NULL;
}

/* A printer whose tones are what a finished curve has made them: areas. */
static void set_even(struct rip_response *response)
{
	for (unsigned i = 0; i < RIP_RESPONSE_POINTS; i++)
		response->area[i] = i / (RIP_RESPONSE_POINTS - 1.);
}

/* Finds it.  The dark ink decides about the target, because both inks of a colour have to split the
 * same area.  response: memory for one. */
static struct correction correction_of(const struct rip_plane_wish *wish,
				       struct rip_response *response)
{
	const struct rip_pattern *pattern = wish->pattern;
	const struct rip_cal *cal = wish->cal;
	const char *ink = rip_ink_letter(wish->ink);
	const double dpi = wish->dpi > 0 ? wish->dpi : 600;
	struct correction correction = { .solid = wish->printer->solid };
	struct rip_printer printer = *wish->printer;

	if (!pattern)
		return correction;
	if (cal && rip_cal_is_ours(cal) && find_calibrated(wish, ink, dpi, response, &correction))
		return correction;
	correction.finished = finished_of(cal, ink);
	correction.linear = wish->printer->kind == RIP_PRINTER_NONE ||
			    finished_of(cal, rip_dark_ink(ink));
	if (correction.finished && !correction.linear) {
		set_even(response);
		correction.response = response;
	} else if (!correction.finished && (wish->printer->kind != RIP_PRINTER_NONE ||
		   rip_drops_known(&wish->printer->drops, wish->levels))) {
		set_solid(wish, &printer);
		rip_response_of(response, &printer, pattern, wish->levels);
		correction.response = response;
	}
	return correction;
}

/* Sends what a curve gives through a finished one, of ink. */
static void put_finished(const uint16_t *finished, bool light, uint32_t count, uint16_t *curve)
{
	for (uint32_t v = 0; v < count; v++) {
		const uint32_t ink = light ? 65535u - curve[v] : curve[v];
		const uint32_t i = ink / 257, rest = ink % 257;
		uint32_t sent = finished[i];

		if (rest)
			sent = (sent * (257 - rest) + finished[i + 1] * rest + 128) / 257;
		curve[v] = (uint16_t)(light ? 65535u - sent : sent);
	}
}

void rip_plane_curve_make(const struct rip_plane_wish *wish, uint32_t count, uint16_t *curve)
{
	struct rip_wish inner = RIP_WISH_NOTHING;
	struct rip_response response;
	const struct correction correction = correction_of(wish, &response);

	inner.gamma = wish->gamma;
	inner.density = wish->density;
	inner.target = correction.linear ? RIP_TARGET_LINEAR : wish->target;
	inner.response = correction.response;
	inner.solid = correction.solid;
	inner.part = wish->part;
	inner.light_ink = wish->light_ink;
	rip_curve_for(&inner, wish->light, count, curve);
	if (correction.finished)
		put_finished(correction.finished, wish->light, count, curve);
}

uint16_t *rip_plane_curve_new(const struct rip_plane_wish *wish, const uint16_t *first,
			      uint32_t count)
{
	uint16_t *curve = malloc(count * sizeof *curve);
	uint16_t *by_x = first ? malloc(65536 * sizeof *by_x) : NULL;

	if (!curve || (first && !by_x)) {
		free(curve);
		curve = NULL;
	} else if (first) {
		rip_plane_curve_make(wish, 65536, by_x);
		for (uint32_t v = 0; v < count; v++)
			curve[v] = by_x[first[v]];
	} else {
		rip_plane_curve_make(wish, count, curve);
	}
	free(by_x);
	return curve;
}

void rip_plane_curves_free(uint16_t *curves[], uint32_t planes)
{
	for (uint32_t p = 0; p < planes; p++) {
		for (uint32_t q = p + 1; q < planes; q++)
			if (curves[q] == curves[p])
				curves[q] = NULL;
		free(curves[p]);
		curves[p] = NULL;
	}
}
