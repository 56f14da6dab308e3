#include "config.h"

#include "app/web.h"

#include "app/web/web_page.h"

/* A link to a page; PAPPL shows its label in the words of its own languages only. */
static void add_page(pappl_system_t *system, pappl_printer_t *printer, const char *name,
		     const char *label, pappl_resource_cb_t page)
{
	char path[256];

	papplPrinterGetPath(printer, name, path, sizeof path);
	papplSystemAddResourceCallback(system, path, "text/html", page, printer);
	if (label)
		papplPrinterAddLink(printer, label, path,
				    PAPPL_LOPTIONS_NAVIGATION | PAPPL_LOPTIONS_STATUS);
}

void rip_app_web_add(pappl_system_t *system, pappl_printer_t *printer)
{
	papplSystemAddResourceString(system, "/riptide.css", "text/css", rip_web_style);
	add_page(system, printer, "screens", "Screens", rip_web_screens);
	add_page(system, printer, "preview.png", NULL, rip_web_preview);
	add_page(system, printer, "calibrate", "Calibrate", rip_web_calibrate);
	add_page(system, printer, "ink", "Ink", rip_web_ink);
	/* In place of PAPPL's, which adds its own pages later, and only where there is none. */
	add_page(system, printer, "printing", NULL, rip_web_printing);
}
