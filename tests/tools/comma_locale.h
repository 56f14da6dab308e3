/*
 * A locale that writes 0.5 as 0,5, made in a folder of its own: numbers that machines read must not
 * depend on it.  It is de_DE's numbers and ASCII: all of de_DE takes localedef 1.7 s.
 */
#ifndef RIP_COMMA_LOCALE_H
#define RIP_COMMA_LOCALE_H

#include <locale.h>

#include "tests/tools/testing.h"

/* Sets the locale's numbers, or skips the test where localedef or its data (Debian: locales) are
 * missing.  Tests end with setlocale(LC_NUMERIC, "C"). */
__attribute__((unused)) static void rip_test_comma_locale(void)
{
	char folder[] = "/tmp/riptide-locale-XXXXXX", command[300], text[8];
	bool made;

	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof command,
		 "cd %s && printf 'LC_NUMERIC\\ncopy \"de_DE\"\\nEND LC_NUMERIC\\n' >numbers && "
		 "localedef -c -i ./numbers -f ANSI_X3.4-1968 ./comma >log 2>&1", folder);
	made = system(command) >= 0;
	setenv("LOCPATH", folder, 1);
	made = made && setlocale(LC_NUMERIC, "comma");
	snprintf(command, sizeof command, "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	if (!made) {
		print_message(
			"no localedef, or no data for it: numbers of other locales were not "
			"tried\n");
		skip();
	}
	snprintf(text, sizeof text, "%.1f", 0.5);
	assert_string_equal(text, "0,5");
}

#endif
