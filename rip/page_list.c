#include "page_list.h"

#include <errno.h>
#include <stdlib.h>

/* A number; *text is left behind it.  False: none, or one that is too large. */
static bool read_number(const char **text, unsigned *number)
{
	const char *start = *text;

	for (*number = 0; **text >= '0' && **text <= '9'; (*text)++) {
		*number = *number * 10 + (unsigned)(**text - '0');
		if (*number > 100000000)
			return false;
	}
	return *text > start && *number > 0;
}

/* The next range; first is 1 and last 0 (the end) where they are not said.  False: it is none. */
static bool read_range(const char **text, unsigned *first, unsigned *last)
{
	*first = 1;
	*last = 0;
	if (**text == '-') {
		(*text)++;
		return read_number(text, last);
	}
	if (!read_number(text, first))
		return false;
	*last = *first;
	if (**text != '-')
		return true;
	(*text)++;
	*last = 0;
	if (**text < '0' || **text > '9')
		return true;
	return read_number(text, last) && *last >= *first;
}

bool rip_page_list_valid(const char *text)
{
	unsigned first, last;

	for (;;) {
		if (!read_range(&text, &first, &last))
			return false;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

int rip_page_list_resolve(const char *text, unsigned pages, unsigned **list, unsigned *count,
			  unsigned *missing)
{
	const char *at = text ? text : "1-";
	unsigned first, last;
	size_t all = 0;

	*list = NULL;
	*count = 0;
	if (!text && pages == 0)
		return 0;
	for (; read_range(&at, &first, &last); at += *at == ',') {
		unsigned *more;

		last = last ? last : pages;
		if (first > pages || last > pages) {
			*missing = first > pages ? first : last;
			free(*list);
			*list = NULL;
			return -ERANGE;
		}
		all += last - first + 1;
		more = all <= RIP_PAGE_LIST_MAX ? realloc(*list, all * sizeof **list) : NULL;
		if (!more) {
			free(*list);
			*list = NULL;
			return all <= RIP_PAGE_LIST_MAX ? -ENOMEM : -E2BIG;
		}
		*list = more;
		for (; first <= last; first++)
			(*list)[(*count)++] = first;
	}
	return 0;
}
