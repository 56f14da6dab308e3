#include "config.h"

#include "app/app_options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_printer.h"
#include "app/web.h"

/* Adds an option, unless the PPD has no word for it. */
static void add(FILE *out, const char *name, const char *value)
{
	if (name && *name && value && *value)
		fprintf(out, "%s=%s ", name, value);
}

static void add_choice(FILE *out, const struct rip_app_choices *choices, const char *name)
{
	add(out, choices->keyword, rip_app_choice(choices, name));
}

/* That of the job's raster; what the job names; by its quality the coarsest or the finest one, or
 * the printer's. */
static void add_resolution(FILE *out, pappl_job_t *job, const struct rip_app_choices *all,
			   const pappl_pr_options_t *options, const unsigned raster[2])
{
	int place = raster ? rip_app_resolution_index(all, (int)raster[0], (int)raster[1]) : -1;
	pappl_pr_driver_data_t data;

	papplPrinterGetDriverData(papplJobGetPrinter(job), &data);
	if (place < 0 && (papplJobGetAttribute(job, "printer-resolution") ||
			  options->print_quality != IPP_QUALITY_NORMAL))
		place = rip_app_resolution_index(all, options->printer_resolution[0],
						 options->printer_resolution[1]);
	if (place < 0)
		place = rip_app_resolution_index(all, data.x_default, data.y_default);
	if (place >= 0)
		add(out, all->keyword, all->list[place].choice);
}

/* For the PPD, and for headers of PWG raster. */
static void add_colours(FILE *out, const struct rip_app_driver *driver, bool mono)
{
	const int place = mono ? driver->mono : driver->colour;

	if (place >= 0)
		add(out, driver->colours.keyword, driver->colours.list[place].choice);
	else
		add_choice(out, &driver->colours, NULL);
	add(out, "print-color-mode", mono ? "monochrome" : "color");
}

static void add_sides(FILE *out, const struct rip_app_choices *sides, pappl_sides_t wanted)
{
	const char *name = "none";

	if (wanted == PAPPL_SIDES_TWO_SIDED_LONG_EDGE)
		name = "duplexnotumble";
	else if (wanted == PAPPL_SIDES_TWO_SIDED_SHORT_EDGE)
		name = "duplextumble";
	add_choice(out, sides, name);
}

/* A value that the filters' text can have as it is. */
static bool is_plain(const char *value)
{
	return *value && value[strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_.,")] == '\0';
}

/* What the content and the quality of a job change where it does not set the option itself, the
 * printer still has the driver's choice `from`, and the driver has the choice `to`. */
static const struct {
	unsigned content; /* of pappl_content_e, or 0: any */
	ipp_quality_t quality; /* or 0: any */
	const char *option, *from, *to;
} wishes[] = {
	{ PAPPL_CONTENT_TEXT | PAPPL_CONTENT_TEXT_AND_GRAPHIC, 0, "halftone-edges", "off", "on" },
	{ PAPPL_CONTENT_PHOTO, 0, "halftone-screen", "labels", "blue-noise" },
	{ PAPPL_CONTENT_PHOTO, 0, "halftone-screen", "blue-noise", "blue-noise-colour" },
	{ 0, IPP_QUALITY_DRAFT, "toner-save", "0", "1" },
};

/* The value of an option that the job does not set. */
static const char *unset_value(pappl_job_t *job, const struct rip_app_option *option,
			       const pappl_pr_options_t *options, char *value, size_t size)
{
	unsigned i;

	rip_app_printer_default(papplJobGetPrinter(job), option->name, value, size);
	for (i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
		if (!strcmp(wishes[i].option, option->name) && !strcmp(wishes[i].from, value) &&
		    (!wishes[i].content || (wishes[i].content & options->print_content_optimize)) &&
		    (!wishes[i].quality || wishes[i].quality == options->print_quality) &&
		    rip_app_choice_index(&option->choices, wishes[i].to) >= 0)
			return wishes[i].to;
	return value;
}

/* Options with an attribute of their own. */
static void add_vendor(FILE *out, pappl_job_t *job, const struct rip_app_driver *driver,
		       const pappl_pr_options_t *options)
{
	const struct rip_app_option *option;
	const char *value;
	char preset[64];
	int i;

	for (i = 0; i < driver->option_count; i++) {
		option = &driver->options[i];
		value = cupsGetOption(option->name, options->num_vendor, options->vendor);
		if (!value)
			value = unset_value(job, option, options, preset, sizeof preset);
		if (rip_app_choice_index(&option->choices, value) >= 0)
			value = rip_app_choice(&option->choices, value);
		if (is_plain(value))
			add(out, option->choices.keyword, value);
		else
			papplLogJob(job, PAPPL_LOGLEVEL_WARN, "%s has no value \"%s\".",
				    option->name, value);
	}
}

static const char *scaling(pappl_scaling_t value)
{
	switch (value) {
	case PAPPL_SCALING_AUTO_FIT: return "auto-fit";
	case PAPPL_SCALING_FILL:     return "fill";
	case PAPPL_SCALING_FIT:      return "fit";
	case PAPPL_SCALING_NONE:     return "none";
	default:                     return "auto";
	}
}

/* The printer's calibration, if it has one. */
static void add_calibration(FILE *out, pappl_printer_t *printer)
{
	char name[80], path[PATH_MAX];

	if (rip_app_printer_calibration(printer, ".cal", path))
		add(out, "halftone-calibration",
		    rip_app_printer_file(printer, name, sizeof name));
}

static void add_all(FILE *out, pappl_job_t *job, const pappl_pr_options_t *options,
		    const unsigned dpi[2])
{
	pappl_printer_t *printer = papplJobGetPrinter(job);
	const struct rip_app_driver *driver = rip_app_printer_driver(printer);

	add_choice(out, &driver->media, options->media.size_name);
	add_choice(out, &driver->sources, options->media.source);
	add_choice(out, &driver->types, options->media.type);
	add_resolution(out, job, &driver->resolutions, options, dpi);
	add_colours(out, driver, options->print_color_mode == PAPPL_COLOR_MODE_MONOCHROME);
	add_sides(out, &driver->sides, options->sides);
	if (papplJobGetAttribute(job, "print-quality"))
		fprintf(out, "print-quality=%d ", (int)options->print_quality);
	if (options->first_page > 1 || options->last_page < INT_MAX)
		fprintf(out, "page-ranges=%u-%u ", options->first_page, options->last_page);
	if (options->orientation_requested && options->orientation_requested != IPP_ORIENT_NONE &&
	    options->orientation_requested != IPP_ORIENT_PORTRAIT)
		fprintf(out, "orientation-requested=%d ", (int)options->orientation_requested);
	add(out, "print-scaling", scaling(options->print_scaling));
	add_vendor(out, job, driver, options);
	add_calibration(out, printer);
}

char *rip_app_options(pappl_job_t *job, const pappl_pr_options_t *options, const unsigned dpi[2])
{
	const char *given = rip_app_web_options(job);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (given)
		fputs(given, out);
	else
		add_all(out, job, options, dpi);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
