/*
 * Pages as separations: cyan, magenta, yellow and black, and an ink for each spot colour.
 *
 * tiffsep, Ghostscript's device for that, writes a file for each ink.  psdcmyk draws the same
 * planes, and writes them as one file of Photoshop: a row of each ink in turn, each at its own
 * place in the file, for which it goes back and forth.  The file that gs_process.h gives it keeps
 * the turns instead.  So all inks come row by row as they are drawn, and no page is ever there as
 * a whole.
 *
 * The device writes one page; the next one needs another Ghostscript.
 */
#ifndef RIP_SEPARATIONS_H
#define RIP_SEPARATIONS_H

#include <stdint.h>

#include "gs_process.h"

#define RIP_SPOTS_MAX     11 /* of a page */
#define RIP_SPOT_NAME_MAX 128 /* bytes of a name, with its NUL */

#define RIP_SEPARATIONS_ARGUMENT "-dMaxSpots=11" /* RIP_SPOTS_MAX */

/* The spot colours of a page. */
struct rip_spots {
	unsigned count;
	char     names[RIP_SPOTS_MAX][RIP_SPOT_NAME_MAX];
};

/* A page of separations. */
struct rip_separations {
	struct rip_spots spots;
	unsigned         order[4 + RIP_SPOTS_MAX]; /* of the rows of a line: the ink of each */
	uint64_t         bytes; /* of the picture; 0: it does not tell how it was written */
};

/* PostScript that defines rtspots, which finds the spot colours of the page that was found last
 * and answers how many there are, and rtspot, which answers the name of one of them. */
extern const char rip_separations_commands[];

/* Reads the rest of the header of a picture with these spot colours, behind its first two bytes:
 * columns, rows and the largest sample.  0, -EPROTO, or as rip_gs_process_read(). */
int rip_separations_header(struct rip_separations *page, struct rip_gs_process *process,
			   unsigned numbers[3]);

#endif
