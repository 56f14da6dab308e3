/*
 * Pictures of a small page as a printer will print it: `riptide preview` with the printer's PPD.
 */
#ifndef RIP_WEB_PREVIEW_H
#define RIP_WEB_PREVIEW_H

#include "web_page.h"

/* What a picture shows; each value is one of the printer's option, or the printer's default. */
struct rip_web_look {
	char screen[64], density[64], save[64];
	bool dots; /* a part under a magnifier */
};

/* Reads it from a form.  False: a value is none of the printer's. */
bool rip_web_look_read(const struct rip_web *web, struct rip_web_look *look);

/* The address of the picture. */
void rip_web_look_address(const struct rip_web *web, const struct rip_web_look *look,
			  char address[768]);

/* The page that is shown, sample.pdf, in points. */
#define RIP_WEB_SAMPLE_WIDTH  180
#define RIP_WEB_SAMPLE_HEIGHT 132

/* The pictures: of the whole, with so many pixels an inch, and of a part under the magnifier.  Both
 * have the size in which pages show them: a browser that makes a screen smaller shows patterns that
 * nobody prints. */
#define RIP_WEB_PREVIEW_PPI    192
#define RIP_WEB_PREVIEW_WIDTH  (RIP_WEB_SAMPLE_WIDTH * RIP_WEB_PREVIEW_PPI / 72)
#define RIP_WEB_PREVIEW_HEIGHT (RIP_WEB_SAMPLE_HEIGHT * RIP_WEB_PREVIEW_PPI / 72)

#endif
