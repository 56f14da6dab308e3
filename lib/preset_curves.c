/* The tone curves of a page from what riptide.h lets a program ask for. */
#include "preset_curves.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "system/ascii.h"

static int load_cal(struct rip_preset_curves *curves, const char *name, char *why, size_t size)
{
	char path[PATH_MAX], reason[160] = "";
	int r = 0;

	if (curves->has_cal && !strcmp(curves->cal_name, name))
		return 0;
	curves->has_cal = false;
	rip_page_curves_finish(&curves->of);
	if (strlen(name) >= sizeof curves->cal_name)
		r = -ENAMETOOLONG;
	else if (strchr(name, '/'))
		snprintf(path, sizeof path, "%s", name);
	else
		r = rip_cal_path(rip_cal_folder(), name, path, sizeof path, reason, sizeof reason);
	if (r == 0)
		r = rip_cal_load(&curves->cal, path, reason, sizeof reason);
	if (r < 0) {
		snprintf(why, size, "calibration %.80s: %s", name, *reason ? reason : strerror(-r));
		return r;
	}
	snprintf(curves->cal_name, sizeof curves->cal_name, "%s", name);
	curves->has_cal = true;
	return 0;
}

/* What the page asks for.  0; -ENOENT or -EINVAL, and why. */
static int choose(const struct riptide_page *page, struct rip_tone_choice *choice, char *why,
		  size_t size)
{
	const int gain = rip_tone_parse_gain(page->preset ? page->preset : "none");
	const int target = page->target ? rip_tone_parse_target(page->target) : 0;
	char gains[160];

	if (gain < 0) {
		rip_tone_list_gains(gains, sizeof gains);
		snprintf(why, size, "no preset is called \"%.40s\": choose one of %s", page->preset,
			 gains);
		return -ENOENT;
	}
	if (target < 0) {
		snprintf(why, size, "no target is called \"%.40s\": choose print or linear",
			 page->target);
		return -EINVAL;
	}
	*choice = rip_tone_choice_nothing();
	rip_tone_choose_gain(choice, gain);
	choice->target = (enum rip_target)target;
	choice->gamma = page->gamma;
	choice->density = page->density;
	return 0;
}

int rip_preset_curves_make(struct rip_preset_curves *curves, const struct riptide_page *page,
			   const struct rip_page_spec *spec, const struct rip_mask_use *use,
			   char *why, size_t size)
{
	const bool has_cal = page->calibration && !rip_same_name(page->calibration, "none");
	struct rip_tone_choice choice;
	struct rip_page_wish wish;
	int r = choose(page, &choice, why, size);

	if (r == 0 && has_cal)
		r = load_cal(curves, page->calibration, why, size);
	if (r < 0)
		return r;
	rip_page_wish_init(&wish, &choice, has_cal ? &curves->cal : NULL, spec, use);
	r = rip_page_curves_make(&curves->of, &wish, page->curves);
	if (r < 0)
		snprintf(why, size, "%s", strerror(-r));
	return r;
}
