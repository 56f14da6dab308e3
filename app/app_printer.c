#include "config.h"

#include "app/app_printer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

const char *rip_app_choice(const struct rip_app_choices *choices, const char *name)
{
	int i;

	for (i = 0; i < choices->count; i++)
		if (name && !strcmp(choices->list[i].name, name))
			return choices->list[i].choice;
	return choices->count ? choices->list[choices->preset].choice : NULL;
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
