/* Blue noise for colour: the order of the inks. */
#include "blue_noise_colour.h"

/* Others come last. */
static const enum rip_ink order[] = {
	RIP_INK_BLACK, RIP_INK_MAGENTA, RIP_INK_CYAN, RIP_INK_LIGHT_MAGENTA, RIP_INK_LIGHT_CYAN,
	RIP_INK_LIGHT_BLACK, RIP_INK_YELLOW, RIP_INK_OTHER,
};

static bool are_pair(enum rip_ink first, enum rip_ink second)
{
	return (first == RIP_INK_MAGENTA && second == RIP_INK_CYAN) ||
	       (first == RIP_INK_LIGHT_MAGENTA && second == RIP_INK_LIGHT_CYAN);
}

void rip_colour_plan(const enum rip_ink inks[], uint32_t planes, struct rip_colour_step steps[])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < sizeof order / sizeof *order; i++)
		for (uint32_t p = 0; p < planes; p++)
			if (inks[p] == order[i])
				steps[count++] = (struct rip_colour_step){
					.plane = p,
					.alone = inks[p] == RIP_INK_BLACK || planes == 1,
				};
	for (uint32_t s = 0; s + 1 < count; s++)
		steps[s].looks = are_pair(inks[steps[s].plane], inks[steps[s + 1].plane]);
	if (count > 1 && inks[steps[0].plane] == RIP_INK_OTHER) /* there are no others */
		steps[0].looks = true;
}

const struct rip_screen *rip_colour_screen(uint32_t registration, uint32_t x_dpi, uint32_t y_dpi,
					   uint32_t *fade)
{
	/* 25400 times the dots that they are apart. */
	const uint64_t apart = (uint64_t)registration * (x_dpi > y_dpi ? x_dpi : y_dpi);

	*fade = 100 * apart <= 36 * 25400 ? 0 : RIP_COLOUR_FADE;
	return &rip_screens[apart <= 25400 ? RIP_BLUE_NOISE_COLOUR : RIP_BLUE_NOISE];
}
