/*
 * riptide's own drivers, as the printer application offers them: each is a PPD of ppd/riptide.drv,
 * and a rule by which it is chosen for a printer.
 */
#ifndef RIP_APP_DRIVERS_H
#define RIP_APP_DRIVERS_H

#include <pappl/pappl.h>

#define RIP_APP_DRIVERS 8

/* For PAPPL: name and description.  The PPD of NAME is riptide-NAME.ppd. */
extern pappl_pr_driver_t rip_app_drivers[RIP_APP_DRIVERS];

/* PAPPL's autoadd callback: the driver for a printer with this device id; NULL: none of ours. */
const char *rip_app_autoadd(const char *info, const char *uri, const char *id, void *data);

#endif
