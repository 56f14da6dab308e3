/*
 * The programs that draw pages: Ghostscript, which is what a machine uses unless its settings say
 * otherwise (riptide-renderer in riptided.conf), and pdftoppm of Poppler.
 *
 * Each has the functions of gs.h, on the same object: rip_gs_open() to rip_gs_end() are
 * Ghostscript's.  All run in the same jail, as processes of gs_process.h.  The jail knows which one
 * it is for.
 */
#ifndef RIP_RENDERER_H
#define RIP_RENDERER_H

#include <stddef.h>
#include <stdint.h>

struct rip_gs;
struct rip_gs_page;

struct rip_renderer {
	const char *title;   /* in messages */
	const char *program; /* that draws */
	const char *second;  /* another one that it needs, or NULL */
	const char *package; /* where they are */
	int (*open)(struct rip_gs *gs);
	int (*page)(struct rip_gs *gs, unsigned number, struct rip_gs_page *page);
	int (*draw)(struct rip_gs *gs, uint32_t columns, uint32_t rows, const double matrix[6],
		    unsigned threads);
	int (*read)(struct rip_gs *gs, void *to, size_t n);
	int (*end)(struct rip_gs *gs);
};

extern const struct rip_renderer rip_ghostscript, rip_poppler;

/* Ghostscript, twice: overprint.c. */
extern const struct rip_renderer rip_overprint;

#endif
