#include "driver.h"

#include <string.h>

#define EIGHT_BITS      "takes contone and makes the dots itself"
#define CONTONE_PRINTER "sends contone to the printer, which makes the dots"

/* What is known from a page that went through (dots), or from the driver's sources. */
static const struct rip_driver drivers[] = {
	{ "rastertohp", RIP_TAKES_DOTS, NULL, NULL, NULL },
	{ "rastertoepson", RIP_TAKES_DOTS, NULL, NULL, NULL },
	{ "rastertolabel", RIP_TAKES_DOTS, NULL, "thermal", NULL },
	{ "rastertobrlaser", RIP_TAKES_DOTS, NULL, "laser", NULL },
	{ "rastertoqpdl", RIP_TAKES_DOTS, NULL, "laser", NULL },
	{ "rastertosag-gdi", RIP_TAKES_DOTS, NULL, "laser", NULL },
	{ "hpcups", RIP_TAKES_DOTS, NULL, NULL, NULL },
	{ "raster2dymolw", RIP_TAKES_DOTS, NULL, "thermal", "DymoHalftoning" },
	{ "raster2dymolm", RIP_TAKES_DOTS, NULL, "thermal", "DymoHalftoning" },
	{ "epson-escpr-wrapper", RIP_TAKES_CONTONE, CONTONE_PRINTER, NULL, NULL },
	{ "epson-escpr", RIP_TAKES_CONTONE, CONTONE_PRINTER, NULL, NULL },
	{ "rastertogutenprint.", RIP_TAKES_CONTONE, EIGHT_BITS ", of 1-bit raster too",
	  NULL, NULL },
	{ "c2esp", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "c2espC", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "rastertoescpx", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "rastertopclx", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "pstoqpdl", RIP_TAKES_CONTONE, "draws the page itself, from PostScript", NULL, NULL },
	{ "hpcupsfax", RIP_TAKES_CONTONE, "makes a fax, not a print", NULL, NULL },
	{ "rastertopwg", RIP_TAKES_CONTONE, CONTONE_PRINTER, NULL, NULL },
};

static const struct rip_driver unknown = { "", RIP_TAKES_UNKNOWN, NULL, NULL, NULL };

const struct rip_driver *rip_driver_find(struct rip_slice program)
{
	for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
		const char *name = drivers[i].program;
		const size_t length = strlen(name);

		if (rip_slice_is(program, name) ||
		    (name[length - 1] == '.' && rip_slice_starts(program, name) &&
		     program.size > length))
			return &drivers[i];
	}
	return &unknown;
}

/* The number in *cupsModelNumber; 0 if there is none, as CUPS takes it. */
static unsigned model_number(const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, "cupsModelNumber", NULL);

	return s ? rip_slice_number(s->value) : 0;
}

/* HP's inkjets and lasers share some of their languages; the names of the inkjets tell. */
static bool is_inkjet(const struct rip_ppd_text *ppd)
{
	static const char *const words[] = {
		"nkjet", "eskjet", "fficejet", "hotosmart", "esignjet",
	};
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, "ModelName", NULL);

	for (size_t i = 0; s && i < sizeof words / sizeof *words; i++)
		if (rip_slice_find(s->value, words[i]))
			return true;
	return false;
}

const char *rip_driver_printer(const struct rip_driver *driver, const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *language;

	if (driver->takes != RIP_TAKES_DOTS || driver->printer)
		return driver->printer;
	if (!strcmp(driver->program, "rastertohp")) /* HP_LASERJET is 0, HP_DESKJET 1 and 2 */
		return model_number(ppd) == 0 ? "laser" : "inkjet";
	if (!strcmp(driver->program, "rastertoepson")) /* 0 and 1 have pins, the others jets */
		return model_number(ppd) < 2 ? NULL : "inkjet";
	language = rip_ppd_find(ppd, "hpPrinterLanguage", NULL);
	if (strcmp(driver->program, "hpcups") || !language)
		return NULL;
	if (is_inkjet(ppd))
		return "inkjet";
	return rip_slice_starts(language->value, "lj") || rip_slice_is(language->value, "hbpl1") ?
	       "laser" : "inkjet";
}
