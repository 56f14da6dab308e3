/*
 * A PDF document as a descriptor that Ghostscript can read at any place: the file itself, or a
 * copy without a name of what comes through a pipe or from a file that this user may not open.  Or
 * PWG or Apple raster or PostScript, where the caller can do with that.  Any thread.
 */
#ifndef RIP_DOCUMENT_H
#define RIP_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Makes such a descriptor from one; the caller keeps that one.  raster: raster
 * and PostScript will do.  Copies lie
 * in the folder TMPDIR, or /tmp.  Returns the descriptor; -ENODATA: the input is empty; -EBADMSG:
 * it is no PDF; other -errno.  After an error, why (size bytes) has the reason. */
int rip_document_open(int fd, bool raster, char *why, size_t size);

/* Whether it is PWG or Apple raster. */
bool rip_document_is_raster(int document);

/* Whether it is PostScript, or a printer's job with it (PJL), and no PDF. */
bool rip_document_is_postscript(int document);

/* Whether the document has a layer (OCG) of which it says that it is shown and not printed, or the
 * other way round.  Not found are layers in compressed objects.  fd: from rip_document_open(). */
bool rip_document_has_print_layers(int fd);

/*
 * A list of pages as people write it: "3", "1-4,8", "5-" (to the end), "-3" (from the first).
 * Pages come in the order of the list, and may come twice.  Pure functions; any thread.
 */

#define RIP_PAGE_LIST_MAX 10000000 /* pages, each as often as it comes */

/* Whether the text is a list. */
bool rip_page_list_valid(const char *text);

/* The pages of a valid list, or all if text is NULL, of a document that has `pages`; the caller
 * frees *list.  0; -ENOMEM; -ERANGE: *missing is not in the document; -E2BIG: more than
 * RIP_PAGE_LIST_MAX. */
int rip_page_list_resolve(const char *text, unsigned pages, unsigned **list, unsigned *count,
			  unsigned *missing);

/* For documents whose pages come one after the other, and are taken in that order: whether a page
 * is in a valid list, or text is NULL. */
bool rip_page_list_has(const char *text, unsigned page);

/* The last page of a valid list; UINT_MAX: that of the document, also if text is NULL. */
unsigned rip_page_list_last(const char *text);

/* A page of a valid list that is not in a document that has `pages`; 0: there is none. */
unsigned rip_page_list_missing(const char *text, unsigned pages);

#endif
