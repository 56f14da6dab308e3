#include "config.h"

#include "app/app_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_options.h"
#include "app/app_printer.h"

const char *const rip_app_overrides[RIP_APP_OVERRIDES_COUNT] = {
	"document-number", "document-numbers", "pages", "media", "orientation-requested",
	"print-color-mode", "print-content-optimize", "sides",
};

/* ---- options of some pages ---- */

static const char *word(ipp_t *from, const char *name)
{
	return ippGetString(ippFindAttribute(from, name, IPP_TAG_ZERO), 0, NULL);
}

static void override_media(pappl_media_col_t *media, const char *name)
{
	const pwg_media_t *size = pwgMediaForPWG(name);

	if (!size)
		return;
	snprintf(media->size_name, sizeof media->size_name, "%s", name);
	media->size_width = size->width;
	media->size_length = size->length;
}

static pappl_content_t content_of(const char *name)
{
	return !strcmp(name, "photo")		 ? PAPPL_CONTENT_PHOTO :
	       !strcmp(name, "text")		 ? PAPPL_CONTENT_TEXT :
	       !strcmp(name, "graphic")		 ? PAPPL_CONTENT_GRAPHIC :
	       !strcmp(name, "text-and-graphic") ? PAPPL_CONTENT_TEXT_AND_GRAPHIC :
						   PAPPL_CONTENT_AUTO;
}

static pappl_sides_t sides_of(const char *name)
{
	return !strcmp(name, "two-sided-long-edge")  ? PAPPL_SIDES_TWO_SIDED_LONG_EDGE :
	       !strcmp(name, "two-sided-short-edge") ? PAPPL_SIDES_TWO_SIDED_SHORT_EDGE :
						       PAPPL_SIDES_ONE_SIDED;
}

/* Changes what the collection names. */
static void override(pappl_pr_options_t *options, ipp_t *by, const struct rip_app_driver *driver)
{
	ipp_attribute_t *number = ippFindAttribute(by, "orientation-requested", IPP_TAG_ENUM);
	const char *value;
	char text[256];
	int i;

	if ((value = word(by, "media")) != NULL)
		override_media(&options->media, value);
	if (number)
		options->orientation_requested = (ipp_orient_t)ippGetInteger(number, 0);
	if ((value = word(by, "print-color-mode")) != NULL)
		options->print_color_mode = strstr(value, "monochrome") ?
			PAPPL_COLOR_MODE_MONOCHROME : PAPPL_COLOR_MODE_COLOR;
	if ((value = word(by, "print-content-optimize")) != NULL)
		options->print_content_optimize = content_of(value);
	if ((value = word(by, "sides")) != NULL)
		options->sides = sides_of(value);
	for (i = 0; i < driver->option_count; i++) {
		number = ippFindAttribute(by, driver->options[i].name, IPP_TAG_ZERO);
		if (number && ippAttributeString(number, text, sizeof text) < sizeof text)
			options->num_vendor = cupsAddOption(driver->options[i].name, text,
							    options->num_vendor, &options->vendor);
	}
}

/* The options of a part: a copy of the job's, changed; NULL without memory. */
static char *options_of(pappl_job_t *job, const pappl_pr_options_t *all, ipp_t *by,
			unsigned first, unsigned last, const unsigned dpi[2])
{
	pappl_pr_options_t own = *all;
	char *text;
	rip_app_count i;

	own.num_vendor = 0;
	own.vendor = NULL;
	for (i = 0; i < all->num_vendor; i++)
		own.num_vendor = cupsAddOption(all->vendor[i].name, all->vendor[i].value,
					       own.num_vendor, &own.vendor);
	own.first_page = first;
	own.last_page = last;
	if (by)
		override(&own, by, rip_app_printer_driver(papplJobGetPrinter(job)));
	text = rip_app_options(job, &own, dpi);
	cupsFreeOptions(own.num_vendor, own.vendor);
	return text;
}

/* ---- which pages ---- */

static bool has_document(ipp_t *by)
{
	ipp_attribute_t *numbers = ippFindAttribute(by, "document-numbers", IPP_TAG_RANGE);
	rip_app_count i;
	int low, high = 1;

	if (!numbers)
		numbers = ippFindAttribute(by, "document-number", IPP_TAG_RANGE);
	for (i = 0; i < ippGetCount(numbers); i++) {
		low = ippGetRange(numbers, i, &high);
		if (low <= 1 && high >= 1)
			return true;
	}
	return !numbers;
}

/* What applies to a page (the last one does), or NULL.  *next: the first page after it for which
 * that may be something else. */
static ipp_t *find_override(ipp_attribute_t *overrides, unsigned page, unsigned *next)
{
	ipp_t *found = NULL, *by;
	rip_app_count i, j;
	int low, high = 0;

	*next = UINT_MAX;
	for (i = 0; i < ippGetCount(overrides); i++) {
		ipp_attribute_t *pages;

		by = ippGetCollection(overrides, i);
		pages = ippFindAttribute(by, "pages", IPP_TAG_RANGE);
		for (j = 0; has_document(by) && j < ippGetCount(pages); j++) {
			low = ippGetRange(pages, j, &high);
			if (low <= 0 || high < low)
				continue;
			if ((unsigned)low > page && (unsigned)low < *next)
				*next = (unsigned)low;
			if ((unsigned)low <= page && (unsigned)high >= page)
				found = by;
			if ((unsigned)high >= page && (unsigned)high + 1 < *next)
				*next = (unsigned)high + 1;
		}
	}
	return found;
}

bool rip_app_parts_make(struct rip_app_parts *parts, pappl_job_t *job, const unsigned dpi[2])
{
	pappl_pr_options_t *options = papplJobCreatePrintOptions(job, 0, true);
	ipp_attribute_t *overrides = papplJobGetAttribute(job, "overrides");
	const int copies = options && options->copies > 0 ? options->copies : 1;
	const char *why = "There is no memory for the job.";
	unsigned page, next;
	ipp_t *by;

	memset(parts, 0, sizeof *parts);
	if (ippGetValueTag(overrides) != IPP_TAG_BEGIN_COLLECTION)
		overrides = NULL;
	parts->copies = overrides ? 1 : copies;
	parts->rounds = overrides ? copies : 1;
	for (page = options ? options->first_page : 0; options && page <= options->last_page;
	     page = next) {
		by = find_override(overrides, page, &next);
		if (parts->count == RIP_APP_PARTS_MAX) {
			why = "The job has options of their own for too many runs of pages.";
			break;
		}
		parts->options[parts->count] = options_of(job, options, by, page,
			next - 1 < options->last_page ? next - 1 : options->last_page, dpi);
		if (!parts->options[parts->count])
			break;
		parts->count++;
		if (next > options->last_page) {
			papplJobDeletePrintOptions(options);
			return true;
		}
	}
	papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s", why);
	papplJobSetMessage(job, "%s", why);
	papplJobDeletePrintOptions(options);
	return false;
}

void rip_app_parts_free(struct rip_app_parts *parts)
{
	while (parts->count > 0)
		free(parts->options[--parts->count]);
}
