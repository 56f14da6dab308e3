#include "config.h"

#include "app/app_driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app_job.h"
#include "app/app_parts.h"
#include "app/app_places.h"
#include "app/app_printer.h"
#include "app/app_run.h"
#include "app/web.h"
#include "system/ascii.h"

/* ---- riptide's own ---- */

pappl_pr_driver_t rip_app_drivers[RIP_APP_DRIVERS] = {
	{ "pcl5", "PCL 5 mono laser", NULL, NULL },
	{ "pcl-color", "PCL color inkjet", NULL, NULL },
	{ "escp2", "ESC/P 2 color inkjet", NULL, NULL },
	{ "escp2-photo", "ESC/P 2 photo inkjet, 6 inks", NULL, NULL },
	{ "escp", "ESC/P 24-pin printer", NULL, NULL },
	{ "zpl-203", "ZPL label printer, 203 dpi", NULL, NULL },
	{ "zpl-300", "ZPL label printer, 300 dpi", NULL, NULL },
	{ "pwg", "PWG raster, 1 bit", NULL, NULL },
};

/* Whether a list such as "PJL,PCL,PCLXL" has the word, or one that begins with it and goes on with
 * a digit: PCL5e, ESCPL2-00. */
static bool speaks(const char *list, const char *word)
{
	const size_t length = strlen(word);

	while (list && *list) {
		if (rip_same_start(list, word, length) &&
		    (!list[length] || strchr(",; -", list[length]) ||
		     (list[length] >= '0' && list[length] <= '9')))
			return true;
		list = strchr(list, ',');
		if (list)
			list += 1 + strspn(list + 1, " ");
	}
	return false;
}

const char *rip_app_autoadd(const char *info, const char *uri, const char *id, void *data)
{
	cups_option_t *pairs = NULL;
	const int count = papplDeviceParseID(id, &pairs);
	const char *languages = cupsGetOption("COMMAND SET", count, pairs);
	const char *model = cupsGetOption("MODEL", count, pairs), *driver = NULL;

	if (!languages)
		languages = cupsGetOption("CMD", count, pairs);
	if (!model)
		model = cupsGetOption("MDL", count, pairs);
	if (speaks(languages, "ZPL"))
		driver = model && strstr(model, "300") ? "zpl-300" : "zpl-203";
	else if (speaks(languages, "ESCPL"))
		driver = "escp2";
	else if (speaks(languages, "PCL"))
		driver = model && (strstr(model, "eskJet") || strstr(model, "eskjet")) ?
				 "pcl-color" : "pcl5";
	else if (speaks(languages, "PWGRaster"))
		driver = "pwg";
	cupsFreeOptions(count, pairs);
	return driver;
}

bool rip_app_driver_is_own(const char *name)
{
	int i = 0;

	while (i < RIP_APP_DRIVERS && strcmp(rip_app_drivers[i].name, name))
		i++;
	return i < RIP_APP_DRIVERS;
}

/* ---- what clients are offered ---- */

static void offer_media(const struct rip_app_driver *driver, pappl_pr_driver_data_t *data)
{
	const struct rip_app_choices *media = &driver->media, *sources = &driver->sources;
	pappl_media_col_t *preset = &data->media_default;
	const pwg_media_t *size;
	int i;

	for (i = 0; i < media->count && i < PAPPL_MAX_MEDIA; i++)
		data->media[data->num_media++] = media->list[i].name;
	for (i = 0; i < sources->count && i < PAPPL_MAX_SOURCE; i++)
		data->source[data->num_source++] = sources->list[i].name;
	if (!data->num_source)
		data->source[data->num_source++] = "auto";
	for (i = 0; i < driver->types.count && i < PAPPL_MAX_TYPE; i++)
		data->type[data->num_type++] = driver->types.list[i].name;
	if (!data->num_type)
		data->type[data->num_type++] = data->kind == PAPPL_KIND_LABEL ? "labels" :
									       "stationery";
	snprintf(preset->size_name, sizeof preset->size_name, "%s",
		 media->list[media->preset].name);
	size = pwgMediaForPWG(preset->size_name);
	preset->size_width = size ? size->width : 0;
	preset->size_length = size ? size->length : 0;
	preset->left_margin = preset->right_margin = data->left_right;
	preset->top_margin = preset->bottom_margin = data->bottom_top;
	/* The PPD's default may be one of those that there is no place for. */
	i = driver->types.preset < (int)data->num_type ? driver->types.preset : 0;
	snprintf(preset->type, sizeof preset->type, "%s", data->type[i]);
	for (i = 0; i < (int)data->num_source; i++) {
		snprintf(preset->source, sizeof preset->source, "%s", data->source[i]);
		data->media_ready[i] = *preset;
	}
	i = sources->preset < (int)data->num_source ? sources->preset : 0;
	snprintf(preset->source, sizeof preset->source, "%s", data->source[i]);
}

