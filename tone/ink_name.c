#include "ink_name.h"

#include <stdio.h>
#include <string.h>

#include "system/ascii.h"

#define COUNT 8

static const struct {
	const char *letter, *name; /* name: NULL: it has only the letter */
} inks[COUNT] = {
	[RIP_INK_OTHER] = { "", NULL },
	[RIP_INK_BLACK] = { "K", "Black" },
	[RIP_INK_CYAN] = { "C", "Cyan" },
	[RIP_INK_MAGENTA] = { "M", "Magenta" },
	[RIP_INK_YELLOW] = { "Y", "Yellow" },
	[RIP_INK_LIGHT_CYAN] = { "c", NULL },
	[RIP_INK_LIGHT_MAGENTA] = { "m", NULL },
	[RIP_INK_LIGHT_BLACK] = { "k", NULL },
};

const char *rip_ink_letter(enum rip_ink ink)
{
	return inks[ink].letter;
}

const char *rip_ink_full_name(enum rip_ink ink)
{
	return inks[ink].name;
}

enum rip_ink rip_ink_of_letter(char letter)
{
	for (unsigned i = 1; i < COUNT; i++)
		if (letter == inks[i].letter[0])
			return (enum rip_ink)i;
	return RIP_INK_OTHER;
}

enum rip_ink rip_ink_of_name(const char *name)
{
	for (unsigned i = 0; i < COUNT; i++)
		if (inks[i].name && (rip_same_name(name, inks[i].name) ||
				     rip_same_name(name, inks[i].letter)))
			return (enum rip_ink)i;
	return RIP_INK_OTHER;
}

const char *rip_ink_meant(const char *name)
{
	if (rip_ink_of_name(name) == RIP_INK_OTHER)
		for (unsigned i = 0; i < COUNT; i++)
			if (inks[i].name && rip_nearly_same(name, inks[i].name))
				return inks[i].name;
	return NULL;
}

/* Appends the letters of a word: of a name, or as they are.  false: something is no ink, or comes
 * twice. */
static bool add_word(const char *word, size_t length, char letters[RIP_INK_LETTERS])
{
	size_t count = strlen(letters);
	char name[16];
	enum rip_ink ink;

	snprintf(name, sizeof name, "%.*s", (int)length, word);
	ink = length > 1 && length < sizeof name ? rip_ink_of_name(name) : RIP_INK_OTHER;
	if (ink != RIP_INK_OTHER) {
		word = rip_ink_letter(ink);
		length = 1;
	}
	for (size_t i = 0; i < length; i++) {
		if (rip_ink_of_letter(word[i]) == RIP_INK_OTHER || strchr(letters, word[i]))
			return false;
		letters[count++] = word[i];
		letters[count] = '\0';
	}
	return length > 0;
}

unsigned rip_ink_list(const char *text, char letters[RIP_INK_LETTERS])
{
	size_t length;

	letters[0] = '\0';
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (!add_word(text, length, letters))
			return 0;
		if (!text[length])
			return (unsigned)strlen(letters);
	}
}
