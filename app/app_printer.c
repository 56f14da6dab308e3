#include "config.h"

#include "app/app_printer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/app_places.h"

const struct rip_app_driver *rip_app_printer_driver(pappl_printer_t *printer)
{
	pappl_pr_driver_data_t data;

	papplPrinterGetDriverData(printer, &data);
	return data.extension;
}

const char *rip_app_printer_file(pappl_printer_t *printer, char *name, size_t size)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				   "-_";
	const char *own = papplPrinterGetName(printer);
	bool changed = strlen(own) > 64;
	size_t i;

	snprintf(name, size, "%.64s", own);
	for (i = 0; name[i]; i++)
		if (!strchr(good, name[i]) && !(name[i] == '.' && i > 0)) {
			name[i] = '_';
			changed = true;
		}
	/* Else two printers could share their calibrations. */
	if (changed && i < size)
		snprintf(name + i, size - i, "-%d", papplPrinterGetID(printer));
	return name;
}

bool rip_app_printer_calibration(pappl_printer_t *printer, const char *ending,
				 char path[PATH_MAX])
{
	char name[80];

	snprintf(path, PATH_MAX, "%s/%s%s", rip_app_places.calibrations,
		 rip_app_printer_file(printer, name, sizeof name), ending);
	return access(path, R_OK) == 0;
}

const char *rip_app_choice(const struct rip_app_choices *choices, const char *name)
{
	const int place = name ? rip_app_choice_index(choices, name) : -1;

	return choices->count ? choices->list[place < 0 ? choices->preset : place].choice : NULL;
}

void rip_app_resolution(const struct rip_app_choice *choice, int dpi[2])
{
	dpi[0] = dpi[1] = 0;
	if (sscanf(choice->name, "%dx%d", &dpi[0], &dpi[1]) == 1)
		dpi[1] = dpi[0];
}

int rip_app_resolution_index(const struct rip_app_choices *all, int x_dpi, int y_dpi)
{
	int dpi[2];

	for (int i = 0; i < all->count; i++) {
		rip_app_resolution(&all->list[i], dpi);
		if (dpi[0] == x_dpi && dpi[1] == y_dpi)
			return i;
	}
	return -1;
}

const char *rip_app_printer_default(pappl_printer_t *printer, const char *option, char *value,
				    size_t size)
{
	ipp_t *attributes = papplPrinterGetDriverAttributes(printer);
	char name[96];
	const char *text;

	snprintf(name, sizeof name, "%s-default", option);
	text = ippGetString(ippFindAttribute(attributes, name, IPP_TAG_ZERO), 0, NULL);
	snprintf(value, size, "%s", text ? text : "");
	ippDelete(attributes);
	return value;
}
