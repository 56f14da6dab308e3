/*
 * Letters and blanks of ASCII, whatever the locale: for names of ours, keywords of PPDs, words of
 * file formats.  strcasecmp() goes by the user's locale, and in Turkish "I" is no "i".  Other bytes
 * are compared as they are.  Pure; any thread.
 */
#ifndef RIP_ASCII_H
#define RIP_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool rip_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool rip_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char rip_lower(char c)
{
	return rip_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char rip_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Whether the first `length` bytes, or all up to the end of both, are the same but for the case. */
static inline bool rip_same_start(const char *a, const char *b, size_t length)
{
	for (; length > 0 && rip_lower(*a) == rip_lower(*b); length--, a++, b++)
		if (!*a)
			return true;
	return length == 0;
}

/* Whether two names are the same but for the case. */
static inline bool rip_same_name(const char *a, const char *b)
{
	return rip_same_start(a, b, (size_t)-1);
}

/* Whether a text is what somebody may have typed for a name: its first letters or only some letters
 * in order, or one letter wrong, missing or too many, or two in the wrong order. */
static inline bool rip_nearly_same(const char *text, const char *name)
{
	size_t n = strlen(text), m = strlen(name);
	const char *left = text;

	for (const char *at = name; *at && *left; at++)
		if (rip_lower(*left) == rip_lower(*at))
			left++;
	if (rip_same_start(text, name, 1) && !*left)
		return true;
	for (; n > 0 && m > 0 && rip_same_start(text, name, 1); text++, name++, n--, m--)
		;
	while (n > 0 && m > 0 && rip_lower(text[n - 1]) == rip_lower(name[m - 1]))
		n--, m--;
	return (n <= 1 && m <= 1) ||
	       (n == 2 && m == 2 && rip_lower(text[0]) == rip_lower(name[1]) &&
		rip_lower(text[1]) == rip_lower(name[0]));
}

/* Whether a word is somewhere in a text, in any case. */
static inline bool rip_has_word(const char *text, const char *word)
{
	while (*text && !rip_same_start(text, word, strlen(word)))
		text++;
	return *text;
}

#endif
