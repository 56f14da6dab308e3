/*
 * PPDs as other people's drivers have them: one of each kind, with the keywords, options and code
 * that decide whether riptide adopt can do something.
 */
#ifndef RIP_TESTS_PPD_KINDS_H
#define RIP_TESTS_PPD_KINDS_H

#include "adopt/adoption.h"

struct ppd_kind {
	const char *name;
	const char *head;    /* lines about the driver: filters, language */
	const char *options; /* lines behind the page sizes */
	enum rip_adoption_kind verdict;
	const char *driver;  /* as the verdict names it */
	const char *printer; /* NULL: none */
	const char *pages;   /* riptideColorSpaces, or NULL */
};

extern const struct ppd_kind ppd_kinds[];
extern const unsigned ppd_kind_count;

/* The text of a PPD, for free(); in English and ISOLatin1, or in that language and encoding. */
char *ppd_kind_text(const struct ppd_kind *kind);
char *ppd_kind_text_in(const struct ppd_kind *kind, const char *language, const char *encoding);

#endif
