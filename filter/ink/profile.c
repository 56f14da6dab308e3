#include "config.h"

#include "profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/ppd.h>

#include "colord.h"
#include "filter/report.h"
#include "system/ascii.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* The choice of an option of the PPD for this job, or what the PPD has as its default without an
 * option of that name; NULL. */
static const char *choice_of(ppd_file_t *ppd, const char *keyword)
{
	const ppd_choice_t *choice = ppdFindMarkedChoice(ppd, keyword);
	const ppd_attr_t *attr;
	char name[PPD_MAX_NAME];

	if (choice)
		return choice->choice;
	snprintf(name, sizeof name, "Default%s", keyword);
	attr = ppdFindAttr(ppd, name, NULL);
	return attr && attr->value && *attr->value ? attr->value : NULL;
}

/* The choice for one part of a profile's qualifier. */
static const char *qualifier(ppd_file_t *ppd, const char *attribute, const char *first,
			     const char *second)
{
	const ppd_attr_t *attr = ppdFindAttr(ppd, attribute, NULL);
	const char *choice;

	if (attr && attr->value && *attr->value) {
		first = attr->value;
		second = NULL;
	}
	choice = choice_of(ppd, first);
	if (!choice && second)
		choice = choice_of(ppd, second);
	return choice ? choice : "";
}

/* Finds the PPD's profile.  "": there is none. */
static void find_in_ppd(ppd_file_t *ppd, const char *const choices[3], char *path, size_t size)
{
	static const char *const keywords[] = { "APTiogaProfile", "cupsICCProfile" };
	const char *data = getenv("CUPS_DATADIR");
	char wanted[3 * PPD_MAX_NAME];
	ppd_attr_t *attr = NULL;
	int k;

	path[0] = '\0';
	snprintf(wanted, sizeof wanted, "%.40s.%.40s.%.40s", choices[0], choices[1], choices[2]);
	for (k = 0; k < 2 && !attr; k++)
		attr = ppdFindAttr(ppd, keywords[k], NULL);
	for (; attr; attr = ppdFindNextAttr(ppd, keywords[k - 1], NULL)) {
		if (!attr->value || strcmp(attr->spec, wanted))
			continue;
		if (attr->value[0] == '/')
			snprintf(path, size, "%s", attr->value);
		else
			snprintf(path, size, "%s/profiles/%s", data ? data : "/usr/share/cups",
				 attr->value);
		if (access(path, R_OK) == 0)
			return;
		path[0] = '\0';
	}
}

/* cm-calibration, with any value but a no. */
static bool is_calibration(int count, cups_option_t *options)
{
	const char *value = cupsGetOption("cm-calibration", count, options);

	return value && !rip_same_name(value, "false") && !rip_same_name(value, "off") &&
	       !rip_same_name(value, "no");
}

void rip_profile_find(const struct rip_queue *queue, const char *printer, int count,
		      cups_option_t *options, struct rip_profile *profile)
{
	ppd_file_t *ppd = queue->ppd;
	const char *const choices[3] = {
		qualifier(ppd, "cupsICCQualifier1", "ColorModel", "ColorSpace"),
		qualifier(ppd, "cupsICCQualifier2", "MediaType", NULL),
		qualifier(ppd, "cupsICCQualifier3", "Resolution", NULL),
	};
	bool inhibited = false;
	int r;

	profile->path[0] = '\0';
	profile->managed = !is_calibration(count, options);
	if (!profile->managed)
		return;
	r = printer && *printer ? rip_colord_ask(printer, choices, &inhibited, profile->path,
						 sizeof profile->path) : -ENOENT;
	if (r < 0)
		rip_debug("colord knows nothing of this queue: %s", strerror(-r));
	profile->managed = !inhibited;
	if (profile->managed && !profile->path[0])
		find_in_ppd(ppd, choices, profile->path, sizeof profile->path);
}
