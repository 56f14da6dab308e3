/*
 * CGATS text, the format of measurements and calibrations (ANSI CGATS.17; ArgyllCMS's .cal,
 * .ti1, .ti2 and .ti3 files).
 *
 * A file has tables.  A table has a type (its first word), keywords with values, and rows of
 * cells under named fields:
 *
 *	CAL
 *	COLOR_REP "K"
 *	NUMBER_OF_FIELDS 2
 *	BEGIN_DATA_FORMAT
 *	K_I K_K
 *	END_DATA_FORMAT
 *	NUMBER_OF_SETS 256
 *	BEGIN_DATA
 *	0 0
 *	...
 *	END_DATA
 *
 * Words are separated by white space; "..." is one word.  A # at the start of a word begins
 * a comment, which ends with the line.  The text may come from anywhere: everything is
 * checked, and memory is at most 16 times the text.
 *
 * A file belongs to whoever read it, and does not change.  Any thread may read it.
 */
#ifndef RIP_CGATS_H
#define RIP_CGATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIP_CGATS_BYTES_MAX (8u << 20)
#define RIP_CGATS_TABLES_MAX 16
#define RIP_CGATS_FIELDS_MAX 512
#define RIP_CGATS_KEYWORDS_MAX 128

struct rip_cgats_word {
	const char *text; /* without its quotes */
	uint32_t    line; /* from 1 */
	bool        quoted, first; /* first: of its line */
};

struct rip_cgats_table {
	const char *type; /* "CAL", "CTI3" */
	const struct rip_cgats_word *keywords[RIP_CGATS_KEYWORDS_MAX]; /* each before its value */
	unsigned    keyword_count;
	const struct rip_cgats_word *fields;
	unsigned    field_count;
	const struct rip_cgats_word *cells; /* row after row */
	unsigned    rows;
};

struct rip_cgats {
	char *text;
	struct rip_cgats_word *words;
	struct rip_cgats_table tables[RIP_CGATS_TABLES_MAX];
	unsigned count; /* tables, 1 or more */
};

/* Parses a text, which is copied.  0; -EBADMSG and why (size bytes, with the line: "line 3:
 * ..."); -ENOMEM and why.  After an error there is nothing to finish. */
int rip_cgats_parse(struct rip_cgats *file, const char *text, size_t bytes, char *why, size_t size);

/* May be called twice. */
void rip_cgats_finish(struct rip_cgats *file);

/* The first table of this type; NULL if there is none. */
const struct rip_cgats_table *rip_cgats_table(const struct rip_cgats *file, const char *type);

/* A keyword's value; NULL if the table does not have it. */
const char *rip_cgats_value(const struct rip_cgats_table *table, const char *keyword);

/* The index of a field; -1 if the table does not have it. */
int rip_cgats_field(const struct rip_cgats_table *table, const char *name);

/* The number in a cell.  0, or -EBADMSG and why if it is no number. */
int rip_cgats_number(const struct rip_cgats_table *table, unsigned row, unsigned field,
		     double *number, char *why, size_t size);

/* A decimal number, all of the text: "-12.5", "3e-2".  The locale does not matter.  False if
 * it is none, or larger than 1e15. */
bool rip_cgats_decimal(const char *text, double *number);

/* Reads digits and perhaps a point between them, up to 10 characters, at *text, which becomes
 * what follows.  The locale does not matter.  false: there are none. */
bool rip_cgats_digits(const char **text, double *number);

#endif
