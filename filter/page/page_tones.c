#include "page_tones.h"

#include <stdio.h>
#include <string.h>

int rip_page_tones_make(struct rip_page_tones *tones, struct rip_tone_curves *curves,
			const struct rip_options *options, const struct rip_queue *queue,
			const struct rip_choice *choice, const cups_page_header2_t *header,
			const struct rip_geometry *geometry, const struct rip_screen *screen,
			char *why, size_t size)
{
	struct rip_tone_choice tone = choice->tone;
	struct rip_tone_page page;
	int r;

	rip_tone_page_of(&page, header, geometry, screen, choice->levels);
	page.cal = rip_page_cal(&tones->cals, tone.calibration);
	rip_tone_page_vendor(&page, &tone, queue, rip_options_color_model(options, queue), header,
			     &tones->warned);
	r = rip_tone_curves_make(curves, &tone, &page);
	if (r < 0)
		snprintf(why, size, "%s", strerror(-r));
	return r;
}
