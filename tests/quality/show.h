/*
 * Verdicts as a table or as JSON, and pages with the dots themselves.
 */
#ifndef RIP_SHOW_H
#define RIP_SHOW_H

#include "judge.h"

void show_heading(bool json, const struct assignment *assignment);
void show_verdict(bool json, const struct assignment *assignment, const struct verdict *verdict,
		  bool first);
void show_end(bool json);

/* Pages of PostScript for 72 dpi in a folder that exists: a dot takes a pixel, in greys.ps
 * four by four.  false: reported on stderr. */
bool show_pictures(const char *folder, const struct dot_source *sources, int count,
		   const struct picture *ramp, const struct picture *photo);

#endif