static void offer_resolutions(const struct rip_app_driver *driver, pappl_pr_driver_data_t *data)
{
	const struct rip_app_choices *all = &driver->resolutions;
	int i, dpi[2];

	for (i = 0; i < all->count && i < PAPPL_MAX_RESOLUTION; i++) {
		rip_app_resolution(&all->list[i], dpi);
		data->x_resolution[i] = dpi[0];
		data->y_resolution[i] = dpi[1];
	}
	data->num_resolution = i;
	i = all->preset < i ? all->preset : 0;
	data->x_default = data->x_resolution[i];
	data->y_default = data->y_resolution[i];
}

static void offer_colours(const struct rip_app_driver *driver, pappl_pr_driver_data_t *data,
			  const struct rip_app_ppd_facts *facts)
{
	data->raster_types = PAPPL_PWG_RASTER_TYPE_BLACK_8 | PAPPL_PWG_RASTER_TYPE_SGRAY_8;
	data->color_supported = PAPPL_COLOR_MODE_AUTO | PAPPL_COLOR_MODE_MONOCHROME;
	data->color_default = PAPPL_COLOR_MODE_MONOCHROME;
	if (!facts->colour)
		return;
	data->raster_types |= PAPPL_PWG_RASTER_TYPE_SRGB_8;
	data->color_supported |= PAPPL_COLOR_MODE_COLOR;
	if (!facts->grey_first)
		data->color_default = PAPPL_COLOR_MODE_AUTO;
	data->ppm_color = data->ppm;
	if (driver->mono < 0)
		data->color_supported &= ~(pappl_color_mode_t)PAPPL_COLOR_MODE_MONOCHROME;
}

static void offer_options(const struct rip_app_driver *driver, pappl_pr_driver_data_t *data,
			  ipp_t *attributes)
{
	const struct rip_app_option *option;
	const char *values[256];
	char name[96];
	int i, j;

	for (i = 0; i < driver->option_count; i++) {
		option = &driver->options[i];
		for (j = 0; j < option->choices.count && j < 256; j++)
			values[j] = option->choices.list[j].name;
		data->vendor[data->num_vendor++] = option->name;
		snprintf(name, sizeof name, "%s-supported", option->name);
		ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, name, j, NULL, values);
		snprintf(name, sizeof name, "%s-default", option->name);
		ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, name, NULL,
			     values[option->choices.preset < j ? option->choices.preset : 0]);
	}
}

/* What IPP Everywhere wants, and PAPPL leaves to drivers. */
static void offer_everywhere(const struct rip_app_driver *driver, ipp_t *attributes)
{
	static const char *const intents[] = { "auto", "relative" };
	const char *names[RIP_APP_OVERRIDES_COUNT + PAPPL_MAX_VENDOR];
	int i, count = RIP_APP_OVERRIDES_COUNT;

	memcpy(names, rip_app_overrides, sizeof rip_app_overrides);
	for (i = 0; i < driver->option_count; i++)
		names[count++] = driver->options[i].name;
	ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, "overrides-supported", count,
		      NULL, names);
	ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
		      "print-rendering-intent-supported", 2, NULL, intents);
	ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
		     "print-rendering-intent-default", NULL, "auto");
	ippAddBoolean(attributes, IPP_TAG_PRINTER, "preferred-attributes-supported", 0);
}

/* ---- callbacks ---- */

static void delete_driver(pappl_printer_t *printer, pappl_pr_driver_data_t *data)
{
	rip_app_ppd_free(data->extension);
	data->extension = NULL;
}

static void identify(pappl_printer_t *printer, pappl_identify_actions_t actions,
		     const char *message)
{
	papplLogPrinter(printer, PAPPL_LOGLEVEL_INFO, "Identify: %s",
			message ? message : "this is the printer");
}

/* The option for Ghostscript's output, in which "%" begins the number of a page. */
static void name_output(const char *file, char *option, size_t size)
{
	size_t n = (size_t)snprintf(option, size, "-sOutputFile=");

	for (; *file && n + 3 < size; file++) {
		option[n++] = *file;
		if (*file == '%')
			option[n++] = '%';
	}
	option[n] = '\0';
}

/* The demo page as PDF, made when it is first asked for. */
static const char *test_page(pappl_printer_t *printer, char *path, size_t size)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char source[PATH_MAX], new[PATH_MAX], output[2 * PATH_MAX];
	const char *argv[] = { "gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite",
			       output, source, NULL };
	struct rip_app_said said;
	bool made;

	snprintf(path, size, "%s/test-page.pdf", rip_app_places.cache);
	snprintf(source, sizeof source, "%s/test-page.ps", rip_app_places.data);
	snprintf(new, sizeof new, "%s.new", path);
	name_output(new, output, sizeof output);
	pthread_mutex_lock(&lock);
	made = access(path, R_OK) == 0 ||
	       (rip_app_run(argv[0], argv, RIP_APP_RUN_SECONDS, &said) == 0 &&
		rename(new, path) == 0);
	pthread_mutex_unlock(&lock);
	if (!made)
		papplLogPrinter(printer, PAPPL_LOGLEVEL_ERROR,
				"Ghostscript makes no PDF of %s: is it installed? %s", source,
				said.error);
	return made ? path : NULL;
}

