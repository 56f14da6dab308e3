/* The tone curve of a plane for a printer. */
#include "tone/plane_curve.h"

#include <stdlib.h>

#include "tone/calibrated.h"
#include "tone/ink_name.h"

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
	const double strength = wish->light_ink.strength > 0 ? wish->light_ink.strength : RIP_LIGHT_STRENGTH;

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
	const struct rip_cal_ink *column = cal && !rip_cal_is_ours(cal) ? rip_cal_ink(cal, ink) : NULL;

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
	correction.linear = wish->printer->kind == RIP_PRINTER_NONE || finished_of(cal, rip_dark_ink(ink));
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
		const uint32_t sent = rest ? (finished[i] * (257 - rest) + finished[i + 1] * rest + 128) / 257 :
					     finished[i];

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

uint16_t *rip_plane_curve_new(const struct rip_plane_wish *wish, const uint16_t *first, uint32_t count)
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
