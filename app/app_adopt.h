/*
 * Vendors' drivers, which riptide adopt has changed and the server keeps: STATE/ppd/NAME.ppd.
 */
#ifndef RIP_APP_ADOPT_H
#define RIP_APP_ADOPT_H

#include <stdbool.h>

/* The option ppd=FILE of the sub-command add; for main() of a sub-command.  If the arguments have
 * it, adopts the driver and puts "-m NAME" in its place.  0, or -errno (reported on standard
 * error). */
int rip_app_adopt(int argc, char *argv[]);

/* Keeps an adopted driver, a file in the folder of the drivers, under the name of the vendor's
 * file; if another one has that name already, with a number.  The file is gone afterwards.  *made:
 * the driver is new.  0 or -errno.  Any thread. */
int rip_app_adopt_keep(const char *file, const char *vendors, char name[64], bool *made);

#endif
