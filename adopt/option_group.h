/*
 * The options that an adopted PPD offers: screen, dot gain, density, who draws documents; for
 * lasers finer cells at edges, for colour inkjets the registration; with the names and choices of
 * riptide's own drivers, in the language of the PPD.
 *
 * Their choices have no code, unlike those of riptide's drivers: a vendor's filter may read the
 * strings of the page header itself.  rastertoriptide finds the choices in the job's options
 * and in the PPD.
 */
#ifndef RIP_OPTION_GROUP_H
#define RIP_OPTION_GROUP_H

#include "ppd_text.h"

struct rip_option_group {
	const char *screen;   /* the default; NULL: that of the class */
	const char *preset;   /* the default of dot gain; NULL: that of the class */
	const char *printer;  /* the class of printer, or NULL */
	bool        rip;      /* with the option which filter draws documents */
};

/* Writes the group, with translations for the PPD's cupsLanguages.  colour: some pages have
 * several inks. */
void rip_option_group_write(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			    const struct rip_option_group *group, bool colour);

#endif
