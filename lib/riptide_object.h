/*
 * What is behind struct riptide, and what the functions of riptide.h share.
 */
#ifndef RIP_RIPTIDE_OBJECT_H
#define RIP_RIPTIDE_OBJECT_H

#include "riptide.h"
#include "page_mask.h"
#include "halftone/page/around.h"
#include "halftone/page/ink_limit.h"
#include "plane_curves.h"
#include "preset_curves.h"
#include "row_flow.h"

#define RIP_ERROR_MAX 512 /* bytes of riptide_error() */

struct riptide {
	struct riptide_config config;    /* its strings are this object's; socket: NULL is none */
	struct rip_halftoner *halftoner; /* NULL before the first page, and after an error */
	bool     left_daemon;            /* of halftoners that are gone */
	char     error[RIP_ERROR_MAX];

	/* the page */
	bool     open;
	int      lost;                   /* the error that it ended with, or 0 */
	uint32_t number;
	struct rip_page_spec     spec;   /* as the caller sees it */
	struct rip_page_screens  screens;
	struct rip_preset_curves presets;
	struct rip_plane_curves  curves;
	struct rip_row_flow      flow;
	struct rip_ink_limit limit; /* of the stream; most is 0: none */
	unsigned limit_made;        /* number of the curves that it is for */
	struct rip_mask_screen finer; /* of the edges of the stream's page, */
	struct rip_page_curves fine;  /* its curves, */
	struct rip_edges_rule  edges; /* and their rule; zeros: none */
	uint8_t *staging; /* a row of each plane, whose curves are applied here; or NULL */
};

/* Sets what riptide_error() returns, logs it, and returns r. */
int rip_riptide_fail(struct riptide *riptide, int r, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Moves all rows of the page from read() to write(); the page is begun and has a height.  0, what a
 * function of the stream returned, or -errno (logged); after an error the page must be lost. */
int rip_riptide_run_page(struct riptide *riptide, const struct riptide_stream *stream);

/* The page is lost, and so is the halftoner with the bands that it still has.  Returns r. */
int rip_riptide_lose(struct riptide *riptide, int r);

/* Copies a caller's struct, which may be of another version, to one of ours.  name: its type, for
 * the message; least: the size that it must have.  0; -EINVAL: its size makes no sense; -E2BIG: it
 * has values that we do not know. */
int rip_riptide_take(struct riptide *riptide, const char *name, void *to, size_t size,
		     const void *from, size_t from_size, size_t least);

/* 0, or -E2BIG for flags that are not known. */
int rip_riptide_flags(struct riptide *riptide, uint32_t flags, uint32_t known);

/* The method of this name, NULL: auto; or -ENOENT. */
int rip_riptide_method(struct riptide *riptide, const char *name);

/* Makes the halftoner for a page with this screen (NULL: not known yet), or keeps the one that
 * there is. */
int rip_riptide_want_halftoner(struct riptide *riptide, int method,
			       const struct rip_screen *screen);

#endif
