/*
 * Drivers as PAPPL wants them: its callbacks for a printer that is created or loaded.
 */
#ifndef RIP_APP_DRIVER_H
#define RIP_APP_DRIVER_H

#include <pappl/pappl.h>
#include <stdbool.h>

/* PAPPL's driver callback: fills in what the driver's PPD says. */
bool rip_app_driver_fill(pappl_system_t *system, const char *name, const char *uri, const char *id,
			 pappl_pr_driver_data_t *data, ipp_t **attributes, void *context);

/* PAPPL's create callback: adds our pages to the printer's web interface. */
void rip_app_driver_created(pappl_printer_t *printer, void *data);

#endif
