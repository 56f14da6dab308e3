/*
 * The option ppd=FILE of the sub-command add: a vendor's driver, which riptide adopt changes and
 * the server keeps.  Used by main() of a sub-command.
 */
#ifndef RIP_APP_ADOPT_H
#define RIP_APP_ADOPT_H

/* If the arguments have it, adopts the driver and puts "-m NAME" in its place.  0, or -errno
 * (reported on standard error). */
int rip_app_adopt(int argc, char *argv[]);

#endif
