/*
 * Where the printer application keeps and finds its files.  Set once by main(), before any thread;
 * afterwards any thread reads it.
 */
#ifndef RIP_APP_PLACES_H
#define RIP_APP_PLACES_H

#define RIP_APP_NAME "riptide-printer-app"

struct rip_app_places {
	const char *state;         /* printers, jobs, calibrations, sums of ink */
	const char *calibrations;  /* state/calibration: NAME.cal of the printer NAME */
	const char *cache;         /* state/cache: riptide/NAME.ink, the test page, pictures */
	const char *spool;         /* state/spool */
	const char *ppds;          /* state/ppd: NAME.ppd of adopted drivers */
	const char *data;          /* installed: ppd/ of our drivers, the test page */
	const char *serverbin;     /* CUPS's: filter/ has its filters and ours */
	const char *command;       /* the command riptide */
	const char *transform;     /* riptide-transform, beside it */
};

extern struct rip_app_places rip_app_places;

/* Finds the places, makes the folders, and names them in the environment, for children.  state: or
 * NULL for the usual one.  0, or -errno (reported on standard error). */
int rip_app_places_find(const char *state);

#endif
