/* Screens: the named ones. */
#include "screen.h"

#include "blue_noise.h"
#include "system/ascii.h"

#define REACH(reach, ...) reach

#define ERROR_FILTER(NAME, FILTER)                                                     \
	{                                                                              \
		.name = NAME,                                                          \
		.kind = RIP_SCREEN_ERROR_FILTER,                                       \
		.reach = FILTER(REACH),                                                \
		.carry_bound = { FILTER(RIP_CARRY_BOUND_1), FILTER(RIP_CARRY_BOUND_2) }, \
		.filter = &(const struct rip_error_filter)FILTER(RIP_ERROR_FILTER),    \
	}

const struct rip_screen rip_screens[RIP_SCREENS] = {
	[RIP_FLOYD_STEINBERG] = ERROR_FILTER("floyd-steinberg", RIP_FILTER_FLOYD_STEINBERG),
	[RIP_JARVIS_JUDICE_NINKE] =
		ERROR_FILTER("jarvis-judice-ninke", RIP_FILTER_JARVIS_JUDICE_NINKE),
	[RIP_STUCKI] = ERROR_FILTER("stucki", RIP_FILTER_STUCKI),
	[RIP_BURKES] = ERROR_FILTER("burkes", RIP_FILTER_BURKES),
	[RIP_SIERRA] = ERROR_FILTER("sierra", RIP_FILTER_SIERRA),
	[RIP_ATKINSON] = ERROR_FILTER("atkinson", RIP_FILTER_ATKINSON),
	[RIP_BLUE_NOISE] = {
		.name = "blue-noise",
		.kind = RIP_SCREEN_BLUE_NOISE,
		.reach = 1,
		.carry_bound = { RIP_BLUE_NOISE_CARRY },
	},
	[RIP_BLUE_NOISE_COLOUR] = {
		.name = "blue-noise-colour",
		.kind = RIP_SCREEN_BLUE_NOISE_COLOUR,
		.reach = 1,
		.carry_bound = { RIP_BLUE_NOISE_CARRY },
	},
};

bool rip_screen_is_labels(const char *name)
{
	return rip_same_name(name, RIP_SCREEN_LABELS);
}

int rip_screen_find(const char *name)
{
	if (rip_screen_is_labels(name))
		return RIP_BLUE_NOISE;
	for (int i = 0; i < RIP_SCREENS; i++)
		if (rip_same_name(name, rip_screens[i].name))
			return i;
	return -1;
}

int rip_screen_id(const struct rip_screen *screen)
{
	for (int i = 0; i < RIP_SCREENS; i++)
		if (screen == &rip_screens[i])
			return i;
	return -1;
}
