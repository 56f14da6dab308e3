/*
 * Ghostscript as the source of pages (renderer.h has another one): it draws single pages of a PDF
 * file, in any order, as samples of 8 bits.
 *
 *	rip_gs_open();
 *	for some pages: rip_gs_page(); decide the pixels and the matrix; rip_gs_draw();
 *		rip_gs_read() its rows; rip_gs_end();
 *	rip_gs_finish();
 *
 * A page is drawn directly into the pixels that are wanted: the caller gives the matrix from
 * points of the page (origin at the lower left, after rotation) to pixels.  So margins cost
 * nothing, and the drawing agrees with that of Ghostscript's cups device to the last bit where
 * the colours do.
 *
 * If Ghostscript ends by itself, or runs out of memory, functions return -EPIPE, and the object
 * can be opened again.  If it takes longer for a page than it may, from rip_gs_open() on and
 * without the time that the caller takes, it is ended, and functions return -ETIMEDOUT.
 *
 * After any error `why` has the reason in words.  Used by one thread, except rip_gs_kill().
 */
#ifndef RIP_GS_H
#define RIP_GS_H

#include <stdint.h>

#include "gs_process.h"
#include "kept_black.h"
#include "page_colour.h"
#include "renderer.h"
#include "separations.h"

#define RIP_GS_PROGRAM       "gs" /* searched in PATH */
#define RIP_GS_ARGUMENTS_MAX 32 /* of the caller */

#define RIP_CONTONE_SAMPLES_MAX (4 + RIP_SPOTS_MAX) /* of a pixel */
#define RIP_GS_PAGE_MAX         1e6 /* points */
#define RIP_GS_PRINTS_LAYERS    10060 /* from this revision on, as the document wants it */
#define RIP_GS_THREADS_MAX      8   /* of a page; more would find little to do */
#define RIP_GS_SECONDS_MAX      86400 /* of a page */

/* What the samples are. */
enum rip_contone {
	RIP_CONTONE_GREY, /* light, one sample a pixel */
	RIP_CONTONE_RGB,  /* light, three samples a pixel, chunked */
	RIP_CONTONE_CMYK, /* ink, four samples a pixel, chunked */
	RIP_CONTONE_SEPARATIONS /* ink: cyan, magenta, yellow, black, and the page's spot colours;
				   a row of each, one after another: separations.h */
};

struct rip_gs_config {
	int                document;  /* a descriptor of the file, which can be read at any place */
	enum rip_contone   contone;
	unsigned           x_dpi, y_dpi;
	const char *const *arguments; /* more arguments for the program, at most
					 RIP_GS_ARGUMENTS_MAX, and a NULL; or NULL */
	size_t             band;      /* of -dBufferSpace, bytes; 0: Ghostscript's default */
	unsigned           page_seconds; /* that Ghostscript may take for a page; 0: any */
	const char        *page_option; /* the name of that limit, for messages */
	const char        *prologue;  /* PostScript that is run once, one or more lines; or NULL */
	bool               pure_black; /* as kept_black.h says; of grey pages */
	enum rip_keep_black keep_black; /* as kept_black.h says; of CMYK pages */
	bool               black_overprint; /* of text, as overprint.c says; of CMYK pages */
	bool               without_text; /* is drawn */
	bool               profiled;  /* the arguments name a profile of the printer */
	unsigned           by_kind;   /* so many arguments, the last ones, are about kinds of
					 objects, and left out for pages with transparency */
	bool               output_intent; /* of the document takes effect, if it is of CMYK, and
					     without a profile of the printer; of CMYK pages */
	bool               auto_monochrome; /* as page_colour.h says; of CMYK pages */
	struct rip_gs_jail *jail;     /* open; it serves several of these objects */
	void             (*log)(void *context, const char *line); /* its messages; may be NULL */
	void             (*warn)(void *context, const char *text); /* for the user; may be NULL */
	void              *context;
};

/* A page of the document. */
struct rip_gs_page {
	double width, height; /* points, after its rotation; 0 to RIP_GS_PAGE_MAX */
	struct rip_spots spots; /* of separations */
};

struct rip_gs {
	struct rip_gs_config  config;
	struct rip_gs_process process;
	unsigned              pages;      /* of the document */
	unsigned              revision;   /* of Ghostscript: 10051 is 10.05.1 */
	unsigned              drawn;      /* pages that the process at hand has begun */
	bool                  lists_in_files; /* what pages show, else in memory */
	bool                  transparency; /* the page that was found last has some */
	unsigned              samples;    /* of its pixels */
	struct rip_separations separations; /* the page, if its samples are */
	struct rip_greys      greys;      /* with auto_monochrome, once it is open */
	int                   commands;   /* the file that the process at hand began with, or -1 */
	void                 *profiles;   /* with keep_black, once they are made: kept_black.h */
	size_t                profiles_size;
	bool                  other_intent; /* the document has one that is of no use */
	bool                  keeps_black; /* the process at hand uses them */
	bool                  has_kinds;  /* it got the arguments about kinds of objects */
	/* of overprint.c: who draws what is below the text, or NULL; and, with auto_monochrome,
	   whether the page, as far as it was read, has colours without what is below */
	struct rip_gs        *below;
	bool                  coloured;
	uint8_t              *below_pixels;
	size_t                below_size;
	/* of poppler.c: the page that was found last, and how far it is read */
	unsigned              number;
	double                height;
	double                crop[4];    /* left, top, right, bottom: points from the upper left
					     corner */
	uint32_t              box[4];     /* the same in pixels of the sheet */
	uint32_t              columns, row;
	char                  why[320];
};

