/*
 * Drivers as PAPPL wants them: riptide's own, each of which is a PPD of ppd/riptide.drv and a rule
 * by which it is chosen for a printer, and vendors' PPDs (app_adopt.h).
 */
#ifndef RIP_APP_DRIVER_H
#define RIP_APP_DRIVER_H

#include <pappl/pappl.h>
#include <stdbool.h>

#define RIP_APP_DRIVERS 8

/* For PAPPL: name and description.  The PPD of NAME is riptide-NAME.ppd. */
extern pappl_pr_driver_t rip_app_drivers[RIP_APP_DRIVERS];

bool rip_app_driver_is_own(const char *name);

/* PAPPL's autoadd callback: the driver for a printer with this device id; NULL: none of ours. */
const char *rip_app_autoadd(const char *info, const char *uri, const char *id, void *data);

/* PAPPL's driver callback: fills in what the driver's PPD says. */
bool rip_app_driver_fill(pappl_system_t *system, const char *name, const char *uri, const char *id,
			 pappl_pr_driver_data_t *data, ipp_t **attributes, void *context);

/* PAPPL's create callback: adds our pages to the printer's web interface. */
void rip_app_driver_created(pappl_printer_t *printer, void *data);

#endif
