/*
 * What the rest of the application asks about a printer.  Any thread.
 */
#ifndef RIP_APP_PRINTER_H
#define RIP_APP_PRINTER_H

#include <limits.h>
#include <pappl/pappl.h>
#include <stdbool.h>

#include "app/app_ppd.h"

/* Of a printer; never NULL. */
const struct rip_app_driver *rip_app_printer_driver(pappl_printer_t *printer);

/* The printer's name as one of files and of calibrations: letters, digits, "." "-" and "_"; if it
 * has others, "_" in their places, and the printer's number at the end.  80 bytes are enough. */
const char *rip_app_printer_file(pappl_printer_t *printer, char *name, size_t size);

/* The path of the printer's calibration, with an ending such as ".cal".  Whether it is there. */
bool rip_app_printer_calibration(pappl_printer_t *printer, const char *ending,
				 char path[PATH_MAX]);

/* The PPD's word for a name, or its default's, or NULL if the PPD has no such option. */
const char *rip_app_choice(const struct rip_app_choices *choices, const char *name);

/* The dots an inch across and down of a resolution, "600dpi" or "600x300dpi"; and the place of a
 * resolution in the list, or -1. */
void rip_app_resolution(const struct rip_app_choice *choice, int dpi[2]);
int rip_app_resolution_index(const struct rip_app_choices *all, int x_dpi, int y_dpi);

/* What an option is set to where a job does not set it: the printer's default, else "". */
const char *rip_app_printer_default(pappl_printer_t *printer, const char *option, char *value,
				    size_t size);

#endif