/* The renderer of an object whose jail is open. */
static inline const struct rip_renderer *rip_renderer_of(const struct rip_gs *gs)
{
	const struct rip_renderer *renderer = gs->config.jail->renderer;

	return gs->config.black_overprint && renderer == &rip_ghostscript ? &rip_overprint :
									    renderer;
}

/* Samples of a pixel; of separations, without spot colours. */
unsigned rip_contone_samples(enum rip_contone contone);

/* The object without a process.  The config's pointers must live as long as it. */
void rip_gs_init(struct rip_gs *gs, const struct rip_gs_config *config);

/* Starts Ghostscript, if it does not run, and opens the document.  0; -ENOENT: there is no
 * program; -EBADMSG: it cannot open the document; -EPIPE; other -errno. */
int rip_gs_open(struct rip_gs *gs);

/* Finds a page, 1 to gs->pages.  0; -EBADMSG: Ghostscript cannot find it; -ERANGE: it is too
 * large; -EPIPE; -errno. */
int rip_gs_page(struct rip_gs *gs, unsigned number, struct rip_gs_page *page);

/* Begins to draw the page that was found last.  matrix: as in PostScript, from points to
 * pixels, whose origin is at the upper left.  threads: draw its bands if that saves time, at most
 * RIP_GS_THREADS_MAX; 0 or 1: Ghostscript's only thread.  0; -EBADMSG: it cannot be drawn; -EPIPE;
 * -ENOSPC: the folder for temporary files is full; -errno. */
int rip_gs_draw(struct rip_gs *gs, uint32_t columns, uint32_t rows, const double matrix[6],
		unsigned threads);

/* Reads the next bytes of the page: columns times the samples of a pixel for each row.  Separations
 * are 255 less the ink, and their rows come in an order of their own.  0;
 * -EBADMSG: the page has no more; -EPIPE; -errno. */
int rip_gs_read(struct rip_gs *gs, void *to, size_t n);

/* Ends a page that was read completely.  0; 1: Ghostscript has reported an error, which `why`
 * tells, and the page may lack something; -EPIPE; -errno. */
int rip_gs_end(struct rip_gs *gs);

/* The profile of CMYK with pure black (kept_black.h), for a Ghostscript that is not started here: a
 * descriptor of a file in memory.  Of the config, only the document and the log are used.
 * -EBADMSG: Ghostscript's own profile cannot be changed; other -errno; and why (size bytes). */
int rip_gs_pure_black(const struct rip_gs_config *config, char *why, size_t size);

/* Ends the process, and that of what is below the text.  rip_gs_kill(): in any thread, and whoever
 * uses the object notices. */
void rip_gs_stop(struct rip_gs *gs);
void rip_gs_kill(struct rip_gs *gs);

/* Also ends the process.  The object can only be initialised again. */
void rip_gs_finish(struct rip_gs *gs);

/*
 * Between gs.c and gs_colours.c, which has Ghostscript draw colours beside the pages, and makes of
 * them the tables and profiles that it uses then.  Functions return 0 or -errno with the reason,
 * unless they say something else.
 */

/* Starts Ghostscript, without the document. */
int rip_gs_begin(struct rip_gs *gs);

/* Sends a command and waits for its answer. */
int rip_gs_ask(struct rip_gs *gs, const char *command, const char **answer);

/* Reads the header of a picture of so many pixels.  -EPROTO with the reason, others without. */
int rip_gs_read_header(struct rip_gs *gs, uint32_t columns, uint32_t rows);

/* Ghostscript has reported an error; `otherwise` if it did not say which.  What comes after an
 * error of memory may be anything, so that is an end of Ghostscript, too.  Returns the error. */
int rip_gs_complained(struct rip_gs *gs, int error, const char *otherwise);

/* Ghostscript has ended or takes too long, or a pipe is broken.  Returns the error. */
int rip_gs_broken(struct rip_gs *gs, int error);

/* A file in memory.  A descriptor or -errno. */
int rip_gs_memory_file(const char *name);

/* If the output intent is not of CMYK, as those of PDF/A, Ghostscript draws in its colours before
 * it makes inks of them, and black ink is no longer black.  With a damaged profile it draws
 * nothing.  1: so it is; 0; -errno. */
int rip_gs_check_intent(struct rip_gs *gs);

/* Has Ghostscript draw the curve of page_colour.h. */
int rip_gs_draw_greys(struct rip_gs *gs);

/* Black and grey become black ink alone, as kept_black.h says.  The profiles are made once for all
 * processes. */
int rip_gs_keep_black(struct rip_gs *gs);

#endif
