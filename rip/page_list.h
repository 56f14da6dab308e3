/*
 * A list of pages as people write it: "3", "1-4,8", "5-" (to the end), "-3" (from the first).
 * Pages come in the order of the list, and may come twice.  Pure functions; any thread.
 */
#ifndef RIP_PAGE_LIST_H
#define RIP_PAGE_LIST_H

#include <stdbool.h>
#include <stddef.h>

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
