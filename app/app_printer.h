/*
 * What the rest of the application asks about a printer.  Any thread.
 */
#ifndef RIP_APP_PRINTER_H
#define RIP_APP_PRINTER_H

#include <pappl/pappl.h>

#include "app/app_ppd.h"

/* Of a printer; never NULL. */
const struct rip_app_driver *rip_app_printer_driver(pappl_printer_t *printer);

/* The printer's name as one of files and of calibrations: letters, digits, "." "-" and "_"; if it
 * has others, "_" in their places, and the printer's number at the end.  80 bytes are enough. */
const char *rip_app_printer_file(pappl_printer_t *printer, char *name, size_t size);

/* The PPD's word for a name, or its default's, or NULL if the PPD has no such option. */
const char *rip_app_choice(const struct rip_app_choices *choices, const char *name);

/* What an option is set to where a job does not set it: the printer's default, else "". */
const char *rip_app_printer_default(pappl_printer_t *printer, const char *option, char *value,
				    size_t size);

#endif
