#include "json.h"

#include <stddef.h>
#include <stdio.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Bytes of the UTF-8 character at text; 0: these bytes are none.  RFC 3629: the shortest form, no
 * surrogates, at most U+10FFFF. */
static size_t character_size(const unsigned char *text)
{
	const unsigned char first = text[0], second = first ? text[1] : 0;
	const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
	const size_t size = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 :
			    first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;

	if (size > 1 && (second < least || second > most))
		return 0;
	for (size_t i = 2; i < size; i++)
		if ((text[i] & 0xc0) != 0x80) /* also at the end of the text */
			return 0;
	return size;
}

void rip_json_string(const char *key, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	printf("\"%s\":\"", key);
	while (*at) {
		const size_t size = character_size(at);

		if (*at == '"' || *at == '\\')
			putchar('\\');
		if (*at < 32)
			printf("\\u%04x", *at);
		else if (size)
			fwrite(at, 1, size, stdout);
		else
			fputs(REPLACEMENT, stdout);
		at += size ? size : 1;
	}
	printf("\",");
}
