#include "json.h"

#include <stdio.h>

void rip_json_string(const char *key, const char *text)
{
	printf("\"%s\":\"", key);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		if ((unsigned char)*text < 32)
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	printf("\",");
}
