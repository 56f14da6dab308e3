#include "config.h"

#include "app/web.h"

#include <pthread.h>
#include <stdio.h>

#include "app/app_places.h"
#include "app/web/web_page.h"

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

/* Teaches PAPPL the German labels of the links.  PAPPL 1.3 tells IPP clients about languages as
 * often as they ask, each time once more, as long as a text of ours is among its resources: so it
 * is taken out when it has been read. */
static void translate_labels(pappl_system_t *system)
{
	static const char path[] = "/riptide-de.strings";
	static const enum rip_web_text labels[] = {
		RIP_SAY_SCREENS, RIP_SAY_CALIBRATE, RIP_SAY_INK,
	};
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static char text[256];
	size_t n = 0;

	pthread_mutex_lock(&lock);
	if (!text[0]) {
		for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
			n += (size_t)snprintf(text + n, sizeof text - n, "\"%s\" = \"%s\";\n",
					      rip_web_text(RIP_WEB_ENGLISH, labels[i]),
					      rip_web_text(RIP_WEB_GERMAN, labels[i]));
		papplSystemAddStringsData(system, path, "de", text);
		papplSystemRemoveResource(system, path);
	}
	pthread_mutex_unlock(&lock);
}

void rip_app_web_start(pappl_system_t *system)
{
	char style[PATH_MAX];

	/* In place of PAPPL's, which come only where there are none. */
	snprintf(style, sizeof style, "%s/style.css", rip_app_places.data);
	papplSystemAddResourceFile(system, "/style.css", "text/css", style);
	papplSystemAddResourceCallback(system, "/", "text/html", rip_web_home, NULL);
	papplSystemAddResourceCallback(system, "/config", "text/html", rip_web_config, NULL);
	papplSystemAddResourceCallback(system, "/addprinter", "text/html", rip_web_add, NULL);
}

void rip_app_web_add(pappl_system_t *system, pappl_printer_t *printer)
{
	translate_labels(system);
	add_page(system, printer, "screens", "Screens", rip_web_screens);
	add_page(system, printer, "preview.png", NULL, rip_web_preview);
	add_page(system, printer, "calibrate", "Calibrate", rip_web_calibrate);
	add_page(system, printer, "ink", "Ink", rip_web_ink);
	add_page(system, printer, "job.png", NULL, rip_web_job_picture);
	/* In place of PAPPL's, which adds its own pages later. */
	add_page(system, printer, "", NULL, rip_web_status);
	add_page(system, printer, "config", NULL, rip_web_config);
	add_page(system, printer, "jobs", "Jobs", rip_web_jobs);
	add_page(system, printer, "printing", NULL, rip_web_printing);
}
