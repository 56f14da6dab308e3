/* The tone curve of a plane for a printer. */
#include "tone/plane_curve.h"

#include <stdlib.h>

#include "tone/calibrated.h"

/* The name of a plane's ink in a calibration. */
static const char *ink_name(enum rip_ink ink)
{
	static const char *const names[] = {
		[RIP_INK_OTHER] = "", [RIP_INK_BLACK] = "K", [RIP_INK_CYAN] = "C",
		[RIP_INK_MAGENTA] = "M", [RIP_INK_YELLOW] = "Y",
	};

	return names[ink];
}

/* What a plane's printer does with tones: a response, or a finished curve of 256 points, or
 * neither: none of them is known. */
struct correction {
	const struct rip_response *response;
	const uint16_t *finished;
	double solid;
};

/* Finds it.  response: memory for one. */
static struct correction correction_of(const struct rip_plane_wish *wish,
				       struct rip_response *response)
{
	const struct rip_pattern *pattern = wish->pattern;
	const struct rip_cal *cal = wish->cal;
	const char *ink = ink_name(wish->ink);
	const double dpi = wish->dpi > 0 ? wish->dpi : 600;
	struct correction correction = { .solid = wish->printer->solid };
	struct rip_printer model;

	if (!pattern)
		return correction;
	if (cal && rip_cal_is_ours(cal)) {
		if (rip_cal_response(cal, ink, pattern, wish->levels, dpi, response)) {
			correction.response = response;
			if (rip_cal_printer(cal, ink, dpi, &model))
				correction.solid = model.solid;
			return correction;
		}
	} else if (cal && rip_cal_ink(cal, ink)) {
		correction.finished = rip_cal_ink(cal, ink)->curve;
		return correction;
	}
	if (wish->printer->kind != RIP_PRINTER_NONE) {
		rip_response_of(response, wish->printer, pattern, wish->levels);
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
	inner.target = wish->target;
	inner.response = correction.response;
	inner.solid = correction.solid;
	rip_curve_for(&inner, wish->light, count, curve);
	if (correction.finished)
		put_finished(correction.finished, wish->light, count, curve);
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
