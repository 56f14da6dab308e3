#include "config.h"

#include "app/drivers.h"

#include <string.h>

#include "system/ascii.h"

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

	(void)info, (void)uri, (void)data;
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
