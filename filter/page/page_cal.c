#include "page_cal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "filter/report.h"

const struct rip_cal *rip_page_cal(struct rip_page_cals *cals, const char *name)
{
	char path[PATH_MAX] = "", why[200];
	int r;

	if (!*name)
		return NULL;
	if (strcmp(name, cals->name)) {
		snprintf(cals->name, sizeof cals->name, "%s", name);
		r = rip_cal_path(rip_cal_folder(), name, path, sizeof path, why, sizeof why);
		if (r == 0)
			r = rip_cal_load(&cals->cal, path, why, sizeof why);
		cals->usable = r == 0;
		if (r < 0)
			rip_warning("halftone-calibration=%s: %s: %s; printing with halftone-dot-gain", name,
				    path, why);
	}
	return cals->usable ? &cals->cal : NULL;
}
