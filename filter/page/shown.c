/* How the dots of a page look on paper. */
#include "shown.h"

#include <stdio.h>

#include "filter/options.h"
#include "tone_curves.h"

void rip_shown_by(struct rip_shown *shown, const struct rip_options *options,
		  const struct rip_choice *choice, const struct rip_cal *cal,
		  const struct rip_tone_curves *curves)
{
	char points[16];

	*shown = (struct rip_shown){ .cal = cal, .drops = choice->tone.drops };
	snprintf(points, sizeof points, "%d", choice->tone.gain);
	shown->printer = rip_tone_parse_gain(choice->tone.gain >= 0 ? points :
					     rip_options_printer(options, choice));
	for (uint32_t i = 0; curves && i < curves->key.page.lights; i++)
		shown->strengths[curves->key.page.planes + i] = curves->key.page.light_inks[i].strength;
}