static bool status(pappl_printer_t *printer)
{
	return true;
}

bool rip_app_driver_fill(pappl_system_t *system, const char *name, const char *uri, const char *id,
			 pappl_pr_driver_data_t *data, ipp_t **attributes, void *context)
{
	struct rip_app_ppd_facts facts;
	struct rip_app_driver *driver;
	char path[PATH_MAX / 2], why[256];

	if (rip_app_driver_is_own(name))
		snprintf(path, sizeof path, "%.300s/ppd/riptide-%.64s.ppd", rip_app_places.data,
			 name);
	else
		snprintf(path, sizeof path, "%.300s/%.128s.ppd", rip_app_places.ppds, name);
	driver = strchr(name, '/') ? NULL : rip_app_ppd_read(path, &facts, why, sizeof why);
	if (!driver) {
		papplLog(system, PAPPL_LOGLEVEL_ERROR, "No driver %s: %s", name,
			 strchr(name, '/') ? "a name has no slash" : why);
		return false;
	}
	data->extension = driver;
	data->delete_cb = delete_driver;
	rip_app_job_callbacks(data);
	data->identify_cb = identify;
	data->identify_default = data->identify_supported = PAPPL_IDENTIFY_ACTIONS_DISPLAY;
	data->status_cb = status;
	data->testpage_cb = test_page;
	data->has_supplies = true;
	snprintf(data->make_and_model, sizeof data->make_and_model, "%s", facts.model);
	data->kind = facts.label ? PAPPL_KIND_LABEL : PAPPL_KIND_DOCUMENT;
	data->ppm = facts.ppm;
	data->orient_default = IPP_ORIENT_PORTRAIT;
	data->quality_default = IPP_QUALITY_NORMAL;
	data->scaling_default = PAPPL_SCALING_AUTO;
	data->left_right = facts.left_right;
	data->bottom_top = facts.bottom_top;
	data->sides_supported = data->sides_default = PAPPL_SIDES_ONE_SIDED;
	if (driver->sides.count) {
		data->sides_supported |= PAPPL_SIDES_TWO_SIDED_LONG_EDGE |
					 PAPPL_SIDES_TWO_SIDED_SHORT_EDGE;
		data->duplex = PAPPL_DUPLEX_NORMAL;
	}
	*attributes = ippNew();
	offer_colours(driver, data, &facts);
	offer_resolutions(driver, data);
	offer_media(driver, data);
	offer_options(driver, data, *attributes);
	offer_everywhere(driver, *attributes);
	return true;
}

/* The printers' languages do not tell how full they are. */
static void name_supplies(pappl_printer_t *printer)
{
	static const struct {
		pappl_supply_color_t colour;
		const char *name;
	} inks[] = {
		{ PAPPL_SUPPLY_COLOR_BLACK, "Black" }, { PAPPL_SUPPLY_COLOR_CYAN, "Cyan" },
		{ PAPPL_SUPPLY_COLOR_MAGENTA, "Magenta" }, { PAPPL_SUPPLY_COLOR_YELLOW, "Yellow" },
	};
	pappl_supply_t supplies[4];
	pappl_pr_driver_data_t driver;
	int i, count;

	papplPrinterGetDriverData(printer, &driver);
	count = driver.ppm_color ? 4 : 1;
	memset(supplies, 0, sizeof supplies);
	for (i = 0; i < count; i++) {
		supplies[i].color = inks[i].colour;
		supplies[i].is_consumed = true;
		supplies[i].level = -2; /* unknown */
		supplies[i].type = driver.ppm_color ? PAPPL_SUPPLY_TYPE_INK :
						      PAPPL_SUPPLY_TYPE_TONER;
		snprintf(supplies[i].description, sizeof supplies[i].description,
			 "%s (level unknown)", inks[i].name);
	}
	papplPrinterSetSupplies(printer, count, supplies);
}

/* PAPPL 1.3 announces what its page adds, and what is there at the start, but not what a request of
 * IPP adds; it does when the printer gets a name. */
static void announce(pappl_printer_t *printer)
{
	char name[256];

	if (papplPrinterGetDNSSDName(printer, name, sizeof name))
		papplPrinterSetDNSSDName(printer, name);
}

void rip_app_driver_created(pappl_printer_t *printer, void *data)
{
	name_supplies(printer);
	announce(printer);
	rip_app_web_add(papplPrinterGetSystem(printer), printer);
}
