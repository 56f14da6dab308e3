#include "page_list.h"

#include <errno.h>
#include <limits.h>
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

/* Goes through the ranges, and stores their pages if list is not NULL.  Returns how many they are;
 * 0: *missing is not in the document. */
static size_t expand(const char *text, unsigned pages, unsigned *list, unsigned *missing)
{
	unsigned first, last;
	size_t count = 0;

	for (; read_range(&text, &first, &last); text += *text == ',') {
		last = last ? last : pages;
		if (first > pages || last > pages) {
			*missing = first > pages ? first : last;
			return 0;
		}
		for (unsigned page = first; list && page <= last; page++)
			list[count + page - first] = page;
		count += last - first + 1;
	}
	return count;
}

int rip_page_list_resolve(const char *text, unsigned pages, unsigned **list, unsigned *count,
			  unsigned *missing)
{
	size_t all;

	*list = NULL;
	*count = 0;
	if (!text && pages == 0)
		return 0;
	text = text ? text : "1-";
	all = expand(text, pages, NULL, missing);
	if (all == 0)
		return -ERANGE;
	if (all > RIP_PAGE_LIST_MAX)
		return -E2BIG;
	*list = malloc(all * sizeof **list);
	if (!*list)
		return -ENOMEM;
	*count = (unsigned)expand(text, pages, *list, missing);
	return 0;
}

bool rip_page_list_has(const char *text, unsigned page)
{
	unsigned first, last;

	for (; text && read_range(&text, &first, &last); text += *text == ',')
		if (page >= first && (page <= last || last == 0))
			return true;
	return !text;
}

unsigned rip_page_list_last(const char *text)
{
	unsigned first, last, most = text ? 0 : UINT_MAX;

	for (; text && read_range(&text, &first, &last); text += *text == ',') {
		last = last ? last : UINT_MAX;
		most = last > most ? last : most;
	}
	return most;
}

unsigned rip_page_list_missing(const char *text, unsigned pages)
{
	unsigned missing = 0;

	return text && expand(text, pages, NULL, &missing) == 0 ? missing : 0;
}
